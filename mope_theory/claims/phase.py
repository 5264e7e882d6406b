"""The claim on the phase: the angle between two encoded positions is that of a rotary encoding."""
from __future__ import annotations

from sympy import Abs, I, exp

from ..claim import Claim
from ..derivation import chain
from ..rules import Decide
from ..statement import Equal
from ..symbols import P, m, n, omega, sigma
from .forms import POSITIVE, REAL

ROPE_ANGLE = Claim(
    id="phase.rope-angle",
    title="The rotary angle",
    place="2.2 geometric reading",
    box={omega: REAL, sigma: POSITIVE, m: REAL, n: REAL},
    published=Equal(P(m, n) / Abs(P(m, n)), exp(I * omega * (m - n))),
    requires=("derivation", "formal", "kernel"),
    derivations=(
        chain(
            P(m, n) / Abs(P(m, n)),
            (Decide(), P(m, n) * exp((m**2 + n**2) / (2 * sigma**2))),
            (Decide(), exp(I * omega * (m - n))),
        ),
    ),
    reading=(
        "Two angles agree modulo 2π when their points on the unit circle agree, so the argument of P(m, n) is compared "
        "as P/|P|, at every finite width σ."
    ),
    reason="The envelopes are positive and change no argument; what remains of ψ(m) ψ̄(n) is the rotation by ω(m − n).",
    uses=("kernel.product",),
)

CLAIMS = (ROPE_ANGLE,)
