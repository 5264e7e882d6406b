"""The walker that evaluates a SymPy tree in Taylor arithmetic over Arb balls (power series in one real symbol).

A value is a truncated series f(x + ε) whose coefficients are complex balls; of length 1 it is plain ball arithmetic.
Accepted: rational numbers, π, I, E, symbols with a value, Add, Mul, Pow, exp, cos, sin, cosh, sinh, log, erfc, conjugate, re, im,
Abs, sums and products over one index between two numbers, and heads, which are unfolded. Every other node is refused by name.
"""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from flint import acb, acb_series, arb, ctx, fmpq

from ..symbols import Head
from .exact import INFINITE, Infinite, Point, Unresolved, index_range

Value = acb_series | Infinite


class Walker:
    """Evaluates expressions at one point; equal subtrees are evaluated once."""

    def __init__(self, points: Mapping[sp.Symbol, Point], wrt: sp.Symbol | None, length: int, analytic: bool) -> None:
        self.points, self.wrt, self.length, self.analytic = points, wrt, length, analytic
        self.known: dict[tuple[sp.Basic, bool], Value] = {}

    def value(self, expr: sp.Basic, mirrored: bool = False) -> Value:
        """Series of ``expr``; ``mirrored`` evaluates its Schwarz reflection instead (I ↦ −I, symbols untouched)."""
        key = (expr, mirrored)
        if key not in self.known:
            self.known[key] = self._value(expr, mirrored)
        return self.known[key]

    def _value(self, e: sp.Basic, mirrored: bool) -> Value:
        if isinstance(e, Head):
            return self.value(e.definition(), mirrored)
        if isinstance(e, sp.Symbol):
            return self._symbol(e, mirrored)
        if isinstance(e, sp.Rational):
            return self._constant(acb(fmpq(int(e.p), int(e.q))))
        if e is sp.pi:
            return self._constant(acb(arb.pi()))
        if e is sp.E:
            return self._constant(acb(1).exp())
        if e is sp.I:
            return self._constant(acb(0, -1 if mirrored else 1))
        if isinstance(e, sp.Add):
            return self._add([self.value(a, mirrored) for a in e.args])
        if isinstance(e, sp.Mul):
            return self._mul(e, [self.value(a, mirrored) for a in e.args])
        if isinstance(e, sp.Pow):
            return self._pow(e, mirrored)
        if isinstance(e, sp.conjugate):
            if self.analytic:
                return self.value(e.args[0], not mirrored)
            return self._conjugate(self._argument(e, mirrored))
        if isinstance(e, (sp.re, sp.im)):
            return self._part(e, mirrored)
        if isinstance(e, sp.Abs):
            return self._abs(e, mirrored)
        if isinstance(e, (sp.exp, sp.cos, sp.sin, sp.cosh, sp.sinh, sp.erfc)):
            return self._function(e, self._argument(e, mirrored))
        if isinstance(e, sp.log):
            return self._log(e, self._argument(e, mirrored))
        if isinstance(e, (sp.Sum, sp.Product)):
            if e.free_symbols or self.length > 1:
                return self._finite(e, mirrored)
            return self._constant(_number(e, mirrored, self.analytic, ctx.prec))
        raise ValueError(f"{type(e).__name__} is not evaluated: {e}")

    def _constant(self, c: acb) -> acb_series:
        return acb_series([c], prec=self.length)

    def _symbol(self, s: sp.Symbol, mirrored: bool) -> Value:
        if s not in self.points:
            raise ValueError(f"no value for {s}")
        if mirrored and not s.is_extended_real:
            raise ValueError(f"Schwarz reflection needs real symbols; {s} is not declared real")
        point = self.points[s]
        if point is INFINITE:
            return INFINITE
        start = acb(fmpq(point.numerator, point.denominator)) if isinstance(point, Fraction) else acb(point)
        if s == self.wrt and self.length > 1:
            return acb_series([start, acb(1)], prec=self.length)
        return self._constant(start)

    def _argument(self, e: sp.Basic, mirrored: bool) -> acb_series:
        value = self.value(e.args[0], mirrored)
        if value is INFINITE:
            raise ValueError(f"{type(e).__name__} of an infinite argument is not evaluated: {e}")
        assert isinstance(value, acb_series)
        return value

    def _add(self, terms: list[Value]) -> Value:
        infinite = [x for x in terms if x is INFINITE]
        if infinite:
            if len(infinite) > 1:
                raise ValueError("∞ + ∞ is not evaluated")
            return INFINITE
        total = self._constant(acb(0))
        for x in terms:
            assert isinstance(x, acb_series)
            total = total + x
        return total

    def _mul(self, e: sp.Basic, factors: list[Value]) -> Value:
        product, infinite = self._constant(acb(1)), False
        for x in factors:
            if isinstance(x, acb_series):
                product = product * x
            else:
                infinite = True
        if infinite and product[0].contains(0):
            raise ValueError(f"0·∞ is not evaluated: {e}")
        return INFINITE if infinite else product

    def _pow(self, e: sp.Pow, mirrored: bool) -> Value:
        base, exponent = self.value(e.base, mirrored), e.exp
        if base is INFINITE:
            if not isinstance(exponent, sp.Rational):
                raise ValueError(f"a power of ∞ needs a rational exponent: {e}")
            return INFINITE if exponent > 0 else self._constant(acb(0))
        assert isinstance(base, acb_series)
        if isinstance(exponent, sp.Integer):
            return self._integer_power(base, int(exponent))
        if self._on_cut(base[0]):
            return self._cut(e, base, exponent)
        if exponent == sp.Rational(1, 2):
            return base.sqrt()
        power = self.value(exponent, mirrored)
        if power is INFINITE:
            raise ValueError(f"an infinite exponent is not evaluated: {e}")
        assert isinstance(power, acb_series)
        return (power * base.log()).exp()

    def _integer_power(self, base: acb_series, k: int) -> acb_series:
        if k < 0:
            if base[0].contains(0):
                return self._constant(acb(arb.nan(), arb.nan()))
            # the reciprocal first: a power of a wide ball can reach 0 although the ball does not
            return self._integer_power(self._constant(acb(1)) / base, -k)
        result, square = self._constant(acb(1)), base
        while k:
            if k & 1:
                result = result * square
            k >>= 1
            square = square * square if k else square
        return result

    @staticmethod
    def _on_cut(c: acb) -> bool:
        return bool(c.imag.contains(0)) and not bool(c.real > 0)

    def _cut(self, e: sp.Pow, base: acb_series, exponent: sp.Basic) -> acb_series:
        """A fractional power whose base meets (−∞, 0]: only its plain principal value is defined there."""
        if self.analytic:
            return self._constant(acb(arb.nan(), arb.nan()))
        if self.length > 1 or not isinstance(exponent, sp.Rational):
            raise Unresolved(f"the base of {e} meets the branch cut")
        return self._constant(base[0].pow(acb(fmpq(int(exponent.p), int(exponent.q)))))

    def _conjugate(self, f: acb_series) -> acb_series:
        return acb_series([f[k].conjugate() for k in range(self.length)], prec=self.length)

    def _part(self, e: sp.Basic, mirrored: bool) -> acb_series:
        f = self._argument(e, mirrored)
        if not self.analytic:
            parts = [f[k].real if isinstance(e, sp.re) else f[k].imag for k in range(self.length)]
            return acb_series([acb(p) for p in parts], prec=self.length)
        other = self._argument(e, not mirrored)
        if isinstance(e, sp.re):
            return (f + other) * self._constant(acb(0.5))
        # the reflection of im f is im f itself, and exchanging f with its reflection changes the sign: so does I
        return (f - other) * self._constant(acb(0, 0.5 if mirrored else -0.5))

    def _abs(self, e: sp.Basic, mirrored: bool) -> acb_series:
        if self.analytic:
            raise ValueError(f"Abs is not analytic: {e}")
        f = self._argument(e, mirrored)
        if self.length == 1:
            return self._constant(acb(abs(f[0])))
        if f[0].contains(0):
            raise Unresolved(f"Abs is not differentiable at 0: {e}")
        return (f * self._conjugate(f)).sqrt()

    def _log(self, e: sp.Basic, x: acb_series) -> acb_series:
        if self._on_cut(x[0]):
            if self.analytic:
                return self._constant(acb(arb.nan(), arb.nan()))
            raise Unresolved(f"the argument of {e} meets the branch cut")
        return x.log()

    def _finite(self, e: sp.Sum | sp.Product, mirrored: bool) -> Value:
        """Term by term; what does not vary with the index is evaluated once."""
        index, indices = index_range(e)
        fixed = {key: value for key, value in self.known.items() if index not in key[0].free_symbols}
        add = isinstance(e, sp.Sum)
        result: Value = self._constant(acb(0 if add else 1))
        for k in indices:
            inner = Walker({**self.points, index: Fraction(k)}, self.wrt, self.length, self.analytic)
            inner.known.update(fixed)
            term = inner.value(e.function, mirrored)
            result = self._add([result, term]) if add else self._mul(e, [result, term])
            if k == indices[0]:
                fixed |= {key: value for key, value in inner.known.items() if index not in key[0].free_symbols}
        return result

    def _function(self, e: sp.Basic, x: acb_series) -> acb_series:
        if isinstance(e, sp.exp):
            return x.exp()
        if isinstance(e, sp.cos):
            return x.cos()
        if isinstance(e, sp.sin):
            return x.sin()
        if isinstance(e, sp.erfc):
            return x.erfc()
        if self.length == 1:  # no cancellation near 0, which the series form has
            return self._constant(x[0].cosh() if isinstance(e, sp.cosh) else x[0].sinh())
        up, down, half = x.exp(), (-x).exp(), self._constant(acb(0.5))
        return (up + down) * half if isinstance(e, sp.cosh) else (up - down) * half


@lru_cache(maxsize=256)
def _number(e: sp.Sum | sp.Product, mirrored: bool, analytic: bool, prec: int) -> acb:
    """A sum or product without free symbols at the precision that is set: thousands of terms are not evaluated twice."""
    value = Walker({}, None, 1, analytic)._finite(e, mirrored)
    assert isinstance(value, acb_series)
    return value[0]
