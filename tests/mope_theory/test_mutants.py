"""Every step and every statement of the derived claims, changed at every place: nothing wrong holds.

A mutant that survives must be a true identity, and an independent numerical judge has to say so.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.ledger import Row
from mope_impl.ledger.providers.derivation import derivations
from mope_theory.derivation import Chain, Derivation
from mope_theory.logic import (
    Conjunction,
    Counterexample,
    LimitByRate,
    Nonzero,
    NotBelow,
    NotUniform,
    RefutedMember,
    UniformLimitByRate,
    WrongLimit,
    check,
)
from mope_theory.statement import And, LessEqual, Not, Statement
from tests.mope_theory.mutation import (
    MUTATORS,
    all_steps,
    certificate_mutants,
    mutants,
    same_integral,
    same_value,
    step_mutants,
    true_of_numbers,
)

CLAIMS = tuple(claim.id for claim in mt.claims() if claim.derivations)
STEPS = [pair for name in CLAIMS for pair in all_steps(name, mt.derive(name))]


def test_mutated_steps_are_killed(record_property: pytest.RecordProperty) -> None:
    """Both ends of every step: sign, factor, exponent, σ for σ², conjugate, index."""
    killed: dict[str, Counter[str]] = {kind: Counter() for kind in MUTATORS}
    for name, step in STEPS:
        assert step.check(), name
        for mutant in step_mutants(name, step):
            outcome = mutant.step.check()
            if outcome:  # it may stand only if it says the same thing
                true = true_of_numbers(mutant.step.statement) or equivalent(mutant.original, mutant.changed)
                assert true, f"SURVIVED: {mutant.where}: {mutant.changed}"
                killed[mutant.kind]["true all the same"] += 1
            else:
                killed[mutant.kind]["decided false" if outcome.status == "fails" else "refused"] += 1
    total = sum((counts for counts in killed.values()), Counter())
    record_property("mutants", {kind: dict(counts) for kind, counts in killed.items()})
    assert total["decided false"] > 200
    assert total["true all the same"] < 120  # most of them in report.arithmetic: inequalities with room to spare
    assert all(sum(counts.values()) for counts in killed.values())


def equivalent(original: sp.Expr, changed: sp.Expr) -> bool:
    """Judged apart from the decision procedure."""
    numeric = same_value(original, changed)
    return same_integral(original, changed) if numeric is None else numeric


def test_mutated_certificates_are_killed() -> None:
    """A certificate is exact: no part can be dropped, negated or scaled."""
    count = 0
    for name, step in STEPS:
        for mutant in certificate_mutants(step):
            assert not mutant.check(), f"SURVIVED: certificate of {name}"
            count += 1
    assert count > 40


def test_mutated_statements_are_killed_by_their_own_derivations() -> None:
    """A statement changed anywhere, with its derivation bent to end in the changed sides: a step or a rule says no.

    That a derivation must prove the statement as it stands is left out of play here, so that each death is by a symbolic or
    numerical check, and is counted under it.
    """
    killers: Counter[str] = Counter()
    for id in CLAIMS:
        for derivation in mt.claim(id).derivations:
            for member in derivation.members if isinstance(derivation, Conjunction) else (derivation,):
                if isinstance(member, (Counterexample, RefutedMember, NotBelow)):
                    continue  # most changes of a false statement are false too: see below
                for changed in statement_mutants(member.statement):
                    bent = bend(member, changed)
                    outcome = check(bent)
                    if outcome:
                        pairs = zip(member.statement.expressions, changed.expressions, strict=True)
                        same = all(old == new or equivalent(old, new) for old, new in pairs)
                        assert same or true_of_numbers(changed), f"SURVIVED: {changed.text()}"
                        killers["true all the same"] += 1
                    else:
                        killers[type(bent).__name__ + (" step" if "step" in outcome.reason else " rule")] += 1
    assert sum(killers.values()) > 60
    assert killers["true all the same"] < 80
    assert killers["Chain step"] > 40


def bend(derivation: Derivation, statement: Statement) -> Derivation:
    """The derivation with the ends of its chains replaced by what the changed statement asks for."""
    if isinstance(derivation, Chain):
        links = list(derivation.links)
        links[0] = replace(links[0], lhs=statement.lhs)
        links[-1] = replace(links[-1], rhs=statement.rhs)
        return replace(derivation, statement=statement, links=tuple(links))
    if isinstance(derivation, (LimitByRate, UniformLimitByRate)):
        distance = LessEqual(sp.Abs(statement.expr - statement.limit), derivation.rate.statement.rhs)
        return replace(derivation, statement=statement, rate=bend(derivation.rate, distance))
    if isinstance(derivation, NotUniform):
        limit = statement.body
        here = sp.Abs((limit.expr - limit.limit).xreplace({limit.over: limit.var + derivation.remainder}))
        gap = bend(derivation.gap, LessEqual(derivation.gap.statement.lhs, here))
        return replace(derivation, statement=statement, gap=gap)
    if isinstance(derivation, Nonzero):
        (x,) = statement.hypothesis.free_symbols
        inside = bend(derivation.conclusion, statement.conclusion.substitute({x: derivation.stand_in}))
        return replace(derivation, statement=statement, conclusion=inside)
    raise AssertionError(f"no way to bend {type(derivation).__name__}")


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


def test_a_changed_statement_is_not_what_its_derivation_proves() -> None:
    """The plain case: the derivation stays, the statement moves, and the ledger sees that they no longer meet."""
    for id in CLAIMS:
        own = mt.claim(id)
        assert not Row(own, derivations(own), None).failed
        for side, statement in own.statements.items():
            for other in statement_mutants(statement)[:1]:
                changed = replace(own, **{side: other})
                assert Row(changed, derivations(changed), None).failed


def statement_mutants(statement: Statement) -> list[Statement]:
    """One expression of the statement changed at one place."""
    found: list[Statement] = []
    if isinstance(statement, And):
        body = statement.body
        for k, member in enumerate(body):
            found += [And(*body[:k], changed, *body[k + 1 :]) for changed in statement_mutants(member)]
        return found
    for field in fields(statement):
        value = getattr(statement, field.name)
        if isinstance(value, Statement):
            found += [replace(statement, **{field.name: changed}) for changed in statement_mutants(value)]
        elif isinstance(value, sp.Expr) and not (value.is_Symbol and value in statement.bound_symbols):
            for kind in MUTATORS:
                found += [replace(statement, **{field.name: changed}) for changed in mutants(value, kind)]
    return found
