"""Widths that no format tells from infinity: an envelope that rounds to 1, and numbers that round to neighbours."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, Rational, S, exp

from ...derivation import Chain, chain, directly
from ...judgement import Derivation
from ...lemmas import EXP_ABOVE_TANGENT
from ...lemmas.gaps import below, both_ways, gap, given, with_equals
from ...lemmas.rounding import (
    BELOW_NEXT_BINADE,
    ROUNDED_ABOVE,
    ROUNDED_BELOW,
    ROUNDED_CLOSE,
    ULP_POSITIVE,
    ULPS_DIVIDE,
    multiple,
    number,
    other,
)
from ...lemmas.whole_numbers import not_positive
from ...logic import Assume, Cases, Choose, Conjunction, Order, Rearrange, Suppose, Using, conjunction, instance
from ...rules import Bound, Combine, Decide, Given, Known, Modulus, Monotone, Numbers, Part, Rewrite, Strict, Unfold
from ...statement import Equal, Less, LessEqual, Not, Or
from ...symbols import ell, precision, sigma
from ...vocabulary.floating import Rounded, Ulp
from ..arguments import defect_below
from .shorthand import Form, joined

_damp = sp.Symbol("q", positive=True)
"""A value of the envelope."""
_x = sp.Symbol("x'", real=True)


def indistinguishable(statement: Form) -> Conjunction:
    """The members of the claim: e^{−u} with u = b²/2σ² for the encoding, and with u = d²/4σ² for the relative kernel."""
    envelope, product, encoding, kernel = statement.body
    damped = _damped_or_zero()
    return conjunction(
        _envelope_is_one(envelope),
        _plain_product(product),
        _within_one_ulp(encoding, 2, damped),
        _within_one_ulp(kernel, 4, damped),
    )


# --- how close the envelope is to 1 --------------------------------------------------------------------------------------


def _small(hypothesis: Form, scale: int, bits: sp.Expr) -> Derivation:
    """u = x²/cσ² ≤ 2^{−p−1} (c: scale), for |x| ≤ T and a least width of T√(2·2^p/c), from T² − x² ≥ 0 and σ² − least² ≥ 0."""
    reach, width = hypothesis.body
    (place,) = reach.lhs.args
    half_unit = sp.Integer(2) ** (-bits - 1)
    return below(
        place**2 / (scale * sigma**2),
        half_unit,
        ((reach.rhs + reach.lhs) / (scale * sigma**2), gap(Assume(reach))),
        (half_unit / sigma**2 * (sigma + width.lhs), gap(Assume(width))),
    )


def _at_most_one(u: sp.Expr) -> Chain:
    """e^{−u} ≤ 1 for u ≥ 0, because 1 − e^{−u} = e^{−u}(e^u − 1 − u) + u e^{−u}."""
    damp = exp(-u)
    return chain(damp, (Bound(Part(damp, EXP_ABOVE_TANGENT, u), Part(damp, None, u)), S.One), relation=LessEqual)


# --- an envelope that rounds to 1 ----------------------------------------------------------------------------------------

_step = sp.Symbol("h", positive=True)
_count = sp.Symbol("k_q", integer=True)


def _envelope_is_one(statement: Form) -> Suppose:
    """1 − 2^{−p−1} < e^{−2^{−p−1}} ≤ e^{−u} ≤ 1."""
    envelope, bits = statement.conclusion.lhs.args
    small: Form = _small(statement.hypothesis, 2, bits)
    u, half_unit = small.statement.lhs, small.statement.rhs
    negated = Rearrange(LessEqual(-half_unit, -u), small)
    near = chain(
        1 - half_unit,
        (Numbers(), exp(-half_unit)),
        (Known(directly(LessEqual(exp(-half_unit), exp(-u)), Monotone(negated, _x, exp(_x)))), exp(-u)),
        relation=Less,
    )
    one = Using(instance(_rounds_to_one(bits), {_damp: exp(-u)}), gap(near), gap(_at_most_one(u)))
    return Suppose(statement, chain(Rounded(envelope, bits), (Decide(), Rounded(exp(-u), bits)), (Known(one), S.One)))


def _rounds_to_one(bits: sp.Integer) -> Derivation:
    """rd q = 1 for 1 − 2^{−p−1} < q ≤ 1: rd q = k ulp q, and ulp 1 = ℓ ulp q."""
    fine, values = Ulp(_damp, bits), {number: _damp, precision: bits}
    whole = instance(multiple(number, _count), values)
    divided = Using(
        instance(ULPS_DIVIDE, {number: S.One, other: _damp, precision: bits}), Rearrange(LessEqual(_damp, S.One), _at_most)
    )
    multiples: tuple[Form, ...] = whole.statement, divided.statement
    of_rounded, of_unit = (Assume(statement.body) for statement in multiples)
    facts = [with_equals(gap(instance(side, values)), of_rounded) for side in (ROUNDED_BELOW, ROUNDED_ABOVE)]
    facts.append(gap(instance(BELOW_NEXT_BINADE, values)))
    facts.append(chain(_unit(bits), (Unfold(), Ulp(S.One, bits)), (Known(of_unit), ell * fine)))
    only = Using(instance(_only_one(bits), {_step: fine}, instance(ULP_POSITIVE, values)), *facts)
    one: Derivation = chain(Rounded(_damp, bits), (Known(of_rounded), _count * fine), (Known(only), S.One))
    for existence in (divided, whole):
        one = Choose(one.statement, existence, one)
    return one


_at_most = Assume(LessEqual(S.Zero, 1 - _damp))


def _unit(bits: sp.Integer) -> sp.Expr:
    """ulp 1."""
    return sp.Integer(2) ** (1 - bits)


def _only_one(bits: sp.Integer) -> Chain:
    """k h = 1, for k h within h/2 of q, 1 − 2^{−p−1} < q ≤ 1, q < 2^p h and ulp 1 = ℓh."""
    unit, half = _unit(bits), _step / 2
    least = 1 - unit / 4
    above, under, binade, near = map(Assume, (
        LessEqual(S.Zero, half - (_count * _step - _damp)),
        LessEqual(S.Zero, half - (_damp - _count * _step)),
        Less(S.Zero, 2**bits * _step - _damp),
        Less(S.Zero, _damp - least),
    ))  # fmt: skip
    one = Assume(Equal(unit, ell * _step))

    def none(whole: sp.Expr, factor: sp.Expr, end: sp.Expr, *parts: Part | Given) -> Derivation:
        """whole ≤ 0, from whole · h = end < h."""
        less = chain(whole * _step, (Combine((factor, one)), end), (Strict(*parts), _step), relation=Less)
        return not_positive(Rearrange(Less(whole, S.One), less, 1 / _step))

    weight = 3 * unit / 2
    few = gap(none(
        ell - 2, S.NegativeOne, unit - 2 * _step,
        given(binade, weight), given(near, weight), Part(S.One, None, weight * least - unit),
    ))  # fmt: skip
    quarter = ell * _step / 4
    room = chain(
        unit / 4, (Combine((Rational(1, 4), one)), quarter), (Bound(given(few, _step / 4)), half), relation=LessEqual
    )
    excess = _count - ell / unit
    not_above = none(excess, 1 / unit, _count * _step - 1, Part(S.One, None, half), given(above), given(_at_most))
    fitting = gap(Using(room, few))
    not_under = Using(
        none(-excess, -1 / unit, 1 - _count * _step, given(under), given(near), given(fitting)), fitting
    )
    same = both_ways(not_above, Rearrange(LessEqual(S.Zero, excess), not_under))
    return chain(_count * _step, (Combine((_step, same), (-1 / unit, one)), S.One))


# --- the plain product ---------------------------------------------------------------------------------------------------


def _plain_product(statement: Form) -> Suppose:
    """A factor that is 1 is left out."""
    is_one = Assume(statement.hypothesis)
    parts = (chain(same.lhs, (Rewrite(is_one), same.rhs)) for same in statement.conclusion.body)
    return Suppose(statement, conjunction(*parts))


# --- numbers that round to neighbours ------------------------------------------------------------------------------------

_half_unit = sp.Integer(2) ** (-precision - 1)
_near = Assume(LessEqual(S.Zero, _half_unit - (1 - _damp)))


def _damped() -> Derivation:
    """|rd qx − rd x| ≤ ulp x for 1 − 2^{−p−1} ≤ q ≤ 1 and x ≠ 0, because |qx − x| ≤ 2^{−p−1}|x| < ulp x / 2."""
    close = instance(ROUNDED_CLOSE, {other: _damp * number})
    size, unit = Abs(number), Ulp(number, precision)
    smaller = below(_damp * size, size, (size, _at_most))
    change = Abs(_damp * number - number)
    binade = gap(BELOW_NEXT_BINADE)
    moved = chain(
        change,
        (Modulus(Bound(given(_at_most, size))), size * (1 - _damp)),
        (Strict(given(binade, _half_unit), given(_near, size)), unit / 2),
        relation=Less,
    )
    return Using(close, smaller, Using(moved, binade))


def _damped_or_zero() -> Cases:
    """The same for every x: 0 is rounded to itself, whatever it is multiplied with."""
    nothing = Equal(_x, S.Zero)
    apart = instance(_damped(), {number: _x}, Assume(Not(nothing)))
    bound: Form = apart.statement
    zero = chain(
        bound.lhs, (Rewrite(Assume(nothing)), S.Zero), (Bound(Part(S.One, None, bound.rhs)), bound.rhs), relation=LessEqual
    )
    return Cases(bound, Order(Or(nothing, Not(nothing))), (zero, apart))


def _within_one_ulp(statement: Form, scale: int, damped: Derivation) -> Suppose:
    """Both parts of the wave packet are those of the carrier, damped by e^{−u} with 1 − u ≤ e^{−u} ≤ 1."""
    small: Form = _small(statement.hypothesis, scale, precision)
    u, half_unit = small.statement.lhs, small.statement.rhs
    damp = exp(-u)
    near = gap(chain(1 - damp, defect_below(u), (Known(small), half_unit), relation=LessEqual))
    at_most = gap(_at_most_one(u))

    def neighbours(part: Form) -> Chain:
        (plain, _) = part.rhs.args
        found: Form = Using(instance(damped, {_x: plain, _damp: damp}), near, at_most)
        return joined(part.lhs, (Decide(), found.statement.lhs), (Known(found), part.rhs), relation=LessEqual)

    return Suppose(statement, conjunction(*map(neighbours, statement.conclusion.body)))
