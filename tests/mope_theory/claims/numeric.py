"""Truth of statements at points, by mpmath alone: a veto on slips of the pen, independent of any derivation.

Sums and integrals are summed and integrated, quantifiers run over samples, limits over a few values on the way. A statement
that holds here is not proved; one that fails here is wrong.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

import mpmath as mp
import sympy as sp

from mope_theory.statement import (
    And,
    Equal,
    Exists,
    ForAll,
    Implies,
    Less,
    LessEqual,
    Not,
    Or,
    Statement,
    TendsTo,
    UniformlyTendsTo,
)
from mope_theory.symbols import Head
from mope_theory.vocabulary.functions import Functions, Partial, Unknown, Value

Samples = Mapping[str, Sequence[Any] | Callable[[Any], Sequence[Any]]]

DIGITS = 20
RELATIVE, ABSOLUTE = mp.mpf(10) ** -12, mp.mpf(10) ** -14
ON_THE_WAY = {sp.oo: (30, 1000, 30000), sp.S.Zero: (mp.mpf("0.03"), mp.mpf("0.001"), mp.mpf("0.00003"))}
"""Values of a variable on its way to a limit; the last must be near, and each nearer than the one before."""
NEAR = mp.mpf("1e-3")
TERMS = 1000
"""Terms after which an infinite sum is given up."""


class CannotEvaluate(Exception):
    """A node or a symbol that these checks give no value to."""


@cache
def unfolded(head: Head) -> sp.Expr:
    return head.definition()


class Point:
    """Values of symbols and of unknown functions by name; samples for quantified names; closed forms for heads."""

    def __init__(
        self,
        values: Mapping[str, Any] | None = None,
        samples: Samples | None = None,
        closed: Mapping[type, Callable[..., Any]] | None = None,
    ) -> None:
        self.values = {name: number(value) for name, value in (values or {}).items()}
        self.samples, self.closed = dict(samples or {}), dict(closed or {})
        self.known: dict[Any, Any] = {}

    # --- expressions ------------------------------------------------------------------------------------------------

    def value(self, e: sp.Basic) -> Any:
        for kind, rule in RULES:
            if isinstance(e, kind):
                return rule(self, e)
        raise CannotEvaluate(f"{type(e).__name__}: {e}")

    def at(self, symbol: sp.Symbol, number: Any, e: sp.Basic) -> Any:
        """The value of e with one symbol set."""
        missing = object()
        old = self.values.get(symbol.name, missing)
        self.values[symbol.name] = number
        try:
            return self.value(e) if isinstance(e, sp.Basic) else self.holds(e)
        finally:
            if old is missing:
                del self.values[symbol.name]
            else:
                self.values[symbol.name] = old

    def symbol(self, e: sp.Symbol) -> Any:
        if e.name not in self.values:
            raise CannotEvaluate(f"no value for {e}")
        return self.values[e.name]

    def head(self, e: Head) -> Any:
        if type(e) in self.closed:
            return self.closed[type(e)](*map(self.value, e.args))
        return self.value(unfolded(e))

    def remembered(self, e: sp.Basic, compute: Callable[[sp.Basic], Any]) -> Any:
        """Sums and integrals are computed once for each setting of what they depend on."""
        key = (e, *sorted((x.name, str(self.values.get(x.name))) for x in e.free_symbols))
        if key not in self.known:
            self.known[key] = compute(e)
        return self.known[key]

    def total(self, e: sp.Sum | sp.Product) -> Any:
        combine = (lambda x, y: x + y) if isinstance(e, sp.Sum) else (lambda x, y: x * y)
        result = mp.mpf(0 if isinstance(e, sp.Sum) else 1)
        *inner, (x, start, stop) = e.limits
        body = e.func(e.function, *inner) if inner else e.function
        if sp.oo not in (stop, -start):
            for number in range(int(self.value(start).real), int(self.value(stop).real) + 1):
                result = combine(result, self.at(x, mp.mpf(number), body))
            return result
        first = 0 if start == -sp.oo else int(self.value(start).real)
        result, small = self.at(x, mp.mpf(first), body), 0
        step, least = 0, mp.mpf(10) ** -mp.mp.dps
        while small < 6:
            if step == TERMS:
                raise CannotEvaluate(f"{e} does not settle in {TERMS} terms")
            step += 1
            term = self.at(x, mp.mpf(first + step), body)
            if start == -sp.oo:
                term += self.at(x, mp.mpf(first - step), body)
            result += term
            small = small + 1 if abs(term) <= least * max(abs(result), mp.mpf(10) ** -120) else 0
        return result

    def integral(self, e: sp.Integral) -> Any:
        ((x, start, stop),) = e.limits
        low, high = (-mp.inf if y == -sp.oo else mp.inf if y == sp.oo else self.value(y).real for y in (start, stop))
        knots = [y for y in (-8, -4, -2, -1, 0, 1, 2, 4, 8) if low < y < high]
        return mp.quad(lambda y: self.at(x, y, e.function), [low, *knots, high])

    def derivative(self, e: sp.Derivative) -> Any:
        ((x, order),) = e.variable_count
        return mp.diff(lambda y: self.at(x, y, e.expr), self.symbol(x), int(order))

    def piecewise(self, e: sp.Piecewise) -> Any:
        return next(self.value(value) for value, condition in e.args if self.truth(condition))

    def truth(self, condition: sp.Basic) -> bool:
        if condition in (sp.true, sp.false):
            return bool(condition)
        if isinstance(condition, sp.Eq):
            return bool(self.value(condition.lhs) == self.value(condition.rhs))
        if isinstance(condition, (sp.StrictGreaterThan, sp.StrictLessThan)):
            return bool(mp.re(self.value(condition.gts)) > mp.re(self.value(condition.lts)))
        raise CannotEvaluate(str(condition))

    def partial(self, e: Partial) -> Any:
        function, number, *arguments = e.args
        place, order = [self.value(a).real for a in arguments], [0] * len(arguments)
        assert 1 <= number <= len(arguments), "a derivative by no argument"
        order[int(number) - 1] = 1
        return mp.diff(self.symbol(function), tuple(place), tuple(order))

    # --- statements -------------------------------------------------------------------------------------------------

    def holds(self, s: Statement) -> bool:
        match s:
            case Equal(lhs, rhs):
                left, right = self.value(lhs), self.value(rhs)
                return bool(abs(left - right) <= RELATIVE * max(abs(left), abs(right)) + ABSOLUTE)
            case LessEqual(lhs, rhs):
                left, right = self.real(lhs), self.real(rhs)
                return bool(left <= right + RELATIVE * max(abs(left), abs(right)))
            case Less(lhs, rhs):
                return bool(self.real(lhs) < self.real(rhs))
            case And():
                return all(map(self.holds, s.body))
            case Or():
                return any(map(self.holds, s.body))
            case Not(body):
                return not self.holds(body)
            case Implies(hypothesis, conclusion):
                return not self.holds(hypothesis) or self.holds(conclusion)
            case ForAll(variable, domain, body):
                return all(self.at(variable, x, body) for x in self.chosen(variable, domain))
            case Exists(Unknown(), Functions(domain=sp.S.Integers), ForAll(_, _, ForAll(_, _, Equal(_, Value())))):
                return self.function_of_difference(s)
            case Exists(variable, domain, body):
                return any(self.at(variable, x, body) for x in self.chosen(variable, domain))
            case TendsTo() | UniformlyTendsTo():
                return self.tends(s)
        raise CannotEvaluate(type(s).__name__)

    def real(self, e: sp.Expr) -> Any:
        if e is sp.oo:
            return mp.inf
        value = mp.mpmathify(self.value(e))
        if abs(mp.im(value)) > mp.mpf("1e-15") * (1 + abs(value)):
            raise AssertionError(f"{e} is not real: {value}")
        return mp.re(value)

    def chosen(self, variable: sp.Symbol, domain: sp.Set) -> Sequence[Any]:
        """Every member of a finite range; else the samples given for the name."""
        if isinstance(domain, sp.Range) and sp.oo not in (domain.stop, -domain.start):
            start, stop = (int(self.value(sp.sympify(y)).real) for y in (domain.start, domain.stop))
            if variable.name not in self.samples:
                return [mp.mpf(y) for y in range(start, stop)]
        if variable.name not in self.samples:
            raise CannotEvaluate(f"no samples for {variable}")
        samples = self.samples[variable.name]
        assert not callable(samples)
        return [number(x) for x in samples]

    def function_of_difference(self, s: Exists) -> bool:
        """∃ g ∀ j, k: value = g(j − k): no two places of one difference may have different values."""
        outer = s.body
        inner = outer.body
        seen: dict[Any, Any] = {}
        for x in self.chosen(outer.var, outer.domain):
            for y in self.chosen(inner.var, inner.domain):
                value = self.at(outer.var, x, _Set(self, inner.var, y, inner.body.lhs))
                first = seen.setdefault(x - y, value)
                if abs(value - first) > RELATIVE * max(abs(value), abs(first)) + ABSOLUTE:
                    return False
        return True

    def tends(self, s: TendsTo | UniformlyTendsTo) -> bool:
        gaps = []
        for x in ON_THE_WAY[s.point]:
            if isinstance(s, UniformlyTendsTo):
                samples = self.samples[s.over.name]
                assert callable(samples)
                gap = s.expr - s.limit
                far = [abs(self.at(s.over, number(y), _Set(self, s.var, mp.mpf(x), gap))) for y in samples(x)]
                gaps.append(max(far))
            elif s.limit is sp.oo:
                gaps.append(1 / self.at(s.var, mp.mpf(x), s.expr).real)
            else:
                gaps.append(abs(self.at(s.var, mp.mpf(x), s.expr) - self.value(s.limit)))
        near = mp.mpf("0.1") if s.limit is sp.oo else NEAR
        return bool(gaps[-1] <= near and all(b <= a + RELATIVE for a, b in pairwise(gaps)))


class _Set(sp.Basic):
    """An expression with one more symbol set, so that two can be set at once."""

    def __new__(cls, point: Point, symbol: sp.Symbol, number: Any, e: sp.Basic) -> _Set:
        self = super().__new__(cls)
        self.call = lambda: point.at(symbol, number, e)
        return self


def number(value: Any) -> Any:
    if callable(value) or isinstance(value, (mp.mpf, mp.mpc)):
        return value
    if isinstance(value, complex):
        return mp.mpc(value)
    return mp.mpf(value.numerator) / value.denominator if hasattr(value, "numerator") else mp.mpmathify(value)


def _settled(x: Any) -> Any:
    """An integer for what differs from one by rounding alone, as log 8 / log 2 does."""
    nearest = mp.nint(x)
    return nearest if abs(x - nearest) < mp.mpf(10) ** (3 - mp.mp.dps) else x


def _fold(function: Callable[[Any, Any], Any]) -> Callable[[Point, sp.Basic], Any]:
    def rule(point: Point, e: sp.Basic) -> Any:
        first, *rest = map(point.value, e.args)
        for x in rest:
            first = function(first, x)
        return first

    return rule


def _call(function: Callable[..., Any]) -> Callable[[Point, sp.Basic], Any]:
    return lambda point, e: function(*map(point.value, e.args))


RULES: tuple[tuple[Any, Callable[[Point, Any], Any]], ...] = (
    (_Set, lambda point, e: e.call()),
    (Head, Point.head),
    (Value, lambda point, e: number(point.symbol(e.args[0])(*map(point.value, e.args[1:])))),
    (Partial, Point.partial),
    (sp.Rational, lambda point, e: mp.mpf(int(e.p)) / int(e.q)),
    (type(sp.pi), lambda point, e: mp.pi()),
    (type(sp.E), lambda point, e: mp.e()),
    (type(sp.I), lambda point, e: mp.mpc(0, 1)),
    (sp.Symbol, Point.symbol),
    (sp.Add, _fold(lambda x, y: x + y)),
    (sp.Mul, _fold(lambda x, y: x * y)),
    (sp.Pow, lambda point, e: mp.power(point.value(e.base), point.value(e.exp))),
    (sp.exp, _call(mp.exp)),
    (sp.log, _call(mp.log)),
    (sp.cos, _call(mp.cos)),
    (sp.sin, _call(mp.sin)),
    (sp.acos, _call(mp.acos)),
    (sp.erfc, _call(mp.erfc)),
    (sp.conjugate, _call(mp.conj)),
    (sp.re, _call(mp.re)),
    (sp.im, _call(mp.im)),
    (sp.Abs, _call(abs)),
    (sp.Max, _call(max)),
    (sp.Min, _call(min)),
    (sp.floor, _call(lambda x: mp.floor(_settled(x)))),
    (sp.ceiling, _call(lambda x: mp.ceil(_settled(x)))),
    (sp.sign, _call(mp.sign)),
    (sp.Piecewise, Point.piecewise),
    ((sp.Sum, sp.Product), lambda point, e: point.remembered(e, point.total)),
    (sp.Integral, lambda point, e: point.remembered(e, point.integral)),
    (sp.Derivative, Point.derivative),
    (sp.Lambda, lambda point, e: e),
    (sp.Set, lambda point, e: e),
)


def grid(**choices: Sequence[Any]) -> list[dict[str, Any]]:
    """Every combination of the choices, as dictionaries."""
    return [dict(zip(choices, combination, strict=True)) for combination in product(*choices.values())]
