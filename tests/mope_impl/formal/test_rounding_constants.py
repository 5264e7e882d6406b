"""The formal rounding bounds against the kernels that they speak of: the order of operations, and the certified bounds."""

from __future__ import annotations

import importlib
import json
import re
from fractions import Fraction

import pytest

from mope_impl.certify.rounding import bounds
from mope_impl.formal.check import PROOFS, ROOT
from mope_theory.specs import spec

ORDER = {
    "torch": ("(cos_1 * x_0 - sin_1 * x_1) * exp_1", "(sin_1 * x_0 + cos_1 * x_1) * exp_1", "exp(-0.5 * (z * z))"),
    "triton": (
        "(work_cos * x_0 - work_sin * x_1) * work_exp",
        "(work_sin * x_0 + work_cos * x_1) * work_exp",
        "exp(-0.5 * (z * z)).to(work)",
    ),
}
"""The two channels and the envelope as the theorems have them: a difference or a sum of products, times the envelope."""


def proved(backend: str) -> Fraction:
    """The constant that every inequality of a pinned statement ends in."""
    pinned = json.loads((PROOFS / "claims.json").read_text(encoding="utf-8"))["pinned"]["limit.rope-score"]
    (statement,) = (one["statement"] for one in pinned if one["theorem"] == f"Rounding.{backend}_rotary_float32")
    conclusion = statement[statement.index("let turned") :]
    constants = re.findall(r"turned\) <= ([\d /^+]+?)(?=\)| /\\|$)", conclusion)
    assert len(constants) == conclusion.count("<=")
    (constant,) = set(constants)
    terms = (re.fullmatch(r"(\d+) / 2 \^ (\d+)", term) for term in constant.split(" + "))
    return sum((Fraction(int(term[1]), 2 ** int(term[2])) for term in terms), Fraction(0))


@pytest.mark.parametrize("backend", ORDER)
def test_kernels_compute_in_the_order_of_the_theorems(backend):
    text = (ROOT / "mope_impl" / "generated" / backend / "morlet_rotary.py").read_text(encoding="utf-8")
    assert all(line in text for line in ORDER[backend])


@pytest.mark.parametrize("backend", ORDER)
def test_certificates_say_no_less_than_is_proved(backend):
    own = spec("morlet_rotary")
    source = (ROOT / "mope_impl" / "generated" / backend / "morlet_rotary.py").read_bytes()
    recover = importlib.import_module(f"mope_impl.certify.{backend}.recover")
    channels = [scalar for scalar in recover.scalars(source, own, "float32") if scalar.name.startswith("channel")]
    found = bounds(channels, own)
    assert [bound.name for bound in found] == ["channel 0", "channel 1"]
    for bound in found:
        assert {bound.box[x] for x in ("x.0", "x.1")} == {(-1.0, 1.0)}
        assert proved(backend) <= Fraction(bound.absolute) <= proved(backend) * Fraction(102, 100)


def test_a_pinned_constant_is_read_as_it_stands():
    assert proved("torch") == Fraction(1, 2**24) + Fraction(1, 2**49)
    assert proved("triton") == Fraction(151, 2**29)
