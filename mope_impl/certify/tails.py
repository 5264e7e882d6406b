r"""What a cut-off leaves out: a bound of a difference where a guarded quantity q is large, in ball arithmetic.

The difference is a sum of c·e^p with −a q² for the real part of p; as |e^{iy}| = 1, its modulus is at most Σ |c| e^{−a q²}. Each
monomial of c is bounded by the largest values that the box allows, and |q|^k e^{−a q²} falls from q² = k/2a on, so that its
value at the threshold is its supremum. Negative powers of what comes near 0 stay as they are: the bound is η over them. It is
one for each unit of the incoming gradient. Near the threshold rounding may take the other branch: a margin of 2⁻¹⁰ covers that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import sympy as sp
from flint import arb

from mope_theory import decide
from mope_theory.decide.normal_form import element_expression, polynomial_expression

from .regions import Cell, Guarded

SMALLEST_EXPONENT = -1074
MARGIN = sp.Rational(1023, 1024)

Powers = dict[sp.Symbol, int]


class Unbounded(Exception):
    """No bound was found."""


@dataclass(frozen=True)
class Tail:
    """|difference| ≤ Σ bound / Π s^k, over divisors s^k of what may come near 0."""

    bounds: Mapping[tuple[tuple[sp.Symbol, int], ...], Any]

    @property
    def total(self) -> Any:
        return sum(self.bounds.values(), start=arb(0))

    @property
    def is_negligible(self) -> bool:
        """Whether the bounds together lie below the smallest float64."""
        return bool(self.total < arb(2) ** SMALLEST_EXPONENT)

    def text(self) -> str:
        parts = [sp.sstr(sp.Mul(*(s**-k for s, k in own))) for own in sorted(self.bounds, key=len)]
        least = f"2**{SMALLEST_EXPONENT}"
        return f"< {least}" if parts in ([], ["1"]) else f"< {least}*({' + '.join(parts)})"


def tail(difference: sp.Expr, cell: Cell, guard: Guarded) -> Tail:
    """The smaller of two bounds: with a variable of q kept, or eliminated by q. Raises Unbounded, or Refused by the procedure."""
    q = sp.Symbol("q_guarded", real=True)
    for pivot in sorted(guard.quantity.free_symbols, key=str):
        rest = sp.expand(guard.quantity.diff(pivot))
        if not rest.has(pivot) and rest != 0:
            break
    else:
        raise Unbounded(f"{guard.quantity} is linear in no variable")
    value = sp.expand((q - guard.quantity.subs(pivot, 0)) / rest)
    found: list[Tail] = []
    reasons: list[str] = []
    for eliminate in (True, False):
        try:
            found.append(_bound(difference, cell, guard, (q, pivot, value), eliminate))
        except Unbounded as fault:
            reasons.append(str(fault))
    if not found:
        raise Unbounded(reasons[0])
    return min(found, key=lambda one: float(one.total.log().mid()) if one.bounds else -inf)


def _bound(
    difference: sp.Expr, cell: Cell, guard: Guarded, change: tuple[sp.Symbol, sp.Symbol, sp.Expr], eliminate: bool
) -> Tail:
    q, pivot, value = change
    own = decide.normal_form(difference, decide.field_for(difference))
    least = guard.low * MARGIN
    bounds: dict[tuple[tuple[sp.Symbol, int], ...], Any] = {}
    for exponent, coefficient in own.terms.items():
        p = sp.expand(sp.expand(element_expression(exponent)).subs(pivot, value))
        rate = -sp.expand(p.coeff(sp.I, 0)) / q**2
        if not (rate.is_Rational and rate > 0):
            raise Unbounded(f"e to the power of {p} does not fall as a Gaussian of {guard.quantity}")
        top = polynomial_expression(coefficient.field, coefficient.num)
        below = sp.expand(polynomial_expression(coefficient.field, coefficient.den))
        if eliminate:
            top = top.subs(pivot, value)
            if below.has(pivot):
                raise Unbounded(f"{pivot} in a denominator")
        for term in sp.Add.make_args(sp.expand(top)):
            size, powers = _monomial(sp.expand(term / below))
            divisors: Powers = {}
            size *= _times(powers, cell, divisors, q, rate, least)
            key = tuple(sorted(divisors.items(), key=str))
            bounds[key] = bounds.get(key, arb(0)) + size
    return Tail(bounds)


def _monomial(term: sp.Expr) -> tuple[Any, Powers]:
    """|number| and the powers of the symbols of a product."""
    size, powers = arb(1), dict[sp.Symbol, int]()
    for factor in sp.Mul.make_args(term):
        base, power = factor.as_base_exp()
        if factor is sp.I:
            continue
        if base.is_Rational and power.is_Integer:
            size *= (arb(int(abs(base.p))) / int(base.q)) ** int(power)
        elif base.is_Symbol and power.is_Integer:
            powers[base] = powers.get(base, 0) + int(power)
        else:
            raise Unbounded(f"{term} is no monomial")
    return size, powers


def _times(powers: Powers, cell: Cell, divisors: Powers, q: sp.Symbol, rate: sp.Rational, least: sp.Rational) -> Any:
    """The largest value of |q|^k e^{−a q²} and the powers of a monomial beyond the threshold."""
    k = powers.get(q, 0)
    if k < 0 or 2 * rate * least**2 < k:
        raise Unbounded(f"q**{k} e^(-{rate} q**2) is not at its largest at {least}")
    at = arb(int(least.p)) / int(least.q)
    size = at**k * (-(arb(int(rate.p)) / int(rate.q)) * at * at).exp()
    for symbol, power in powers.items():
        if symbol == q or symbol not in cell.ranges:
            if symbol != q and power != 1:
                raise Unbounded(f"{symbol} to the power of {power}")
            continue  # an incoming gradient, of which the bound is a multiple
        own = cell.ranges[symbol]
        if power > 0:
            most = sp.Max(abs(own.low), abs(own.high))
            if most is sp.oo:
                raise Unbounded(f"{symbol} has no bound")
            size *= (arb(int(most.p)) / int(most.q)) ** power
        elif own.low > 0:
            size *= (arb(int(own.low.p)) / int(own.low.q)) ** power
        elif own.low == 0:
            divisors[symbol] = -power
        else:
            raise Unbounded(f"{symbol} may vanish")
    return size
