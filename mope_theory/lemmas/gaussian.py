"""Gaussian integrals over the real line, by completing the square."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import comb

import sympy as sp

from ..decide import Element, Field, NormalForm, Refused, equal, exponential, normal_form

MAX_MOMENT = 8
"""Highest power of the variable in front of the Gaussian for which the moment recursion is proved."""


@dataclass(frozen=True)
class IntegralLemma:
    """A rule that gives the normal form of an integral of a stated kind, with the proof of the rule."""

    name: str
    rule: Callable[[sp.Integral, Field], NormalForm]
    identities: tuple[tuple[sp.Expr, sp.Expr], ...]
    """What the rule rests on, each pair decided equal."""
    axioms: tuple[str, ...]

    def proved(self) -> bool:
        """Decide every identity."""
        return _all_equal(self.identities)

    def __call__(self, integral: sp.Integral, field: Field) -> NormalForm:
        return self.rule(integral, field)


@cache
def _all_equal(identities: tuple[tuple[sp.Expr, sp.Expr], ...]) -> bool:
    return all(equal(left, right) for left, right in identities)


def _gaussian(integral: sp.Integral, field: Field) -> NormalForm:
    """∫ poly(t) e^{−at²+bt+c} dt over ℝ for real a, plainly positive, and complex b, c.

    With μ = b/2a the exponent is −a(t−μ)² + b²/4a + c, so that ∫ tⁿ e^{…} dt = e^{b²/4a+c} √(π/a) Σ_j C(n,j) μ^{n−j} m_j with
    the central moments m_0 = 1, m_j = (j−1)/2a · m_{j−2}, zero for odd j.
    """
    if len(integral.limits) != 1 or len(integral.limits[0]) != 3:
        raise Refused("not a single definite integral")
    ((t, lower, upper),) = integral.limits
    if (lower, upper) != (-sp.oo, sp.oo) or t.is_nonnegative or t.is_integer:
        raise Refused("not an integral over the real line")
    out = NormalForm(field, {})
    for exponent, factor in normal_form(integral.function, field, _gaussian).terms.items():
        p, c = exponent.coefficients(t), factor.coefficients(t)
        a, b = -p.get(2, field.zero), p.get(1, field.zero)
        if max(p, default=0) > 2 or a.has(0) or not a.manifest_sign(strict=True):
            raise Refused("the hypothesis a > 0 of the Gaussian integral is not established")
        if max(c, default=0) > MAX_MOMENT:
            raise Refused(f"a moment above order {MAX_MOMENT}")
        mean = b / (a + a)
        value = field.zero
        for n, coefficient in c.items():
            for j in range(0, n + 1, 2):
                value = value + coefficient * field.rational(comb(n, j)) * mean ** (n - j) * _central_moment(j, a)
        shift = p.get(0, field.zero) + b * mean * field.rational(sp.Rational(1, 2))
        out = out + exponential(shift, value * field.root_pi * a.inverse().sqrt())
    return out


def _central_moment(j: int, a: Element) -> Element:
    """m_j / m_0 for even j by the recursion m_j = (j−1)/2a · m_{j−2}."""
    return a.field.one if j == 0 else a.field.rational(j - 1) / (a + a) * _central_moment(j - 2, a)


def _identities() -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """The square, completed; and d/dt of t^{j−1}e^{−at²}, which gives the moments by integration over ℝ."""
    t, p, q, r, s = sp.symbols("t p q r s", real=True)
    a = sp.Symbol("a", positive=True)
    b, c = p + sp.I * q, r + sp.I * s
    square = (-a * t**2 + b * t + c, -a * (t - b / (2 * a)) ** 2 + b**2 / (4 * a) + c)
    bell = sp.exp(-a * t**2)
    moments = (
        (sp.Derivative(t ** (j - 1) * bell, t), (j - 1) * t ** (j - 2) * bell - 2 * a * t**j * bell)
        for j in range(2, MAX_MOMENT + 1)
    )
    return (square, *moments)


GAUSSIAN = IntegralLemma(
    name="Gaussian integral: complete the square",
    rule=_gaussian,
    identities=_identities(),
    axioms=(
        "∫ e^{−x²} dx over ℝ is √π",
        "the integral of an entire function of Gaussian decay over ℝ + iy does not depend on y (Cauchy)",
        "polynomials times Gaussians vanish at ±∞",
    ),
)
