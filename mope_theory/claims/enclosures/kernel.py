"""Enclosures of the claims on the kernel: sums over centres and tokens, an average of rotations, sections of the kernel."""
from __future__ import annotations

import sympy as sp
from sympy import Lambda, Rational, S, oo, pi, sqrt

from ...enclosure import Enclosure, Interpolation, Section, Subdivision
from ...statement import And, Equal
from ...symbols import K, N, channel, d, delta, m, n, omega, sigma, xi
from ...vocabulary.functions import Unknown
from ..ratios import d_sigma, density, midpoint, t_sigma


def tiling(statement: And) -> tuple[Enclosure, ...]:
    """The equation around δ = σ over a period of the midpoint, by symmetry half of one; the ripple over all of it."""
    equation, ripple, largest = statement.body
    return (
        Interpolation(
            equation,
            box={density: (Rational(3, 4), Rational(5, 4)), midpoint: (0, Rational(1, 2))},
            scaling={sigma: delta / density, m: delta * midpoint + d / 2, n: delta * midpoint - d / 2},
            unit=sigma * sqrt(pi) / delta * K(m - n, omega, sigma),
            degree=24,
            ellipse=4,
            bits=32,
        ),
        Subdivision(ripple),
        Subdivision(largest, box={midpoint: (0, 1)}, scaling={m: 2 * delta * midpoint - n}, touching=(S.Zero, S.One)),
    )


def discrete(statement: And) -> tuple[Enclosure, ...]:
    """The equation at small distances, for widths where the aliases count; the figures; where the bound says nothing."""
    equation, _, *figures, vacuous = statement.body
    return (
        Interpolation(
            equation,
            box={d: sp.FiniteSet(*range(-2, 3)), sigma: (Rational(1, 2), 1)},
            unit=sigma * sqrt(pi) * K(d, omega, sigma),
            degree=40,
            bits=32,
        ),
        *map(Subdivision, figures),
        Subdivision(vacuous, box={sigma: sp.Interval.open(0, oo)}),
    )


def positive_definite(statement: And, vector: Unknown, positions: Unknown, tokens: Unknown) -> tuple[Enclosure, ...]:
    """Sections of eight real positions, eight and 24 tokens; the floor at small widths and at the widest reported."""
    strictly, above_floor, floor, at_widest = (statement.body[i] for i in (1, 6, 7, 8))

    def at(sequence: Unknown, place: sp.Expr, count: int, width: sp.Expr) -> dict[sp.Symbol, sp.Expr]:
        return {sequence: Lambda(channel, place), N: sp.Integer(count), sigma: width, omega: Rational(13, 10)}

    half, widest = Rational(1, 2), Rational(9, 2)
    return (
        Section(strictly, vector, positions, N, at(positions, channel / (channel + 1), 8, half)),
        Section(above_floor, vector, tokens, N, at(tokens, channel**2, 8, half)),
        Section(above_floor, vector, tokens, N, at(tokens, channel - 3, 24, widest), bits=1500),
        Subdivision(floor, box={sigma: sp.Interval.Lopen(0, Rational(1, 4))}),
        Subdivision(floor, box={sigma: sp.FiniteSet(widest)}, bits=3000),
        Subdivision(at_widest),
    )


def frequency_mixture(statement: Equal) -> tuple[Enclosure, ...]:
    """At distances up to six widths."""
    return (
        Interpolation(
            statement,
            box={d_sigma: (-6, 6)},
            scaling={d: sigma * d_sigma},
            inside={xi: omega + t_sigma / sigma},
            unit=statement.rhs,
            degree=72,
            bits=40,
        ),
    )
