"""The ripple Σ_{k≥1} e^{−ak²} cos kx of a theta function: how large it is, for a > 0.

Its first term apart, Σ_{k≥1} e^{−ak²} = e^{−a} + Σ_{k≥1} e^{−a(k+1)²}, and (k + 1)² ≥ k² + 3, so that G = Σ_{k≥1} e^{−ak²} is at
most e^{−a} + e^{−3a} G.
"""
from __future__ import annotations

import sympy as sp
from sympy import Abs, S, Sum, cos, exp, oo, sin

from ..derivation import Chain, Derivation, chain
from ..logic import Assume, Rearrange, Using, instance
from ..rules import Bound, Decide, Given, Known, Monotone, Part, Reindexed, Strict, Termwise
from ..statement import Less, LessEqual
from ..symbols import k
from .modulus import modulus_below

nome = sp.Symbol("a", positive=True)
phase = sp.Symbol("x", real=True)
_r = sp.Symbol("r", real=True)

_bell = exp(-nome * k**2)
_next = exp(-nome * (k + 1) ** 2)


def _over(term: sp.Expr) -> Sum:
    """Σ_{k≥1}."""
    return Sum(term, (k, 1, oo))


crest, ripple = _over(_bell), _over(_bell * cos(k * phase))
"""Σ_{k≥1} e^{−ak²} and Σ_{k≥1} e^{−ak²} cos kx."""


def _termwise(premise: Derivation) -> Termwise:
    return Termwise(premise, k, S.One, oo)


def _cosine(sign: int) -> Bound:
    """∓e^{−ak²} cos kx ≤ e^{−ak²}, because 1 ± cos = (sin² + (1 ± cos)²)/2."""
    half = _bell / 2
    return Bound(Part(half, None, sin(k * phase) ** 2), Part(half, None, (1 + sign * cos(k * phase)) ** 2))


def _ripple_below() -> Using:
    up = chain(_bell * cos(k * phase), (_cosine(-1), _bell), relation=LessEqual)
    down = chain(-_bell, (_cosine(1), _bell * cos(k * phase)), relation=LessEqual)
    return modulus_below(
        chain(-crest, (Decide(), _over(-_bell)), (_termwise(down), ripple), relation=LessEqual),
        chain(ripple, (_termwise(up), crest), relation=LessEqual),
    )


_apart = chain(crest, (Reindexed(S.One), Sum(_next, (k, 0, oo))), (Decide(), exp(-nome) + _over(_next)))
"""The first term apart."""


def _crest_floor() -> Chain:
    first = Bound(Part(S.One, None, _over(_next)))
    return chain(exp(-nome), (first, exp(-nome) + _over(_next)), (Known(_apart), crest), relation=LessEqual)


def _crest_ceiling() -> Using:
    """Every term from the second on is at most e^{−3a} times the one before."""
    below = Bound(Given(2 * nome, k - 1))
    exponents = chain(-nome * (k + 1) ** 2, (below, -nome * (k**2 + 3)), relation=LessEqual)
    from_one = Rearrange(LessEqual(S.Zero, k - 1), Assume(LessEqual(S.One, k)))
    later = exp(-nome * (k**2 + 3))
    terms = chain(_next, (Monotone(Using(exponents, from_one), _r, exp(_r)), later), relation=LessEqual)
    tails = chain(_over(_next), (_termwise(terms), _over(later)), relation=LessEqual)
    gap = _over(later) - _over(_next)
    ceiling = chain(
        crest,
        (Known(_apart), exp(-nome) + _over(_next)),
        (Bound(Given(S.One, gap)), exp(-nome) + _over(later)),
        (Decide(), exp(-nome) + exp(-3 * nome) * crest),
        relation=LessEqual,
    )
    return Using(ceiling, Rearrange(LessEqual(S.Zero, gap), tails))


RIPPLE_BELOW = _ripple_below()
"""|Σ_{k≥1} e^{−ak²} cos kx| ≤ Σ_{k≥1} e^{−ak²}."""

_TWICE = Rearrange(LessEqual(2 * Abs(ripple), 2 * crest), RIPPLE_BELOW, S(2))

CREST_FLOOR = _crest_floor()
"""e^{−a} ≤ Σ_{k≥1} e^{−ak²}."""

CREST_CEILING = Rearrange(LessEqual(2 * crest * (1 - exp(-3 * nome)), 2 * exp(-nome)), _crest_ceiling(), S(2))
"""2 Σ_{k≥1} e^{−ak²} (1 − e^{−3a}) ≤ 2 e^{−a}."""

REST = Rearrange(
    Less(S.Zero, 1 - exp(-3 * nome)),
    chain(
        exp(-3 * nome),
        (Monotone(chain(-3 * nome, (Strict(Part(S(3), None, nome)), S.Zero), relation=Less), _r, exp(_r)), S.One),
        relation=Less,
    ),
)
"""0 < 1 − e^{−3a}."""

_value, _above = sp.symbols("y z", real=True)
_rest = sp.Symbol("q", positive=True)
_QUOTIENT = Rearrange(LessEqual(_value, _above / _rest), Assume(LessEqual(_value * _rest, _above)), 1 / _rest)


def over_rest(a: sp.Expr, bound: Derivation, value: sp.Expr, above: sp.Expr) -> Using:
    """value ≤ above/(1 − e^{−3a}), from value · (1 − e^{−3a}) ≤ above."""
    values = {_value: value, _above: above, _rest: 1 - exp(-3 * a)}
    return Using(instance(_QUOTIENT, values, instance(REST, {nome: a})), bound)


def ripple_below(a: sp.Expr, x: sp.Expr) -> Derivation:
    """2 |Σ_{k≥1} e^{−ak²} cos kx| ≤ 2 Σ_{k≥1} e^{−ak²}."""
    return instance(_TWICE, {nome: a, phase: x})


def crest_below(a: sp.Expr) -> Using:
    """2 Σ_{k≥1} e^{−ak²} ≤ 2 e^{−a}/(1 − e^{−3a})."""
    return over_rest(a, instance(CREST_CEILING, {nome: a}), 2 * crest.xreplace({nome: a}), 2 * exp(-a))
