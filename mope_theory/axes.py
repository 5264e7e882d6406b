"""Named axes, as einops and jaxtyping write them, and where the channels of an array lie among them."""
from __future__ import annotations

import keyword
import re
from typing import Literal

Layout = Literal["interleaved", "halves", "chosen", "stacked", "separate"]


class SpecError(ValueError):
    """A specification that cannot be turned into a kernel; the message names the part at fault."""


def checked_name(name: object, part: str) -> str:
    """The name, if it is a Python identifier and no keyword; nothing else may reach generated code.

    Raises SpecError otherwise.
    """
    if not isinstance(name, str) or not name.isascii() or not name.isidentifier() or keyword.iskeyword(name):
        raise SpecError(f"{part}: got {name!r}, expected an ASCII Python identifier that is not a keyword")
    return name


def parse_axes(text: str, part: str) -> tuple[str, ...]:
    """Axes of an array without channels: ``"n"``, ``"t n"``; a first ``"*t"`` is any number of axes.

    Raises SpecError for a malformed or repeated axis.
    """
    axes = tuple(text.split())
    for place, axis in enumerate(axes):
        checked_name(axis.removeprefix("*") if place == 0 else axis, f"{part}, axes {text!r}")
    if len({axis.removeprefix("*") for axis in axes}) < len(axes):
        raise SpecError(f"{part}, axes {text!r}: an axis occurs twice")
    return axes


def parse_layout(text: str, part: str) -> tuple[tuple[str, ...], Layout]:
    """Axes of one channel, and where the channels go; ``c`` is their axis.

    ``"*t (n c)"`` puts the channels of one n side by side, ``"*t (c n)"`` one after the other, ``"*t n c"`` into an axis of
    their own. ``"*t [n c]"`` leaves the choice between the first two to the caller. Without ``c`` every channel is an array
    by itself.

    Raises SpecError for anything else.
    """
    match = re.fullmatch(r"(?P<lead>[^()\[\]]*)(?P<group>\((\S+) (\S+)\)|\[(\S+) c\])", text)
    if match is None:
        axes = parse_axes(text, part)
        if "c" not in axes:
            return axes, "separate"
        if axes[-1] != "c":
            raise SpecError(f"{part}: the channel axis c must be the last of {text!r}")
        return axes[:-1], "stacked"
    one, two = match["group"][1:-1].split()
    if (one == "c") == (two == "c"):
        raise SpecError(f"{part}: the group of {text!r} must be the last axis and the channel axis c")
    axes = parse_axes(f"{match['lead']}{two if one == 'c' else one}", part)
    if "c" in axes:
        raise SpecError(f"{part}: the channel axis c occurs twice in {text!r}")
    if match["group"].startswith("["):
        return axes, "chosen"
    return axes, "halves" if one == "c" else "interleaved"
