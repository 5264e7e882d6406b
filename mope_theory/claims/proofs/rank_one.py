"""Kernels of one feature a token that are relative: their features are powers of one number."""
from __future__ import annotations

import sympy as sp
from sympy import I, S, exp

from ...derivation import Derivation, chain, directly
from ...lemmas.algebra import POLAR, number
from ...lemmas.reflexive import itself
from ...lemmas.whole_numbers import LAST_INDEX
from ...logic import Assume, Cite, Conjunction, Generalise, Induction, Suppose, Using, conjunction, instance
from ...rules import Bound, Combine, Given, Known, Part
from ...statement import LessEqual
from ...symbols import N, cofactor, factor, j, k, omega, zeta
from ...vocabulary.functions import Unknown
from .places import within
from .shorthand import Form, at, given, member, witness

_x = sp.Symbol("x", integer=True)
_ratio = zeta * exp(I * omega)


def rank_one(statement: Form, query: Unknown, key: Unknown) -> Conjunction:
    """Both implications."""
    relative_to_powers, powers_to_relative = statement.body
    return conjunction(_powers(relative_to_powers, query, key), _relative(powers_to_relative, query, key))


def _powers(statement: Form, query: Unknown, key: Unknown) -> Suppose:
    """With f(1)/f(0) = ζe^{iω}, f and h are powers of it from f(0) and h(0) on: the witnesses."""
    relative, powers = statement.hypothesis, statement.conclusion
    values = {factor: query(0), cofactor: key(0)}
    after_angle = powers.body.body
    after_factor = after_angle.body.substitute({factor: query(0)})
    everywhere = _by_induction(after_factor.body.substitute({cofactor: key(0)}), Assume(relative.body), query, key)
    found: Derivation = witness(after_factor, values[cofactor], everywhere)
    found = witness(after_angle, values[factor], found)
    found = witness(powers.body, omega, found)
    found = witness(powers, zeta, found)
    polar = instance(Cite(POLAR), {number: query(1) / query(0)})
    form: Form = polar.statement
    return Suppose(statement, given(Assume(relative), given(polar, given(Assume(form.body), found))))


def _by_induction(powers: Form, relative: Derivation, query: Unknown, key: Unknown) -> Induction:
    """f(j+1)h(1) = f(j)h(0), f(1)h(j+1) = f(0)h(j) and f(1)h(1) = f(0)h(0) carry the powers on from j to j + 1."""
    f0, f1, h0, h1 = query(0), query(1), key(0), key(1)

    def same(*pairs: tuple[sp.Expr, sp.Expr]) -> Derivation:
        """f(m)h(n) = f(m′)h(n′), of one difference."""
        first, second = (at(relative, *pair, facts=_placed(*pair)) for pair in pairs)
        ends: tuple[Form, Form] = (first.statement, second.statement)
        return chain(ends[0].lhs, (Known(first), ends[0].rhs), (Known(second), ends[1].lhs))

    start = same((S.One, S.One), (S.Zero, S.Zero))
    ratio = Assume(_polar_of(f1 / f0))
    so_far = Assume(powers.body)
    next_query, next_key = powers.body.substitute({j: j + 1}).body
    step = conjunction(
        directly(next_query, Combine(
            (1 / h1, same((j + 1, S.One), (j, S.Zero))),
            (-query(j) / (f0 * h1), start),
            (query(j), ratio),
            (_ratio, member(so_far, 0)),
        )),
        directly(next_key, Combine(
            (1 / f1, same((S.One, j + 1), (S.Zero, j))),
            (-key(j) * f0 / (f1 * _ratio), ratio),
            (1 / _ratio, member(so_far, 1)),
        )),
    )  # fmt: skip
    return Induction(powers, conjunction(itself(f0), itself(h0)), Using(step, LAST_INDEX, *_places()))


def _inside(place: sp.Expr) -> Assume:
    """place ≤ N − 1."""
    return Assume(LessEqual(place, N - 1))


def _placed(*places: sp.Expr) -> tuple[Assume, ...]:
    """0 ≤ place ≤ N − 1, the first where it is not plain."""
    above = (Assume(LessEqual(S.Zero, place)) for place in places if not place.is_number)
    return (*above, *map(_inside, places))


def _polar_of(value: sp.Expr) -> Form:
    """value = ζe^{iω}."""
    form: Form = POLAR.statement
    return form.body.body.substitute({number: value})


def _places() -> tuple[Derivation, ...]:
    """0 ≤ j + 1 and 1 ≤ N − 1, where j and j + 1 are places in the window."""
    return (
        chain(S.Zero, (Bound(Given(S.One, j), Part(S.One, None, S.One)), j + 1), relation=LessEqual),
        chain(S.One, (Bound(Given(S.One, j)), j + 1), (Known(_inside(j + 1)), N - 1), relation=LessEqual),
    )


def _relative(statement: Form, query: Unknown, key: Unknown) -> Suppose:
    """CC′ζ^d e^{iωd} is a function of d = j − k."""
    powers, relative = statement.hypothesis, statement.conclusion
    names = powers
    for _ in range(4):
        names = names.body
    everywhere = Assume(names)
    query_power, key_power = (member(at(everywhere, x, facts=within(x)), n) for n, x in enumerate((j, k)))
    kernel = sp.Lambda(_x, factor * cofactor * zeta**_x * exp(I * omega * _x))
    rows = relative.body.substitute({relative.var: kernel})
    columns = rows.body
    product = directly(
        columns.body, Combine((key(k), query_power), (factor * zeta**j * exp(I * omega * j), key_power))
    )
    found: Derivation = witness(relative, kernel, Generalise(rows, Generalise(columns, product)))
    for existence in (powers.body.body.body, powers.body.body, powers.body, powers):
        found = given(Assume(existence), found)
    return Suppose(statement, found)
