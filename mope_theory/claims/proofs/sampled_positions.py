"""The variance of the samples of |ψ|² = e^{−4b²} at the integers: 2 Σk²e^{−4k²}/(1 + 2 Σe^{−4k²}), and bounds of it."""
from __future__ import annotations

import sympy as sp
from sympy import Rational, S, Sum, exp, oo

from ...derivation import Chain, chain
from ...lemmas.gaps import gap
from ...lemmas.quotients import at_least, at_most
from ...lemmas.theta import CREST_FLOOR, crest, crest_below, nome
from ...logic import Assume, Rearrange, Using, instance
from ...rules import Bound, Decide, Given, Known, Monotone, Numbers, Part, Reindexed, Termwise
from ...statement import LessEqual
from ...symbols import k
from .shorthand import Form

FLOOR, CEILING = Rational(3533, 10**5), Rational(3534, 10**5)
"""Bounds of the variance."""
_MASS_CEILING = Rational(36632, 10**6)
"""A bound of 2 Σe^{−4k²}."""

from_one = Rearrange(LessEqual(S.Zero, k - 1), Assume(LessEqual(S.One, k)))
_exponent = sp.Symbol("r", real=True)


def over(term: sp.Expr, first: sp.Expr = S.One) -> Sum:
    """Σ_{k≥1}, or from another number on."""
    return Sum(term, (k, first, oo))


def smaller(old: sp.Expr, new: sp.Expr) -> Chain:
    """e^{new} ≤ e^{old}, where old − new = 8(k − 1), for k ≥ 1."""
    below = chain(new, (Bound(Given(S(8), k - 1)), old), relation=LessEqual)
    return chain(exp(new), (Monotone(below, _exponent, exp(_exponent)), exp(old)), relation=LessEqual)


def twice_crest_below(a: sp.Expr, ceiling: sp.Rational) -> Chain:
    """2 Σe^{−ak²} ≤ 2e^{−a}/(1 − e^{−3a}), which is below a number."""
    known: Form = crest_below(a)
    below = known.statement
    return chain(below.lhs, (Known(known), below.rhs), (Numbers(), ceiling), relation=LessEqual)


_bell = exp(-4 * k**2)
_square = over(k**2 * _bell)
_mass = crest.xreplace({nome: S(4)})
_later = over(_square.function.xreplace({k: k + 1}))
_apart = chain(_square, (Reindexed(S.One), over(_later.function, S.Zero)), (Decide(), exp(-4) + _later))
"""Σ_{k≥1} f(k) = f(1) + Σ_{k≥1} f(k + 1)."""


def _square_floor() -> Chain:
    """e^{−4} ≤ Σk²e^{−4k²}."""
    rest = Bound(Part(S.One, None, _later))
    return chain(exp(-4), (rest, exp(-4) + _later), (Known(_apart), _square), relation=LessEqual)


def _square_ceiling() -> Using:
    """(k + 1)²e^{−4(k+1)²} ≤ 4e^{−12} k²e^{−4k²}, so that the sum is at most e^{−4} and 1/40000 of itself."""
    new, old = exp(-4 * (k + 1) ** 2), exp(-4 * (k**2 + 3))
    falls = smaller(-4 * (k**2 + 3), -4 * (k + 1) ** 2)
    terms = chain(
        (k + 1) ** 2 * new,
        (Bound(Given(4 * new, k - 1), Part(3 * new, None, (k - 1) ** 2)), 4 * k**2 * new),
        (Bound(Given(4 * k**2, old - new)), 4 * k**2 * old),
        relation=LessEqual,
    )
    placed = Using(terms, gap(Using(falls, from_one)), from_one)
    tails = chain(_later, (Termwise(placed, k, S.One, oo), over(4 * k**2 * old)), relation=LessEqual)
    small = gap(chain(4 * exp(-12), (Numbers(), Rational(1, 40000)), relation=LessEqual))
    ceiling = chain(
        _square,
        (Known(_apart), exp(-4) + _later),
        (Bound(Given(S.One, tails.statement.rhs - _later)), exp(-4) + over(4 * k**2 * old)),
        (Bound(Given(_square, Rational(1, 40000) - 4 * exp(-12))), exp(-4) + _square / 40000),
        relation=LessEqual,
    )
    return Using(ceiling, gap(tails), small)


def sample_variance() -> tuple[sp.Expr, Using, Using]:
    """2 Σk²e^{−4k²}/(1 + 2 Σe^{−4k²}) and its bounds."""
    n, d = 2 * _square, 1 + 2 * _mass
    most = twice_crest_below(S(4), _MASS_CEILING)
    least = Rearrange(LessEqual(2 * exp(-4), 2 * _mass), instance(CREST_FLOOR, {nome: S(4)}), S(2))
    floor = chain(
        FLOOR * d,
        (Bound(Given(FLOOR, _MASS_CEILING - 2 * _mass)), FLOOR * (1 + _MASS_CEILING)),
        (Numbers(), 2 * exp(-4)),
        (Known(Rearrange(LessEqual(2 * exp(-4), n), _square_floor(), S(2))), n),
        relation=LessEqual,
    )
    share = Rational(80000, 39999)
    ceiling = chain(
        n,
        (Known(Rearrange(LessEqual(n, share * exp(-4)), _square_ceiling(), share)), share * exp(-4)),
        (Numbers(), CEILING * (1 + 2 * exp(-4))),
        (Bound(Given(CEILING, 2 * _mass - 2 * exp(-4))), CEILING * d),
        relation=LessEqual,
    )
    return (
        n / d,
        at_least(n, d, FLOOR, Using(floor, gap(most))),
        at_most(n, d, CEILING, Using(ceiling, gap(least))),
    )
