"""How far the envelope reaches, and what a learned centre can and cannot remove."""
from __future__ import annotations

import sympy as sp
from sympy import S, exp, log

from ...derivation import Chain, chain, directly
from ...judgement import Derivation
from ...logic import Assume, Conjunction, Contradiction, Each, Rearrange, Suppose, Using, Weaken, conjunction, instance
from ...rules import Bound, Decide, Given, Known, Monotone, Numbers, Part, Rewrite, Strict
from ...statement import Exists, Less, LessEqual, Not
from ...symbols import N, s, sigma
from ...vocabulary.numerals import Distance
from ..arguments import no_such
from .shorthand import Form, at, witness

_a = sp.Symbol("a", nonnegative=True)
"""|b|."""
_x = sp.Symbol("x", real=True)


def reach(statement: Form) -> Conjunction:
    """The members of the claim."""
    near, far, beyond = statement.body
    return conjunction(_figure(near), _figure(far), _beyond(beyond))


def _figure(statement: LessEqual) -> Chain:
    """The modulus is the Gaussian alone, a number."""
    shown: sp.Expr = statement.lhs
    value, numeral = shown.args
    (packet,) = value.args
    position, _, width = packet.args
    gaussian = Distance(exp(-(position**2) / (2 * width**2)), numeral)
    return chain(shown, (Decide(), gaussian), (Numbers(), statement.rhs), relation=LessEqual)


def _beyond(statement: Form) -> Suppose:
    """b²/σ² ≥ 17²/4.505², as b²c² − 17²σ² = (|b| − 17)(|b| + 17)c² + 17²(c − σ)(c + σ)."""
    far, narrow = statement.hypothesis.body
    start, widest = far.lhs, narrow.rhs
    steepest = -(start**2) / (2 * widest**2)
    exponent = chain(
        -(_a**2) / (2 * sigma**2),
        (
            Bound(
                Given((_a + start) / (2 * sigma**2), _a - start),
                Given(start**2 * (widest + sigma) / (2 * sigma**2 * widest**2), widest - sigma),
            ),
            steepest,
        ),
        relation=LessEqual,
    )
    gaussian = chain(exp(-(_a**2) / (2 * sigma**2)), (Monotone(exponent, _x, exp(_x)), exp(steepest)), relation=LessEqual)
    below = Using(
        instance(gaussian, {_a: far.rhs}),
        Rearrange(LessEqual(S.Zero, far.rhs - start), Assume(far)),
        Rearrange(LessEqual(S.Zero, widest - sigma), Assume(narrow)),
    )
    ends: Form = below.statement
    modulus, threshold = statement.conclusion.lhs, statement.conclusion.rhs
    return Suppose(
        statement,
        chain(
            modulus,
            (Decide(), ends.lhs),
            (Known(below), ends.rhs),
            (Numbers(), threshold),
            relation=type(statement.conclusion),
        ),
    )




# --- a learned centre ----------------------------------------------------------------------------------------------------


def not_relative(published: Exists) -> Derivation:
    """No centre makes |P| a function of the distance: the three first positions tell."""
    return no_such(published, _no_function_of_difference(published.body, S.Zero, ()))


def centre(statement: Form) -> Conjunction:
    """The members of our statement."""
    prior, parabola, none, two, follows = statement.body
    query_centres: Form = none.body
    key_centres: Form = query_centres.body
    last = Rearrange(LessEqual(sp.Integer(2), N - 1), Assume(LessEqual(sp.Integer(3), N)))
    earlier = (
        chain(i, (Bound(Part(S.One, None, 2 - i)), sp.Integer(2)), (Known(last), N - 1), relation=LessEqual)
        for i in (S.Zero, S.One)
    )
    refuted = _no_function_of_difference(key_centres.body, s, (*earlier, last))
    return conjunction(
        directly(prior, Decide()),
        directly(parabola, Decide()),
        no_such(query_centres, no_such(key_centres, refuted)),
        _two_positions(two),
        directly(follows, Decide()),
    )


def _no_function_of_difference(statement: Form, start: sp.Expr, facts: tuple[Derivation, ...]) -> Derivation:
    """Equal values at (0, 0), (1, 1), (2, 2) have logarithms of second difference 0, but it is −2/σ²."""
    everywhere = Assume(statement.body)
    values = [at(everywhere, sp.Integer(i), sp.Integer(i), facts=facts) for i in range(3)]
    heights: list[Form] = [value.statement for value in values]
    first, second, third = (height.lhs for height in heights)

    def same(number: int) -> Chain:
        """The value at a position is that at the first."""
        return chain(
            heights[number].lhs, (Known(values[number]), heights[number].rhs), (Known(values[0]), heights[0].lhs)
        )

    bend = log(third) - 2 * log(second) + log(first)
    flat = chain(
        -2 / sigma**2,
        (Decide(), bend),
        (Rewrite(same(2)), bend.xreplace({third: first})),
        (Rewrite(same(1)), S.Zero),
    )
    falls = chain(-2 / sigma**2, (Strict(Part(S.One, None, 2 / sigma**2)), S.Zero), relation=Less)
    curved = Weaken(Not(flat.statement), falls)
    return no_such(statement, Contradiction(Not(statement.body), flat, curved))


def _two_positions(statement: Form) -> Derivation:
    """Around ½ both positions are as far from the centre, so that |P| is constant."""
    constant = exp(-1 / (4 * sigma**2))
    everywhere: Form = statement.body.substitute({statement.var: sp.Lambda(sp.Symbol("d", integer=True), constant)})
    rows = []
    for query in (S.Zero, S.One):
        row: Form = everywhere.body.substitute({everywhere.var: query})
        cells = (row.body.substitute({row.var: key}) for key in (S.Zero, S.One))
        rows.append(Each(row, tuple(directly(cell, Decide()) for cell in cells)))
    return witness(statement, sp.Lambda(sp.Symbol("d", integer=True), constant), Each(everywhere, tuple(rows)))
