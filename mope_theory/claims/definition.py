"""The claim on the definition: what the Gaussian envelope of the encoding looks like."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, Rational, S, exp, log, sqrt

from ..claim import Claim
from ..derivation import Chain, chain, directly
from ..enclosure import Subdivision
from ..judgement import Derivation
from ..logic import Assume, Cases, Contradiction, NotBelow, Order, Rearrange, Suppose, conjunction, instance
from ..rules import Bound, Decide, Known, Monotone, Part, Strict
from ..statement import And, Equal, Implies, Less, LessEqual, Not, Or
from ..symbols import b, m, n, omega, psi, sigma
from .forms import POSITIVE, REAL, iff
from .ratios import ANY_BUT_ZERO, BELOW_ONE, b_sigma, n_sigma, parted, ratio, share


def _envelope(position: object) -> Abs:
    return Abs(psi(position, omega, sigma))


_half, _half_width = Rational(1, 2), sigma * sqrt(2 * log(2))
_gaussian = exp(-(b**2) / (2 * sigma**2))
_shape = chain(_envelope(b), (Decide(), _gaussian))
"""|ψ(b)| = e^{−b²/2σ²}."""

near, more = sp.Symbol("a", nonnegative=True), sp.Symbol("r", nonnegative=True)
farther = sp.Symbol("r", positive=True)
"""A distance from the centre, and what is added to it."""
_exponent = sp.Symbol("x", real=True)


def _falls(step: sp.Symbol) -> Chain:
    """e^{−(a+r)²/2σ²} ≤ e^{−a²/2σ²} for a, r ≥ 0, strictly for r > 0: the exponents differ by r(r + 2a)/2σ²."""
    relation, rule = (Less, Strict) if step.is_positive else (LessEqual, Bound)
    far, here = -((near + step) ** 2) / (2 * sigma**2), -(near**2) / (2 * sigma**2)
    below = chain(far, (rule(Part(1 / (2 * sigma**2), None, step * (step + 2 * near))), here), relation=relation)
    return chain(exp(far), (Monotone(below, _exponent, exp(_exponent)), exp(here)), relation=relation)


def _farther_is_less(place: sp.Expr, beyond: sp.Expr, step: sp.Symbol) -> Derivation:
    """The Gaussian at |beyond| against that at |place|, given that |place| is the smaller one."""
    order = (Less if step.is_positive else LessEqual)(place, beyond)
    gap = beyond - place
    return instance(_falls(step), {near: place, step: gap}, Rearrange(type(order)(S.Zero, gap), Assume(order)))


def _published() -> Derivation:
    """0 < |ψ| ≤ 1 because b²/2σ² ≥ 0, |ψ(0)| = 1, even, and strictly decreasing in |b|."""
    below = chain(-(b**2) / (2 * sigma**2), (Bound(Part(S.One, None, b**2 / (2 * sigma**2))), S.Zero), relation=LessEqual)
    return conjunction(
        chain(S.Zero, (Strict(Part(S.One, None, _gaussian)), _gaussian), (Decide(), _envelope(b)), relation=Less),
        chain(
            _envelope(b), (Decide(), _gaussian), (Monotone(below, _exponent, exp(_exponent)), S.One), relation=LessEqual
        ),
        directly(Equal(_envelope(S.Zero), S.One), Decide()),
        directly(Equal(_envelope(-b), _envelope(b)), Decide()),
        Suppose(
            Implies(Less(Abs(m), Abs(n)), Less(_envelope(n), _envelope(m))),
            chain(
                _envelope(n),
                (Known(instance(_shape, {b: n})), exp(-(n**2) / (2 * sigma**2))),
                (Known(_farther_is_less(Abs(m), Abs(n), farther)), exp(-(m**2) / (2 * sigma**2))),
                (Known(instance(_shape, {b: m})), _envelope(m)),
                relation=Less,
            ),
        ),
    )


def _half_height() -> Derivation:
    """½ = e^{−ln 2} is the value at |b| = σ√(2 ln 2); beyond it |ψ| is less, up to it not."""
    high, close = LessEqual(_half, _envelope(b)), LessEqual(Abs(b), _half_width)
    beyond = chain(
        _envelope(b),
        (Known(_shape), _gaussian),
        (Known(_farther_is_less(_half_width, Abs(b), farther)), _half),
        relation=Less,
    )
    there = Cases(
        close,
        Order(Or(close, Less(_half_width, Abs(b)))),
        (Assume(close), Contradiction(close, Assume(high), NotBelow(Not(high), beyond))),
    )
    back = chain(
        _half,
        (Known(_farther_is_less(Abs(b), _half_width, more)), _gaussian),
        (Known(_shape), _envelope(b)),
        relation=LessEqual,
    )
    return conjunction(Suppose(Implies(high, close), there), Suppose(Implies(close, high), back))


ENVELOPE = Claim(
    id="definition.envelope",
    title="The envelope",
    place="2.1 definition",
    box={omega: REAL, sigma: POSITIVE, b: REAL, m: REAL, n: REAL},
    published=And(
        Less(S.Zero, _envelope(b)),
        LessEqual(_envelope(b), S.One),
        Equal(_envelope(S.Zero), S.One),
        Equal(_envelope(-b), _envelope(b)),
        Implies(Less(Abs(m), Abs(n)), Less(_envelope(n), _envelope(m))),
    ),
    ours=iff(LessEqual(_half, _envelope(b)), LessEqual(Abs(b), _half_width)),
    requires=("derivation", "enclosure", "formal"),
    derivations=(_published(), _half_height()),
    enclosures=(
        Subdivision(
            _published().statement,
            box={b_sigma: REAL, n_sigma: ANY_BUT_ZERO, ratio: BELOW_ONE},
            scaling={b: sigma * b_sigma, n: sigma * n_sigma, m: sigma * n_sigma * ratio},
        ),
        Subdivision(_half_height().statement, box={share: parted(1)}, scaling={b: _half_width * share}),
    ),
    reading="“A Gaussian envelope centred on the origin”: of modulus in (0, 1], 1 at 0, even, strictly decreasing in |b|.",
    reason=(
        "The carrier has modulus 1, so |ψ(b)| is the Gaussian alone; it falls to half its height at |b| = σ√(2 ln 2), "
        "the half-width at half-maximum."
    ),
)

CLAIMS = (ENVELOPE,)
