"""The axiom on extrema of a differentiable function."""
from __future__ import annotations

import sympy as sp
from sympy import S

from ..statement import Exists, ForAll, Implies, Less, LessEqual
from ..symbols import delta
from ..vocabulary.functions import Functions, Partial, Unknown
from .axiom import Axiom

POSITIVE = sp.Interval.open(0, sp.oo)
path = Unknown("g", Functions(POSITIVE, S.Reals, "C^{1}"))
ratio = sp.Symbol("r", positive=True)

FERMAT = Axiom(
    "the slope where a function begins to rise",
    Implies(
        Exists(
            delta,
            POSITIVE,
            ForAll(ratio, sp.Interval(1, sp.oo), Implies(Less(ratio, 1 + delta), LessEqual(path(S.One), path(ratio)))),
        ),
        LessEqual(S.Zero, Partial(path, S.One, S.One)),
    ),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), Theorem 5.8: the half of the proof with t > x",
)
