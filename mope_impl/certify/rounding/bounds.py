"""The rounding bound of a result: of its program, on the rounding box, in one dtype of inputs and result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from mope_theory.spec import KernelSpec

from ..nodes import Node, leaves
from ..tails import MARGIN
from .boxes import REACHES, Range, rounding_box
from .errors import ELEMENTARY, Cells, Exact, Model, Sweep
from .formats import FORMATS
from .homogeneity import degree
from .intervals import Interval
from .primitives import IEEE, PLATFORMS, THROUGH_FLOAT32, Platform
from .program import Program, Unbounded, programs, scale
from .subdivision import Box, Partition, partition, whole
from .symmetry import halved

BUDGET, ELSEWHERE, AGAIN = 40_000, 8_000, 5_000
"""Cells and probes that are evaluated for a result, for it with another reach, and with a partition that is known."""


class Result(Protocol):
    """A scalar that a kernel gives, with the node that computes it, every input and the result in one dtype."""

    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> str: ...
    @property
    def node(self) -> Node: ...


@dataclass(frozen=True)
class Bound:
    """|computed − true| of one result, inputs and result in one dtype.

    It speaks of the points of the box where |true| ≤ largest, and of one summand where a gradient is summed.
    """

    name: str
    dtype: str
    absolute: float
    growth: tuple[tuple[float, float], ...]
    """Pairs (B, bound) for the boxes with |position| ≤ B."""
    relative: float
    """|computed − true| ≤ relative·|true| + floor on the box; infinite where nothing of the kind is known."""
    floor: float
    largest: float
    """The true values that the dtype holds, with room for what is computed instead."""
    reduction: frozenset[str]
    """The axes that a gradient is summed over."""
    summand: tuple[float, float]
    """Of a summand before it is summed: its error, and its size."""
    accumulated: tuple[str, ...]
    """The dtypes that sums are formed in."""
    after: tuple[str, ...]
    """The dtypes that a sum is converted to, in order."""
    primitives: frozenset[str]
    """Names of the hypotheses that it rests on."""
    box: Mapping[str, Range] = field(hash=False)
    """Ranges of the scalars by name: ``positions``, ``x.0``, ``grad.1``."""
    degrees: Mapping[str, int | None] = field(default_factory=dict, hash=False)
    """How the result scales with its channels, and with incoming gradients: times 2^{dk} where they are times 2^k, and its bound
    with it, where nothing overflows or is subnormal. None where it does not."""

    def summed(self, count: int) -> float:
        """The bound of a sum of so many summands, added in any order.

        Each addition is off by u of its result at most. A tree of additions has the largest results where one summand after
        the other is added: 2M, 3M … NM for summands up to M. What is rounded already adds no more than N u of itself.

        Raises ValueError for a count below 1.
        """
        if count < 1:
            raise ValueError(f"count: got {count}, expected at least 1")
        if not self.accumulated or count == 1:
            return self.absolute
        error, size = self.summand
        u = max(FORMATS[dtype].u for dtype in self.accumulated)
        gamma = (count - 1) * u
        if gamma >= 0.5:
            return float("inf")
        total = count * (size + error)
        bound = count * error + (count * (count + 1) / 2 - 1) * u * (size + error) / (1 - gamma)
        for dtype in self.after:
            form = FORMATS[dtype]
            if total + bound >= form.largest:
                return float("inf")
            bound += 2 * form.u * (total + bound) + form.eta
        return bound * (1 + 2.0**-40)


def bounds(
    results: Iterable[Result],
    spec: KernelSpec,
    *,
    platform: Platform = PLATFORMS["torch"],
    reaches: Sequence[float] = REACHES,
    known: dict[str, Partition] | None = None,
) -> list[Bound]:
    """The bound of each result; the first of the reaches is that of its box.

    ``known`` keeps partitions by the name of a result: given again with another dtype, it saves most of the work.
    Raises Unbounded, a ValueError, where an operation has no rounding bound.
    """
    known = {} if known is None else known
    return [_bound(one, spec, platform, reaches, known) for one in results]


def exactness(spec: KernelSpec, dtype: str, reach: float) -> dict[str, Exact]:
    """Significant bits of the leaves: those of the dtype, for a position also those of a whole number."""
    form = FORMATS[dtype]
    found: dict[str, Exact] = {}
    for x in spec.inputs:
        bits = max(form.precision, int(reach).bit_length()) if x.kind == "number" else form.precision
        found |= dict.fromkeys(leaves(x.name, len(x.symbols)), Exact(bits, form.least))
    return found | dict.fromkeys(leaves("grad", len(spec.channels)), Exact(form.precision, form.least))


@dataclass
class OnBox:
    """What is found on one box."""

    program: Program
    error: float
    ratio: float
    floor: float
    summand: tuple[float, float]
    partition: Partition


def _bound(result: Result, spec: KernelSpec, platform: Platform, reaches: Sequence[float], known: dict[str, Partition]) -> Bound:
    found: list[OnBox] = []
    for reach in reaches:
        box, exact = rounding_box(spec, reach), exactness(spec, result.dtype, reach)
        key = f"{result.name}, {'wide' if result.dtype == 'float64' else 'narrow'}, {reach:g}"
        budget = BUDGET if reach == reaches[0] else ELSEWHERE
        own = on_box(result.node, box, exact, platform, AGAIN if key in known else budget, known.get(key))
        known[key] = own.partition
        found.append(own)
    main, smallest = found[0], np.inf
    growth: list[tuple[float, float]] = []
    for reach, error in sorted(((reach, own.error) for reach, own in zip(reaches, found, strict=True)), reverse=True):
        smallest = min(smallest, error)  # a smaller box lies within a larger one
        growth.insert(0, (reach, smallest))
    program = main.program
    return Bound(
        name=result.name,
        dtype=result.dtype,
        absolute=dict(growth)[reaches[0]],
        growth=tuple(growth),
        relative=main.ratio,
        floor=main.floor,
        largest=_largest(program),
        reduction=program.summed,
        summand=main.summand,
        accumulated=program.accumulated,
        after=program.after,
        primitives=_primitives(program, platform),
        box=rounding_box(spec, reaches[0]),
        degrees={
            "channels": degree(program, {name for x in spec.inputs if x.has_channels for name in leaves(x.name, len(x.symbols))}),
            "gradients": degree(program, leaves("grad", len(spec.channels))),
        },
    )


def on_box(
    node: Node,
    box: Mapping[str, Range],
    exact: Mapping[str, Exact],
    platform: Platform,
    budget: int,
    start: Partition | None = None,
) -> OnBox:
    """The error of a node where its leaves lie in a box, within a budget of cells. Raises Unbounded."""
    inside = None
    for program in programs(node, box):
        if program.guard is None or not program.guard[2]:
            inside = program
        elif not program.is_zero:
            raise Unbounded("beyond its guard the result is not 0")
    assert inside is not None
    model = Model(inside, exact, platform)
    ranges = halved(inside, {str(s.value): box[str(s.value)] for s in inside.steps if s.op == "leaf"})
    model.box = whole(ranges)
    pins, beyond = _pins(model, ranges)
    own = partition({**ranges, **pins}, model.error, budget, start)
    found = model.found(own.cells)
    return OnBox(
        inside,
        max(float(found.error.max()), beyond),
        float(found.last.ratio.max()),
        float(found.last.floor.max()) + beyond,
        (max(float(found.summand_error.max()), beyond), float(found.summand_size.max())),
        own,
    )


def _largest(program: Program) -> float:
    form = FORMATS[program.steps[-1].dtype]
    return form.largest * (1 - 2 * form.u)


def _pins(model: Model, ranges: Box) -> tuple[Box, float]:
    """The steps whose ranges are divided besides those of the inputs; and a bound of the true value beyond the guard.

    They are: angles, by turns; the guarded quantity; quotients that an elementary function depends on, or else its argument.
    """
    program, last = model.program, len(model.program.steps) - 1
    with np.errstate(all="ignore"):
        sweep = Sweep(model, whole(ranges), range(last + 1))
        model.is_ideal = True
        exact = Sweep(model, whole(ranges), range(last + 1))
        model.is_ideal = False
    pins: Box = {}

    def pin(place: int, limit: float = np.inf) -> None:
        reach = exact.reach[place]
        pins[f"step {place}"] = max(float(reach.low.min()), -limit), min(float(reach.high.max()), limit)

    for step in program.steps:
        if step.op in ("cos", "sin"):
            if not float(np.max(sweep.reach[step.args[0]].high - sweep.reach[step.args[0]].low)) < 6.0:
                pins[f"turn {step.args[0]}"] = 0.0, 1.0
        elif step.op in ELEMENTARY:
            base = scale(step.args[0], program.steps)
            quotients = [k for k in program.below(base) if program.steps[k].op == "div"]
            for k in quotients or [base]:
                if program.steps[k].op != "leaf":
                    pin(k)
    if float(sweep.reach[last].size.max()) > _largest(program):
        model.limit = _largest(program)
    beyond = 0.0
    if program.guard is not None:
        place, threshold, _ = program.guard
        slack = threshold * (1 - float(MARGIN))
        pin(place, threshold + slack)
        off = sweep.forward[place]
        if not float(np.max(off.ratio)) * (threshold + slack) + float(np.max(off.floor)) < slack:
            raise Unbounded(f"the guarded quantity is off by more than {slack:g} near {threshold:g}")
        model.is_ideal = True
        beyond = _beyond(model, ranges, pins, place, threshold - slack)
        model.is_ideal = False
    return pins, beyond


def _beyond(model: Model, ranges: Box, pins: Box, place: int, threshold: float) -> float:
    """The largest |true value| where the guarded quantity is beyond the threshold: on shells of doubled radius."""
    edges = np.array([threshold * 2.0**k for k in range(24)] + [np.inf])
    low, high = np.concatenate([edges[:-1], -edges[1:]]), np.concatenate([edges[1:], -edges[:-1]])
    cells: Cells = {name: Interval(np.full_like(low, a), np.full_like(low, b)) for name, (a, b) in {**ranges, **pins}.items()}
    return float(model.found({**cells, f"step {place}": Interval(low, high)}).size.max())


def _primitives(program: Program, platform: Platform) -> frozenset[str]:
    names = {IEEE.name} | {platform.table[s.op].name for s in program.steps if s.op in ELEMENTARY}
    narrowed = any(s.op == "cast" and FORMATS[s.dtype].precision < FORMATS["float32"].precision for s in program.steps)
    return frozenset(names | ({THROUGH_FLOAT32.name} if narrowed and platform.through_float32 else set()))
