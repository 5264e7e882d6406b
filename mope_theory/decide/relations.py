"""What is known of roots and of inverses: (√q)² = q, and e · 1/e = 1 for an e that is never zero.

A normal form treats its quantities as independent. Here the relations are used, to bring forms together that differ before.
"""
from __future__ import annotations

from typing import Any

import sympy as sp

from .field import Element, Field, Refused
from .normal_form import NormalForm, constant, exponential, normal_form, total
from .quantity import Opaque


def _related(own: NormalForm, kind: str = "") -> list[Opaque]:
    """The quantities with a relation that occur, those first in whose relations others occur."""
    found = [
        s
        for s, k in own.field.index.items()
        if isinstance(s, Opaque) and s.relation and kind in s.relation[0] and any(x.has(k) for t in own.terms.items() for x in t)
    ]
    return sorted(found, key=_depth, reverse=True)


def _depth(symbol: sp.Symbol) -> int:
    if not isinstance(symbol, Opaque) or not symbol.relation:
        return 0
    return 1 + max(map(_depth, symbol.relation[1].free_symbols), default=0)


def reduced(own: NormalForm) -> NormalForm:
    """With q for (√q)² in numerators."""
    for quantity in _related(own, "square"):
        k, step = _generator(own.field, quantity, 2)
        if any(powers[k] >= step for pair in own.terms.items() for x in pair for powers in x.num):
            own = _without_squares(own, quantity, k, step)
    return own


def _generator(f: Field, quantity: Opaque, power: int) -> tuple[int, int]:
    """Number of the generator of a quantity, and the power of the generator that is this power of the quantity."""
    k = f.index[quantity]
    return k, power * (2 if k in f.rooted else 1)


def _without_squares(own: NormalForm, quantity: Opaque, k: int, step: int) -> NormalForm:
    assert quantity.relation
    square = normal_form(quantity.relation[1], own.field)

    def terms(p: Element, c: Element) -> NormalForm:
        parts = total(own.field, (constant(x) * square**n for n, x in _by_powers(c, k, step).items()))
        return exponential(_exponent(p, square, k, step), own.field.one) * parts

    return total(own.field, (terms(p, c) for p, c in own.terms.items()))


def _exponent(p: Element, square: NormalForm, k: int, step: int) -> Element:
    """An exponent in which the relation is used too, where that leaves it without exponentials."""
    try:
        q = square.element()
    except Refused:
        return p
    return sum((x * q**n for n, x in _by_powers(p, k, step).items()), start=p.field.zero)


def _by_powers(x: Element, k: int, step: int) -> dict[int, Element]:
    """x = Σ_n x_n · g^{n·step} with less than g^step in the numerator of each x_n."""
    parts: dict[int, dict[tuple[int, ...], Any]] = {}
    for powers, c in x.num.iterterms():
        n, rest = divmod(powers[k], step)
        parts.setdefault(n, {})[(*powers[:k], rest, *powers[k + 1 :])] = c
    return {n: x.field.make(x.field.ring.from_dict(part), x.den) for n, part in parts.items()}


def cleared(own: NormalForm) -> NormalForm:
    """The form times something that is never zero, with the relations used."""
    for quantity in _related(own):
        assert quantity.relation
        own = _numerators(own)
        if quantity.relation[0] == "square":
            own = reduced(own)
            continue
        k, step = _generator(own.field, quantity, 1)
        value = normal_form(quantity.relation[1], own.field)
        highest = max((powers[k] // step for c in own.terms.values() for powers in c.num), default=0)
        own = total(own.field, (
            NormalForm(own.field, {p: part}) * value ** (highest - n)
            for p, c in own.terms.items() for n, part in _by_powers(c, k, step).items()
        ))  # fmt: skip
    return own


def _numerators(own: NormalForm) -> NormalForm:
    """The form times a common denominator, which is never zero: denominators are refused where they may be."""
    f = own.field
    common = f.ring.one
    for c in own.terms.values():
        common = common.lcm(c.den)
    return NormalForm(f, {p: f.make(c.num * common.exquo(c.den), f.ring.one) for p, c in own.terms.items()})
