"""The walker that evaluates a real SymPy tree on a cell of a box, in interval arithmetic with unbounded intervals.

Accepted: rational numbers, π, e, symbols with a range, sums, products, powers, exp, log, sin, cos, acos, moduli, real and
imaginary parts, maxima and minima, finite products, and heads, which are unfolded but for ``Rounded``. A part that is complex
goes through Arb's balls. Every other node is refused by name (ValueError).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import sympy as sp
from flint import acb, arb, ctx, fmpq

from ..reference import Unresolved, to_acb
from ..symbols import Head
from ..vocabulary.floating import Rounded
from ..vocabulary.spectra import Deviation
from .compiled import compiled, is_composed
from .heads import definition, has_imaginary_unit
from .interval import INFINITY, Interval, exactly, largest, smallest, spanning
from .quadrature import integral
from .rounding import round_interval
from .series import series
from .tail import falling_supremum

Ranges = Mapping[sp.Symbol, Interval]

UNIT = Interval(arb(-1), arb(1))


class NotReal(ValueError):
    """A part of an expression that is not plainly real."""


class RealWalker:
    """Evaluates expressions on one cell; equal subtrees are evaluated once."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.known: dict[sp.Basic, Interval] = {}

    def value(self, e: sp.Basic) -> Interval:
        """An interval that holds the value of ``e`` everywhere on the cell; Unresolved if there is none."""
        if e not in self.known:
            self.known[e] = self._value(e)
        return self.known[e]

    def _value(self, e: sp.Basic) -> Interval:
        if isinstance(e, sp.Symbol):
            if e not in self.ranges:
                raise ValueError(f"no range for {e}")
            return self.ranges[e]
        if isinstance(e, sp.Rational):
            return exactly(arb(fmpq(int(e.p), int(e.q))))
        if e is sp.pi:
            return exactly(arb.pi())
        if e is sp.E:
            return exactly(arb(1).exp())
        if isinstance(e, sp.Add):
            return self._sum(e)
        if isinstance(e, sp.Mul):
            return self._product(e)
        if isinstance(e, sp.Pow):
            return self._power(e)
        if isinstance(e, (sp.Abs, sp.re, sp.im)):
            return self._part(e)
        if isinstance(e, Rounded) and isinstance(e.args[1], sp.Integer):
            return round_interval(self.value(e.args[0]), int(e.args[1]))
        if isinstance(e, Deviation):
            return self._deviation(e)
        if isinstance(e, Head):
            return self.value(definition(e))
        if isinstance(e, sp.Product):
            return self._finite_product(e)
        if isinstance(e, sp.Sum):
            return series(e, self.value, self._terms(e))
        if isinstance(e, sp.Integral):
            return self._integral(e)
        if isinstance(e, sp.conjugate):
            return self.value(e.args[0])  # of a real number; any other is met below
        if e is sp.I:
            raise NotReal("a part is not real")
        return self._function(e)

    def _sum(self, e: sp.Add) -> Interval:
        total = self.value(e.args[0])
        for term in e.args[1:]:
            total = total + self.value(term)
        return total

    def _product(self, e: sp.Mul) -> Interval:
        product = self.value(e.args[0])
        for factor in e.args[1:]:
            product = product * self.value(factor)
        if product.high == INFINITY and (top := self._falls(e)) is not None:
            product = spanning(product.low if product.low >= 0 else -top, top)
        return product

    def _falls(self, e: sp.Mul) -> arb | None:
        """The supremum of a constant times z^k·e^{p(z)} on an unbounded range of z, if it falls there."""
        (z, *others) = e.free_symbols or (None,)
        if others or z not in self.ranges:
            return None
        start = max(self.ranges[z].low, -self.ranges[z].high)
        constant, falling = e.as_independent(z)
        bound = falling_supremum(falling, z, start) if start > 0 else None
        return None if bound is None else (self.value(constant).modulus() * self.value(bound)).high

    def _power(self, e: sp.Pow) -> Interval:
        if isinstance(e, sp.exp) or e.base is sp.E:
            return self.value(e.exp).exp()
        if isinstance(e.exp, sp.Integer):
            return self.value(e.base).power(int(e.exp))
        if isinstance(e.exp, sp.Rational):
            return self.value(e.base).root(int(e.exp.q)).power(int(e.exp.p))
        base, exponent = self.value(e.base), self.value(e.exp)
        whole = exponent.point.unique_fmpz() if exponent.point is not None and exponent.point.is_integer() else None
        if whole is not None:
            return base.power(int(whole))
        return (exponent * base.log()).exp()

    def _part(self, e: sp.Basic) -> Interval:
        inside = e.args[0]
        try:
            value = self.value(inside)
        except NotReal:
            z = self.complex_value(inside)
            return exactly(abs(z) if isinstance(e, sp.Abs) else z.real if isinstance(e, sp.re) else z.imag)
        if isinstance(e, sp.im):
            return exactly(arb(0))
        return value.modulus() if isinstance(e, sp.Abs) else value

    def complex_value(self, e: sp.Basic) -> acb:
        """The value as a ball; where a part is complex, by Arb's balls, integrals in it first."""
        try:
            return acb(self.value(e).ball())
        except NotReal:
            pass
        nodes = {node: sp.Dummy(complex=True) for node in e.atoms(sp.Integral)}
        values = {stand_in: integral(node, self.value, self.ranges) for node, stand_in in nodes.items()}
        plain = e.xreplace(nodes)
        return to_acb(plain, values | {s: self.ranges[s].ball() for s in plain.free_symbols if s in self.ranges})

    def _integral(self, e: sp.Integral) -> Interval:
        if has_imaginary_unit(e.function) and sp.conjugate(e.function) != e.function:
            raise NotReal("an integrand is not real")
        return exactly(integral(e, self.value, self.ranges).real)

    def _terms(self, e: sp.Sum) -> Callable[[int], Interval]:
        """The term of each number; by balls where the cell is next to a point."""
        x = e.limits[0][0]
        fixed = {s: self.ranges[s] for s in e.function.free_symbols - {x} if s in self.ranges}
        if has_imaginary_unit(e.function):
            raise NotReal("a term is not real")
        if not is_composed(e.function) or not all(r.is_narrow for r in fixed.values()):
            return lambda number: RealWalker({**self.ranges, x: exactly(arb(number))}).value(e.function)
        term, values = compiled(e.function, ctx.prec), {s: acb(r.ball()) for s, r in fixed.items()}
        return lambda number: exactly(term({**values, x: acb(number)}).real)

    def _deviation(self, e: Deviation) -> Interval:
        """√(M₂/M₀ − (M₁/M₀)²) from the moments of the weight."""
        definition(e)  # refuses a set that no deviation is defined over
        weight, domain = e.args
        (x,) = weight.variables
        total = sp.Sum if domain == sp.S.Integers else sp.Integral
        mass, first, second = (self.value(total(x**k * weight.expr, (x, domain.inf, domain.sup))) for k in range(3))
        mean = first * mass.inverse()
        return (second * mass.inverse() - mean * mean).root(2)

    def _finite_product(self, e: sp.Product) -> Interval:
        if e.free_symbols:
            raise ValueError(f"not a product of numbers: {e}")
        return product_of_numbers(e, ctx.prec)

    def _function(self, e: sp.Basic) -> Interval:
        if isinstance(e, sp.exp):
            return self.value(e.args[0]).exp()
        if isinstance(e, sp.log):
            return self.value(e.args[0]).log()
        if isinstance(e, (sp.Max, sp.Min)):
            return (largest if isinstance(e, sp.Max) else smallest)(*map(self.value, e.args))
        if isinstance(e, (sp.cos, sp.sin)):
            return self._circular(e)
        if isinstance(e, sp.Piecewise):
            return self._piecewise(e)
        if isinstance(e, sp.acos):
            x = self.value(e.args[0])
            if not (x.low >= -1 and x.high <= 1):
                raise Unresolved("the arc cosine of what may leave [−1, 1]")
            return (-x).map(lambda y: (-y).acos())  # y ↦ arccos(−y) increases
        raise ValueError(f"{type(e).__name__} is not evaluated: {e}")

    def _piecewise(self, e: sp.Piecewise) -> Interval:
        """The piece whose condition holds on the whole cell; Unresolved if none is shown to."""
        for value, condition in e.args:
            if condition is sp.true:
                return self.value(value)
            if not isinstance(condition, sp.StrictGreaterThan):
                raise ValueError(f"{condition} is not decided")
            gap = self.value(condition.lhs) - self.value(condition.rhs)
            if gap.is_positive:
                return self.value(value)
            if gap.high > 0:
                break
        raise Unresolved("no piece is shown to apply")

    def _circular(self, e: sp.Basic) -> Interval:
        x = self.value(e.args[0])
        if not (x.low.is_finite() and x.high.is_finite()):
            return UNIT
        ball = x.ball().cos() if isinstance(e, sp.cos) else x.ball().sin()
        return spanning(ball.lower().max(arb(-1)), ball.upper().min(arb(1)))


@cache
def product_of_numbers(e: sp.Product, _bits: int) -> Interval:
    """A finite product of numbers at the working precision; thousands of factors are multiplied once."""
    ((x, start, stop),) = e.limits
    if not (start.is_Integer and stop.is_Integer):
        raise ValueError(f"not a finite product: {e}")
    product = exactly(arb(1))
    for number in range(int(start), int(stop) + 1):
        product = product * RealWalker({x: exactly(arb(number))}).value(e.function)
    return product


def enclose(e: sp.Expr, ranges: Ranges) -> Interval | None:
    """An interval around the value of ``e`` on the cell; None if none is established."""
    if not e.free_symbols:
        return _number(e, ctx.prec)
    try:
        return RealWalker(ranges).value(e)
    except Unresolved:
        return None


@cache
def _number(e: sp.Expr, _bits: int) -> Interval | None:
    """The same for an expression without symbols, once for all cells."""
    try:
        return RealWalker({}).value(e)
    except Unresolved:
        return None

