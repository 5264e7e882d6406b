"""The generated file: a header that says what it is, the Function with its adjoint, and the public function."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import indent

from mope_impl.codegen.ir import CHOSEN, Node, Schedule, Section

from ..common import DIFFERENTIATED, header, public, returned, saving, wrapped
from .printer import Printer

BODY = " " * 4
WIDE = "wide"
"""The name of the dtype that is computed in where that is the one of the inputs."""

ACCURACY = (
    "to first order a channel is off by at most {}; then it is rounded once to the dtype of the result"
    " (torch's CPU conversion to 16 bits passes through float32)"
)

FILE = '''\
{header}
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class {kernel}(torch.autograd.Function):
    """{differentiated}; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
{forward_signature}
{forward}

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
{saving}{kept}

    @staticmethod
    def backward(ctx, {incoming}) -> tuple[Tensor | None, ...]:
        {inputs} = ctx.saved_tensors{restored}
        results: list[Tensor | None] = [None] * {count}
{backward}
        return tuple(results)


{public}'''


def emit(schedule: Schedule) -> str:
    """Source text of the kernel."""
    spec = schedule.spec
    names = [x.name for x in spec.inputs]
    annotated = [f"{name}: Tensor" for name in names]
    chosen = spec.layout_is_chosen
    annotated += ["layout: str", "dtype: torch.dtype"] if chosen else ["dtype: torch.dtype"]
    separate = spec.layout == "separate" and len(spec.channels) > 1
    kernel = f"_{''.join(part.title() for part in spec.name.split('_'))}"
    gradients = [f"grads[{k}]" for k in range(len(spec.channels))] if separate else ["grad"]
    own = spec.arithmetic == "inputs"
    printer = Printer(names, gradients, WIDE if own else "torch.float64")
    body = f"    return {kernel}.apply({', '.join([*names, *(['layout'] if chosen else []), 'dtype'])})\n"
    return FILE.format(
        header=header(spec, "torch", "torch", ACCURACY),
        kernel=kernel,
        forward_signature=indent(wrapped("forward", annotated, returned(spec)), BODY),
        forward=_block([*(_widened(names) if own else []), *_forward(printer, schedule.forward)]),
        incoming="*grads: Tensor" if separate else "grad: Tensor",
        inputs=", ".join(names) if len(names) > 1 else f"({names[0]},)",
        differentiated=DIFFERENTIATED,
        saving=_block(saving(schedule).splitlines()),
        kept="\n        ctx.layout = inputs[-2]" if chosen else "",
        restored="\n        layout = ctx.layout" if chosen else "",
        count=len(names) + 1 + chosen,
        backward=_block([*(_widened([*names, *gradients]) if own else []), *_backward(printer, schedule)]),
        public=public(spec, body),
    )


def _statements(printer: Printer, section: Section) -> list[str]:
    return [f"{name} = {printer.text(node)}" for name, node in section.statements]


def _widened(names: Iterable[str]) -> list[str]:
    """The dtype that is computed in: the promoted one of these tensors, float32 at least."""
    return [f"{WIDE} = torch.float32", *(f"{WIDE} = torch.promote_types({WIDE}, {name}.dtype)" for name in names)]


def _forward(printer: Printer, section: Section) -> list[str]:
    return [*_statements(printer, section), *_given(printer, "return ", section.results)]


def _given(printer: Printer, prefix: str, results: Sequence[Node]) -> list[str]:
    """Statements that return or keep results."""
    if results[0].op != "by_layout":
        return [prefix + ", ".join(map(printer.text, results))]
    half, interleaved = map(printer.text, results[0].args)
    first, last = [f'if layout == "{next(iter(CHOSEN))}":', f"    {prefix}{half}"], prefix + interleaved
    return [*first, last] if prefix == "return " else [*first, "else:", f"    {last}"]


def _backward(printer: Printer, schedule: Schedule) -> list[str]:
    lines = []
    for group, section in schedule.shared:
        inner = _statements(printer, section)
        if not inner:
            continue
        if len(group) < len(schedule.gradients):
            lines.append(f"if {' or '.join(f'ctx.needs_input_grad[{k}]' for k in group)}:")
            inner = [f"    {line}" for line in inner]
        lines += inner
    for k, section in enumerate(schedule.gradients):
        lines.append(f"if ctx.needs_input_grad[{k}]:")
        lines += [f"    {line}" for line in _statements(printer, section)]
        lines += [f"    {line}" for line in _given(printer, f"results[{k}] = ", section.results)]
    return lines


def _block(lines: Iterable[str]) -> str:
    return indent("\n".join(lines), " " * 8)
