"""Gradients through the clamp: where 5/σ is the larger of two frequencies it is what is differentiated."""
from __future__ import annotations

import sympy as sp
from sympy import S

from ...derivation import chain
from ...judgement import Derivation
from ...logic import Assume, Conjunction, LimitByRate, Suppose, conjunction
from ...rules import Bound, ChainRule, Extremum, NearBy, Part, Rewrite, Strict
from ...statement import Less, LessEqual, TendsTo
from ...symbols import eta
from .shorthand import Form


def clamp(statement: Form) -> Conjunction:
    """The gradients in ω and σ, the gradient in ln σ, and the two one-sided slopes of the maximum at a tie."""
    gradients, in_logarithms, from_above, from_below = statement.body
    return conjunction(
        Suppose(gradients, conjunction(*(_through(x, gradients.hypothesis) for x in gradients.conclusion.body))),
        Suppose(in_logarithms, _through(in_logarithms.conclusion, in_logarithms.hypothesis)),
        _slope_at_tie(from_above),
        _slope_at_tie(from_below),
    )


def _through(gradient: Form, clamped: Less) -> Derivation:
    """Near the point max(ω, 5/σ) is 5/σ; then the chain rule, unless the variable is gone altogether."""
    slope = gradient.lhs
    near = sp.Derivative(slope.expr.xreplace({sp.Max(clamped.lhs, clamped.rhs): clamped.rhs}), *slope.variables)
    rest = () if near == gradient.rhs else ((ChainRule(), gradient.rhs),)
    return chain(slope, (NearBy(Assume(clamped)), near), *rest)


def _slope_at_tie(statement: TendsTo) -> LimitByRate:
    """To the right of the tie the maximum moves with its argument, to the left it stays; the quotient is constant."""
    quotient: sp.Expr = statement.expr
    (largest,) = quotient.atoms(sp.Max)
    moved, tie = sorted(largest.args, key=lambda x: not x.has(eta))
    low, high = (tie, moved) if statement.limit == 1 else (moved, tie)
    order = chain(low, (Strict(Part(S.One, None, eta)), high), relation=Less)
    equation = chain(largest, (Extremum(order), high))
    distance = sp.Abs(quotient - statement.limit)
    constant = () if distance == 0 else ((Rewrite(equation), S.Zero),)
    rate = chain(distance, *constant, (Bound(Part(S.One, None, eta)), eta), relation=LessEqual)
    return LimitByRate(statement, rate)
