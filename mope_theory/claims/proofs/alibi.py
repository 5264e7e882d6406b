"""ALiBi: the limit without a frequency, two distances that no width matches, the mixture, and where each multiplies."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, S, exp, log, sqrt

from ...derivation import Chain, chain
from ...lemmas.half_line import GAUSSIANS_MIXED, offset, rate, weight
from ...logic import (
    Assume,
    Cite,
    Conjunction,
    Contradiction,
    Counterexample,
    LimitByContinuity,
    NotBelow,
    Rearrange,
    SameLimit,
    Suppose,
    Using,
    Weaken,
    conjunction,
    instance,
)
from ...rules import Decide, Known, Monotone, Numbers, Part, Strict
from ...statement import And, Equal, Less, Not, TendsTo
from ...symbols import K, d, omega, sigma, slope
from ..arguments import no_such
from .shorthand import Form, at

near, far = sp.symbols("p q", positive=True)
"""Two distances."""
_r, _x = sp.Symbol("r", positive=True), sp.Symbol("x", real=True)
_apart = sp.Symbol("d'", real=True, zero=False)


def _matches(distance: sp.Expr) -> Equal:
    return Equal(exp(-(distance**2) / (4 * sigma**2)), exp(-slope * Abs(distance)))


def _matched_at(distance: sp.Symbol) -> Rearrange:
    """Of a positive distance p that is matched: −p²/4σ² = −μp, and so p = 4σ²μ."""
    exponents = chain(-(distance**2) / (4 * sigma**2), (Monotone(Assume(_matches(distance)), _r, log(_r)), -slope * distance))
    return Rearrange(Equal(distance, 4 * sigma**2 * slope), exponents, -4 * sigma**2 / distance)


def _never_both() -> Contradiction:
    """p < q are not both 4σ²μ."""
    both, apart = And(_matches(near), _matches(far)), Assume(Less(near, far))
    same = chain(near, (Known(_matched_at(near)), 4 * sigma**2 * slope), (Known(_matched_at(far)), far))
    return Contradiction(Not(both), same, Weaken(Not(same.statement), apart))


NEVER_BOTH = _never_both()
"""p < q ⊢ not both e^{−p²/4σ²} = e^{−μp} and e^{−q²/4σ²} = e^{−μq}."""


def alibi(statement: Form) -> Conjunction:
    """The members of the claim, each by its argument."""
    limit, distances, mixture, weights, scores = statement.body
    return conjunction(
        LimitByContinuity(limit),
        _two_distances(distances),
        _mixture(mixture),
        chain(weights.lhs, (Decide(), weights.rhs)),
        _no_score(scores),
    )


def _two_distances(statement: Form) -> Suppose:
    positive, order = statement.hypothesis.body
    p, q = order.lhs, order.rhs
    beyond = chain(S.Zero, (Known(Assume(positive)), p), (Known(Assume(order)), q), relation=Less)
    return Suppose(statement, instance(NEVER_BOTH, {near: p, far: q}, Assume(positive), beyond))


def _mixture(statement: Form) -> Chain:
    """The axiom at a = μ/√2, b = d/√2."""
    values = {rate: slope / sqrt(2), offset: d / sqrt(2), weight: slope / sqrt(2 * sp.pi)}
    mixed: Form = instance(Cite(GAUSSIANS_MIXED), values)
    return chain(statement.lhs, (Decide(), mixed.statement.lhs), (Known(mixed), statement.rhs))


def _no_score(statement: Form) -> Suppose:
    """At y = 0 it would be 1 = e^{−μ|d|} < 1."""
    moved = statement.conclusion.substitute({d: _apart})
    exponent = -slope * Abs(_apart)
    falls = chain(exponent, (Strict(Part(slope, None, Abs(_apart))), S.Zero), relation=Less)
    below = chain(exp(exponent), (Monotone(falls, _x, exp(_x)), S.One), relation=Less)
    refuted = Counterexample(moved, S.Zero, NotBelow(Not(Equal(S.One, exp(exponent))), below))
    return Suppose(statement, instance(refuted, {_apart: d}, Assume(statement.hypothesis)))


def no_width(published: Form) -> Contradiction:
    """At the distances 1 and 2 the limit would be both a Gaussian and a Laplacian."""
    everywhere = published.body
    found = Assume(everywhere)

    def matched(distance: sp.Expr) -> SameLimit:
        claimed: Form = at(found, distance)
        gaussian = exp(-(distance**2) / (4 * sigma**2))
        own = LimitByContinuity(TendsTo(K(distance, omega, sigma), omega, gaussian, S.Zero))
        return SameLimit(Equal(gaussian, claimed.statement.limit), own, claimed)

    both = conjunction(matched(S.One), matched(S(2)))
    ordered = chain(S.One, (Numbers(), S(2)), relation=Less)
    never = Using(instance(NEVER_BOTH, {near: S.One, far: S(2)}), ordered)
    return no_such(published, Contradiction(Not(everywhere), both, never))
