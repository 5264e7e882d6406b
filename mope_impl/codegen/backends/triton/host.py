"""The functions around the kernels: sizes and strides, the two operators, and their place in autograd."""
from __future__ import annotations

from mope_impl.codegen.ir import CHOSEN
from mope_theory.spec import Input, KernelSpec

from .kernels import Kernels

VIEWS = {
    "halves": "x.unflatten(-1, ({0}, x.shape[-1] // {0})).transpose(-1, -2)",
    "interleaved": "x.unflatten(-1, (x.shape[-1] // {0}, {0}))",
    "stacked": "x",
}
"""A tensor with its {0} channels in a last axis of their own, by the layout that they have."""


class Host:
    """Pieces of text for the template."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels, self.spec, self.frame = kernels, kernels.spec, kernels.frame
        self.names = [x.name for x in self.spec.inputs]
        self.sizes = [f"size_{axis}" for axis in self.frame.axes]

    def options(self, typed: bool) -> list[str]:
        """The argument that decides the layout, if the caller chooses it."""
        return ["layout: str" if typed else "layout"] if self.spec.layout_is_chosen else []

    def size_function(self) -> str:
        """The sizes of all axes from the shapes of the inputs."""
        shapes = "".join(f"        ({', '.join(self._shape(x))}),\n" for x in self.spec.inputs)
        return (
            f"def _sizes({', '.join(f'{name}: Tensor' for name in self.names)}) -> list[int]:\n"
            f'    """The size of each axis, {", ".join(self.frame.axes)}; an input may have size 1 in it instead."""\n'
            f"    return list(torch.broadcast_shapes(\n{shapes}    ))\n"
        )

    def view_functions(self) -> str:
        """One function a layout that tensors with channels have."""
        return "".join(f"\n\n{self._view_function(how)}" for how in sorted({how for how, _ in self._joined()}))

    def forward_arguments(self) -> list[str]:
        """What the kernel takes, in its order."""
        pointers = [", ".join([*self.names, *self.kernels.outs])]
        strides = [self._strides(x) for x in self.spec.inputs]
        strides += [f"*{self._viewed(out, self.spec.layout, len(self.spec.channels))}.stride()" for out in self.kernels.outs]
        return [*pointers, *strides, self._extents()]

    def backward_arguments(self) -> list[str]:
        """What the kernel takes, in its order."""
        pointers = [", ".join([*self.kernels.incoming, *self.names, *(f"gradient_{name}" for name in self.names)])]
        count = len(self.spec.channels)
        strides = [f"*{self._viewed(one, self.spec.layout, count)}.stride()" for one in self.kernels.incoming]
        strides += [self._strides(x) for x in self.spec.inputs]
        written = [x for x in self.spec.inputs if x.has_channels]
        strides += [f"*{self._viewed(f'gradient_{x.name}', x.layout, len(x.symbols))}.stride()" for x in written]
        return [*pointers, *strides, self._extents()]

    def plan(self) -> list[str]:
        """Statements that choose the blocks."""
        row, column = self.frame.row, self.frame.column
        lines = [f"{', '.join(self.sizes)} = _sizes({', '.join(self.names)})"]
        if self.frame.looped:
            held = [f"{x.name}.shape[{self.frame.own(x).index(self.frame.looped)}]" for x in self._coefficients_of_loop()]
            lines.append(f"groups = {_largest(held)}")
        lines += [
            f"columns = 16 if size_{column} <= 16 else 32 if size_{column} <= 32 else COLUMNS",
            f"blocks_{row}, blocks_{column} = triton.cdiv(size_{row}, ROWS), triton.cdiv(size_{column}, columns)",
        ]
        counts = [*(self.frame.extent(axis) for axis in self.frame.outer), f"blocks_{row}", f"blocks_{column}"]
        return [*lines, f"programs = {' * '.join(counts)}"]

    def out_shape(self) -> str:
        """The shape of an output."""
        return f"({', '.join(_with_channels(self.sizes, self.spec.layout, len(self.spec.channels)))})"

    def gradient_buffers(self) -> list[str]:
        """Statements that make the tensors that the kernel writes; one that is not asked for is empty."""
        lines = []
        for k, x in enumerate(self.spec.inputs):
            kind = "torch.float64"
            if x.has_channels:
                shape = _with_channels(self.sizes, x.layout, len(x.symbols))
                lines.append(f"shape = ({', '.join(shape)})")
                kind = f"torch.float64 if wide or {x.name}.shape != shape else {x.name}.dtype"
            else:
                shape = self.frame.buffer(self.frame.own(x))
            asked = ", ".join([f"{shape[0]} if needs[{k}] else 0", *shape[1:]])
            lines.append(f"gradient_{x.name} = {self.names[0]}.new_empty(({asked}), dtype={kind})")
        return lines

    def gradient_results(self) -> list[str]:
        """The gradients from those tensors, of the shapes and dtypes of the inputs."""
        lines = []
        for k, x in enumerate(self.spec.inputs):
            shape = ", ".join(self._shape(x, channels=True))
            lines.append(f"_result(gradient_{x.name}, {x.name}, ({shape}), needs[{k}])")
        return lines

    def spread_lines(self) -> list[str]:
        """How the arguments of the public function become those of the operator."""
        starred = [x for x in self.spec.inputs if x.own[:1] and x.own[0].startswith("*")]
        lines = []
        if starred:
            leads = [f"{x.name}.shape" + (f"[:-{self._rest(x)}]" if self._rest(x) else "") for x in starred]
            lines.append(f"lead = {leads[0]}" if len(leads) == 1 else f"lead = torch.broadcast_shapes({', '.join(leads)})")
        return lines

    def spread(self, x: Input) -> str:
        """An argument with all of its axes, the first ones as one."""
        if x.own and x.own[0].startswith("*"):
            return f"_flattened({x.name}, lead, {self._rest(x)})"
        return f"_padded({x.name}, {len(x.own)})"

    def _rest(self, x: Input) -> int:
        return len(x.own) - 1 + (x.layout == "stacked")

    def _coefficients_of_loop(self) -> list[Input]:
        return [x for x in self.spec.inputs if not x.has_channels and self.frame.looped in self.frame.own(x)]

    def _shape(self, x: Input, channels: bool = False) -> list[str]:
        """The shape of an input, with size 1 for the axes that it lacks; without its channels, or with them."""
        own, place = self.frame.own(x), 0
        sizes = []
        for axis in self.frame.axes:
            if axis not in own:
                sizes.append("1")
                continue
            size = f"{x.name}.shape[{place}]"
            grouped = axis == self.frame.column and x.layout in ("halves", "interleaved", "chosen")
            sizes.append(f"{size} // {len(x.symbols)}" if grouped and not channels else size)
            place += 1
        return [*sizes, str(len(x.symbols))] if channels and x.layout == "stacked" else sizes

    def _joined(self) -> list[tuple[str, int]]:
        """Layout and number of channels of each tensor that has several."""
        joined = [(x.layout, len(x.symbols)) for x in self.spec.inputs if x.has_channels]
        return [*joined, *([(self.spec.layout, len(self.spec.channels))] if self.kernels.joined else [])]

    def _view_function(self, how: str) -> str:
        count = next(count for own, count in self._joined() if own == how)
        if how != "chosen":
            body, option = VIEWS[how].format(count), ""
        else:
            first, second = (VIEWS[one].format(count) for one in CHOSEN.values())
            body, option = f'{first} if layout == "{next(iter(CHOSEN))}" else {second}', ", layout: str"
        says = '"""The channels in an axis of their own, the last."""'
        return f"def _{how}(x: Tensor{option}) -> Tensor:\n    {says}\n    return {body}\n"

    def _viewed(self, name: str, layout: str, count: int) -> str:
        if layout == "separate":
            return name
        return f"_{layout}({name}{', layout' if layout == 'chosen' else ''})"

    def _strides(self, x: Input) -> str:
        own = [axis if x.has_channels else self.frame.extent(axis) for axis in self.frame.own(x)]
        sizes = [f"size_{axis}" if x.has_channels else axis for axis in own]
        channels = [str(len(x.symbols))] if x.has_channels else []
        return f"*{self._viewed(x.name, x.layout, len(x.symbols))}.expand({', '.join([*sizes, *channels])}).stride()"

    def _extents(self) -> str:
        frame = self.frame
        outer = [frame.extent(axis) for axis in frame.outer[1:]]
        loop = [f"size_{frame.looped} // groups"] if frame.looped else []
        rows = [f"size_{frame.row}", f"size_{frame.column}", f"blocks_{frame.row}", f"blocks_{frame.column}"]
        return ", ".join([*outer, *loop, *rows])


def wide(spec: KernelSpec, dtype: str) -> str:
    """Whether data are float64."""
    dtypes = [*(f"{x.name}.dtype" for x in spec.inputs if x.has_channels or spec.arithmetic == "inputs"), dtype]
    return f"{dtype} == torch.float64" if len(dtypes) == 1 else f"torch.float64 in ({', '.join(dtypes)})"


def _largest(sizes: list[str]) -> str:
    """The size of an axis from those of inputs, each of which may be 1 instead."""
    shapes = ", ".join(f"({size},)" for size in sizes)
    return sizes[0] if len(sizes) == 1 else f"torch.broadcast_shapes({shapes})[0]"


def _with_channels(sizes: list[str], layout: str, count: int) -> list[str]:
    if layout == "separate":
        return list(sizes)
    return [*sizes, str(count)] if layout == "stacked" else [*sizes[:-1], f"{count} * {sizes[-1]}"]
