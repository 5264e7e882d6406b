"""Strict admissibility: the integral that diverges at every ωσ, how fast, and the correction that makes it finite."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, S, exp, oo, pi, sqrt

from ...derivation import Chain, Derivation, chain
from ...lemmas import GAUSSIAN
from ...lemmas.difference_quotient import EXCESS_NEVER_ZERO, SQUARED_EXCESS_BELOW, exponent, nonzero_exponent
from ...lemmas.half_line import HARMONIC, integrand, least
from ...lemmas.reflexive import itself
from ...logic import (
    Assume,
    Cite,
    Conjunction,
    Contradiction,
    Counterexample,
    Detach,
    Generalise,
    LimitByContinuity,
    LogarithmicGrowth,
    Rearrange,
    RefutedMember,
    Suppose,
    Using,
    Weaken,
    conjunction,
    instance,
)
from ...rules import (
    AlmostEqual,
    Bound,
    Decide,
    Dominated,
    Given,
    Known,
    Monotone,
    Part,
    PositiveIntegral,
    Rewrite,
    Strict,
)
from ...statement import Equal, Less, LessEqual, Not, TendsTo
from ...symbols import epsilon, omega, sigma, xi
from .shorthand import Form

_u = sp.Symbol("u", positive=True)
"""A frequency above 0."""
_v, _w = sp.symbols("v w", real=True, zero=False)
"""A frequency, and a carrier frequency, that are not 0."""
_q = sp.Symbol("q", real=True, zero=False)
_z = sp.Symbol("z", complex=True)
_real, _positive = sp.Symbol("r", real=True), sp.Symbol("r", positive=True)
_LINE = sp.Tuple(xi, -oo, oo)


def _bell(x: sp.Expr, frequency: sp.Expr = omega) -> sp.Expr:
    """2πσ² e^{−σ²(ξ−ω)²}, the squared modulus of the spectrum."""
    return 2 * pi * sigma**2 * exp(-(sigma**2) * (x - frequency) ** 2)


def strict(statement: Form) -> Conjunction:
    """The members of the claim, each by its argument."""
    leak, diverges, grows, corrected = statement.body
    at_zero = leak.rhs
    amplitude = sigma * sqrt(2 * pi) * exp(-(sigma**2) * omega**2 / 2)
    positive = chain(S.Zero, (Strict(Part(S.One, None, amplitude)), amplitude), (Decide(GAUSSIAN), at_zero), relation=Less)
    tail = _tail(diverges.expr)
    local = LimitByContinuity(TendsTo(_times_variable(diverges.expr), epsilon, grows.limit, S.Zero), GAUSSIAN)
    both = 2 * _bell(S.Zero)
    rate = chain(S.Zero, (Strict(Part(S.One, None, both)), both), (Decide(GAUSSIAN), grows.limit), relation=Less)
    return conjunction(
        positive,
        LogarithmicGrowth(diverges, local, tail, rate),
        LogarithmicGrowth(grows, local, tail),
        _corrected(corrected),
    )


def _times_variable(truncated: Form) -> sp.Expr:
    """The integrand at the lower end ε, times ε."""
    return epsilon * truncated.function.xreplace({xi: epsilon})


def _tail(truncated: Form) -> Chain:
    """∫_ε^∞ h(ξ)/ξ dξ < ∞ for h = |ψ̂(ξ)|² + |ψ̂(−ξ)|², as h/ξ < h/ε there."""
    within = truncated.limits[0]
    h = _bell(_u) + _bell(_u, -omega)

    def here(general: Derivation) -> Derivation:
        return instance(general, {_u: xi}, Assume(Less(S.Zero, xi)))

    same = here(chain(truncated.function.xreplace({xi: _u}), (Decide(GAUSSIAN), h / _u)))
    floor = here(chain(S.Zero, (Strict(Part(S.One, None, h / _u)), h / _u), relation=Less))
    falls = Monotone(Assume(Less(epsilon, _u)), _positive, h / _positive)
    ceiling = here(chain(h / _u, (falls, h / epsilon), relation=Less))
    explicit = sp.Integral(h.xreplace({_u: xi}) / xi, within)
    return chain(
        truncated, (AlmostEqual(same, within), explicit), (Dominated(floor, ceiling, within), oo), relation=Less
    )


def _corrected(statement: Form) -> Suppose:
    """With y = σ²ωξ the integrand is 2πσ² e^{−σ²(ξ²+ω²)} (e^y − 1)²/|ξ|: positive but at 0, and below a Gaussian times 1 + ξ²."""
    total = statement.conclusion.body[0].rhs
    factor = 2 * pi * sigma**2 * exp(-(sigma**2) * (_v**2 + _w**2)) / Abs(_v)
    y = sigma**2 * _w * _v

    def here(general: Derivation) -> Derivation:
        """At ξ ≠ 0 and ω ≠ 0, what holds for nonzero frequencies."""
        return instance(general, {_v: xi, _w: omega}, Assume(Not(Equal(xi, S.Zero))), Assume(statement.hypothesis))

    value = factor * (exp(y) - 1) ** 2
    floor = chain(S.Zero, (Bound(Part(factor, None, (exp(y) - 1) ** 2)), value), relation=LessEqual)
    square = chain(S.Zero, (Strict(Part(factor, None, _q**2)), factor * _q**2), relation=Less)
    strictly: Form = here(instance(square, {_q: exp(y) - 1}, instance(EXCESS_NEVER_ZERO, {nonzero_exponent: y})))
    explicit = sp.Integral(strictly.statement.rhs, _LINE)
    same = chain(total, (AlmostEqual(here(_explicit(total.function, value)), _LINE), explicit))
    integrable = chain(explicit, (Dominated(here(floor), here(_majorant(factor, y)), _LINE), oo), relation=Less)
    equal, finite = Assume(same.statement), Assume(integrable.statement)
    members = conjunction(
        chain(S.Zero, (PositiveIntegral(finite, strictly, _LINE), explicit), (Known(equal), total), relation=Less),
        chain(total, (Known(equal), explicit), (Known(finite), oo), relation=Less),
    )
    return Suppose(statement, Using(members, same, integrable))


def _explicit(weight: Form, value: sp.Expr) -> Using:
    """|ψ̂(ξ) − e^{−(ωσ)²/2} ψ̂₀(ξ)|²/|ξ|, written out: both transforms are real."""
    (modulus,) = weight.atoms(Abs) - {Abs(xi)}
    difference = modulus.args[0].xreplace({xi: _v, omega: _w})
    real = sigma * sqrt(2 * pi) * exp(-(sigma**2) * (_v**2 + _w**2) / 2) * (exp(sigma**2 * _w * _v) - 1)
    known = chain(difference, (Decide(GAUSSIAN), real))
    squared = chain(Abs(_z) ** 2 / Abs(_v), (Rewrite(Assume(Equal(_z, real))), value))
    return Using(instance(squared, {_z: difference}), known)


def _majorant(factor: sp.Expr, y: sp.Expr) -> Derivation:
    """(e^y − 1)² ≤ (y²/2)(1 + e^{2y}), and ξ²/|ξ| = |ξ| ≤ (1 + ξ²)/2."""
    excess: Form = instance(SQUARED_EXCESS_BELOW, {exponent: y})
    known = excess.statement
    twice = pi * sigma**6 * _w**2 / 2 * (exp(-(sigma**2) * (_v**2 + _w**2)) + exp(-(sigma**2) * (_v - _w) ** 2))
    gap = known.rhs - known.lhs
    return Using(
        chain(
            factor * known.lhs,
            (Bound(Given(factor, gap)), factor * known.rhs),
            (Bound(Part(twice, None, (1 - Abs(_v)) ** 2)), twice * (1 + _v**2)),
            relation=LessEqual,
        ),
        Rearrange(LessEqual(S.Zero, gap), excess),
    )


def every_product(published: Form) -> Counterexample:
    """At ω = 5, σ = 1 the product is 5, and the integrand is at least 2πe^{−25}/ξ between 0 and 1: its integral is not finite."""
    frequency, width = sp.Integer(5), S.One
    at_frequency = published.body.substitute({published.var: frequency})
    here = at_frequency.body.substitute({at_frequency.var: width})
    finite = here.body[0].hypothesis
    enough = here.body[1]
    boundary = Weaken(enough.hypothesis, itself(enough.hypothesis.lhs))
    refuted = Contradiction(Not(enough), Detach(finite, Assume(enough), boundary), _not_finite(finite))
    inner = Counterexample(Not(at_frequency), width, RefutedMember(Not(here), refuted))
    return Counterexample(Not(published), frequency, inner)


def _not_finite(finite: Form) -> Detach:
    """2πe^{−25} ≤ |ψ̂(ξ)|² for 0 < ξ < 1, as −25 ≤ −(ξ − 5)² there."""
    weight = sp.Lambda(xi, finite.lhs.function)
    bound: Form = instance(Cite(HARMONIC), {integrand: weight, least: 2 * pi * exp(-25)})
    everywhere = bound.statement.hypothesis
    x = everywhere.var
    below = Given(x, 1 - x, strict=True), Part(S(9), None, x)
    exponents = chain(S(-25), (Bound(*below), -((x - 5) ** 2)), relation=LessEqual)
    heights = chain(exp(-25), (Monotone(exponents, _real, exp(_real)), exp(-((x - 5) ** 2))), relation=LessEqual)
    quotients = Rearrange(LessEqual(2 * pi * exp(-25) / x, 2 * pi * exp(-((x - 5) ** 2)) / x), heights, 2 * pi / x)
    explicit = quotients.statement.rhs  # type: ignore[union-attr]
    spectrum = chain(
        everywhere.body.lhs, (Known(quotients), explicit), (Decide(GAUSSIAN), everywhere.body.rhs), relation=LessEqual
    )
    inside = Rearrange(Less(S.Zero, 1 - x), Assume(Less(x, S.One)))
    return Detach(bound.statement.conclusion, bound, Generalise(everywhere, Using(spectrum, inside)))
