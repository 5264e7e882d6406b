r"""Rounding bounds of any kernel, from its specification alone: a running error analysis of its numerical form.

Setting. Inputs are exact in float64, everything is computed in float64 and rounded once to the output format. u = 2⁻⁵³,
η = 2⁻¹⁰⁷⁴, or those of another format where a kernel forms sums and products in the arithmetic of its inputs. Each operation
rounds once, fl(x∘y) = (x∘y)(1+δ) + γ with |δ| ≤ u, |γ| ≤ η/2 and δγ = 0. exp, cos and sin err by at most one unit in the last
place (:mod:`.rounding`), a factor 1 + 2uθ with |θ| ≤ 1, and by η where the result is subnormal.

Forward. Each part of the formula has a value v, enclosed by Arb, and a bound ε for the error of what is computed for it.
With N terms or factors, in whatever order they are taken:

- sum of two: Σε + u(|v| + Σε), v their sum; of more: Σε + (N − 1)u Σ(|v| + ε);
- product and quotient: Π(|v| + ε) − Π|v| + (N − 1)u Π(|v| + ε) + Nη Π max(1, |v| + ε), a power as a product; a factor ±2ᵏ is no
  operation, and the product of two inputs whose significands fit 53 bits is exact;
- exp: v(e^ε − 1) + 2u v e^ε + η, v the result; cos and sin: min(ε, 2) + 2u(|v| + ε) + η, as their slope is at most 1;
- ς(x) = 1/(1 + e^{−x}): ε e^ε v(1 − v), as its slope over the interval is at most e^ε times that at x; 4u(v + that) for an
  exponential, a sum and a quotient; 2⁻¹⁰²² where e^{−x} overflows;
- max(x, floor) with x exact: nothing if x is larger, the rounding of the constant if not.

Gradients. A summand Σ_k v_k ∂c_k/∂x is expanded, through the bindings, into monomials of inputs, bindings, incoming gradients
and function values. However common factors are taken out, and in whatever order sums are formed, each monomial takes part in
at most one operation a factor and one a monomial: its error is that of a product with so many operations, and one in reserve.
The errors of the monomials add up, so that a cancellation between them is paid for by their sizes.

Beyond the guard the computed value is 0 and its error is its size; within 2⁻⁴⁰ of it, either.

The factor of :mod:`.rounding` for second order covers the rounding of the bound itself: all else is carried along.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isinf

import sympy as sp
from flint import arb, ctx, fmpq

from ..spec import KernelSpec
from ..symbols import Head
from ..vocabulary.operations import above, at_least, sigmoid
from .formats import FLOAT64, Format, product_is_exact
from .rounding import EXP_ULPS, SECOND_ORDER, TRIG_ULPS

PRECISION = 160
"""Bits of the ball arithmetic: errors are differences of sizes 2⁻⁵³ apart."""
U, ETA = arb(FLOAT64.unit), arb(2) ** -1074
OVERFLOWED = arb(2) ** -1022
"""Bound of 1/(1 + e^{−x}) where e^{−x} overflows."""
NEAR = 2.0**-40

Point = Mapping[sp.Symbol, float]


@dataclass(frozen=True)
class Estimate:
    """A value, and a bound for the error of what is computed for it; ``given`` is the float of an input as it came."""

    value: arb
    error: arb
    given: float | None = None

    @property
    def size(self) -> arb:
        """A bound for what is computed."""
        return abs(self.value) + self.error


ZERO = Estimate(arb(0), arb(0))


def _upper(bound: arb) -> float:
    """A float64 not below; ∞ if there is none."""
    value = float(bound.upper()) * SECOND_ORDER + 2.0**-1074
    return value if value == value else inf


class Bounds:
    """The bounds of one kernel. A point gives each symbol of an input its float64 value; ∞ stands for the limit.

    Raises ValueError for an arithmetic other than float64 where the kernel has functions: they are bounded in float64 alone.
    """

    def __init__(self, spec: KernelSpec, arithmetic: Format = FLOAT64) -> None:
        self.spec = spec
        self.unit, self.smallest = arb(arithmetic.unit), arb(arithmetic.smallest)
        self.bindings = dict(spec.numerical.bindings) if spec.numerical else {}
        self.channels = spec.numerical.channels if spec.numerical else spec.channels
        self.incoming = tuple(sp.Dummy(f"v_{k}", real=True) for k in range(len(self.channels)))
        parts = (*self.channels, *self.bindings.values())
        if arithmetic != FLOAT64 and any(part.atoms(sp.Function) for part in parts if not part.is_polynomial()):
            raise ValueError(f"{spec.name}: its functions are not bounded in {arithmetic.name}")
        self._monomials: dict[sp.Symbol, tuple[tuple[sp.Expr, ...], ...]] = {}

    def forward(self, point: Point) -> tuple[float, ...]:
        """For each channel a bound for the error of the computed value, before it is rounded to the dtype of the result."""
        at = _Walker(self, point)
        with ctx.workprec(PRECISION):
            return tuple(_upper(at.cut(at.estimate(channel)).error) for channel in self.channels)

    def gradient(self, point: Point, incoming: Sequence[float], x: sp.Symbol) -> tuple[float, float]:
        """Bounds for the size and the error of the summand of the gradient by ``x``, given the gradients of the channels."""
        at = _Walker(self, {**point, **dict(zip(self.incoming, incoming, strict=True))})
        monomials, size, error = self.monomials(x), arb(0), arb(0)
        with ctx.workprec(PRECISION):
            for monomial in monomials:
                one = at.cut(at.product(monomial, extra=len(monomials) + 1))
                size, error = size + abs(one.value), error + one.error
            return _upper(size), _upper(error)

    def monomials(self, x: sp.Symbol) -> tuple[tuple[sp.Expr, ...], ...]:
        """Factors of each monomial of Σ_k v_k ∂c_k/∂x."""
        if x not in self._monomials:
            pairs = zip(self.incoming, self.channels, strict=True)
            total = sp.sympify(sum(v * self._derivative(channel, x) for v, channel in pairs))
            names = {call: sp.Dummy(real=True) for call in total.atoms(sp.Function)}
            flat, calls = sp.expand_mul(total.xreplace(names)), {name: call for call, name in names.items()}
            terms = () if flat == 0 else sp.Add.make_args(flat)
            self._monomials[x] = tuple(tuple(f.xreplace(calls) for f in sp.Mul.make_args(term)) for term in terms)
        return self._monomials[x]

    def _derivative(self, channel: sp.Expr, x: sp.Symbol) -> sp.Expr:
        total = sp.diff(channel, x)
        for z, value in self.bindings.items():
            above, below = sp.fraction(value)
            total += sp.diff(channel, z) * (sp.diff(above, x) - z * sp.diff(below, x)) / below
        return total


class _Walker:
    """Estimates at one point; equal parts are estimated once."""

    def __init__(self, bounds: Bounds, point: Point) -> None:
        self.point, self.bindings = point, bounds.bindings
        self.unit, self.smallest = bounds.unit, bounds.smallest
        self.guard = bounds.spec.numerical.guard if bounds.spec.numerical else None
        self.known: dict[sp.Expr, Estimate] = {}

    def cut(self, found: Estimate) -> Estimate:
        """What the guard makes of an estimate."""
        if self.guard is None:
            return found
        z, threshold = abs(self.estimate(self.guard.variable).value), self.guard.threshold
        if not z > threshold * (1 - NEAR):
            return found
        return Estimate(found.value, abs(found.value) if z > threshold * (1 + NEAR) else found.size)

    def estimate(self, e: sp.Expr) -> Estimate:
        if e not in self.known:
            self.known[e] = self._estimate(e)
        return self.known[e]

    def _estimate(self, e: sp.Expr) -> Estimate:
        if e.is_Rational:
            value = arb(fmpq(int(e.p), int(e.q)))
            return Estimate(value, arb(0) if _is_float(e) else self.unit * abs(value))
        if e in self.bindings:
            return self.estimate(self.bindings[e])
        if e.is_Symbol:
            given = float(self.point[e])
            return Estimate(arb(0) if isinf(given) else arb(given), arb(0), given)
        if e.is_Add:
            return self._sum([self.estimate(term) for term in e.args])
        if e.is_Mul or e.is_Pow:
            return self.product(sp.Mul.make_args(e))
        if type(e) in _FUNCTIONS:
            return _FUNCTIONS[type(e)](*map(self.estimate, e.args))
        if isinstance(e, Head):
            return self.estimate(e.definition())
        raise ValueError(f"{type(e).__name__} is not bounded: {e}")

    def _sum(self, terms: Sequence[Estimate]) -> Estimate:
        sizes, errors = (sum(column, start=arb(0)) for column in ([t.size for t in terms], [t.error for t in terms]))
        value = sum((t.value for t in terms), start=arb(0))
        largest = abs(value) + errors if len(terms) == 2 else sizes
        return Estimate(value, errors + (len(terms) - 1) * self.unit * largest)

    def product(self, factors: Iterable[sp.Expr], extra: int = 0) -> Estimate:
        """A product, with so many operations beside its own."""
        scale, parts = arb(1), []
        divided = False
        for factor in factors:
            if factor.is_Rational and _is_power_of_two(factor):
                scale *= self.estimate(factor).value
            else:
                parts += self._powers(factor)
                divided |= factor.is_Pow and factor.exp.is_negative
        operations = max(len(parts) - 1, int(divided)) + extra
        given = [part.given for part in parts]
        if not extra and len(parts) == 2 and None not in given and product_is_exact(*given):  # type: ignore[arg-type]
            operations = 0 if self.unit == U else operations
        value, size, larger = scale, abs(scale), arb(1)
        for part in parts:
            value, size, larger = value * part.value, size * part.size, larger * part.size.max(arb(1))
        rounding = self.unit * operations * (1 + NEAR) * size + operations * self.smallest * larger
        return Estimate(value, size - abs(value) + rounding)

    def _powers(self, factor: sp.Expr) -> list[Estimate]:
        """The factors that a whole power stands for; anything else is one."""
        if not factor.is_Pow:
            return [self.estimate(factor)]
        base, exponent = factor.args
        if not exponent.is_Integer:
            raise ValueError(f"the power {factor} is not bounded")
        one = self.estimate(base)
        return [one if exponent > 0 else _reciprocal(one, base)] * abs(int(exponent))


def _is_float(value: sp.Rational) -> bool:
    """Whether a constant is a float64 (far from the ends of its range)."""
    return _is_power_of_two(sp.Rational(1, value.q)) and abs(value.p) < 2**53


def _is_power_of_two(value: sp.Rational) -> bool:
    return all(n & (n - 1) == 0 for n in (abs(int(value.p)), int(value.q))) and bool(value != 0)


def _reciprocal(x: Estimate, what: sp.Expr) -> Estimate:
    if x.given is not None and isinf(x.given):
        return ZERO
    least = abs(x.value) - x.error
    if not least > 0:
        raise ValueError(f"a quotient by {what} is not bounded: it may be 0")
    return Estimate(1 / x.value, 1 / least - 1 / abs(x.value))


def _exp(x: Estimate) -> Estimate:
    value, grown = x.value.exp(), x.error.exp()
    return Estimate(value, value * (grown - 1) + 2 * EXP_ULPS * U * value * grown + ETA)


def _wave(x: Estimate, value: arb) -> Estimate:
    turn = x.error.min(arb(2))
    return Estimate(value, turn + 2 * TRIG_ULPS * U * (abs(value) + turn) + ETA)


def _abs(x: Estimate) -> Estimate:
    return Estimate(abs(x.value), x.error)


def _sign(x: Estimate) -> Estimate:
    _require_exact(x, "a sign")
    return Estimate(x.value.sgn(), arb(0))


def _sigmoid(x: Estimate) -> Estimate:
    value, other = 1 / (1 + (-x.value).exp()), 1 / (1 + x.value.exp())
    error = x.error * x.error.exp() * value * other
    return Estimate(value, error + 4 * U * (value + error) + OVERFLOWED)


def _at_least(x: Estimate, floor: Estimate) -> Estimate:
    _require_exact(x, "a maximum")
    return x if _exceeds(x, floor) else floor


def _above(x: Estimate, floor: Estimate) -> Estimate:
    _require_exact(x, "a comparison")
    return Estimate(arb(1 if _exceeds(x, floor) else 0), arb(0))


def _exceeds(x: Estimate, floor: Estimate) -> bool:
    """As it is computed, with the constant rounded."""
    return x.given is not None and x.given > float(floor.value.mid())


def _require_exact(x: Estimate, what: str) -> None:
    if x.given is None:
        raise ValueError(f"{what} of what is not given exactly is not bounded")


_FUNCTIONS: dict[type, Callable[..., Estimate]] = {
    sp.exp: _exp,
    sp.cos: lambda x: _wave(x, x.value.cos()),
    sp.sin: lambda x: _wave(x, x.value.sin()),
    sp.Abs: _abs,
    sp.sign: _sign,
    sigmoid: _sigmoid,
    at_least: _at_least,
    above: _above,
}
