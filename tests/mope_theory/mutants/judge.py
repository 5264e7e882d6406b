"""An independent judge of the mutants that hold: is what they say true all the same?

It knows three ways, and shares nothing with the checker: truth tables, a counterexample or a witness looked at by itself, and
mpmath at random points at which the assumptions hold.
"""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import mpmath as mp
import sympy as sp

from mope_theory.logic import Counterexample, Witness
from mope_theory.statement import And, Equal, ForAll, Implies, Less, LessEqual, Not, Or, Statement
from tests.mope_theory.claims.numeric import CannotEvaluate, Point
from tests.mope_theory.mutants.derivations import Inference, assumed, premises
from tests.mope_theory.mutants.points import points

RELATIVE, ABSOLUTE = mp.mpf(10) ** -14, mp.mpf(10) ** -22
"""Below the 10⁻¹² by which some mutants differ, above what mpmath loses in sums and integrals of 30 digits."""
DIGITS = 30
MOST_ATOMS = 10


def true_all_the_same(inference: Inference) -> bool | None:
    """Whether the statement follows from the assumptions; None if this judge cannot tell."""
    given, statement = assumed(inference), inference.statement
    if tautology(inference) or at_a_value(inference):
        return True
    with mp.workdps(DIGITS):
        seen = at_points(statement, given)
        derived = frozenset(premise.statement for premise in premises(inference) if premise.assumptions <= given)
        return at_points(statement, derived) if seen is None and derived else seen


# --- truth tables --------------------------------------------------------------------------------------------------------


def atoms(s: Statement) -> Iterator[Statement]:
    if isinstance(s, (And, Or)):
        for member in s.body:
            yield from atoms(member)
    elif isinstance(s, Not):
        yield from atoms(s.body)
    elif isinstance(s, Implies):
        yield from atoms(s.hypothesis)
        yield from atoms(s.conclusion)
    else:
        yield s


def value(s: Statement, table: dict[Statement, bool]) -> bool:
    match s:
        case And():
            return all(value(x, table) for x in s.body)
        case Or():
            return any(value(x, table) for x in s.body)
        case Not(body):
            return not value(body, table)
        case Implies(hypothesis, conclusion):
            return not value(hypothesis, table) or value(conclusion, table)
    return table[s]


def tautology(inference: Inference) -> bool:
    """Whether the statement follows from the premises and what is assumed by connectives alone.

    A premise stands for "what it assumes and the node does not ⇒ what it proves".
    """
    given, statement = assumed(inference), inference.statement
    known = list(given)
    for premise in premises(inference):
        discharged = premise.assumptions - given
        known.append(Implies(And(*discharged), premise.statement) if discharged else premise.statement)
    names = list(dict.fromkeys(a for s in (*known, statement) for a in atoms(s)))
    if len(names) > MOST_ATOMS:
        return statement in known
    for row in product((True, False), repeat=len(names)):
        table = dict(zip(names, row, strict=True))
        if all(value(s, table) for s in known) and not value(statement, table):
            return False
    return True


def at_a_value(node: Inference) -> bool:
    """Whether a counterexample, or a witness, is one of the changed statement too: SymPy says that it lies in the domain."""
    if isinstance(node, Counterexample) and isinstance(node.statement.body, ForAll):
        whole, asked = node.statement.body, Not
    elif isinstance(node, Witness):
        whole, asked = node.statement, lambda body: body
    else:
        return False
    here = asked(whole.body.substitute({whole.var: node.value}))
    return here == node.premises[0].statement and whole.domain.contains(node.value) == sp.true


# --- points --------------------------------------------------------------------------------------------------------------


class Place(Point):
    """A point with the tolerance of this judge, at which an integral is finite only if it is seen to converge."""

    def holds(self, s: Statement) -> bool:
        match s:
            case Equal(a, b):
                left, right = self.value(a), self.value(b)
                return bool(abs(left - right) <= RELATIVE * max(abs(left), abs(right)) + ABSOLUTE)
            case LessEqual(a, b):
                left, right = self.real(a), self.real(b)
                return bool(left <= right + RELATIVE * max(abs(left), abs(right)) + ABSOLUTE)
            case Less(sp.Integral() as a, sp.oo):
                return self.converges(a)
        return super().holds(s)

    def converges(self, e: sp.Integral) -> bool:
        """∫ over ℝ of what is nowhere negative: far out it is much below 1/x²."""
        x, *ends = e.limits[0]
        if tuple(ends) != (-sp.oo, sp.oo):
            raise CannotEvaluate("an integral over a part of the line")
        near = [mp.re(self.at(x, mp.mpf(y) / 7, e.function)) for y in range(-50, 51)]
        far = [y * y * mp.re(self.at(x, y, e.function)) for k in (3, 4, 5) for y in (mp.mpf(10) ** k, -mp.mpf(10) ** k)]
        return bool(min(near + far) >= -ABSOLUTE and max(far) <= mp.mpf(10) ** -9)

    def value(self, e: sp.Basic) -> Any:
        if isinstance(e, sp.Derivative) and e.variables[0] not in e.expr.free_symbols:
            return mp.mpf(0)
        return super().value(e)


@cache
def at_points(statement: Statement, assumptions: frozenset[Statement]) -> bool | None:
    """Whether the statement holds at random points at which the assumptions do; None where there are no such points."""
    seen = 0
    try:
        for place in points(statement, assumptions, Place):
            if not place.holds(statement):
                return False
            seen += 1
    except (CannotEvaluate, AssertionError, ZeroDivisionError, TypeError, ValueError, OverflowError, KeyError, AttributeError):
        return None
    return True if seen else None

