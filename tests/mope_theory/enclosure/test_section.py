"""Sections of the kernel: positive definite where the positions differ, and not claimed where anything else is asked."""
from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from flint import acb, arb
from sympy import Lambda, Rational, S, conjugate

import mope_theory as mt
from mope_theory.enclosure import Section, run
from mope_theory.enclosure.section import is_positive_definite
from mope_theory.statement import And, Equal, Implies, Less, LessEqual, Not
from mope_theory.symbols import N, channel, j, k, omega, sigma

CLAIM = mt.claim("kernel.positive-definite")
REAL, WHOLE, WIDE = (x for x in CLAIM.enclosures if isinstance(x, Section))


def matrix(*rows: tuple[complex, ...]) -> list[list[acb]]:
    return [[acb(x) for x in row] for row in rows]


@pytest.mark.parametrize(
    ("m", "definite"),
    [
        (matrix((2, 1), (1, 2)), True), (matrix((1, 2), (2, 1)), False), (matrix((2, 1j), (-1j, 1)), True),
        (matrix((1, 1j), (-1j, 1)), False), (matrix((0,)), False), (matrix((-1,)), False),
        (matrix((4, 1, -1), (1, 3, 1j), (-1, -1j, 2)), True), (matrix((1, 1, 1), (1, 1, 1), (1, 1, 2)), False),
    ],
)  # fmt: skip
def test_pivots(m: list[list[acb]], definite: bool) -> None:
    assert is_positive_definite(m) is definite


def test_a_pivot_that_may_be_0_is_not_positive() -> None:
    assert not is_positive_definite([[acb(arb(1, 2))]])
    assert is_positive_definite([[acb(arb(3, 2))]])


def test_the_sections_of_the_claim() -> None:
    for own in (REAL, WHOLE, WIDE):
        assert own.check()
        assert own.lies_within(CLAIM.box)
        assert not own.covers(CLAIM.box)


def test_too_few_bits_are_not_enough_and_are_no_pass() -> None:
    assert replace(WIDE, bits=100).check().status == "refused"


@pytest.mark.parametrize("factor", [2, Rational(101, 100)])
def test_a_higher_floor_does_not_hold(factor: sp.Expr) -> None:
    """On 40 consecutive tokens the smallest eigenvalue is less than a hundredth above the floor."""
    own = replace(WIDE, at={**WIDE.at, sigma: Rational(1, 2), N: sp.Integer(40)})
    assert own.check()
    hypothesis, conclusion = own.statement.hypothesis, own.statement.conclusion
    higher = And(*(Less(factor * x.lhs, x.rhs) for x in conclusion.body))
    assert not run(replace(own, statement=Implies(hypothesis, higher)))


def test_positions_that_meet_are_not_definite() -> None:
    meeting = {**WHOLE.at, WHOLE.positions: Lambda(channel, (channel - 1) ** 2)}
    assert replace(WHOLE, at=meeting).check().status == "refused"


def changed(own: Section, kind: str) -> Section:
    hypothesis, conclusion = own.statement.hypothesis, own.statement.conclusion
    form = conclusion.body[0].rhs
    skew = form.func(form.function * sp.exp(sp.I * own.positions(j)), *form.limits)
    longer = form.func(form.function, (j, 0, N), (k, 0, N))
    other = form.func(form.function * j, *form.limits)
    statement, at = {
        "no implication": (conclusion, own.at),
        "a vector that may be 0": (Implies(hypothesis.body[0], conclusion), own.at),
        "another vector": (Implies(Not(Equal(own.positions(j), S.Zero)), conclusion), own.at),
        "a weak inequality": (Implies(hypothesis, LessEqual(S.Zero, form)), own.at),
        "not Hermitian": (Implies(hypothesis, Less(S.Zero, skew)), own.at),
        "an index in the kernel": (Implies(hypothesis, Less(S.Zero, other)), own.at),
        "no form": (Implies(hypothesis, Less(S.Zero, own.vector(S.Zero) * conjugate(own.vector(S.Zero)))), own.at),
        "a number of terms of its own": (Implies(hypothesis, Less(S.Zero, longer)), own.at),
        "no width": (own.statement, {s: x for s, x in own.at.items() if s != sigma}),
        "a negative form": (Implies(hypothesis, Less(S.Zero, -form)), own.at),
    }[kind]  # fmt: skip
    return replace(own, statement=statement, at=at)


@pytest.mark.parametrize(
    "kind",
    ["no implication", "a vector that may be 0", "another vector", "a weak inequality", "not Hermitian", "an index in the kernel",
     "no form", "a number of terms of its own", "no width", "a negative form"],
)  # fmt: skip
def test_what_is_not_of_the_form_is_refused(kind: str) -> None:
    assert run(changed(WHOLE, kind)).status == "refused"


def test_values_lie_in_the_box() -> None:
    for values in ({sigma: S.Zero}, {WHOLE.positions: Lambda(channel, channel / 2)}, {omega: sp.I}, {N: Rational(1, 2)}):
        assert not replace(WHOLE, at={**WHOLE.at, **values}).lies_within(CLAIM.box)
