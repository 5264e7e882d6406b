"""What scalars should be at many points: the formula of the specification in 80-bit arithmetic, where the search looks.

It shares nothing with the recovered operations. Derivatives are carried along by the chain rule. What is found here is measured
again by :mod:`..exact`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from ..exact import opened
from ..formulas import gradient_symbols
from ..scalars import Scalar

Wide = np.ndarray[Any, Any]
Dual = tuple[Any, Any]
"""Value and derivative along one symbol; the derivative of what does not depend on it is the number 0."""


@cache
def prepared(channel: sp.Expr) -> sp.Expr:
    """A channel with its named functions written out and exponents in factors: differences are formed before they are squared."""
    return opened(channel).replace(sp.exp, lambda power: sp.exp(sp.factor(power), evaluate=False))


def wide(scalar: Scalar, values: Mapping[sp.Symbol, Wide]) -> Wide:
    """The channel, or Σ grad·∂channel/∂symbol, at many points, in the precision of the arrays."""
    spec, memo = scalar.spec, dict[sp.Expr, Dual]()
    if scalar.symbol is None:
        return _wide(prepared(spec.channels[scalar.number]), values, None, memo)[0]
    terms = zip(gradient_symbols(spec), spec.channels, strict=True)
    return sum(values[grad] * _wide(prepared(channel), values, scalar.symbol, memo)[1] for grad, channel in terms)


def moved(scalar: Scalar, values: Mapping[sp.Symbol, Wide]) -> Wide:
    """Σ |x ∂true/∂x| over the variables x, by difference quotients of 2⁻²⁴ of each."""
    step = 2.0**-24
    here = wide(scalar, values)
    total = np.zeros_like(here)
    for x, own in values.items():
        change = (wide(scalar, {**values, x: own * (1 + step)}) - here) / step
        total = total + np.where(np.isfinite(own), np.abs(change), 0.0)
    return total


def _wide(e: sp.Expr, values: Mapping[sp.Symbol, Wide], wrt: sp.Symbol | None, memo: dict[sp.Expr, Dual]) -> Dual:
    """Forward differentiation: the chain rule, operation by operation. Raises ValueError for a function that is not known."""
    if e not in memo:
        kind = next(iter(values.values())).dtype.type
        if isinstance(e, sp.Symbol):
            memo[e] = values[e], int(e == wrt)
        elif isinstance(e, sp.Rational):
            memo[e] = kind(int(e.p)) / kind(int(e.q)), 0
        else:
            memo[e] = _composed(e, [_wide(arg, values, wrt, memo) for arg in e.args], kind)
    return memo[e]


def _composed(e: sp.Expr, parts: Sequence[Dual], kind: type[np.floating[Any]]) -> Dual:
    (x, dx), rest = parts[0], parts[1:]
    if isinstance(e, sp.Add):
        return sum((v for v, _ in rest), start=x), sum((d for _, d in rest), start=dx)
    if isinstance(e, sp.Mul):
        for y, dy in rest:
            x, dx = x * y, x * dy + dx * y
        return x, dx
    if isinstance(e, sp.Pow) and e.exp.is_Integer:
        power = int(e.exp)
        own = kind(1)
        for _ in range(abs(power) - 1):  # one factor less: that of the derivative
            own = own * x
        if power > 0:
            return own * x, power * own * dx
        return 1 / (own * x), power / (own * x * x) * dx
    match e:
        case sp.exp():
            return np.exp(x), np.exp(x) * dx
        case sp.cos():
            return np.cos(x), -np.sin(x) * dx
        case sp.sin():
            return np.sin(x), np.cos(x) * dx
        case sp.Abs():
            return np.abs(x), np.sign(x) * dx
        case sp.Max() if len(rest) == 1:
            (y, dy) = rest[0]
            return np.maximum(x, y), np.where(x > y, dx, dy)
    raise ValueError(f"{type(e).__name__} is not evaluated: {e}")
