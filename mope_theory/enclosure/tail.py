"""Rigorous suprema of z^k·e^{p(z)} far from the origin: what a kernel loses when it is cut off there."""
from __future__ import annotations

import sympy as sp
from flint import arb, ctx, fmpq

PRECISION = 128
"""Bits of the ball arithmetic."""


class Unbounded(Exception):
    """No bound was proved."""


def gaussian_tail(power: int, exponent: sp.Expr, z: sp.Symbol, start: sp.Rational) -> sp.Rational:
    r"""An upper bound, tight to 2⁻¹⁰⁰ of itself, of sup over \|z\| ≥ start of \|z\|^power · e^{exponent(z)}.

    With w = ±(start + u), the logarithmic derivative times \|w\| is power + w·exponent′(w), a polynomial in u. If every
    coefficient of it is ≤ 0, the function falls on both tails and its supremum is its value at ±start, enclosed by Arb.

    Raises Unbounded if the exponent is no rational polynomial or the sign is not manifest.
    """
    u = sp.Symbol("u", nonnegative=True)
    if start <= 0 or not exponent.is_polynomial(z) or not all(c.is_Rational for c in sp.Poly(exponent, z).coeffs()):
        raise Unbounded(f"{exponent} is no rational polynomial in {z}")
    ends = []
    for side in (1, -1):
        slope = sp.Poly(power + (z * sp.diff(exponent, z)).subs(z, side * (start + u)), u)
        if any(c > 0 for c in slope.coeffs()):
            raise Unbounded(f"|{z}|^{power} exp({exponent}) is not shown to fall beyond {start}")
        ends.append(_upper_end(power, sp.Rational(exponent.subs(z, side * start)), start))
    return max(ends)


def falling_supremum(product: sp.Expr, z: sp.Symbol, start: arb) -> sp.Rational | None:
    """The same for a product of a whole power of z and exponentials, from an exact start on; None if no bound is proved."""
    powers = product.as_powers_dict()
    k, exponent = powers.pop(z, sp.S.Zero), powers.pop(sp.E, sp.S.Zero)
    if powers or not (k.is_Integer and k >= 0):
        return None
    mantissa, scale = start.man_exp()
    try:
        return gaussian_tail(int(k), exponent, z, sp.Integer(int(mantissa)) * sp.Rational(2) ** int(scale))
    except Unbounded:
        return None


def _upper_end(power: int, exponent: sp.Rational, start: sp.Rational) -> sp.Rational:
    """The upper end of an enclosure of start^power · e^exponent."""
    before, ctx.prec = ctx.prec, PRECISION
    try:
        mantissa, scale = (_ball(start) ** power * _ball(exponent).exp()).upper().man_exp()
    finally:
        ctx.prec = before
    return sp.Integer(int(mantissa)) * sp.Rational(2) ** int(scale)


def _ball(value: sp.Rational) -> arb:
    return arb(fmpq(int(value.p), int(value.q)))
