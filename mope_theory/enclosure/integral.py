"""An integral over ℝ against its closed form, for every value of its parameters: quadrature with a tail, and interpolation.

Dimensional analysis first: with t = λx and the distance d = λδ in units of the width λ, the integrand over its closed form is
a function g(x, δ) of two real variables alone. That identity is decided. What remains is ∫ g(x, δ) dx = 1 for every δ in
[−L, L], which is enclosed without any lemma on Gaussian integrals:

* at the n + 1 Chebyshev points of [−L, L] by Arb's quadrature over |x| ≤ R plus an explicit tail;
* between them because G(δ) = ∫ g dx − 1 is entire: with |G| ≤ M on the ellipse with foci ±L and semi-axis sum ρL, the
  interpolating polynomial is within 4Mρ^{−n}/(ρ−1) of G (Trefethen, Approximation Theory and Approximation Practice, Theorem
  8.2), and its own modulus is at most Λ times the largest value at the points, Λ ≤ 1 + (2/π) log(n+1) (Theorem 15.2).

The tail. |g(x, a+iy)| = e^{y²/4} h(x − a/2) with h(v) = g(v, 0), decided. For v ≥ q > 0, h(v) ≤ F′(v) with F = −h(v)/2q, and
F ≤ 0, so that ∫_q^∞ h ≤ −F(q) = h(q)/2q; both are checked as a derivation. The same on the left, because h is even.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp
from flint import acb, arb, fmpq

from ..assumptions import admitted
from ..decide import Refused, equal, nonnegative, unfold
from ..derivation import Chain, Outcome, chain
from ..reference import to_acb
from ..rules import Bound, Part
from ..statement import Equal, LessEqual
from ..text import expression
from .base import Enclosure, precision
from .quadrature import Integrand, quadrature

_a, _y = sp.symbols("a y", real=True)
_q = sp.Symbol("q", positive=True)
_r = sp.Symbol("r", nonnegative=True)


@dataclass(frozen=True)
class ScaledIntegral(Enclosure):
    """∫ f dt = closed form, to 2^{−bits} of the closed form, for |δ| ≤ half_width and every value of the other symbols."""

    statement: Equal
    scaling: Mapping[sp.Symbol, sp.Expr]
    """t ↦ λx and d ↦ λδ with the width λ a positive symbol."""
    x: sp.Symbol
    delta: sp.Symbol
    half_width: int = 12
    degree: int = 96
    ellipse: int = 2
    """ρ, the sum of the semi-axes in units of half_width."""
    bits: int = 64

    def lies_within(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        """True if the distance ranges over ℝ and the width over (0, ∞): then so does every scaled point."""
        ranges = {sp.S.Reals, sp.Interval.open(0, sp.oo)}
        scaled = {s for expr in (*self.scaling, *self.scaling.values()) for s in expr.free_symbols}
        return all(box[s] in ranges for s in scaled if s in box)

    def covers(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        """False: distances beyond half_width times the width are not looked at."""
        return False

    def check(self) -> Outcome:
        try:
            g = self._reduced()
            self._check_tail(g)
        except Refused as refusal:
            return Outcome("refused", str(refusal))
        with precision(2 * self.bits):
            return self._enclose(g)

    def _reduced(self) -> sp.Expr:
        """g(x, δ), with f(λx)·λ = g(x, δ) · closed form decided."""
        integral, closed = self.statement.lhs, self.statement.rhs
        if not isinstance(integral, sp.Integral) or [limit[1:] for limit in integral.limits] != [(-sp.oo, sp.oo)]:
            raise Refused("not an integral over the real line")
        t = integral.limits[0][0]
        slope = sp.diff(self.scaling[t], self.x)
        inner = (t, *(set(self.scaling) - {t}), self.x, self.delta)
        if len(set(inner)) < 4 or any(admitted(s) != sp.S.Reals for s in inner) or set(inner) & {_a, _y, _q, _r}:
            raise Refused("the variables of the scaling are not four different real symbols")
        if t in closed.free_symbols or {self.x, self.delta} & self.statement.free_symbols:
            raise Refused("the closed form depends on the variable of the integral, or the statement on a scaled one")
        if not slope.is_Symbol or admitted(slope) != sp.Interval.open(0, sp.oo):
            raise Refused("the scaling is not by one positive width")
        if set(self.scaling) - {t} != {self._distance(t, slope)}:
            raise Refused("the scaling is not by one positive width")
        scaled = unfold(integral.function).subs(self.scaling, simultaneous=True) * slope
        target = unfold(closed).subs(self.scaling, simultaneous=True)
        g = sp.powsimp(sp.expand(sp.simplify(scaled / target)))
        if g.free_symbols - {self.x, self.delta}:
            raise Refused(f"after scaling the integrand still depends on {g.free_symbols - {self.x, self.delta}}")
        if not equal(scaled, g * target):
            raise Refused("the scaled integrand is not g times the closed form")
        return g

    def _distance(self, t: sp.Symbol, slope: sp.Expr) -> sp.Symbol:
        others = [s for s, value in self.scaling.items() if s != t and value == slope * self.delta]
        if len(others) != 1:
            raise Refused("the scaling is not by one positive width")
        return others[0]

    def _check_tail(self, g: sp.Expr) -> None:
        """The two identities and the inequality that the tail rests on; see the head of the module."""
        centred = g.subs(self.delta, 0)
        moved = sp.exp(_y**2 / 4) * centred.subs(self.x, self.x - _a / 2)
        if not equal(sp.Abs(g.subs(self.delta, _a + sp.I * _y)), moved):
            raise Refused("the modulus of g on complex δ is not the one that the tail bounds")
        if not equal(centred, centred.subs(self.x, -self.x)) or not nonnegative(centred):
            raise Refused("the bell is not even and nonnegative")
        tail = tail_bound(centred, self.x)
        outcome = tail.check()
        if not outcome:
            raise Refused(f"the tail bound is not derived: {outcome.reason}")

    def _enclose(self, g: sp.Expr) -> Outcome:
        d, width = self._distance_and_width()
        length, rho = arb(self.half_width), arb(self.ellipse)
        height = length * (rho - 1 / rho) / 2
        q = arb(self.bits + self.bits // 2).sqrt() + 1  # e^{−q²} is far below 2^{−bits}
        reach = (length / 2 + q).upper()
        bell = self._at(g, arb(0))
        tail = 2 * self._value(g, q) / (2 * q)
        mass = quadrature(bell, q.upper()) + _around(tail)
        worst = arb(0)
        for j in range(self.degree + 1):
            node = length * (arb.pi() * fmpq(j, self.degree)).cos()
            gap = quadrature(self._at(g, node), reach) + _around(tail) - 1
            if not gap.contains(0):
                return Outcome("fails", f"false at {d} = {node.str(6, radius=False)}·{width}: off by {abs(gap).str(3)} of itself")
            worst = worst.max(arb(abs(gap).upper()))
        growth = 1 + (height * height / 4).exp() * mass.real
        lebesgue = 1 + 2 / arb.pi() * arb(self.degree + 1).log()
        error = lebesgue * worst + 4 * growth * rho ** (-self.degree) / (rho - 1)
        if not error < arb(2) ** (-self.bits):
            return Outcome("refused", f"enclosed to {error.str(3)} only")
        return Outcome(
            "holds",
            f"equal within {arb(error.upper()).str(2, radius=False)} of itself for |{d}| ≤ {self.half_width}·{width} "
            f"and every value of the other symbols ({self.degree + 1} quadratures with tail)",
        )

    def _distance_and_width(self) -> tuple[str, str]:
        """Names of d and λ, for messages."""
        d, scaled = next((s, value) for s, value in self.scaling.items() if self.delta in value.free_symbols)
        return expression(d), expression(scaled / self.delta)

    def _at(self, g: sp.Expr, delta: arb) -> Integrand:
        return Integrand(g, self.x, {self.delta: delta})

    def _value(self, g: sp.Expr, x: arb) -> arb:
        return to_acb(g, {self.x: x, self.delta: arb(0)}, analytic=True).real


def tail_bound(bell: sp.Expr, x: sp.Symbol) -> Chain:
    """h(v) ≤ d/dv(−h(v)/2q) at v = q + r, r ≥ 0: the derivation that the tail rests on."""
    v = _q + _r
    here = bell.subs(x, v)
    majorant = sp.Derivative(-here / (2 * _q), _r)
    # −h/2q has derivative −h′/2q = 2v·h/2q = h + h·r/q for the bell h = c·e^{−v²}; the certificate decides just that.
    return chain(here, (Bound(Part(here / _q, None, _r)), majorant), relation=LessEqual)


def _around(radius: arb) -> acb:
    """The ball of that radius about 0."""
    return acb(arb(0, arb(abs(radius).upper())), arb(0, arb(abs(radius).upper())))
