"""Rigorous suprema of z^k·e^{p(z)} far from the origin: what a kernel loses when it is cut off there."""
from __future__ import annotations

import sympy as sp
from flint import arb, ctx, fmpq

PRECISION = 128
"""Bits of the ball arithmetic."""


class Unbounded(Exception):
    """No bound was proved."""


def gaussian_tail(power: int, exponent: sp.Expr, z: sp.Symbol, start: sp.Rational) -> arb:
    r"""A ball whose upper end bounds sup over \|z\| ≥ start of \|z\|^power · e^{exponent(z)}.

    With w = ±(start + u), the logarithmic derivative times \|w\| is power + w·exponent′(w), a polynomial in u. If every
    coefficient of it is ≤ 0, the function falls on both tails and its supremum is its value at ±start, enclosed by Arb.

    Raises Unbounded if the exponent is no rational polynomial or the sign is not manifest.
    """
    u = sp.Symbol("u", nonnegative=True)
    if start <= 0 or not exponent.is_polynomial(z) or not all(c.is_Rational for c in sp.Poly(exponent, z).coeffs()):
        raise Unbounded(f"{exponent} is no rational polynomial in {z}")
    ends = []
    for side in (1, -1):
        w = side * (start + u)
        slope = sp.Poly(power + (z * sp.diff(exponent, z)).subs(z, w), u)
        if any(c > 0 for c in slope.coeffs()):
            raise Unbounded(f"|{z}|^{power} exp({exponent}) is not shown to fall beyond {start}")
        ends.append(_value(power, sp.Rational(exponent.subs(z, side * start)), start))
    return ends[0].max(ends[1])


def _value(power: int, exponent: sp.Rational, start: sp.Rational) -> arb:
    before, ctx.prec = ctx.prec, PRECISION
    try:
        return ball(start) ** power * ball(exponent).exp()
    finally:
        ctx.prec = before


def ball(value: sp.Rational) -> arb:
    """Enclosure of a rational number."""
    return arb(fmpq(int(value.p), int(value.q)))
