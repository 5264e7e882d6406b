"""Complex formulas become real ones, proved equal; what has no operation is refused by name."""
from __future__ import annotations

import sys

import pytest
import sympy as sp
from sympy.codegen.cfunctions import log1p

from mope_impl.codegen import checks, generate
from mope_impl.codegen.ir import Formula
from mope_impl.codegen.passes import lower
from mope_theory.decide import Refused
from mope_theory.spec import Input, KernelSpec, SpecError
from mope_theory.specs import spec
from mope_theory.symbols import psi

x = sp.Symbol("x", real=True)


def toy(*channels: sp.Expr) -> KernelSpec:
    return KernelSpec("toy", "A toy", "none", (Input("x", x, "*t"),), channels, "*t")


def test_heads_are_unfolded_and_real_parts_taken():
    first, second = lower(Formula(spec("morlet_encoding"))).channels
    for channel, circular in ((first, sp.cos), (second, sp.sin)):
        assert channel.has(circular)
        assert not channel.has(sp.I, sp.re, sp.im)


@pytest.mark.parametrize(
    "function, name",
    [
        (sp.erfc(x), "erfc"),
        (sp.sinc(x), "sinc"),
        (sp.gamma(x), "gamma"),
        (log1p(x), "log1p"),
        (sp.Heaviside(x), "Heaviside"),
        (sp.besselj(0, x), "besselj"),
        (sp.Function("f")(x), "f"),
        (sp.Max(x, 0), "Max"),
        (sp.Piecewise((x, x > 0), (0, True)), "Piecewise"),
        (sp.Integral(sp.exp(-(x**2)), (x, 0, x)), "Integral"),
        (sp.Derivative(sp.Function("g")(x), x), "Derivative"),
    ],
)
def test_what_no_backend_has_is_refused_by_name_at_build_time(function, name):
    """SymPy's torch printer writes these as calls that fail, or that mean something else, at run time."""
    with pytest.raises(SpecError, match=f"channel 0 of toy: {name} cannot be lowered"):
        generate(toy(function))


def test_a_complex_channel_is_refused():
    with pytest.raises(SpecError, match=r"channel 0 of toy: .* is not real"):
        generate(toy(sp.exp(sp.I * x)))


def test_a_wrong_split_into_real_and_imaginary_part_is_caught(monkeypatch):
    """Whatever SymPy makes of a real part is compared with the formula by the decision procedure."""
    module = sys.modules["mope_impl.codegen.passes.lower"]
    monkeypatch.setattr(module, "unfold", lambda channel: sp.sin(2 * x) * sp.exp(-(x**2) / 18))
    with pytest.raises(SpecError, match=r"channel 0 of toy, lowered: .* is not"):
        lower(Formula(toy(sp.re(psi(x, 2, 3)))))


def test_what_the_procedure_cannot_decide_is_refused(monkeypatch):
    def refuses(*_: object) -> bool:
        raise Refused("outside the class")

    monkeypatch.setattr(checks, "equal", refuses)
    with pytest.raises(SpecError, match="channel 0 of toy, lowered: cannot be decided: outside the class"):
        generate(toy(sp.re(psi(x, 2, 3))))
