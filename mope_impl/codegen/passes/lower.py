"""Named functions unfolded, complex expressions split into real ones."""
from __future__ import annotations

from dataclasses import replace

import sympy as sp

from mope_theory.spec import SpecError

from ..checks import require_equal, require_lowerable
from ..ir import Formula
from ..opaque import unfold


def lower(formula: Formula) -> Formula:
    """Guarantees: channels are real, hold only operations that every backend has, and equal the specification's."""
    channels = []
    for k, channel in enumerate(formula.spec.channels):
        what = f"channel {k} of {formula.spec.name}"
        real = unfold(channel)
        if real.has(sp.I, sp.re, sp.im, sp.conjugate, sp.arg):
            real, rest = real.expand(complex=True).as_real_imag()
            if rest != 0:
                raise SpecError(f"{what}: {sp.sstr(channel)} is not real")
        require_lowerable(real, what)
        require_equal(channel, real, f"{what}, lowered")
        channels.append(real)
    return replace(formula, channels=tuple(channels))
