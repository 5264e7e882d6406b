"""Where rounding is bounded: the finite part of a specification's box that computed bounds speak of.

Positions and distances reach as far as is asked, channels and incoming gradients to 1, widths from 1 token to ∞.
"""

from __future__ import annotations

from collections.abc import Mapping

from mope_theory.spec import KernelSpec
from mope_theory.specs.ranges import REACH as WHOLE_REACH

from ..nodes import leaves

Range = tuple[float, float]

REACHES = (10_000.0, 100.0, 1_000_000.0)
"""Largest |position| of the boxes; the first is that of the bound which stands for a result."""
OTHERWISE = 201 / 64
"""The largest modulus of an input of which nothing else is known: a frequency, a slope; π, but no more in 8 bits."""
RATE = 8.0
"""The largest |rate·position| of an exponential growth."""


def rounding_box(spec: KernelSpec, reach: float) -> dict[str, Range]:
    """The range of each scalar by the name of its leaf, with incoming gradients."""
    box: dict[str, Range] = {}
    for x in spec.inputs:
        low, high = float(x.domain.inf), float(x.domain.sup)
        if x.kind == "number" or x.domain == WHOLE_REACH:
            own = (-reach, reach)
        elif x.has_channels:
            own = (-1.0, 1.0)
        elif x.may_be_infinite:
            own = (1.0, float("inf"))
        else:
            own = (-OTHERWISE, OTHERWISE)
        own = SPECIAL.get((spec.name, x.name), lambda reach, own=own: own)(reach)
        for name in leaves(x.name, len(x.symbols)):
            box[name] = max(own[0], low), min(own[1], high)
    return box | dict.fromkeys(leaves("grad", len(spec.channels)), (-1.0, 1.0))


SPECIAL: Mapping = {
    ("xpos_rotary", "rate"): lambda reach: (-RATE / reach, RATE / reach),
    ("energy_gate", "energy"): lambda reach: (-100.0, 100.0),
    ("energy_gate", "mean"): lambda reach: (-100.0, 100.0),
    ("energy_gate", "deviation"): lambda reach: (0.01, 100.0),
}
