"""Tail bounds: above the true supremum, close to it, and refused where none is proved."""
from __future__ import annotations

import mpmath
import pytest
import sympy as sp

from mope_theory.enclosure.tail import Unbounded, gaussian_tail

z = sp.Symbol("z", real=True)


@pytest.mark.parametrize("power", [0, 1, 2, 4])
@pytest.mark.parametrize("start", [3, 8, sp.Rational(79, 2), 40])
def test_the_bound_is_the_value_at_the_end_rounded_up(power, start):
    bound = gaussian_tail(power, -(z**2) / 2, z, sp.Rational(start))
    with mpmath.workdps(60):
        end = mpmath.mpf(start.p) / start.q if isinstance(start, sp.Rational) else mpmath.mpf(start)
        true = end**power * mpmath.exp(-(end**2) / 2)
        given = mpmath.mpf(int(bound.p)) / int(bound.q)
        assert true < given < true * (1 + mpmath.mpf(2) ** -100)


def test_both_tails_count():
    """e^{−z²/2 + z} is larger on the right, e^{−z²/2 − z} on the left."""
    right = gaussian_tail(0, -(z**2) / 2 + z, z, sp.Integer(40))
    assert right == gaussian_tail(0, -(z**2) / 2 - z, z, sp.Integer(40))
    assert right > gaussian_tail(0, -(z**2) / 2, z, sp.Integer(40))


@pytest.mark.parametrize(
    "power, exponent, start",
    [
        (2, -(z**2) / 2, 1),  # still rising: the supremum of z²e^{−z²/2} is at √2
        (0, z**2 / 2, 40),
        (1, sp.Integer(0), 40),
        (0, z - z**2 / 100, 40),  # falls only beyond 50
        (0, -sp.Abs(z), 40),
        (0, -sp.sqrt(2) * z**2, 40),
        (0, -(z**2), 0),
    ],
)
def test_no_bound_is_given_where_none_is_proved(power, exponent, start):
    with pytest.raises(Unbounded):
        gaussian_tail(power, exponent, z, sp.Integer(start))


def test_a_constant_is_its_own_supremum():
    assert 1 <= gaussian_tail(0, sp.Integer(0), z, sp.Integer(40)) < 1 + sp.Rational(1, 2**100)
