"""The sinusoidal limit of the Morlet encoding: at which rate, how far uniformly, and in which channels."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, I, Rational, exp, im, oo, re

from ..claim import Claim
from ..derivation import chain
from ..enclosure import Subdivision
from ..logic import (
    Conjunction,
    Counterexample,
    LimitByRate,
    RefutedMember,
    UniformLimitByRate,
    WrongLimit,
    conjunction,
)
from ..rules import Bound, Decide, Given, Part, Rewrite
from ..statement import And, ForAll, LessEqual, Not, TendsTo, UniformlyTendsTo
from ..symbols import (
    T,
    TableEven,
    TableOdd,
    b,
    carrier,
    channel,
    dimension,
    omega,
    psi,
    sigma,
    standard_frequency,
)
from .arguments import decay, defect, defect_below, not_uniform
from .forms import POSITIVE
from .ratios import around, b_sigma

# --- limit.sinusoidal ----------------------------------------------------------------------------------------------------

far = sp.Symbol("B", positive=True)
"""A position that grows without bound."""

_carrier = exp(I * omega * b)
_distance = Abs(psi(b, omega, sigma) - _carrier)
_u = b**2 / (2 * sigma**2)


_rate = chain(_distance, defect(_u), defect_below(_u), relation=LessEqual)
_never_above = chain(_distance, defect(_u), (Bound(Part(exp(-_u), None, sp.S.One)), sp.S.One), relation=LessEqual)


def _sinusoidal() -> Conjunction:
    uniform_rate = chain(
        _distance,
        defect(_u),
        defect_below(_u),
        (Bound(Given(1 / (2 * sigma**2), T**2 - b**2)), T**2 / (2 * sigma**2)),
        relation=LessEqual,
    )
    return conjunction(
        LimitByRate(TendsTo(psi(b, omega, sigma), sigma, _carrier, oo), _rate),
        _rate,
        UniformLimitByRate(
            UniformlyTendsTo(psi(b, omega, sigma), sigma, _carrier, oo, b, sp.Interval(-T, T)), uniform_rate
        ),
        not_uniform(psi(b, omega, sigma), _carrier, b, 2),
        _never_above,
        _reached_far_out(),
        chain(im(carrier(b, standard_frequency())), (Decide(), TableEven(b, channel, dimension))),
        chain(re(carrier(b, standard_frequency())), (Decide(), TableOdd(b, channel, dimension))),
    )


def _reached_far_out() -> LimitByRate:
    """The distance never exceeds 1, and tends to 1 far out: for every σ its supremum is exactly 1."""
    distance = Abs(psi(far, omega, sigma) - exp(I * omega * far))
    u = far**2 / (2 * sigma**2)
    rate = chain(Abs(distance - 1), (Rewrite(chain(distance, defect(u))), exp(-u)), decay(u), relation=LessEqual)
    return LimitByRate(TendsTo(distance, far, sp.S.One, oo), rate)


def _wrong_channels() -> Counterexample:
    """At b = 0 the even channel of the encoding is 1 for every σ, that of the table is sin 0 = 0."""
    published = _published_table()
    origin = _table_channels().substitute({b: sp.S.Zero})
    return Counterexample(Not(published), sp.S.Zero, RefutedMember(Not(origin), WrongLimit(Not(origin.body[0]))))


def _table_channels() -> And:
    packet = psi(b, standard_frequency(), sigma)
    return And(
        TendsTo(re(packet), sigma, TableEven(b, channel, dimension), oo),
        TendsTo(im(packet), sigma, TableOdd(b, channel, dimension), oo),
    )


def _published_table() -> ForAll:
    return ForAll(b, sp.S.Integers, _table_channels())


_ours = _sinusoidal()

SINUSOIDAL = Claim(
    id="limit.sinusoidal",
    title="The sinusoidal limit",
    place="2.3 unification",
    box={
        omega: sp.S.Reals,
        sigma: POSITIVE,
        b: sp.S.Reals,
        T: POSITIVE,
        channel: sp.S.Naturals0,
        dimension: sp.S.Naturals,
    },
    published=_published_table(),
    ours=_ours.statement,
    requires=("derivation", "enclosure", "formal", "kernel"),
    reading=(
        "Channel by channel, at every position: an even channel of the encoding (the cosine) tends to the even channel of "
        "the table (a sine), an odd one to the odd one. This is the weakest reading of “gives the table”."
    ),
    reason=(
        "The limit is right for each position and on every bounded range, at the rate b²/2σ², but the channels of each pair "
        "are swapped, and no σ is large enough for all positions: at b = ⌈σ⌉ the encoding is still 0.39 away."
    ),
    derivations=(_wrong_channels(), _ours),
    enclosures=(
        Subdivision(
            LessEqual(_distance, _u), box={b_sigma: around(Rational(1, 2))}, scaling={b: sigma * b_sigma}, touching=(sp.S.Zero,)
        ),
        Subdivision(LessEqual(_distance, sp.S.One), box={b_sigma: sp.S.Reals}, scaling={b: sigma * b_sigma}),
    ),
)

CLAIMS = (SINUSOIDAL,)
