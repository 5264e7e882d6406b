"""The passes from a specification to a schedule of statements, in order, one a file.

The first five work on formulas and prove what they change; the others work on a graph of operations.
"""
from collections.abc import Callable
from typing import Any

from .align import align
from .bound import bound
from .differentiate import differentiate
from .domain import domain
from .guard import guard
from .layout import layout
from .literals import literals
from .lower import lower
from .numerical import numerical
from .order import order
from .precision import precision
from .reduce import reduce
from .regular import regular
from .schedule import schedule
from .summands import summands
from .typify import typify

SHARED: tuple[Callable[[Any], Any], ...] = (
    lower,  # named functions unfolded, complex to real
    numerical,  # the numerical form, proved equal
    differentiate,  # the adjoint, each partial proved
    regular,  # no pole within the domains
    bound,  # what the guard leaves out, proved below the smallest float64
    order,  # from formulas to operations, in one order of evaluation
    literals,  # constants as float64 literals
    domain,  # NaN where a positive input is not positive
    guard,  # bindings in place, and cut off beyond the guard
)
"""Those of every backend."""

PASSES = (
    *SHARED,
    align,  # named axes to dimensions
    reduce,  # gradients summed over absent axes
    layout,  # channels joined, incoming gradient split
    typify,  # float64 inside, one rounding out
    schedule,  # joint common subexpressions, as statements
)
"""To whole tensors, for torch."""

BLOCK_PASSES = (
    *SHARED,
    summands,  # gradients as summands, one an element
    layout,
    precision,  # coefficients in float64, data in float32 where that loses little
    schedule,
)
"""To the elements of a block, for Triton."""

__all__ = ["BLOCK_PASSES", "PASSES", "SHARED"]
