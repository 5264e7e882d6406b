"""The step that puts the values of one function for those of another, below sums, where the two are known to agree."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import sympy as sp

from ..decide import Refused, nonnegative
from ..defined import is_whole, require_defined
from ..judgement import Derivation
from ..ranges import plainly
from ..statement import Equal, ForAll, LessEqual, Statement
from ..vocabulary.functions import Unknown, Value
from .base import Rule

Gaps = tuple[sp.Expr, ...]
"""Terms that are known not to be negative at a place of an expression."""


@dataclass(frozen=True)
class Agreement(Rule):
    """rhs is lhs with g(…) for f(…), because f = g at all indices of some ranges, and every argument of f lies in them.

    An index of a sum lies between the bounds of the sum.
    """

    premise: Derivation
    relation = Equal
    name = "values that agree"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.premise,)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        function, other, ranges = _agreement(self.premise.statement)
        require_defined(lhs)
        for value, gaps in _values(lhs, function, ()):
            arguments = value.args[1:]
            if len(arguments) != len(ranges):
                raise Refused(f"{value} has another number of arguments")
            for argument, domain in zip(arguments, ranges, strict=True):
                if not is_whole(argument) or not _within(argument, domain, gaps):
                    raise Refused(f"{argument} is not shown to lie in {domain}")
        return bool(rhs == lhs.xreplace({function: other}))


def _agreement(statement: Statement) -> tuple[Unknown, Unknown, list[sp.Range]]:
    """The two functions and the ranges of ∀ i ∈ A: ∀ k ∈ B: … f(i, k, …) = g(i, k, …)."""
    variables, ranges = [], []
    while type(statement) is ForAll:
        if not isinstance(statement.domain, sp.Range) or statement.domain.step != 1:
            raise Refused("functions that agree at other places than indices")
        variables.append(statement.var)
        ranges.append(statement.domain)
        statement = statement.body
    if type(statement) is not Equal or len(set(variables)) < len(variables):
        raise Refused("no agreement of two functions")
    f, g = statement.lhs, statement.rhs
    if not (type(f) is Value and type(g) is Value and f.args[1:] == g.args[1:] == tuple(variables)):
        raise Refused("no agreement of two functions")
    function, other = f.args[0], g.args[0]
    if type(function) is not Unknown or type(other) is not Unknown or function.space != other.space:
        raise Refused("no agreement of two unknown functions of one kind")
    if any(x in domain.free_symbols for x in variables for domain in ranges):
        raise Refused("ranges that depend on each other")
    return function, other, ranges


def _values(e: sp.Basic, function: Unknown, gaps: Gaps) -> Iterator[tuple[Value, Gaps]]:
    """Every value of the function in a term, with what is known of the indices there."""
    if isinstance(e, sp.Sum):
        for limit in e.limits:
            for end in limit[1:]:
                yield from _values(end, function, gaps)
        bound = {limit[0] for limit in e.limits}
        if len(bound) < len(e.limits) or any(len(limit) != 3 or limit.has(sp.oo, -sp.oo) for limit in e.limits):
            raise Refused("a sum that is not over different indices between bounds")
        names = [limit[0] for limit in e.limits]
        if any(end.free_symbols & set(names[: n + 1]) for n, (_, *ends) in enumerate(e.limits) for end in ends):
            raise Refused("a bound that speaks of what an index further in is called too")
        own = tuple(gap for index, low, high in e.limits for gap in (index - low, high - index))
        yield from _values(e.function, function, (*(gap for gap in gaps if not gap.free_symbols & bound), *own))
        return
    if isinstance(e, (sp.Integral, sp.Product, sp.Lambda, sp.Derivative)):
        if function in e.atoms(sp.Symbol):
            raise Refused(f"values of {function} below {type(e).__name__}")
        return
    if isinstance(e, Value) and e.args[0] == function:
        yield e, gaps
    elif function in e.args:
        raise Refused(f"{function} as a whole, not a value of it")
    for part in e.args:
        yield from _values(part, function, gaps)


def _within(argument: sp.Expr, domain: sp.Range, gaps: Gaps) -> bool:
    ends = (LessEqual(domain.start, argument), LessEqual(argument, domain.stop - 1))
    return all(plainly(end) or _follows(end.rhs - end.lhs, gaps) for end in ends)


def _follows(gap: sp.Expr, gaps: Gaps) -> bool:
    """Whether a gap is a sum of known ones and of something plainly nonnegative."""
    choices = (some for size in (1, 2, 3) for some in combinations(gaps, size))
    return any(_nonnegative(sp.expand(gap - sp.Add(*some))) for some in choices)


def _nonnegative(expr: sp.Expr) -> bool:
    try:
        return nonnegative(expr)
    except Refused:
        return False
