"""What a symbol ranges over, what is plainly a whole number, and whether everything in a term is defined."""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import sympy as sp
from sympy.core.relational import Relational
from sympy.core.symbol import Str
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import BooleanAtom

from .assumptions import admitted
from .decide import Refused, is_real, positive
from .symbols import Head
from .vocabulary.floating import Rounded, Ulp
from .vocabulary.functions import Functions, Partial, Unknown, Value

FUNCTIONS = (Unknown, sp.Lambda)
"""What is no number, though SymPy would compute with it."""


def values_of(symbol: sp.Symbol) -> sp.Set:
    """The set that a symbol, or an unknown function, ranges over by its declaration; empty if it is of no accepted kind.

    A function that is asked for a value beyond its domain has some value of its codomain there.
    """
    if type(symbol) is Unknown:
        return symbol.space if symbol.space.is_inhabited else sp.S.EmptySet
    try:
        return admitted(symbol)
    except ValueError:
        return sp.S.EmptySet


@cache
def nonzero(expr: sp.Expr) -> bool:
    """True only if expr ≠ 0 for all values of its symbols is plain from the normal form."""
    return positive(expr * sp.conjugate(expr, evaluate=False))


def is_whole(value: sp.Expr) -> bool:
    """True only if the value is plainly an integer: sums, products and natural powers of such, floors."""
    if isinstance(value, sp.Integer):
        return True
    if isinstance(value, sp.Symbol):
        return type(value) is sp.Symbol and values_of(value).is_subset(sp.S.Integers) is True and bool(values_of(value))
    if isinstance(value, Value):
        function = value.args[0]
        space = values_of(function)
        return isinstance(space, Functions) and space.codomain.is_subset(sp.S.Integers) is True
    if isinstance(value, (sp.Add, sp.Mul)):
        return all(map(is_whole, value.args))
    if isinstance(value, sp.Pow):
        return isinstance(value.exp, sp.Integer) and value.exp >= 0 and is_whole(value.base)
    return isinstance(value, (sp.floor, sp.ceiling)) and is_real(value.args[0])


def computes_with_functions(part: sp.Basic) -> bool:
    arguments = part.args[1:] if isinstance(part, (Value, Partial)) else part.args
    return isinstance(part, sp.Expr) and not isinstance(part, Head) and any(isinstance(x, FUNCTIONS) for x in arguments)


TOTAL = (
    sp.Add, sp.Mul, sp.Pow, sp.exp, sp.cos, sp.sin, sp.cosh, sp.sinh, sp.conjugate, sp.re, sp.im, sp.Abs, sp.Symbol, sp.Rational,
    sp.Max, sp.Min, sp.sign, sp.floor, sp.ceiling, sp.log, sp.acos, sp.erfc, sp.Sum, sp.Product, sp.Integral,
    sp.Piecewise, ExprCondPair, Relational, BooleanAtom, sp.Tuple, sp.Lambda, Value, Partial,
    Rounded, Ulp,
    type(sp.I), type(sp.pi), type(sp.E), type(sp.oo), type(-sp.oo),
)  # fmt: skip
"""What a term may consist of, unfolded, to be put together anew: of these, powers and logarithms alone can have poles."""


def _is_rounding(e: sp.Basic) -> bool:
    """Of a real term that varies, in whole bits? Whether a constant is 0, SymPy would decide."""
    if type(e) not in (Rounded, Ulp):
        return False
    value, bits = e.args
    try:
        return bool(value.free_symbols) and is_real(value) and is_whole(bits)
    except Refused:
        return False


def unfolded_parts(expr: sp.Basic) -> Iterator[sp.Basic]:
    """Every part of a term, of named functions the parts of their definitions; nothing is put together anew.

    A rounding is as it stands: where a number is 0 its definition asks for no logarithm.
    """
    todo = [expr]
    while todo:
        part = todo.pop()
        if isinstance(part, Head) and not _is_rounding(part):
            todo.append(part.definition())
        else:
            yield part
            todo.extend(part.args)


@cache
def require_defined(expr: sp.Basic, granted: frozenset[sp.Expr] = frozenset()) -> None:
    """Raise Refused unless every power and logarithm of the term is plainly defined; of some terms it is granted that they
    do not vanish.

    SymPy cancels x/x and takes a logarithm apart as soon as a term is put together; where nothing vanishes, it may.
    """
    for part in unfolded_parts(expr):
        _require_part_defined(part, granted)


def _require_part_defined(part: sp.Basic, granted: frozenset[sp.Expr]) -> None:
    if not isinstance(part, TOTAL):
        raise Refused(f"{type(part).__name__} may be undefined")
    if computes_with_functions(part):
        raise Refused(f"{part} has a function where a number is asked for")
    whole = isinstance(part, sp.Pow) and part.exp.is_nonnegative and part.exp.is_Rational
    if isinstance(part, sp.Pow) and not whole and part.base not in granted and not nonzero(part.base):
        raise Refused(f"{part.base} may vanish in a denominator")
    if isinstance(part, sp.log) and not positive(part.args[0]):
        raise Refused(f"the logarithm of {part.args[0]} may be undefined")


@cache
def is_kept(expr: sp.Basic, granted: frozenset[sp.Expr] = frozenset(), atomic: bool = False) -> bool:
    """True only if SymPy finds nothing in a term that it might cancel though it may be undefined.

    It does not look into definitions of named functions; ``atomic`` says that their arguments are not put together anew either.
    """
    if isinstance(expr, Head):
        return atomic or all(is_kept(x, granted) for x in expr.args)
    if isinstance(expr, (sp.Interval, sp.Range, Str)):
        return all(is_kept(x, granted) for x in expr.args)
    try:
        _require_part_defined(expr, granted)
    except Refused:
        return False
    return all(is_kept(x, granted, atomic) for x in expr.args)
