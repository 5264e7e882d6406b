"""The two evaluators against series summed by hand, each other, identities, and planted faults."""
from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import acb, arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from mope_theory.reference import Unresolved, arb_walker, derivative_arb, mp_walker, to_acb, to_mpmath
from mope_theory.symbols import K, P, TableEven, TableOdd, b, center, channel, d, dimension, m, n, omega, psi, sigma, t

PREC = 256
F = Fraction
POINT = {b: F(17, 3), omega: F(7, 5), sigma: F(9, 2), center: F(-5, 4), m: 3, n: F(-2, 7), d: F(11, 4), t: F(1, 3)}


@pytest.fixture(autouse=True)
def working_precision() -> Iterator[None]:
    """Comparisons of balls are carried out at the precision of the context too."""
    old, ctx.prec = ctx.prec, PREC
    yield
    ctx.prec = old


def as_ball(value: mpmath.mpc, digits: int) -> acb:
    """An mpmath value with the radius that its stated precision allows."""
    radius = arb(10) ** (-digits) * (abs(acb(value.real, value.imag)).upper() + arb(10) ** (-digits))
    return acb(arb(mpmath.mpf(value.real)), arb(mpmath.mpf(value.imag))) + acb(arb(0, radius), arb(0, radius))


def routes_agree(expr: sp.Expr, values: dict[sp.Symbol, object], digits: int = 40) -> bool:
    """mpmath at ``digits`` digits and an Arb ball narrower than that overlap."""
    ball = to_acb(expr, values, prec=PREC)
    assert abs(ball).rad() <= arb(10) ** (-digits) * (1 + abs(ball).upper())
    with mpmath.workdps(digits + 20):
        return bool(as_ball(to_mpmath(expr, values, digits), digits).overlaps(ball))


def exp_by_series(x: Fraction, y: Fraction, terms: int = 90) -> tuple[Fraction, Fraction]:
    """Real and imaginary part of e^{x+iy} by its power series in exact fractions, |x+iy| ≤ 3: remainder below 10⁻⁹⁰."""
    re, im, power = F(0), F(0), (F(1), F(0))
    for k in range(1, terms + 1):
        re, im = re + power[0], im + power[1]
        power = ((power[0] * x - power[1] * y) / k, (power[0] * y + power[1] * x) / k)
    return re, im


def contains(ball: acb, re: Fraction, im: Fraction) -> bool:
    """Whether a ball, widened by the remainder of the series, meets the exact fraction."""
    around = acb(arb(0, arb(10) ** -85), arb(0, arb(10) ** -85))
    target = acb(arb(fmpq(re.numerator, re.denominator)), arb(fmpq(im.numerator, im.denominator)))
    return bool((ball + around).overlaps(target))


EXPRESSIONS = [
    psi(b, omega, sigma),
    psi(b, omega, sigma, center),
    K(d, omega, sigma),
    P(m, n),
    sp.conjugate(psi(b, omega, sigma)) * psi(t, omega, sigma),
    sp.re(psi(b, omega, sigma)) + 2 * sp.im(psi(b, omega, sigma, center)),
    sp.Abs(psi(b, omega, sigma) + sp.I * t),
    sp.sqrt(sp.pi) * sigma * sp.cosh(t * omega) - sp.E ** (t**2) / sp.sinh(b),
    sp.cos(omega * b) ** 3 / (1 + sp.sin(b) ** 2) ** sp.Rational(2, 3),
    (1 + sp.I * t) ** sp.Rational(-3, 2),
    sp.Pow(sp.E, -(t**2), evaluate=False),
    TableEven(b, channel, dimension) + sp.I * TableOdd(b, channel, dimension),
]


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=[str(e) for e in EXPRESSIONS])
def test_both_routes_agree_to_forty_digits(expr: sp.Expr) -> None:
    assert routes_agree(expr, {**POINT, channel: 3, dimension: 32})


def test_agreement_is_not_vacuous() -> None:
    assert not routes_agree_between(psi(b, omega, sigma), psi(b, omega, sigma) * (1 + sp.Rational(1, 10**30)))


def routes_agree_between(left: sp.Expr, right: sp.Expr) -> bool:
    with mpmath.workdps(60):
        return bool(as_ball(to_mpmath(left, POINT, 40), 40).overlaps(to_acb(right, POINT, prec=PREC)))


@pytest.mark.parametrize(
    "position, frequency, width", [(1, F(1), F(1)), (F(3, 2), F(-7, 8), F(5, 4)), (0.1, 0.7, 3.3), (-2, F(1, 3), 1e10)]
)
def test_packet_equals_its_power_series(position: object, frequency: object, width: object) -> None:
    x = -(F(position) ** 2) / (2 * F(width) ** 2)
    re, im = exp_by_series(x, F(frequency) * F(position))
    values = {b: position, omega: frequency, sigma: width}
    assert contains(to_acb(psi(b, omega, sigma), values, prec=350), re, im)
    with mpmath.workdps(80):
        value = to_mpmath(psi(b, omega, sigma), values, 60)
        exact = mpmath.mpc(mpmath.mpf(re.numerator) / re.denominator, mpmath.mpf(im.numerator) / im.denominator)
        assert abs(value - exact) <= mpmath.mpf(10) ** -60 * abs(exact)


CONSTANTS = [
    (sp.E, "2.718281828459045235360287471352662497757"),
    (sp.pi, "3.141592653589793238462643383279502884197"),
    (sp.sqrt(2), "1.414213562373095048801688724209698078570"),
    (sp.exp(-sp.Rational(1, 2)), "0.6065306597126334236037995349911804534419"),
    (sp.cos(1), "0.5403023058681397174009366074429766037323"),
    (sp.sin(1), "0.8414709848078965066525023216302989996226"),
    (sp.cosh(1), "1.543080634815243778477905620757061682602"),
    (sp.sinh(1), "1.175201193643801456882381850595600815156"),
    (sp.sqrt(sp.pi), "1.772453850905516027298167483341145182798"),
]


@pytest.mark.parametrize("expr, digits", CONSTANTS, ids=[str(e) for e, _ in CONSTANTS])
def test_published_constants(expr: sp.Expr, digits: str) -> None:
    with mpmath.workdps(60):
        known = mpmath.mpf(digits)
        assert abs(to_mpmath(expr, {}, 45) - known) < mpmath.mpf(10) ** -38
        ball = to_acb(expr, {}, prec=PREC)
        assert ball.imag.is_zero()
        assert abs(ball.real - arb(known)) < arb(10) ** -38


def test_a_float_stands_for_its_exact_binary_value() -> None:
    """Nothing of SymPy's ``exp(x).subs(x, 0.1).evalf(50)``, which is wrong from the 17th digit."""
    x = sp.Symbol("x", real=True)
    binary, _ = exp_by_series(F(0.1), F(0))
    decimal, _ = exp_by_series(F(1, 10), F(0))
    assert contains(to_acb(sp.exp(x), {x: 0.1}, prec=320), binary, F(0))
    assert not contains(to_acb(sp.exp(x), {x: 0.1}, prec=320), decimal, F(0))
    assert contains(to_acb(sp.exp(x), {x: F(1, 10)}, prec=320), decimal, F(0))
    with mpmath.workdps(70):
        ours = to_mpmath(sp.exp(x), {x: 0.1}, 50)
        assert abs(ours - mpmath.mpf(binary.numerator) / binary.denominator) < mpmath.mpf(10) ** -50
    with pytest.raises(ValueError, match="Float is not evaluated"):
        to_mpmath(sp.exp(x).subs(x, sp.Float(0.1) + x), {x: 0}, 50)
    with pytest.raises(ValueError, match="Float is not evaluated"):
        to_acb(x + sp.Float("0.1"), {x: 0})


def test_large_phase_keeps_its_digits() -> None:
    """cos(ωb) at ωb = 8192·2²⁴·…: the reference loses none of the digits that the phase consumes."""
    values = {b: 2**24 + 1, omega: 8191.99951171875, sigma: math.inf}
    assert routes_agree(psi(b, omega, sigma), values)
    assert abs(to_acb(psi(b, omega, sigma), values, prec=PREC)).contains(1)


@pytest.mark.parametrize("infinity", [sp.oo, math.inf])
def test_infinite_width_is_the_exact_limit(infinity: object) -> None:
    values = {**POINT, sigma: infinity}
    limit = to_acb(sp.exp(sp.I * omega * b), POINT, prec=PREC)
    assert to_acb(psi(b, omega, sigma, center), values, prec=PREC).overlaps(limit)
    assert routes_agree(psi(b, omega, sigma, center), values)
    assert derivative_arb(psi(b, omega, sigma, center), values, sigma) == 0
    assert to_acb(1 / (2 * sigma**2 + b), values) == 0
    for evaluate in (lambda e: to_acb(e, values), lambda e: to_mpmath(e, values, 20)):
        with pytest.raises(ValueError, match="infinite"):
            evaluate(sigma * b)
        with pytest.raises(ValueError, match=r"∞|infinity"):
            evaluate(sigma - 1 / sigma**-2)
        with pytest.raises(ValueError, match=r"∞|infinity"):
            evaluate(sigma * sp.sin(b - sp.Rational(17, 3)))


DERIVATIVES = [
    (psi(b, omega, sigma), omega, sp.I * b * psi(b, omega, sigma)),
    (psi(b, omega, sigma), sigma, b**2 / sigma**3 * psi(b, omega, sigma)),
    (psi(b, omega, sigma, center), center, (b - center) / sigma**2 * psi(b, omega, sigma, center)),
    (psi(b, omega, sigma), b, (sp.I * omega - b / sigma**2) * psi(b, omega, sigma)),
    (sp.conjugate(psi(b, omega, sigma)), omega, -sp.I * b * sp.conjugate(psi(b, omega, sigma))),
    (sp.Abs(psi(b, omega, sigma)), b, -b / sigma**2 * sp.Abs(psi(b, omega, sigma))),
    (sp.im(psi(b, omega, sigma)), omega, b * sp.re(psi(b, omega, sigma))),
    (sp.cosh(t * omega), t, omega * sp.sinh(t * omega)),
    ((1 + t**2) ** sp.Rational(2, 3), t, sp.Rational(4, 3) * t * (1 + t**2) ** sp.Rational(-1, 3)),
    (sp.sqrt(1 + sp.I * t), t, sp.I / (2 * sp.sqrt(1 + sp.I * t))),
]


@pytest.mark.parametrize("expr, wrt, known", DERIVATIVES, ids=[f"d/d{w} {e}" for e, w, _ in DERIVATIVES])
def test_taylor_derivatives_equal_the_formulas_worked_by_hand(expr: sp.Expr, wrt: sp.Symbol, known: sp.Expr) -> None:
    ball = derivative_arb(expr, POINT, wrt, prec=PREC)
    assert ball.rad() < arb(10) ** -60
    assert ball.overlaps(to_acb(known, POINT, prec=PREC))


def test_higher_derivatives() -> None:
    third = derivative_arb(psi(b, omega, sigma), POINT, omega, order=3, prec=PREC)
    assert third.overlaps(to_acb(-sp.I * b**3 * psi(b, omega, sigma), POINT, prec=PREC))
    hermite = (t**4 - 6 * t**2 + 3) * sp.exp(-(t**2) / 2)
    assert derivative_arb(sp.exp(-(t**2) / 2), POINT, t, order=4, prec=PREC).overlaps(to_acb(hermite, POINT, prec=PREC))


def test_schwarz_reflection_is_the_conjugate_on_the_real_line_and_analytic_off_it() -> None:
    packet = psi(t, omega, sigma)
    for expr in (sp.conjugate(packet), sp.re(packet), sp.im(packet), sp.conjugate(sp.im(packet) + sp.I * packet)):
        assert to_acb(expr, POINT, analytic=True, prec=PREC).overlaps(to_acb(expr, POINT, prec=PREC))
    off = {**POINT, t: acb(1, 2)}
    reflected = to_acb(sp.conjugate(packet), off, analytic=True, prec=PREC)
    assert reflected.overlaps(to_acb(sp.exp(-sp.I * omega * t - t**2 / (2 * sigma**2)), off, analytic=True, prec=PREC))
    plain = to_acb(packet, off, analytic=True, prec=PREC)
    assert not reflected.overlaps(plain.conjugate()), "off the axis the reflection is not the conjugate of the value"
    parts = to_acb(sp.re(packet) + sp.I * sp.im(packet), off, analytic=True, prec=PREC)
    assert parts.overlaps(plain)


def test_a_rigorous_integral_of_a_product_with_a_conjugate() -> None:
    """∫ψ(t)ψ̄(t−d)dt = σ√π K(d); the tail beyond |t − d/2| = 16σ is below σ e^{−256}/16."""
    values = {omega: F(13, 10), sigma: 2, d: 3}
    integrand = psi(t, omega, sigma) * sp.conjugate(psi(t - d, omega, sigma))
    ctx.prec = 128
    integral = acb.integral(lambda x, _: to_acb(integrand, {**values, t: x}, analytic=True), -30.5, 33.5)
    known = to_acb(sigma * sp.sqrt(sp.pi) * K(d, omega, sigma), values)
    gap = abs(integral - known)
    assert gap < arb(10) ** -30
    assert not integral.overlaps(known * (1 + arb(10) ** -20))


def test_balls_enclose_every_point() -> None:
    wide = to_acb(psi(b, omega, sigma), {b: arb(2, "0.1"), omega: arb(1, "0.1"), sigma: arb(3, "0.1")}, prec=64)
    for k in range(-4, 5):
        inner = {b: F(2) + F(k, 41), omega: F(1) - F(k, 41), sigma: F(3) + F(k, 41)}
        assert wide.contains(to_acb(psi(b, omega, sigma), inner, prec=64))


def test_sums_products_and_logarithms() -> None:
    """Σ_{k=1}^{n} k = n(n+1)/2, Π_{k=2}^{n} (1 − 1/k) = 1/n, log e^b = b; an index that is bound twice keeps its place."""
    k, n = sp.Symbol("k", integer=True), 40
    known = {
        sp.Sum(k * b, (k, 1, n)): b * n * (n + 1) / 2,
        sp.Product(1 - sp.S.One / k, (k, 2, n)): sp.Rational(1, n),
        sp.Sum(sp.Sum(k, (k, 0, 2)) * k, (k, 1, 3)): sp.Integer(18),
        sp.Sum(b, (k, 3, 2)): sp.S.Zero,
        sp.log(sp.exp(b, evaluate=False), evaluate=False): b,
    }
    point = {b: F(13, 7)}
    for expr, value in known.items():
        exact = to_acb(value, point, prec=PREC)
        assert to_acb(expr, point, prec=PREC).overlaps(exact)
        assert not to_acb(expr, point, prec=PREC).overlaps(exact + arb(2) ** -80)
        if value:
            assert abs(to_mpmath(expr, point, 30) - to_mpmath(value, point, 30)) < mpmath.mpf(10) ** -28
    for endless in (sp.Sum(k, (k, 0, sp.oo)), sp.Sum(k, (k, 0, b)), sp.Sum(k * n, (k, 0, 1), (b, 0, 1))):
        with pytest.raises(ValueError, match="is not evaluated"):
            to_acb(endless, point)
    with pytest.raises(Unresolved, match="branch cut"):
        to_acb(sp.log(b), {b: -1})


NOT_ACCEPTED = [
    sp.tan(b), sp.erf(b), sp.loggamma(b), sp.Heaviside(b), sp.Piecewise((b, b > 0), (0, True)), sp.Integral(t, (t, 0, 1)),
    sp.Derivative(sp.Function("f")(b), b), sp.Float(0.5) * b, sp.sign(b), sp.Function("psi")(b), sp.zoo, sp.GoldenRatio,
]  # fmt: skip


@pytest.mark.parametrize("expr", NOT_ACCEPTED, ids=[str(e) for e in NOT_ACCEPTED])
def test_other_nodes_are_refused_by_name(expr: sp.Expr) -> None:
    for route in (lambda: to_acb(expr, POINT), lambda: to_mpmath(expr, POINT, 20)):
        with pytest.raises(ValueError, match="is not evaluated"):
            route()


@pytest.mark.parametrize(
    "values, message",
    [
        ({b: "0.1"}, "not str"),
        ({b: sp.Float(0.1)}, "not Float"),
        ({b: True}, "truth value"),
        ({b: math.nan}, "NaN"),
        ({}, "no value for b"),
        ({b: acb(1, 1)}, "is real"),
        ({b: arb.pos_inf()}, "not finite"),
    ],
)
def test_values_that_are_not_exact_are_refused(values: dict[sp.Symbol, object], message: str) -> None:
    for route in (lambda: to_acb(b + 1, values), lambda: to_mpmath(b + 1, values, 20)):
        with pytest.raises(ValueError, match=message):
            route()


@pytest.mark.parametrize("value", [0, -1, -math.inf, F(-1, 10**30), arb(-1)])
def test_values_outside_the_assumptions_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="contradicts its assumptions"):
        to_acb(sigma, {sigma: value})
    with pytest.raises(ValueError, match="is an integer"):
        to_acb(channel, {channel: F(1, 2)})


def test_poles_branch_cuts_and_cancellation_are_unresolved_never_a_pass() -> None:
    x = sp.Symbol("x", real=True)
    with pytest.raises(Unresolved, match="no finite enclosure"):
        to_acb(1 / x, {x: arb(0, 1)})
    with pytest.raises(ValueError, match="pole"):
        to_mpmath(1 / x, {x: 0}, 20)
    with pytest.raises(Unresolved, match="branch cut"):
        derivative_arb(sp.sqrt(x), {x: arb(0, 1)}, x)
    with pytest.raises(Unresolved, match="Abs is not differentiable"):
        derivative_arb(sp.Abs(x), {x: arb(0, 1)}, x)
    with pytest.raises(ValueError, match="Abs is not analytic"):
        to_acb(sp.Abs(x), {x: 1}, analytic=True)
    assert not to_acb(sp.sqrt(x), {x: acb(-1, arb(0, 1))}, analytic=True).is_finite()
    assert to_acb(sp.sqrt(x), {x: -1}).overlaps(acb(0, 1))
    with pytest.raises(Unresolved, match="no stable value"):
        to_mpmath(sp.cosh(x) ** 2 - sp.sinh(x) ** 2 - 1, {x: F(17, 3)}, 20)
    z = sp.Symbol("z")
    with pytest.raises(ValueError, match="not declared real"):
        to_acb(sp.conjugate(z), {z: acb(1, 1)}, analytic=True)
    with pytest.raises(ValueError, match="not declared real"):
        derivative_arb(z**2, {z: 1}, z)
    with pytest.raises(ValueError, match="mpmath evaluates at exact points"):
        to_mpmath(x, {x: arb(0, 1)}, 20)


def test_the_precision_of_the_caller_is_left_alone() -> None:
    before = (ctx.prec, ctx.cap, mpmath.mp.dps)
    to_acb(psi(b, omega, sigma), POINT, prec=777)
    derivative_arb(psi(b, omega, sigma), POINT, b, order=5, prec=99)
    to_mpmath(psi(b, omega, sigma), POINT, 33)
    with pytest.raises(ValueError, match="is not evaluated"):
        derivative_arb(sp.tan(b), POINT, b, prec=99)
    assert (ctx.prec, ctx.cap, mpmath.mp.dps) == before


rationals = st.fractions(min_value=-20, max_value=20, max_denominator=97)


@given(rationals, rationals, rationals, st.fractions(min_value=F(1, 10), max_value=50, max_denominator=97))
def test_identities_hold_at_random_rational_points(x: Fraction, y: Fraction, w: Fraction, width: Fraction) -> None:
    values = {m: x, n: y, omega: w, sigma: width}
    difference = sp.I * omega * (m - n) - (m**2 + n**2) / (2 * sigma**2)
    factorised = K(m - n, omega, sigma) * sp.exp(-((m + n) ** 2) / (4 * sigma**2))
    for other in (sp.exp(difference), factorised):
        assert to_acb(P(m, n), values, prec=PREC).overlaps(to_acb(other, values, prec=PREC))
        assert routes_agree(other, values)
    modulus = sp.Abs(P(m, n)) ** 2 - P(m, n) * P(n, m)
    assert to_acb(modulus, values, prec=PREC).contains(0)


FAULTS = {
    "Arb forgets to conjugate": (arb_walker.Walker, "_conjugate", lambda self, f: f),
    "Arb forgets the constant of a sum": (arb_walker.Walker, "_add", lambda self, terms: terms[-1]),
    "Arb powers are one too low": (
        arb_walker.Walker, "_integer_power",
        lambda self, base, k, right=arb_walker.Walker._integer_power: right(self, base, k - 1 if k > 0 else k + 1),
    ),
    "Arb takes cos for sin": (
        arb_walker.Walker, "_function",
        lambda self, e, x, right=arb_walker.Walker._function: right(self, sp.cos(t) if isinstance(e, sp.sin) else e, x),
    ),
    "Arb takes the real for the imaginary part": (
        arb_walker.Walker, "_part",
        lambda self, e, mirrored, right=arb_walker.Walker._part: right(self, sp.re(*e.args, evaluate=False), mirrored),
    ),
}  # fmt: skip


def every_check_passes() -> bool:
    values = {**POINT, channel: 3, dimension: 32}
    try:
        return all(routes_agree(e, values) for e in EXPRESSIONS)
    except (ValueError, Unresolved, AssertionError):
        return False


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_in_the_arb_walker_are_seen(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert every_check_passes()
    place, name, wrong = FAULTS[fault]
    monkeypatch.setattr(place, name, wrong)
    assert not every_check_passes()


@pytest.mark.parametrize(
    "node, wrong",
    [
        (sp.conjugate, lambda x: x),
        (sp.exp, lambda x: mpmath.exp(-x)),
        (sp.sin, mpmath.cos),
        (sp.im, mpmath.re),
        (sp.Abs, lambda x: x),
        (sp.cosh, mpmath.sinh),
    ],
)
def test_planted_faults_in_the_mp_walker_are_seen(node: type, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mp_walker.FUNCTIONS, node, wrong)
    assert not every_check_passes()


def test_a_fault_shared_by_both_routes_is_seen_by_the_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both walkers unfold heads: a wrong definition, σ for σ², is killed by the series, not by their agreement."""

    def wrong(self: sp.Expr) -> sp.Expr:
        return sp.exp(sp.I * self.args[1] * self.args[0]) * sp.exp(-(self.args[0] ** 2) / (2 * self.args[2]))

    monkeypatch.setattr(psi, "definition", wrong)
    values = {b: F(3, 2), omega: F(-7, 8), sigma: F(5, 4)}
    assert routes_agree(psi(b, omega, sigma), values)
    re, im = exp_by_series(-(F(3, 2) ** 2) / (2 * F(5, 4) ** 2), F(-7, 8) * F(3, 2))
    assert not contains(to_acb(psi(b, omega, sigma), values, prec=PREC), re, im)


def test_a_reflection_that_keeps_the_sign_of_i_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = arb_walker.Walker.value
    monkeypatch.setattr(arb_walker.Walker, "value", lambda self, e, mirrored=False: right(self, e, False))
    with pytest.raises(AssertionError):
        test_schwarz_reflection_is_the_conjugate_on_the_real_line_and_analytic_off_it()
