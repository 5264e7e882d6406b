"""Subdivision beyond plain inequalities: connectives, unbounded ranges, changes of variables, instances, and their faults."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, Derivative, I, Interval, Lambda, Rational, S, exp, log, oo, pi, sqrt

from mope_theory.decide import Refused
from mope_theory.enclosure import Subdivision, run
from mope_theory.enclosure.cell import Range, cells, pieces, union
from mope_theory.enclosure.prepare import logarithms, prepared, without_common_factor
from mope_theory.enclosure.truth import truth
from mope_theory.statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual, Not, Or, Statement, TendsTo
from mope_theory.symbols import N, T, b, d, k, m, n, omega, psi, sigma
from mope_theory.vocabulary.floating import Rounded
from mope_theory.vocabulary.functions import SEQUENCES, Functions, Unknown

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
r = sp.Symbol("r", real=True)
envelope = Abs(psi(b, omega, sigma))
TRUE, FALSE, OPEN = Less(x, S(2)), Less(S(2), x), LessEqual(x, Rational(1, 2))
HERE = {x: Range(0, 1)}


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        (And(TRUE, OPEN), None), (And(OPEN, FALSE), False), (And(TRUE, TRUE), True),
        (Or(FALSE, OPEN), None), (Or(OPEN, TRUE), True), (Or(FALSE, FALSE), False),
        (Not(OPEN), None), (Not(FALSE), True), (Not(TRUE), False),
        (Implies(FALSE, OPEN), True), (Implies(OPEN, FALSE), None), (Implies(OPEN, TRUE), True), (Implies(TRUE, FALSE), False),
        (Equal(x, S(3)), False), (Equal(x, x), True), (Equal(x, Rational(1, 2)), None),
        (ForAll(y, Interval(1, 2), Less(x, y + 1)), True), (ForAll(y, Interval(1, 2), Less(y, x + 2)), None),
        (Exists(y, Interval(1, 2), Less(y + 1, x)), False), (Exists(y, Interval(5, 6), Less(x, y)), True),
        (ForAll(k, sp.Range(0, 3), Less(x - 2, k)), True), (ForAll(k, sp.Range(0, 3), Less(x, k)), False),
    ],
    ids=lambda value: value.text() if isinstance(value, Statement) else str(value),
)  # fmt: skip
def test_kleenes_logic(statement: Statement, value: bool | None) -> None:
    assert truth(statement, HERE) is value


def test_what_balls_do_not_decide_is_refused() -> None:
    for statement in (TendsTo(x, p, x, oo), ForAll(y, S.Reals - sp.FiniteSet(0), TRUE), Exists(k, S.Integers, TRUE)):
        with pytest.raises(Refused):
            truth(statement, HERE)


def test_nearly_equal_counts_where_it_is_asserted_and_nowhere_else() -> None:
    nearly = Equal(x / 3, x * Rational(1, 3) * (1 + Rational(1, 2**40)))
    cell = {x: Range(3, 3)}
    assert truth(nearly, cell) is False
    assert truth(And(nearly, nearly), cell, within=30) is True
    assert truth(Not(nearly), cell, within=30) is True
    assert truth(Implies(nearly, FALSE), cell, within=30) is True
    assert truth(nearly, cell, within=50) is False
    assert Subdivision(nearly, {x: (3, 3)}, within=30).covers({x: Interval(3, 3)}) is False


def test_a_strict_and_a_weak_inequality_differ_at_the_ends() -> None:
    for side, statement in (
        (Interval.open(0, 1), Less(x, S.One)), (Interval(0, 1), LessEqual(x, S.One)),
        (Interval.open(-oo, 0), Less(exp(x), S.One)), (S.Reals, Less(S.Zero, exp(x))),
    ):  # fmt: skip
        assert Subdivision(statement, {x: side}).check()
    assert not Subdivision(Less(x, S.One), {x: (0, 1)}).check()
    assert Subdivision(Less(exp(x), S.One), {x: Interval(-oo, 0)}, max_cells=50).check().status == "refused"


def test_the_whole_line_and_a_boundary_that_is_met_exactly() -> None:
    half_width = sigma * sqrt(2 * log(2))
    parts = (Interval(-1, 1), Interval.open(1, oo), Interval.open(-oo, -1))
    there = Implies(LessEqual(Rational(1, 2), envelope), LessEqual(Abs(b), half_width))
    assert Subdivision(there, {r: parts}, {b: half_width * r}).check()
    wrong = Implies(LessEqual(Rational(1, 2), envelope), LessEqual(Abs(b), Rational(99, 100) * half_width))
    assert Subdivision(wrong, {r: parts}, {b: half_width * r}).check().status == "fails"
    strict = Implies(LessEqual(Rational(1, 2), envelope), Less(Abs(b), half_width))
    assert not Subdivision(strict, {r: parts}, {b: half_width * r}, max_cells=500).check()


def test_an_unbounded_tail_is_proved_or_left() -> None:
    ratio = sp.Symbol("b_sigma", real=True)
    steepest = LessEqual(Abs(Derivative(psi(b, omega, sigma), sigma)), 2 / (sp.E * sigma))
    far = {ratio: Interval(Rational(143, 100), oo)}
    assert Subdivision(steepest, far, {b: sigma * ratio}).check()
    less = LessEqual(steepest.lhs, Rational(99, 100) * steepest.rhs)
    assert Subdivision(less, {ratio: Interval(1, oo)}, {b: sigma * ratio}).check().status == "fails"
    touching = Subdivision(steepest, {ratio: Interval(1, oo)}, {b: sigma * ratio}, max_cells=500).check()
    assert touching.status == "refused"


def test_rounding_to_one_and_a_width_that_is_too_small() -> None:
    in_range = LessEqual(Abs(b), T)
    s = sp.Symbol("sigma_T", positive=True)
    box = {r: (Interval(-1, 1), Interval.open(1, oo), Interval.open(-oo, -1)), s: (Interval.open(0, 4096), Interval(4096, oo))}
    one = Equal(Rounded(envelope, sp.Integer(24)), S.One)
    own = Subdivision(Implies(And(in_range, LessEqual(4096 * T, sigma)), one), box, {b: T * r, sigma: T * s})
    assert own.check()
    assert own.covers({b: S.Reals, sigma: Interval.open(0, oo), T: Interval.open(0, oo)})
    half = Implies(And(in_range, LessEqual(2048 * T, sigma)), one)
    halves = {**box, s: (Interval.open(0, 2048), Interval(2048, oo))}
    assert Subdivision(half, halves, {b: T * r, sigma: T * s}, max_cells=2000).check().status == "fails"


def test_logarithms_and_common_factors_keep_the_relation() -> None:
    assert logarithms(Less(exp(-x), Rational(1, 2))) == Less(-x, -log(2))
    assert logarithms(Less(exp(I * x), S.One)) == Less(exp(I * x), S.One)
    assert logarithms(Less(exp(x), -S.One)) == Less(exp(x), -S.One)
    assert without_common_factor(Less(p * x, p * y)) == Less(x, y)
    assert without_common_factor(Less(p**3 * x, p * y)) == Less(p**2 * x, y)
    assert without_common_factor(Less(x * y, x)) == Less(x * y, x)  # x may be negative
    assert without_common_factor(Less(S.Zero, p * x)) == Less(S.Zero, x)
    assert without_common_factor(Less(p + x, p + y)) == Less(p + x, p + y)


def test_a_bound_variable_is_not_changed() -> None:
    for scaling in ({x: p * y}, {y: p * x}):
        with pytest.raises(Refused):
            prepared(ForAll(x, Interval(0, 1), Less(x, y + 5)), scaling)


def test_a_derivative_that_is_not_decided_is_refused() -> None:
    unknown = Less(Derivative(sp.Function("f")(x), x), S.One)
    assert not run(Subdivision(unknown, {x: (0, 1)}))


ENERGIES = Unknown("e", Functions(SEQUENCES, S.Reals))
ANY = ForAll(N, S.Naturals, ForAll(ENERGIES, ENERGIES.space, Less(ENERGIES(sp.Integer(1)), N + 3)))


def test_an_instance_disproves_what_is_said_of_all_and_proves_no_more() -> None:
    assert Subdivision(ANY, at={N: S.One, ENERGIES: Lambda(p, 9 * p)}).check().status == "refused"  # p is not 0
    index = sp.Symbol("i", integer=True, nonnegative=True)
    outcome = Subdivision(ANY, at={N: S.One, ENERGIES: Lambda(index, 9 * index)}).check()
    assert outcome.status == "fails"
    assert "N = 1" in outcome.reason
    so = Subdivision(ANY, at={N: S.One, ENERGIES: Lambda(index, 2 * index)}).check()
    assert so.status == "refused"
    assert "nothing of other values" in so.reason


@pytest.mark.parametrize(
    "at",
    [{N: S.Zero}, {N: Rational(1, 2)}, {ENERGIES: S.One}, {x: S.One}, {N: S.One, ENERGIES: Lambda((k, m), k)}],
    ids=["beyond the domain", "no integer", "no function", "not bound", "two arguments"],
)  # fmt: skip
def test_an_instance_beyond_the_domain_is_refused(at: dict[sp.Symbol, sp.Expr]) -> None:
    assert run(Subdivision(ANY, at=at)).status == "refused"


def test_a_witness_proves_what_is_said_of_some_and_disproves_nothing() -> None:
    some = Exists(x, Interval(0, 4), Less(x**2, S(2)))
    assert Subdivision(some, at={x: S.One}).check()
    assert not Subdivision(some, at={x: S.One}).covers({})
    assert Subdivision(some, at={x: S(2)}).check().status == "refused"
    square = Exists(ENERGIES, Functions(SEQUENCES, S.Reals, "L^{2}"), Less(ENERGIES(sp.Integer(1)), S(2)))
    index = sp.Symbol("i", integer=True, nonnegative=True)
    assert Subdivision(square, at={ENERGIES: Lambda(index, S.One + 0 * index)}).check().status == "refused"


def test_what_a_box_may_be() -> None:
    assert pieces((1, 1)) == (Range(1, 1),)
    assert union((Interval.open(-1, 1), Interval(1, oo))) == Interval.open(-1, oo)
    assert len(cells({x: (Interval(0, 1), Interval(1, 2)), y: sp.FiniteSet(0, 1, 2)})) == 6
    for none in ((2, 1), S.EmptySet, Interval(0, sqrt(2)), S.Integers):
        with pytest.raises(Refused):
            pieces(none)
    assert "does not admit" in Subdivision(Less(p, p + 1), {p: (-1, 1)}).check().reason
    assert "does not admit" in Subdivision(Less(k, k + sp.sin(x)), {k: (0, 1), x: (0, 1)}).check().reason


def test_scaled_points_stay_in_the_box_of_a_claim() -> None:
    """And cover it only if each symbol has a ratio of its own that runs over all of its cone."""
    box = {b: S.Reals, sigma: Interval.open(0, oo), d: Interval(0, 1)}
    ratio = sp.Symbol("b_sigma", real=True)
    whole = Subdivision(Less(S.Zero, envelope), {ratio: S.Reals}, {b: sigma * ratio})
    assert whole.lies_within(box)
    assert whole.covers(box)
    assert not Subdivision(Less(S.Zero, envelope), {ratio: (0, 1)}, {b: sigma * ratio}).covers(box)
    assert not Subdivision(Less(S.Zero, envelope), {ratio: S.Reals}, {b: ratio, n: 2 * ratio}).covers(box | {n: S.Reals})
    assert not Subdivision(Less(d, S(2)), {ratio: S.Reals}, {d: ratio}).lies_within(box)
    assert not Subdivision(Less(sigma, S(2)), {ratio: S.Reals}, {sigma: ratio}).lies_within(box)
    assert not Subdivision(Less(x, S(2)), {x: (0, 1)}).lies_within(box)


def test_an_equation_of_real_numbers_is_disproved_or_open() -> None:
    assert Subdivision(Equal(exp(x), S.Zero), {x: S.Reals}).check().status == "fails"
    assert Subdivision(Equal(sp.sin(x) ** 2 + sp.cos(x) ** 2, S.One), {x: (0, 1)}, max_cells=50).check().status == "refused"
    assert Subdivision(Equal(pi, Rational(355, 113))).check().status == "fails"
