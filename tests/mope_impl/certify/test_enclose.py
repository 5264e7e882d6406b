"""A file with the digits of a constant in it is enclosed, not proved; one that is off by more is neither."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import pytest
import sympy as sp

from mope_impl.certify import constants, enclose
from mope_impl.certify.constants import literal
from mope_impl.certify.proof import Semantics
from mope_impl.certify.rounding import bounds, errors, operations
from mope_impl.certify.torch.recover import scalars
from mope_impl.certify.torch.semantics import semantics
from mope_theory.specs import spec
from tests.mope_impl.certify.edits import GENERATED

EXP = "torch.exp(-0.25 * (z * z))"


def edited(new: str) -> bytes:
    """The relative kernel with another exponential."""
    text = (GENERATED / "relative_kernel.py").read_text(encoding="utf-8")
    assert text.count(EXP) == 2
    return text.replace(EXP, new).encode()


@cache
def found(new: str) -> Semantics:
    return semantics(edited(new), spec("relative_kernel"))


LITERAL = "torch.exp2(1.4426950408889634 * (-0.25 * (z * z)))"
MERGED = "torch.exp2(-0.36067376022224085 * (z * z))"


@pytest.mark.parametrize("new", [LITERAL, MERGED])
def test_the_digits_of_a_constant_are_enclosed(new):
    own = found(new)
    assert own.holds
    assert {f.status for f in own.findings} == {"enclosed"}
    for f in own.findings:
        assert 0 < f.difference < enclose.LARGEST
        assert any("stands for" in note for note in f.notes)


def test_what_is_enclosed_is_no_less_than_what_a_literal_changes():
    with mpmath.workdps(60):
        gap = mpmath.mpf("1.4426950408889634") * mpmath.log(2) - 1
        # of e^{−y(1 + g)} cos θ, at most |g| y e^{−y} ≤ |g|/e
        changed = abs(mpmath.exp(-(1 + gap)) - mpmath.exp(-1))
    real = found(LITERAL).findings[0]
    assert changed <= real.difference <= 1.2 * changed


@pytest.mark.parametrize("new, status", [
    (EXP, "proved"),
    ("torch.exp2(1.4426950408889634074 * (-0.25 * (z * z)))", "enclosed"),
    ("torch.exp2(1.442695040888963 * (-0.25 * (z * z)))", "undecided"),
    ("torch.exp2(1.44269504 * (-0.25 * (z * z)))", "undecided"),
    (f"torch.exp({-0.25 - 2.0**-30!r} * (z * z))", "wrong"),
    (f"torch.exp({-0.25 - 2.0**-50!r} * (z * z))", "wrong"),
    ("torch.exp2(1.4426950408889634 * (-0.5 * (z * z)))", "undecided"),
    ("torch.exp(1.4426950408889634 * (-0.25 * (z * z)))", "wrong"),
])  # fmt: skip
def test_anything_else_is_not(new, status):
    own = found(new)
    assert own.findings[0].status == status
    assert own.holds == (status in ("proved", "enclosed"))


def test_the_rounding_bound_holds_the_error_of_the_literal(monkeypatch):
    kernel = spec("relative_kernel")

    def bound() -> float:
        return bounds(scalars(edited(LITERAL), kernel, "float64")[:1], kernel, reaches=(1.0,))[0].absolute

    assert bound() < 1e-15
    for module in (errors, operations):
        monkeypatch.setattr(module, "literal", lambda value: replace(own, gap=1e-6) if (own := literal(value)) else None)
    assert 1e-7 < bound() < 1e-6


def test_a_difference_that_is_too_large_is_a_failure(monkeypatch):
    monkeypatch.setattr(enclose, "LARGEST", 2.0**-70)
    own = semantics(edited(LITERAL), spec("relative_kernel"))
    assert not own.holds
    assert own.findings[0].status == "undecided"


def test_literals_near_no_constant_are_numbers(monkeypatch):
    """Were anything taken for a constant, a wrong factor would pass."""
    assert own_literal("1.4426950408889634") == 1 / sp.log(2)
    assert own_literal("-3.141592653589793") == -sp.pi
    assert own_literal("0.7071067811865476") == sp.sqrt(2) / 2
    assert [literal(Fraction(text)) for text in ("0", "0.5", "1", "3.14159", "1.442695040888963", "2.72", "0.25", "56")] == [
        None
    ] * 8
    monkeypatch.setattr(constants, "NEAR", Fraction(1, 100))
    assert constants.literal.__wrapped__(Fraction("1.44")) is not None
    monkeypatch.setattr(enclose, "literal", constants.literal.__wrapped__)
    own = semantics(edited("torch.exp2(1.44 * (-0.25 * (z * z)))"), spec("relative_kernel"))
    assert not own.holds  # for the effect of its distance is enclosed, and large


def own_literal(text: str) -> sp.Expr:
    own = literal(Fraction(text))
    assert own is not None
    with mpmath.workdps(50):
        gap = abs(mpmath.mpf(text) - mpmath.mpf(sp.N(own.constant, 50)))
    assert gap <= own.gap <= gap * (1 + 1e-9)
    return own.constant
