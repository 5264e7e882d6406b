"""False statements by way of premises, quantifiers and values: none may hold. Each stands for a way in that was once open."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
import sympy as sp
from sympy import I, Integral, S, Sum, exp, oo, pi

from mope_impl.ledger import Row
from mope_impl.ledger.providers import PROVIDERS
from mope_theory.claim import Claim
from mope_theory.decide import unfold
from mope_theory.derivation import HOLDS, Chain, Derivation, Step, chain, directly
from mope_theory.domains import granted
from mope_theory.enclosure import Subdivision
from mope_theory.lemmas.integration import FUNDAMENTAL, end, primitive, start
from mope_theory.lemmas.reflexive import itself
from mope_theory.logic import (
    Alternative,
    Assume,
    Cite,
    Conjunction,
    Contradiction,
    Counterexample,
    Detach,
    Generalise,
    Induction,
    Instance,
    LimitByRate,
    OtherLimit,
    Rearrange,
    Specialise,
    Suppose,
    UniformLimitByRate,
    Using,
    Weaken,
    Witness,
    check,
    instance,
    proves,
)
from mope_theory.rules import (
    Agreement,
    Bound,
    Combine,
    Decide,
    Extremum,
    Given,
    Integrable,
    Known,
    Monotone,
    Numbers,
    Part,
    Rewrite,
    Strict,
    Termwise,
    Unfold,
)
from mope_theory.statement import (
    And,
    Equal,
    Exists,
    ForAll,
    Implies,
    Less,
    LessEqual,
    Not,
    Or,
    Statement,
    TendsTo,
    UniformlyTendsTo,
)
from mope_theory.symbols import Head, N, carrier, j, k
from mope_theory.symbols import channel as i
from mope_theory.vocabulary.functions import SEQUENCES, Functions, Unknown
from mope_theory.vocabulary.gates import PassShare, energies
from mope_theory.vocabulary.recipe import Perplexity

x, y, t = sp.symbols("x y t", real=True)
p = sp.Symbol("p", positive=True)
REALS, POSITIVE = S.Reals, sp.Interval.open(0, oo)

ORDER = directly(Less(S.Zero, S.One), Numbers())
APART = Weaken(Not(Equal(S.Zero, S.One)), ORDER)


def infinite_maximum() -> Derivation:
    """m = ∞ = m − 1 for m = max(a, ∞)."""
    bell = Integral(exp(-(t**2)), (t, -oo, oo))
    largest = sp.Max(bell, oo, evaluate=False)
    infinite = directly(Equal(largest, oo), Extremum(directly(Less(bell, oo), Integrable())))
    less = chain(largest - 1, (Rewrite(infinite), oo))
    return chain(largest, (Known(infinite), oo), (Known(less), largest - 1))


def inverse_never_zero() -> Derivation:
    """1/x ≠ 0 for every x, because 0 = 1/x gives 0 = x/x = 1, at x = 0 too."""
    absurd = chain(S.Zero, (Combine((x, Assume(Equal(S.Zero, 1 / x)))), S.One))
    return Contradiction(Not(Equal(S.Zero, 1 / x)), absurd, APART)


def square_cancelled() -> Derivation:
    absurd = chain(S.One, (Bound(Given(x**2, -1 / x**2)), S.Zero), relation=LessEqual)
    return Suppose(Implies(LessEqual(S.Zero, -1 / x**2), absurd.statement), absurd)


f, g = (Unknown(name, Functions(SEQUENCES, S.Reals)) for name in "fg")


def agreement_beyond(*limits: tuple[sp.Expr, ...]) -> Derivation:
    """Σ f = Σ g because f and g agree at 0, 1, 2, 3."""
    same = Assume(ForAll(k, sp.Range(4), Equal(f(k), g(k))))
    one, other = Sum(f(i), *limits), Sum(g(i), *limits)
    return Suppose(Implies(same.statement, Equal(one, other)), directly(Equal(one, other), Agreement(same)))


def other_limit(wrong: TendsTo, found: Derivation) -> Derivation:
    return OtherLimit(Not(wrong), found, APART if wrong.limit == 1 else _positive(1 / p))


def _positive(value: sp.Expr) -> Derivation:
    return Weaken(Not(Equal(S.Zero, value)), chain(S.Zero, (Strict(Part(S.One, None, value)), value), relation=Less))


_falls = LimitByRate(
    TendsTo(1 / p, p, S.Zero, oo), chain(1 / p, (Bound(Part(S.One, None, 1 / p)), 2 / p), relation=LessEqual)
)
_nowhere = TendsTo(S.One, p, S.Zero, -oo)
_nowhere_else = TendsTo(S.One, p, S.One, -oo)

z = sp.Symbol("z", complex=True)
_at_zero = Equal(x, S.Zero)
_annihilated = chain(z * x, (Rewrite(Assume(_at_zero)), S.Zero))
whole = sp.Symbol("n", integer=True, nonnegative=True)
heights = Unknown("h", Functions(POSITIVE, POSITIVE))
anything, waves = Unknown("w", Functions(REALS, S.Complexes)), Unknown("phi", Functions(REALS, S.Naturals, "L^{2}"))
none = Unknown("v", Functions(SEQUENCES, S.EmptySet))
_always = itself(x)
_taken = sp.Symbol("value0", real=True)
smooth = Unknown("g", Functions(REALS, REALS, "C^{1}"))


def _plain(statement: Equal) -> Derivation:
    return directly(statement, Decide())


def positive_beyond() -> Derivation:
    """0 < h(−1) for h: (0, ∞) → (0, ∞), and then h = (p ↦ p³)."""
    value = heights(S.NegativeOne)
    return instance(
        chain(S.Zero, (Strict(Part(S.One, None, value)), value), relation=Less), {heights: sp.Lambda(p, p**3)}
    )


def range_cancelled() -> Derivation:
    """x = 0 ⇒ there is a y < 1 between 0·z and 0·z + 1, and then z = 1/x and 0·z = 1."""
    start = x * sp.re(z)
    there = Exists(y, sp.Interval(start, start + 1), Less(y, S.One))
    below = chain(start, (Rewrite(Assume(_at_zero)), S.Zero), (Known(ORDER), S.One), relation=Less)
    wrong = Implies(_at_zero, Exists(y, sp.Interval(1, 2), Less(y, S.One)))
    return Instance(wrong, Suppose(Implies(_at_zero, there), Witness(there, start, below)), ((z, 1 / x),))


def scaled(by: sp.Expr) -> Derivation:
    """x = 0 ⇒ w(x)·x = 0 for every function w, and then w = (t ↦ by)."""
    zero = chain(anything(x) * x, (Rewrite(Assume(_at_zero)), S.Zero))
    return Suppose(Implies(_at_zero, zero.statement), zero)


FALSE: dict[str, Derivation] = {
    "0·(1/0) = 1 by an instance": Instance(
        Implies(_at_zero, Equal(S.One, S.Zero)),
        Suppose(Implies(_at_zero, _annihilated.statement), _annihilated),
        ((z, 1 / x),),
    ),
    "0·(1/0) = 1 at a value": Specialise(
        Implies(_at_zero, Equal(S.One, S.Zero)),
        Generalise(
            ForAll(z, S.Complexes, Implies(_at_zero, _annihilated.statement)),
            Suppose(Implies(_at_zero, _annihilated.statement), _annihilated),
        ),
        1 / x,
    ),
    "0·(1/0) = 1 by rewriting": Suppose(
        Implies(Equal(z, 1 / x), Equal(z * x, S.One)), chain(z * x, (Rewrite(Assume(Equal(z, 1 / x))), S.One))
    ),
    "0·(1/0) = 1 by a function": instance(scaled(1 / t), {anything: sp.Lambda(t, 1 / t)}),
    "0·(1/0) = 1 in a range": range_cancelled(),
    "a number whose product with 0 is 1": Witness(Exists(z, S.Complexes, Equal(z * x, S.One)), 1 / x, itself(S.One)),
    "0 times a number is not always 0": Counterexample(
        Not(ForAll(z, S.Complexes, Equal(z * x, S.Zero))), 1 / x, Weaken(Not(Equal(S.One, S.Zero)), ORDER)
    ),
    "a counterexample by 0/0": Counterexample(
        Not(ForAll(y, REALS, Implies(Equal(y, 2 * x), Not(Equal((y - x) / (2 * y - 2 * x), S.Half))))),
        2 * x,
        Contradiction(
            Not(Implies(Equal(2 * x, 2 * x), Not(Equal(S.Half, S.Half)))),
            itself(S.Half),
            Detach(
                Not(Equal(S.Half, S.Half)),
                Assume(Implies(Equal(2 * x, 2 * x), Not(Equal(S.Half, S.Half)))),
                itself(2 * x),
            ),
        ),
    ),
    "a positive function at a negative number": positive_beyond(),
    "a function from a set to nothing": Witness(
        Exists(none, none.space, _always.statement), Unknown("v'", none.space), _always
    ),
    "a square-integrable function above 1": Witness(
        Exists(waves, waves.space, _always.statement), Unknown("phi'", waves.space), _always
    ),
    "a function for a number": instance(_plain(Equal(sp.re(z) + I * sp.im(z), z)), {z: f}),
    "a sign that is smooth": instance(
        Cite(FUNDAMENTAL), {primitive: sp.Lambda(t, sp.sign(smooth(t) - _taken)), start: S.NegativeOne, end: S.One}
    ),
    "an order of complex numbers, carried along": directly(Less(I, 1 + I), Monotone(ORDER, x, x + I)),
    "the larger of a number and ∞": infinite_maximum(),
    "a pole cancelled in a combination": inverse_never_zero(),
    "a pole cancelled in a certificate": square_cancelled(),
    "an index that a bound further out shares its name with": agreement_beyond((i, 0, 10), (j, i, 3)),
    "a limit that differs from one that moves": other_limit(TendsTo(1 / p, p, 1 / p, oo), _falls),
    "two limits at an unreachable point": Suppose(
        Implies(_nowhere, Not(_nowhere_else)), other_limit(_nowhere_else, Assume(_nowhere))
    ),
}


def folded(total: Sum) -> Sum:
    """What SymPy makes of a sum when a named function in it is unfolded."""
    return total.func(total.function.replace(lambda e: isinstance(e, Head), unfold), *total.limits)


_shares = Sum((1 + whole) * PassShare(energies, N, whole), (whole, 0, 3))
_rate = chain(
    1 / (p * (whole + 1)), (Bound(Part(1 / p, None, whole / (whole + 1))), 1 / p), relation=LessEqual
)
_in_all = UniformlyTendsTo(1 / (p * (whole + 1)), p, S.Zero, oo, whole, S.Integers)

_vanishes = Equal(whole, S.Zero)
_up_to_itself = ForAll(whole, sp.Range(whole + 1), _vanishes)
_at_itself = Specialise(_vanishes, Assume(_up_to_itself), whole)
_everywhere = Generalise(ForAll(whole, S.Naturals0, _vanishes), _at_itself)

_above = Rearrange(LessEqual(S.Zero, 2 * k), Assume(LessEqual(-k, k)))
_terms = Using(chain(-k, (Bound(Given(S.Half, 2 * k)), S.Zero), relation=LessEqual), _above)

_whole_turns = Or(Equal(k, x), Equal(carrier(k, 2 * pi), S.One))
_next_turn = directly(Equal(carrier(k + 1, 2 * pi), S.One), Decide())

FALSE |= {
    "what holds up to a number holds for all": Suppose(Implies(_up_to_itself, _everywhere.statement), _everywhere),
    "an index that is no less than what is called like it": directly(
        LessEqual(Sum(-k, (k, -k, 5)), S.Zero), Termwise(_terms, k, -k, S(5))
    ),
    "an induction from a number that is not whole": Induction(
        ForAll(k, sp.Range(x, x + 3), _whole_turns),
        Alternative(_whole_turns.substitute({k: x}), itself(x)),
        Alternative(_whole_turns.substitute({k: k + 1}), _next_turn),
    ),
    "a share of tokens taken out of the sum over them": directly(Equal(_shares, folded(_shares)), Unfold()),
    "a limit for all integers by a rate for some": UniformLimitByRate(_in_all, _rate),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_falsehood_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])


def test_their_sound_twins_hold() -> None:
    assert proves(UniformLimitByRate(replace(_in_all, domain=S.Naturals0), _rate))
    assert proves(directly(Less(S.One, exp(1)), Monotone(ORDER, x, exp(x))))
    assert proves(instance(Suppose(Implies(_at_zero, _annihilated.statement), _annihilated), {z: 1 / p}))
    assert proves(Witness(Exists(z, S.Complexes, Equal(z * p, S.One)), 1 / p, itself(S.One)))
    assert proves(instance(scaled(1 / t), {anything: sp.Lambda(t, 1 / (1 + t**2))}))
    assert proves(instance(_plain(Equal(sp.re(z) + I * sp.im(z), z)), {z: f(j)}))
    assert proves(instance(Cite(FUNDAMENTAL), {primitive: sp.Lambda(t, sp.sin(smooth(t) - _taken))}))
    assert check(chain(S.Zero, (Combine((p, Assume(Equal(S.Zero, 1 / p)))), S.One)))
    assert check(chain(S.One, (Bound(Given(p**2, -1 / p**2)), S.Zero), relation=LessEqual))
    assert proves(agreement_beyond((i, 0, j), (j, 0, 3)))
    assert proves(other_limit(TendsTo(1 / p, p, S.One, oo), _falls))


# --- things that a file of claims brings along ----------------------------------------------------------------------------


class Agreeable(sp.Symbol):
    """A symbol that is equal to everything."""

    __hash__ = sp.Symbol.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False


class Hiding(Head):
    """A named function of nothing that is x."""

    nargs = 0

    def definition(self) -> sp.Expr:
        return x


class Wavering(tuple):  # type: ignore[type-arg]
    """Members that are others the second time."""

    def __iter__(self) -> Iterator[object]:
        self.asked = getattr(self, "asked", 0) + 1
        return iter((ORDER, APART)) if self.asked % 2 else iter(())


@dataclass(frozen=True)
class Yielding(Equal):
    """A statement that is equal to every other."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = Equal.__hash__


def patched(derivation: Derivation, name: str, value: object) -> Derivation:
    object.__setattr__(derivation, name, value)
    return derivation


def mutated() -> Derivation:
    """0 < h(0) while h ranges over positive functions, and then it ranges over others."""
    moved = Unknown("h", Functions(SEQUENCES, POSITIVE))
    value = moved(S.Zero)
    order = chain(S.Zero, (Strict(Part(S.One, None, value)), value), relation=Less)
    assert proves(order)
    moved.space = f.space
    return instance(order, {moved: sp.Lambda(whole, -1 - whole)})


def lying_head() -> sp.Expr:
    head = Perplexity(sp.Symbol("x_of_its_own", real=True))  # SymPy keeps what it makes
    head.definition = lambda: S.Zero
    return head


NOTHING = Equal(S.Zero, S.One)
BROUGHT: dict[str, Derivation] = {
    "a check of its own": patched(Chain(NOTHING, ()), "check", lambda: HOLDS),
    "a rule with a check of its own": Chain(
        Less(S.One, S.Zero), (Step(S.One, S.Zero, patched(Numbers(), "check", lambda *_: True)),)  # type: ignore[arg-type]
    ),
    "a symbol that is equal to everything": Chain(Equal(*map(Agreeable, "ab")), itself(x).links),
    "a named function that hides a symbol": instance(_plain(Equal(Hiding(), x)), {x: S.Zero}),
    "a definition of its own": Chain(Equal(lying_head(), S.Zero), (Step(lying_head(), S.Zero, Decide()),)),
    "a function that moves to another space": mutated(),
    "members that change": Conjunction(And(), Wavering()),
    "a list for a tuple": Conjunction(And(ORDER.statement), [ORDER]),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", BROUGHT)
def test_what_is_brought_along_is_refused(name: str) -> None:
    outcome = proves(BROUGHT[name])
    assert outcome.status == "refused"
    assert "of its own" in outcome.reason or "nor of its language" in outcome.reason


def verdict_of(own: Claim) -> str:
    return Row(own, tuple(e for provider in PROVIDERS.values() for e in provider(own)), None).verdict


def of(statement: Statement, box: dict[sp.Symbol, sp.Set], **evidence: object) -> Claim:
    return Claim(id="trial.false", title="", place="", box=box, ours=statement, **evidence)  # type: ignore[arg-type]


def test_a_statement_that_is_equal_to_every_other_is_not_proved_by_any() -> None:
    assert verdict_of(of(ORDER.statement, {}, derivations=(ORDER,))) == "proved"
    assert verdict_of(of(Yielding(S.Zero, S.One), {}, derivations=(ORDER,))) == "open"


def test_a_box_whose_ranges_leave_nothing_grants_nothing() -> None:
    """1 ≤ x ≤ y ≤ 0."""
    orders = LessEqual(S.One, x), LessEqual(x, y), LessEqual(y, S.Zero)
    absurd = chain(S.One, *((Known(Assume(order)), order.rhs) for order in orders), relation=LessEqual)
    box = {x: sp.Interval(1, y), y: sp.Interval(-oo, 0)}
    assert proves(absurd, granted(of(absurd.statement, box)))
    assert verdict_of(of(absurd.statement, box, derivations=(absurd,))) == "open"


def test_an_enclosure_has_no_check_of_its_own() -> None:
    enclosure = Subdivision(Less(x, S.Zero), {x: (0, 1)})
    object.__setattr__(enclosure, "check", lambda: HOLDS)
    assert verdict_of(of(enclosure.statement, {x: sp.Interval(0, 1)}, enclosures=(enclosure,))) == "open"
