"""Instances of the axioms on the cosine, extrema and the normal tail, and what they say where a hypothesis fails."""
from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp

from mope_theory.lemmas.circular import ARCHIMEDES, PRINCIPAL_ANGLE, SAME_COSINE, angle, other
from mope_theory.lemmas.extremum import FERMAT, path, ratio
from mope_theory.lemmas.normal import NORMAL_TAIL, mean, start
from mope_theory.reference import to_mpmath
from mope_theory.statement import Equal, Exists, Implies, LessEqual, Or
from mope_theory.symbols import k, sigma, t


@pytest.mark.parametrize("x", ["0", "1.5", "-20.25", "3.35", "1000"])
def test_angles_of_one_cosine_differ_by_turns_or_are_opposite(x: str) -> None:
    assert isinstance(SAME_COSINE.statement, Implies)
    found = SAME_COSINE.statement.conclusion
    assert isinstance(found, Exists)
    assert isinstance(found.body, Or)
    with mp.workdps(40):
        first, second = mp.mpf(x), mp.acos(mp.cos(mp.mpf(x)))

        def gaps(y: mp.mpf) -> list[mp.mpf]:
            sides = [(e.lhs - e.rhs).subs({angle: first, other: y}) for e in found.body.body]
            return [abs(sp.N(gap.subs(k, n), 30)) for gap in sides for n in range(-200, 201)]

        assert min(gaps(second)) < 2000 * 10.0**-29  # sums below 2000 of numbers with 30 digits or more
        assert min(gaps(second + mp.mpf("0.01"))) > 1e-3  # not of the same cosine: 0.01 off, or 0.02 with the other sign
        assert mp.acos(mp.cos(first)) <= mp.pi
    assert PRINCIPAL_ANGLE.statement == LessEqual(sp.acos(sp.cos(angle)), sp.pi)


def test_whole_numbers_have_no_bound() -> None:
    assert isinstance(ARCHIMEDES.statement, Exists)
    for x in (sp.Rational(-7, 2), sp.Integer(3), sp.Rational(10**9, 3)):
        place = max(sp.ceiling(x), sp.S.One)
        assert ARCHIMEDES.statement.domain.contains(place) == sp.true
        body = ARCHIMEDES.statement.body.substitute({angle: x, k: place})
        assert isinstance(body, LessEqual)
        assert body.lhs <= body.rhs


@pytest.mark.parametrize(("curve", "rises"), [(ratio**2, True), ((ratio - 1) ** 2, True), (1 / ratio, False), (-ratio, False)])
def test_the_slope_where_a_function_begins_to_rise(curve: sp.Expr, rises: bool) -> None:
    """Where g(1) ≤ g(r) just above 1 the slope is not negative; where that fails it is, for these four."""
    assert isinstance(FERMAT.statement, Implies)
    conclusion = FERMAT.statement.substitute({path: sp.Lambda(ratio, curve)}).conclusion
    assert isinstance(conclusion, LessEqual)
    near = [curve.subs(ratio, 1 + sp.Rational(n, 1000)) >= curve.subs(ratio, 1) for n in range(10)]
    assert all(near) is rises
    assert bool(conclusion.lhs <= conclusion.rhs) is rises


@pytest.mark.parametrize(("m", "width", "a"), [("0", "1", "0.35"), ("-3", "2.5", "1"), ("2", "0.25", "1.5")])
def test_the_tail_of_a_normal_distribution(m: str, width: str, a: str) -> None:
    assert isinstance(NORMAL_TAIL.statement, Equal)
    integral, closed = NORMAL_TAIL.statement.lhs, NORMAL_TAIL.statement.rhs
    values = {mean: sp.Rational(m), sigma: sp.Rational(width), start: sp.Rational(a)}
    with mp.workdps(30):
        ends = mp.linspace(mp.mpf(a), mp.mpf(a) + 60 * mp.mpf(width), 13)
        tail, error = mp.quad(lambda x: to_mpmath(integral.function, {**values, t: x}, 25).real, ends, error=True)
        value = to_mpmath(closed, values, 25).real
        slack = error + mp.mpf(10) ** -24  # of the quadrature, and of 25 digits; beyond 60 widths there is less than e^{−1700}
    assert slack < mp.mpf(10) ** -15
    assert abs(tail - value) <= slack
    assert abs(tail - value / 2) > slack
