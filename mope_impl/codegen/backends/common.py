"""What the files of all backends have in common: the header that says what a kernel is, and the function that users call."""
from __future__ import annotations

from functools import reduce
from textwrap import indent, wrap

import sympy as sp

from mope_impl.codegen.ir import CHOSEN, Schedule
from mope_theory.spec import Input, KernelSpec, Layout
from mope_theory.symbols import Head

HEAD = """\
{title}.

Generated: do not edit. Change the specification and run
    mope generate {name} --backend {backend}
This file needs {needs} alone; it may be copied by itself into another code base.
It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
devices are validated by mope_impl/functional.

"""

WIDTH = 120

CUT_OFF = (
    "values and gradient summands are set to 0; values are below 2**-1074 there, and so are gradient summands up to the"
    " powers of those inputs that they are divided by"
)

LAYOUTS = '"half" for one channel after the other, "interleaved" for the channels of a pair side by side.'

CHOICE = '''\
    if layout not in ("half", "interleaved"):
        raise ValueError(f"layout: got {layout!r}, expected 'half' or 'interleaved'")
'''

PUBLIC = '''\
{signature}
    """{title}.

    Args:
{arguments}{choice}
        dtype: of the result; by default {source}.

    Returns:
        {shape}.

    Raises:
        ValueError: if {floats} {verb} not floating point, or dtype is not{unknown}.
    """
{checks}{choices}{defaults}    if dtype is None:
{promoted}
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {{dtype!r}}, expected a floating-point torch.dtype")
{body}'''


def header(spec: KernelSpec, backend: str, needs: str, accuracy: str) -> str:
    """The comment at the head of a file; ``accuracy`` is said of a kernel that states one."""
    heads = {h: h.definition() for c in spec.channels for h in sp.preorder_traversal(c) if isinstance(h, Head)}
    facts = [("Specification", spec.name), ("Claim", spec.claim), ("Formula hash", spec.digest)]
    facts += [("Symbols", ", ".join(map(_naming, spec.inputs)))]
    facts += [(f"Channel {k}", sp.sstr(c)) for k, c in enumerate(spec.channels)]
    facts += [("with", f"{sp.sstr(head)} = {sp.sstr(value)}") for head, value in heads.items()]
    form = spec.numerical
    if form is not None:
        facts += [("Computed as", ", ".join(map(sp.sstr, form.channels)))]
        facts += [("with", "; ".join(f"{z} = {sp.sstr(value)}" for z, value in form.bindings.items()))]
        if form.guard is not None:
            facts += [("Cut off", f"|{form.guard.variable}| > {form.guard.threshold}: {CUT_OFF}")]
    if spec.arithmetic == "inputs":
        facts += [("Arithmetic", "in the promoted dtype of the inputs, float32 at least")]
    if spec.accuracy:
        facts += [("Accuracy", accuracy.format(spec.accuracy))]
    lines = [*HEAD.format(title=spec.title, name=spec.name, backend=backend, needs=needs).splitlines()]
    for name, text in facts:
        lines += wrap(text, WIDTH - 2, initial_indent=f"{name:15}", subsequent_indent=" " * 15, break_on_hyphens=False)
    return "\n".join(f"# {line}".rstrip() for line in lines)


def public(spec: KernelSpec, body: str) -> str:
    """The function that users call: it checks dtypes, puts defaults in place and goes on with ``body``."""
    floats = [x for x in spec.inputs if x.kind != "number"]
    deciding = [x.name for x in floats if x.kind == "float"]
    chosen = spec.layout_is_chosen
    return PUBLIC.format(
        name=spec.name,
        signature=signature(spec),
        title=spec.title,
        arguments="\n".join(_argument(x) for x in spec.inputs),
        choice=f"\n        layout: {LAYOUTS}" if chosen else "",
        source=_source(deciding),
        floats=", ".join(x.name for x in floats),
        verb="are" if len(floats) > 1 else "is",
        unknown=", or layout is unknown" if chosen else "",
        checks="".join(map(_dtype_check, floats)),
        choices=CHOICE if chosen else "",
        shape=result_shape(spec),
        defaults="".join(_default(spec, x) for x in spec.inputs if x.default is not None),
        promoted=indent(_promoted(deciding), " " * 8),
        body=body,
    )


DIFFERENTIATED = "Saves what of its inputs the gradients read"
"""What is said of the ``torch.autograd.Function``."""


def saving(schedule: Schedule) -> str:
    """Statements that save the inputs; in the place of values that are not read, one number that has the shape of the input."""
    names, every = [x.name for x in schedule.spec.inputs], tuple(range(len(schedule.gradients)))
    if all(readers == every for readers in schedule.readers):
        return f"ctx.save_for_backward(*inputs[:{len(names)}])"
    lines = [f"{', '.join(names)}{',' if len(names) == 1 else ''} = inputs[:{len(names)}]", "needs = ctx.needs_input_grad"]
    lines.append("ctx.save_for_backward(")
    for name, readers in zip(names, schedule.readers, strict=True):
        shape = f"{name}.new_empty(()).expand({name}.shape)"
        asked = " or ".join(f"needs[{k}]" for k in readers)
        lines.append(f"    {name}," if readers == every else f"    {f'{name} if {asked} else {shape}' if asked else shape},")
    return "\n".join([*lines, ")"])


def returned(spec: KernelSpec) -> str:
    """The annotation of what the kernel returns."""
    separate = spec.layout == "separate" and len(spec.channels) > 1
    return f"tuple[{', '.join(['Tensor'] * len(spec.channels))}]" if separate else "Tensor"


def _naming(x: Input) -> str:
    channels = "channels of " if x.has_channels else ""
    return f"{', '.join(map(str, x.symbols))} = {channels}{x.name}"


def _source(names: list[str]) -> str:
    return f"that of {names[0]}" if len(names) == 1 else f"the promoted dtype of {', '.join(names)}"


def signature(spec: KernelSpec) -> str:
    """The head of the function that users call."""
    options = [f'layout: str = "{next(iter(CHOSEN))}"'] if spec.layout_is_chosen else []
    return wrapped(spec.name, [*map(_parameter, spec.inputs), "*", *options, "dtype: torch.dtype | None = None"], returned(spec))


def wrapped(name: str, parameters: list[str], returns: str) -> str:
    """The head of a function, on one line if that is short enough."""
    listed = ", ".join(parameters)
    line = f"def {name}({listed}) -> {returns}:"
    return line if len(line) <= WIDTH else f"def {name}(\n    {listed}\n) -> {returns}:"


def _parameter(x: Input) -> str:
    return f"{x.name}: Tensor" if x.default is None else f"{x.name}: Tensor | None = None"


def _argument(x: Input) -> str:
    missing = "" if x.default is None else f"; None stands for {x.default}"
    return f"        {x.name}: ({argument_shape(x)}) {x.doc}{missing}."


def argument_shape(x: Input) -> str:
    """The axes of an argument."""
    return _dims(_with_channels(x.own, x.layout, len(x.symbols)))


def _default(spec: KernelSpec, x: Input) -> str:
    peer = next(y.name for y in spec.inputs if y is not x and y.axes == x.axes and y.kind != "number")
    return f"    if {x.name} is None:\n        {x.name} = torch.full_like({peer}, {float(x.default or 0)!r})\n"


def _dtype_check(x: Input) -> str:
    """Written out for each input, so that it needs no name that an input could have."""
    given = "" if x.default is None else f"{x.name} is not None and "
    return (
        f"    if {given}not {x.name}.dtype.is_floating_point:\n"
        f'        raise ValueError(f"{x.name}: got {{{x.name}.dtype}}, expected a floating-point dtype")\n'
    )


def _promoted(names: list[str]) -> str:
    """Assignment of the promoted dtype: one expression, or one line a name if that is too long."""
    first, *rest = (f"{name}.dtype" for name in names)
    line = f"dtype = {reduce(lambda left, right: f'torch.promote_types({left}, {right})', rest, first)}"
    steps = [f"dtype = {first}", *(f"dtype = torch.promote_types(dtype, {other})" for other in rest)]
    return line if len(line) <= WIDTH else "\n".join(steps)


def _dims(axes: tuple[str, ...]) -> str:
    return f"{axes[0]},".replace(",,", ",") if len(axes) == 1 else ", ".join(axes)


def _with_channels(axes: tuple[str, ...], layout: Layout, count: int) -> tuple[str, ...]:
    """The axes of an array with its channels in it."""
    if layout == "separate":
        return axes
    return (*axes, str(count)) if layout == "stacked" else (*axes[:-1], f"{count}{axes[-1]}")


def result_shape(spec: KernelSpec) -> str:
    """The axes of the result, and where its channels are."""
    count = len(spec.channels)
    dims = f"({_dims(_with_channels(spec.axes, spec.layout, count))})"
    last = spec.axes[-1] if spec.axes else ""
    return dims + {
        "separate": f" for each of {count} channels" if count > 1 else "",
        "stacked": ", the channels last",
        "interleaved": f", channel k of {last} = i at {count}i + k",
        "halves": ", one channel after the other",
        "chosen": ", in the layout asked for",
    }[spec.layout]
