"""Chains and the logic above them: each way of being wrong is refused, for the reason that belongs to it."""
from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
import sympy as sp
from sympy import Abs, I, Rational, exp, oo

import mope_theory as mt
from mope_theory.derivation import Chain, Outcome, Step, chain
from mope_theory.lemmas import EXP_ABOVE_TANGENT, GAUSSIAN, ONE_MINUS_EXP, Inequality
from mope_theory.logic import (
    Assume,
    Conjunction,
    Counterexample,
    LimitByRate,
    Nonzero,
    NotBelow,
    NotUniform,
    Rearrange,
    RefutedMember,
    UniformLimitByRate,
    WrongLimit,
    check,
    conjunction,
    proves,
)
from mope_theory.rules import Bound, Decide, Given, Modulus, Numbers, Part, Rewrite, Rule
from mope_theory.statement import And, Equal, ForAll, Implies, Less, LessEqual, Not, TendsTo, UniformlyTendsTo
from mope_theory.symbols import P, T, b, m, n, omega, psi, sigma

x = sp.Symbol("x", nonnegative=True)
r = sp.Symbol("r", real=True)
product = mt.derive("kernel.product")
assert isinstance(product, Chain)
target = product.statement.rhs
sinusoidal = mt.claim("limit.sinusoidal").derivations[1]
assert isinstance(sinusoidal, Conjunction)
pointwise, rate, uniform, not_uniform = sinusoidal.members[:4]


class Rogue(Rule):
    """A rule that believes everything."""

    relation = Equal
    name = "trust me"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        return True


@dataclass(frozen=True)
class RogueNode(Chain):
    """A node that believes everything."""

    def check(self) -> Outcome:
        return Outcome("holds")


def links(*steps: tuple[sp.Expr, sp.Expr]) -> tuple[Step, ...]:
    return tuple(Step(lhs, rhs, Decide()) for lhs, rhs in steps)


REFUSED_CHAINS = {
    "ends are not the statement's sides": (
        replace(product, statement=Equal(P(m, n), 2 * target)), "the ends of the chain"),
    "links do not join": (
        Chain(Equal(r, r + 1 - 1 + 0 * r), ()), "an empty chain"),
    "a gap in the middle": (
        Chain(product.statement, (product.links[0], product.links[2])), "does not end where"),
    "an identity step": (
        Chain(product.statement, (*links((P(m, n), P(m, n))), *product.links)), "an identity step"),
    "a wrong sign": (
        chain(P(m, n), (Decide(), exp(-I * omega * (m - n)) * exp(-(m**2 + n**2) / (2 * sigma**2)))), "not Equal"),
    "a factor 1 + 10^-12": (
        chain(P(m, n), (Decide(), (1 + Rational(1, 10**12)) * target)), "not Equal"),
    "σ for σ²": (
        chain(P(m, n), (Decide(), exp(I * omega * (m - n)) * exp(-(m**2 + n**2) / (2 * sigma)))), "not Equal"),
    "an equation by an inequality": (
        chain(1 - exp(-x), (Bound(Part(sp.S.One, ONE_MINUS_EXP, x)), x)), "not proved by inequalities"),
    "an open assumption": (
        chain(m, (Bound(Given(sp.S.One, n - m)), n), relation=LessEqual), "only under an assumption"),
    "a rule from outside": (
        chain(m, (Rogue(), n)), "not a rule of this calculus"),
    "a lemma from outside": (
        chain(1 - exp(-x), (Bound(Part(sp.S.One, Inequality("mine", exp(-x) - 1 + x, x, 2), x)), x), relation=LessEqual),
        "not registered"),
    "a negative factor": (
        chain(sigma, (Bound(Part(sp.S(-1), None, sigma)), sp.S.Zero), relation=LessEqual), "not plainly nonnegative"),
    "a certificate that is not exact": (
        chain(sp.S.Zero, (Bound(Part(sp.S.One, None, x)), 2 * x), relation=LessEqual), "not LessEqual"),
    "an inequality of complex numbers": (
        chain(I, (Bound(Part(sp.S.One, None, sigma)), I + sigma), relation=LessEqual), "not shown to be real"),
    "a lemma outside its range": (
        chain(1 - exp(-r), (Bound(Part(sp.S.One, ONE_MINUS_EXP, r)), r), relation=LessEqual), "range of the lemma"),
    "a modulus of the wrong sign": (
        chain(Abs(psi(b, omega, sigma)), (Modulus(Bound(Part(sp.S.One, None, exp(-x)))), -exp(-(b**2) / (2 * sigma**2)))),
        "not Equal"),
    "a modulus where there is none": (
        chain(m, (Modulus(Bound(Part(sp.S.One, None, x))), n)), "neither end is a modulus"),
    "a rewrite by a false equation": (
        chain(m + 1, (Rewrite(chain(m, (Decide(), n))), n + 1)), "not Equal"),
    "a rewrite to something else": (
        chain(m + (n + 1) ** 2, (Rewrite(chain((n + 1) ** 2, (Decide(), n**2 + 2 * n + 1))), m)), "not Equal"),
    "integrals over different ranges": (
        chain(sp.Integral(exp(-(r**2)), (r, 0, 1)), (Decide(), sp.Integral(exp(-(r**2)), (r, 0, 2)))), "not shown equal"),
    "numbers the other way round": (
        chain(sp.pi, (Numbers(), sp.Rational(314, 100)), relation=Less), "not Less"),
    "equal numbers": (
        chain(sp.cos(sp.S.One) ** 2 + sp.sin(sp.S.One) ** 2, (Numbers(), sp.S.One), relation=Less), "not told apart"),
    "numbers with a symbol": (
        chain(sp.S.Zero, (Numbers(), sigma), relation=Less), "a symbol occurs"),
    "complex numbers": (
        chain(sp.S.Zero, (Numbers(), 1 + I), relation=Less), "not shown to be real"),
    "a strict inequality without a strict step": (
        chain(sp.S.Zero, (Bound(Part(sp.S.One, None, sigma)), sigma), relation=Less), "no step of the chain is strict"),
    "a derivative at a pole": (
        chain((m**2 - n**2) / (m - n), (Decide(), m + n)), "may vanish"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED_CHAINS)
def test_a_faulty_chain_does_not_hold(name: str) -> None:
    faulty, reason = REFUSED_CHAINS[name]
    outcome = proves(faulty)
    assert not outcome
    assert reason in outcome.reason


def test_the_sound_twins_of_the_faults_hold() -> None:
    """Each fault above is one change away from something that holds, so the refusals are not refusals of everything."""
    assert check(product)
    assert check(chain(1 - exp(-x), (Bound(Part(sp.S.One, ONE_MINUS_EXP, x)), x), relation=LessEqual))
    assert check(chain(m, (Bound(Given(sp.S.One, n - m)), n), relation=LessEqual))
    assert check(chain(m + (n + 1) ** 2, (Rewrite(chain((n + 1) ** 2, (Decide(), n**2 + 2 * n + 1))), m + n**2 + 2 * n + 1)))
    assert check(chain(sp.Integral(exp(-(r**2)), (r, -oo, oo)), (Decide(GAUSSIAN), sp.sqrt(sp.pi))))
    assert check(chain(sp.Rational(314, 100), (Numbers(), sp.pi), relation=Less))
    assert check(chain(sp.Rational(314, 100), (Numbers(), sp.pi), relation=LessEqual))
    assert check(nonzero)
    assert check(NotBelow(Not(LessEqual(sp.S(2), sp.S.One)), below))
    assert check(NotBelow(Not(Equal(sp.S.One, sp.S(2))), below))
    assert check(LimitByRate(TendsTo(sigma, sigma, sp.S.Zero, sp.S.Zero), growing))


def test_points_veto_a_step_that_a_broken_rule_would_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """High precision stands behind the decision procedure: with that broken, a wrong step still fails."""
    monkeypatch.setattr(Decide, "check", lambda self, lhs, rhs: True)
    outcome = check(chain(P(m, n), (Decide(), (1 + Rational(1, 10**12)) * target)))
    assert outcome.status == "fails"
    assert "vetoed by high precision" in outcome.reason


carrier = exp(I * omega * b)
assert isinstance(rate, Chain)
assert isinstance(uniform, UniformLimitByRate)
assert isinstance(not_uniform, NotUniform)
origin = TendsTo(sp.re(psi(0, omega, sigma)), sigma, sp.S.Zero, oo)

apart = sp.Symbol("m'", real=True, zero=False)
nonzero = Nonzero(
    Implies(Not(Equal(m, sp.S.Zero)), Equal((m**2 + m) / m, m + 1)),
    apart,
    chain((apart**2 + apart) / apart, (Decide(), apart + 1)),
)
growing = chain(sigma, (Bound(Part(sp.S.One, None, sigma)), 2 * sigma), relation=LessEqual)
below = chain(sp.S.One, (Numbers(), sp.S(2)), relation=Less)

FAULTY_NODES = {
    "a node from outside": (RogueNode(Equal(m, n), ()), "not a rule of this calculus"),
    "a node from outside, hidden": (Conjunction(And(Equal(m, n)), (RogueNode(Equal(m, n), ()),)), "not a rule of this calculus"),
    "a member left out": (replace(sinusoidal, members=sinusoidal.members[:-1]), "not the members stated"),
    "a rate for another limit": (
        LimitByRate(TendsTo(psi(b, omega, sigma), sigma, -carrier, oo), rate), "does not bound the distance"),
    "a rate that does not vanish": (
        LimitByRate(TendsTo(psi(b, omega, sigma), sigma, carrier, oo),
                    sinusoidal.members[4]), "does not depend"),  # |ψ − e^{iωb}| ≤ 1
    "a limit at zero": (
        LimitByRate(TendsTo(psi(b, omega, sigma), sigma, carrier, sp.S.Zero), rate), "does not vanish as sigma → 0"),
    "a limit at one": (
        LimitByRate(TendsTo(psi(b, omega, sigma), sigma, carrier, sp.S.One), rate), "only limits"),
    "a limit at infinity by a rate for zero": (
        LimitByRate(TendsTo(sigma, sigma, sp.S.Zero, oo), growing), "does not vanish as sigma → oo"),
    "for nonzero values by a real stand-in": (
        replace(nonzero, stand_in=r), "not on a nonzero one"),
    "for nonzero values of another hypothesis": (
        replace(nonzero, statement=Implies(Not(Equal(m, sp.S.One)), nonzero.statement.conclusion)), "differs from 0"),
    "for nonzero values, another conclusion": (
        replace(nonzero, statement=Implies(nonzero.statement.hypothesis, Equal(m, n))), "not the conclusion"),
    "an inequality turned the wrong way": (
        NotBelow(Not(LessEqual(sp.S.One, sp.S(2))), below), "does not refute"),
    "an equation refuted by itself": (
        NotBelow(Not(Equal(sp.S.One, sp.S(3))), below), "does not refute"),
    "uniform by a pointwise rate": (
        UniformLimitByRate(UniformlyTendsTo(psi(b, omega, sigma), sigma, carrier, oo, b, sp.Interval(-T, T)), rate),
        "depends on b"),
    "uniform over everything by a rate for a range": (
        UniformLimitByRate(UniformlyTendsTo(psi(b, omega, sigma), sigma, carrier, oo, b, sp.S.Reals), uniform.rate),
        "does not give"),
    "pointwise by a rate for a range": (
        LimitByRate(TendsTo(psi(b, omega, sigma), sigma, carrier, oo), uniform.rate), "only under an assumption"),
    "not uniform on a bounded range": (
        replace(not_uniform, statement=Not(uniform.statement)), "over ℤ"),
    "a witness that may be negative": (
        replace(not_uniform, remainder=r), "fresh nonnegative"),
    "a gap of zero": (
        replace(not_uniform, floor=chain(sp.S.Zero, (Bound(Part(sp.S.One, None, sp.S.One)), sp.S.One), relation=LessEqual)),
        "not shown to be positive"),
    "a witness for another limit": (
        replace(not_uniform, statement=Not(UniformlyTendsTo(psi(b, omega, sigma), sigma, -carrier, oo, b, sp.S.Integers))),
        "not a constant below"),
    "refuting a right limit": (
        WrongLimit(Not(TendsTo(sp.re(psi(0, omega, sigma)), sigma, sp.S.One, oo))), "equals the limit"),
    "refuting at a point that is not fixed": (
        WrongLimit(Not(TendsTo(sp.re(psi(b, omega, sigma)), sigma, sp.S.Zero, oo))), "still depends"),
    "a counterexample outside the domain": (
        Counterexample(Not(ForAll(b, sp.S.Integers, And(TendsTo(sp.re(psi(b, omega, sigma)), sigma, sp.S.Zero, oo)))),
                       sp.Rational(1, 2), RefutedMember(Not(And(origin)), WrongLimit(Not(origin)))), "not shown to lie"),
    "a counterexample at another point": (
        Counterexample(Not(ForAll(b, sp.S.Integers, And(TendsTo(sp.re(psi(b, omega, sigma)), sigma, sp.S.Zero, oo)))),
                       sp.S.One, RefutedMember(Not(And(origin)), WrongLimit(Not(origin)))), "not the statement at the point"),
    "refuting what is no member": (
        RefutedMember(Not(And(Equal(m, n))), WrongLimit(Not(origin))), "not a member"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTY_NODES)
def test_a_faulty_node_does_not_hold(name: str) -> None:
    faulty, reason = FAULTY_NODES[name]
    outcome = proves(faulty)
    assert not outcome
    assert reason in outcome.reason


def test_a_premise_is_checked() -> None:
    """A wrong step deep inside keeps the whole from holding."""
    wrong = replace(rate, links=(rate.links[0], replace(rate.links[1], rule=Bound(Part(sp.S(2), ONE_MINUS_EXP, x)))))
    outcome = check(conjunction(LimitByRate(pointwise.statement, wrong)))
    assert not outcome
    assert "step 2" in outcome.reason


def test_what_is_used_twice_is_shown_once() -> None:
    """A premise of two members has its lines below the first, and is named below the second; what has one line keeps it."""
    below = Assume(LessEqual(m, n))
    premise = Rearrange(LessEqual(m, n), below)
    lines = list(conjunction(premise, premise, below, below).outline())
    assert [line.rule for line in lines] == ["conjunction", "rearranged", "assumption", "as above", "assumption", "assumption"]


def test_outline_names_every_rule_and_lemma() -> None:
    lines = list(sinusoidal.outline())
    assert {line.rule for line in lines} >= {"conjunction", "limit by rate", "uniform limit by rate", "modulus", "rewrite"}
    assert {EXP_ABOVE_TANGENT.name, ONE_MINUS_EXP.name} <= {line.lemma for line in lines}
    assert [line.statement for line in lines if line.depth == 1] == list(sinusoidal.statement.body)
