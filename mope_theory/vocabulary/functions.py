"""Unknown functions: names that a statement quantifies over, their values, and the sets that they range over.

A sequence, a matrix or a wave function that a statement leaves open is an `Unknown`. It is a symbol, so that a box and a
quantifier can range over it, and its value at a point is an expression, so that a formula can use it. Replacing the unknown
by a ``Lambda`` evaluates every value: that is how a counterexample is put in.
"""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import ArgumentIndexError
from sympy.core.symbol import Str

from ..substitution import put


class Functions(sp.Set):
    """Functions from a domain to a codomain; with a kind, those that are of class C¹, or the square-integrable ones (L²)."""

    KINDS = ("", "C^{1}", "L^{2}")

    def __new__(cls, domain: sp.Set, codomain: sp.Set, kind: str | Str = "") -> Functions:
        if str(kind) not in cls.KINDS:
            raise ValueError(f"no set of functions of kind {kind!r}")
        return sp.Basic.__new__(cls, domain, codomain, Str(str(kind)))  # type: ignore[no-any-return]

    @property
    def domain(self) -> sp.Set:
        return self.args[0]

    @property
    def codomain(self) -> sp.Set:
        return self.args[1]

    @property
    def kind(self) -> str:
        return str(self.args[2])

    @property
    def is_inhabited(self) -> bool:
        """True only if there plainly is one, whatever symbols stand for: the constant 0, or, but for L², the constant 1."""
        constants = (sp.S.Zero,) if self.kind == "L^{2}" else (sp.S.Zero, sp.S.One)
        return not self.free_symbols and any(self.codomain.contains(value) == sp.true for value in constants)

    def _contains(self, other: Any) -> Any:
        return sp.S.true if isinstance(other, Unknown) and other.space.is_subset(self) else None

    def _eval_is_subset(self, other: Any) -> bool | None:
        if not isinstance(other, Functions) or self.domain != other.domain or other.kind not in ("", self.kind):
            return None
        return True if self.codomain.is_subset(other.codomain) else None

    def _latex(self, printer: Any) -> str:
        domain, codomain = printer._print(self.domain), printer._print(self.codomain)
        if self.kind:
            return rf"{self.kind}\left({domain}, {codomain}\right)"
        base = codomain if self.codomain in (sp.S.Reals, sp.S.Complexes, sp.S.Integers) else rf"\left({codomain}\right)"
        return rf"{base}^{{{domain}}}"

    def _sympystr(self, printer: Any) -> str:
        kind = {"C^{1}": "C¹ ", "L^{2}": "L² "}.get(self.kind, "")
        return f"{kind}functions {printer._print(self.domain)} → {printer._print(self.codomain)}"


class Unknown(sp.Symbol):
    """A name for a function that a statement leaves open; calling it gives its value at a point."""

    space: Functions

    def __new__(cls, name: str, space: Functions) -> Unknown:
        self = sp.Symbol.__xnew__(cls, name)
        self.space = space
        return self  # type: ignore[no-any-return]

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, object]]:
        return (self.name, self.space), {}

    def _hashable_content(self) -> tuple[object, ...]:
        return (*super()._hashable_content(), self.space)

    def __call__(self, *arguments: Any) -> Any:
        return Value(self, *arguments)


class Value(sp.Function):
    """f(x, …) for an unknown f; a ``Lambda`` in the place of f is evaluated."""

    @classmethod
    def eval(cls, function: sp.Basic, *arguments: sp.Expr) -> sp.Expr | None:
        if not isinstance(function, sp.Lambda):
            return None
        return put(function.expr, dict(zip(function.variables, arguments, strict=True)))

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        function, *arguments = self.args
        if not isinstance(function, Unknown) or function.space.kind != "C^{1}":
            raise ArgumentIndexError(self, argindex)
        return Partial(function, sp.Integer(argindex - 1), *arguments)

    def _values_in(self, numbers: sp.Set) -> bool | None:
        function = self.args[0]
        return True if isinstance(function, Unknown) and function.space.codomain.is_subset(numbers) else None

    def _eval_is_complex(self) -> bool | None:
        return self._values_in(sp.S.Complexes)

    def _eval_is_real(self) -> bool | None:
        return self._values_in(sp.S.Reals)

    def _eval_is_integer(self) -> bool | None:
        return self._values_in(sp.S.Integers)

    def _eval_is_nonnegative(self) -> bool | None:
        return self._values_in(sp.Interval(0, sp.oo))

    def _eval_is_positive(self) -> bool | None:
        return self._values_in(sp.Interval.open(0, sp.oo))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        function, *arguments = self.args
        name, inside = printer._print(function), ", ".join(map(printer._print, arguments))
        discrete = isinstance(function, Unknown) and function.space.domain in INDEXED
        name = f"{{{name}}}" if discrete and "_" in name else name  # TeX refuses a second index on the same letter
        value = rf"{name}_{{{inside}}}" if discrete else rf"{name}\left({inside}\right)"
        if exp is None:
            return value
        return rf"{value}^{{{exp}}}" if discrete else rf"{{{value}}}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        function, *arguments = map(printer._print, self.args)
        return f"{function}({', '.join(arguments)})"


class Partial(sp.Function):
    """∂_i f(x, …), the partial derivative of an unknown f by its argument of number i; a ``Lambda`` is differentiated."""

    @classmethod
    def eval(cls, function: sp.Basic, number: sp.Integer, *arguments: sp.Expr) -> sp.Expr | None:
        if not isinstance(function, sp.Lambda):
            return None
        variables = function.variables
        slope = sp.diff(function.expr, variables[int(number) - 1])
        return put(slope, dict(zip(variables, arguments, strict=True)))

    def _eval_is_real(self) -> bool | None:
        function = self.args[0]
        known = isinstance(function, Unknown) and function.space.kind == "C^{1}"
        return True if known and function.space.codomain.is_subset(sp.S.Reals) else None

    def _latex(self, printer: Any, exp: Any = None) -> str:
        function, number, *arguments = map(printer._print, self.args)
        value = rf"\partial_{{{number}}} {function}\left({', '.join(arguments)}\right)"
        return value if exp is None else rf"\left({value}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        function, number, *arguments = map(printer._print, self.args)
        return f"∂{number} {function}({', '.join(arguments)})"


class Indices(sp.Range):
    """{0, …, count − 1}, printed as such even where the count is a symbol."""

    def __new__(cls, *bounds: Any) -> Indices:
        return super().__new__(cls, *bounds)  # type: ignore[no-any-return]

    def _latex(self, printer: Any) -> str:
        first, last = printer._print(self.start), printer._print(self.stop - 1)
        between = {1: "", 2: f", {last}"}.get(self.stop - self.start, rf", \ldots, {last}")
        return rf"\left\{{{first}{between}\right\}}"

    def _sympystr(self, printer: Any) -> str:
        return f"{{{printer._print(self.start)}, …, {printer._print(self.stop - 1)}}}"


SEQUENCES = sp.S.Naturals0
MATRICES = sp.ProductSet(sp.S.Naturals0, sp.S.Naturals0)
INDEXED = (SEQUENCES, MATRICES)
"""Domains whose elements are written as subscripts."""
