"""The gate with statistics over a prefix: nothing later enters, and what the first two standard scores are."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, Max, S

from ...decide import unfold
from ...derivation import Chain, chain, directly
from ...judgement import Derivation
from ...logic import (
    Assume,
    Cases,
    Conjunction,
    Contradiction,
    Generalise,
    Order,
    Rearrange,
    Suppose,
    Using,
    Weaken,
    conjunction,
    instance,
)
from ...rules import Agreement, BySign, Combine, Decide, Extremum, Known, Part, Rewrite, Strict, Unfold
from ...statement import Equal, Less, LessEqual, Not, Or
from ...vocabulary.gates import SMALLEST, energies, others, tokens
from .shorthand import Form


def causal_form(statement: Form) -> Conjunction:
    """The members of the claim."""
    to_query, to_key, first, second = statement.body
    return conjunction(_causal(to_query), _causal(to_key), directly(first, Decide()), _second_score(second))


def _causal(statement: Form) -> Derivation:
    """Every token that occurs in the output at j, below the sums of its definition, is one up to j."""
    for_others, for_queries = statement.body, statement.body.body
    step = for_queries.body
    rows = step.conclusion
    here, there = rows.body.lhs, rows.body.rhs
    equal = chain(
        here,
        (Unfold(), unfold(here)),
        (Agreement(Assume(step.hypothesis)), unfold(here).xreplace({tokens: others})),
        (Unfold(), there),
    )
    causal: Derivation = Suppose(step, Generalise(rows, equal))
    for quantified in (for_queries, for_others, statement):
        causal = Generalise(quantified, causal)
    return causal


# --- the second score ----------------------------------------------------------------------------------------------------

_apart = sp.Symbol("y", positive=True)
_x = sp.Symbol("x", real=True)


def _second_score(statement: Form) -> Suppose:
    """z = (gap/2)/max(|gap|/2, 10⁻⁸) = gap/|gap|, the sign of the gap between the two energies."""
    gap = energies(1) - energies(0)
    size, floor = Abs(gap), statement.hypothesis.lhs
    apart = Assume(statement.hypothesis)
    distance = chain(floor, (Known(apart), statement.hypothesis.rhs), (Decide(), size), relation=LessEqual)
    halved = Rearrange(LessEqual(floor / 2, size / 2), distance, S.Half)
    clamped = chain(SMALLEST, (Decide(), floor / 2), (Known(halved), size / 2), relation=LessEqual)
    positive = chain(S.Zero, (Strict(Part(S.One, None, floor)), floor), (Known(distance), size), relation=Less)
    score, sign = statement.conclusion.lhs, statement.conclusion.rhs
    divided = Using(instance(_undamped(), {_apart: size, _x: gap}, positive), clamped)
    ends: Form = divided.statement
    quotient = chain(score, (Decide(), ends.lhs), (Known(divided), gap / size))
    below, above = Less(gap, S.Zero), Less(S.Zero, gap)
    nothing = Equal(gap, S.Zero)
    cases = Cases(
        Equal(gap / size, sign),
        Order(Or(below, nothing, above)),
        (
            _quotient(gap, Assume(below), S.NegativeOne, sign, positive),
            _impossible(Equal(gap / size, sign), size, Assume(nothing), positive),
            _quotient(gap, Assume(above), S.One, sign, positive),
        ),
    )
    return Suppose(statement, chain(score, (Known(quotient), gap / size), (Known(cases), sign)))


def _undamped() -> Chain:
    """(x/2)/max(y/2, 10⁻⁸) = x/y, given 10⁻⁸ ≤ y/2."""
    larger = Assume(LessEqual(SMALLEST, _apart / 2))
    divisor = chain(Max(_apart / 2, SMALLEST), (Extremum(larger), _apart / 2))
    return chain(_x / 2 / Max(_apart / 2, SMALLEST), (Rewrite(divisor), _x / _apart))


def _quotient(gap: sp.Expr, order: Derivation, unit: sp.Expr, sign: sp.Expr, positive: Derivation) -> Chain:
    """gap/|gap| = ±1 = sign gap, for |gap| = ±gap."""
    size = Abs(gap)
    same = chain(_x / _apart, (Combine((-unit / _apart, Assume(Equal(_apart, unit * _x)))), unit))
    modulus = chain(size, (BySign(order), unit * gap))
    one = Using(instance(same, {_apart: size, _x: gap}, positive), modulus)
    return chain(gap / size, (Known(one), unit), (BySign(order), sign))


def _impossible(statement: Equal, size: sp.Expr, nothing: Derivation, positive: Derivation) -> Contradiction:
    """The energies are apart."""
    known: Form = nothing.statement
    (inside,) = size.args
    same_order = S.One if inside == known.lhs else S.NegativeOne
    none = chain(size, (Rewrite(Rearrange(Equal(inside, S.Zero), nothing, same_order)), S.Zero))
    return Contradiction(statement, none, Weaken(Not(none.statement), positive))
