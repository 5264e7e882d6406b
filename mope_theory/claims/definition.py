"""The claim on the definition: what the Gaussian envelope of the encoding looks like."""
from __future__ import annotations

from sympy import Abs, Rational, S, log, sqrt

from ..claim import Claim
from ..statement import And, Equal, Implies, Less, LessEqual
from ..symbols import b, m, n, omega, psi, sigma
from .forms import POSITIVE, REAL, iff


def _envelope(position: object) -> Abs:
    return Abs(psi(position, omega, sigma))


_half_width = sigma * sqrt(2 * log(2))

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
    ours=iff(LessEqual(Rational(1, 2), _envelope(b)), LessEqual(Abs(b), _half_width)),
    requires=("derivation", "enclosure", "formal"),
    reading="“A Gaussian envelope centred on the origin”: of modulus in (0, 1], 1 at 0, even, strictly decreasing in |b|.",
    reason=(
        "The carrier has modulus 1, so |ψ(b)| is the Gaussian alone; it falls to half its height at |b| = σ√(2 ln 2), "
        "the half-width at half-maximum."
    ),
)

CLAIMS = (ENVELOPE,)
