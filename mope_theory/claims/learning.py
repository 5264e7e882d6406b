"""Claims on learning: gradients, the clamp at ωσ = 5, where training starts, what decay alone does, constrained optima."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, Derivative, E, I, Max, Rational, S, exp, log, sqrt

from ..claim import Claim
from ..derivation import chain
from ..enclosure import Subdivision
from ..judgement import Derivation
from ..lemmas import EXP_ABOVE_TANGENT
from ..logic import Assume, Detach, Suppose, conjunction, instance
from ..rules import Bound, Decide, Known, Part, Rewrite
from ..statement import And, Equal, Exists, Implies, Less, LessEqual, Not, Statement, TendsTo
from ..symbols import b, channel, epsilon, eta, nu, omega, psi, rho, sigma, theta
from ..vocabulary.functions import Functions, Indices, Partial, Unknown
from ..vocabulary.numerals import rounds_to
from ..vocabulary.recipe import (
    BOUNDARY,
    CAP,
    PAIRS,
    PUBLISHED_DECAY,
    EffectiveFrequency,
    EffectiveWidth,
    InitialFrequency,
    InitialWidth,
)
from .experiment import MULTIPLIERS_MEASURED
from .forms import POSITIVE, REAL, exists, for_all
from .proofs.clamp import clamp
from .proofs.multipliers import multipliers
from .proofs.recipe import decay, forced, start
from .ratios import around, b_sigma, share

loss = Unknown("L", Functions(sp.ProductSet(POSITIVE, POSITIVE), S.Reals, "C^{1}"))
"""A loss as a function of the frequency and the width that the forward pass uses."""
decay_rate, gain = sp.symbols("lambda gamma", positive=True)
"""Rate of decoupled decay, and what an optimiser scales a gradient by."""

_packet = psi(b, omega, sigma)
_steepest = 2 / (E * sigma)
_distance = sp.Symbol("a", real=True)


def _gradients() -> Derivation:
    """|∂ψ/∂σ| = (2/σ)·u e^{−u} with u = b²/2σ², and u ≤ e^{u−1} by the tangent at 1, with equality there."""
    u = b**2 / (2 * sigma**2)
    slope = Derivative(_packet, sigma)
    size = b**2 / sigma**3 * exp(-u)
    modulus = chain(Abs(slope), (Decide(), size))
    there = Equal(_distance, sigma * sqrt(2))
    top = chain(size.xreplace({b: _distance}), (Rewrite(Assume(there)), _steepest))
    steepest = instance(Suppose(Implies(there, top.statement), top), {_distance: Abs(b)})
    at_peak = Equal(Abs(b), sigma * sqrt(2))
    return conjunction(
        chain(Derivative(_packet, omega), (Decide(), I * b * _packet)),
        chain(slope, (Decide(), b**2 / sigma**3 * _packet)),
        chain(
            Abs(slope),
            (Known(modulus), size),
            (Bound(Part(2 / sigma * exp(-u), EXP_ABOVE_TANGENT, u - 1)), _steepest),
            relation=LessEqual,
        ),
        Suppose(
            Implies(at_peak, Equal(Abs(slope), _steepest)),
            chain(
                Abs(slope),
                (Known(modulus), size),
                (Known(Detach(Equal(size, _steepest), steepest, Assume(at_peak))), _steepest),
            ),
        ),
    )


GRADIENTS = Claim(
    id="learning.gradients",
    title="Gradients of the encoding",
    place="–",
    box={omega: REAL, sigma: POSITIVE, b: REAL},
    ours=And(
        Equal(Derivative(_packet, omega), I * b * _packet),
        Equal(Derivative(_packet, sigma), b**2 / sigma**3 * _packet),
        LessEqual(Abs(Derivative(_packet, sigma)), _steepest),
        Implies(Equal(Abs(b), sigma * sqrt(2)), Equal(Abs(Derivative(_packet, sigma)), _steepest)),
    ),
    requires=("derivation", "enclosure", "formal", "kernel"),
    derivations=(_gradients(),),
    enclosures=(
        Subdivision(
            LessEqual(Abs(Derivative(_packet, sigma)), _steepest),
            box={b_sigma: around(Rational(7, 5), Rational(143, 100))},
            scaling={b: sigma * b_sigma},
            touching=(sqrt(2), -sqrt(2)),
        ),
        Subdivision(
            Implies(Equal(Abs(b), sigma * sqrt(2)), Equal(Abs(Derivative(_packet, sigma)), _steepest)),
            box={share: sp.FiniteSet(-1, 1)},
            scaling={b: sigma * sqrt(2) * share},
            within=60,
        ),
    ),
    reason="With u = b²/2σ² the modulus of ∂ψ/∂σ is (2/σ) u e^{−u}, and u e^{−u} is largest at u = 1.",
    uses=("definition.envelope",),
)


def _slope(of_frequency: bool, frequency: sp.Expr, width: sp.Expr) -> sp.Expr:
    """∂L/∂ω or ∂L/∂σ at a point."""
    return Partial(loss, S.One if of_frequency else sp.Integer(2), frequency, width)


_clamped = BOUNDARY / sigma
_through_clamp = loss(Max(omega, _clamped), sigma)
_in_logarithms = loss(Max(omega, BOUNDARY * exp(-theta)), exp(theta))

_gradients_through_clamp = And(
    Implies(
        Less(omega, _clamped),
        And(
            Equal(Derivative(_through_clamp, omega), S.Zero),
            Equal(
                Derivative(_through_clamp, sigma),
                _slope(False, _clamped, sigma) - BOUNDARY / sigma**2 * _slope(True, _clamped, sigma),
            ),
        ),
    ),
    Implies(
        Less(omega, BOUNDARY * exp(-theta)),
        Equal(
            Derivative(_in_logarithms, theta),
            exp(theta) * _slope(False, BOUNDARY * exp(-theta), exp(theta))
            - BOUNDARY * exp(-theta) * _slope(True, BOUNDARY * exp(-theta), exp(theta)),
        ),
    ),
    TendsTo((Max(_clamped + eta, _clamped, evaluate=False) - _clamped) / eta, eta, S.One, S.Zero),
    TendsTo((_clamped - Max(_clamped - eta, _clamped, evaluate=False)) / eta, eta, S.Zero, S.Zero),
)

CLAMP = Claim(
    id="learning.clamp",
    title="Gradients through the clamp",
    place="–",
    box={omega: POSITIVE, sigma: POSITIVE, theta: REAL, loss: loss.space},
    ours=_gradients_through_clamp,
    requires=("derivation", "kernel"),
    derivations=(clamp(_gradients_through_clamp),),
    reading=(
        "The loss is L(ω_eff, σ) with ω_eff = max(ω, 5/σ). At a tie the derivatives of the maximum from the two sides are "
        "1 and 0: a framework chooses, and ours is written down with its kernel."
    ),
    reason=(
        "Where the clamp acts ω_eff is 5/σ: it does not move with ω, and moves with σ at the rate −5/σ², which in log σ "
        "is −5/σ."
    ),
)

_first, _width = InitialFrequency(channel), InitialWidth(channel)
_pairs = Indices(PAIRS)

_starts_elsewhere = Exists(
    channel,
    _pairs,
    Not(
        And(
            Equal(_first * _width, BOUNDARY),
            Equal(EffectiveFrequency(_first, _width) * EffectiveWidth(_width), BOUNDARY),
        )
    ),
)

START = Claim(
    id="learning.start",
    title="Where training starts",
    place="4 results",
    box={},
    published=_starts_elsewhere,
    requires=("derivation",),
    derivations=(start(_starts_elsewhere),),
    reading=(
        "Training drives the 128 pairs to ωσ = 5 only if at least one of them starts elsewhere, as stored or as used, in "
        "exact arithmetic."
    ),
    reason="The initial widths are 5/ω, so all 128 products are 5 before the first step, and cap and clamp keep them there.",
    uses=("learning.forced",),
)

_forcing = BOUNDARY / CAP

_one_product = And(
    Implies(Less(sigma, _forcing), Equal(EffectiveFrequency(omega, sigma) * EffectiveWidth(sigma), BOUNDARY)),
    rounds_to(_forcing, "1.675"),
)

FORCED = Claim(
    id="learning.forced",
    title="Widths that leave one product",
    place="–",
    box={omega: POSITIVE, sigma: POSITIVE},
    ours=_one_product,
    requires=("derivation",),
    derivations=(forced(_one_product),),
    reason="Below σ = 5/(0.95π) the capped frequency is always under 5/σ, so the clamp replaces it whatever is stored.",
)

_ends = tuple(InitialWidth(sp.Integer(i)) ** PUBLISHED_DECAY for i in (PAIRS - 1, 0))
_decayed_frequency, _decayed_width = _first**PUBLISHED_DECAY, _width**PUBLISHED_DECAY

_decayed = And(
    rounds_to(PUBLISHED_DECAY.definition(), "0.9277"),
    LessEqual(_ends[0], _decayed_width),
    LessEqual(_decayed_width, _ends[1]),
    rounds_to(_ends[0], "1.553"),
    rounds_to(_ends[1], "4.451"),
    Equal(_decayed_frequency * _decayed_width, BOUNDARY**PUBLISHED_DECAY),
    rounds_to(BOUNDARY**PUBLISHED_DECAY, "4.45"),
    Equal(EffectiveFrequency(_decayed_frequency, _decayed_width), BOUNDARY / _decayed_width),
    rounds_to(BOUNDARY / _ends[1], "1.12"),
    rounds_to(BOUNDARY / _ends[0], "3.22"),
)

DECAY = Claim(
    id="learning.decay",
    title="What decay alone does",
    place="–",
    box={channel: _pairs},
    ours=_decayed,
    requires=("derivation", "enclosure"),
    derivations=(decay(_decayed),),
    enclosures=(Subdivision(_decayed, box={channel: _pairs}, within=40),),
    reading="Π is the product of 1 − λη_t over the published schedule, as written out in the first member.",
    reason=(
        "Decoupled decay with no gradient multiplies log ω and log σ by Π(1 − η_t λ) = 0.9277, which raises every ω and σ "
        "to that power: the ranges come close to the reported [1.49, 4.50] and [1.11, 3.35]."
    ),
    uses=("learning.forced",),
)

_by_frequency, _by_width = _slope(True, omega, sigma), _slope(False, omega, sigma)
_balanced = Equal(omega * _by_frequency, sigma * _by_width)
_multiplier = LessEqual(S.Zero, _by_frequency / sigma)
_local_minimum = Exists(
    epsilon,
    POSITIVE,
    for_all(
        (nu, POSITIVE),
        (rho, POSITIVE),
        Implies(
            And(LessEqual(BOUNDARY, nu * rho), Less(Abs(nu - omega), epsilon), Less(Abs(rho - sigma), epsilon)),
            LessEqual(loss(omega, sigma), loss(nu, rho)),
        ),
    ),
)


def _boundary_point(*conclusion: Statement) -> Statement:
    return And(Equal(omega * sigma, BOUNDARY), *conclusion)


_multipliers = And(
    Implies(_boundary_point(_local_minimum), And(_balanced, _multiplier)),
    exists(
        (loss, loss.space),
        (omega, POSITIVE),
        (sigma, POSITIVE),
        And(_boundary_point(_balanced, _multiplier), Not(_local_minimum)),
    ),
    Implies(
        And(
            Equal(omega * sigma, BOUNDARY),
            Equal(gain * (sigma * _by_width - omega * _by_frequency) + decay_rate * log(sigma), S.Zero),
            Not(Equal(sigma, S.One)),
        ),
        Not(_balanced),
    ),
)

MULTIPLIERS = Claim(
    id="learning.multipliers",
    title="Multipliers at the boundary",
    place="–",
    box={omega: POSITIVE, sigma: POSITIVE, decay_rate: POSITIVE, gain: POSITIVE, loss: loss.space},
    ours=_multipliers,
    requires=("derivation", "experiment"),
    derivations=(multipliers(_multipliers, loss, decay_rate, gain),),
    measured=MULTIPLIERS_MEASURED,
    reading=(
        "A constrained optimum is a local minimum of L on ωσ ≥ 5. A fixed point of decoupled decay balances decay of log σ "
        "against the gradient that reaches it through the clamp, scaled by any positive γ. Runs are asked whether the ends of "
        "the published recipe meet the condition: a mean multiplier that is shown not to be negative, and an imbalance of the "
        "two gradients of a tenth at most."
    ),
    reason=(
        "At a minimum on ωσ = 5 the gradient is a nonnegative multiple of that of ωσ, which is (σ, ω). The condition also "
        "holds at saddles; where decay balances the gradient it fails, unless σ = 1."
    ),
    uses=("learning.clamp",),
)

CLAIMS = (GRADIENTS, CLAMP, START, FORCED, DECAY, MULTIPLIERS)
