"""What an expression consists of, and which opaque quantities are put for its terms outside the class.

A handler (``HANDLERS``) gives a term a stand-in: an expression of the class over opaque quantities whose kind it establishes.
A term without a handler is refused. Nothing is rebuilt: the normal form looks stand-ins up, so that no term is cancelled
before it is seen that a denominator does not vanish.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import sympy as sp

from ..assumptions import admitted, is_real_kind
from ..symbols import Head
from ..vocabulary.functions import Unknown
from ..vocabulary.measured import Measured
from .field import Field, Refused
from .normal_form import NormalForm, definition_of, expression, normal_form
from .quantity import Opaque, complex_quantity, depends, level
from .relations import reduced

Handler = Callable[[sp.Expr], sp.Expr]
HANDLERS: dict[type, Handler] = {}

TRANSPARENT = (sp.Add, sp.Mul, sp.conjugate, sp.re, sp.im)
"""In the class whatever is inside."""
TRIED = (sp.exp, sp.cos, sp.sin, sp.cosh, sp.sinh, sp.Abs)
"""In the class for some arguments."""


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Register a handler for terms of exactly these classes."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


@dataclass(frozen=True)
class Parts:
    """Symbols, primes below roots, and stand-ins that the normal form of an expression needs."""

    symbols: frozenset[sp.Symbol] = frozenset()
    primes: frozenset[int] = frozenset()
    stand_ins: Mapping[sp.Expr, sp.Expr] = field(default_factory=dict)

    @staticmethod
    def union(parts: Iterable[Parts]) -> Parts:
        symbols: set[sp.Symbol] = set()
        primes: set[int] = set()
        stand_ins: dict[sp.Expr, sp.Expr] = {}
        for part in parts:
            symbols |= part.symbols
            primes |= part.primes
            stand_ins |= part.stand_ins
        return Parts(frozenset(symbols), frozenset(primes), stand_ins)

    def field(self) -> Field:
        ordered = sorted(self.symbols, key=lambda symbol: (symbol.name, symbol.sort if isinstance(symbol, Opaque) else ""))
        return _field(tuple(ordered), tuple(sorted(self.primes)), tuple(self.stand_ins.items()))


@cache
def _field(
    symbols: tuple[sp.Symbol, ...], primes: tuple[int, ...], stand_ins: tuple[tuple[sp.Expr, sp.Expr], ...]
) -> Field:
    return Field(symbols, primes, dict(stand_ins))


ALWAYS = Parts(primes=frozenset({2, 3}))


@cache
def parts(e: sp.Expr, integrals: bool = False) -> Parts:
    """What the normal form of an expression needs; with ``integrals`` also what a lemma on those inside needs.

    Raises Refused for a term that has no handler.
    """
    kind = type(e)
    if e.is_Rational or e in (sp.I, sp.pi, sp.E):
        return ALWAYS
    if isinstance(e, sp.Symbol):
        return _symbol(e)
    if isinstance(e, Head) and kind not in HANDLERS:
        return parts(definition_of(e), integrals)
    inside = [a for a in e.args if isinstance(a, sp.Expr)]
    if kind in TRANSPARENT:
        return Parts.union(parts(a, integrals) for a in inside)
    if kind is sp.Derivative:
        return Parts.union([*(parts(a, integrals) for a in inside), *map(_symbol, e.variables)])
    if kind is sp.Integral and integrals:
        return Parts.union([_attempt(parts, e.function, True), _attempt(_replaced, e)])
    if kind in TRIED or (kind is sp.Pow and e.exp.is_Rational and e.exp.q <= 2):
        return _tried(e, integrals)
    return _replaced(e)


def _symbol(symbol: sp.Symbol) -> Parts:
    if isinstance(symbol, Opaque):
        known = Parts(frozenset({symbol}), ALWAYS.primes)
        return Parts.union([known, parts(symbol.relation[1])]) if symbol.relation else known
    if is_real_kind(symbol):
        return Parts(frozenset({symbol}), ALWAYS.primes)
    try:
        values = admitted(symbol)
    except ValueError as error:
        raise Refused(str(error)) from error
    return _with(symbol, complex_quantity(symbol, frozenset({symbol}), nonzero=0 not in values))


def _attempt(find: Callable[..., Parts], *given: object) -> Parts:
    try:
        return find(*given)
    except Refused:
        return ALWAYS


def _tried(e: sp.Expr, integrals: bool) -> Parts:
    """As it stands if the class holds it, else with a stand-in for the whole of it."""
    inner = Parts.union(parts(a, integrals) for a in e.args)
    if e.is_Pow:
        primes = {p for p in sp.factorint(e.base.p * e.base.q) if p > 1} if e.base.is_Rational and e.exp.q > 1 else ()
        inner = Parts.union([inner, Parts(primes=frozenset(primes))])
    if _plain(e):
        return inner
    try:
        normal_form(e, inner.field())
        return inner
    except Refused:
        return Parts.union([inner, _attempt(_replaced, e) if integrals else _replaced(e)])


def _plain(e: sp.Expr) -> bool:
    """Is it plain without a trial that the class holds it?"""
    if e.is_Pow:
        return bool(e.exp.is_Integer and e.exp >= 0)
    return e.args[0].is_Rational and not isinstance(e, sp.Abs)


def _replaced(e: sp.Expr) -> Parts:
    kind = Measured if isinstance(e, Measured) else type(e)
    if kind not in HANDLERS:
        raise Refused(f"{type(e).__name__} is outside the class")
    return _with(e, HANDLERS[kind](e))


def _with(e: sp.Expr, stand_in: sp.Expr) -> Parts:
    return Parts.union([parts(stand_in), Parts(stand_ins={e: stand_in})])


def field_for(*exprs: sp.Expr, integrals: bool = False) -> Field:
    """The smallest field that the expressions, unfolded and with opaque quantities in them, live in.

    Raises Refused for a symbol of no accepted kind, even where it drops out: SymPy has simplified under its assumptions.
    """
    exprs = tuple(map(sp.sympify, exprs))
    _admit(sp.Tuple(*exprs).atoms(sp.Symbol))
    return Parts.union([ALWAYS, *(parts(e, integrals) for e in exprs)]).field()


def _admit(symbols: set[sp.Symbol]) -> None:
    plain = {s for s in symbols if not isinstance(s, (Opaque, Unknown))}
    try:
        for symbol in plain:
            admitted(symbol)
    except ValueError as error:
        raise Refused(str(error)) from error
    if len({s.name for s in plain}) < len(plain):
        raise Refused("two symbols share a name but not their assumptions")


@cache
def form(expr: sp.Expr) -> NormalForm:
    """Normal form in a field of its own, with what is known of roots."""
    return reduced(normal_form(expr, field_for(expr)))


@cache
def canonical(expr: sp.Expr) -> sp.Expr:
    """One expression for all that are decided equal; outside the class the expression itself."""
    try:
        return expression(form(expr))
    except Refused:
        return expr


def opaque(kind: str, *key: object, relation: tuple[str, sp.Expr] | None = None) -> Opaque:
    """The quantity with a key, which varies with the symbols of the expressions in it."""
    return Opaque(key, kind, depends(*(k for k in key if isinstance(k, sp.Basic))), level(key), relation)


def opaque_complex(*key: object, nonzero: bool = False) -> sp.Expr:
    """x + iy with two real quantities of a key; e^{x + iy} for a value that is never zero."""
    return complex_quantity(key, depends(*(k for k in key if isinstance(k, sp.Basic))), level(key), nonzero)
