"""Admissibility: what is left at zero frequency."""
from __future__ import annotations

import sympy as sp
from sympy import exp

from ...derivation import chain
from ...lemmas import GAUSSIAN
from ...logic import Assume, Conjunction, Suppose, Using, conjunction, instance
from ...rules import Decide, Known, Numbers, Rewrite
from ...statement import Equal, LessEqual
from .shorthand import Form

_x, _y = sp.symbols("x y", real=True)
_value = sp.Symbol("z", complex=True)


def left_at_zero(statement: Form) -> Conjunction:
    """ψ̂(0)/ψ̂(ω) = e^{−(ωσ)²/2}, and the number that this is at a given ωσ."""
    ratio, figure = statement.body
    leak = chain(ratio.lhs, (Decide(GAUSSIAN), ratio.rhs))
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
