"""The core of a rotation with an envelope, (c x₀ − s x₁) e: our bound beside that of Gappa, which shares nothing with ours."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.mope_impl.certify.programs import Case, Writer

FORMATS = {"float64": "ieee_64", "float32": "ieee_32"}
RECORDED = {
    ("float64", "float64"): 3 * 2.0**-53,
    ("float64", "float32"): 536870915 * 2.0**-53,
    ("float32", "float32"): 3 * 2.0**-24,
}
"""Bounds of Gappa 1.4.1, by the dtype of the arithmetic and that of the result."""
BOX = {"c": (-1.0, 1.0), "s": (-1.0, 1.0), "x": (-1.0, 1.0), "y": (-1.0, 1.0), "e": (0.0, 1.0)}


def question(inner: str, outer: str) -> str:
    """The same expression for Gappa."""
    variables = "\n".join(f"{name} = inner({name}_);" for name in BOX)
    ranges = " /\\ ".join(f"{name} in [{low},{high}]" for name, (low, high) in BOX.items())
    return f"""
@inner = float<{FORMATS[inner]}, ne>;
@outer = float<{FORMATS[outer]}, ne>;
{variables}
computed = outer(inner(inner(inner(c * x) - inner(s * y)) * e));
exact = (c * x - s * y) * e;
{{ {ranges} -> computed - exact in ? }}
"""


def ours(inner: str, outer: str) -> float:
    w = Writer()
    c, s, x, y, e = (w.leaf(name, inner) for name in BOX)
    core = w.mul(w.sub(w.mul(c, x), w.mul(s, y)), e)
    return Case("core", core if inner == outer else w.to(core, outer), BOX, budget=4000).bound()


@pytest.mark.requires("gappa")
@pytest.mark.parametrize("inner, outer", RECORDED)
def test_gappa_finds_the_recorded_bound(inner, outer):
    path = shutil.which("gappa")
    done = subprocess.run([path], input=question(inner, outer), capture_output=True, text=True, check=True)
    found = re.search(r"computed - exact in \[-?([^ ,{]+)(?: \{[^}]*\})?, ([^ \]{]+)(?: \{[^}]*\})?\]", done.stdout + done.stderr)
    assert found, done.stdout + done.stderr
    assert number(found[2]) == RECORDED[inner, outer]


def number(text: str) -> float:
    """A number as Gappa writes it: 17b-56 is 17·2⁻⁵⁶."""
    top, _, power = text.partition("b")
    return float(top) * 2.0 ** int(power or 0)


@pytest.mark.parametrize("inner, outer", RECORDED)
def test_our_bound_is_at_most_twice_that_of_gappa(inner, outer):
    assert 0 < ours(inner, outer) <= 2 * RECORDED[inner, outer]
