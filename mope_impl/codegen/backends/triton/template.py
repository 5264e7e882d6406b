"""The generated file: a header that says what it is, two kernels, two operators, and the public function."""
from __future__ import annotations

import hashlib
from collections.abc import Iterable
from textwrap import indent

from mope_impl.codegen.ir import Node, Schedule
from mope_impl.codegen.passes.precision import roundings
from mope_theory.spec import SpecError

from ..common import DIFFERENTIATED, header, public, returned, saving, wrapped
from .config import COLUMNS, PREFIXES, RESERVED, ROWS
from .host import Host, wide
from .kernels import Kernels

BODY = " " * 4

FILE = '''\
{header}
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

from itertools import count

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.library import custom_op, triton_op, wrap_triton

ROWS, COLUMNS = {rows}, {columns}


{forward_kernel}

{backward_kernel}

{size_function}{view_functions}

def _result(gradient: Tensor, x: Tensor, shape: tuple[int, ...], needed: bool) -> Tensor:
    """The gradient of x from its parts, added up and rounded once; empty if it is not needed."""
    return gradient.sum_to_size(shape).reshape(x.shape).to(x.dtype) if needed else x.new_empty(0)


# A kernel that Triton interprets runs at once, where a tracer cannot follow it.
_operator = triton_op if isinstance(_forward_kernel, triton.JITFunction) else custom_op
# A name that is registered again loses its first operator. So each load of this file, edited or not, takes names that are free.
_load = next(n for n in count() if not hasattr(torch.ops.mope, f"{name}_{content}_{{n}}"))


@_operator(f"mope::{name}_{content}_{{_load}}", mutates_args=())
{forward_signature}
{plan}
    wide = {forward_wide}
{outs}
    if programs > 0:
        wrap_triton(_forward_kernel)[(programs,)](
{forward_arguments}
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return {rounded_outs}


@_forward.register_fake
{forward_fake_signature}
{sizes}
    return {fake_outs}


@_operator(f"mope::{name}_backward_{content}_{{_load}}", mutates_args=())
{backward_signature}
{plan}
    wide = {backward_wide}
{buffers}
    if programs > 0:
        wrap_triton(_backward_kernel)[(programs,)](
{backward_arguments}
            {needs},
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return (
{results}
    )


@_backward.register_fake
{backward_fake_signature}
    return (
{fake_results}
    )


class {kernel}(torch.autograd.Function):
    """{differentiated}; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
{function_signature}
        return _forward({call})

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
{saving}{kept}

    @staticmethod
    def backward(ctx, {gradients}) -> tuple[Tensor | None, ...]:
        needs = list(ctx.needs_input_grad[:{count}])
        found = {kernel}Gradients.apply({passed}, *ctx.saved_tensors, {restored}needs)
        return (*(x if needed else None for x, needed in zip(found, needs, strict=True)), {nothing})


class {kernel}Gradients(torch.autograd.Function):
    """The gradients, which are not differentiated again."""

    generate_vmap_rule = True

    @staticmethod
{gradient_signature}
        return _backward({gradient_call})

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, *gradients: Tensor) -> tuple[None, ...]:
        raise RuntimeError("{name}: the Triton kernel has no second derivative; that of the torch backend has")


_forward.register_autograd({kernel}.backward, setup_context={kernel}.setup_context)
_backward.register_autograd({kernel}Gradients.backward)


def _padded(x: Tensor, axes: int) -> Tensor:
    """x with as many axes; those that it lacks are in front, of size 1."""
    return x.reshape((1,) * (axes - x.dim()) + x.shape)
{flattened}

{public}'''

FLATTENED = '''

def _flattened(x: Tensor, lead: torch.Size, axes: int) -> Tensor:
    """x with its axes before the last ones as a single one, spread to `lead` unless they are of size 1."""
    x = _padded(x, axes)
    own, last = x.shape[: x.dim() - axes], x.shape[x.dim() - axes :]
    if all(size == 1 for size in own):
        return x.reshape((1, *last))
    return x.expand(lead + last).flatten(0, len(lead) - 1)
'''

PLACEHOLDER = "@content@"

ACCURACY = (
    "to first order a channel is off by at most {{}}; then it is rounded once to the dtype of the result (by way of"
    " float32 to 16 bits){0}"
)

NARROW = (
    ". That is where data are float64; otherwise data are multiplied by coefficients in float32, which adds at most"
    " {0} * 2**-24 of the sum of the magnitudes of the two terms"
)


def emit(schedule: Schedule) -> str:
    """Source text of the kernel; the names of its operators carry the hash of that text."""
    kernels = Kernels(schedule)
    _require_free_names(schedule, kernels)
    text = _filled(schedule, kernels, Host(kernels))
    return text.replace(PLACEHOLDER, hashlib.sha256(text.encode()).hexdigest()[:12])


def _filled(schedule: Schedule, kernels: Kernels, host: Host) -> str:
    spec, names, options = schedule.spec, host.names, host.options(typed=True)
    tensors = [f"{name}: Tensor" for name in names]
    dtype, needs = "dtype: torch.dtype", "needs: list[bool]"
    incoming = [f"{one}: Tensor" for one in kernels.incoming]
    gradients = f"tuple[{', '.join(['Tensor'] * len(names))}]"
    given = [*names, *host.options(typed=False)]
    kernel = f"_{''.join(part.title() for part in spec.name.split('_'))}"
    plan, device = _block(host.plan()), names[0]
    empty = f"{device}.new_empty({host.out_shape()}, dtype=dtype)"
    held = f"{device}.new_empty({host.out_shape()}, dtype=torch.float64 if wide else dtype)"
    needed = ", ".join(f"NEEDS_{name.upper()}=needs[{k}]" for k, name in enumerate(names))
    return FILE.format(
        header=header(spec, "triton", "torch and triton", ACCURACY.format(_narrow(schedule))),
        rows=ROWS,
        columns=COLUMNS,
        forward_kernel=kernels.forward(),
        backward_kernel=kernels.backward(),
        size_function=host.size_function(),
        view_functions=host.view_functions(),
        name=spec.name,
        content=PLACEHOLDER,
        forward_signature=wrapped("_forward", [*tensors, *options, dtype], returned(spec)),
        forward_fake_signature=wrapped("_forward_fake", [*tensors, *options, dtype], returned(spec)),
        plan=plan,
        sizes=_block(host.plan()[:1]),
        outs=_block(f"{out} = {held}" for out in kernels.outs),
        fake_outs=", ".join([empty] * len(kernels.outs)),
        rounded_outs=", ".join(f"{out}.to(dtype)" for out in kernels.outs),
        forward_arguments=_lines(host.forward_arguments(), 12),
        forward_wide=wide(spec, "dtype"),
        backward_signature=wrapped("_backward", [*incoming, *tensors, *options, needs], gradients),
        backward_fake_signature=wrapped("_backward_fake", [*incoming, *tensors, *options, needs], gradients),
        buffers=_block(host.gradient_buffers()),
        backward_arguments=_lines(host.backward_arguments(), 12),
        needs=needed,
        backward_wide=wide(spec, f"{kernels.incoming[0]}.dtype"),
        results=_lines(host.gradient_results(), 8),
        fake_results=_lines((f"{name}.new_empty({name}.shape if needs[{k}] else 0)" for k, name in enumerate(names)), 8),
        kernel=kernel,
        function_signature=indent(wrapped("forward", [*tensors, *options, dtype], returned(spec)), BODY),
        call=", ".join([*given, "dtype"]),
        count=len(names),
        differentiated=DIFFERENTIATED,
        saving=indent(saving(schedule), " " * 8),
        kept=f"\n        ctx.layout = inputs[{len(names)}]" if options else "",
        gradients=", ".join(incoming),
        passed=", ".join(kernels.incoming),
        restored="ctx.layout, " if options else "",
        nothing=", ".join(["None"] * (1 + len(options))),
        gradient_signature=indent(wrapped("forward", [*incoming, *tensors, *options, needs], gradients), BODY),
        gradient_call=", ".join([*kernels.incoming, *given, "needs"]),
        flattened=FLATTENED if host.spread_lines() else "",
        public=public(spec, _body(host, kernel)),
    )


def _body(host: Host, kernel: str) -> str:
    """The end of the public function."""
    spread = [host.spread(x) for x in host.spec.inputs]
    arguments = [*spread, *host.options(typed=False), "dtype"]
    outs, lead = host.kernels.outs, host.spread_lines()
    lines = [*lead, f"{', '.join(outs)} = {kernel}.apply({', '.join(arguments)})"]
    if len(lines[-1]) > 110:
        lines[-1:] = [f"{', '.join(outs)} = {kernel}.apply(", f"    {', '.join(arguments)}", ")"]
    shaped = [f"{out}.reshape(lead + {out}.shape[1:])" if lead else out for out in outs]
    return _block([*lines, f"return {', '.join(shaped)}"]) + "\n"


def _narrow(schedule: Schedule) -> str:
    """What is said of products in float32, if a channel has any."""
    values: list[Node] = []
    for root in schedule.forward.results:
        values += _expanded(root, dict(schedule.forward.statements)).args
    count = max(map(roundings, values))
    return NARROW.format(count) if count else ""


def _expanded(root: Node, statements: dict[str, Node]) -> Node:
    """The node with every variable replaced by what it stands for."""
    return root.rewrite(lambda node: _expanded(statements[node.data], statements) if node.op == "variable" else node)


def _require_free_names(schedule: Schedule, kernels: Kernels) -> None:
    """Raises SpecError if a variable of the specification has a name that the kernel uses itself."""
    tensors = [*kernels.inputs, *kernels.outs, *kernels.incoming]
    used = {*RESERVED, *(prefix + name for prefix in PREFIXES for name in (*kernels.frame.axes, *tensors))}
    used |= {stride for name in tensors for stride in kernels.strides(name)}
    sections = [schedule.forward, *(section for _, section in schedule.shared), *schedule.gradients]
    for name in [*kernels.inputs, *(name for section in sections for name, _ in section.statements)]:
        if name in used:
            raise SpecError(f"kernel {schedule.spec.name}: {name} is a name that a Triton kernel uses itself")


def _block(lines: Iterable[str]) -> str:
    return indent("\n".join(lines), BODY)


def _lines(lines: Iterable[str], depth: int) -> str:
    return indent("\n".join(f"{line}," for line in lines), " " * depth)
