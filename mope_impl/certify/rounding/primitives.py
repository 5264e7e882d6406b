"""What is assumed of the platform: the error of each operation that no standard bounds, as named hypotheses.

IEEE 754 fixes +, −, ×, ÷, square roots and conversions. An elementary function is assumed to be within a number of units in the
last place of the exact value at the operand that it is given; a unit is 2^{e−p} for 2^{e−1} ≤ |f| < 2^e, and at least η.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Hypothesis:
    """An assumption on one operation of a platform."""

    name: str
    ulps: float
    """Units in the last place."""
    source: str


def _aten(op: str, ulps: float) -> Hypothesis:
    return Hypothesis(
        f"aten.cpu.{op}",
        ulps,
        f"torch.{op} on a CPU, scalar and vector code, float32 and float64: within {ulps:g} ulp wherever it was sampled",
    )


ATEN: Mapping[str, Hypothesis] = {op: _aten(op, 1.0) for op in ("exp", "exp2", "cos", "sin")} | {"sigmoid": _aten("sigmoid", 2.0)}

IEEE = Hypothesis("ieee754", 0.5, "IEEE 754-2019: +, -, x, /, square root and conversions round to nearest, subnormals kept")
THROUGH_FLOAT32 = Hypothesis(
    "aten.cpu.float64-to-16-bits", 0.5, "a CPU converts float64 to 16 bits by way of float32: two roundings to nearest"
)
