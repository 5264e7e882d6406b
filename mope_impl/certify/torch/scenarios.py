"""How a kernel may be called: dtypes, layouts, numbers of leading axes, axes of size 1 and leading axes left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mope_theory.spec import Input, KernelSpec, Layout

from .tensors import FLOATS, Axis, promoted

LAYOUTS = ("half", "interleaved")


@dataclass(frozen=True)
class Scenario:
    """One way to call; ``given`` says axes and dtype of each input that is not left out."""

    given: dict[str, tuple[tuple[Axis, ...], str]]
    layout: str | None
    dtype: str | None
    every_pattern: bool
    outputs: tuple[Axis, ...]
    """Axes of the result, or of each of them."""
    result: str
    """The dtype of the result."""
    text: str


def scenarios(spec: KernelSpec) -> Iterator[Scenario]:
    """Every way that is tried; all 2ⁿ patterns of needed gradients go with the first of them in each layout and dtype."""
    layouts = LAYOUTS if spec.layout_is_chosen else (None,)
    for layout in layouts:
        for place, floats in enumerate(FLOATS[::-1]):
            dtypes = {x.name: floats for x in spec.inputs}
            if place:  # the first has numbers in floating point, so that they have gradients
                dtypes |= {x.name: "int64" for x in spec.inputs if x.kind == "number"}
            yield _scenario(spec, layout, _axes(spec, 1), dtypes, None, place == 0, f"all {floats}")
        mixed = {x.name: FLOATS[k % len(FLOATS)] for k, x in enumerate(spec.inputs)}
        yield _scenario(spec, layout, _axes(spec, 1), mixed, None, False, "mixed dtypes")
        plain = {x.name: "float32" for x in spec.inputs}
        for floats in FLOATS:
            yield _scenario(spec, layout, _axes(spec, 1), plain, floats, False, f"dtype={floats}")
        wide = {x.name: "float64" for x in spec.inputs}
        yield _scenario(spec, layout, _axes(spec, 1), wide, "float16", False, "float64, dtype=float16")
        for leading in (0, 2):
            yield _scenario(spec, layout, _axes(spec, leading), plain, None, False, f"{leading} leading axes")
        for text, axes in _broadcast(spec):
            yield _scenario(spec, layout, axes, plain, None, False, text)
        for x in spec.inputs:
            if x.default is not None:
                axes = _axes(spec, 1)
                del axes[x.name]
                yield _scenario(spec, layout, axes, plain, None, True, f"without {x.name}")


Places = dict[str, tuple[Axis, ...]]


def expanded(axes: tuple[str, ...], leading: int) -> tuple[Axis, ...]:
    """Axes with as many names as there are in place of a first ``*t``."""
    if axes and axes[0].startswith("*"):
        return (*(f"{axes[0][1:]}{k}" for k in range(leading)), *axes[1:])
    return axes


def _axes(spec: KernelSpec, leading: int) -> Places:
    return {x.name: expanded(x.own, leading) for x in spec.inputs}


def _broadcast(spec: KernelSpec) -> Iterator[tuple[str, Places]]:
    """Each axis of each input of size 1, each first axis left out, and each in one input alone, where another has that axis."""
    whole = _axes(spec, 1)
    for x in spec.inputs:
        own = whole[x.name]
        others = {axis for name, axes in whole.items() if name != x.name for axis in axes}
        last = len(own) - 1 if x.has_channels else len(own)
        for place, axis in enumerate(own[:last]):
            if axis in others:
                yield f"{x.name} with 1 for {axis}", {**whole, x.name: (*own[:place], 1, *own[place + 1 :])}
        if len(own) > 1 and own[0] in others:
            yield f"{x.name} without {own[0]}", {**whole, x.name: own[1:]}
        for axis in (a for a in own[:last] if a in others):
            for left_out in (False, True):
                rest = {y.name: _without(whole[y.name], axis, left_out) for y in spec.inputs if y is not x}
                if not any(y.has_channels and y.own[-1] == axis for y in spec.inputs if y is not x):
                    yield f"{axis} in {x.name} alone", {name: rest.get(name, own) for name in whole}


def _without(axes: tuple[Axis, ...], axis: Axis, left_out: bool) -> tuple[Axis, ...]:
    """Axes with 1 for one of them; or without it, where it is the first."""
    if left_out and len(axes) > 1 and axes[0] == axis:
        return axes[1:]
    return tuple(1 if a == axis else a for a in axes)


def laid_out(axes: tuple[Axis, ...], layout: Layout, chosen: str | None) -> tuple[Axis, ...]:
    """The axes of an array with its channels."""
    if layout == "chosen":
        layout = "halves" if chosen == "half" else "interleaved"
    if layout == "separate":
        return axes
    if layout == "stacked":
        return (*axes, "c")
    last = str(axes[-1])
    return (*axes[:-1], (last, "c") if layout == "interleaved" else ("c", last))


def _scenario(
    spec: KernelSpec, layout: str | None, axes: Places, dtypes: dict[str, str], dtype: str | None, every: bool, text: str
) -> Scenario:
    def arranged(x: Input) -> tuple[Axis, ...]:
        return laid_out(axes[x.name], x.layout, layout)

    given = {x.name: (arranged(x), dtypes[x.name]) for x in spec.inputs if x.name in axes}
    leading = max((sum(str(a)[:-1] == spec.axes[0][1:] for a in own) for own in axes.values()), default=0)
    result = dtype
    for x in spec.inputs:
        if x.kind == "float" and dtype is None:
            # what is left out takes the dtype of another input, all of which have one dtype then
            own = dtypes[x.name]
            result = own if result is None else promoted(result, own)
    outputs = laid_out(expanded(spec.axes, leading), spec.layout, layout)
    return Scenario(given, layout, dtype, every, outputs, str(result), text if layout is None else f"{text}, layout {layout}")
