"""Every numeral of every statement off by one in its last digit, those in the definitions of the recipe included.

A change of what a true statement says must be seen to be false at a point, unless it leaves an inequality room.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache

import mpmath as mp
import sympy as sp

import mope_theory as mt
from mope_theory.statement import And, Less, LessEqual, Not, Statement
from mope_theory.vocabulary.functions import Partial
from mope_theory.vocabulary.numerals import Decimal
from mope_theory.vocabulary.recipe import EffectiveFrequency, EffectiveWidth, InitialFrequency, InitialWidth, ReportedLoss
from tests.mope_theory.claims.numeric import CannotEvaluate, Point
from tests.mope_theory.claims.trials import TRIALS, Trial
from tests.mope_theory.mutants.expressions import Pick

RECIPE = (InitialWidth, InitialFrequency, EffectiveFrequency, EffectiveWidth, ReportedLoss)
IDLE = (0, -1)
"""Numbers that are signs, or the absence of anything, and no constants."""

SEEN, ROOM, ASIDE, UNTRIED, UNSEEN = "seen to be false", "true with room", "of a false statement", "not tried", "UNSEEN"
"""What becomes of a changed numeral."""
TRUE_IN_EQUATIONS = {
    ("learning.clamp", 0): "what is below 5/σ is below 6/σ too, and the loss does not vary with ω there",
    ("learning.clamp", 2): "η + c/σ less c/σ is η, whatever c is",
    ("learning.decay", 7): "the cap is not reached: the other of the two is the larger with another schedule too",
    ("uncertainty.equality", 5): "an integral of |f| is 0 where one of |f|² is",
    ("learning.clamp", 3): "c/σ is the larger of c/σ and c/σ − η, whatever c is",
}
"""Members of our statements in which another numeral does as well, and why."""


@dataclass(frozen=True)
class Flip:
    """A member of a statement with one numeral changed."""

    id: str
    side: str
    member: int
    old: Statement
    new: Statement
    loose: bool
    """Whether the numeral stands in an inequality, a negation, a hypothesis or a range, where another may do as well."""

    @property
    def claim(self) -> mt.Claim:
        """The claim with the changed member in its statement."""
        own = mt.claim(self.id)
        whole = own.statements[self.side]
        return replace(own, **{self.side: _with(whole, self.member, self.new)})


def members(statement: Statement) -> tuple[Statement, ...]:
    return statement.body if isinstance(statement, And) else (statement,)


def _with(whole: Statement, place: int, new: Statement) -> Statement:
    return And(*whole.body[:place], new, *whole.body[place + 1 :]) if isinstance(whole, And) else new


def flips(claim: mt.Claim, pick: Pick) -> Iterator[Flip]:
    """Both neighbours of the numerals that are picked in each member of each statement."""
    for side, whole in claim.statements.items():
        for place, member in enumerate(members(whole)):
            plain = spelt_out(member)
            for new, loose in pick(list(changed(plain, False))):
                yield Flip(claim.id, side, place, plain, new, loose)


def spelt_out(s: Statement) -> Statement:
    """The statement with the functions of the recipe replaced by their definitions, so that their constants are in it."""

    def one(value: object) -> object:
        if isinstance(value, Statement):
            return spelt_out(value)
        if isinstance(value, tuple):
            return tuple(map(one, value))
        while isinstance(value, sp.Expr) and value.has(*RECIPE):
            value = value.replace(lambda x: isinstance(x, RECIPE), lambda x: x.definition())
        return value

    new = object.__new__(type(s))
    for field in fields(s):
        object.__setattr__(new, field.name, one(getattr(s, field.name)))
    return new


def changed(s: Statement, loose: bool) -> Iterator[tuple[Statement, bool]]:
    """(the statement with one numeral changed, whether that stands where it may have room)."""
    loose = loose or isinstance(s, (Less, LessEqual, Not))
    for field in fields(s):
        value = getattr(s, field.name)
        parts = value if isinstance(value, tuple) else (value,)
        for k, part in enumerate(parts):
            if isinstance(part, Statement):
                found = changed(part, loose or field.name == "hypothesis")
            else:
                found = ((new, loose or isinstance(part, sp.Set)) for new in neighbours(part))
            for new, room in found:
                values = {f.name: getattr(s, f.name) for f in fields(s)}
                values[field.name] = (*parts[:k], new, *parts[k + 1 :]) if isinstance(value, tuple) else new
                copy = object.__new__(type(s))
                for name, x in values.items():
                    object.__setattr__(copy, name, x)
                yield copy, room


def neighbours(e: sp.Basic) -> Iterator[sp.Basic]:
    """The term with one numeral off by one in its last digit, either way."""
    if isinstance(e, Decimal):
        digits, *rest = e.args
        yield from (Decimal(digits + step, *rest) for step in (1, -1))
    elif isinstance(e, sp.Rational):
        if e not in IDLE:
            yield from (e + sp.Rational(step, e.q) for step in (1, -1))
    else:
        for k, arg in enumerate(e.args):
            if k == 1 and isinstance(e, (sp.Derivative, Partial)):
                continue  # by what, and how often
            for new in neighbours(arg):
                try:
                    whole = e.func(*e.args[:k], new, *e.args[k + 1 :])
                except (ValueError, TypeError):
                    continue
                if whole != e and not whole.has(sp.zoo, sp.nan):
                    yield whole


# --- what the points say -------------------------------------------------------------------------------------------------


@cache
def trials(id: str, side: str, member: int) -> tuple[Trial, ...]:
    return tuple(t for t in TRIALS if (t.id, t.side) == (id, side) and (t.members is None or member in t.members))


def end_of(flip: Flip, most: int = 10**4) -> str:
    """What becomes of a changed numeral, by the points of the trials, or by so many of each."""
    chosen, reached = trials(flip.id, flip.side, flip.member), False
    if any(not trial.truth for trial in chosen):
        return ASIDE
    for trial in chosen:
        with mp.workdps(trial.digits):
            for values in trial.points[:most]:
                try:
                    if not Point(values, trial.samples, trial.closed).holds(flip.new):
                        return SEEN
                    reached = True
                except (AssertionError, ZeroDivisionError):  # not real, or of no value: not what the statement says
                    return SEEN
                except CannotEvaluate:
                    break  # nor will it elsewhere
    room = flip.loose or (flip.id, flip.member) in TRUE_IN_EQUATIONS
    return (ROOM if room else UNSEEN) if reached else UNTRIED
