"""Numerals keep their digits and are exact."""
from __future__ import annotations

import pytest
import sympy as sp

from mope_theory.decide import equal
from mope_theory.statement import LessEqual
from mope_theory.text import expression
from mope_theory.vocabulary.numerals import Decimal, Distance, decimal, half_unit, rounds_to

CASES = {
    "1.4742": (sp.Rational(14742, 10**4), "1.4742", "1.4742"),
    "-0.032": (sp.Rational(-32, 1000), "-0.032", "-0.032"),
    "8.0e-4": (sp.Rational(8, 10**4), r"8.0 \cdot 10^{-4}", "8.0e-4"),
    "0.060": (sp.Rational(6, 100), "0.060", "0.060"),
    "5": (sp.Integer(5), "5", "5"),
    "3e2": (sp.Integer(300), r"3 \cdot 10^{2}", "3e2"),
    "0": (sp.S.Zero, "0", "0"),
}


@pytest.mark.parametrize("numeral", CASES)
def test_a_numeral_is_exact_and_keeps_its_digits(numeral: str) -> None:
    value, latex, text = CASES[numeral]
    assert decimal(numeral).definition() == value
    assert equal(decimal(numeral), value)
    assert not equal(decimal(numeral), value + sp.Rational(1, 10**12))
    assert sp.latex(decimal(numeral)) == latex
    assert expression(decimal(numeral)) == text


@pytest.mark.parametrize("numeral", ["", "1.", ".5", "1,5", "0x1", "1e", "1e1.5", "nan", "--1", "1 2"])
def test_what_is_not_a_numeral_is_refused(numeral: str) -> None:
    with pytest.raises(ValueError, match="not a decimal numeral"):
        decimal(numeral)


def test_rounding_is_to_half_a_unit_of_the_last_place() -> None:
    assert half_unit(decimal("1.49")).definition() == sp.Rational(5, 1000)
    assert half_unit(decimal("6.1e-10")).definition() == sp.Rational(5, 10**12)
    assert half_unit(decimal("36")).definition() == sp.Rational(1, 2)
    statement = rounds_to(sp.pi, "3.14")
    assert statement == LessEqual(Distance(sp.pi, decimal("3.14")), decimal("0.005"))
    assert statement.latex() == r"\left|{\pi - 3.14}\right| \le 0.005"
    assert statement.text() == "|π - 3.14| ≤ 0.005"


def test_numerals_are_not_folded_into_others() -> None:
    total = decimal("0.092") + decimal("-0.032")
    assert total.atoms(Decimal) == {decimal("0.092"), decimal("-0.032")}
    assert equal(total, decimal("0.060"))
    assert not equal(total, decimal("0.061"))
