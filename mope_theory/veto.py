"""High-precision points against a proved step. They can only veto: agreement at points is never a proof."""
from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction

import sympy as sp

from .decide import unfold
from .reference import Unresolved, to_acb
from .statement import Equal, Less, LessEqual

POINTS = 3
PRECISION = 192


def veto(statement: Equal | LessEqual | Less, hypotheses: Iterable[sp.Expr] = ()) -> str | None:
    """The point at which enclosures of the two sides contradict the statement, in words; None if there is none.

    The points are rational and the same in every run. A side that the evaluators do not take (an integral) and
    a point at which a hypothesis is negative are passed over.
    """
    rng = random.Random(statement.text())  # points that differ from statement to statement, and not from run to run
    symbols = sorted(statement.free_symbols, key=str)
    for _ in range(POINTS):
        point = {s: _value(s, rng) for s in symbols}
        try:
            if not all(to_acb(h, point, prec=PRECISION).real >= 0 for h in hypotheses):
                continue
            left, right = (to_acb(_derived(side), point, prec=PRECISION) for side in (statement.lhs, statement.rhs))
        except (ValueError, Unresolved):
            continue
        wrong = not left.overlaps(right) if type(statement) is Equal else bool(left.real > right.real)
        if wrong:
            return ", ".join(f"{s} = {value}" for s, value in point.items()) or "its constants"
    return None


def _derived(expr: sp.Expr) -> sp.Expr:
    """The expression with its derivatives taken, by SymPy and not by the decision procedure."""
    return expr.replace(
        lambda x: isinstance(x, sp.Derivative), lambda x: sp.diff(unfold(x.expr), *x.variable_count)
    )


def _value(symbol: sp.Symbol, rng: random.Random) -> Fraction:
    size = Fraction(rng.randint(5, 400), 1 if symbol.is_integer else rng.choice((83, 89, 97, 101, 103)))
    return size if symbol.is_nonnegative or rng.random() < 0.5 else -size
