"""Rounding to p significant bits, from its definition: to a whole multiple of the spacing, half a spacing away at most."""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Abs, Rational, S, floor, log

from ..decide import unfold
from ..derivation import Chain, Derivation, chain
from ..logic import (
    Assume,
    Cases,
    Choose,
    Cite,
    Rearrange,
    Select,
    Specialise,
    Using,
    Witness,
    instance,
)
from ..rules import Combine, Decide, Known, Monotone, Part, Rewrite, Strict, Unfold
from ..statement import And, Equal, Exists, Less, LessEqual
from ..symbols import ell, k, precision
from ..vocabulary.floating import Rounded, Ulp, nearest, spacing
from .gaps import below, gap, given, with_equals
from .integer_part import INTEGER_PART
from .integer_part import real as _real
from .modulus import below_its_modulus, modulus_below
from .whole_numbers import WHOLE_POWERS, apart, not_positive

_HALF = Rational(1, 2)

# --- the nearest whole number --------------------------------------------------------------------------------------------

_tie = (2 * _real - 1) / 4
_low, _up, _at = floor(_tie), sp.ceiling(_tie), floor(_real + _HALF)
_steps = _up - _low


def _gaps(value: sp.Expr) -> tuple[Derivation, ...]:
    """0 ≤ x − ⌊x⌋, 0 < ⌊x⌋ + 1 − x, 0 ≤ ⌈x⌉ − x and 0 < x + 1 − ⌈x⌉."""
    whole = instance(Cite(INTEGER_PART), {_real: value})
    assert isinstance(whole.statement, And)
    return tuple(gap(Select(statement, whole)) for statement in whole.statement.body)


_floor_below, _floor_above, _, _ = _gaps(_real + _HALF)
_tie_floor_below, _tie_floor_above, _tie_ceiling_above, _tie_ceiling_below = _gaps(_tie)


def _one_step() -> Derivation:
    """0 ≤ 1 − (⌈t⌉ − ⌊t⌋), for ⌈t⌉ < t + 1 and t < ⌊t⌋ + 1."""
    less = below(_steps - 1, S.One, (S.One, _tie_ceiling_below), (S.One, _tie_floor_above), strict=True)
    return gap(not_positive(less))


_at_most_one_step = _one_step()
NEAREST_BELOW = below(nearest(_real) - _real, _HALF, (S.One, _floor_below), (S.One, _at_most_one_step))
"""The nearest whole number is no more than ½ above y, for ⌊y + ½⌋ is not."""


def _nearest_above() -> Cases:
    """⌊y + ½⌋ is less than ½ below y. At a tie, where y + ½ = 2t + 1 is whole, it is y + ½, and a step down is allowed."""
    statement = LessEqual(_real - nearest(_real), _HALF)
    none, one = LessEqual(_steps, S.Zero), LessEqual(S.One, _steps)
    apart_from_tie = below(*_sides(statement), (S.One, _floor_above), (S.One, gap(Assume(one))))
    before = below(2 * _low + 1 - _at, S.One, (S.One, _floor_above), (S(2), _tie_floor_below), strict=True)
    at_tie = below(
        *_sides(statement),
        (S.One, gap(not_positive(before))),
        (S(2), gap(Assume(none))),
        (S(3), _tie_ceiling_above),
        (S.One, _tie_floor_below),
    )
    return Cases(statement, apart(_steps), (at_tie, apart_from_tie))


def _sides(statement: Equal | Less | LessEqual) -> tuple[sp.Expr, sp.Expr]:
    return statement.lhs, statement.rhs


NEAREST_ABOVE = _nearest_above()
"""Nor is it more than ½ below y."""

# --- half a spacing ------------------------------------------------------------------------------------------------------

number = sp.Symbol("x", real=True, zero=False)
other = sp.Symbol("z", real=True, zero=False)
_step = sp.Symbol("h", positive=True)
_scaled = nearest(number / _step)


def _half_a_spacing(side: Derivation, sign: int) -> Chain:
    """±(rd x − x) ≤ ulp x / 2, for the nearest whole number to x/h times h."""
    here = instance(side, {_real: number / _step})
    times = below(sign * (_step * _scaled - number), _step / 2, (_step, gap(here)))
    there = instance(times, {_step: spacing(number, precision)})
    assert isinstance(there.statement, LessEqual)
    return chain(
        sign * (Rounded(number, precision) - number),
        (Unfold(), there.statement.lhs),
        (Known(there), there.statement.rhs),
        (Unfold(), Ulp(number, precision) / 2),
        relation=LessEqual,
    )


ROUNDED_BELOW, ROUNDED_ABOVE = _half_a_spacing(NEAREST_BELOW, 1), _half_a_spacing(NEAREST_ABOVE, -1)
"""rd x − x ≤ ulp x / 2 and x − rd x ≤ ulp x / 2, for x ≠ 0."""


def multiple(x: sp.Symbol, times: sp.Symbol) -> Witness:
    """There is a whole number of spacings that is rd x, for x ≠ 0."""
    unit, rounded = Ulp(x, precision), Rounded(x, precision)
    count = nearest(x / spacing(x, precision))
    same = chain(rounded, (Unfold(), unfold(rounded)), (Unfold(), count * unit))
    return Witness(Exists(times, S.Integers, Equal(rounded, times * unit)), count, same)


# --- spacings ------------------------------------------------------------------------------------------------------------

_exponent, _argument = sp.Symbol("e", real=True), sp.Symbol("a'", positive=True)


def _binade(x: sp.Symbol) -> sp.Expr:
    return log(Abs(x)) / log(2)


def _next_binade() -> Chain:
    """log₂|x| < ⌊log₂|x|⌋ + 1."""
    here = _binade(number)
    above = Select(Less(here, floor(here) + 1), instance(Cite(INTEGER_PART), {_real: here}))
    powers = Monotone(above, _exponent, 2**_exponent)
    return chain(
        Abs(number),
        (powers, 2 ** (floor(here) + 1)),
        (Decide(), 2**precision * spacing(number, precision)),
        (Unfold(), 2**precision * Ulp(number, precision)),
        relation=Less,
    )


BELOW_NEXT_BINADE = _next_binade()
"""|x| < 2^p ulp x, for x ≠ 0."""


def _ulp_positive() -> Chain:
    unit = spacing(number, precision)
    return chain(S.Zero, (Strict(Part(S.One, None, unit)), unit), (Unfold(), Ulp(number, precision)), relation=Less)


ULP_POSITIVE = _ulp_positive()
"""0 < ulp x, for x ≠ 0."""

_smaller = LessEqual(Abs(other), Abs(number))


def _ulps_divide() -> Choose:
    """log₂ grows, so ⌊log₂|z|⌋ ≤ ⌊log₂|x|⌋; the ratio of the spacings is 2 to the difference."""
    here, there = _binade(number), _binade(other)
    grows = Monotone(Assume(_smaller), _argument, log(_argument))
    logs = chain(log(Abs(other)), (grows, log(Abs(number))), relation=LessEqual)
    grown = gap(Rearrange(LessEqual(there, here), logs, 1 / log(2)))
    facts = (S.One, grown), (S.One, _gaps(there)[0]), (S.One, _gaps(here)[1])
    difference = floor(here) - floor(there)
    order = gap(not_positive(below(-difference, S.One, *facts, strict=True)))
    every: Any = WHOLE_POWERS.statement
    power = every.body.substitute({k: difference})
    unit, fine = Ulp(number, precision), spacing(other, precision)
    same = chain(
        unit,
        (Unfold(), spacing(number, precision)),
        (Combine((fine, Assume(power.body))), ell * fine),
        (Unfold(), ell * Ulp(other, precision)),
    )
    statement = Exists(ell, S.Integers, Equal(unit, ell * Ulp(other, precision)))
    powers = Specialise(power, WHOLE_POWERS, difference, (order,))
    return Choose(statement, powers, Witness(statement, ell, same))


ULPS_DIVIDE = _ulps_divide()
"""|z| ≤ |x| ⊢ ulp x is a whole number ℓ of spacings ulp z, for x ≠ 0 and z ≠ 0."""

# --- close numbers -------------------------------------------------------------------------------------------------------

_count, _other_count = sp.symbols("k_x k_z", integer=True)
_near, _far = sp.symbols("a c", real=True)


def _at_most_a_spacing() -> Rearrange:
    """If k_z h is within h/2 of c, and k_x ℓh within ℓh/2 of a, and c − a < ℓh/2, then k_z − k_x ℓ − ℓ < 1, so it is ≤ 0."""
    coarse, excess = ell * _step, _other_count - _count * ell - ell
    facts = (
        LessEqual(S.Zero, _step / 2 - (_other_count * _step - _far)),
        Less(S.Zero, coarse / 2 - (_far - _near)),
        LessEqual(S.Zero, coarse / 2 - (_near - _count * coarse)),
    )
    parts = (given(Assume(fact)) for fact in facts)
    less = chain(excess * _step, (Strict(Part(S.One, None, _step / 2), *parts), _step), relation=Less)
    none = not_positive(Rearrange(Less(excess, S.One), less, 1 / _step))
    return Rearrange(LessEqual(_other_count * _step - _count * coarse, coarse), none, _step)


_AT_MOST_A_SPACING = _at_most_a_spacing()
_close = Less(Abs(other - number), Ulp(number, precision) / 2)
_unit, _fine = Ulp(number, precision), Ulp(other, precision)


def _one_side(equations: tuple[Assume, ...], sign: int) -> Derivation:
    """±(rd z − rd x) ≤ ulp x, where rd z, rd x and ulp x are whole multiples of spacings."""
    of_other, of_number, of_unit = equations
    sides = (ROUNDED_BELOW, ROUNDED_ABOVE)[::sign]
    offset = sign * (other - number)
    apart = chain(offset, (Known(below_its_modulus(offset)), Abs(offset)), (Known(Assume(_close)), _unit / 2), relation=Less)
    facts = (
        with_equals(gap(instance(sides[0], {number: other})), of_other),
        with_equals(gap(apart), of_unit),
        with_equals(gap(sides[1]), of_number, of_unit),
    )
    values = {_step: _fine, _other_count: sign * _other_count, _count: sign * _count, _far: sign * other, _near: sign * number}
    bound = Using(instance(_AT_MOST_A_SPACING, values, instance(ULP_POSITIVE, {number: other})), *facts)
    assert isinstance(bound.statement, LessEqual)
    return chain(
        sign * (Rounded(other, precision) - Rounded(number, precision)),
        (Rewrite(of_other), sign * (_other_count * _fine - Rounded(number, precision))),
        (Rewrite(of_number), sign * (_other_count * _fine - _count * _unit)),
        (Rewrite(of_unit), bound.statement.lhs),
        (Known(bound), bound.statement.rhs),
        (Known(of_unit), _unit),
        relation=LessEqual,
    )


def _rounded_close() -> Derivation:
    existences = multiple(other, _other_count), multiple(number, _count), ULPS_DIVIDE
    found: tuple[Any, ...] = tuple(existence.statement for existence in existences)
    equations = tuple(Assume(statement.body) for statement in found)
    close: Derivation = modulus_below(_one_side(equations, -1), _one_side(equations, 1))
    for existence in existences:
        close = Choose(close.statement, existence, close)
    return close


ROUNDED_CLOSE = _rounded_close()
"""|z| ≤ |x| and |z − x| < ulp x / 2 ⊢ |rd z − rd x| ≤ ulp x, for x ≠ 0 and z ≠ 0."""
