"""How far torch's elementary functions are off on this machine, in units in the last place, by the 80-bit functions of NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch

from ..rounding.formats import FORMATS
from .replay import DTYPES, OPERATIONS

COUNT = 1 << 16
RANGES = {"exp": (-700.0, 700.0), "exp2": (-1000.0, 1000.0), "cos": (-1e5, 1e5), "sin": (-1e5, 1e5), "sigmoid": (-700.0, 40.0)}
REFERENCES: dict[str, Callable[[Any], Any]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "cos": np.cos,
    "sin": np.sin,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


@cache
def units(op: str, dtype: str) -> float:
    """The largest error found of an operation in float32 or float64, where its value is a normal number."""
    generator = np.random.default_rng(0)
    low, high = RANGES[op]
    parts = generator.uniform(low, high, COUNT), np.clip(4 * generator.standard_normal(COUNT), low, high)
    given = torch.from_numpy(np.concatenate(parts)).to(DTYPES[dtype])
    got = OPERATIONS[op](given).to(torch.float64).numpy().astype(np.longdouble)
    with np.errstate(over="ignore"):
        true = REFERENCES[op](given.to(torch.float64).numpy().astype(np.longdouble))
    form = FORMATS[dtype]
    size = np.abs(true.astype(np.float64))
    is_told = (size > form.normal) & (size < form.largest)
    unit = np.ldexp(np.longdouble(1), np.frexp(size)[1] - form.precision)
    return float(np.max(np.where(is_told, np.abs(got - true) / unit, 0.0)))
