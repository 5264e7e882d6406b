"""What is assumed of the platforms: the error of each operation that no standard bounds, as named hypotheses.

IEEE 754 fixes +, −, ×, ÷, square roots and conversions. An elementary function is assumed to be within a number of units in the
last place of the exact value at the operand that it is given; a unit is 2^{e−p} for 2^{e−1} ≤ |f| < 2^e, and at least η.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hypothesis:
    """An assumption on one operation of a platform."""

    name: str
    ulps: Mapping[str, float] = field(hash=False)
    """Units in the last place for each dtype that anything is assumed of."""
    source: str
    is_abrupt: bool = False
    """Whether it may also give 0 where the exact value is below the smallest normal number."""
    of_exp: float = 0.0
    """Where it is computed as 1/(1 + E), the units that E is within of e^{−x}: its own error follows from that."""


IEEE = Hypothesis(
    "ieee754",
    dict.fromkeys(("float64", "float32", "bfloat16", "float16"), 0.5),
    "IEEE 754-2019: +, -, x, /, square root and conversions round to nearest, and subnormal numbers are kept",
)
THROUGH_FLOAT32 = Hypothesis(
    "through-float32",
    {"bfloat16": 0.5, "float16": 0.5},
    "Results of 16 bits are rounded to float32 and then to 16 bits, each time to nearest, where they are not exact",
)

SAMPLED = "torch 2.13, scalar and vector code of a CPU: every error that was sampled is smaller"


def _aten(op: str, ulps: float, is_abrupt: bool = False, of_exp: float = 0.0) -> Hypothesis:
    return Hypothesis(f"aten.cpu.{op}", dict.fromkeys(IEEE.ulps, ulps), SAMPLED, is_abrupt, of_exp)


ATEN: dict[str, Hypothesis] = {
    "exp": _aten("exp", 1.0),
    "exp2": _aten("exp2", 1.0),
    "cos": _aten("cos", 1.0),
    "sin": _aten("sin", 1.0),
    "sigmoid": _aten("sigmoid", 4.0, is_abrupt=True, of_exp=1.0),
}

GUIDE = (
    "NVIDIA, CUDA C++ Programming Guide, Mathematical Functions: so many units beside the correctly rounded result, half a unit "
    "more than that beside the exact one; figures of extensive tests, no guarantee"
)
"""Of functions in float64 1 unit is stated there, of exp, exp2, cos and sin in float32 2."""


def _libdevice(op: str) -> Hypothesis:
    return Hypothesis(f"cuda.libdevice.{op}", {"float64": 1.5, "float32": 2.5}, GUIDE)


CUDA: dict[str, Hypothesis] = {op: _libdevice(op) for op in ("exp", "exp2", "cos", "sin")}
"""torch on a CUDA device."""

TRITON: dict[str, Hypothesis] = {
    op: Hypothesis(f"triton.{op}", {"float64": 1.5}, f"tl.{op} of float64 is that of libdevice. {GUIDE}")
    for op in ("exp", "exp2", "cos", "sin")
} | {
    "sigmoid": Hypothesis(
        "triton.sigmoid",
        {"float64": 5.0},
        "tl.sigmoid is 1/(1 + exp(-x)): with exp within 1.5 units, a sum and a quotient, 5 units at most",
        is_abrupt=True,
        of_exp=1.5,
    )
}
"""Triton. Of its fast paths in float32 nothing is assumed: a kernel that takes one has no bound."""


@dataclass(frozen=True)
class Platform:
    """What carries the operations out: its elementary functions, and whether it forms results of 16 bits by way of float32."""

    table: Mapping[str, Hypothesis] = field(default_factory=lambda: ATEN, hash=False)
    through_float32: bool = True
    inexact: frozenset[tuple[str, str]] = frozenset()
    """Operations of IEEE 754 that are not correctly rounded in a dtype: nothing is assumed of them."""


IDEAL = Platform({op: Hypothesis("exact", {"real": 0.0}, "real numbers") for op in ATEN})
"""Real numbers: no operation has an error, and what remains is that of literals."""
PLATFORMS = {
    "torch": Platform(ATEN),
    "torch on cuda": Platform(CUDA),
    "triton": Platform(TRITON, inexact=frozenset({("div", "float32"), ("sqrt", "float32")})),
}
