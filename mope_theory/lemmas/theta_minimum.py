"""The theta function Σ_{j∈ℤ} q^{j²} cos jx, q = e^{−a}, is smallest half a turn away, at x = π, and positive there.

In Jacobi's product every factor grows with cos x; the first one alone leaves (1 − q)² θ(x) ≥ ((1 − q)² + 4q cos² x/2) θ(π).
"""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Lambda, Product, S, Sum, cos, exp, oo, pi, sqrt

from ..derivation import Chain, Derivation, chain, directly
from ..logic import (
    Assume,
    Cite,
    Detach,
    Generalise,
    Induction,
    Rearrange,
    Select,
    Specialise,
    Using,
    Weaken,
    conjunction,
    instance,
)
from ..rules import Bound, Combine, Decide, Given, Known, Last, Part, Reindexed, Rewrite, Strict
from ..statement import And, Equal, ForAll, Less, LessEqual
from ..symbols import N, k
from . import EXP_ABOVE_TANGENT
from .axioms import POISSON, decay, shift, turn
from .jacobi import (
    JACOBI,
    ORDER_OF_LIMITS,
    factor,
    high,
    left,
    low,
    lower,
    nome,
    partial_product,
    phase,
    right,
    theta,
    upper,
)

q = exp(-nome)
rise = 4 * q * cos(phase / 2) ** 2
"""What the first factor gains on its least value (1 − q)², but for 1 − q²."""
least = theta.xreplace({phase: pi})
"""θ(π) = Σ (−1)^j q^{j²}."""

_first, _least_first = (1 - q) ** 2 + rise, (1 - q) ** 2
_half_turn = {phase: pi}
_counter = sp.Symbol("k'", integer=True)


def _least_factor(index: sp.Expr) -> sp.Expr:
    return factor(index).xreplace(_half_turn)


def _least_product(upto: sp.Expr) -> Product:
    return partial_product(upto).xreplace(_half_turn)


def _nonnegative(value: sp.Expr, front: sp.Expr) -> Chain:
    """0 ≤ front · (1 − e^{−y}) for y = 2Na ≥ 0."""
    y = 2 * N * nome
    certificate = Bound(Part(front * exp(-y), EXP_ABOVE_TANGENT, y), Part(front * exp(-y), None, y))
    return directly(LessEqual(S.Zero, value), certificate)


_odd = exp(-(2 * N - 1) * nome)
_LEAST_FACTOR = _nonnegative(_least_factor(N), (1 - _odd) ** 2)
_RISE = _nonnegative(factor(N) - _least_factor(N), 4 * _odd * cos(phase / 2) ** 2)
"""0 ≤ f(π) and 0 ≤ f(x) − f(π) for every factor f."""

_p, _h, _v = sp.symbols("P h v", nonnegative=True)
_b, _g, _u = sp.symbols("B g u", real=True)
_LONGER = chain(
    _u * _b * _h, (Bound(Given(_h, _v * _p - _u * _b), Given(_v * _p, _g - _h)), _v * _p * _g), relation=LessEqual
)
_STAYS = chain(S.Zero, (Bound(Given(_p, _g - _h), Part(_p, None, _h)), _p * _g), relation=LessEqual)
"""One more factor: uB ≤ vP and 0 ≤ h ≤ g ⊢ uBh ≤ vPg, 0 ≤ Pg."""


def _ordered(upto: sp.Expr) -> And:
    """0 ≤ Π(x), and Π(π) ((1 − q)² + 4q cos² x/2) ≤ Π(x) (1 − q)²."""
    return And(
        LessEqual(S.Zero, partial_product(upto)),
        LessEqual(_first * _least_product(upto), _least_first * partial_product(upto)),
    )


def _apart(product: Product, value: sp.Expr) -> Chain:
    return directly(Equal(product, value), Last(product))


def _one_factor() -> Derivation:
    own, smallest = factor(S.One), _least_factor(S.One)
    product, least_product = partial_product(S.One), _least_product(S.One)
    apart, least_apart = _apart(product, own), _apart(least_product, smallest)
    sum_of_both = Bound(Given(S.One, own - smallest), Given(S.One, smallest))
    nonnegative = chain(S.Zero, (sum_of_both, own), (Known(apart), product), relation=LessEqual)
    same = directly(
        Equal(_first * least_product, _least_first * product), Combine((-_least_first, apart), (_first, least_apart))
    )
    both = (_at_index(lemma, S.One) for lemma in (_RISE, _LEAST_FACTOR))
    return conjunction(Using(nonnegative, *both), Weaken(_ordered(S.One).body[1], same))  # type: ignore[arg-type]


def _at_index(lemma: Derivation, index: sp.Expr, *facts: Derivation) -> Derivation:
    return instance(lemma, {N: index}, *facts)


def _next_factor() -> Derivation:
    n = k + 1
    so_far = Assume(_ordered(k))
    nonnegative, order = (Select(x, so_far) for x in _ordered(k).body)
    from_one = chain(S.One, (Known(Assume(LessEqual(S.One, k))), k), (Bound(Part(S.One, None, S.One)), n), relation=LessEqual)
    smallest, grows = (_at_index(lemma, n, from_one) for lemma in (_LEAST_FACTOR, _RISE))
    values = {
        _p: partial_product(k), _b: _least_product(k), _h: _least_factor(n), _g: factor(n), _v: _least_first, _u: _first,
    }  # fmt: skip
    apart = Using(_apart(partial_product(n), partial_product(k) * factor(n)), from_one)
    least_apart = Using(_apart(_least_product(n), _least_product(k) * _least_factor(n)), from_one)
    gap = Rearrange(LessEqual(S.Zero, _least_first * partial_product(k) - _first * _least_product(k)), order)
    used = {x: values[x] for x in (_p, _h, _g)}
    stays: Any = Using(instance(_STAYS, used, nonnegative, smallest), grows)
    longer: Any = Using(instance(_LONGER, values, nonnegative, smallest), gap, grows)
    product = chain(_least_first * partial_product(n), (Rewrite(apart), _least_first * partial_product(k) * factor(n)))
    return conjunction(
        chain(S.Zero, (Known(stays), stays.statement.rhs), (Known(apart), partial_product(n)), relation=LessEqual),
        chain(
            _first * _least_product(n),
            (Rewrite(least_apart), longer.statement.lhs),
            (Known(longer), longer.statement.rhs),
            (Known(product), product.statement.lhs),
            relation=LessEqual,
        ),
    )


def _limits_ordered() -> Derivation:
    every = Induction(ForAll(k, S.Naturals, _ordered(k)), _one_factor(), _next_factor())
    here = Specialise(_ordered(k), every, k, (Assume(LessEqual(S.One, k)),))
    order = _ordered(k).body[1]
    ordered = Generalise(ForAll(k, S.Naturals, order), Select(order, here))
    values = {
        lower: Lambda(_counter, _least_product(_counter)), upper: Lambda(_counter, partial_product(_counter)),
        low: _first, high: _least_first, left: least, right: theta,
    }  # fmt: skip
    axiom: Any = instance(Cite(ORDER_OF_LIMITS), values)
    jacobi = Cite(JACOBI)
    return Detach(axiom.statement.conclusion, axiom, conjunction(instance(jacobi, _half_turn), jacobi, ordered))


FIRST_FACTOR = _limits_ordered()
"""((1 − q)² + 4q cos² x/2) θ(π) ≤ (1 − q)² θ(x)."""


def _least_above() -> Chain:
    """By Poisson summation θ(π) = √(π/a) Σ_k e^{−π²(2k − 1)²/4a}, of which two terms are e^{−π²/4a}."""
    dual: Any = instance(Cite(POISSON), {decay: nome, shift: S.Zero, turn: pi})
    front, b = sqrt(pi / nome), pi**2 / (4 * nome)
    up, on = (Sum(exp(-b * (2 * k + step) ** 2), (k, 1, oo)) for step in (-1, 1))
    apart = chain(up, (Reindexed(S.One), up.func(exp(-b * (2 * k + 1) ** 2), (k, 0, oo))), (Decide(), exp(-b) + on))
    floor = 2 * front * exp(-b)
    return chain(
        floor,
        (Bound(Part(2 * front, None, on)), floor + 2 * front * on),
        (Combine((-front, apart)), dual.statement.rhs),
        (Known(dual), dual.statement.lhs),
        (Decide(), least),
        relation=LessEqual,
    )


LEAST_ABOVE = _least_above()
"""2 √(π/a) e^{−π²/4a} ≤ θ(π)."""
LEAST_POSITIVE = chain(
    S.Zero,
    (Strict(Part(S.One, None, LEAST_ABOVE.statement.lhs)), LEAST_ABOVE.statement.lhs),
    (Known(LEAST_ABOVE), least),
    relation=Less,
)
"""0 < θ(π)."""

_square, _mass = sp.symbols("v m", positive=True)
_value = sp.Symbol("w", real=True)


def _quotient(gain: sp.Symbol) -> tuple[Given, Part]:
    """w − m = (v w − (v + c) m)/v + c m/v, where 0 ≤ v w − (v + c) m."""
    given = Given(1 / _square, _square * _value - (_square + gain) * _mass)
    return given, Part(gain * _mass / _square, None, S.One)


_gain, _strict_gain = sp.Symbol("c", nonnegative=True), sp.Symbol("c", positive=True)
_AT_LEAST = directly(LessEqual(_mass, _value), Bound(*_quotient(_gain)))
_ABOVE = directly(Less(_mass, _value), Strict(*_quotient(_strict_gain)))

_BELOW_ONE = directly(Less(S.Zero, 1 - q), Strict(Part(q, EXP_ABOVE_TANGENT, nome), Part(q, None, nome)))
_SQUARE = directly(Less(S.Zero, _square**2), Strict(Part(S.One, None, _square**2)))


def _divided(lemma: Chain, gain: sp.Symbol, *facts: Derivation) -> Using:
    """The lemma for θ(x), θ(π), (1 − q)² and 4q cos² x/2."""
    values = {_square: _least_first, _mass: least, gain: rise, _value: theta}
    positive = instance(_SQUARE, {_square: 1 - q}, _BELOW_ONE)
    gap = Rearrange(LessEqual(S.Zero, _least_first * theta - _first * least), FIRST_FACTOR)
    return Using(instance(lemma, values, positive, LEAST_POSITIVE, *facts), gap)


LEAST = _divided(_AT_LEAST, _gain)
"""θ(π) ≤ θ(x)."""

_GAIN = Rearrange(
    Less(S.Zero, rise), instance(_SQUARE, {_square: cos(phase / 2)}, Assume(Less(S.Zero, cos(phase / 2)))), 4 * q
)
ABOVE_LEAST = _divided(_ABOVE, _strict_gain, _GAIN)
"""0 < cos x/2 ⊢ θ(π) < θ(x)."""
