"""The axiom on the whole numbers next to a real number."""
from __future__ import annotations

import sympy as sp
from sympy import ceiling, floor

from ..statement import And, Less, LessEqual
from .axiom import Axiom

real = sp.Symbol("y", real=True)

INTEGER_PART = Axiom(
    "the whole numbers next to a real number",
    And(
        LessEqual(floor(real), real),
        Less(real, floor(real) + 1),
        LessEqual(real, ceiling(real)),
        Less(ceiling(real), real + 1),
    ),
    "R. L. Graham, D. E. Knuth and O. Patashnik, Concrete Mathematics (2nd edition, 1994), (3.3)",
)
