"""Natural deduction, quantifiers: each node holds where it should, and each way of misusing it does not."""
from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from sympy import Abs, I, Integral, Lambda, S, conjugate

from mope_theory.derivation import chain, directly
from mope_theory.judgement import Derivation
from mope_theory.lemmas.axioms import Axiom
from mope_theory.lemmas.square_integrable import ENERGY, wave
from mope_theory.logic import (
    Assume,
    Choose,
    Cite,
    Each,
    Generalise,
    Induction,
    Instance,
    Rearrange,
    Replace,
    Specialise,
    Suppose,
    Witness,
    instance,
    proves,
)
from mope_theory.rules import Bound, Given, Numbers, Part, Strict
from mope_theory.statement import Equal, Exists, ForAll, Implies, Less, LessEqual, Not, Statement
from mope_theory.symbols import b
from mope_theory.vocabulary.functions import SEQUENCES, Functions, Indices, Unknown

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
z = sp.Symbol("z", complex=True)
j, k = sp.symbols("j k", integer=True)
count = sp.Symbol("N", integer=True, positive=True)
f = Unknown("f", Functions(SEQUENCES, S.Reals))
any_function, waves = (Unknown(name, Functions(S.Reals, S.Complexes)) for name in ("h", "w"))
REALS, POSITIVE = S.Reals, sp.Interval.open(0, sp.oo)

square = chain(S.Zero, (Bound(Part(S.One, None, x**2)), x**2), relation=LessEqual)
positive = chain(S.Zero, (Strict(Part(S.One, None, p)), p), relation=Less)
every_square = Generalise(ForAll(x, REALS, square.statement), square)
above = chain(S.Zero, (Strict(Given(S.One, x, strict=True)), x), relation=Less)
index = chain(S.Zero, (Bound(Given(S.One, j)), j), relation=LessEqual)
every_index = Generalise(ForAll(j, Indices(count), index.statement), index)
counting = sp.Symbol("n", integer=True, positive=True)
whole = sp.Symbol("n'", integer=True, nonnegative=True)
index_above = chain(S.Zero, (Bound(Part(S.One, None, counting)), counting), relation=LessEqual)


doubling = ForAll(k, S.Naturals0, Equal(f(k + 1), 2 * f(k)))
next_value = Specialise(doubling.body, Assume(doubling), k, (Assume(LessEqual(S.Zero, k)),))

unordered = Integral(conjugate(waves(x)) * x, (x, -sp.oo, sp.oo))
"""A number of which nothing is known, not even that it is real."""


def in_order(fact: Statement) -> Derivation:
    """0 ≤ r² for a number that a fact is on."""
    return Suppose(Implies(fact, LessEqual(S.Zero, unordered**2)), instance(square, {x: unordered}, Assume(fact)))


def of_finite_energy(value: sp.Expr, fact: Statement) -> Derivation:
    """∫|g|² < ∞ for a g that a fact puts into L²."""
    return Suppose(
        Implies(fact, ENERGY.statement.substitute({wave: Lambda(b, value)})),
        instance(Cite(ENERGY), {wave: Lambda(b, value)}, Assume(fact)),
    )


def energy_of(value: sp.Expr) -> Integral:
    return Integral(Abs(value) ** 2, (b, -sp.oo, sp.oo))


HOLD: dict[str, Derivation] = {
    "a number that is real, for it is in an order": in_order(LessEqual(S.One, unordered)),
    "a function of finite energy": of_finite_energy(b * wave(b), Less(energy_of(b * wave(b)), sp.oo)),
    "for all": every_square,
    "for all positive ones, as an assumption": Generalise(ForAll(x, POSITIVE, above.statement), above),
    "for all indices": Generalise(ForAll(j, Indices(count), index.statement), index),
    "at a value": Specialise(LessEqual(S.Zero, S(9)), every_square, S(3)),
    "at a value that a fact places": Suppose(
        Implies(Less(S.Zero, y), Less(S.Zero, y)),
        Specialise(
            Less(S.Zero, y), Generalise(ForAll(x, POSITIVE, above.statement), above), y, (Assume(Less(S.Zero, y)),)
        ),
    ),
    "at a symbol of the range": Specialise(
        LessEqual(S.Zero, count), Generalise(ForAll(counting, S.Naturals, LessEqual(S.Zero, counting)), index_above), count
    ),
    "at a value of which one end is plain": Suppose(
        Implies(LessEqual(S(2), count - 1), LessEqual(S.Zero, S(2))),
        Specialise(LessEqual(S.Zero, S(2)), every_index, S(2), (Assume(LessEqual(S(2), count - 1)),)),
    ),
    "a witness": Witness(Exists(x, REALS, Less(S.One, x)), S(2), directly(Less(S.One, S(2)), Numbers())),
    "a choice": Suppose(
        Implies(Exists(x, POSITIVE, Equal(x, y)), Less(S.Zero, y)),
        Choose(
            Less(S.Zero, y),
            Assume(Exists(x, POSITIVE, Equal(x, y))),
            Replace(Less(S.Zero, y), Assume(Equal(x, y)), Assume(Less(S.Zero, x))),
        ),
    ),
    "each value": Each(
        ForAll(j, sp.Range(1, 3), Less(S.Zero, j)), tuple(directly(Less(S.Zero, S(i)), Numbers()) for i in (1, 2))
    ),
    "an instance": instance(positive, {p: 1 + x**2}),
    "an instance by a fact": Suppose(Implies(Less(S.Zero, x), Less(S.Zero, x)), instance(positive, {p: x}, above)),
    "equals for equals": Suppose(
        Implies(Equal(x, y**2), LessEqual(S.Zero, y**4)),
        Replace(LessEqual(S.Zero, y**4), Assume(Equal(x, y**2)), square),
    ),
    "rearranged": Rearrange(LessEqual(-(x**2), S.Zero), square),
    "rearranged with a factor": Rearrange(LessEqual(-3 * x**2, S.Zero), square, S(3)),
}

FALSE: dict[str, Derivation] = {
    "a number that is not real, though finite": in_order(Less(unordered, sp.oo)),
    "a number that differs from 0": in_order(Not(Equal(unordered, S.Zero))),
    "another number is in an order": in_order(LessEqual(S.One, 2 * unordered)),
    "a function of finite energy, by that of another": of_finite_energy(b * wave(b), Less(energy_of(wave(b)), sp.oo)),
    "a function that may not be measurable": of_finite_energy(any_function(b), Less(energy_of(any_function(b)), sp.oo)),
    "a function with a pole": of_finite_energy(wave(b) / b, Less(energy_of(wave(b) / b), sp.oo)),
    "a function that is not shown to be of finite energy": of_finite_energy(b * wave(b), Less(S.Zero, energy_of(b * wave(b)))),
    "for all, though something is assumed of it": Suppose(
        Implies(LessEqual(S.Zero, x), ForAll(x, REALS, LessEqual(S.Zero, x))),
        Generalise(ForAll(x, REALS, LessEqual(S.Zero, x)), Assume(LessEqual(S.Zero, x))),
    ),
    "for all reals, proved for positive ones": Generalise(ForAll(p, REALS, Less(S.Zero, p)), positive),
    "for all indices, from more than that": Generalise(
        ForAll(j, Indices(count), LessEqual(S.One, j)), Assume(LessEqual(S.One, j))
    ),
    "for all nonnegative ones, from positive": Generalise(ForAll(x, sp.Interval(0, sp.oo), above.statement), above),
    "for all, in a range of itself": Generalise(ForAll(x, sp.Interval.open(x, sp.oo), square.statement), square),
    "at a value outside": Specialise(LessEqual(S.Zero, S.NegativeOne), every_square, I),
    "at a value that is not placed": Specialise(
        Less(S.Zero, y), Generalise(ForAll(x, POSITIVE, above.statement), above), y
    ),
    "at a value by capture": Specialise(
        Exists(y, REALS, Less(y, y)),
        Generalise(
            ForAll(x, REALS, Exists(y, REALS, Less(x, y))),
            Witness(
                Exists(y, REALS, Less(x, y)), x + 1, chain(x, (Strict(Part(S.One, None, S.One)), x + 1), relation=Less)
            ),
        ),
        y,
    ),
    "at a symbol that may lie outside": Specialise(
        LessEqual(S.Zero, whole), Generalise(ForAll(counting, S.Naturals, LessEqual(S.Zero, counting)), index_above), whole
    ),
    "at a value of which the other end is not plain": Specialise(LessEqual(S.Zero, S(2)), every_index, S(2)),
    "a witness outside": Witness(Exists(x, POSITIVE, Less(x, S.Zero)), S.NegativeOne, directly(Less(-S.One, S.Zero), Numbers())),
    "a choice that is not arbitrary": Suppose(
        Implies(Exists(x, REALS, Less(x, y)), Less(x, y)),
        Choose(Less(x, y), Assume(Exists(x, REALS, Less(x, y))), Assume(Less(x, y))),
    ),
    "a choice with more assumed": Suppose(
        Implies(Exists(x, REALS, Less(x, y)), LessEqual(S.Zero, S.NegativeOne)),
        Choose(
            LessEqual(S.Zero, S.NegativeOne),
            Assume(Exists(x, REALS, Less(x, y))),
            Assume(LessEqual(S.Zero, S.NegativeOne)),
        ),
    ),
    "each value but one": Each(ForAll(j, sp.Range(1, 3), Less(S.Zero, j)), (directly(Less(S.Zero, S.One), Numbers()),)),
    "each value of an interval": Each(ForAll(x, sp.Interval(0, 1), Less(x, S(2))), (directly(Less(S.Zero, S(2)), Numbers()),)),
    "each value of a range without end": Each(
        ForAll(j, sp.Range(1, sp.oo), Less(S.Zero, j)), (directly(Less(S.Zero, S.One), Numbers()),)
    ),
    "each value, another statement": Each(
        ForAll(j, sp.Range(1, 2), Less(S.One, j)), (directly(Less(S.Zero, S.One), Numbers()),)
    ),
    "an instance outside": instance(positive, {p: x}),
    "an instance that leaves its assumption behind": Suppose(
        Implies(LessEqual(S.Zero, x), LessEqual(S.Zero, y)),
        Instance(LessEqual(S.Zero, y), Assume(LessEqual(S.Zero, x)), ((x, y),)),
    ),
    "an instance at two values": Instance(Less(S.Zero, p), positive, ((p, S.One), (p, S(2)))),
    "an instance at a pole": Instance(
        Equal(x / x, S.One), Assume(Equal(y / x, S.One)), ((y, x),)
    ),
    "equals for equals under a quantifier": Suppose(
        Implies(Equal(x, S.Zero), ForAll(x, REALS, LessEqual(S.Zero, S.Zero))),
        Replace(ForAll(x, REALS, Equal(S.Zero, S.Zero)), Assume(Equal(x, S.Zero)), Assume(ForAll(x, REALS, Equal(x, S.Zero)))),
    ),
    "equals for equals, backwards": Suppose(
        Implies(Equal(x, y), Less(S.Zero, x)), Replace(Less(S.Zero, x), Assume(Equal(x, y)), Assume(Less(S.Zero, y)))
    ),
    "rearranged with the wrong sign": Rearrange(LessEqual(x**2, S.Zero), square),
    "rearranged by a factor that may be negative": Rearrange(LessEqual(S.Zero, x**3), square, x),
    "rearranged, complex": Rearrange(LessEqual(z, z + x**2), square),
    "induction without a step": Induction(
        ForAll(k, S.Naturals0, LessEqual(k, S.Zero)),
        chain(S.Zero, (Bound(Part(S.One, None, S.Zero)), S.Zero), relation=LessEqual),
        Assume(LessEqual(k + 1, S.Zero)),
    ),
    "induction over the integers": Induction(
        ForAll(k, S.Integers, LessEqual(S.Zero, k)),
        chain(S.Zero, (Bound(Part(S.One, None, S.Zero)), S.Zero), relation=LessEqual),
        chain(S.Zero, (Bound(Given(S.One, k), Part(S.One, None, S.One)), k + 1), relation=LessEqual),
    ),
    "an axiom from outside": Cite(Axiom("mine", Equal(S.Zero, S.One), "nobody")),
    "a function that leaves its space": instance(
        Generalise(ForAll(j, S.Naturals0, Equal(f(j), f(j))), Assume(Equal(f(j), f(j)))), {f: sp.Lambda(k, I * k)}
    ),
}


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])


def _doubled() -> Derivation:
    """f(0) = 1 and f(k + 1) = 2 f(k) for every k: then 0 ≤ f(k)."""
    body = LessEqual(S.Zero, f(k))
    base = Replace(
        LessEqual(S.Zero, f(0)), Rearrange(Equal(S.One, f(0)), Assume(Equal(f(0), S.One)), S.NegativeOne),
        directly(LessEqual(S.Zero, S.One), Bound(Part(S.One, None, S.One))),
    )
    step = Replace(
        LessEqual(S.Zero, f(k + 1)),
        Rearrange(Equal(2 * f(k), f(k + 1)), next_value, S.NegativeOne),
        chain(S.Zero, (Bound(Given(S(2), f(k))), 2 * f(k)), relation=LessEqual),
    )
    return Induction(ForAll(k, S.Naturals0, body), base, step)


def test_induction_over_the_natural_numbers() -> None:
    induction = _doubled()
    statement = Implies(Equal(f(0), S.One), Implies(doubling, induction.statement))
    whole = Suppose(statement, Suppose(statement.conclusion, induction))
    outcome = proves(whole)
    assert outcome, outcome.reason
    broken = replace(induction, base=induction.step)
    assert not proves(Suppose(statement, Suppose(statement.conclusion, broken)))
    assert not proves(induction)


def test_a_negated_equation_is_rearranged() -> None:
    known = Assume(Not(Equal(x, y)))
    assert proves(Suppose(Implies(known.statement, Not(Equal(x - y, S.Zero))), Rearrange(Not(Equal(x - y, S.Zero)), known)))
    assert not proves(Suppose(Implies(known.statement, Not(Equal(x, S.Zero))), Rearrange(Not(Equal(x, S.Zero)), known)))
