"""What is left out when a sum or an integral of Gaussian terms is cut off: a bound for the rest.

A term c·x^k·e^{a₂x² + a₁x + a₀} with real coefficients, a₂ ≤ 0, has the logarithmic derivative 2a₂x + a₁ + k/x for x > 0, which
does not rise. If it is at most −λ < 0 at x = N > 0, then the term is at most T·e^{−λ(x−N)} for every x ≥ N, T its value at N.
So the sum over x = N, N + 1, … is at most T/(1 − e^{−λ}), and the integral from N to ∞ at most T/λ. Coefficients are intervals:
larger a₂, a₁, a₀ and c only make a term larger where x > 0, so that their upper ends are taken.

Terms are found by writing sines and cosines as exponentials and multiplying out. What they depend on may be complex:
|e^z| = e^{re z}, so that real parts of the coefficients are taken.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import sympy as sp
from flint import acb, arb, ctx

from ..decide import Refused, unfold
from ..reference import Unresolved
from .compiled import compiled
from .interval import Interval

FARTHEST = 2_000
"""How far out terms are looked at one by one."""


class Upper(Protocol):
    """Upper bounds on a cell for what is free of x."""

    def real_part(self, e: sp.Expr) -> arb: ...

    def modulus(self, e: sp.Expr) -> arb: ...


@dataclass(frozen=True)
class OnBalls:
    """Upper bounds by Arb's balls, at complex values of the symbols."""

    values: Mapping[sp.Symbol, acb]

    def real_part(self, e: sp.Expr) -> arb:
        return compiled(e, ctx.prec)(self.values).real.upper()

    def modulus(self, e: sp.Expr) -> arb:
        return arb(abs(compiled(e, ctx.prec)(self.values)).upper())


@dataclass(frozen=True)
class OnCell:
    """Upper bounds on a cell of real ranges, also unbounded ones; ``evaluate`` encloses real expressions there."""

    evaluate: Callable[[sp.Expr], Interval]

    def real_part(self, e: sp.Expr) -> arb:
        return self.evaluate(_real_part(e)).high

    def modulus(self, e: sp.Expr) -> arb:
        return self.evaluate(sp.Abs(e)).high


@cache
def _real_part(e: sp.Expr) -> sp.Expr:
    return sp.expand(e).as_real_imag()[0]


@dataclass(frozen=True)
class Term:
    """c·x^k·e^{a₂x² + a₁x + a₀}, its coefficients free of x."""

    factor: sp.Expr
    power: int
    exponent: tuple[sp.Expr, sp.Expr, sp.Expr]

    def mirrored(self) -> Term:
        """The same at −x."""
        a2, a1, a0 = self.exponent
        return Term(self.factor, self.power, (a2, -a1, a0))


@cache
def majorants(function: sp.Expr, x: sp.Symbol) -> tuple[Term, ...]:
    """Terms whose moduli add up to a bound for |function| at real x; Refused if the function is not of this form."""
    if not x.is_real:
        raise Refused(f"{x} is not real")
    flat = sp.expand(unfold(function).xreplace({sp.S.NegativeOne**x: sp.S.One}).rewrite(sp.exp, deep=True))
    return tuple(_term(part, x) for part in sp.Add.make_args(flat))


def _term(part: sp.Expr, x: sp.Symbol) -> Term:
    factor, power, exponent = sp.S.One, 0, sp.S.Zero
    for f in sp.Mul.make_args(part):
        if type(f) is sp.exp:
            exponent += f.args[0]
        elif f == x or (f.is_Pow and f.base == x and f.exp.is_Integer and f.exp > 0):
            power += int(f.as_base_exp()[1])
        elif x in f.free_symbols:
            raise Refused(f"no majorant for the factor {f}")
        else:
            factor *= f
    polynomial = sp.expand(exponent).as_poly(x)
    if polynomial is None or polynomial.degree() > 2:
        raise Refused(f"no majorant for the exponent {exponent}")
    a2, a1, a0 = (polynomial.coeff_monomial(x**i) for i in (2, 1, 0))
    return Term(factor, power, (a2, a1, a0))


@dataclass(frozen=True)
class Tail:
    """Majorants with the upper ends of their coefficients on a cell; what is beyond N is bounded by them."""

    terms: tuple[tuple[arb, int, tuple[arb, arb, arb]], ...]

    def beyond(self, n: arb | int, summed: bool) -> arb | None:
        """A bound for the sum over x = n, n + 1, …, or for the integral from n > 0 on; None if the terms do not fall yet."""
        start, total = arb(n), arb(0)
        for factor, power, (a2, a1, a0) in self.terms:
            slope = (2 * a2 * start + a1 + power / start).upper()
            if not (start > 0 and a2 <= 0 and slope < 0):
                return None
            value = factor * start**power * ((a2 * start + a1) * start + a0).exp()
            total += value / (1 - slope.exp() if summed else -slope)
        return total.upper() if total.is_finite() else None


    def whole(self, integrated: bool) -> arb:
        """A bound for the sum over x = 0, 1, 2, …, or for the integral from 0 to ∞; Unresolved if the terms do not fall."""
        total = arb(0)
        for n in range(1, FARTHEST):
            total += self._between(n - 1, integrated)
            rest = self.beyond(n, summed=not integrated)
            if rest is not None and rest < 1:
                return arb((total + rest).upper())
        raise Unresolved("the terms do not fall")

    def _between(self, n: int, integrated: bool) -> arb:
        """The terms at x = n, or their largest values on [n, n + 1]."""
        total = arb(0)
        for factor, power, (a2, a1, a0) in self.terms:
            linear = (a1 * n).max(a1 * (n + 1)) if integrated else a1 * n
            total += factor * arb(n + integrated) ** power * (a2 * n * n + linear + a0).exp()
        return total


def tail(terms: tuple[Term, ...], upper: Upper) -> Tail:
    """The tail on a cell."""
    return Tail(tuple((upper.modulus(t.factor), t.power, _exponent(t, upper)) for t in terms))


def _exponent(t: Term, upper: Upper) -> tuple[arb, arb, arb]:
    a2, a1, a0 = map(upper.real_part, t.exponent)
    return a2, a1, a0
