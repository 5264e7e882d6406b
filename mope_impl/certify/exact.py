"""What a scalar should be at one point: the formula of the specification, enclosed by Arb at 300 bits.

Nothing is shared with the recovered operations, nor with the arrays of the search: derivatives are taken by Taylor arithmetic on
balls, not by SymPy.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, isfinite, nextafter

import sympy as sp
from flint import arb, ctx

from mope_theory.reference import Unresolved, derivative_arb, to_acb
from mope_theory.symbols import Head

from .formulas import gradient_symbols
from .scalars import Scalar, names

BITS = 300

Point = Mapping[str, float]
"""A value for each leaf."""


def error_at(scalar: Scalar, point: Point, computed: float, terms: int = 1) -> float | None:
    """|computed − terms·true| at a point, as a float64 that is not below it; None where the true value cannot be told."""
    if not isfinite(computed):
        return inf
    try:
        true = exact(scalar, point)
    except Unresolved:
        return None
    with ctx.workprec(BITS):
        return _rounded_up(abs(arb(computed) - terms * true))


def exact(scalar: Scalar, point: Point) -> arb:
    """An enclosure of the channel, or of Σ grad·∂channel/∂symbol; an infinite value stands for the limit.

    Raises Unresolved where a modulus has a corner, and the gradient therefore several values; ValueError where a leaf has no
    value, or one that its symbol excludes.
    """
    known = names(scalar.spec)
    unknown = [name for name in point if name not in known]
    if unknown:
        raise ValueError(f"{unknown[0]} is no input of {scalar.spec.name}")
    values = {known[name]: value for name, value in point.items()}
    with ctx.workprec(BITS):
        if scalar.symbol is None:
            return to_acb(_without_maxima(scalar.spec.channels[scalar.number], values), values).real
        total = arb(0)
        for grad, channel in zip(gradient_symbols(scalar.spec), scalar.spec.channels, strict=True):
            if scalar.symbol in opened(channel).free_symbols:
                own = {x: value for x, value in values.items() if x in channel.free_symbols}
                slope = derivative_arb(_without_maxima(channel, values), own, scalar.symbol).real
                total += to_acb(grad, {grad: values[grad]}).real * slope
        return total


def opened(e: sp.Expr) -> sp.Expr:
    """An expression with each named function replaced by its definition."""
    return e.replace(lambda part: isinstance(part, Head), lambda head: opened(head.definition()))


def _without_maxima(e: sp.Expr, values: Mapping[sp.Symbol, float]) -> sp.Expr:
    """A formula with each maximum of numbers and variables replaced by the largest of them at the point."""

    def largest(maximum: sp.Expr) -> sp.Expr:
        sizes = {arg: Fraction(values[arg]) if arg in values else Fraction(int(arg.p), int(arg.q)) for arg in maximum.args}
        return max(sizes, key=lambda arg: sizes[arg])

    return opened(e).replace(lambda part: isinstance(part, sp.Max), largest)


def _rounded_up(value: arb) -> float:
    """The next float64 that no part of a ball exceeds."""
    top = float(value.abs_upper().mid())
    return top if arb(top) >= value else nextafter(top, inf)
