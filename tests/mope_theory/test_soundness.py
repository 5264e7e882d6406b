"""False statements dressed up for the checker: none may hold. Each stands for a way in that was once open or nearly so."""
from __future__ import annotations

import types
import unittest.mock
from dataclasses import replace

import pytest
import sympy as sp
from sympy import Abs, Derivative, I, Integral, S, cos, exp, oo, pi, sin, sqrt

from mope_impl.ledger import Row
from mope_impl.ledger.providers import PROVIDERS
from mope_theory.claim import Claim
from mope_theory.derivation import HOLDS, Chain, Derivation, Step, chain, directly
from mope_theory.domains import uncovered
from mope_theory.enclosure import Interpolation, Subdivision, run
from mope_theory.lemmas import GAUSSIAN
from mope_theory.logic import (
    Counterexample,
    LimitByRate,
    NotBelow,
    NotUniform,
    RefutedMember,
    UniformLimitByRate,
    WrongLimit,
    check,
    instance,
    proves,
)
from mope_theory.registry import claim as registered
from mope_theory.rules import Bound, Decide, Given, Modulus, Numbers, Part, Rewrite, Unfold
from mope_theory.statement import And, Equal, Exists, ForAll, Less, LessEqual, Not, Statement, TendsTo, UniformlyTendsTo
from mope_theory.symbols import carrier, psi
from mope_theory.vocabulary.floating import Ulp
from mope_theory.vocabulary.functions import Functions, Unknown
from mope_theory.vocabulary.recipe import MorletParameters, Perplexity
from mope_theory.vocabulary.spectra import Deviation, Fourier

x, y, z, w, b, t = sp.symbols("x y z w b t", real=True)
s, c = sp.symbols("sigma c", positive=True)
w_positive = sp.Symbol("w", positive=True)
u, r = sp.symbols("u r", nonnegative=True)
k = sp.Symbol("k", integer=True)
natural = sp.Symbol("N", integer=True, positive=True)
counter = sp.Symbol("k", integer=True, nonnegative=True)
even = sp.Symbol("k", even=True)
counter_n = sp.Symbol("n", integer=True, nonnegative=True)
negative = sp.Symbol("x", negative=True)
REALS = S.Reals


def detour(value: sp.Expr, wrong: sp.Expr) -> Chain:
    """value = wrong by way of a derivative, which evaluation at points may not look through."""
    return chain(value, (Decide(), Derivative(value * y, y)), (Decide(), wrong))


def above_itself(value: sp.Expr) -> Chain:
    """|value| ≤ 2·value, for a value that is plainly nonnegative."""
    return chain(Abs(value), (Bound(Part(S.One, None, value)), 2 * value), relation=LessEqual)


def not_uniform_by_capture() -> NotUniform:
    captured = Derivative(s + r - 1 / s, s)
    one = 1 + 1 / s**2
    certificate = Bound(Part(S.One, None, one))
    gap = chain(
        S.One, (Bound(Part(S.One, None, 1 / s**2)), one), (Modulus(certificate), Abs(captured)), relation=LessEqual
    )
    floor = chain(S.Half, (Bound(Part(S.One, None, S.Half)), S.One), relation=LessEqual)
    limit = UniformlyTendsTo(Derivative(b - 1 / s, s), s, S.Zero, oo, b, S.Integers)
    return NotUniform(Not(limit), r, gap, floor)


def counterexample_by_capture() -> Counterexample:
    statement = ForAll(x, REALS, TendsTo(Derivative(x - y, y), s, S.NegativeOne, oo))  # true
    return Counterexample(Not(statement), y, WrongLimit(Not(TendsTo(Derivative(y - y, y), s, S.NegativeOne, oo))))


_one = cos(x) ** 2 + sin(x) ** 2 - 1
_other = cos(y) ** 2 + sin(y) ** 2 - 1
_dressed = x * cos(y) ** 2 + x * sin(y) ** 2
_tail = 1 / (1 + b**2 * s**2)
_fake_step = types.SimpleNamespace(lhs=S.Zero, rhs=S.One, rule=Decide(), check=lambda: HOLDS)
_fake_part = types.SimpleNamespace(factor=S.One, nonnegative=lambda: S.NegativeOne)

FALSE: dict[str, Derivation] = {
    "d/dx 2^x = 0": chain(Derivative(2**x, x), (Decide(), S.Zero)),
    "∫ 2^t e^{−t²} dt = 2^t √π": chain(Integral(2**t * exp(-(t**2)), (t, -oo, oo)), (Decide(GAUSSIAN), 2**t * sqrt(pi))),
    "2^σ/σ → 0": LimitByRate(TendsTo(2**s / s, s, S.Zero, oo), above_itself(2**s / s)),
    "2^“x + y” = 2^(x+y)": detour(2 ** sp.Symbol("x + y", real=True), 2 ** (x + y)),
    "a dummy for a symbol": detour(2 ** sp.Dummy("x", real=True), 2 ** sp.Symbol("_x", real=True)),
    "a symbol named like a power": detour(sp.Symbol("⟨2**(x)⟩", positive=True), 2**x),
    "1/(1+b²σ²) → 0, at b = 0 too": LimitByRate(TendsTo(_tail, s, S.Zero, oo), above_itself(_tail)),
    "1/(1+b²σ²) → 0, at b = 0 too, uniformly in x": UniformLimitByRate(
        UniformlyTendsTo(_tail, s, S.Zero, oo, x, S.Integers), above_itself(_tail)
    ),
    "e^{2πi√N} = 1": detour(exp(2 * pi * I * sqrt(natural)), S.One),
    "∫ |u| = ∫ u over [−1, 1]": chain(
        Integral(Abs(u, evaluate=False), (u, -1, 1)), (Decide(), Integral(u, (u, -1, 1)))
    ),
    "an integral over an integer": chain(
        Integral(carrier(k, 2 * pi), (k, 0, S.Half)), (Decide(), Integral(S.One, (k, 0, S.Half)))
    ),
    "a derivative by an integer": chain(Derivative(carrier(k, 2 * pi), k), (Decide(), S.Zero)),
    "a rewrite below a sum": chain(
        sp.Sum(Abs(counter, evaluate=False), (counter, -5, 5)),
        (Rewrite(chain(Abs(counter, evaluate=False), (Decide(), counter))), sp.Sum(counter, (counter, -5, 5))),
    ),
    "a rewrite below a limit": chain(
        sp.Limit(Abs(u, evaluate=False), u, -1), (Rewrite(chain(Abs(u, evaluate=False), (Decide(), u))), sp.Limit(u, u, -1))
    ),
    "a counterexample by capture": counterexample_by_capture(),
    "a moving witness by capture": not_uniform_by_capture(),
    "0/0 = 0 by rewriting": chain(_one / _other, (Rewrite(chain(_one, (Decide(), S.Zero))), S.Zero)),
    "x/x = 1 by rewriting": chain(_dressed / x, (Rewrite(chain(_dressed, (Decide(), x))), S.One)),
    "√u · d√u/du = ½ at u = 0": chain(sqrt(u) * Derivative(sqrt(u), u), (Decide(), S.Half)),
    "a limit that moves": LimitByRate(
        TendsTo(s, s, s + 1 / s, oo),
        chain(1 / s, (Bound(Part(S.One, None, 1 / s)), 2 / s), relation=LessEqual),
    ),
    "a limit at an unreachable point": WrongLimit(Not(TendsTo(S.One, s, S.Zero, -oo))),
    "1 ≤ 0, given −1 ≥ 0": chain(
        S.One, (Bound(Given(S.One, S.NegativeOne)), S.Zero), relation=LessEqual
    ),
    "a step that is none": Chain(Equal(S.Zero, S.One), (_fake_step,)),
    "a part that is none": chain(S.One, (Bound(_fake_part), S.Zero), relation=LessEqual),
    "a certificate that is none": chain(Abs(x), (Modulus(types.SimpleNamespace(check=lambda *_: True, parts=())), x)),
    "an even symbol for every integer": chain(carrier(even, pi), (Decide(), S.One)),
    "a rate that is a limit": LimitByRate(
        TendsTo(1 / s, s, S.Zero, oo), LimitByRate(TendsTo(1 / s, s, S.Zero, oo), above_itself(1 / s))
    ),
    "a derivative of symbolic order": chain(Derivative(x**2, (x, natural)), (Decide(), S.Zero)),
}


one = TendsTo(S.One, s, S.Zero, oo)
no_limit = WrongLimit(Not(one))
order = directly(Less(S.Zero, S.One), Numbers())
sinusoidal = registered("limit.sinusoidal").derivations[1]
rate, moving = sinusoidal.members[1], sinusoidal.members[3]
half_pair = MorletParameters(S.Half)
named_b = sp.Symbol("b", real=True)
q = cos(y) ** 2 + sin(y) ** 2
unit = detour(q, S.One)
_tiny = sp.Rational(1, 10**120)
_just_below = cos(1) ** 2 + sin(1) ** 2 - _tiny
_nearly_one = sp.Sum(sp.floor(cos(k) ** 2 + sin(k) ** 2 - _tiny), (k, 1, 1))
_any = Unknown("g", Functions(S.Complexes, REALS))
beyond = sp.ConditionSet(y, y >= x, REALS)
at_y = ForAll(z, beyond, TendsTo(Abs(z - x), s, z - x, oo))
falsy = unittest.mock.MagicMock(__bool__=lambda _: False, return_value=None)

FALSE |= {
    "the negation of “for all”": WrongLimit(ForAll(x, REALS, one)),
    "the negation of “for all”, by an order": NotBelow(ForAll(x, REALS, LessEqual(S.One, S.Zero)), order),
    "the negation of “there is”, by an order": NotBelow(Exists(x, REALS, Equal(S.One, S.Zero)), order),
    "the negation of “for all”, by a member": RefutedMember(ForAll(x, REALS, And(one)), no_limit),
    "the negation of “there is”, by a counterexample": Counterexample(Exists(y, REALS, ForAll(x, REALS, one)), S.Zero, no_limit),
    "the negation of “for all”, by a moving witness": replace(moving, statement=ForAll(x, REALS, moving.statement.body)),
    "a uniform limit by a pointwise rate": LimitByRate(moving.statement.body, rate),
    "half a pair is a whole number": chain(carrier(half_pair, 2 * pi), (Decide(), S.One)),
    "every number is a count": chain(
        carrier(97 * x, 2 * pi),
        (Rewrite(chain(97 * x, (Decide(), MorletParameters(97 * x)))), carrier(MorletParameters(97 * x), 2 * pi)),
        (Decide(), S.One),
    ),
    "every phase is real": chain(
        sp.conjugate(carrier(97 * x, 2 * pi)),
        (Rewrite(chain(carrier(97 * x, 2 * pi), (Decide(), Perplexity(194 * pi * I * x)))), Perplexity(194 * pi * I * x)),
        (Decide(), carrier(97 * x, 2 * pi)),
    ),
    "the Fourier integral of a bell with a free b": chain(
        Fourier(sp.Lambda(y, named_b * exp(-(y**2))), S.Zero), (Decide(GAUSSIAN), S.Zero)
    ),
    "a bound b inside the function": chain(
        Fourier(sp.Lambda(y, exp(-(y**2)) * Integral(y**2 * exp(-2 * named_b**2), (named_b, -oo, oo))), S.Zero),
        (Decide(GAUSSIAN), sqrt(2) * pi / 8),
    ),
    "a counterexample into a set that binds": Counterexample(
        Not(ForAll(x, REALS, at_y)), y, WrongLimit(Not(TendsTo(Abs(z - y), s, z - y, oo)))
    ),
    "an integral taken backwards": chain(
        Integral(Abs(u, evaluate=False), (u, 1, -1)), (Decide(), Integral(u, (u, 1, -1)))
    ),
    "a pole inside a named function": chain(
        psi(x, S.Zero, w) * (q - 1), (Rewrite(chain(q - 1, (Decide(), S.Zero))), S.Zero)
    ),
    "a pole of a cotangent": chain((q - 1) * sp.cot(x), (Rewrite(chain(q - 1, (Decide(), S.Zero))), S.Zero)),
    "a rewrite below a transform": chain(
        sp.FourierTransform(Abs(u, evaluate=False) * exp(-(u**2)), u, y),
        (Rewrite(chain(Abs(u, evaluate=False), (Decide(), u))), sp.FourierTransform(u * exp(-(u**2)), u, y)),
    ),
    "a lemma that is none": chain(Integral(exp(-(x**2)), (x, -oo, oo)), (Decide(falsy), S.Zero)),
    "hypotheses that are none": Chain(
        LessEqual(x**2 + 1, x**2),
        (Step(x**2 + 1, x**2, Bound(Given(S.One, S.NegativeOne))),),
    ),
    "a term of a sum is 1 where its denominator is 0": chain(
        sp.Sum((3 - x) / (k - x), (k, 3, 3)), (Decide(), S.One)
    ),
    "each term of a sum is 1 where its denominator is 0": chain(
        sp.Sum((Abs(k) - x) / (k - x), (k, 1, natural)), (Decide(), natural)
    ),
    "a term is 1 where its denominator is 0, and stands elsewhere": chain(
        sp.Sum((Abs(k) - x) / (k - x) + _any(1 / (k - x)), (k, 1, natural)),
        (Decide(), natural + sp.Sum(_any(1 / (k - x)), (k, 1, natural))),
    ),
    "e^{3 log x} = x³, at x = 0 too": chain(sp.Sum(exp(k * sp.log(x)), (k, 3, 3)), (Decide(), x**3)),
    "e^{−|log 0|} = 0": chain(sp.Sum(exp(-Abs(sp.log(k))), (k, 0, 0)), (Decide(), S.Zero)),
    "1/(y + tan π/2) = 0": chain(sp.Sum(1 / (y + sp.tan(pi * k / 2)), (k, 1, 1)), (Decide(), S.Zero)),
    "an integrand is 1 where its denominator is 0": chain(
        Integral((Abs(y) - x) / (y - x), (y, 0, 1)), (Decide(), S.One)
    ),
    "⌊1 − 10⁻¹²⁰⌋ = 1, of a sum": chain(_nearly_one, (Decide(), S.One)),
    "⌊1 − 10⁻¹²⁰⌋ = 1, by rewriting": chain(
        sp.floor(q * _just_below), (Rewrite(chain(q, (Decide(), S.One))), S.One)
    ),
    "⌊cos 10⁻⁶⁰⌋ = 1, by definition": chain(sp.floor(sp.re(carrier(_tiny**S.Half, S.One))), (Unfold(), S.One)),
    "ulp(2 − 2⁻⁴⁰⁰) = ulp(2)": chain(Ulp(2 - S(2) ** -400, S(3)), (Decide(), S.Half)),
    "ψ(y, 0, y) = e^{−½}, at y = 0 too": chain(psi(y, S.Zero, y), (Decide(), exp(-S.Half))),
    "a nonnegative index that runs from −5": chain(
        sp.Sum(sp.Sum(Abs(k + counter_n), (counter_n, -5, 5)), (k, 1, 1)), (Decide(), S(11))
    ),
    "a positive number put beside a nonnegative index from −5": instance(
        chain(
            sp.Sum(Abs(x + counter), (counter, -1, 0)), (Decide(), Abs(x - 1) + Abs(x)),
        ),
        {x: s},
    ),
    "an order of complex numbers": chain(carrier(x, S.One), (Decide(), exp(I * x)), relation=LessEqual),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_falsehood_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])


def test_their_sound_twins_hold() -> None:
    assert proves(chain(Derivative(2**x * y, y), (Decide(), 2**x)))
    assert proves(LimitByRate(TendsTo(1 / s, s, S.Zero, oo), above_itself(1 / s)))
    assert proves(LimitByRate(TendsTo(c / s, s, S.Zero, oo), above_itself(c / s)))
    assert proves(detour(exp(2 * pi * I * natural), S.One))
    assert proves(chain(Integral(Abs(u, evaluate=False), (u, 0, 1)), (Decide(), Integral(u, (u, 0, 1)))))
    assert proves(chain(_dressed / (1 + x**2), (Rewrite(chain(_dressed, (Decide(), x))), x / (1 + x**2))))
    assert proves(chain(Derivative(sqrt(s), s), (Decide(), 1 / (2 * sqrt(s)))))


def test_different_integrands_are_not_called_different_integrals() -> None:
    """∫ x = ∫ 2x over [−1, 1]."""
    outcome = check(chain(Integral(x, (x, -1, 1)), (Decide(), Integral(2 * x, (x, -1, 1)))))
    assert outcome.status == "refused"


def verdict_of(statement: Statement, box: dict[sp.Symbol, sp.Set], side: str = "ours", **evidence: object) -> str:
    own = Claim(id="trial.false", title="", place="", box=box, **{side: statement}, **evidence)
    return Row(own, tuple(e for provider in PROVIDERS.values() for e in provider(own)), None).verdict


def test_the_data_of_a_claim_cannot_make_a_falsehood_proved() -> None:
    hypothesis = FALSE["1 ≤ 0, given −1 ≥ 0"]
    assert verdict_of(LessEqual(S.One, S.Zero), {}, derivations=(hypothesis,)) == "open"
    every = Equal(carrier(even, pi), S.One)
    assert verdict_of(every, {even: S.Integers}, derivations=(chain(carrier(even, pi), (Decide(), S.One)),)) == "open"
    sign = chain(Abs(negative), (Decide(), -negative))
    assert verdict_of(Equal(Abs(negative), -negative), {negative: REALS}, derivations=(sign,)) == "open"


UNIT = sp.Interval(0, 1)


@pytest.mark.parametrize(
    ("statement", "box", "enclosure"),
    [
        (Equal(sin(x)**2 + cos(x)**2, S.One), {x: UNIT},
         Subdivision(Equal(sin(x)**2 + cos(x)**2, S.One), {x: (0, 1)}, max_cells=64)),
        (LessEqual(x, S(2)), {x: UNIT}, Subdivision(LessEqual(x, S(2)), {x: (5, 3)})),
        (LessEqual(S.NegativeOne, sqrt(x)), {x: sp.Interval(-4, -1)},
         Subdivision(LessEqual(S.NegativeOne, sqrt(x)), {x: (-4, -1)})),
        (LessEqual(1 / x, 1 / x + 1), {x: REALS}, Subdivision(LessEqual(1 / x, 1 / x + 1), {})),
        (LessEqual(x, oo), {x: UNIT}, Subdivision(LessEqual(x, oo), {x: (0, 1)})),
        (LessEqual(sin(1)**2 + cos(1)**2, S.One), {}, Subdivision(LessEqual(sin(1)**2 + cos(1)**2, S.One), {})),
        (LessEqual(S.Half, sp.re(carrier(even, pi))), {even: sp.Interval(0, 3)},
         Subdivision(LessEqual(S.Half, sp.re(carrier(even, pi))), {even: (0, 3)})),
        (Less(S.One, S.Zero), {}, types.SimpleNamespace(statement=Less(S.One, S.Zero), covers=lambda _: True,
                                                        lies_within=lambda _: True, check=lambda: HOLDS)),
    ],
    ids=["equation", "empty side", "complex values", "cancelled pole", "infinity", "no variable", "even symbol", "fake"],
)  # fmt: skip
def test_an_enclosure_certifies_or_refutes_nothing_it_has_not_seen(
    statement: Statement, box: dict[sp.Symbol, sp.Set], enclosure: Subdivision
) -> None:
    for side in ("published", "ours"):
        assert verdict_of(statement, box, side, enclosures=(enclosure,)) == "open"


def test_a_statement_is_not_disproved_by_points_where_its_negation_is_false() -> None:
    true = LessEqual(x, x + 1)
    for side in ("published", "ours"):
        assert verdict_of(true, {x: UNIT}, side, enclosures=(Subdivision(Not(true), {x: (0, 1)}),)) == "open"


def test_a_ratio_that_the_claim_speaks_of_covers_nothing() -> None:
    """b ≤ yσ at b = yσ."""
    false = LessEqual(b, y * s)
    tied = Subdivision(false, {y: REALS, s: sp.Interval.open(0, oo)}, scaling={b: y * s})
    assert verdict_of(false, {b: REALS, y: REALS, s: sp.Interval.open(0, oo)}, enclosures=(tied,)) == "open"


def test_a_change_of_variables_cancels_no_pole() -> None:
    """(|x| − 1)/(x − 1) = 1 for x > 0, at x = 1 too."""
    false, above = Equal((Abs(x) - 1) / (x - 1), S.One), sp.Interval.open(0, oo)
    ratio = sp.Symbol("r", positive=True)
    cancelled = Subdivision(false, {ratio: above, s: above}, scaling={x: s * ratio})
    assert verdict_of(false, {x: above}, enclosures=(cancelled,)) == "open"


AT_ONE_POINT_FALSE = {
    "a common phase": (Equal(Abs(carrier(x, S.One) * x + carrier(x, S.One)) / Abs(x + 1), S.One), (-2, 0), ()),
    "a sum written out": (Equal((sp.Sum(k, (k, 1, 2)) - x) / (3 - x), S.One), (2, 4), ()),
    "a derivative taken": (Equal((Derivative(x**2 / 2, x) - 1) / (x - 1), S.One), (S.Half, 2), ()),
    "where sides touch": (LessEqual(S.One, (Abs(x) - 1) / (x - 1)), (S.Half, 2), (S.One,)),
}
"""What is 1 but at a pole in the range, where it is 0 times something that is not defined."""


@pytest.mark.parametrize("name", AT_ONE_POINT_FALSE)
def test_what_is_made_ready_for_balls_keeps_its_poles(name: str) -> None:
    statement, ends, touching = AT_ONE_POINT_FALSE[name]
    assert run(Subdivision(statement, {x: ends}, touching=touching, max_cells=50)).status == "refused"


def test_an_enclosure_of_a_sum_whose_index_leaves_what_it_admits_is_refused() -> None:
    """Σ_{n=−1}^{0} |n + x| ≤ 2x − 1 for x > 0, by an n that is declared nonnegative."""
    total = sp.Sum(Abs(counter_n + x), (counter_n, -1, 0))
    above = sp.Interval.open(0, oo)
    false = Subdivision(LessEqual(total, 2 * x - 1), {s: above, w_positive: above}, scaling={x: s * w_positive})
    assert run(false).status == "refused"


def test_a_power_of_e_that_is_not_evaluated_has_its_own_logarithm() -> None:
    """3 < eˣ at 0 ≤ x ≤ 1."""
    power = sp.Pow(sp.E, x, evaluate=False)
    assert run(Subdivision(Less(S(3), power), {x: (0, 1)})).status == "fails"
    assert run(Subdivision(LessEqual(power, S(3)), {x: (0, 1)}))


def test_a_tolerance_as_large_as_the_value_is_none() -> None:
    assert run(Subdivision(Equal(x, 2 * x), {x: (1, 2)}, within=-3)).status == "refused"


def test_a_deviation_over_a_set_that_it_is_not_defined_over_is_refused() -> None:
    """Over {0, 1} it is not the one over the numbers between."""
    spread = Deviation(sp.Lambda(x, exp(-(x**2))), sp.FiniteSet(0, 1))
    assert run(Subdivision(Less(spread, S.Half))).status == "refused"


def test_a_value_that_would_be_rounded_by_its_first_digits_is_not_put() -> None:
    with pytest.raises(ValueError, match="first digits"):
        Less(sp.floor(cos(x) ** 2 + sin(x) ** 2 - _tiny), y).substitute({x: S.One})


def test_a_whole_part_is_not_enclosed_by_its_first_digits() -> None:
    """1 ≤ ⌊1 − 10⁻¹²⁰⌋."""
    assert run(Subdivision(LessEqual(S.One, _nearly_one))).status == "refused"


def test_a_power_of_exponent_nought_is_one_within_an_integral() -> None:
    unit = Integral(sp.Pow(x, 0, evaluate=False), (x, 0, 1))
    assert run(Subdivision(Less(unit, sp.Rational(3, 4)))).status == "fails"


def test_a_true_statement_is_not_refuted_by_half_a_pair() -> None:
    squares = ForAll(k, S.Integers, LessEqual(k, k**2))
    below = directly(Less(half_pair**2, half_pair), Numbers())
    assert not proves(Counterexample(Not(squares), half_pair, NotBelow(Not(LessEqual(half_pair, half_pair**2)), below)))


def test_a_pole_in_a_modulus_is_not_cancelled() -> None:
    modulus = Abs(psi(b, S.Zero, w) * exp(b**2 / (2 * w**2)), evaluate=False)
    assert run(Subdivision(LessEqual(modulus, S(2)), {b: (1, 2), w: (-1, 1)}, max_cells=100)).status == "refused"


@pytest.mark.parametrize("name", ["a free variable", "a positive variable", "a positive distance", "a captured unit"])
def test_a_scaled_integral_is_over_real_variables_of_its_own(name: str) -> None:
    (own,) = registered("kernel.cross-correlation").enclosures
    assert isinstance(own, Interpolation)
    lhs, closed = own.statement.lhs, own.statement.rhs
    ((token, *ends),) = lhs.limits
    (distance,) = own.scaling
    width = own.unit.args[-1].args[-1]
    right = sp.Symbol("a'", positive=True)
    changes = {
        "a free variable": {
            "statement": Equal(Integral(lhs.function * exp(token / width), (token, *ends)), closed * exp(token / width))},
        "a positive variable": {
            "statement": Equal(Integral(lhs.function * exp((Abs(token) - token) / width), (token, *ends)), closed),
            "inside": {token: width * right}},
        "a positive distance": {
            "statement": Equal(lhs, closed * exp((Abs(distance) - distance) / width)),
            "scaling": {distance: width * right}, "box": {right: (-8, 8)}},
        "a captured unit": {
            "statement": Equal(lhs, closed * exp(token)), "unit": closed * exp(token)},
    }[name]  # fmt: skip
    assert run(replace(own, **changes)).status == "refused"


def test_a_derivation_is_asked_for_on_each_side() -> None:
    euler = chain(exp(I * x) * exp(-I * x + 0 * x, evaluate=False), (Decide(), S.One))
    own = Claim(
        id="trial.half", title="", place="", box={x: REALS}, published=euler.statement, ours=Equal(x, x + 1),
        requires=("derivation",), derivations=(euler,),
    )  # fmt: skip
    assert Row(own, PROVIDERS["derivation"](own), None).missing == ("derivation",)


def test_an_empty_range_covers_nothing() -> None:
    assert verdict_of(Equal(x, x + 1), {x: S.EmptySet}, derivations=()) == "open"
    own = Claim(id="trial.empty", title="", place="", box={x: S.EmptySet}, ours=Equal(x, x + 1))
    assert "the range of x is empty" in uncovered(own)


def test_a_double_integral_is_not_taken_for_a_single_one() -> None:
    own = registered("kernel.cross-correlation")
    (single,) = own.enclosures
    assert isinstance(single, Interpolation)
    lhs = Integral(single.statement.lhs.function, *single.statement.lhs.limits, (u, 0, 2))
    outcome = run(replace(single, statement=Equal(lhs, 2 * single.statement.rhs)))
    assert outcome.status == "refused"


def test_what_we_say_is_true_and_is_disproved_is_a_conflict() -> None:
    false = LessEqual(x + 1, x)
    assert verdict_of(false, {x: UNIT}, enclosures=(Subdivision(false, {x: (0, 1)}),)) == "conflict"
    assert verdict_of(false, {x: UNIT}, "published", enclosures=(Subdivision(false, {x: (0, 1)}),)) == "refuted"
