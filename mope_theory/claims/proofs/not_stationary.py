"""The product kernel is not relative: what a shift does to it, and why no nonnegative mixture of such kernels is relative."""
from __future__ import annotations

import sympy as sp
from sympy import S, Sum, exp

from ...derivation import Chain, chain, directly
from ...lemmas import EXP_ABOVE_TANGENT
from ...lemmas.exponential import EXP_IS_ONE, exponent
from ...logic import Assume, Conjunction, Contradiction, Rearrange, Suppose, Using, Weaken, conjunction, instance
from ...rules import Bound, Decide, Given, Known, Monotone, OneTerm, Part, Strict
from ...statement import Equal, Less, LessEqual, Not
from ...symbols import N, P, channel, m, n, s, sigma
from ...vocabulary.functions import Unknown
from .shorthand import Form, at, given

_shift = sp.Symbol("s'", real=True, zero=False)
_x = sp.Symbol("x", real=True)


def not_stationary(statement: Form, weights: Unknown, widths: Unknown) -> Conjunction:
    """The members of the claim, each by its argument."""
    shifted, antidiagonal, origin, diagonal, falls, mixture = statement.body
    return conjunction(
        directly(shifted, Decide()),
        _equal_only_on_an_antidiagonal(antidiagonal),
        directly(origin, Decide()),
        directly(diagonal, Decide()),
        directly(falls, Monotone(_below_zero(1 / sigma**2), _x, exp(_x))),
        _no_mixture_is_relative(mixture, weights, widths),
    )


def _below_zero(u: sp.Expr) -> Chain:
    """−u < 0 for a u that is plainly positive."""
    return chain(-u, (Strict(Part(S.One, None, u)), S.Zero), relation=Less)


def _equal_only_on_an_antidiagonal(statement: Form) -> Suppose:
    """P e^{−(s(m+n)+s²)/σ²} = P ≠ 0, so that the exponent is 0, and s ≠ 0 can be cancelled."""
    nonzero, same = statement.hypothesis.body
    power = -(s * (m + n) + s**2) / sigma**2
    unmoved = chain(P(m, n) * exp(power), (Decide(), P(m + s, n + s)), (Known(Assume(same)), P(m, n)))
    no_growth = Rearrange(Equal(exp(power), S.One), unmoved, 1 / P(m, n))
    flat = Using(instance(EXP_IS_ONE, {exponent: power}), no_growth)
    moved = {s: _shift}
    cancelled = Rearrange(
        statement.conclusion.substitute(moved), Assume(flat.statement.substitute(moved)), -(sigma**2) / _shift
    )
    return Suppose(statement, Using(instance(cancelled, {_shift: s}, Assume(nonzero)), flat))


def _no_mixture_is_relative(statement: Form, weights: Unknown, widths: Unknown) -> Suppose:
    """Were it g(j − k), it would be g(0) at (0, 0) and at (1, 1); but each term falls, and one of them strictly."""
    some_weight, relative = statement.hypothesis, statement.conclusion.body
    everywhere = Assume(relative.body)
    origin, diagonal = (at(everywhere, place, place) for place in (S.Zero, S.One))
    ends: tuple[Form, Form] = (origin.statement, diagonal.statement)
    same = chain(ends[0].lhs, (Known(origin), ends[0].rhs), (Known(diagonal), ends[1].lhs))
    i, weight, u = channel, weights(channel), 1 / widths(channel) ** 2
    loss = weight * (1 - exp(-u))
    total = Sum(loss, (i, 0, N - 1))
    none = Equal(total, S.Zero)
    convex = Part(weight * exp(-u), EXP_ABOVE_TANGENT, u)
    nonnegative = directly(LessEqual(S.Zero, loss), Bound(convex, Part(weight * exp(-u), None, u)))
    positive = chain(
        S.Zero,
        (Strict(convex, Given(u * exp(-u), weight, strict=True)), loss),
        (OneTerm(nonnegative, i, S.Zero, N - 1, i), total),
        relation=Less,
    )
    constant = given(Assume(relative), Rearrange(none, same))
    falling = given(Assume(some_weight), Weaken(Not(none), positive))
    return Suppose(statement, Contradiction(statement.conclusion, constant, falling))
