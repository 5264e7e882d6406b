"""Ball-arithmetic checks of statements over whole boxes, on Arb through python-flint.

``Subdivision`` takes statements over boxes, bounded or not; ``Interpolation`` equations of sums and integrals, to a tolerance,
and ``AwayFromZero`` what follows from one; ``Section`` quadratic forms at given points.

An enclosure *holds* if every point of its box is covered by a ball that proves the statement there, *fails* if one ball
disproves it, and is *refused* if the work ends before either.
"""
from ..bound_ranges import stray
from ..derivation import Outcome
from ..plain import stranger
from ..statement import STATEMENTS
from .base import Enclosure
from .hermite import HermiteSums
from .interpolation import Interpolation
from .nonzero import AwayFromZero
from .section import Section
from .subdivision import Subdivision

ENCLOSURES: tuple[type[Enclosure], ...] = (AwayFromZero, HermiteSums, Interpolation, Section, Subdivision)

PARTS = frozenset({*ENCLOSURES, *STATEMENTS})
"""Classes of what an enclosure is made of, beside terms."""


def run(enclosure: Enclosure) -> Outcome:
    """Check an enclosure of a known kind; of any other, and of one that stumbles, nothing is known."""
    if type(enclosure) not in ENCLOSURES:
        return Outcome("refused", f"{type(enclosure).__name__} is not an enclosure of a known kind")
    try:
        for fault in filter(None, (stranger(enclosure, PARTS), *map(stray, enclosure.statement.expressions))):
            return Outcome("refused", fault)
        return enclosure.check()
    except Exception as error:
        return Outcome("refused", f"{type(error).__name__}: {error}")


__all__ = ["ENCLOSURES", "AwayFromZero", "Enclosure", "HermiteSums", "Interpolation", "Section", "Subdivision", "run"]
