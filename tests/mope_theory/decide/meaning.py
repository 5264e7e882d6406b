"""What opaque quantities stand for, evaluated by mpmath: each from its key, apart from the code that made it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import sympy as sp

from mope_theory.decide.quantity import Opaque
from mope_theory.vocabulary.floating import Rounded, Ulp
from tests.mope_theory.claims.numeric import Point

FUNCTIONS: dict[str, Any] = {
    "exp": sp.exp, "cos": sp.cos, "sin": sp.sin, "log": sp.log, "root": sp.sqrt, "inverse": lambda x: 1 / x, "power": sp.Pow,
    "floor": sp.floor, "ceiling": sp.ceiling, "sign": sp.sign, "acos": sp.acos, "Rounded": Rounded, "Ulp": Ulp,
}  # fmt: skip
PARTS = {"re": mp.re, "im": mp.im, "log modulus": lambda z: mp.log(abs(z)), "argument": mp.arg}
"""Names of the two real quantities of a complex term."""
BOUND = ("sum", "sum, cos", "sum, sin", "product")


UNSPECIFIED = mp.mpc(17, 5) / 7
"""ln 0 has some complex value that nothing may be said of."""


class Meaning(Point):
    """Values of expressions in which opaque quantities occur."""

    def value(self, e: Any) -> Any:
        if isinstance(e, sp.log) and self.value(e.args[0]) == 0:
            return UNSPECIFIED
        if isinstance(e, (Opaque, tuple)):
            out = mp.mpmathify(self.quantity(e if isinstance(e, tuple) else e.key, e))
        else:
            out = mp.mpmathify(super().value(e))
        return mp.re(out) if abs(mp.im(out)) <= mp.mpf(10) ** (6 - mp.mp.dps) * (1 + abs(out)) else out

    def remembered(self, e: sp.Basic, compute: Callable[[sp.Basic], Any]) -> Any:
        return compute(e)  # an index inside a quantity is no free symbol

    def quantity(self, key: tuple[Any, ...], whole: Any) -> Any:
        name, *rest = key
        if name == "index":
            return self.symbol(whole)
        if name in PARTS:
            return PARTS[name](self.value(rest[0]))
        if name in BOUND:
            return self.bound(name, *rest)
        if name == "value":
            return super().value(rest[0](*rest[1:]))
        if name in ("written", "branches"):
            return super().value(rest[0])
        if name in ("Max", "Min"):
            return {"Max": max, "Min": min}[name](map(self.value, rest[0]))
        values = [self.value(x) for x in rest]
        symbols = [sp.Dummy(f"x{n}") for n in range(len(rest))]  # the arguments by themselves, so that SymPy rewrites nothing
        self.values |= {symbol.name: x for symbol, x in zip(symbols, values, strict=True)}
        return self.value(FUNCTIONS[name](*symbols))

    def bound(self, name: str, k: Opaque, lower: sp.Expr, upper: sp.Expr, *inside: sp.Expr) -> Any:
        first, last = (int(mp.nint(mp.re(self.value(x)))) for x in (lower, upper))
        terms = [[self.at(k, mp.mpf(n), x) for x in inside] for n in range(first, last + 1)]
        if name == "product":
            return mp.fprod(factor for (factor,) in terms)
        turn = {"sum": lambda: 1, "sum, cos": mp.cos, "sum, sin": mp.sin}[name]
        return mp.fsum(factor * mp.exp(growth) * turn(*angle) for factor, growth, *angle in terms)
