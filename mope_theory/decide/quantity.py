"""Opaque quantities: real unknowns that stand for terms outside the class.

An equation that holds for all values of the quantities holds for the terms that they stand for; the converse is not claimed.
"""
from __future__ import annotations

from typing import Any, ClassVar

import sympy as sp

KINDS: dict[str, dict[str, bool]] = {
    "real": {"real": True},
    "nonzero": {"real": True, "zero": False},
    "nonnegative": {"nonnegative": True},
    "positive": {"positive": True},
    "integer": {"integer": True},
    "natural": {"integer": True, "nonnegative": True},
    "counting": {"integer": True, "positive": True},
}
"""Kind of a quantity → what SymPy is told of it."""


class Opaque(sp.Symbol):
    """A real quantity, named by its key: equal keys stand for terms that are decided equal.

    ``depends`` holds the symbols that the term varies with (of an index, itself), ``level`` is above the numbers of the indices
    that are bound in it. ``relation`` is what is known besides: ("square", e), the quantity is √e; ("inverse", e), it is 1/e and
    e is never zero.
    """

    key: tuple[Any, ...]
    sort: str
    depends: frozenset[sp.Symbol]
    level: int
    relation: tuple[str, sp.Expr] | None
    told: tuple[object, ...]
    """All that it was made with: SymPy takes equal symbols for one."""
    _made: ClassVar[dict[tuple[object, ...], Opaque]] = {}
    """Each is made once: its name, which puts the quantities of a field in order, is long to write."""

    def __new__(
        cls,
        key: tuple[Any, ...],
        kind: str,
        depends: frozenset[sp.Symbol],
        level: int = 0,
        relation: tuple[str, sp.Expr] | None = None,
    ) -> Opaque:
        whole = (key, kind, depends, level, relation)
        known = cls._made.get(whole)
        if known is not None:
            return known
        self = sp.Symbol.__xnew__(cls, f"⟦{key}⟧", **KINDS[kind])
        self.told = whole
        self.key, self.sort, _, self.level, self.relation = whole
        self.depends = frozenset({self}) if key[0] == "index" else depends
        cls._made[whole] = self
        return self  # type: ignore[no-any-return]

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, object]]:
        raise TypeError("an opaque quantity lives in one process")

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), self.told)


def depends(*exprs: sp.Basic) -> frozenset[sp.Symbol]:
    """The free symbols of expressions, an opaque quantity taken for those that it varies with."""
    found: set[sp.Symbol] = set()
    for symbol in sp.Tuple(*exprs).free_symbols:
        found |= symbol.depends if isinstance(symbol, Opaque) else {symbol}
    return frozenset(found)


def complex_quantity(key: object, varies: frozenset[sp.Symbol], depth: int = 0, nonzero: bool = False) -> sp.Expr:
    """x + iy with two real quantities; e^{x + iy} where the value is never zero."""
    names = ("log modulus", "argument") if nonzero else ("re", "im")
    first, second = (Opaque((part, key), "real", varies, depth) for part in names)
    return sp.exp(first + sp.I * second) if nonzero else first + sp.I * second


def level(key: object) -> int:
    """The level of a quantity with a key: the largest of those in it."""
    parts = key if isinstance(key, tuple) else key.atoms(Opaque) if isinstance(key, sp.Basic) else ()
    return max((part.level if isinstance(part, Opaque) else level(part) for part in parts), default=0)


def renamed(x: Any, old: Opaque, new: Opaque) -> Any:
    """An expression, or the key of a quantity, with one index for another, within its quantities too."""
    if isinstance(x, tuple):
        return tuple(renamed(part, old, new) for part in x)
    if x == old:
        return new
    if isinstance(x, Opaque):
        if old not in x.depends:
            return x
        relation = x.relation and (x.relation[0], renamed(x.relation[1], old, new))
        return Opaque(renamed(x.key, old, new), x.sort, x.depends - {old} | {new}, x.level, relation)
    if isinstance(x, sp.Basic):
        return x.xreplace({q: renamed(q, old, new) for q in x.atoms(Opaque) if old in q.depends})
    return x
