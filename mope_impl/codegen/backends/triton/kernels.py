"""The two kernels of a file, forward and backward, as text."""
from __future__ import annotations

from collections.abc import Iterable
from textwrap import indent

from mope_impl.codegen.ir import Node, Schedule, Section

from .config import ATOM, STAGES
from .frame import Frame
from .printer import Printer

BODY = " " * 4


class Kernels:
    """Text of both kernels of a schedule."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule, self.spec, self.frame = schedule, schedule.spec, Frame(schedule.spec)
        self.inputs = [x.name for x in self.spec.inputs]
        separate = self.spec.layout == "separate"
        count = len(self.spec.channels) if separate else 1
        self.outs = ["out"] if count == 1 else [f"out_{k}" for k in range(count)]
        self.incoming = ["incoming"] if count == 1 else [f"incoming_{k}" for k in range(count)]
        self.joined = not separate
        self.printer = Printer(self._load)

    def axes(self, name: str) -> tuple[str, ...]:
        """The axes of a tensor that is not made of partial sums."""
        return self.frame.own(self.spec.input(name)) if name in self.inputs else self.frame.axes

    def has_channels(self, name: str) -> bool:
        """Whether a tensor holds several channels."""
        return self.spec.input(name).has_channels if name in self.inputs else self.joined

    def is_data(self, name: str) -> bool:
        """Whether a tensor is read or written at every element: all but the inputs without channels."""
        return name not in self.inputs or self.has_channels(name)

    def written(self) -> list[str]:
        """Inputs whose gradient has a place for each element, and is stored as it is formed."""
        return [name for name in self.inputs if self.has_channels(name)]

    def forward(self) -> str:
        """The kernel that computes the outputs."""
        names = [*self.inputs, *self.outs]
        before, inside = self._split([self.schedule.forward])
        root = self.schedule.forward.results
        values = root[0].args if self.joined else [one.args[0] for one in root]
        stores = [
            self._store(self.outs[0] if self.joined else self.outs[k], k if self.joined else 0, value)
            for k, value in enumerate(values)
        ]
        statements = [self._statement(*one) for one in before[0]]
        inner = [*self._offsets(names, data=True), *(self._statement(*one) for one in inside[0]), *stores]
        lines = [*self._places(), *self._offsets(names, data=False), *statements, *self._loop(inner)]
        parameters = [names, *(self.strides(name) for name in names), self._sizes(), self._constants([])]
        return _function("_forward_kernel", parameters, lines)

    def backward(self) -> str:
        """The kernel that computes those gradients that are asked for."""
        gradients = [f"gradient_{name}" for name in self.inputs]
        names, written = [*self.incoming, *self.inputs], self.written()
        groups = [([self.inputs[k] for k in group], section) for group, section in self.schedule.shared]
        groups += [([name], section) for name, section in zip(self.inputs, self.schedule.gradients, strict=True)]
        before, inside = self._split([section for _, section in groups])
        lines = [*self._places(), *self._offsets(names, data=False)]
        inner = [*self._offsets(names, data=True)]
        sums = [name for name in self.inputs if name not in written]
        for place, (users, _) in enumerate(groups):
            lines += self._needed(users, [self._statement(*one) for one in before[place]])
            ending = []
            if place >= len(self.schedule.shared):
                results = self.schedule.gradients[place - len(self.schedule.shared)].results[0].args
                ending = self._gradient(users[0], results)
            inner += self._needed(users, [*(self._statement(*one) for one in inside[place]), *ending])
        if self.frame.looped:
            for name in sums:
                lines += self._needed([name], [f"sum_{name} = tl.zeros((ROWS, COLUMNS), tl.float64)"])
        lines += self._loop(inner)
        for name in sums:
            lines += self._needed([name], [self._store_sum(name)])
        tensors = [*names, *(f"gradient_{name}" for name in written)]
        parameters = [[*names, *gradients], *(self.strides(name) for name in tensors), self._sizes()]
        return _function("_backward_kernel", [*parameters, self._constants(self.inputs)], lines)

    def _gradient(self, name: str, values: tuple[Node, ...]) -> list[str]:
        """The values of an input's gradient stored, or added to its sum."""
        if self.has_channels(name):
            target = f"gradient_{name}"
            at = f"at_{target} = {self.frame.offset(target, self.axes(name), data=True)}"
            return [at, *(self._store(target, k, value) for k, value in enumerate(values))]
        added = f"tl.where(inside, {self._value(values[0])}.to(tl.float64), 0.0)"
        return [f"sum_{name} {'+=' if self.frame.looped else '='} {added}"]

    def _store(self, target: str, channel: int, value: Node) -> str:
        address = f"{target} + at_{target}" + (f" + stride_{target}_c" if channel else "")
        return f"tl.store({address}, {self._value(value)}.to(work).to({target}.dtype.element_ty), mask=inside)"

    def _value(self, node: Node) -> str:
        """An expression that a method may be called of, a constant too."""
        return f"tl.full((1, 1), {node.data!r}, tl.float64)" if node.op == "literal" else self.printer.text(node, ATOM)

    def _store_sum(self, name: str) -> str:
        """The sum over those rows and columns of the block that the input lacks, into the buffer of partial sums."""
        axes, value = self.axes(name), f"sum_{name}"
        row, column = self.frame.row in axes, self.frame.column in axes
        if not row and not column:
            value = f"tl.sum(tl.sum({value}, axis=1), axis=0)"
        elif not row:
            value = f"tl.sum({value}, axis=0, keep_dims=True)"
        elif not column:
            value = f"tl.sum({value}, axis=1, keep_dims=True)"
        mask = self.frame.mask(axes)
        return f"tl.store(gradient_{name} + {self.frame.part(axes)}, {value}{f', mask={mask}' if mask else ''})"

    def _split(self, sections: list[Section]) -> tuple[list, list]:
        """Statements that a loop would only repeat, and those that are about data, section by section."""
        inner: set[str] = set()
        before: list[list[tuple[str, Node]]] = []
        inside: list[list[tuple[str, Node]]] = []
        for section in sections:
            before.append([])
            inside.append([])
            for name, node in section.statements:
                varies = any(one.data in inner if one.op == "variable" else self._is_read(one) for one in node.walk())
                if varies or not self.frame.looped:
                    inner.add(name)
                (inside if name in inner else before)[-1].append((name, node))
        return before, inside

    def _is_read(self, node: Node) -> bool:
        return node.op == "gradient" or (node.op == "input" and self.has_channels(self.inputs[node.data]))

    def _load(self, node: Node) -> str:
        """The reading of an input, or of one channel of it or of the incoming gradient."""
        channel = node.data[0] if node.op.startswith("take_") else 0
        leaf = node.args[0] if node.op.startswith("take_") else node
        name = self.inputs[leaf.data] if leaf.op == "input" else self.incoming[leaf.data]
        mask = self.frame.mask(self.axes(name))
        address = f"{name} + at_{name}" + (f" + stride_{name}_c" if channel else "")
        return f"tl.load({address}{f', mask={mask}, other=0' if mask else ''})"

    def _statement(self, name: str, node: Node) -> str:
        return f"{name} = {self.printer.text(node)}"

    def _places(self) -> list[str]:
        """The work format, and which block a program has."""
        frame = self.frame
        row, column = frame.row, frame.column
        lines = [
            "work = tl.float64 if WIDE else tl.float32",
            "program = tl.program_id(0).to(tl.int64)",
            f"block_{column} = program % blocks_{column}",
            f"block_{row} = program // blocks_{column}" + (f" % blocks_{row}" if frame.outer else ""),
        ]
        rest = f"program // blocks_{column} // blocks_{row}"
        for place, axis in reversed(list(enumerate(frame.outer))):
            lines.append(f"{frame.place(axis, data=False)} = {rest}" + (f" % {frame.extent(axis)}" if place else ""))
            rest += f" // {frame.extent(axis)}"
        return [
            *lines,
            f"at_{row} = (block_{row} * ROWS + tl.arange(0, ROWS))[:, None]",
            f"at_{column} = (block_{column} * COLUMNS + tl.arange(0, COLUMNS))[None, :]",
            f"in_{row} = at_{row} < size_{row}",
            f"in_{column} = at_{column} < size_{column}",
            f"inside = in_{row} & in_{column}",
        ]

    def _offsets(self, names: Iterable[str], data: bool) -> list[str]:
        """Offsets of tensors that hold data, or of those that do not."""
        chosen = [name for name in names if self.is_data(name) == data]
        return [f"at_{name} = {self.frame.offset(name, self.axes(name), data)}" for name in chosen]

    def _loop(self, lines: list[str]) -> list[str]:
        looped = self.frame.looped
        if not looped:
            return lines
        head = [f"for member in tl.range(members, num_stages={STAGES}):", f"    at_{looped} = at_group * members + member"]
        return [*head, *(f"    {line}" for line in lines)]

    def _needed(self, users: list[str], lines: list[str]) -> list[str]:
        """Lines that are for some gradients only."""
        if not lines or len(users) == len(self.inputs) > 1:
            return lines
        return [f"if {' or '.join(f'NEEDS_{name.upper()}' for name in users)}:", *(f"    {line}" for line in lines)]

    def strides(self, name: str) -> list[str]:
        """The names of the strides of a tensor."""
        source = name.removeprefix("gradient_")
        return self.frame.strides(name, self.axes(source), self.has_channels(source))

    def _sizes(self) -> list[str]:
        frame = self.frame
        outer = [frame.extent(axis) for axis in frame.outer[1:]]
        loop = ["members"] if frame.looped else []
        rows = [f"size_{frame.row}", f"size_{frame.column}", f"blocks_{frame.row}", f"blocks_{frame.column}"]
        return [*outer, *loop, *rows]

    def _constants(self, needs: list[str]) -> list[str]:
        names = [*(f"NEEDS_{name.upper()}" for name in needs), "WIDE", "ROWS", "COLUMNS"]
        return [f"{name}: tl.constexpr" for name in names]


def _function(name: str, parameters: list[list[str]], lines: list[str]) -> str:
    listed = "".join(f"{BODY}{', '.join(some)},\n" for some in parameters)
    return f"@triton.jit\ndef {name}(\n{listed}):\n{indent(chr(10).join(lines), BODY)}\n"
