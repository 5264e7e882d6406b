"""The coefficient field: L(√π, symbols) with L = Q(i, √2, √3, …).

An element is a fraction of two polynomials over Q. The denominator is kept free of i and of the radicals (by multiplying
with conjugates), the common factor is removed and the denominator is monic: one value has one representation. A symbol that
is declared nonnegative enters through its square root, so that √s is in the field too.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

import sympy as sp
from sympy.polys.domains import QQ
from sympy.polys.orderings import lex
from sympy.polys.rings import PolyRing

from ..assumptions import is_real_kind
from .quantity import Opaque

MAX_TERMS = 4000
"""Largest polynomial that is worked on; beyond it the answer is a refusal rather than a long wait."""


class Refused(Exception):
    """Outside the decided class: an answer, neither equal nor different, never a pass and never a refutation."""


class Field:
    """L(√π, symbols) for a fixed set of symbols and of primes whose square roots occur.

    Generators, in order: i, one √p for each prime p, √π, then one for each symbol (√s where s is declared nonnegative).
    Opaque quantities stand among the symbols; ``stand_ins`` says what is put for each term outside the class.
    """

    def __init__(
        self, symbols: tuple[sp.Symbol, ...], primes: tuple[int, ...], stand_ins: Mapping[sp.Expr, sp.Expr] | None = None
    ) -> None:
        self.stand_ins = dict(stand_ins or {})
        plain = [symbol for symbol in symbols if not isinstance(symbol, Opaque)]
        for symbol in plain:
            if not is_real_kind(symbol):
                raise Refused(f"{symbol} is not a plain symbol of a real kind")
        if len({symbol.name for symbol in plain}) < len(plain):
            raise Refused("two symbols share a name but not their assumptions")
        self.squares = (-1, *primes)
        self.pi = len(self.squares)
        self.index = {symbol: self.pi + 1 + k for k, symbol in enumerate(symbols)}
        self.opaque = {k: symbol.depends for symbol, k in self.index.items() if isinstance(symbol, Opaque)}
        self.rooted = {k for symbol, k in self.index.items() if symbol.is_nonnegative}
        positive = {k for symbol, k in self.index.items() if symbol.is_positive}
        self.positive = {*range(1, self.pi + 1), *positive}
        self.nonzero = {k for symbol, k in self.index.items() if symbol.is_zero is False}
        self.integers = {k for symbol, k in self.index.items() if symbol.is_integer}
        self.ring: Any = PolyRing([f"g{k}" for k in range(self.pi + 1 + len(symbols))], QQ, lex)
        self.zero = Element(self, self.ring.zero, self.ring.one)
        self.one = Element(self, self.ring.one, self.ring.one)
        self.i, self.root_pi = self.generator(0), self.generator(self.pi)
        roots = (sp.sqrt(symbol) if k in self.rooted else symbol for symbol, k in self.index.items())
        self.values: tuple[sp.Expr, ...] = (sp.I, *map(sp.sqrt, primes), sp.sqrt(sp.pi), *roots)
        """What each generator stands for."""

    def generator(self, k: int) -> Element:
        return Element(self, self.ring.gens[k], self.ring.one)

    def rational(self, q: sp.Rational | int) -> Element:
        q = sp.Rational(q)
        return Element(self, self.ring.ground_new(QQ(int(q.p), int(q.q))), self.ring.one)

    def symbol(self, symbol: sp.Symbol) -> Element:
        if symbol not in self.index:
            raise Refused(f"{symbol} is not a plain symbol of a real kind")
        g = self.generator(self.index[symbol])
        return g * g if self.index[symbol] in self.rooted else g

    def reduce(self, poly: Any) -> Any:
        """Use i² = −1 and √p² = p."""
        if len(poly) > MAX_TERMS:
            raise Refused(f"more than {MAX_TERMS} terms")
        roots = len(self.squares)
        out: dict[tuple[int, ...], Any] = {}
        for powers, c in poly.iterterms():
            if any(e > 1 for e in powers[:roots]):
                for k in range(roots):
                    c = c * self.squares[k] ** (powers[k] // 2)
                powers = tuple(e % 2 for e in powers[:roots]) + powers[roots:]
            out[powers] = out.get(powers, 0) + c
        return self.ring.from_dict({powers: c for powers, c in out.items() if c})

    def conjugate_root(self, poly: Any, k: int = 0) -> Any:
        """The automorphism that sends generator k (i or a radical) to its negative."""
        return self.ring.from_dict({powers: -c if powers[k] % 2 else c for powers, c in poly.iterterms()})

    def make(self, num: Any, den: Any) -> Element:
        """The canonical fraction num/den."""
        num, den = self.reduce(num), self.reduce(den)
        if not den:
            raise Refused("division by zero")
        if not num:
            return self.zero
        for k in range(len(self.squares)):
            if any(powers[k] for powers in den):
                c = self.conjugate_root(den, k)
                num, den = self.reduce(num * c), self.reduce(den * c)
        common = den
        for part in self._over_radicals(num):
            if common.is_ground:
                break
            common = common.gcd(part)
        if not common.is_ground:
            num, den = num.exquo(common), den.exquo(common)
        return Element(self, num.quo_ground(den.LC), den.quo_ground(den.LC))

    def _over_radicals(self, poly: Any) -> Iterable[Any]:
        """Components of a polynomial over the basis of L, which a rational common factor must divide one by one."""
        roots = len(self.squares)
        parts: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
        for powers, c in poly.iterterms():
            parts.setdefault(powers[:roots], {})[(0,) * roots + powers[roots:]] = c
        return (self.ring.from_dict(part) for part in parts.values())


class Element:
    """num/den in canonical form; equality of representations is equality in the field."""

    __slots__ = ("den", "field", "num")

    def __init__(self, field: Field, num: Any, den: Any) -> None:
        self.field, self.num, self.den = field, num, den

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and bool(self.num == other.num) and bool(self.den == other.den)

    def __hash__(self) -> int:
        # SymPy's polynomials keep a stale hash after an exact division, so their terms are hashed here.
        return hash((frozenset(self.num.items()), frozenset(self.den.items())))

    def __bool__(self) -> bool:
        return bool(self.num)

    def __neg__(self) -> Element:
        return Element(self.field, -self.num, self.den)

    def __add__(self, other: Element) -> Element:
        if self.den == other.den:
            return self.field.make(self.num + other.num, self.den)
        return self.field.make(self.num * other.den + other.num * self.den, self.den * other.den)

    def __sub__(self, other: Element) -> Element:
        return self + -other

    def __mul__(self, other: Element) -> Element:
        if len(self.num) * len(other.num) > MAX_TERMS:
            raise Refused(f"more than {MAX_TERMS} terms")
        return self.field.make(self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Element) -> Element:
        return self * other.inverse()

    def __pow__(self, power: int) -> Element:
        if abs(power) > 64:
            raise Refused(f"power {power}")
        return prod([self] * power, start=self.field.one) if power >= 0 else self.inverse() ** -power

    def inverse(self) -> Element:
        return self.field.make(self.den, self.num)

    def conjugate(self) -> Element:
        return Element(self.field, self.field.conjugate_root(self.num), self.den)

    def vanishes_at_infinity(self, symbol: sp.Symbol) -> bool:
        """True if it tends to 0 as s grows, whatever the other symbols are: as a sum of negative powers of s.

        The denominator must be one power of s times something free of s: the leading coefficient of any other can be zero
        for some values of the other symbols, and the limit another one there.
        """
        k = self._generator_of(symbol)
        powers = {p[k] for p in self.den}
        return len(powers) == 1 and all(p[k] < min(powers) for p in self.num)

    def vanishes_at_zero(self, symbol: sp.Symbol) -> bool:
        """True if it tends to 0 as s falls to 0, whatever the other symbols are: as a sum of positive powers of s."""
        k = self._generator_of(symbol)
        powers = {p[k] for p in self.den}
        return len(powers) == 1 and all(p[k] > max(powers) for p in self.num)

    def has(self, k: int) -> bool:
        return any(powers[k] for poly in (self.num, self.den) for powers in poly)

    def _generator_of(self, symbol: sp.Symbol) -> int:
        """The generator of a symbol that no opaque quantity in the element varies with; raises Refused if one does."""
        f = self.field
        if any(symbol in inside and self.has(k) for k, inside in f.opaque.items() if k != f.index.get(symbol)):
            raise Refused(f"an opaque quantity varies with {symbol}")
        if symbol not in f.index:
            raise Refused(f"{symbol} is not a symbol of the field")
        return f.index[symbol]

    def is_constant(self) -> bool:
        """Free of every symbol and of every opaque quantity."""
        return not any(self.has(k) for k in self.field.index.values())

    def diff(self, symbol: sp.Symbol) -> Element:
        f, k = self.field, self._generator_of(symbol)
        if k in f.integers:
            raise Refused(f"a derivative by the integer {symbol}")
        g = f.ring.gens[k]
        out = f.make(self.num.diff(g) * self.den - self.num * self.den.diff(g), self.den**2)
        if k not in f.rooted:
            return out
        out = out * f.make(f.ring.one, 2 * g)
        if k not in f.positive and any(powers[k] for powers in out.den):
            raise Refused(f"a derivative that does not exist at {symbol} = 0")
        return out

    def at_zero(self, symbol: sp.Symbol) -> Element:
        k, ring = self._generator_of(symbol), self.field.ring
        num, den = (ring.from_dict({p: c for p, c in q.iterterms() if not p[k]}) for q in (self.num, self.den))
        return self.field.make(num, den)

    def coefficients(self, symbol: sp.Symbol) -> dict[int, Element]:
        """As a polynomial in a symbol (that is not rooted): {degree: coefficient}."""
        f, k = self.field, self._generator_of(symbol)
        if any(powers[k] for powers in self.den) or k in f.rooted:
            raise Refused(f"not a polynomial in {symbol}")
        out: dict[int, dict[tuple[int, ...], Any]] = {}
        for powers, c in self.num.iterterms():
            out.setdefault(powers[k], {})[powers[:k] + (0,) + powers[k + 1 :]] = c
        return {e: f.make(f.ring.from_dict(part), self.den) for e, part in out.items()}

    def manifest_sign(self, strict: bool) -> bool:
        """True if the sign is plain from the form: positive coefficients on even powers and on nonnegative generators."""
        return self._manifest(self.num, strict) and self._manifest(self.den, strict=False)

    def _manifest(self, poly: Any, strict: bool) -> bool:
        f = self.field
        nonnegative = f.positive | f.rooted
        for powers, c in poly.iterterms():
            if c < 0 or powers[0] or any(e % 2 and k not in nonnegative for k, e in enumerate(powers)):
                return False

        def positive(powers: tuple[int, ...]) -> bool:
            return all(not e or k in f.positive or (k in f.nonzero and e % 2 == 0) for k, e in enumerate(powers))

        return not strict or any(positive(powers) for powers in poly)

    def sqrt(self) -> Element:
        """Nonnegative root of a manifestly nonnegative monomial; the root of x² is refused where the sign of x is open."""
        f, out = self.field, self.field.one
        for poly, sign in ((self.num, 1), (self.den, -1)):
            if len(poly) != 1 or not self._manifest(poly, strict=False):
                raise Refused("square root of something that is not a manifestly nonnegative monomial")
            ((powers, c),) = poly.iterterms()
            root = f.rational(sp.Rational(1, int(c.denominator)))
            for prime, e in sp.factorint(int(c.numerator) * int(c.denominator)).items():
                root = root * f.rational(int(prime)) ** (e // 2)
                if e % 2:
                    if prime not in f.squares:
                        raise Refused(f"sqrt({prime}) is not in the field")
                    root = root * f.generator(f.squares.index(prime))
            for k, e in enumerate(powers):
                if e % 2 or (e % 4 and k not in f.positive | f.rooted):
                    raise Refused("a fourth root, or the root of a square of unknown sign")
                root = root * f.generator(k) ** (e // 2)
            out = out * root**sign
        return out
