"""A hash over everything that decides a piece of evidence: the claim, what is given for it, the checker, the versions.

Objects are taken apart by their exact classes, never by how they print themselves: a class can print as it likes. What cannot
be taken apart has no hash, and evidence for it is not kept.
"""
from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType

import sympy as sp
from sympy.core.symbol import Str

import mope_theory
from mope_theory.claim import Claim

MATERIAL: dict[str, Callable[[Claim], tuple[object, ...]]] = {
    "derivation": lambda claim: tuple(claim.derivations),
    "enclosure": lambda claim: claim.enclosures,
}
"""Kind of evidence → what is given for it in the claim's file. Only these kinds are decided by the claim alone."""

THEORY = Path(mope_theory.__file__).parent
PROVIDERS = Path(__file__).parent / "providers"
DATA = (THEORY / "claims", THEORY / "specs")
"""Folders whose files hold claims and specifications: hashed as objects, but for the classes and functions they define."""

PACKAGES = ("sympy", "mpmath", "python-flint")
"""Libraries that a check runs through, taken by their versions."""


class NoHash(Exception):
    """An object that cannot be taken apart; the message names its class."""


def formula_hash(claim: Claim, kind: str) -> str:
    """SHA-256, in hexadecimal digits, of what decides the evidence of one kind; the same under every hash seed.

    Raises NoHash where something cannot be taken apart.
    """
    walk = _Walk()
    objects = walk.digest((claim.id, kind, claim.published, claim.ours, claim.box, MATERIAL[kind](claim)))
    own = [checker_digest(), objects, *(_file_digest(path) for path in sorted(walk.files))]
    return hashlib.sha256(b"".join(own)).hexdigest()


@cache
def checker_digest() -> bytes:
    """The source of everything that a check runs through, and the versions of what lies below it."""
    python = (sys.implementation.name, sys.version)
    versions = (*python, *(f"{name} {version(name)}" for name in PACKAGES))
    parts = [_sha(*(text.encode() for text in versions))]
    for path in checker_sources():
        parts += [path.name.encode(), _file_digest(path)]
    return _sha(*parts)


@cache
def checker_sources() -> tuple[Path, ...]:
    """The files of the checker, sorted: the theory without its claims, and the providers of evidence."""
    theory = (path for path in THEORY.rglob("*.py") if not any(folder in path.parents for folder in DATA))
    return tuple(sorted([*theory, *PROVIDERS.glob("*.py"), Path(__file__)]))


@cache
def data_sources() -> tuple[Path, ...]:
    """The files of the claims and specifications."""
    return tuple(sorted(path for folder in DATA for path in folder.rglob("*.py")))


def _sha(*parts: bytes) -> bytes:
    """Hash of a sequence: each part with its length, so that no two sequences run together."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return total.digest()


@cache
def _file_digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


class _Walk:
    """One walk over the objects of a claim; bound dummies are numbered as they are met, since their own numbers vary."""

    def __init__(self) -> None:
        self.files: set[Path] = set()
        """Files outside the checker that define a class or a function of the claim."""
        self._known: dict[int, tuple[object, bytes]] = {}
        self._dummies: dict[sp.Dummy, int] = {}

    def digest(self, value: object) -> bytes:
        """Hash of one object."""
        # The object is kept beside its hash: else its id could be given to another.
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = (value, _sha(*self._parts(value)))
        return known[1]

    def _parts(self, value: object) -> Iterator[bytes]:
        kind = type(value)
        if kind in (str, int, bool, float, type(None), Fraction):
            yield from (kind.__name__.encode(), repr(value).encode())
        elif isinstance(value, (type, FunctionType)):
            yield from (b"name", self._name(value))
        elif isinstance(value, tuple | list) and kind in (tuple, list):
            yield kind.__name__.encode()
            yield from map(self.digest, value)
        elif isinstance(value, Mapping):
            yield b"mapping"
            for pair in value.items():
                yield from map(self.digest, pair)
        elif isinstance(value, set | frozenset) and kind in (set, frozenset):
            yield b"set"
            yield from sorted(map(self.digest, value))
        elif isinstance(value, sp.Basic):
            yield from (b"expression", self._name(kind))
            yield from self._basic(value)
        elif is_dataclass(value):
            yield from (b"record", self._name(kind))
            for field in fields(value):
                yield from (field.name.encode(), self.digest(getattr(value, field.name)))
        else:
            raise NoHash(f"{kind.__module__}.{kind.__qualname__}")

    def _basic(self, value: sp.Basic) -> Iterator[bytes]:
        """What an expression is besides its class: its arguments, or what is in an atom."""
        if isinstance(value, sp.Dummy):
            yield self.digest((value.name, self._dummies.setdefault(value, len(self._dummies)), _assumptions(value)))
        elif isinstance(value, sp.Symbol):
            further = sorted(getattr(value, "__dict__", {}).items())
            yield self.digest((value.name, _assumptions(value), tuple(further)))
        elif isinstance(value, sp.Rational):
            yield self.digest((int(value.p), int(value.q)))
        elif isinstance(value, sp.Float):
            yield self.digest((tuple(map(int, value._mpf_)), value._prec))
        elif isinstance(value, Str):
            yield self.digest(value.name)
        elif value.args:
            yield from map(self.digest, value.args)
        else:
            yield self.digest(tuple(value._hashable_content()))

    def _name(self, thing: type | FunctionType) -> bytes:
        name, files = _origin(thing)
        self.files |= files
        return name


@cache
def _origin(thing: type | FunctionType) -> tuple[bytes, frozenset[Path]]:
    """The name of a class or a function, under which it must be found, and the files outside the checker that define it."""
    module = sys.modules.get(thing.__module__)
    found: object = module
    for part in thing.__qualname__.split("."):
        found = getattr(found, part, None)
    if found is not thing:
        raise NoHash(f"{thing.__module__}.{thing.__qualname__}")
    name = f"{thing.__module__}:{thing.__qualname__}".encode()
    if thing.__module__.partition(".")[0] in ("builtins", "sympy"):
        return name, frozenset()
    try:
        path = Path(inspect.getfile(thing))
    except TypeError:
        raise NoHash(f"{thing.__module__}.{thing.__qualname__}") from None
    if any(folder in path.parents for folder in DATA):
        return name, frozenset(data_sources())  # what it calls may be in any file beside it
    return name, frozenset() if path in checker_sources() else frozenset({path})


def _assumptions(symbol: sp.Symbol) -> tuple[tuple[str, bool], ...]:
    return tuple(sorted(symbol.assumptions0.items()))
