"""The rounding bound of a result: of its program, on the rounding box, in one dtype of inputs and result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mope_theory.spec import KernelSpec

from ..nodes import Node
from ..proof import leaves
from .boxes import MAIN, REACHES, Range, rounding_box
from .errors import ELEMENTARY, Exact, Model
from .formats import FORMATS
from .intervals import Interval
from .primitives import ATEN, IEEE, THROUGH_FLOAT32, Hypothesis
from .program import Program, Unbounded, programs, scale
from .subdivision import Cells, partition

BUDGET = 20_000
"""Cells and probes that are evaluated for one result."""


@dataclass(frozen=True)
class Result:
    """A scalar that a kernel gives, with the node that computes it from leaves of the dtype."""

    name: str
    """``forward``, ``channel 0``, ``d x.0``, ``d omega``."""
    dtype: str
    node: Node


@dataclass(frozen=True)
class Bound:
    """|computed − true| of one result, inputs and result in one dtype."""

    name: str
    dtype: str
    absolute: float
    """On the box, for every true value of which the dtype holds the size; of one summand where a gradient is summed."""
    growth: tuple[tuple[float, float], ...]
    """Pairs (B, bound) for the boxes with |position| ≤ B."""
    relative: float
    """|computed − true| ≤ relative·|true| + floor on the box; infinite where nothing of the kind holds."""
    floor: float
    reduction: frozenset[str]
    """The axes that a gradient is summed over."""
    summand: tuple[float, float]
    """Of a summand before it is summed: its error, and its size."""
    accumulated: tuple[str, ...]
    """The dtypes of the sums, and of the conversions after them."""
    after: tuple[str, ...]
    primitives: frozenset[str]
    """Names of the hypotheses that it rests on."""
    box: Mapping[str, Range] = field(hash=False)
    """Ranges of the scalars by name: ``positions``, ``x.0``, ``grad.1``."""

    def summed(self, count: int) -> float:
        """The bound of a sum of so many summands, added in any order."""
        if count < 1:
            raise ValueError(f"count: got {count}, expected at least 1")
        if not self.accumulated or count == 1:
            return self.absolute
        error, size = self.summand
        total = count * (size + error)
        u = max(FORMATS[dtype].u for dtype in self.accumulated)
        gamma = (count - 1) * u
        if gamma >= 0.5:
            return float("inf")
        bound = count * error + gamma / (1 - gamma) * total
        for dtype in self.after:
            form = FORMATS[dtype]
            bound += 2 * form.u * (total + bound) + form.eta
            if total + bound >= form.largest:
                return float("inf")
        return bound * (1 + 2.0**-40)


def bounds(
    results: Iterable[Result],
    spec: KernelSpec,
    table: Mapping[str, Hypothesis] = ATEN,
    through_float32: bool = True,
    reaches: Sequence[float] = REACHES,
) -> list[Bound]:
    """The bound of each result. Raises Unbounded, a ValueError, where an operation has no rounding bound."""
    return [_bound(one, spec, table, through_float32, reaches) for one in results]


def exactness(spec: KernelSpec, dtype: str, reach: float) -> dict[str, Exact]:
    """Significant bits of the leaves: those of the dtype, for a position also those of a whole number."""
    form = FORMATS[dtype]
    found: dict[str, Exact] = {}
    for x in spec.inputs:
        bits = form.precision
        if x.kind == "number":
            bits = max(bits, int(reach).bit_length())
        found |= dict.fromkeys(leaves(x.name, len(x.symbols)), Exact(bits, form.least))
    return found | dict.fromkeys(leaves("grad", len(spec.channels)), Exact(form.precision, form.least))


def _bound(
    result: Result, spec: KernelSpec, table: Mapping[str, Hypothesis], through_float32: bool, reaches: Sequence[float]
) -> Bound:
    growth, main = [], None
    for reach in reaches:
        own = _on_box(result, rounding_box(spec, reach), exactness(spec, result.dtype, reach), table, through_float32)
        growth.append((reach, own.error))
        if reach == MAIN or main is None:
            main, at = own, reach
    assert main is not None
    return Bound(
        result.name, result.dtype, main.error, tuple(growth), main.ratio, main.floor, main.program.summed,
        (main.summand_error, main.summand_size), main.program.accumulated, main.program.after,
        _primitives(main.program, table, through_float32), rounding_box(spec, at),
    )  # fmt: skip


@dataclass
class _OnBox:
    program: Program
    error: float
    ratio: float
    floor: float
    summand_error: float
    summand_size: float


def _on_box(
    result: Result, box: Mapping[str, Range], exact: Mapping[str, Exact], table: Mapping[str, Hypothesis], through_float32: bool
) -> _OnBox:
    found = []
    for program in programs(result.node, box):
        if program.guard is not None and program.guard[2]:
            if not program.is_zero:
                raise Unbounded("beyond its guard the result is not 0")
            continue
        found.append(_inside(program, box, exact, table, through_float32))
    assert len(found) == 1
    return found[0]


def _inside(
    program: Program, box: Mapping[str, Range], exact: Mapping[str, Exact], table: Mapping[str, Hypothesis], through_float32: bool
) -> _OnBox:
    model = Model(program, exact, table, through_float32)
    whole: dict[str, Range] = {str(s.value): box[str(s.value)] for s in program.steps if s.op == "leaf"}
    first = {name: Interval(np.array([low]), np.array([high])) for name, (low, high) in whole.items()}
    whole |= _pinned(model, first)

    def evaluate(cells: Cells, probe: bool) -> np.ndarray:
        return model.evaluate(cells, probe).error

    own = partition(whole, evaluate, BUDGET)
    last = model.evaluate(own.cells)
    return _OnBox(
        program, float(last.error.max()), float(last.last.ratio.max()), float(last.last.floor.max()),
        float(last.summand_error.max()), float(last.summand_size.max()),
    )  # fmt: skip


def _pinned(model: Model, box: Cells) -> dict[str, Range]:
    """The steps whose ranges are divided besides those of the inputs: angles by turns, the guarded quantity, quotients and
    what else a transcendental function is taken of."""
    from .errors import _Sweep

    program = model.program
    sweep = _Sweep(model, box, False)
    found: dict[str, Range] = {}
    for step in program.steps:
        if step.op not in ELEMENTARY:
            continue
        if step.op in ("cos", "sin"):
            angle = step.args[0]
            reach = sweep.reach[angle]
            if not float(reach.high[0] - reach.low[0]) < 6.0:
                found[f"turn {angle}"] = (0.0, 1.0)
            continue
        base = scale(step.args[0], program.steps)
        quotients = [k for k in program.below(base) if program.steps[k].op == "div"]
        for k in quotients or [base]:
            if program.steps[k].op != "leaf":
                found[f"step {k}"] = _whole(sweep, k)
    if program.guard is not None:
        place, threshold, _ = program.guard
        low, high = found.get(f"step {place}", _whole(sweep, place))
        limit = threshold * (1 + 2.0**-10)
        found[f"step {place}"] = max(low, -limit), min(high, limit)
    return found


def _whole(sweep: object, place: int) -> Range:
    reach = sweep.reach[place]  # type: ignore[attr-defined]
    return float(reach.low.min()), float(reach.high.max())


def _primitives(program: Program, table: Mapping[str, Hypothesis], through_float32: bool) -> frozenset[str]:
    names = {IEEE.name} | {table[s.op].name for s in program.steps if s.op in ELEMENTARY}
    narrowed = any(s.op == "cast" and FORMATS[s.dtype].precision < 24 for s in program.steps)
    return frozenset(names | ({THROUGH_FLOAT32.name} if narrowed and through_float32 else set()))
