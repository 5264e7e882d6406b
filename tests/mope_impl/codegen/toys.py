"""Small specifications that reach every layout and every operation, and a loader for generated text."""
from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from types import ModuleType

import mpmath
import sympy as sp
from sympy import cos, exp, log, pi, sin, sqrt

from mope_impl.codegen import generate
from mope_theory.spec import Input, KernelSpec

x, y = sp.symbols("x y", real=True)
t, w, s = sp.symbols("t w s", real=True)

SCALED = KernelSpec("scaled", "Constants beside an input", "toy", (Input("x", x, "*t"),),
                    (sqrt(2) * x, sqrt(pi) * x, x * log(10000), x / 3 + pi, x * exp(-18)), "*t c")  # fmt: skip
ROTATION = KernelSpec("rotation", "Rotation matrix, row by row", "toy", (Input("x", x, "*t"),),
                      (cos(x), -sin(x), sin(x), cos(x)), "*t c")  # fmt: skip
UNUSED = KernelSpec("unused", "Constant in one input", "toy", (Input("x", x, "t"), Input("y", y, "n")), (cos(x),), "t n")
ONE = KernelSpec("one", "Constant in every input", "toy", (Input("x", x, "*t"),), (sp.Integer(1),), "*t")
PAIR = KernelSpec("pair", "Two results", "toy", (Input("x", x, "*t"),), (cos(x), sin(x) * x), "*t")
HALVES = replace(PAIR, name="halves", inputs=(Input("x", x, "*t"), Input("y", y, "n")), channels=(x * y, x + y),
                 output="*t (c n)")  # fmt: skip
INTERLEAVED = replace(HALVES, name="interleaved", output="*t (n c)")
HEADS = KernelSpec("heads", "A frequency for each head and channel", "toy",
                   (Input("t", t, "t", kind="number"), Input("w", w, "h d"), Input("s", s, "h")),
                   (cos(w * t) * s,), "h t d")  # fmt: skip
DISTANCE = KernelSpec("distance", "Linear bias in the distance", "toy", (Input("x", x, "*t", kind="number"), Input("s", s, "")),
                      (-s * sp.Abs(x) + x**3 / (1 + s**2),), "*t")  # fmt: skip
u, v = sp.symbols("u v", real=True)
TURNED = KernelSpec("turned", "Pairs turned, in either layout", "toy",
                    (Input("x", (u, v), "*t [n c]"), Input("t", t, "*t", kind="number"), Input("w", w, "n", kind="parameter")),
                    (u * cos(w * t) - v * sin(w * t), u * sin(w * t) + v * cos(w * t)), "*t [n c]")  # fmt: skip
SWAPPED = KernelSpec("swapped", "Halves in, interleaved out", "toy", (Input("x", (u, v), "*t (c n)"),), (v, u), "*t (n c)")
ROWS = KernelSpec("rows", "Three channels last, scaled by row", "toy", (Input("x", (u, v, t), "*t n c"), Input("w", w, "*t")),
                  (u * v * w, u), "*t (n c)")  # fmt: skip
TOYS = (SCALED, ROTATION, UNUSED, ONE, PAIR, HALVES, INTERLEAVED, HEADS, DISTANCE, TURNED, SWAPPED, ROWS)

_count = itertools.count()


def load(text: str) -> ModuleType:
    """A fresh module from source text, run in memory."""
    module = ModuleType(f"generated_in_a_test_{next(_count)}")
    sys.modules[module.__name__] = module
    exec(compile(text, f"<{module.__name__}>", "exec"), module.__dict__)
    return module


def kernel(spec: KernelSpec):
    """The generated function of a specification."""
    return getattr(load(generate(spec)), spec.name)


def packet(b: float, omega: float, sigma: float, center: float = 0.0) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Real and imaginary part of ψ to 60 digits at the exact binary values given; written apart from every printer."""
    with mpmath.workdps(60):
        position, frequency = mpmath.mpf(b), mpmath.mpf(omega)
        z = (position - mpmath.mpf(center)) / mpmath.mpf(sigma)
        envelope = mpmath.exp(-z * z / 2)
        return envelope * mpmath.cos(frequency * position), envelope * mpmath.sin(frequency * position)
