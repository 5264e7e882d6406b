"""Lemmas on whole numbers."""
from __future__ import annotations

from sympy import S

from ..derivation import Derivation, chain
from ..logic import Assume, Induction, Rearrange, Specialise, Weaken
from ..rules import Bound, Known, Part
from ..statement import ForAll, LessEqual
from ..symbols import N, k
from .reflexive import itself


def _at_least_one() -> Derivation:
    """By induction over the positive whole numbers."""
    every = ForAll(k, S.Naturals, LessEqual(S.One, k))
    base = Weaken(LessEqual(S.One, S.One), itself(S.One))
    step = chain(S.One, (Known(Assume(every.body)), k), (Bound(Part(S.One, None, S.One)), k + 1), relation=LessEqual)
    return Specialise(LessEqual(S.One, N), Induction(every, base, step), N)


AT_LEAST_ONE = _at_least_one()
"""1 ≤ N."""

LAST_INDEX = Rearrange(LessEqual(S.Zero, N - 1), AT_LEAST_ONE)
"""0 ≤ N − 1."""
