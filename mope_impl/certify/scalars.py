"""The scalars of a file: for each channel and each gradient, the operations that it is computed by, and what it should be.

Bounds and samples speak of these. A gradient that is summed is one summand here: a sum has one term.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from mope_theory.spec import KernelSpec

from .formulas import gradient_symbols
from .nodes import Node
from .proof import leaves
from .structure import Axes


@dataclass(frozen=True)
class Scalar:
    """One channel of the result, or of a gradient, with inputs and result in one dtype."""

    spec: KernelSpec
    name: str
    """``forward`` or ``channel 0``; ``d sigma``, ``d x.0``."""
    number: int
    """Of the channel; of a gradient, of the channel of its input."""
    symbol: sp.Symbol | None
    """What a gradient is taken by."""
    node: Node
    dtype: str
    """Of the floating-point inputs and of the result."""
    summed: Axes
    """Axes that a gradient is summed over."""


def names(spec: KernelSpec) -> Mapping[str, sp.Symbol]:
    """The symbol of each leaf: of the inputs' channels, and of the incoming gradients."""
    own = {leaf: s for x in spec.inputs for leaf, s in zip(leaves(x.name, len(x.symbols)), x.symbols, strict=True)}
    return own | dict(zip(leaves("grad", len(spec.channels)), gradient_symbols(spec), strict=True))


def scalar_names(spec: KernelSpec) -> list[str]:
    """What the scalars of a specification are called, in order."""
    count = len(spec.channels)
    forward = ["forward"] if count == 1 else [f"channel {k}" for k in range(count)]
    return [*forward, *(f"d {leaf}" for x in spec.inputs for leaf in leaves(x.name, len(x.symbols)))]
