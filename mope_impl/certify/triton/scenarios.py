"""Which calls are tried: the scenarios of torch files at sizes around those of the blocks, and at several strides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mope_theory.spec import KernelSpec

from ..memory import flat
from ..torch.scenarios import Scenario, scenarios

SIZES = (7, 5, 2, 3, 2)
"""Of the axes from the last to the first, unless one is tried at others."""


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
        order = flat(scenario.outputs)
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
