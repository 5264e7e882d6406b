"""Widths of formulas, as lines are broken by them."""
from __future__ import annotations

import pytest

from mope_impl.book.extent import SMALL, extent


@pytest.mark.parametrize(
    "wide, as_wide_as",
    [
        (r"\left(x\right)", "(x)"),
        (r"\frac{x + y}{x}", r"\frac{x}{x + y}"),
        (r"\begin{aligned} & x \\ & x + y \end{aligned}", "x + y"),
        (r"\begin{aligned}[t] & x + y \\ & x \end{aligned} z", "x + y z"),
        (r"\left\{\begin{aligned} & x \\ & y \end{aligned}\right.", r"\{x"),
        (r"\overline{x + y}", "x + y"),
        (r"\sum_{k} x", r"\sum x"),
        (r"x_{k}^{k}", r"x_{k}"),
        (r"\alpha", "x"),
        (r"{{x}}", "x"),
    ],
)
def test_formulas_of_one_width(wide, as_wide_as):
    assert extent(wide) == pytest.approx(extent(as_wide_as), abs=0.41)


@pytest.mark.parametrize(
    "narrow, wide",
    [
        ("x", "x + x"),
        ("x^{2 k}", "x 2 k"),
        (r"\sum_{k=0}^{N} x", r"\sum_{k \in \left\{0, \ldots, N - 1\right\}} x"),
        (r"\sqrt{x}", r"\sqrt{x + y}"),
        (r"\text{one}", r"\text{one and two}"),
        (r"\frac{1}{2}", r"\frac{1}{2 + x}"),
        ("", "x"),
    ],
)
def test_what_is_wider(narrow, wide):
    assert extent(narrow) < extent(wide)


def test_a_script_is_small():
    assert extent("x^{y + z}") - extent("x") == pytest.approx(SMALL * extent("y + z"))


def test_the_rest_of_a_formula_counts_after_a_group():
    assert extent(r"\frac{1}{2} + \sqrt{x} + \begin{aligned} & x \end{aligned} + y") > extent("+ + + x")
