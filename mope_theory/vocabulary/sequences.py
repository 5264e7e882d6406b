"""What is said of the first N members of a sequence."""
from __future__ import annotations

import sympy as sp

from ..statement import Equal, Exists, ForAll, Implies, Less, Not
from ..symbols import N, j, k
from .functions import Indices, Unknown


def distinct(sequence: Unknown) -> ForAll:
    """They are pairwise different."""
    indices = Indices(N)
    different = Implies(Less(j, k), Not(Equal(sequence(j), sequence(k))))
    return ForAll(j, indices, ForAll(k, indices, different))


def nonzero(sequence: Unknown) -> Exists:
    """One of them is not zero."""
    return Exists(j, Indices(N), Not(Equal(sequence(j), sp.S.Zero)))
