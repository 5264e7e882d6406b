r"""The energy gate: g = ς(α(z − τ)) with the standard score z = (e − mean)/max(deviation, 10⁻⁸) and ς(x) = 1/(1 + e^{−x}).

A map of energies and of statistics that are formed elsewhere: over the whole sequence (one row q) as published, or over the
keys up to each query. Written with e^{−x} the derivative of ς is ∞/∞ from x = −709 on; as ς(x) ς(−x) it has a relative error of a
few units everywhere. Where the deviation is 10⁻⁸ or less it has no influence, and gradient 0.

First-order accuracy, with u = 2⁻⁵³ and the exponential within one unit in the last place: z is off by 3u|z| (a difference, the
constant 10⁻⁸, a quotient), x = α(z − τ) by 3u|αz| + 2u|x|. The slope of ς is at most 1/4, and |x| times it at most 0.23; ς itself
adds (4 − 2ς)ς u, at most 2u. Together below (|αz| + 3)u; then one rounding to the dtype of the result.
"""
from __future__ import annotations

import sympy as sp

from ..spec import Input, KernelSpec, NumericalForm
from ..vocabulary.gates import SMALLEST, sharpness, threshold
from ..vocabulary.operations import at_least, sigmoid

e, mean = sp.symbols("e mu_e", real=True)
deviation = sp.Symbol("sigma_e", nonnegative=True)
z = sp.Symbol("z", real=True)
score = (e - mean) / at_least(deviation, SMALLEST)

RANGE = sp.Interval(-(2**128), 2**128)
"""Of all that is given: everything that a float32 holds. No product then overflows in float64."""

SPEC = KernelSpec(
    name="energy_gate",
    title="Energy gate, a sigmoid of the standard score of an energy",
    claim="gate.causal-form",
    inputs=(
        Input("energy", e, "*b h k", RANGE, "energies of the keys"),
        Input("mean", mean, "*b h q", RANGE, "mean of the energies that each query compares with"),
        Input("deviation", deviation, "*b h q", sp.Interval(0, 2**128), "their standard deviation, >= 0"),
        Input("sharpness", sharpness, "h", RANGE, "slopes of the gate in the standard score"),
        Input("threshold", threshold, "h", RANGE, "standard scores at which the gate is 1/2"),
    ),
    channels=(sigmoid(sharpness * (score - threshold)),),
    output="*b h q k",
    numerical=NumericalForm(bindings={z: score}, channels=(sigmoid(sharpness * (z - threshold)),)),
    accuracy="(|sharpness*z| + 3) * 2**-53 with the standard score z",
)
