r"""What decay alone would have made of the wave packets of a run: claim ``learning.decay`` with the schedule of that run.

Decoupled decay multiplies a parameter by Π(1 − λη_t) over the steps, whatever the loss is. The prediction starts from the first
shape of the record and goes through the parameters that the constraint of the run has: log ω and log σ, or those of the bounded
constraint, logit(ω/0.95π) and c with ωσ = 5 + log(1 + eᶜ).
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mope_theory.vocabulary.recipe import BOUNDARY, CAP, FLOOR

from ..record import Record

Array = np.ndarray[Any, np.dtype[np.float64]]
Shape = dict[str, Array]
"""omega, sigma, omega_effective, sigma_effective, each over pairs; radians per token, tokens."""

LEAST, HIGHEST, NARROWEST = (float(value.doit()) for value in (BOUNDARY, CAP, FLOOR))


def rate(step: int, config: Mapping[str, Any]) -> float:
    """Learning rate η_t of a step: linear from 0 over the warm-up, then half a cosine to the final rate."""
    optimizer, steps = config["optimizer"], config["training"]["steps"]
    peak, final, warmup = optimizer["rate"], optimizer["final_rate"], optimizer["warmup"]
    if step < warmup:
        return float(peak * step / warmup)
    share = min(1.0, (step - warmup) / max(1, steps - warmup))
    return float(final + (peak - final) * (1 + np.cos(np.pi * share)) / 2)


def factor(config: Mapping[str, Any], first: int, last: int) -> float:
    """Π(1 − λη_t) over the steps t = first … last − 1; 1 where frequencies and widths are spared the decay."""
    optimizer = config["optimizer"]
    if not optimizer["decay_all"]:
        return 1.0
    return float(np.prod([1 - optimizer["weight_decay"] * rate(step, config) for step in range(first, last)]))


def alone(record: Record, step: int) -> Shape:
    """The shape that decay alone leads to at a step, from the first one of the record.

    Raises KeyError for a record without shapes.
    """
    start = record.measures["shape"][0]
    power = factor(record.config, start["step"], step)
    if record.config["model"]["constraint"] == "bounded":
        omega, sigma = bounded(np.array(start["omega_effective"]), np.array(start["sigma_effective"]), power)
        return {"omega": omega, "sigma": sigma, "omega_effective": omega, "sigma_effective": sigma}
    omega, sigma = (np.array(start[name]) ** power for name in ("omega", "sigma"))
    used = clamped(omega, sigma) if record.config["model"]["constraint"] == "reference" else (omega, sigma)
    return {"omega": omega, "sigma": sigma, "omega_effective": used[0], "sigma_effective": used[1]}


def clamped(omega: Array, sigma: Array) -> tuple[Array, Array]:
    """ω_eff = max(min(ω, 0.95π), 5/σ_eff) and σ_eff = max(σ, 10⁻³)."""
    width = np.maximum(sigma, NARROWEST)
    return np.maximum(np.minimum(omega, HIGHEST), LEAST / width), width


def bounded(omega: Array, sigma: Array, power: float) -> tuple[Array, Array]:
    """ω and σ after both parameters of the bounded constraint have been multiplied by ``power``."""
    logit = np.log(omega / (HIGHEST - omega))
    excess = omega * sigma - LEAST
    raw = excess + np.log(-np.expm1(-excess))  # log(expm1(excess)) without overflow
    after = HIGHEST / (1 + np.exp(-power * logit))
    return after, (LEAST + np.logaddexp(0, power * raw)) / after
