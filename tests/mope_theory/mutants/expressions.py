"""Mutants of terms: every term that arises by one small slip at one place."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from mope_theory.vocabulary.functions import Partial, Value

EPS = 1 + sp.Rational(1, 10**12)
EXCHANGED = {sp.cos: sp.sin, sp.sin: sp.cos, sp.Max: sp.Min, sp.Min: sp.Max, sp.re: sp.im, sp.im: sp.re, sp.floor: sp.ceiling}
Mutator = Callable[[sp.Basic], Iterable[sp.Basic]]


@dataclass
class Pick:
    """Chooses at most so many of several mutants, the same ones in every run."""

    most: int
    seed: int = 0

    def __call__(self, choices: Sequence[Any]) -> Sequence[Any]:
        if len(choices) <= self.most:
            return choices
        self.seed += 1
        return random.Random(self.seed).sample(choices, self.most)

    def shuffled(self, choices: list[Any]) -> list[Any]:
        self.seed += 1
        random.Random(self.seed).shuffle(choices)
        return choices


def _sign(e: sp.Basic) -> Iterator[sp.Basic]:
    if e.is_Add:
        yield from (e - 2 * term for term in e.args)
    elif e.is_Mul:
        yield -e


def _index(e: sp.Basic) -> Iterator[sp.Basic]:
    """k for −k in a difference of two symbols; the next place in a function on whole numbers."""
    if e.is_Add and len(e.args) == 2 and all(a.is_Symbol or (-a).is_Symbol for a in e.args):
        yield e.args[0] - e.args[1]
    if isinstance(e, Value):
        function, *places = e.args
        yield from (Value(function, *places[:n], p + 1, *places[n + 1 :]) for n, p in enumerate(places) if p.is_integer)


def _range(e: sp.Basic) -> Iterator[sp.Basic]:
    """A sum or a product of one term more or less at either end, an integral with an end moved by 1."""
    if isinstance(e, (sp.Sum, sp.Product, sp.Integral)):
        for n, (x, first, last) in enumerate(e.limits):
            ends = [(first + 1, last)] if first.is_finite else []
            ends += [(first, last - 1)] if last.is_finite else []
            yield from (e.func(e.function, *e.limits[:n], (x, *pair), *e.limits[n + 1 :]) for pair in ends)


def _number(e: sp.Basic) -> Iterator[sp.Basic]:
    if isinstance(e, sp.Rational):
        yield from (e + 1, e - 1) if e.is_Integer else (sp.Rational(e.p, e.q + 1), sp.Rational(e.p + 1, e.q))


MUTATORS: dict[str, Mutator] = {
    "sign turned": _sign,
    "factor 1 + 10⁻¹²": lambda e: [e * EPS] if e.is_Mul or e.is_Pow or isinstance(e, sp.exp) else [],
    "exponent raised": lambda e: [e.base ** (e.exp + 1)] if e.is_Pow and e.exp.is_Integer else [],
    "square for a width": lambda e: [e**2] if e.is_Symbol and e.is_positive and not e.is_integer else [],
    "conjugate dropped": lambda e: [e.args[0]] if isinstance(e, sp.conjugate) else [],
    "modulus dropped": lambda e: [e.args[0]] if isinstance(e, sp.Abs) else [],
    "function exchanged": lambda e: [EXCHANGED[e.func](*e.args)] if e.func in EXCHANGED else [],
    "index": _index,
    "range of a sum or an integral": _range,
    "number": _number,
}


def _open(e: sp.Basic) -> range:
    """Arguments below which something may be changed: not what is bound there, nor a whole exponent or a name of a function."""
    if isinstance(e, (sp.Integral, sp.Sum, sp.Product, sp.Derivative)):
        return range(1)
    if e.is_Pow:
        return range(1 if e.exp.is_Integer else 2)
    return range(2 if isinstance(e, Partial) else 1 if isinstance(e, (Value, sp.Lambda)) else 0, len(e.args))


def _paths(e: sp.Basic, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], sp.Basic]]:
    """(where, what stands there) for all that may be changed."""
    yield path, e
    for k in _open(e):
        yield from _paths(e.args[k], (*path, k))


def _put_together(e: sp.Basic, path: tuple[int, ...], new: sp.Basic) -> sp.Basic:
    if not path:
        return new
    k, *rest = path
    return e.func(*e.args[:k], _put_together(e.args[k], tuple(rest), new), *e.args[k + 1 :])


def mutants(e: sp.Basic, kind: str, pick: Pick) -> list[sp.Basic]:
    """Distinct mutants of one kind, those that are picked."""
    found: dict[sp.Basic, None] = {}
    for path, part in pick.shuffled(list(_paths(e))):
        for new in pick(list(MUTATORS[kind](part))):
            try:
                changed = _put_together(e, path, new)
            except (ValueError, TypeError, AttributeError):
                continue  # what cannot even be written down
            if changed != e and not changed.has(sp.zoo, sp.nan):
                found[changed] = None
            if len(found) == pick.most:  # SymPy takes long to put a term together: no more than are asked for
                return list(found)
    return list(found)
