"""High-precision points against a proved step. They can only veto: agreement at points is never a proof."""
from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction

import sympy as sp

from .decide import unfold
from .reference import Unresolved, to_acb
from .statement import Equal, Less, LessEqual, Statement
from .vocabulary.functions import Unknown

POINTS = 3
PRECISION = 192


def veto(statement: Equal | LessEqual | Less, assumptions: Iterable[Statement] = ()) -> str | None:
    """The point at which enclosures of the two sides contradict the statement, in words; None if there is none.

    The points are rational and the same in every run. A side that the evaluators do not take (an integral, an unknown
    function) and a point at which an assumption is not seen to hold are passed over.
    """
    assumed = tuple(assumptions)
    symbols = sorted(statement.free_symbols, key=str)
    if any(isinstance(symbol, Unknown) for symbol in symbols) or not all(isinstance(x, (LessEqual, Less)) for x in assumed):
        return None
    rng = random.Random(" ".join(symbol.name for symbol in symbols))  # the same points in every run
    for _ in range(POINTS):
        point = {s: _value(s, rng) for s in symbols}
        try:
            if not all(_holds(assumption, point) for assumption in assumed):
                continue
            left, right = (to_acb(_derived(side), point, prec=PRECISION) for side in (statement.lhs, statement.rhs))
        except ValueError:
            return None  # what the evaluators do not take at one point, they take at none
        except Unresolved:
            continue
        wrong = not left.overlaps(right) if type(statement) is Equal else bool(left.real > right.real)
        if wrong:
            return ", ".join(f"{s} = {value}" for s, value in point.items()) or "its constants"
    return None


def _holds(assumption: Statement, point: dict[sp.Symbol, Fraction]) -> bool:
    """Whether enclosures show an inequality that is assumed to hold at a point."""
    assert isinstance(assumption, (LessEqual, Less))
    left, right = (to_acb(side, point, prec=PRECISION).real for side in (assumption.lhs, assumption.rhs))
    return bool(left < right or (isinstance(assumption, LessEqual) and left <= right))


def _derived(expr: sp.Expr) -> sp.Expr:
    """The expression with its derivatives taken, by SymPy and not by the decision procedure."""
    if not expr.has(sp.Derivative):
        return expr  # SymPy would put it together anew all the same
    return expr.replace(
        lambda x: isinstance(x, sp.Derivative), lambda x: sp.diff(unfold(x.expr), *x.variable_count)
    )


def _value(symbol: sp.Symbol, rng: random.Random) -> Fraction:
    size = Fraction(rng.randint(5, 400), 1 if symbol.is_integer else rng.choice((83, 89, 97, 101, 103)))
    return size if symbol.is_nonnegative or rng.random() < 0.5 else -size
