"""Enclosures: they hold where the statement does, fail where it does not, and refuse rather than guess."""
from __future__ import annotations

from dataclasses import replace

import flint
import pytest
import sympy as sp
from sympy import Abs, I, Rational, conjugate, exp, oo, pi, sqrt

import mope_theory as mt
from mope_theory.enclosure import Interpolation, Subdivision, run
from mope_theory.enclosure.base import precision
from mope_theory.enclosure.prepare import without_phase
from mope_theory.enclosure.quadrature import Integrand, quadrature
from mope_theory.statement import Equal, Less, LessEqual
from mope_theory.symbols import K, b, d, omega, psi, sigma, t

x = sp.Symbol("x", real=True)
distance = Abs(psi(b, omega, sigma) - exp(I * omega * b))
u = b**2 / (2 * sigma**2)
BOX = {b: (8, 64), sigma: (Rational(1, 2), 8)}


def test_a_strict_inequality_is_proved_on_the_whole_box() -> None:
    outcome = Subdivision(LessEqual(distance, u), BOX).check()
    assert outcome
    assert "b ∈ [8, 64] × σ ∈ [0.5, 8]" in outcome.reason


@pytest.mark.parametrize(
    "false",
    [
        LessEqual(distance, Rational(9, 10) * u),
        LessEqual(distance, b**2 / (2 * sigma**3)),
        Less(u, distance),
        LessEqual(distance, u / 2),
    ],
    ids=["constant", "σ³ for σ²", "direction", "missing factor"],
)
def test_a_false_inequality_is_disproved(false: LessEqual) -> None:
    outcome = Subdivision(false, {b: (2, 64), sigma: (Rational(1, 2), 64)}).check()
    assert outcome.status == "fails"
    assert "false on the whole cell" in outcome.reason


def test_an_inequality_that_touches_is_refused_not_passed() -> None:
    outcome = Subdivision(LessEqual(distance, u), {b: (0, 4), sigma: (1, 8)}, max_cells=500).check()
    assert outcome.status == "refused"
    assert "undecided near" in outcome.reason


def test_a_symbol_without_a_range_is_refused() -> None:
    assert "no range for b" in Subdivision(LessEqual(distance, u), {sigma: (1, 2)}).check().reason


def test_a_common_phase_is_taken_out_and_only_a_phase() -> None:
    assert omega not in without_phase(distance).free_symbols
    two_phases = Abs(psi(b, omega, sigma) - exp(2 * I * omega * b))
    assert omega in without_phase(two_phases).free_symbols
    growth = Abs(exp(x) * (2 + exp(-x)), evaluate=False)
    assert without_phase(growth).subs(x, 1).evalf(20) == (2 * sp.E + 1).evalf(20)


def enclosure(factor: sp.Expr = sp.S.One, **changes: object) -> Interpolation:
    (own,) = mt.claim("kernel.cross-correlation").enclosures
    assert isinstance(own, Interpolation)
    return replace(own, statement=Equal(own.statement.lhs, factor * own.statement.rhs), **changes)


def test_the_cross_correlation_is_enclosed() -> None:
    assert enclosure().check()


@pytest.mark.parametrize(
    "factor",
    [
        1 + Rational(1, 10**12), sqrt(2), 1 - Rational(1, 10**9), sp.S(-1), I,
        exp(-(d**2) / (100 * sigma**2)), exp(-Rational(1, 10**13) * (d / sigma) ** 2),
    ],
    ids=["10^-12", "√2", "10^-9", "sign", "phase", "a faster fall", "a fall faster by 10^-13"],
)  # fmt: skip
def test_another_closed_form_is_disproved(factor: sp.Expr) -> None:
    outcome = enclosure(factor).check()
    assert outcome.status == "fails", outcome.reason


def test_a_closed_form_in_another_unit_is_refused() -> None:
    assert "still σ" in enclosure(exp(-(d**2))).check().reason


@pytest.mark.parametrize("lhs", ["dropped conjugate", "shift forward", "missing factor"])
def test_a_wrong_integrand_does_not_hold(lhs: str) -> None:
    f = {
        "dropped conjugate": psi(t, omega, sigma) * psi(t - d, omega, sigma),
        "shift forward": psi(t, omega, sigma) * conjugate(psi(t + d, omega, sigma)),
        "missing factor": 2 * psi(t, omega, sigma) * conjugate(psi(t - d, omega, sigma)),
    }[lhs]
    own = enclosure()
    wrong = replace(own, statement=Equal(sp.Integral(f, (t, -oo, oo)), sigma * sqrt(pi) * K(d, omega, sigma)))
    assert not run(wrong)


def test_the_precision_asked_for_is_reached_or_refused() -> None:
    outcome = enclosure(degree=40).check()
    assert outcome.status == "refused"
    assert "enclosed to" in outcome.reason


def test_the_scaling_must_be_by_one_positive_width() -> None:
    own = enclosure()
    delta, x = (next(iter(values.values())).subs(sigma, 1) for values in (own.scaling, own.inside))
    assert not run(replace(own, inside={t: -sigma * x}))
    assert not run(replace(own, scaling={d: 2 * sigma * delta}, inside={t: sigma * x**3}))
    assert not run(replace(own, inside={t: 2 * x}))


def test_the_callers_precision_is_restored() -> None:
    before = flint.ctx.prec
    enclosure().check()
    Subdivision(LessEqual(distance, u), BOX, max_cells=10).check()
    assert flint.ctx.prec == before


def test_quadrature_of_a_narrow_bell() -> None:
    """∫ e^{−(z−3)²/2σ²} dz over [−10, 10] at σ = 10⁻³: a blind rule answers 4e-129449, the value is 0.00250662827463."""
    z = sp.Symbol("z", real=True)
    shifted = exp(-((z - 3) ** 2) / (2 * Rational(1, 1000) ** 2))
    with precision(64):
        value = quadrature(Integrand(shifted, z, {}), flint.arb(10)).real
        assert value.overlaps((2 * flint.arb.pi()).sqrt() / 1000)
        assert abs(value - flint.arb("0.00250662827463")) < flint.arb("1e-14")
        assert value.rad() < flint.arb("1e-15")
