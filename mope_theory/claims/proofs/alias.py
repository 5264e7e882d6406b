"""The boundary on the integers: the folded frequency gives the same encoding or its conjugate, and no pair keeps its product."""
from __future__ import annotations

from sympy import S, acos, cos, pi

from ...derivation import chain, directly
from ...judgement import Derivation
from ...lemmas.circular import ARCHIMEDES, PRINCIPAL_ANGLE, SAME_COSINE, angle, other
from ...logic import (
    Alternative,
    Assume,
    Cases,
    Cite,
    Conjunction,
    Generalise,
    NotBelow,
    Rearrange,
    RefutedMember,
    Using,
    conjunction,
    instance,
)
from ...rules import Bound, Decide, Given, Known, Numbers, Rewrite, Unfold
from ...statement import Equal, Exists, Less, LessEqual, Not, Or
from ...symbols import j, k, omega, psi, sigma
from ...vocabulary.recipe import BOUNDARY
from ...vocabulary.spectra import CircleDistance
from ..arguments import no_such
from .shorthand import Form, detach, given, witness

_folded = CircleDistance(omega)


def folded(statement: Form) -> Conjunction:
    """Our statement: the distance from 2πℤ is what the integers see, and the product can be made as large as one likes."""
    shifted, turned, seen, effective, product, beyond = statement.body
    return conjunction(
        directly(shifted, Decide()),
        directly(turned, Decide()),
        _same_or_conjugate(seen),
        directly(effective, Numbers()),
        directly(product, Numbers()),
        _as_large_as_one_likes(beyond),
    )


def _same_or_conjugate(statement: Or) -> Derivation:
    """cos of the distance is cos ω, so that ω is the distance or its negative, up to 2πk, and e^{2πikj} = 1."""
    same, conjugated = statement.body
    cosines = chain(cos(omega), (Unfold(), cos(_folded)))
    angles = detach(instance(Cite(SAME_COSINE), {angle: omega, other: _folded}), cosines)
    either: Form = angles.statement.body  # type: ignore[attr-defined]

    def case(equation: Equal, side: Form) -> Derivation:
        here, there = side.body.lhs, side.body.rhs
        moved = chain(here, (Rewrite(Assume(equation)), psi(j, equation.rhs, sigma)), (Decide(), there))
        return Alternative(statement, Generalise(side, moved))

    cases = Cases(statement, Assume(either), tuple(map(case, either.body, (same, conjugated))))
    return given(angles, cases)


def _as_large_as_one_likes(statement: Exists) -> Derivation:
    """(ω + 2πk)σ ≥ 5 from k ≥ (5/σ − ω)/2π on; the values at integers stay."""
    enough = instance(Cite(ARCHIMEDES), {angle: (BOUNDARY / sigma - omega) / (2 * pi)})
    large: Form = enough.statement.body  # type: ignore[attr-defined]
    beyond, same = statement.body.body  # type: ignore[attr-defined]
    grown = Rearrange(beyond, Assume(large), 2 * pi * sigma)
    unchanged = Generalise(same, chain(same.body.lhs, (Decide(), same.body.rhs)))
    natural = Assume(LessEqual(S.One, k))
    return given(enough, witness(statement, k, conjunction(grown, unchanged), natural))


def not_on_boundary(published: Form) -> RefutedMember:
    """A distance from 2πℤ is at most π, and π times a width that is rounded to 1.49 is below 5."""
    _, narrow = published.body
    some_width: Form = narrow.body
    widest = some_width.domain.end
    distance = chain(_folded, (Unfold(), acos(cos(omega))), (Known(instance(Cite(PRINCIPAL_ANGLE), {angle: omega})), pi),
                     relation=LessEqual)  # fmt: skip
    below = chain(
        some_width.body.lhs,
        (Bound(Given(sigma, pi - _folded)), pi * sigma),
        (Bound(Given(pi, widest - sigma)), pi * widest),
        (Numbers(), BOUNDARY),
        relation=Less,
    )
    placed = Using(
        below,
        Rearrange(LessEqual(S.Zero, pi - _folded), distance),
        Rearrange(LessEqual(S.Zero, widest - sigma), Assume(LessEqual(sigma, widest))),
    )
    none = no_such(some_width, NotBelow(Not(some_width.body), placed))
    return RefutedMember(Not(published), no_such(narrow, none))

