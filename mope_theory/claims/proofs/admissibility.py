"""Admissibility: what is left at zero frequency."""
from __future__ import annotations

import sympy as sp
from sympy import S, exp, pi, sqrt

from ...derivation import Chain, chain
from ...lemmas import GAUSSIAN
from ...logic import Assume, Conjunction, Suppose, Using, Weaken, conjunction, instance
from ...rules import Decide, Known, Numbers, Part, Rewrite, Strict
from ...statement import Equal, Less, LessEqual, Not
from .shorthand import Form

_x, _y = sp.symbols("x y", real=True)
_value = sp.Symbol("z", complex=True)
_divisor = sp.Symbol("w", complex=True, zero=False)


def spectrum(transform: sp.Expr) -> Chain:
    """ψ̂(ξ) = σ√(2π) e^{−σ²(ξ−ω)²/2}."""
    xi, omega, sigma = transform.args
    return chain(transform, (Decide(GAUSSIAN), sigma * sqrt(2 * pi) * exp(-(sigma**2) * (xi - omega) ** 2 / 2)))


def left_at_zero(statement: Form) -> Conjunction:
    """ψ̂(0)/ψ̂(ω) = e^{−(ωσ)²/2}, and the number that this is at a given ωσ."""
    ratio, figure = statement.body
    leak = _leak(ratio)
    at_product, rounds = figure.hypothesis, figure.conclusion
    same_power = chain(exp(-(_x**2) / 2), (Rewrite(Assume(Equal(_x, _y))), exp(-(_y**2) / 2)))
    number: Form = instance(same_power, {_x: at_product.lhs, _y: at_product.rhs})
    value = number.statement.rhs
    _, shown = rounds.lhs.args
    rounded = chain(
        rounds.lhs.func(_value, shown),
        (Rewrite(Assume(Equal(_value, value))), rounds.lhs.func(value, shown)),
        (Numbers(), rounds.rhs),
        relation=LessEqual,
    )
    here = chain(ratio.lhs, (Known(leak), ratio.rhs), (Known(number), value))
    return conjunction(leak, Suppose(figure, Using(instance(rounded, {_value: ratio.lhs}), here)))


def _leak(ratio: Form) -> Using:
    """The quotient of the two values, where the one below is positive."""
    above, below = (spectrum(transform) for transform in (ratio.lhs.as_numer_denom()))
    top, bottom = above.statement.rhs, below.statement.rhs
    quotient = chain(
        _value / _divisor,
        (Rewrite(Assume(Equal(_value, top))), top / _divisor),
        (Rewrite(Assume(Equal(_divisor, bottom))), ratio.rhs),
    )
    transform = below.statement.lhs
    positive = chain(S.Zero, (Strict(Part(S.One, None, bottom)), bottom), (Known(below), transform), relation=Less)
    nonzero = Weaken(Not(Equal(transform, S.Zero)), positive)
    return Using(instance(quotient, {_value: above.statement.lhs, _divisor: transform}, nonzero), above, below)
