"""Where the elements of a tensor are: the axes of a kernel as blocks of rows and columns, and offsets from strides.

The last axis of a specification are the columns of a block, the last but one its rows; one program has one block at one place of
the other axes. If data have channels, a program goes through the last of those other axes in a loop: coefficients that serve all
its ``members`` are formed once. An input then has either one row of parameters for each of them or one for all, ``groups`` rows.
"""
from __future__ import annotations

from dataclasses import dataclass

from mope_theory.spec import Input, KernelSpec, SpecError


@dataclass(frozen=True)
class Frame:
    """The axes of a specification, without the star of the first."""

    spec: KernelSpec

    def __post_init__(self) -> None:
        if len(self.spec.axes) < 2:
            raise SpecError(f"kernel {self.spec.name}: the Triton backend needs two axes or more, got {self.spec.output!r}")
        if len(self.spec.channels) > 2 or any(len(x.symbols) > 2 for x in self.spec.inputs):
            raise SpecError(f"kernel {self.spec.name}: the Triton backend takes pairs of channels at most")

    @property
    def axes(self) -> tuple[str, ...]:
        """All of them, from the outermost."""
        return tuple(axis.removeprefix("*") for axis in self.spec.axes)

    @property
    def outer(self) -> tuple[str, ...]:
        """Those that programs are spread over one by one."""
        return self.axes[:-2]

    @property
    def row(self) -> str:
        """The last but one."""
        return self.axes[-2]

    @property
    def column(self) -> str:
        """The last."""
        return self.axes[-1]

    @property
    def looped(self) -> str | None:
        """The axis that one program goes through, if there is one."""
        return self.outer[-1] if self.outer and any(x.has_channels for x in self.spec.inputs) else None

    def own(self, x: Input) -> tuple[str, ...]:
        """The axes of an input."""
        return tuple(axis.removeprefix("*") for axis in x.own)

    def extent(self, axis: str) -> str:
        """How many places of an axis there are for coefficients."""
        return "groups" if axis == self.looped else f"size_{axis}"

    def place(self, axis: str, data: bool) -> str:
        """The index along an axis."""
        return "at_group" if axis == self.looped and not data else f"at_{axis}"

    def mask(self, axes: tuple[str, ...]) -> str | None:
        """The elements of a block that exist, for a tensor with these axes."""
        row, column = self.row in axes, self.column in axes
        return "inside" if row and column else f"in_{self.row}" if row else f"in_{self.column}" if column else None

    def strides(self, name: str, axes: tuple[str, ...], channels: bool) -> list[str]:
        """The names of the strides of a tensor."""
        return [f"stride_{name}_{axis}" for axis in (*axes, *(["c"] if channels else []))]

    def offset(self, name: str, axes: tuple[str, ...], data: bool) -> str:
        """Offset of the block's elements, of the first channel, in a tensor of which each axis has a stride."""
        return " + ".join(f"{self.place(axis, data)} * stride_{name}_{axis}" for axis in axes)

    def part(self, axes: tuple[str, ...]) -> str:
        """Offset in the buffer of an input's partial sums, which has every axis: blocks instead of rows or columns that the
        input lacks."""
        text = ""
        for axis in self.axes:
            blocked = axis in (self.row, self.column) and axis not in axes
            place = f"block_{axis}" if blocked else self.place(axis, data=False)
            extent = f"blocks_{axis}" if blocked else self.extent(axis)
            text = place if not text else f"{f'({text})' if '+' in text else text} * {extent} + {place}"
        return text

    def buffer(self, axes: tuple[str, ...]) -> list[str]:
        """The shape of that buffer."""
        return [
            f"blocks_{axis}" if axis in (self.row, self.column) and axis not in axes else self.extent(axis) for axis in self.axes
        ]
