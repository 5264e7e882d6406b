"""Functions with an operation of their own: their derivatives follow from their definitions, kinks apart."""
from __future__ import annotations

import pytest
import sympy as sp
from flint import arb

from mope_theory.decide import equal
from mope_theory.reference import derivative_arb, to_acb
from mope_theory.vocabulary.operations import above, at_least, sigmoid

x, y = sp.symbols("x y", real=True)
FLOOR = sp.Rational(1, 10**8)


def test_the_derivative_of_a_sigmoid() -> None:
    """With N = 1 + e^{−x}: (1/N)′ = −N′/N², and ς(x)ς(−x) = 1/(N(1 + e^x)). They are equal as −N′(1 + e^x) = N."""
    below = 1 / sigmoid(x).definition()
    assert sp.diff(sigmoid(x), x) == sigmoid(x) * sigmoid(-x)
    assert equal(-sp.diff(below, x) * (1 + sp.exp(x)), below)
    assert sigmoid(-x).definition() == 1 / (1 + sp.exp(x))
    assert not equal(-sp.diff(below, x) * (1 + sp.exp(-x)), below)


@pytest.mark.parametrize("point", [-700, -3, 0, sp.Rational(1, 7), 40])
def test_the_derivative_of_a_sigmoid_in_balls(point: sp.Rational) -> None:
    found = to_acb(sp.diff(sigmoid(x * y), x), {x: point, y: 3}, prec=4000).real
    true = derivative_arb(sigmoid(x * y).definition(), {x: point, y: 3}, x, prec=4000).real
    assert found.overlaps(true)
    assert found.rad() < abs(true) * arb(2) ** -100


def test_the_derivative_of_a_clamp() -> None:
    clamp = at_least(x, FLOOR)
    assert sp.diff(clamp, x) == above(x, FLOOR)
    assert sp.diff(clamp**2 * y, x) == 2 * y * clamp * above(x, FLOOR)
    assert sp.diff(above(x, FLOOR), x) == 0
    for value, larger, step in ((1, 1, 1), (FLOOR / 2, FLOOR, 0), (-3, FLOOR, 0), (FLOOR, FLOOR, 0)):
        assert clamp.definition().subs(x, value) == larger
        assert above(x, FLOOR).definition().subs(x, value) == step


@pytest.mark.parametrize("floor", [0, -1, y, sp.pi, sp.oo])
def test_a_floor_is_a_positive_number(floor: sp.Expr) -> None:
    with pytest.raises(ValueError, match=r"at_least: got the floor .*, expected a positive rational number"):
        at_least(x, floor)


def test_signs_that_are_known() -> None:
    assert sigmoid(x).is_positive
    assert at_least(x, FLOOR).is_positive
    assert above(x, FLOOR).is_nonnegative
    z = sp.Symbol("z", complex=True)
    assert sigmoid(z).is_positive is None
    assert at_least(z, FLOOR).is_positive is None
    assert above(z, FLOOR).is_nonnegative is None


def test_they_are_printed_as_they_are_read() -> None:
    assert sp.latex(sigmoid(x) ** 2) == r"\varsigma\left(x\right)^{2}"
    assert sp.latex(at_least(x, 1)) == r"\max\left(x, 1\right)"
    assert sp.latex(above(x, 1)) == r"\mathbf{1}_{x > 1}"
