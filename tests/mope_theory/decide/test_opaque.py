"""Terms outside the class as opaque quantities: what is decided of them, what is refused, and ways in for a falsehood."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import (
    Abs,
    Derivative,
    I,
    Integral,
    Max,
    Min,
    Rational,
    S,
    Sum,
    acos,
    conjugate,
    cos,
    exp,
    im,
    log,
    oo,
    pi,
    re,
    sin,
    sqrt,
)

from mope_theory.decide import Refused, equal, is_real, nonnegative, positive
from mope_theory.decide.normal_form import expression
from mope_theory.decide.opaque import form
from mope_theory.decide.quantity import Opaque
from mope_theory.decide.sign import holds, is_integer, nonzero
from mope_theory.symbols import Head, N, T, carrier, cofactor, factor, omega, precision, psi, query_center, sigma, zeta
from mope_theory.vocabulary.floating import Rounded, Ulp
from mope_theory.vocabulary.functions import Functions, Partial, Unknown
from mope_theory.vocabulary.gates import PARAMETERS, GatedAttention, PassShare, StandardScore, energies, tokens
from mope_theory.vocabulary.recipe import PUBLISHED_DECAY, InitialFrequency, InitialWidth
from mope_theory.vocabulary.spectra import CircleDistance

x, y, c = sp.symbols("x y c", real=True)
v = sp.Symbol("v", real=True, zero=False)
u = sp.Symbol("u", nonnegative=True)
j, k, ell = sp.symbols("j k ell", integer=True)
natural, channel = sp.symbols("n i", integer=True, nonnegative=True)


def unknown(name: str, codomain: sp.Set, kind: str = "", domain: sp.Set = S.Integers) -> Unknown:
    return Unknown(name, Functions(domain, codomain, kind))


f, g, whole = unknown("f", S.Reals), unknown("g", S.Complexes), unknown("n", S.Integers)
p, q = unknown("p", sp.Interval.open(0, oo)), unknown("q", sp.Interval(0, oo))
h = unknown("h", S.Complexes - sp.FiniteSet(0))
matrix = unknown("A", S.Complexes, domain=sp.ProductSet(S.Integers, S.Integers))
loss = unknown("L", S.Reals, "C^{1}", sp.ProductSet(S.Reals, S.Reals))
rough = unknown("L", S.Reals, "", sp.ProductSet(S.Reals, S.Reals))

_ROOT = sqrt(1 + x**2)
_FORM = Sum(g(j) * conjugate(g(k)) * exp(I * omega * (f(j) - f(k))), (j, 0, N - 1), (k, 0, N - 1))
_VECTOR = Sum(g(j) * exp(I * omega * f(j)), (j, 0, N - 1))

EQUAL = {
    "powers of what may be 0": (Sum(x**k, (k, 0, 3)), 1 + x + x**2 + x**3),
    "a value at equal arguments": (f(2 * j + cos(x) ** 2 + sin(x) ** 2), f(1 + j + j)),
    "a value of a value": (f(whole(j + k)), f(whole(k + j))),
    "a slope at equal arguments": (Partial(loss, 1, x * (x + 1), y), Partial(loss, 1, x**2 + x, y)),
    "conjugates": (conjugate(g(j)) * g(j), Abs(g(j)) ** 2),
    "real and imaginary part": (re(g(j)) + I * im(g(j)), g(j)),
    "a modulus of a product": (Abs(g(j) * h(k)), Abs(g(j)) * Abs(h(k))),
    "a value that is never zero": (conjugate(h(j)) / h(j) * Abs(h(j)) ** 2, conjugate(h(j)) ** 2),
    "a complex constant": (factor * conjugate(factor) / Abs(factor) ** 2, S.One),
    "the root of a square of a modulus": (sqrt(factor * conjugate(factor)), Abs(factor)),
    "powers of a constant": (factor ** (j + 1) * factor ** (-j), factor),
    "a complex centre": (query_center - conjugate(query_center), 2 * I * im(query_center)),
    "powers": (zeta ** (j + k) / zeta**j, zeta**k),
    "powers of powers": (4**x, 2 ** (2 * x)),
    "half powers": (2 ** (x + Rational(1, 2)) * 2 ** Rational(1, 2), 2 * 2**x),
    "powers with a sum": ((2 * pi) ** x * 3**x, (6 * pi) ** x),
    "signs": ((-1) ** (j + 2 * k), (-1) ** (-j)),
    "logarithms of numbers": (log(6), log(2) + log(3)),
    "logarithms of products": (log(T * sigma**2), log(T) + 2 * log(sigma)),
    "the logarithm of an exponential": (log(Abs(psi(x, omega, sigma))), -(x**2) / (2 * sigma**2)),
    "the logarithm of a power": (log(zeta**x), x * log(zeta)),
    "roots": ((_ROOT + x) * (_ROOT - x), S.One),
    "roots of roots": ((1 + sqrt(1 + _ROOT)) * (1 - sqrt(1 + _ROOT)), -_ROOT),
    "roots of products": (sqrt(2 * sigma**3 * (1 + x**2)), sqrt(2) * sigma * sqrt(sigma) * _ROOT),
    "roots below": (1 / _ROOT, _ROOT / (1 + x**2)),
    "roots above": (exp(x * (_ROOT + x) * (_ROOT - x)), exp(x)),
    "the root of a square": (sqrt(x**2), Abs(x)),
    "even powers of a modulus": (Abs(x + y, evaluate=False) ** 4, (x + y) ** 4),
    "sums of exponentials below": (1 / (1 + exp(x)) + 1 / (1 + exp(-x)), S.One),
    "exponentials of exponentials": (exp(exp(x)) * exp(-exp(x)), S.One),
    "circles": (cos(cos(x)) ** 2 + sin(cos(x)) ** 2, S.One),
    "extrema": (Max(omega, 5 * exp(-x)), Max(5 / exp(x), omega)),
    "a frequency on the integers": (CircleDistance(omega + 2 * pi * k), CircleDistance(-omega)),
    "roundings": (Rounded(cos(x * omega), precision), Rounded(re(carrier(x, omega)), precision)),
    "initial pairs": (InitialFrequency(channel) * InitialWidth(channel), sp.Integer(5)),
    "decayed pairs": (InitialFrequency(channel) ** PUBLISHED_DECAY * InitialWidth(channel) ** PUBLISHED_DECAY,
                      sp.Integer(5) ** PUBLISHED_DECAY),
    "the first score": (StandardScore(energies, S.Zero, S.One), S.Zero),
    "another index": (Sum(f(j), (j, 0, N - 1)), Sum(f(k), (k, 0, N - 1))),
    "an index of another kind": (Sum(f(x), (x, 0, N - 1)), Sum(f(channel), (channel, 0, N - 1))),
    "sums are linear": (Sum(2 * x * f(j) + g(j), (j, 0, N - 1)), 2 * x * Sum(f(k), (k, 0, N - 1)) + Sum(g(j), (j, 0, N - 1))),
    "sums of conjugates": (conjugate(Sum(g(j), (j, 0, N - 1)), evaluate=False), Sum(conjugate(g(k)), (k, 0, N - 1))),
    "sums of named functions": (Sum(psi(j, omega, sigma), (j, 0, N)), Sum(exp(I * omega * k - k**2 / (2 * sigma**2)), (k, 0, N))),
    "a quadratic form": (_FORM, Abs(_VECTOR) ** 2),
    "nested sums by other names": (Sum(f(j) * f(k), (j, 0, k), (k, 0, N)), Sum(f(k) * f(j), (k, 0, j), (j, 0, N))),
    "an index that is bound twice": (Sum(f(j) * Sum(f(j), (j, 0, j)), (j, 0, N)), Sum(f(k) * Sum(f(j), (j, 0, k)), (k, 0, N))),
    "how many": (Sum(x, (j, 1, N)), N * x),
    "none": (Sum(f(j), (j, 1, 0)), S.Zero),
    "a short sum": (Sum(f(j), (j, -1, 1)), f(-1) + f(0) + f(1)),
    "integrals of one integrand": (Integral(f(x) * (x + 1), (x, 0, 1)), Integral(f(y) * y + f(y), (y, 0, 1))),
    "integrals that converge are linear": (
        Integral(c * exp(-(x**2)) + x * exp(-(x**2) - x), (x, -oo, oo)),
        c * Integral(exp(-(y**2)), (y, -oo, oo)) + Integral(y * exp(-y * (y + 1)), (y, -oo, oo))),
    "an integral over a bounded range": (Integral(x + exp(x), (x, 0, T)), Integral(x, (x, 0, T)) + Integral(exp(y), (y, 0, T))),
}  # fmt: skip

HIDDEN = Sum(f(j), (j, 0, k))

REFUSED = {
    "values at other arguments": (f(j), f(j + 1)),
    "values of other functions": (f(j), unknown("f", S.Reals, domain=S.Naturals0)(j)),
    "a value and its conjugate": (g(j), conjugate(g(j))),
    "slopes of a function that has none": (Partial(rough, 1, x, y), Partial(rough, 1, x, y)),
    "an unknown function as a number": (f + 1, f + 1),
    "a quotient of equal values": (sp.Mul(f(cos(x) ** 2), 1 / f(1 - sin(x) ** 2), evaluate=False), S.One),
    "a complex symbol below": (sp.Mul(query_center, 1 / query_center, evaluate=False), S.One),
    "the root of a square as it is": (sqrt(x**2), x),
    "an odd power of a modulus": (Abs(x) ** 3, x**3),
    "the root of a product of unknown signs": (sqrt(x * y), sqrt(x) * sqrt(y)),
    "the logarithm of a product of unknown signs": (log(x * y), log(x) + log(y)),
    "the logarithm of a square": (log(x**2), 2 * log(x)),
    "the logarithm of a complex exponential": (log(exp(I * omega, evaluate=False), evaluate=False), I * omega),
    "a power of a base of unknown sign": (x**y * x, x ** (y + 1)),
    "powers of a power": ((exp(2 * I * pi * x)) ** Rational(1, 2), exp(I * pi * x)),
    "an angle beyond half a turn": (acos(cos(x)), x),
    "the larger and the smaller": (Max(x, y), Min(x, y)),
    "a rounding": (Rounded(x, precision), x),
    "a tower of different height": (exp(exp(x)), exp(x)),
    "sums over other ranges": (Sum(f(j), (j, 0, N)), Sum(f(j), (j, 0, N - 1))),
    "a sum that may be empty": (Sum(S.One, (j, 0, k)), k + 1),
    "a sum of products": (Sum(f(j) * f(j), (j, 0, N)), Sum(f(j), (j, 0, N)) ** 2),
    "a sum up to no whole number": (Sum(x * f(j), (j, 0, x)), x * Sum(f(j), (j, 0, x))),
    "a bound index taken for a free one": (Sum(f(j), (j, 0, N)), Sum(f(k), (j, 0, N))),
    "a bound index captured": (Sum(Sum(matrix(j, k), (j, 0, N)), (k, 0, N)), Sum(Sum(matrix(j, j), (j, 0, N)), (k, 0, N))),
    "indices exchanged": (Sum(Sum(matrix(j, k), (j, 0, k)), (k, 0, N)), Sum(Sum(matrix(k, j), (j, 0, k)), (k, 0, N))),
    "a sum beyond what its index admits": (Sum(Abs(channel, evaluate=False), (channel, -5, N)), Sum(channel, (channel, -5, N))),
    "a pole among the terms": (Sum(1 / j + f(j), (j, -1, N)) , Sum(1 / j, (j, -1, N)) + Sum(f(j), (j, -1, N))),
    "a derivative of what is opaque": (Derivative(f(x) * x, x), f(x)),
    "a derivative in a bound of a sum": (Derivative(x * Sum(f(j), (j, 0, sp.floor(x))), x), Sum(f(j), (j, 0, sp.floor(x)))),
    "a divergent integral taken apart": (Integral(x + 1, (x, 0, oo)), Integral(x, (x, 0, oo)) + Integral(1, (x, 0, oo))),
    "an integral over a pole taken apart": (Integral(1 / u + 1, (u, 0, 1)), Integral(1 / u, (u, 0, 1)) + 1),
    "an integral over an integer": (Integral(carrier(k, 2 * pi), (k, 0, 1)), S.One),
    "an integral beyond what its variable admits": (Integral(Abs(u, evaluate=False), (u, -1, 1)), Integral(u, (u, -1, 1))),
    "the conjugate of a divergent integral": (conjugate(Integral(exp(I * x), (x, -oo, oo))), Integral(exp(-I * x), (x, -oo, oo))),
    "an even symbol": (carrier(sp.Symbol("k", even=True), pi) * f(j), f(j)),
    "two symbols of one name": (f(j) * sp.Symbol("k", real=True), f(j) * k),
    "infinity": (f(j) + oo, f(j) + oo),
}  # fmt: skip


@pytest.mark.parametrize("name", EQUAL)
def test_proves_equal(name: str) -> None:
    assert equal(*EQUAL[name]) is True


@pytest.mark.parametrize("name", EQUAL)
def test_a_near_miss_is_not_equal(name: str) -> None:
    left, right = EQUAL[name]
    for wrong in (right * (1 + Rational(1, 10**12)) + Rational(1, 10**9), -right - 1):
        try:
            assert equal(left, wrong) is False
        except Refused:
            continue


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_it_cannot_decide(name: str) -> None:
    """Neither equal nor different: a refusal is never a pass."""
    with pytest.raises(Refused):
        equal(*REFUSED[name])


def test_a_difference_is_proved_only_where_no_quantity_is_left() -> None:
    assert equal(f(j) + x, f(j) + y) is False
    assert equal(f(j) ** 2 / (1 + f(j) ** 2) + 1 / (1 + f(j) ** 2), sp.Integer(2)) is False
    assert equal(1 / (1 + exp(x)), x) is False


class Pretender(Head):
    """A named function that says of itself what its definition does not bear out."""

    nargs = 1

    def definition(self) -> sp.Expr:
        return self.args[0]

    def _eval_is_positive(self) -> bool:
        return True


class Nameless(Head):
    nargs = 1

    def _eval_is_positive(self) -> bool:
        return True


def test_a_head_is_not_taken_at_its_word() -> None:
    for question in (positive, nonnegative, is_real):
        assert not question(Pretender(I * x))
        assert not question(Pretender(query_center))
    assert not positive(Pretender(x))
    with pytest.raises(Refused):
        is_real(Nameless(x))
    for head in (Rounded(query_center, precision), Ulp(I * x, precision), StandardScore(g, j, N), PassShare(g, N, x)):
        assert not holds(is_real, head)


KINDS: dict[str, tuple[sp.Expr, str]] = {
    "real": (f(j), "real"),
    "positive": (p(j), "positive"),
    "nonnegative": (q(j), "nonnegative"),
    "whole": (whole(j) * k + sp.floor(x), "integer"),
    "complex": (g(j), ""),
    "never zero": (h(j) * factor, "nonzero"),
    "a slope": (Partial(loss, 2, x, y), "real"),
    "a product": (p(j) * sigma * exp(f(j)), "positive"),
    "a sum of squares": (Sum(f(j) ** 2, (j, 0, N)), "nonnegative"),
    "a sum of squares of sums": (Sum((f(j) - Sum(f(j), (j, 0, N))) ** 2, (j, 0, N)), "nonnegative"),
    "a sum of something": (Sum(p(j), (j, 0, N - 1)), "positive"),
    "a sum that may be empty": (Sum(p(j), (j, 0, k)), "nonnegative"),
    "a sum of moduli": (Sum(Abs(g(j)), (j, k, N)), "nonnegative"),
    "a real sum": (re(Sum(g(j), (j, 0, N))), "real"),
    "a complex sum": (Sum(g(j), (j, 0, N)), ""),
    "a large logarithm": (log(3), "positive"),
    "a small logarithm": (log(Rational(3, 4)), "real"),
    "a logarithm above 1": (log(1 + u), "nonnegative"),
    "a logarithm of what may be negative": (log(x), ""),
    "a maximum": (Max(x, Rational(1, 3)), "positive"),
    "a minimum": (Min(x, Rational(1, 3)), "real"),
    "a maximum of complex values": (Max(f(j), Pretender(g(j))), ""),
    "a root": (sqrt(1 + f(j) ** 2), "positive"),
    "a root of what may be negative": (sqrt(f(j)), ""),
    "a modulus": (Abs(f(j)), "nonnegative"),
    "a modulus that is never zero": (Abs(v), "positive"),
    "a product with its conjugate": ((g(j) + x) * conjugate(g(j) + x), "nonnegative"),
    "a power": (sigma**x, "positive"),
    "an angle": (acos(cos(x)), "nonnegative"),
    "an angle of a number that is no cosine": (acos(x), ""),
    "an angle of a complex number": (acos(cos(query_center)), ""),
    "an integral that converges": (Integral(exp(-(x**2)), (x, -oo, oo)), "positive"),
    "an integral that may not": (Integral(exp(-y * x**2), (x, -oo, oo)), ""),
    "an integral upwards": (Integral(exp(x), (x, 0, u)), "nonnegative"),
    "an integral that may run backwards": (Integral(exp(x), (x, 0, c)), "real"),
    "a rounding": (Rounded(f(j), precision), "real"),
    "a share": (PassShare(energies, N, x), "nonnegative"),
    "a gate": (GatedAttention(tokens, natural, channel, sp.Lambda(k, k + 1), *PARAMETERS), "real"),
    "a pole": (1 / (1 + Sum(q(j), (j, 0, N))), "positive"),
}  # fmt: skip
QUESTIONS = {
    "real": (is_real,),
    "integer": (is_real, is_integer),
    "nonnegative": (is_real, nonnegative),
    "positive": (is_real, nonnegative, positive, nonzero),
    "nonzero": (nonzero,),
    "": (),
}


@pytest.mark.parametrize("name", KINDS)
def test_kinds(name: str) -> None:
    term, kind = KINDS[name]
    for question in (is_real, is_integer, nonnegative, positive, nonzero):
        assert question(term) is (question in QUESTIONS[kind]), question.__name__


def test_what_may_be_undefined_has_no_sign() -> None:
    assert positive(1 / v**2)
    assert nonnegative(1 / (1 + x) ** 2 * (1 + x) ** 4)  # SymPy cancels it
    for undefined in (x**-2, f(j) ** -2 * g(k) * conjugate(g(k)), (1 / x + I) * (1 / x - I), Abs(x) / x**2, Nameless(x)):
        assert not holds(nonnegative, undefined)


def test_a_quantity_made_elsewhere_is_refused() -> None:
    """One that is said to be real and to have the square −1 would prove 0 ≤ −1."""
    forged = Opaque(("root", x), "real", frozenset(), relation=("square", S.NegativeOne))
    for question in (is_real, nonnegative, positive):
        with pytest.raises(Refused):
            question(forged**2)
    with pytest.raises(Refused):
        equal(forged**2, S.NegativeOne)
    with pytest.raises(Refused):
        equal(f(forged), f(forged))


@pytest.mark.parametrize("wrong", [{"depends": frozenset()}, {"relation": ("square", S.Zero)}, {"kind": "positive"}], ids=str)
def test_a_quantity_made_elsewhere_is_not_taken_for_our_own(wrong: dict[str, object]) -> None:
    own = {"key": ("root", x**2), "kind": "nonnegative", "depends": frozenset({x}), "relation": ("square", x**2)}
    forged = Opaque(**(own | wrong))  # type: ignore[arg-type]
    (real,) = expression(form(sqrt(x**2))).free_symbols
    assert isinstance(real, Opaque)
    assert {name: getattr(real, name) for name in ("key", "depends", "relation")} == {
        name: own[name] for name in ("key", "depends", "relation")
    }
    assert forged != real


def test_a_function_without_values_says_nothing() -> None:
    nothing = unknown("o", S.EmptySet)
    with pytest.raises(Refused):
        positive(nothing(j))


def test_denominators_stay_refused_where_they_may_vanish() -> None:
    for below in (f(j), q(j), g(j), query_center, Max(x, 0), Sum(p(j), (j, 0, k)), HIDDEN, log(1 + u), Abs(x), 1 + cos(x)):
        with pytest.raises(Refused):
            equal(1 / below, 1 / below)
    for below in (p(j), h(j), factor * cofactor, Max(x, 1), Sum(p(j), (j, 0, N)), log(2), 1 + Abs(x), 2 + u * f(j) ** 2):
        assert equal(1 / below, conjugate(1 / conjugate(below)))
