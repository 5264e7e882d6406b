"""Every inference of the derived claims, changed at every place: nothing wrong holds.

A mutant that holds must prove what the original does, or say what an independent judge finds to be true. Here a sample of the
mutants is tried, with one at least of each inference and of each kind; `make mutants` tries them all and keeps the record.
"""
from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import mpmath as mp
import pytest
import sympy as sp

import mope_theory as mt
from mope_theory.derivation import Step, chain, directly
from mope_theory.logic import Assume, Conjunction, Counterexample, RefutedMember, WrongLimit, check, conjunction
from mope_theory.rules import Decide, Numbers
from mope_theory.statement import And, Equal, Less, LessEqual, Not, Or, Statement
from mope_theory.symbols import N, b, j, k, omega, psi, sigma, xi
from tests.mope_theory.mutants.constants import SEEN, UNSEEN, end_of, flips
from tests.mope_theory.mutants.derivations import Mutant, node_mutants, step_mutants
from tests.mope_theory.mutants.expressions import MUTATORS, Pick, mutants
from tests.mope_theory.mutants.judge import DIGITS, at_points, true_all_the_same
from tests.mope_theory.mutants.record import KINDS, RECORD
from tests.mope_theory.mutants.statements import changed, statement_mutants
from tests.mope_theory.mutants.survey import KILLERS, SURVIVES, Survey, fate, survey

DERIVED = tuple(claim.id for claim in mt.claims() if claim.derivations)


@pytest.mark.parametrize("id", DERIVED)
def test_mutants_are_killed(id: str) -> None:
    found = survey(Survey(), (id,), seed=1)
    assert found.survivors == []
    killed = sum(found.total[killer] for killer in KILLERS[:4])
    assert 2 * killed > sum(found.total.values())


@pytest.mark.parametrize("id", [claim.id for claim in mt.claims()])
def test_a_numeral_off_by_one_is_seen(id: str) -> None:
    """Of each member of each statement one numeral: the change is seen to be false, or leaves an inequality room."""
    for flip in flips(mt.claim(id), Pick(1)):
        changed_claim = flip.claim
        evidence = (*changed_claim.derivations, *changed_claim.enclosures)
        assert all(piece.statement != changed_claim.statements[flip.side] for piece in evidence)
        end = end_of(flip, most=24)
        assert end != UNSEEN, f"{flip.old.text()}\n{flip.new.text()}"


def test_a_published_figure_off_by_one_is_seen() -> None:
    """The figures that the paper gives with their digits: every one of them, either way."""
    ends = Counter(end_of(flip, most=1) for flip in flips(mt.claim("report.arithmetic"), Pick(10**4)) if not flip.loose)
    assert set(ends) <= {SEEN}


# --- the record ----------------------------------------------------------------------------------------------------------


def test_the_record_is_of_these_claims_and_nothing_survived() -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert set(record["claims"]) == set(DERIVED), "make mutants"
    assert set(record["kinds"]) <= set(KINDS)
    assert record["survivors"] == []
    killers = {killer for counts in record["kinds"].values() for killer in counts}
    assert killers <= set(KILLERS)
    by_kind, by_claim = (sum(sum(counts.values()) for counts in record[table].values()) for table in ("kinds", "claims"))
    assert by_kind == by_claim == record["mutants"]
    assert record["mutants"] >= 300
    assert not any(UNSEEN in ends for ends in record["constants"].values())


# --- the mutants ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind, old, new",
    [
        ("sign turned", b + sigma, b - sigma),
        ("exponent raised", sigma**2, sigma**3),
        ("square for a width", b / sigma, b / sigma**2),
        ("conjugate dropped", sp.conjugate(psi(b, omega, sigma)), psi(b, omega, sigma)),
        ("modulus dropped", sp.Abs(b), b),
        ("function exchanged", sp.cos(b), sp.sin(b)),
        ("index", j - k, j + k),
        ("range of a sum or an integral", sp.Sum(b**k, (k, 0, N)), sp.Sum(b**k, (k, 0, N - 1))),
        ("number", sp.sqrt(3 * b), sp.sqrt(4 * b)),
        ("factor 1 + 10⁻¹²", sp.exp(b), sp.exp(b) * (1 + sp.Rational(1, 10**12))),
    ],
)
def test_a_kind_of_slip(kind: str, old: sp.Expr, new: sp.Expr) -> None:
    assert new in mutants(old, kind, Pick(9))
    assert old not in mutants(old, kind, Pick(9))


def test_every_kind_of_slip_is_named() -> None:
    assert set(MUTATORS) <= set(KINDS)


def test_statements_change_in_form_too() -> None:
    le, lt = LessEqual(b, sigma), Less(b, sigma)
    found = list(statement_mutants(Or(le, And(lt, Not(le))), Pick(9)))
    assert ("member dropped", Or(le, lt)) in found
    assert ("connective", And(le, And(lt, Not(le)))) in found
    assert ("negation", Or(le, And(lt, le))) in found
    assert ("sides exchanged", Or(LessEqual(sigma, b), And(lt, Not(le)))) in found
    assert all(new != le for _, new in statement_mutants(le, Pick(9)))


def test_premises_are_dropped_doubled_exchanged_and_replaced() -> None:
    one, two = (Assume(Less(x, sigma)) for x in (b, omega))
    both = conjunction(one, two)
    found = [(m.kind, m.inference.members) for m in node_mutants("", both, [one, two], Pick(9))]
    assert ("premise or part dropped", (one,)) in found
    assert ("premise or part doubled", (one, one, two)) in found
    assert ("premises or parts exchanged", (two, one)) in found
    assert ("premise replaced", (two, two)) in found


def test_a_changed_copy_is_not_checked_when_it_is_made() -> None:
    old = And(Less(b, sigma), Less(sigma, b))
    assert changed(old, body=()) == And()
    assert changed(old) == old


# --- what becomes of them ------------------------------------------------------------------------------------------------



@pytest.mark.parametrize(
    "original, mutant, end",
    [
        (Step(b * (b + 1), b**2 + b, Decide()), Step(b * (b + 1), b**2 - b, Decide()), "found wrong"),
        (Step(sp.sin(2 * b), 2 * sp.sin(b) * sp.cos(b), Decide()), Step(sp.sin(2 * b), sp.gamma(b), Decide()), "not established"),
        (Step(sp.Integer(1), sp.Integer(2), Numbers()), Step(sp.Integer(1), sp.Integer(3), Numbers()), "true all the same"),
        (directly(Less(sp.S.One, sp.S(2)), Numbers()), directly(Less(sp.S.One, sp.S(2)), Numbers()), "proves the same"),
        (conjunction(Assume(Less(b, sigma))), conjunction(Assume(Less(omega, sigma))), "an assumption is left open"),
    ],
)
def test_what_becomes_of_a_mutant(original: object, mutant: object, end: str) -> None:
    assert fate(Mutant("", "", original, mutant)) == end


def test_what_computes_without_end_is_given_up_and_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(*_: object) -> bool:
        while True:
            pass

    monkeypatch.setattr(Decide, "check", forever)
    monkeypatch.setattr("tests.mope_theory.mutants.survey.LIMIT", 0.05)
    step = Step(b, sigma, Decide())
    assert fate(Mutant("", "", step, step)) == "not established"


def test_a_false_statement_that_holds_is_a_survivor(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule with a hole in it: the survey sees it."""
    monkeypatch.setattr(Decide, "check", lambda self, lhs, rhs: True)
    monkeypatch.setattr("mope_theory.derivation.veto", lambda *args: None)
    step = Step(psi(b, omega, sigma), sp.conjugate(psi(b, omega, sigma), evaluate=False), Decide())
    ends = {fate(mutant) for mutant in step_mutants("", step, [], Pick(1))}
    assert SURVIVES in ends


# --- the judge -----------------------------------------------------------------------------------------------------------

TINY = 1 + sp.Rational(1, 10**12)


@pytest.mark.parametrize(
    "statement, given, truth",
    [
        (Equal(sp.cos(b) ** 2 + sp.sin(b) ** 2, sp.S.One), (), True),
        (Equal(TINY * sp.exp(b), sp.exp(b)), (), False),
        (Equal(TINY * sp.Integral(sp.exp(-(xi**2)), (xi, -sp.oo, sp.oo)), sp.sqrt(sp.pi)), (), False),
        (Equal(sp.Integral(sp.exp(-(xi**2)), (xi, -sp.oo, sp.oo)), sp.sqrt(sp.pi)), (), True),
        (Less(b, sigma), (), False),
        (Less(b, sigma), (Less(b, sigma / 2),), True),
        (Equal(sigma * b**2, sp.S.Zero), (Equal(b, sp.S.Zero),), True),
        (LessEqual(b, 5 / sigma), (Equal(sigma * b, sp.Integer(5)),), True),
        (Less(sp.Integral(sp.exp(-(xi**2)), (xi, -sp.oo, sp.oo)), sp.oo), (), True),
        (Less(sp.Integral(sp.exp(xi**2), (xi, -sp.oo, sp.oo)), sp.oo), (), False),
        (Less(sp.Integral(1 / (1 + sp.Abs(xi)), (xi, -sp.oo, sp.oo)), sp.oo), (), False),
        (Equal(b, b), (Less(b, b),), None),
        (Equal(sp.gamma(b), sp.gamma(b)), (), None),
    ],
)
def test_the_judge_at_points(statement: Statement, given: tuple[Statement, ...], truth: bool | None) -> None:
    with mp.workdps(DIGITS):
        assert at_points(statement, frozenset(given)) is truth


def test_the_judge_knows_truth_tables() -> None:
    one, two = Equal(sp.gamma(b), sp.gamma(sigma)), Equal(sp.gamma(b), sp.gamma(omega))
    follows = Conjunction(And(one), (Assume(one),))
    assert true_all_the_same(follows)
    assert not true_all_the_same(Conjunction(And(one, two), (Assume(one),)))
    assert true_all_the_same(Conjunction(Or(one, two), (Assume(one),)))
    assert not true_all_the_same(Conjunction(two, (Assume(one),)))


# --- statements and their evidence ---------------------------------------------------------------------------------------


def test_a_true_statement_is_not_refuted_by_the_counterexample() -> None:
    """The refutation of the published table, turned on the table with the channels the right way round, does not hold."""
    refutation = mt.claim("limit.sinusoidal").derivations[0]
    assert isinstance(refutation, Counterexample)
    assert check(refutation)
    published = refutation.statement.body
    even, odd = published.body.body
    right = replace(published, body=And(replace(even, limit=odd.limit), replace(odd, limit=even.limit)))
    origin = right.body.substitute({right.var: refutation.value})
    for member in origin.body:
        bent = Counterexample(Not(right), refutation.value, RefutedMember(Not(origin), WrongLimit(Not(member))))
        assert "equals the limit" in check(bent).reason


def test_a_chain_bent_to_a_changed_end_is_refused() -> None:
    whole = chain(b * (b + 1), (Decide(), b**2 + b), (Decide(), b + b**2 + sp.sin(b) ** 2 + sp.cos(b) ** 2 - 1))
    assert check(whole)
    wrong = changed(whole, links=(whole.links[0], changed(whole.links[1], lhs=b**2 - b)))
    assert not check(wrong)
