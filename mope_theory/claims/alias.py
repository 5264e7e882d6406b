"""Claims on aliasing: on the integers a frequency is known up to multiples of 2π and up to its sign."""
from __future__ import annotations

import sympy as sp
from sympy import S, conjugate, pi

from ..claim import Claim
from ..derivation import chain
from ..enclosure import Subdivision
from ..logic import conjunction
from ..rules import Decide
from ..statement import And, Equal, Exists, LessEqual, Or, Statement
from ..symbols import j, k, omega, psi, sigma
from ..vocabulary.numerals import decimal, half_unit, rounds_to
from ..vocabulary.recipe import BOUNDARY, EXTREMES
from ..vocabulary.spectra import CircleDistance
from .forms import INTEGER, POSITIVE, REAL, for_all
from .proofs.alias import folded, not_on_boundary

_here = psi(j, omega, sigma)
_there = psi(j, omega + 2 * pi * k, sigma)

NYQUIST = Claim(
    id="alias.nyquist",
    title="Frequencies that the integers cannot tell apart",
    place="–",
    box={omega: REAL, sigma: POSITIVE, j: INTEGER, k: INTEGER},
    ours=And(Equal(_there, _here), Equal(psi(j, 2 * pi - omega, sigma), conjugate(_here))),
    requires=("derivation", "formal", "kernel"),
    derivations=(
        conjunction(
            chain(_there, (Decide(), _here)), chain(psi(j, 2 * pi - omega, sigma), (Decide(), conjugate(_here)))
        ),
    ),
    reason="e^{2πikb} = 1 at every integer b, and a change of the sign of the frequency conjugates.",
)


def _shown(numeral: str) -> sp.Interval:
    """The numbers that are rounded to a numeral."""
    shown = decimal(numeral)
    value, slack = shown.definition(), half_unit(shown).definition()
    return sp.Interval(value - slack, value + slack)


def _on_boundary(frequency: str, width: str) -> Statement:
    """A pair that is rounded to the reported one has dist(ω, 2πℤ)·σ = 5."""
    product = Equal(CircleDistance(omega) * sigma, BOUNDARY)
    return Exists(omega, _shown(frequency), Exists(sigma, _shown(width), product))


_published = And(*(_on_boundary(*pair) for pair in EXTREMES))
_folded = CircleDistance(omega)
_high, _narrow = (decimal(x) for x in EXTREMES[1])
_effective = rounds_to(CircleDistance(_high), "2.933")
_effective_product = rounds_to(CircleDistance(_high) * _narrow, "4.37")

_ours = And(
    Equal(CircleDistance(omega + 2 * pi * k), _folded),
    Equal(CircleDistance(-omega), _folded),
    Or(
        for_all((j, INTEGER), Equal(_here, psi(j, _folded, sigma))),
        for_all((j, INTEGER), Equal(_here, conjugate(psi(j, _folded, sigma)))),
    ),
    _effective,
    _effective_product,
    Exists(
        k,
        S.Naturals,
        And(
            LessEqual(BOUNDARY, (omega + 2 * pi * k) * sigma), for_all((j, INTEGER), Equal(_there, _here))
        ),
    ),
)

ADMISSIBILITY = Claim(
    id="alias.admissibility",
    title="The boundary on the integers",
    place="4 results",
    box={omega: REAL, sigma: POSITIVE, k: INTEGER},
    published=_published,
    ours=_ours,
    requires=("derivation", "enclosure"),
    derivations=(not_on_boundary(_published), folded(_ours)),
    enclosures=(Subdivision(_published), Subdivision(_effective), Subdivision(_effective_product)),
    reading=(
        "Only the values at tokens enter a model, so the frequency of a pair is the one that the integers see, its distance "
        "from 2πℤ. The reported extremes are paired largest with smallest, and stand for all numbers that round to them."
    ),
    reason=(
        "3.35 lies above π and acts as 2π − 3.35 = 2.933, which with σ = 1.49 gives 4.37; on the other hand adding 2πk "
        "takes any pair beyond 5 and changes no value."
    ),
    uses=("alias.nyquist",),
)

CLAIMS = (NYQUIST, ADMISSIBILITY)
