"""Which calls are tried: the scenarios of torch files at sizes around those of the blocks, and at several strides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mope_theory.spec import KernelSpec

from ..lanes import FREE
from ..memory import NOTHING, Buffer, Tensor, elements, flat, shape, strided
from ..nodes import Nodes
from ..torch.scenarios import Scenario, scenarios
from ..torch.tensors import Axis

SIZES = (7, 5, 2, 3, 2)
"""Of the axes from the last to the first, unless one is tried at others."""
GUARD = 2
"""Elements in front of a tensor and behind it, which belong to none."""


@dataclass(frozen=True)
class Case:
    """One call: sizes of the axes, and how its tensors lie in memory.

    ``memory`` is ``contiguous``; ``transposed``, the first axis fastest; ``spaced``, with gaps; or the name of an axis along
    which nothing moves, as after ``expand``. ``all`` stands for an incoming gradient of one number, as that of a sum is.
    """

    scenario: Scenario
    sizes: dict[str, int]
    memory: str = "contiguous"

    @property
    def text(self) -> str:
        sizes = ", ".join(f"{axis} = {size}" for axis, size in self.sizes.items())
        memory = {"contiguous": "", "transposed": ", transposed", "spaced": ", with gaps", "all": ", a gradient of one number"}
        return f"{self.scenario.text}, {sizes}{memory.get(self.memory, f', expanded along {self.memory}')}"


def cases(spec: KernelSpec) -> Iterator[Case]:
    """Every scenario at plain sizes; and a first one in each layout in memory, and with each axis of size 0 and 1."""
    seen: set[str | None] = set()
    for scenario in scenarios(spec):
        axes = list(dict.fromkeys(a for own, _ in ((scenario.outputs, 0), *scenario.given.values()) for a in flat(own)))
        order = [a for a in flat(scenario.outputs) if a in axes]
        base = Case(scenario, dict(zip(order, SIZES[: len(order)][::-1], strict=True)))
        yield base
        if scenario.layout not in seen:
            seen.add(scenario.layout)
            once = replace(base, scenario=replace(scenario, every_pattern=False))
            yield from (replace(once, memory=memory) for memory in ("transposed", "spaced", *order, "all"))
            yield from (replace(once, sizes=base.sizes | {axis: size}) for axis in order for size in (0, 1))


def around(base: Case, blocks: Mapping[str, Iterable[int]], each: bool) -> Iterator[Case]:
    """Sizes around those of the blocks: in all axes that blocks go along, and in each by itself."""
    own = {axis: sorted(lanes) for axis, lanes in blocks.items() if axis in base.sizes}
    yield replace(base, sizes=base.sizes | {axis: lanes[-1] + 1 for axis, lanes in own.items()}, memory="spaced")
    small = {axis: size if axis in own else min(size, 2) for axis, size in base.sizes.items()}
    for axis, lanes in own.items() if each else ():
        for size in (size for n in lanes for size in (n - 1, n, n + 1, 2 * n + 3)):
            yield replace(base, sizes=small | {axis: size})


def tensor(nodes: Nodes, name: str, leaves: Sequence[str], axes: Sequence[Axis], dtype: str, case: Case) -> Tensor:
    """An input, or an incoming gradient: one symbol for each channel."""
    own = shape(axes, case.sizes, len(leaves))
    order = range(len(own)) if case.memory == "transposed" else reversed(range(len(own)))
    steps, step = [0] * len(own), 2 if case.memory == "spaced" else 1
    still = {k for k, axis in enumerate(axes) if axis == case.memory or (case.memory == "all" and name == "grad")}
    for k in order:
        if k not in still:
            steps[k], step = step, step * max(own[k], 1) + (case.memory == "spaced")
    count = 2 * GUARD + 1 + sum(step * max(size - 1, 0) for step, size in zip(steps, own, strict=True))
    view = strided(own, steps, GUARD, count)
    places, channel = elements(axes, case.sizes, len(leaves))
    if still and case.memory != "all":
        places[..., list(case.sizes).index(case.memory)] = FREE
    if case.memory == "all" and name == "grad":
        places, channel = np.full_like(places, FREE), np.zeros_like(channel)
        leaves = leaves if len(leaves) == 1 else [f"{name}.*"]
    which, at = np.full(count, NOTHING, dtype=np.int32), np.full((count, len(case.sizes)), FREE, dtype=np.int32)
    which[view], at[view] = channel, places
    return Tensor(Buffer(name, dtype, [nodes.make("leaf", dtype=dtype, value=leaf) for leaf in leaves], which, at), view)
