"""Enclosures of the claims on limits: a rate, a score, an envelope that rounds to 1, two distances of one width."""
from __future__ import annotations

import sympy as sp
from sympy import Lambda, Rational, S, oo

from ...enclosure import Enclosure, Subdivision
from ...statement import And, LessEqual, Statement
from ...symbols import N, T, b, channel, d, m, n, scale, sigma, slope
from ...vocabulary.functions import Unknown
from ..ratios import EITHER_SIGN, around, b_T, d_sigma, parted, positive_distance, quarter_slope, sigma_T, signs, stretch


def rope_kernel(rate: LessEqual) -> tuple[Enclosure, ...]:
    """At every distance and width: at distance 0 both sides are 0."""
    return (Subdivision(rate, box={d_sigma: around(Rational(1, 2))}, scaling={d: sigma * d_sigma}, touching=(S.Zero,)),)


def rope_score(statement: And, queries: Unknown, keys: Unknown, frequencies: Unknown, widths: Unknown) -> tuple[Enclosure, ...]:
    """For one query and one key of six channels in both layouts, the relative rate and that of the product."""
    head = {
        queries: Lambda(channel, 1 - channel / 3),
        keys: Lambda(channel, (-1) ** channel / (channel + 1)),
        frequencies: Lambda(channel, 1 / (channel + 1)),
        widths: Lambda(channel, channel + 2),
        N: sp.Integer(3),
        scale: S.One,
    }
    relative, product = {d: (2, 32)}, {m: (4, 16), n: (-16, -4)}
    return tuple(Subdivision(x, box, head) for x, box in zip(statement.body, (relative, product) * 2, strict=False))


def indistinguishable(envelope_is_one: Statement) -> tuple[Enclosure, ...]:
    """For every position, range and width."""
    return (
        Subdivision(
            envelope_is_one,
            box={b_T: parted(1), sigma_T: (sp.Interval.open(0, 4096), sp.Interval(4096, oo))},
            scaling={b: T * b_T, sigma: T * sigma_T},
        ),
    )


def alibi(two_distances: Statement, first: sp.Symbol, second: sp.Symbol) -> tuple[Enclosure, ...]:
    """For every slope and width, and distances of either sign: the width fits the first, or it may fit the second."""
    return (
        Subdivision(
            two_distances,
            box={
                quarter_slope: (sp.Interval.Lopen(0, 1), sp.Interval.open(1, oo)),
                stretch: sp.Interval.open(1, oo),
                **dict.fromkeys(signs, EITHER_SIGN),
            },
            scaling={
                first: signs[0] * sigma * positive_distance,
                second: signs[1] * sigma * positive_distance * stretch,
                slope: quarter_slope * positive_distance / (4 * sigma),
            },
        ),
    )
