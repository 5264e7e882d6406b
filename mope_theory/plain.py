"""What derivations and statements are made of: objects of SymPy and of this package, and nothing that was brought along.

A file of claims is Python. An object of a class of its own, or one with a method of its own, answers what it pleases whenever it
is asked. So the class of everything is one that its module knows by its name, and no object has more than its class gives it.
"""
from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import sympy as sp

from .statement import Exists, ForAll, Statement, TendsTo, UniformlyTendsTo
from .vocabulary.functions import Functions, Unknown

OWN = ("mope_theory.symbols", "mope_theory.vocabulary")
"""Modules of this package whose terms statements are made of."""
VALUES = (type(None), bool, int, str)
GIVEN = {"nargs", "_argset", "_args_set", "space"}
"""What SymPy, and an unknown function, keep with an object beside its arguments."""


def stranger(whole: object, classes: Collection[type] = (), apart: Collection[type] = ()) -> str:
    """The first thing of no known make in a derivation or a statement, in words; empty if there is none.

    ``classes`` are those of its parts; parts of the classes ``apart`` are taken as they are.
    """
    todo: list[Any] = [whole]
    seen: set[int] = set()
    while todo:
        part = todo.pop()
        kind: Any = type(part)
        if id(part) in seen or (kind in apart and part is not whole):
            continue
        seen.add(id(part))
        if kind is tuple:
            todo.extend(part)
        elif kind is dict:
            todo.extend(part.items())
        elif kind in classes:
            if vars(part).keys() != {field.name for field in fields(part)}:
                return f"{kind.__name__} with a method of its own"
            todo.extend(vars(part).values())
        elif isinstance(part, sp.Basic) and _is_known(kind):
            if not _is_as_made(part):
                return f"{kind.__name__} with something of its own"
            todo.extend(_inside(part))
        elif kind not in VALUES:
            return f"{kind.__name__} is not a rule of this calculus, nor of its language"
    return ""


@cache
def _is_known(kind: type) -> bool:
    """Is a class of terms one of SymPy's, or of this package's, by its name there?"""
    module = kind.__module__
    if not (module.split(".")[0] == "sympy" or module in OWN or module.startswith(f"{OWN[1]}.")):
        return False
    found: object = sys.modules.get(module)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind


def _is_as_made(part: sp.Basic) -> bool:
    extra = getattr(part, "__dict__", {})
    if type(part) is Unknown and hash(part) != hash(Unknown(part.name, part.space)):
        return False  # it ranges over another space than when it was made
    lattice = [extra[name] for name in ("_argset", "_args_set") if name in extra]
    return type(part.args) is tuple and extra.keys() <= GIVEN and all(type(x) in (frozenset, set) for x in lattice)


def _inside(part: sp.Basic) -> Iterator[object]:
    yield from part.args
    if type(part) is Unknown:
        yield part.space if type(part.space) is Functions else object()


def is_well_formed(statement: Statement) -> bool:
    """Whether it is made of statements, and no variable stands where it is not bound: in its range, in the point it goes to."""
    parts = (part for part in statement.parts() if isinstance(part, Statement))
    return statement.is_plain() and not _speaks_of_its_own(statement) and all(map(is_well_formed, parts))


def _speaks_of_its_own(statement: Statement) -> bool:
    if isinstance(statement, (ForAll, Exists)):
        return statement.var in statement.domain.free_symbols
    if isinstance(statement, TendsTo):
        return statement.var in statement.limit.free_symbols | statement.point.free_symbols
    if isinstance(statement, UniformlyTendsTo):
        fixed = statement.point.free_symbols | statement.domain.free_symbols
        own = {statement.var, statement.over}
        return len(own) < 2 or bool(own & fixed) or statement.var in statement.limit.free_symbols
    return False
