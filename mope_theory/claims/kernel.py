"""The two kernels of Morlet-encoded positions: their product, and the cross-correlation of two wave packets."""
from __future__ import annotations

import sympy as sp
from sympy import I, Integral, conjugate, exp, pi, sqrt

from ..claim import Claim
from ..derivation import chain
from ..enclosure import Interpolation
from ..lemmas import GAUSSIAN
from ..rules import Decide
from ..statement import Equal
from ..symbols import K, P, d, m, n, omega, psi, sigma, t
from .forms import POSITIVE
from .ratios import d_sigma, t_sigma

_product = exp(I * omega * (m - n)) * exp(-(m**2 + n**2) / (2 * sigma**2))

PRODUCT = Claim(
    id="kernel.product",
    title="Product kernel",
    place="2.2 geometric reading",
    box={omega: sp.S.Reals, sigma: POSITIVE, m: sp.S.Reals, n: sp.S.Reals},
    published=Equal(P(m, n), _product),
    requires=("derivation", "formal", "kernel"),
    reason="The phases of a query and of a key subtract, their envelopes multiply: only the rotation is relative.",
    derivations=(
        chain(
            P(m, n),
            (Decide(), exp(I * omega * m) * exp(-(m**2) / (2 * sigma**2)) * conjugate(psi(n, omega, sigma))),
            (Decide(), exp(I * omega * m - m**2 / (2 * sigma**2)) * exp(-I * omega * n - n**2 / (2 * sigma**2))),
            (Decide(), _product),
        ),
    ),
)

_overlap = Integral(psi(t, omega, sigma) * conjugate(psi(t - d, omega, sigma)), (t, -sp.oo, sp.oo))
_kernel = sigma * sqrt(pi) * K(d, omega, sigma)

CROSS_CORRELATION = Claim(
    id="kernel.cross-correlation",
    title="Cross-correlation kernel",
    place="2.3 unification",
    box={omega: sp.S.Reals, sigma: POSITIVE, d: sp.S.Reals},
    published=Equal(_overlap, _kernel),
    requires=("derivation", "enclosure", "formal", "kernel"),
    reason="Completing the square leaves one Gaussian in t, whose integral is σ√π, times the relative kernel K(d).",
    derivations=(
        chain(
            _overlap,
            (
                Decide(),
                Integral(K(d, omega, sigma) * exp(-((t - d / 2) ** 2) / sigma**2), (t, -sp.oo, sp.oo)),
            ),
            (Decide(GAUSSIAN), _kernel),
        ),
    ),
    enclosures=(
        Interpolation(
            Equal(_overlap, _kernel),
            box={d_sigma: (-8, 8)},
            scaling={d: sigma * d_sigma},
            inside={t: sigma * t_sigma},
            unit=_kernel,
            degree=80,
            bits=40,
        ),
    ),
)

CLAIMS = (PRODUCT, CROSS_CORRELATION)
