"""What is left out when a sum or an integral of Gaussian terms is cut off: a bound for the rest.

A term c·x^k·e^{a₂x² + a₁x + a₀} with real coefficients, a₂ ≤ 0, has the logarithmic derivative 2a₂x + a₁ + k/x for x > 0, which
does not rise. If it is at most −λ < 0 at x = N > 0, then the term is at most T·e^{−λ(x−N)} for every x ≥ N, T its value at N.
So the sum over x = N, N + 1, … is at most T/(1 − e^{−λ}), and the integral from N to ∞ at most T/λ. Coefficients are intervals:
larger a₂, a₁, a₀ and c only make a term larger where x > 0, so that their upper ends are taken.

Terms are found by writing sines and cosines as exponentials and multiplying out. Parameters may be complex: with s = p + iq put
for a symbol, |e^z| = e^{re z}.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import sympy as sp
from flint import arb

from ..decide import Refused, unfold
from .interval import Interval

Evaluate = Callable[[sp.Expr], Interval]


@dataclass(frozen=True)
class Term:
    """|c|·x^k·e^{a₂x² + a₁x + a₀}, a majorant of one term, its coefficients expressions in real symbols."""

    factor: sp.Expr
    power: int
    exponent: tuple[sp.Expr, sp.Expr, sp.Expr]

    def mirrored(self) -> Term:
        """The same at −x."""
        a2, a1, a0 = self.exponent
        return Term(self.factor, self.power, (a2, -a1, a0))


@cache
def majorants(function: sp.Expr, x: sp.Symbol, complex_parts: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()) -> tuple[Term, ...]:
    """Terms whose sum bounds |function| for real x (for whole x, if it has a factor (−1)^x); Refused if it is not of this form.

    ``complex_parts`` puts p + iq, p and q real symbols, for symbols that take complex values.
    """
    flat = sp.expand(unfold(function).xreplace({sp.S.NegativeOne**x: sp.S.One}).rewrite(sp.exp, deep=True))
    return tuple(_term(part, x, dict(complex_parts)) for part in sp.Add.make_args(flat))


def _term(part: sp.Expr, x: sp.Symbol, complex_parts: Mapping[sp.Symbol, sp.Expr]) -> Term:
    factor, power, exponent = sp.S.One, 0, sp.S.Zero
    for f in sp.Mul.make_args(part):
        if isinstance(f, sp.exp):
            exponent += f.args[0]
        elif f == x or (f.is_Pow and f.base == x and f.exp.is_Integer and f.exp > 0):
            power += int(f.as_base_exp()[1])
        elif x in f.free_symbols:
            raise Refused(f"no majorant for the factor {f}")
        else:
            factor *= f
    if complex_parts and (set(complex_parts) & factor.free_symbols):
        raise Refused(f"no majorant for the complex factor {factor}")
    real = sp.expand(exponent.xreplace(dict(complex_parts))).as_real_imag()[0]
    polynomial = sp.Poly(sp.expand(real), x)
    if polynomial.degree() > 2 or any(not c.is_real for c in polynomial.coeffs()) or not x.is_real:
        raise Refused(f"no majorant for the exponent {exponent}")
    a2, a1, a0 = (polynomial.coeff_monomial(x**i) for i in (2, 1, 0))
    return Term(sp.Abs(factor), power, (a2, a1, a0))


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


def tail(terms: tuple[Term, ...], evaluate: Evaluate) -> Tail:
    """The tail on a cell; ``evaluate`` encloses the coefficients there."""

    def top(e: sp.Expr) -> arb:
        return evaluate(e).high

    return Tail(tuple((top(t.factor), t.power, (top(t.exponent[0]), top(t.exponent[1]), top(t.exponent[2]))) for t in terms))
