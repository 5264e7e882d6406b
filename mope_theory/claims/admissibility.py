"""Claims on admissibility: the spectrum of the wave packet, what is left of it at zero frequency, and the boundary ωσ = 5."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, Integral, Rational, S, Sum, exp, log, oo, pi, re, sqrt

from ..claim import Claim
from ..derivation import chain
from ..enclosure import AwayFromZero, Interpolation, Subdivision
from ..lemmas import GAUSSIAN
from ..rules import Decide
from ..statement import And, Equal, Implies, Less, LessEqual, Not, TendsTo
from ..symbols import b, epsilon, k, omega, psi, sigma, xi
from ..vocabulary.numerals import rounds_to
from ..vocabulary.recipe import BOUNDARY
from ..vocabulary.spectra import finite_energy, psi_hat, squared
from .forms import POSITIVE, REAL, for_all, iff
from .proofs.admissibility import left_at_zero
from .proofs.poisson import one_sided
from .proofs.strict import every_product, strict
from .ratios import b_sigma, product, xi_sigma

_spectrum = psi_hat(xi, omega, sigma)
_at_zero = psi_hat(S.Zero, omega, sigma)
_leak = exp(-((omega * sigma) ** 2) / 2)

_bell = sigma * sqrt(2 * pi) * exp(-(sigma**2) * (xi - omega) ** 2 / 2)

FOURIER = Claim(
    id="admissibility.fourier",
    title="The spectrum of the wave packet",
    place="–",
    box={omega: REAL, sigma: POSITIVE, xi: REAL},
    ours=Equal(_spectrum, _bell),
    requires=("derivation", "enclosure", "formal"),
    derivations=(chain(_spectrum, (Decide(GAUSSIAN), _bell)),),
    enclosures=(
        Interpolation(
            Equal(_spectrum, _bell),
            box={xi_sigma: (-6, 6)},
            scaling={xi: omega + xi_sigma / sigma},
            inside={b: sigma * b_sigma},
            unit=_bell,
            degree=84,
            bits=36,
        ),
    ),
    reason="A Gaussian times a carrier has a Gaussian spectrum around the frequency of the carrier.",
)

_left_at_zero = And(
    Equal(_at_zero / psi_hat(omega, omega, sigma), _leak),
    Implies(Equal(omega * sigma, BOUNDARY), rounds_to(_at_zero / psi_hat(omega, omega, sigma), "3.73e-6")),
)

DC = Claim(
    id="admissibility.dc",
    title="What is left at zero frequency",
    place="–",
    box={omega: REAL, sigma: POSITIVE},
    ours=_left_at_zero,
    requires=("derivation", "enclosure", "formal"),
    derivations=(left_at_zero(_left_at_zero),),
    enclosures=(
        Interpolation(
            _left_at_zero.body[0],
            box={product: (-6, 6)},
            scaling={omega: product / sigma},
            inside={b: sigma * b_sigma},
            unit=_leak,
            degree=84,
            bits=36,
        ),
        Subdivision(
            _left_at_zero.body[1],
            box={product: sp.FiniteSet(BOUNDARY)},
            scaling={omega: product / sigma},
            inside={b: sigma * b_sigma},
        ),
    ),
    reason="The spectrum at 0 is down by e^{−(ωσ)²/2} from its peak: small at ωσ = 5, never zero.",
    uses=("admissibility.fourier",),
)

_weight = squared(_spectrum) / Abs(xi)
_truncated = Integral((squared(_spectrum) + squared(psi_hat(-xi, omega, sigma))) / xi, (xi, epsilon, oo))
_corrected = squared(_spectrum - _leak * psi_hat(xi, S.Zero, sigma)) / Abs(xi)

_boundary = for_all(
    (omega, POSITIVE),
    for_all((sigma, POSITIVE), iff(Less(finite_energy(_weight, xi), oo), LessEqual(BOUNDARY, omega * sigma))),
)
_strict = And(
    Less(S.Zero, Abs(_at_zero)),
    TendsTo(_truncated, epsilon, oo, S.Zero),
    TendsTo(_truncated / log(1 / epsilon), epsilon, 2 * squared(_at_zero), S.Zero),
    Implies(
        Not(Equal(omega, S.Zero)),
        And(Less(S.Zero, finite_energy(_corrected, xi)), Less(finite_energy(_corrected, xi), oo)),
    ),
)

_bell_at_zero = sigma * sqrt(2 * pi) * _leak

STRICT = Claim(
    id="admissibility.strict",
    title="No finite product is admissible",
    place="4 results",
    box={omega: REAL, sigma: POSITIVE},
    published=_boundary,
    ours=_strict,
    requires=("derivation", "enclosure"),
    enclosures=(
        AwayFromZero(
            Less(S.Zero, Abs(_at_zero)),
            Interpolation(
                Equal(_at_zero, _bell_at_zero),
                box={product: (-6, 6)},
                scaling={omega: product / sigma},
                inside={b: sigma * b_sigma},
                unit=_bell_at_zero,
                degree=84,
                bits=36,
            ),
        ),
    ),
    derivations=(every_product(_boundary), strict(_strict)),
    reading=(
        "A wavelet is admissible when ∫|ψ̂(ξ)|²/|ξ| dξ is finite; a boundary at 5 separates the products where it is "
        "from those where it is not."
    ),
    reason=(
        "ψ̂(0) is positive at every finite ωσ, so the integral diverges like 2|ψ̂(0)|² ln(1/ε) on both sides of 5: the "
        "number is a tolerance. Subtracting e^{−(ωσ)²/2} from the carrier removes the divergence."
    ),
    uses=("admissibility.fourier", "admissibility.dc"),
)

_one_sided = re(Sum(psi(b, omega, sigma), (b, 0, oo)))
_comb = Sum(exp(-(sigma**2) * (omega + 2 * pi * k) ** 2 / 2), (k, -oo, oo))

_positions_from_0 = And(
    Equal(_one_sided, Rational(1, 2) + sigma * sqrt(2 * pi) / 2 * _comb),
    Less(Rational(1, 2), _one_sided),
)

ONE_SIDED = Claim(
    id="admissibility.one-sided",
    title="Positions from 0 on are never zero-mean",
    place="–",
    box={omega: REAL, sigma: POSITIVE},
    ours=_positions_from_0,
    requires=("derivation", "enclosure"),
    derivations=(one_sided(_positions_from_0),),
    enclosures=(
        Interpolation(
            _positions_from_0.body[0],
            box={sigma: (Rational(1, 2), 1), omega: sp.FiniteSet(0, 1, 2, 3)},
            degree=40,
            bits=32,
        ),
        Subdivision(_positions_from_0.body[1], box={omega: REAL, sigma: sp.Interval.Lopen(0, Rational(3, 4))}),
        Subdivision(
            _positions_from_0.body[1],
            box={omega: (-Rational(22, 7), Rational(22, 7)), sigma: (Rational(3, 4), 1)},
        ),
    ),
    reason="By symmetry half of the sum over ℤ, which Poisson summation shows to be positive, and half of the term at 0.",
    uses=("admissibility.fourier",),
)

CLAIMS = (FOURIER, DC, STRICT, ONE_SIDED)
