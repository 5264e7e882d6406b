"""Claims on locality: how far the envelope reaches, and what a learned centre can and cannot remove."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, I, Rational, S, conjugate, exp, log, oo

from ..claim import Claim
from ..enclosure import Subdivision
from ..statement import And, Equal, Exists, Implies, Less, LessEqual, Not
from ..symbols import N, b, center, j, k, key_center, m, n, omega, psi, query_center, s, sigma
from ..vocabulary.functions import Indices
from ..vocabulary.numerals import decimal, rounds_to
from ..vocabulary.recipe import CONTEXT
from .forms import POSITIVE, REAL, exists, function_of_difference
from .kernel_further import relative
from .proofs.locality import centre, not_relative, reach
from .ratios import beyond, positive_share

_widest = decimal("4.5")


def _envelope(position: sp.Expr, width: sp.Expr) -> sp.Expr:
    return Abs(psi(position, omega, width))


_reach = And(
    rounds_to(_envelope(sp.Integer(10), _widest), "0.085"),
    rounds_to(_envelope(sp.Integer(17), _widest), "8.0e-4"),
    Implies(
        And(LessEqual(sp.Integer(17), Abs(b)), LessEqual(sigma, decimal("4.505"))),
        Less(_envelope(b, sigma), decimal("0.001")),
    ),
)

REACH = Claim(
    id="locality.reach",
    title="How far the envelope reaches",
    place="–",
    box={omega: REAL, sigma: POSITIVE, b: REAL},
    ours=_reach,
    requires=("derivation", "enclosure"),
    derivations=(reach(_reach),),
    enclosures=(
        Subdivision(
            _reach,
            box={
                b: (sp.Interval.open(-17, 17), *beyond(sp.Integer(17))),
                positive_share: (sp.Interval.Lopen(0, 1), sp.Interval.open(1, oo)),
            },
            scaling={sigma: decimal("4.505") * positive_share},
        ),
    ),
    reason="At the largest reported width the Gaussian has fallen to 8 % after ten tokens and below a thousandth after 17.",
    uses=("definition.envelope",),
)


def _centred(left: sp.Expr, right: sp.Expr, query: sp.Expr, key: sp.Expr) -> sp.Expr:
    """Product of a query at one position and a key at another, each with the centre of its envelope."""
    return psi(left, omega, sigma, query) * conjugate(psi(right, omega, sigma, key))


_prior = exp(-((m - n) ** 2) / (4 * sigma**2)) * exp(-((m + n - 2 * center) ** 2) / (4 * sigma**2))
_from_start = Abs(_centred(s + j, s + k, query_center, key_center))
"""At the positions s, s + 1, s + 2, …"""


def _log_diagonal(place: sp.Expr) -> sp.Expr:
    return log(Abs(_centred(place, place, query_center, key_center)))


_half = Rational(1, 2)

_unbiased = Exists(
    center,
    REAL,
    function_of_difference(Abs(_centred(j, k, center, center)), relative, Indices(CONTEXT)),
)
_about_centres = And(
    Equal(Abs(_centred(m, n, center, center)), _prior),
    Equal(_log_diagonal(m + 1) - 2 * _log_diagonal(m) + _log_diagonal(m - 1), -2 / sigma**2),
    Not(
        exists(
            (query_center, S.Complexes),
            (key_center, S.Complexes),
            function_of_difference(_from_start, relative, Indices(N)),
        )
    ),
    function_of_difference(Abs(_centred(j, k, _half, _half)), relative, Indices(2)),
    Equal(_centred(m, n, m, n), exp(I * omega * (m - n))),
)

CENTRE = Claim(
    id="locality.centre",
    title="A learned centre",
    place="6 limits and future work",
    box={
        omega: REAL, sigma: POSITIVE, m: REAL, n: REAL, s: REAL, N: sp.Range(3, oo),
        center: REAL, query_center: S.Complexes, key_center: S.Complexes,
    },
    published=_unbiased,
    ours=_about_centres,
    requires=("derivation", "formal"),
    derivations=(not_relative(_unbiased), centre(_about_centres)),
    reading=(
        "The bias is gone when the modulus of the product kernel depends on the distance alone, at all positions 0 … 255 "
        "of the experiments; the weakest reading asks this for one centre."
    ),
    reason=(
        "log|P(m, m)| is a parabola of second difference −2/σ² whatever the centres, so three consecutive positions cannot "
        "agree; two can, around ½. A centre that follows the token cancels the envelope."
    ),
    uses=("kernel.factorisation", "kernel.not-stationary"),
)

CLAIMS = (REACH, CENTRE)
