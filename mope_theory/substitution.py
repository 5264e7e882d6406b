"""Substitution into expressions that bind symbols themselves: SymPy would let a value be captured without a word."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

Question = Callable[[sp.Expr], bool]
INFINITE = (sp.oo, -sp.oo, sp.zoo, sp.nan)
FINITE = (
    sp.exp, sp.cos, sp.sin, sp.cosh, sp.sinh, sp.conjugate, sp.re, sp.im, sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.Max, sp.Min,
    sp.acos,
)  # fmt: skip
"""Functions that are finite wherever their arguments are."""


def bound_symbols(expr: sp.Basic) -> set[sp.Symbol]:
    """Symbols that something inside an expression binds: an integral, a sum, a derivative, a limit, a function."""
    found: set[sp.Symbol] = expr.atoms(sp.Symbol) - expr.free_symbols  # whatever binds them: a set, a transform
    for part in expr.atoms(ExprWithLimits, sp.Derivative, sp.Subs, sp.Lambda, sp.Limit):
        inside = part.variables if hasattr(part, "variables") else part.args[1:2]
        found |= {x for x in inside if isinstance(x, sp.Symbol)}
    return found


def put(expr: sp.Basic, values: Mapping[sp.Symbol, sp.Expr]) -> sp.Basic:
    """The expression with values put for symbols.

    Raises ValueError if a symbol is bound inside the expression too, a value would be captured there, or SymPy would put it
    together wrongly: with a denominator cancelled that may be 0, or a number rounded whose digits it would go by.
    """
    exprs = {k: sp.sympify(v) for k, v in values.items() if k in expr.free_symbols}
    clash = bound_symbols(expr) & set(exprs).union(*(v.free_symbols for v in exprs.values()))
    if clash:
        raise ValueError(f"substitution would be captured by {', '.join(map(str, clash))}")
    nested = any(total.function.has(ExprWithLimits) for total in expr.atoms(ExprWithLimits))
    if nested and any(value.has(sp.Piecewise) for value in exprs.values()):
        # SymPy folds the cases of an inner index out of the inner sum, where the index is another one or none.
        raise ValueError("a term by cases is not put below nested sums or integrals")
    return with_its_poles(expr, exprs)


def with_its_poles(expr: sp.Basic, terms: Mapping[sp.Basic, sp.Basic], never_zero: Question | None = None) -> sp.Basic:
    """The expression with terms put for others; raises ValueError where SymPy would cancel a denominator that may be 0."""
    new = exchanged(expr, terms)
    require_kept(denominators(expr, terms), new, never_zero)
    return new


def exchanged(expr: sp.Basic, terms: Mapping[sp.Basic, sp.Basic]) -> sp.Basic:
    """The expression with terms put for others, of which it is known that no denominator vanishes.

    Raises ValueError where SymPy would round an irrational number, which it does by its first hundred digits, or take a function
    for infinite where it is not defined: 1/∞ is 0, and 1/log 0 is not.
    """
    for rounded in expr.atoms(sp.floor, sp.ceiling):
        number = rounded.args[0].xreplace(terms)
        if number != rounded.args[0] and is_irrational(number):
            raise ValueError(f"{number} would be rounded by its first digits")
    for part in expr.atoms(sp.Function):
        if not isinstance(part, FINITE) and _is_infinite(part.xreplace(terms)):
            raise ValueError(f"{part} would be infinite")
    return expr.xreplace(terms)


def _is_infinite(e: sp.Expr) -> bool:
    """Does something infinite occur, but as an end of a sum or of a set?"""
    return e in INFINITE or any(_is_infinite(part) for part in e.args if isinstance(part, sp.Expr))


def is_irrational(number: sp.Basic) -> bool:
    """Is it a number that is not written as a fraction?"""
    return not number.is_Rational and not number.free_symbols


def denominators(expr: sp.Basic, terms: Mapping[sp.Basic, sp.Basic] | None = None) -> list[tuple[type, sp.Expr]]:
    """What is raised to a power that may be negative, or has its logarithm taken, anywhere in an expression, as often as it is.

    With terms put for others, and what is in these.
    """
    terms = terms or {}
    if not expr.atoms(sp.Pow, sp.log) and not terms:
        return []
    found: list[tuple[type, sp.Expr]] = []
    todo = [expr]
    while todo:
        part = todo.pop()
        if part in terms:
            if not isinstance(terms[part], sp.Lambda):  # values of which are put into it one by one
                found += denominators(terms[part])
            continue
        if isinstance(part, (sp.Pow, sp.log)):
            inside, *exponent = (x.xreplace(terms) for x in part.args)
            if not exponent or exponent[0].is_nonnegative is not True:
                found.append((part.func, inside))
        todo.extend(part.args)
    return found


def require_kept(below: Iterable[tuple[type, sp.Expr]], new: sp.Basic, never_zero: Question | None = None) -> None:
    """Raise ValueError if SymPy has cancelled, when it put an expression together anew, a denominator that may be 0.

    Or the logarithm of what may be 0: e^{3 log x} is x³ where that is defined.
    """
    needed = Counter(below)
    uncertain = [place for place in needed if place[1].is_zero is not False]
    left = Counter(denominators(new)) if uncertain else needed
    for place in uncertain:
        if left[place] < needed[place] and not (never_zero and never_zero(place[1])):
            raise ValueError(f"{place[1]} may vanish, and would be cancelled")
