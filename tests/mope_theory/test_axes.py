"""Axes as they are written, and where the channels go."""
from __future__ import annotations

import pytest

from mope_theory.axes import SpecError, parse_layout


@pytest.mark.parametrize(
    "text, axes, layout",
    [
        ("", (), "separate"),
        ("*t n", ("*t", "n"), "separate"),
        ("*t n c", ("*t", "n"), "stacked"),
        ("c", (), "stacked"),
        ("*t (n c)", ("*t", "n"), "interleaved"),
        ("*t (c n)", ("*t", "n"), "halves"),
        ("*b h t [n c]", ("*b", "h", "t", "n"), "chosen"),
        ("[n c]", ("n",), "chosen"),
        ("(*n c)", ("*n",), "interleaved"),
    ],
)
def test_what_is_read(text, axes, layout):
    assert parse_layout(text, "here") == (axes, layout)


@pytest.mark.parametrize(
    "text",
    ["[c n]", "[n m]", "[n c", "n c]", "[n] c", "[n c] t", "(n c) [m c]", "*t (c c)", "[c c]", "t c [n c]", "t (t c)",
     "t *n [m c]", "(n c]", "[n c)", "[n c k]", "[n  c]", "t [lambda c]", "((n c))", "[n c]\n"],
)  # fmt: skip
def test_anything_else_is_refused(text):
    with pytest.raises(SpecError, match="here"):
        parse_layout(text, "here")
