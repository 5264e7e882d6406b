"""What is cut off: bounds that lie above the truth, near it, and are refused where the terms do not fall."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import mpmath
import pytest
import sympy as sp
from flint import acb, arb
from sympy import I, Rational, S, cos, exp, oo, pi, re

from mope_theory.decide import Refused
from mope_theory.enclosure import majorant, series
from mope_theory.enclosure.base import precision
from mope_theory.enclosure.interval import Interval, exactly, spanning
from mope_theory.enclosure.majorant import OnBalls, OnCell, majorants, tail
from mope_theory.enclosure.quadrature import integral, integrand
from mope_theory.enclosure.real_walker import RealWalker
from mope_theory.reference import Unresolved
from mope_theory.symbols import sigma

x, y, a = sp.symbols("x y a", real=True)
k = sp.Symbol("k", integer=True)
NUMBERS = OnCell(RealWalker({}).value)

TERMS = (
    exp(-(k**2)), k**2 * exp(-(k**2) / 3 + k), (-1) ** k * exp(-(k**2) / 50), exp(-(k**2) / 4) * cos(3 * k),
    2 * exp(-k) - k * exp(-3 * k),
)  # fmt: skip


@pytest.mark.parametrize("term", TERMS, ids=str)
@pytest.mark.parametrize("start", [1, 3, 12, 40])
def test_the_rest_of_a_sum_is_below_its_bound(term: sp.Expr, start: int) -> None:
    bound = tail(majorants(term, k), NUMBERS).beyond(start, summed=True)
    f = sp.lambdify(k, sp.Abs(term), "mpmath")
    with mpmath.workdps(40):
        rest = mpmath.nsum(lambda n: f(int(n)), [start, start + 400])
        if bound is None:  # the terms rise still
            assert f(start + 1) > 0.3 * f(start)
        else:
            assert rest <= mpmath.mpf(str(bound.str(30, radius=False))) * (1 + mpmath.mpf(10) ** -20)


def test_the_bound_of_an_integral_against_the_complementary_error_function() -> None:
    bell = tail(majorants(exp(-(x**2)), x), NUMBERS)
    for q in (1, 3, 8):
        cut = bell.beyond(q, summed=False)
        true = arb.pi().sqrt() / 2 * arb(q).erfc()
        assert true < cut < 2 * true


def test_terms_that_do_not_fall_have_no_bound() -> None:
    assert tail(majorants(exp(k**2), k), NUMBERS).beyond(50, summed=True) is None
    assert tail(majorants(S.One + 0 * k, k), NUMBERS).beyond(50, summed=True) is None
    assert tail(majorants(exp(-k), k), NUMBERS).beyond(0, summed=True) is None
    with pytest.raises(Unresolved):
        RealWalker({}).value(sp.Sum(exp(-k / 10**6), (k, 0, oo)))


@pytest.mark.parametrize(
    "term", [1 / k**2, exp(-sp.Abs(k)), exp(-(k**4)), sp.log(k), sp.sqrt(k) * exp(-k), exp(exp(-k))], ids=str
)
def test_no_majorant_of_another_form(term: sp.Expr) -> None:
    with pytest.raises(Refused):
        majorants(term, k)
    with pytest.raises(Refused):
        majorants(exp(-(k**2)), sp.Symbol("z", complex=True))


def test_coefficients_on_a_cell_and_at_complex_values() -> None:
    """Sums over whole cells hold the sums at their points; complex values are bounded by real parts."""
    total = sp.Sum(exp(-((k - a) ** 2) / sigma**2), (k, -oo, oo))
    cell = {a: spanning(arb("-0.25"), arb("0.5")), sigma: spanning(arb("0.5"), arb("1"))}
    found = RealWalker(cell).value(total)
    for shift in ("-0.25", "0", "0.5"):
        for width in ("0.5", "0.75", "1"):
            s, w = map(mpmath.mpf, (shift, width))
            value = sum(mpmath.exp(-((n - s) ** 2) / w**2) for n in range(-60, 61))
            assert arb(str(value)) < found.high
            assert arb(str(value)) > found.low
    ball = acb(arb("1"), arb("0.5"))
    bound = tail(majorants(exp(-sigma * k**2), k), OnBalls({sigma: ball})).beyond(3, summed=True)
    assert abs(sum(((-ball * n * n).exp() for n in range(3, 20)), acb(0))) < bound


def test_a_rest_cut_too_early_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bound for the rest set to 0 the sum is wrong, and the interval no longer holds it."""
    total = sp.Sum(exp(-k), (k, 0, oo))
    exact = 1 / (1 - arb(-1).exp())
    with precision(32):
        sound = RealWalker({}).value(total)
        assert sound.low < exact < sound.high
        assert tail(majorants(exp(-k), k), NUMBERS).beyond(5, summed=True) > arb(2) ** -32
        monkeypatch.setattr(series, "_cut", lambda beyond, first: (5, exactly(arb(0))))
        wrong = RealWalker({}).value(total)
        assert wrong.high < exact


def test_a_whole_sum_and_a_whole_integral_are_bounded() -> None:
    bell = tail(majorants(exp(-(x**2) / 2 + x), x), NUMBERS)
    with mpmath.workdps(30):
        summed = mpmath.nsum(lambda n: mpmath.exp(-n * n / 2 + n), [0, 40])
        area = mpmath.quad(lambda z: mpmath.exp(-z * z / 2 + z), [0, 2, 40])
    assert arb(str(summed)) < bell.whole(integrated=False) < 2 * arb(str(summed))
    assert arb(str(area)) < bell.whole(integrated=True) < 6 * arb(str(area))
    with pytest.raises(Unresolved):
        tail(majorants(exp(x), x), NUMBERS).whole(integrated=True)


INTEGRALS = (
    (sp.Integral(exp(-(x**2)), (x, -oo, oo)), lambda: arb.pi().sqrt()),
    (sp.Integral(exp(-(x**2) / 2) / sp.sqrt(2 * pi), (x, Rational(7, 20), oo)), lambda: (arb(7) / 20 / arb(2).sqrt()).erfc() / 2),
    (sp.Integral(x**2 * exp(-x), (x, 0, oo)), lambda: arb(2)),
    (sp.Integral(cos(x), (x, 0, pi)), lambda: arb(0)),
)


@pytest.mark.parametrize(("e", "value"), INTEGRALS, ids=["Gauss", "tail", "Gamma", "cosine"])
def test_integrals_of_numbers(e: sp.Integral, value: Callable[[], arb]) -> None:
    with precision(96):
        found, exact = RealWalker({}).value(e), value()
        assert not exact < found.low
        assert not exact > found.high
        assert found.high - found.low < arb("1e-20")


def test_a_sum_inside_an_integral() -> None:
    """∫ |Σ e^{−2b²} e^{−iby}|² dy over a period is 2π Σ e^{−4b²}, and not so with a term left out."""
    b = sp.Symbol("b", real=True)
    wave = sp.Sum(exp(-2 * b**2 - I * b * y), (b, -oo, oo))
    with precision(64):
        found = RealWalker({}).value(sp.Integral(wave * sp.conjugate(wave), (y, -pi, pi)))
    with precision(128):
        exact = 2 * arb.pi() * sum(((-4 * arb(n) ** 2).exp() for n in range(-20, 21)), arb(0))
    assert found.low < exact < found.high
    assert found.high - found.low < arb("1e-15")


def test_a_sum_in_an_integrand_cut_too_early_is_seen() -> None:
    """The rest is bounded by e^{−2n²}, not forgotten: a sum of three terms has a ball as wide as the fourth."""
    b = sp.Symbol("b", real=True)
    wave = integrand(sp.Sum(exp(-2 * b**2 - I * b * y), (b, -oo, oo)), y, {})
    assert wave.left_out is not None
    ((stand_in, (first, sides)),) = wave.left_out.items()
    assert first > 4
    early = replace(wave, function=1 + 2 * exp(S(-2)) * cos(y) + stand_in, left_out={stand_in: (2, sides)})
    assert early(acb(0), False).contains(wave(acb(0), False).mid())
    assert not replace(early, left_out={stand_in: (3, sides)})(acb(0), False).contains(wave(acb(0), False).mid())


def test_what_is_no_integral_of_one_real_variable() -> None:
    z = sp.Symbol("z", complex=True)
    for e in (sp.Integral(exp(-(x**2) - y**2), (x, 0, 1), (y, 0, 1)), sp.Integral(exp(-z), (z, 0, 1))):
        with pytest.raises(Unresolved):
            integral(e, RealWalker({}).value, {})
    with pytest.raises((Unresolved, Refused)):
        RealWalker({}).value(sp.Integral(1 / (1 + x**2), (x, -oo, oo)))


def test_the_majorant_is_a_function_of_real_parts() -> None:
    assert majorants(exp(I * a * k - k**2), k)[0].exponent == (-1, I * a, 0)
    assert OnCell(RealWalker({a: Interval(arb(-1), arb(1))}).value).real_part(I * a) == 0
    assert re(S.One) == 1
    assert majorant.FARTHEST > 100
