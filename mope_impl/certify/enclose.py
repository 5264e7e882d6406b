r"""What is computed is the formula but for the digits of a literal: the difference is enclosed, not proved to be 0.

With the constants in place of the literals that stand for them (:mod:`.constants`) the decision procedure proves the formula, for
the whole box. What then remains is the effect of their distances: by the mean value theorem at most Σ |A| gap with the adjoint A
of each literal, enclosed on a subdivision of the box that rounding bounds speak of, ends of elementary functions by Arb. It is
that for channels and incoming gradients up to 1.
"""

from __future__ import annotations

from mope_theory.spec import KernelSpec

from .constants import Literal, literal
from .nodes import Node
from .rounding.bounds import exactness, on_box
from .rounding.boxes import REACHES, rounding_box
from .rounding.primitives import IDEAL
from .rounding.program import Unbounded

LARGEST = 2.0**-40
"""A larger difference is one of the formula."""
BUDGET = 8_000


def literals(node: Node) -> dict[int, Literal]:
    """Those of a node that stand for a constant, by the number of their node."""
    found: dict[int, Literal] = {}
    seen: set[int] = set()
    open_ones = [node]
    while open_ones:
        one = open_ones.pop()
        if one.number in seen:
            continue
        seen.add(one.number)
        open_ones += one.args
        own = literal(one.value) if one.op == "const" and not isinstance(one.value, (str, tuple, type(None))) else None
        if own is not None:
            found[one.number] = own
    return found


def difference(node: Node, spec: KernelSpec) -> float | None:
    """A bound of what the literals of a node change, None where there is none. The node is one without casts and sums."""
    box, exact = rounding_box(spec, REACHES[0]), exactness(spec, "real", REACHES[0])
    try:
        found = on_box(node, box, exact, IDEAL, BUDGET).error
    except Unbounded:
        return None
    return found if found < LARGEST else None
