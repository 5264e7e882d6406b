r"""The rotary encoding: each pair of channels is turned by ωb, so that a score of two of them sees the distance alone.

The accuracy is derived in :mod:`.rotation`.
"""
from __future__ import annotations

from ..spec import KernelSpec, NumericalForm
from ..symbols import b, carrier, omega
from .rotation import FREQUENCIES, OUTPUT, PAIRS, POSITIONS, theta, times, turned

SPEC = KernelSpec(
    name="rotary",
    title="Rotary encoding, each pair of channels turned in proportion to the position",
    claim="phase.rope-angle",
    inputs=(PAIRS, POSITIONS, FREQUENCIES),
    channels=times(carrier(b, omega)),
    output=OUTPUT,
    numerical=NumericalForm(bindings={theta: omega * b}, channels=turned()),
    accuracy="(|x_0| + |x_1|) * (|omega*b| + 3) * 2**-53, without |omega*b| if the product is exact (float32 omega, |positions| "
    "<= 2**24)",
)
