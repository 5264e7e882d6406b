"""The table of a file: for each scalar and each dtype the bound of its error, and the largest error that was observed.

What a kernel promises is one rounding to the dtype of its result, after arithmetic in more digits. So a bound must lie below what
that costs: it is derived here from the size of the result and from how much it is moved by its inputs, and from nothing of the
file. This is what a phase in float32 fails, which computes the right formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from mope_theory.spec import KernelSpec

from .rounding import PLATFORMS, Bound, bounds
from .rounding.formats import FORMATS, half_ulp
from .scalars import Scalar

DTYPES = ("float64", "float32", "bfloat16", "float16")
UNITS = 64
"""Of units of the arithmetic within, how many a result may be off by before it is rounded."""
LOOSEST = 5.0
"""A bound that is larger than this many times what is observed says nothing."""
GENEROUS = 4.0
"""Nor does a hypothesis on a function that is tried by itself."""
TERMS = 1024
"""Of a sum over the axes that an input lacks, for which a bound is given."""


@dataclass(frozen=True)
class Observed:
    """The largest error that was found of one scalar, where, and among how many points."""

    error: float
    """|computed − true|, enclosed by ball arithmetic and rounded up."""
    point: Mapping[str, float]
    computed: float
    samples: int
    seed: int
    size: float
    """The largest |true| of the box."""
    moved: float
    """The largest Σ |x ∂true/∂x| over the inputs x."""
    summed: float = 0.0
    """Of a gradient that is summed, the largest error found of a sum of TERMS equal summands."""
    excess: str = ""
    """A sample that exceeds the bound in another form: relative, or for positions that reach less far."""


class Observer(Protocol):
    """What samples: this package alone knows how to carry operations out."""

    def search(self, scalar: Scalar, bound: Bound) -> Observed:
        """The largest error that is found over the box of a bound."""

    def units(self, op: str, dtype: str) -> float:
        """The largest error of an elementary function that is found, in units in the last place."""


@dataclass(frozen=True)
class Row:
    """One scalar in one dtype."""

    name: str
    dtype: str
    bound: Bound
    observed: Observed

    @property
    def ratio(self) -> float | None:
        """bound ÷ observed; None where no error was found."""
        return self.bound.absolute / self.observed.error if self.observed.error else None

    def promised(self, inside: float) -> float:
        """What the error may be at most, with the unit roundoff of the arithmetic within the kernel; a phase is in float64."""
        own, form = self.observed, FORMATS[self.dtype]
        rounding = float(half_ulp(np.array(own.size * (1 + 2.0**-10)), form))
        return rounding * (1 + 2.0**-10) + UNITS * (inside * own.size + 2.0**-53 * own.moved) + form.eta

    def faults(self, inside: float) -> Iterator[str]:
        """What is wrong with the bound, one line each."""
        bound, found = self.bound.absolute, self.observed.error
        head = f"{self.name} in {self.dtype}"
        if not found <= bound:
            where = ", ".join(f"{name} = {value!r}" for name, value in self.observed.point.items())
            yield f"{head}: an error of {found:.4g} was observed, above the bound {bound:.4g}, at {where}"
        if self.bound.reduction and not self.observed.summed <= self.bound.summed(TERMS):
            yield f"{head}: an error of {self.observed.summed:.4g} was observed of a sum of {TERMS}, above its bound"
        if self.observed.excess:
            yield f"{head}: {self.observed.excess}"
        promised = self.promised(inside)
        if not found <= promised:
            yield f"{head}: an error of {found:.4g} was observed, above {promised:.4g}, what one rounding to the dtype costs"
        if not bound <= 2 * promised:  # its size may have been taken for one beyond the next power of two
            yield f"{head}: the bound {bound:.4g} is above twice {promised:.4g}, what one rounding to the dtype costs"
        elif self.ratio is not None and self.ratio > LOOSEST:
            yield f"{head}: the bound {bound:.4g} is {self.ratio:.3g} times the largest error observed, {found:.4g}"

    def to_json(self) -> dict[str, Any]:
        """The row as a certificate holds it."""
        bound, found = self.bound, self.observed
        row = {
            "bound": bound.absolute,
            "growth": [list(pair) for pair in bound.growth],
            "relative": bound.relative,
            "floor": bound.floor,
            "primitives": sorted(bound.primitives),
            "observed": found.error,
            "ratio": self.ratio,
            "at": dict(found.point),
            "computed": found.computed,
            "samples": found.samples,
            "seed": found.seed,
        }
        if bound.reduction:
            row["sum"] = {"axes": sorted(bound.reduction), "terms": TERMS, "bound": bound.summed(TERMS)}
        return row


def inside(spec: KernelSpec, backend: str, dtype: str) -> float:
    """Unit roundoff of the arithmetic within a kernel: that of float64 in torch, of float32 in Triton and where the specification
    leaves it to the inputs, unless they are float64."""
    is_wide = dtype == "float64" or (backend == "torch" and spec.arithmetic == "float64")
    return FORMATS["float64" if is_wide else "float32"].u


def table(scalars: Sequence[Scalar], backend: str, observer: Observer) -> list[Row]:
    """A row for each scalar. Raises Unbounded where an operation has no rounding bound."""
    found = bounds(scalars, scalars[0].spec, platform=PLATFORMS[backend])
    return [Row(s.name, s.dtype, b, observer.search(s, b)) for s, b in zip(scalars, found, strict=True)]


def unfounded(rows: Sequence[Row], observer: Observer) -> Iterator[str]:
    """What is wrong with a hypothesis that bounds rest on, as far as this machine can tell: those of torch on a CPU."""
    names = frozenset[str]().union(*(row.bound.primitives for row in rows))
    for op, hypothesis in PLATFORMS["torch"].table.items():
        for dtype in ("float64", "float32") if hypothesis.name in names else ():
            found, assumed = observer.units(op, dtype), hypothesis.ulps[dtype]
            if not found <= assumed:
                yield f"{hypothesis.name} in {dtype}: {found:.3g} units were observed, above the {assumed:g} that are assumed"
            elif assumed > GENEROUS * found:
                yield f"{hypothesis.name} in {dtype}: {assumed:g} units are assumed, {assumed / found:.3g} times what is observed"
