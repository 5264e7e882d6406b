"""Claims on the uncertainty relation: what the bound speaks of, and which widths meet it with equality."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, I, Lambda, Rational, S, exp, oo, pi, sqrt

from ..claim import Claim, Later
from ..enclosure import HermiteSums, Subdivision
from ..judgement import Derivation
from ..logic import conjunction
from ..statement import And, Equal, Implies, Less, LessEqual
from ..symbols import b, center, factor, nu, omega, psi, rho, sigma, xi
from ..vocabulary.functions import Functions, Unknown
from ..vocabulary.numerals import rounds_to
from ..vocabulary.spectra import Deviation, Fourier, finite_energy, psi_hat, psi_hat_on_integers, squared
from .forms import INTEGER, NONZERO, POSITIVE, REAL, exists, for_all
from .proofs.sampled_spreads import sampled
from .proofs.uncertainty import attained, narrower, uncertainty
from .ratios import b_sigma, from_omega

wave = Unknown("phi", Functions(S.Reals, S.Complexes, "L^{2}"))
"""A wave function that is square-integrable."""

_half = Rational(1, 2)
_spread = Deviation(Lambda(b, squared(wave(b))), REAL)
_spectral_spread = Deviation(Lambda(xi, squared(Fourier(wave, xi))), REAL)
_admitted = And(
    Less(S.Zero, finite_energy(squared(wave(b)), b)),
    Less(finite_energy(b**2 * squared(wave(b)), b), oo),
    Less(finite_energy(xi**2 * squared(Fourier(wave, xi)), xi), oo),
)
"""φ ≠ 0, bφ ∈ L² and φ′ ∈ L²; φ is then integrable, so that its transform is an integral."""


def _sampled_product(width: sp.Expr) -> sp.Expr:
    """Product of the deviations of the atom sampled at the integers, the spectral one over the period around ω."""
    spectrum = squared(psi_hat_on_integers(xi, omega, width))
    return Deviation(Lambda(b, squared(psi(b, omega, width))), INTEGER) * Deviation(
        Lambda(xi, spectrum), sp.Interval(omega - pi, omega + pi)
    )


_on_integers = for_all((sigma, POSITIVE), LessEqual(_half, _sampled_product(sigma)))
_narrow_product = rounds_to(_sampled_product(_half), "0.2828")
_line = Implies(_admitted, LessEqual(_half, _spread * _spectral_spread))


def _bound() -> tuple[Derivation, ...]:
    refuted, narrow = sampled(_on_integers, _narrow_product)
    return refuted, conjunction(uncertainty(_line), narrow)


_around_omega = {xi: omega + from_omega}

BOUND = Claim(
    id="uncertainty.bound",
    title="The uncertainty bound",
    place="2.2 geometric reading",
    box={omega: REAL, wave: wave.space},
    published=_on_integers,
    ours=And(_line, _narrow_product),
    requires=("derivation", "enclosure", "formal"),
    derivations=Later(_bound),
    enclosures=(
        HermiteSums(_line, wave),
        Subdivision(_on_integers, at={sigma: _half}, inside=_around_omega, bits=32),
        Subdivision(_narrow_product, inside=_around_omega, bits=32),
    ),
    reading=(
        "The positions of tokens are integers: Δb is the standard deviation of |ψ|² over ℤ, Δω that of its Fourier series "
        "over the period [ω − π, ω + π]. Ours speaks of wave functions on ℝ; ∫ξ²|φ̂|² < ∞ says that φ′ is square-integrable."
    ),
    reason=(
        "On the line the bound is Heisenberg's. On the integers a narrow atom is almost one sample, and its spectrum has "
        "no more than a period to spread over."
    ),
    uses=("admissibility.fourier",),
)


def _deviations(power: int) -> tuple[Deviation, Deviation]:
    """Standard deviations of |ψ|^power and of |ψ̂|^power as weights on the line."""
    return (
        Deviation(Lambda(b, Abs(psi(b, omega, sigma)) ** power), REAL),
        Deviation(Lambda(xi, Abs(psi_hat(xi, omega, sigma)) ** power), REAL),
    )


_amplitude, _energy = _deviations(1), _deviations(2)
_gaussian = factor * exp(I * nu * b) * exp(-((b - center) ** 2) / (2 * rho**2))

_as_published = And(Equal(_energy[0], sigma), Equal(_energy[1], 1 / sigma))
_amplitude_width, _energy_width = Equal(_amplitude[0], sigma), Equal(_energy[0], sigma / sqrt(2))
_in_widths = {b: sigma * b_sigma}

_sharp = And(
    _amplitude_width,
    Equal(_amplitude[1], 1 / sigma),
    _energy_width,
    Equal(_energy[1], 1 / (sigma * sqrt(2))),
    Equal(_energy[0] * _energy[1], _half),
    Implies(
        And(*_admitted.body, Equal(_spread * _spectral_spread, _half)),
        exists(
            (factor, NONZERO),
            (nu, REAL),
            (center, REAL),
            (rho, POSITIVE),
            Equal(finite_energy(squared(wave(b) - _gaussian), b), S.Zero),
        ),
    ),
)

EQUALITY = Claim(
    id="uncertainty.equality",
    title="Equality in the uncertainty bound",
    place="2.2 geometric reading",
    box={omega: REAL, sigma: POSITIVE, wave: wave.space},
    published=_as_published,
    ours=_sharp,
    requires=("derivation", "enclosure", "formal"),
    derivations=Later(lambda: (narrower(_as_published), attained(_sharp))),
    enclosures=(
        Subdivision(_as_published.body[0], inside=_in_widths),
        Subdivision(_amplitude_width, inside=_in_widths, within=60, bits=96),
        Subdivision(_energy_width, inside=_in_widths, within=60, bits=96),
    ),
    reading="Δb and Δω of the bound are standard deviations of |ψ|² and |ψ̂|²; two wave functions are equal in L².",
    reason=(
        "σ and 1/σ are the widths of the amplitudes |ψ| and |ψ̂|, of product 1. Squaring narrows both by √2, to the product "
        "½, which Gaussians alone attain."
    ),
    uses=("uncertainty.bound", "admissibility.fourier", "definition.envelope"),
)

CLAIMS = (BOUND, EQUALITY)
