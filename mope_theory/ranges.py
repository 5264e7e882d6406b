"""Ranges of values: whether a term plainly lies in a set, what membership says of a symbol, whether a term is smooth."""
from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import sympy as sp
from flint import acb

from .decide import Refused, is_real, nonnegative, positive, unfold
from .defined import FUNCTIONS, computes_with_functions, is_whole, nonzero, require_defined, values_of
from .reference import Unresolved, to_acb
from .smooth import is_smooth
from .statement import Equal, Less, LessEqual, Not, Statement
from .vocabulary.functions import Functions, Unknown, Value

NONZERO_REALS = sp.S.Reals - sp.FiniteSet(0)
NONZERO_COMPLEXES = sp.S.Complexes - sp.FiniteSet(0)
OPEN = (sp.S.Reals, NONZERO_REALS, sp.Interval.open(0, sp.oo))
"""Ranges of which every point has a neighbourhood within."""
CONTINUOUSLY = "C^{1}"
"""The kind of the spaces of continuously differentiable functions."""
WHOLE = {sp.S.Integers: None, sp.S.Naturals: sp.S.One, sp.S.Naturals0: sp.S.Zero}
"""Sets of whole numbers, and their least members."""


# --- belonging -----------------------------------------------------------------------------------------------------------


def belongs(value: sp.Basic, domain: sp.Set) -> bool:
    """True only if the value plainly lies in the set, for all values of its symbols."""
    if isinstance(domain, Functions):
        return _is_function(value, domain)
    if not isinstance(value, sp.Expr) or isinstance(value, FUNCTIONS) or not is_finite(value):
        return False
    try:
        return _lies_in(value, domain)
    except Refused:
        return False


INFINITE = (sp.oo, -sp.oo)


def is_finite(value: sp.Basic) -> bool:
    """Whether nothing infinite or undefined occurs in a term but as an end of a sum or an integral."""
    if isinstance(value, (sp.Sum, sp.Integral)):
        ends = (end for limit in value.limits for end in limit[1:])
        return is_finite(value.function) and all(end in INFINITE or is_finite(end) for end in ends)
    return value not in (*INFINITE, sp.zoo, sp.nan) and all(map(is_finite, value.args))


def _lies_in(value: sp.Expr, domain: sp.Set) -> bool:
    if domain == sp.S.Complexes:  # some value a term has wherever it is undefined
        return _speaks_of_numbers(value)
    if domain == NONZERO_COMPLEXES:
        return nonzero(value)
    if domain == NONZERO_REALS:
        return is_real(value) and nonzero(value)
    if domain == sp.S.Reals:
        return is_real(value)
    if isinstance(value, sp.Symbol) and _always_in(value, domain):
        return True
    bounds = _bounds(value, domain)
    if bounds is None:
        return False
    number = is_whole(value) if _is_whole_set(domain) else _is_real(value)
    return number and all(plainly(bound) for bound in bounds)


def _speaks_of_numbers(value: sp.Expr) -> bool:
    """Whether every symbol in a term is of an accepted kind, and no function stands where a number is asked for."""
    if isinstance(value, FUNCTIONS) or any(map(computes_with_functions, sp.preorder_traversal(value))):
        return False
    return all(values_of(symbol).is_empty is not True for symbol in value.atoms(sp.Symbol))


def _always_in(symbol: sp.Symbol, domain: sp.Set) -> bool:
    """True only if a symbol lies in the set by its declaration."""
    values = values_of(symbol)
    return type(symbol) is sp.Symbol and values.is_empty is False and values.is_subset(domain) is True


def plainly(bound: LessEqual | Less) -> bool:
    """True only if an inequality between real terms is plain: from the normal form of the gap, or of numbers by enclosure."""
    gap = bound.rhs - bound.lhs
    try:
        if not gap.free_symbols and is_positive_number(gap):
            return True
        return positive(gap) if type(bound) is Less else nonnegative(gap)
    except Refused:
        return False


def _is_real(value: sp.Expr) -> bool:
    ball = None if value.free_symbols else _enclosed(value)
    return is_real(value) if ball is None else bool(ball.imag.is_zero())


def is_positive_number(value: sp.Expr) -> bool:
    """True only if an enclosure of the number lies above 0."""
    ball = _enclosed(value)
    return ball is not None and bool(ball.imag.is_zero() and ball.real > 0)


def _enclosed(value: sp.Expr) -> acb | None:
    """A ball that holds the number; None if there is none."""
    try:
        return to_acb(value, {}, prec=64)
    except (ValueError, Unresolved):
        return None


def _is_whole_set(domain: sp.Set) -> bool:
    return domain in WHOLE or isinstance(domain, sp.Range)


def _bounds(value: sp.Expr, domain: sp.Set) -> tuple[LessEqual | Less, ...] | None:
    """Inequalities that say that a number of the right kind lies in a set; None for a set of no known form."""
    if domain in WHOLE:
        least = WHOLE[domain]
        return () if least is None else (LessEqual(least, value),)
    if isinstance(domain, sp.Range) and domain.step == 1 and domain.start.is_finite:
        first = LessEqual(domain.start, value)
        return (first,) if domain.stop == sp.oo else (first, LessEqual(value, domain.stop - 1))
    if isinstance(domain, sp.Interval):
        lower = (Less if domain.left_open else LessEqual)(domain.start, value)
        upper = (Less if domain.right_open else LessEqual)(value, domain.end)
        return tuple(x for x, end in ((lower, domain.start), (upper, domain.end)) if end not in (-sp.oo, sp.oo))
    return None


def _is_function(value: sp.Basic, space: Functions) -> bool:
    if type(value) is Unknown:
        return value.space.is_inhabited and value.space.is_subset(space) is True
    if type(value) is not sp.Lambda or not _is_of_kind(value, space):
        return False
    if value.expr.has(sp.Piecewise):
        return False  # below nested sums SymPy folds the cases of an inner index out of the inner sum
    parts = space.domain.args if isinstance(space.domain, sp.ProductSet) else (space.domain,)
    variables = value.variables
    if len(variables) != len(parts) or len(set(variables)) < len(variables):
        return False
    covered = all(part.is_subset(values_of(x)) is True for x, part in zip(variables, parts, strict=True))
    return covered and belongs(value.expr, space.codomain)


def _is_of_kind(value: sp.Lambda, space: Functions) -> bool:
    """Of class C¹ on an open domain if it is plainly so; of L² nothing is claimed."""
    if not space.kind:
        return True
    parts = space.domain.args if isinstance(space.domain, sp.ProductSet) else (space.domain,)
    if space.kind != CONTINUOUSLY or any(part not in OPEN for part in parts):
        return False
    if is_continuously_differentiable(value.expr):
        return True
    try:
        require_defined(value.expr)
    except Refused:
        return False
    return len(value.variables) == 1 and is_smooth(value.expr, value.variables[0])


# --- membership as a statement -------------------------------------------------------------------------------------------


def membership(symbol: sp.Symbol, domain: sp.Set) -> tuple[Statement, ...]:
    """What "symbol ∈ domain" says beyond the symbol's own assumptions; empty where these say it all.

    Raises Refused for a domain that is not written as inequalities.
    """
    values = values_of(symbol)
    if values.is_empty is True or symbol in domain.free_symbols:
        raise Refused(f"{symbol} is of no accepted kind, or its range depends on it")
    if values.is_subset(domain) is True:
        return ()
    return said_of(symbol, domain, values)


def said_of(value: sp.Expr, domain: sp.Set, values: sp.Set) -> tuple[Statement, ...]:
    """Statements that put a value that lies in ``values`` into the domain."""
    if (domain, values) in ((NONZERO_COMPLEXES, sp.S.Complexes), (NONZERO_REALS, sp.S.Reals)):
        return (Not(Equal(value, sp.S.Zero)),)
    bounds = _bounds(value, domain)
    kind = sp.S.Integers if _is_whole_set(domain) else sp.S.Reals
    if bounds is None or values.is_subset(kind) is not True:
        raise Refused(f"membership of {domain} is not written as inequalities")
    return bounds


# --- being smooth --------------------------------------------------------------------------------------------------------

SMOOTH = (
    sp.Add, sp.Mul, sp.Pow, sp.exp, sp.cos, sp.sin, sp.cosh, sp.sinh, sp.log, sp.Symbol, sp.Rational,
    type(sp.I), type(sp.pi), type(sp.E),
)  # fmt: skip
"""What a term may consist of, unfolded, to be differentiable without end wherever it is defined."""


def require_smooth(expr: sp.Expr) -> None:
    """Raise Refused unless the term is plainly a smooth function of its real symbols."""
    require_defined(expr)
    for part in sp.preorder_traversal(unfold(expr)):
        if not isinstance(part, SMOOTH) or (isinstance(part, sp.Symbol) and values_of(part).is_subset(sp.S.Reals) is not True):
            raise Refused(f"{part} is not plainly smooth")
        if isinstance(part, sp.Pow) and not isinstance(part.exp, sp.Integer) and not positive(part.base):
            raise Refused(f"the power {part} is not plainly smooth")


def with_stand_ins(expr: sp.Expr, parts: Iterable[sp.Expr], **kind: bool) -> sp.Expr:
    """The term with a symbol of a kind for each of some parts, of names that do not occur."""
    taken, stand_ins = {symbol.name for symbol in expr.atoms(sp.Symbol)}, {}
    names = (name for name in map("value{}".format, count()) if name not in taken)
    for part, name in zip(parts, names, strict=False):
        stand_ins[part] = sp.Symbol(name, **kind)
    return expr.xreplace(stand_ins)


def is_continuously_differentiable(expr: sp.Expr) -> bool:
    """True only if the term is plainly smooth, but for values of functions of class C¹ at smooth terms in their domain."""
    values = expr.atoms(Value)
    try:
        require_smooth(with_stand_ins(expr, sorted(values, key=sp.default_sort_key), real=True))
        return all(_is_c1_value(value) for value in values)
    except Refused:
        return False


def _is_c1_value(value: Value) -> bool:
    function, *arguments = value.args
    if type(function) is not Unknown or function.space.kind != CONTINUOUSLY:
        return False
    domain = function.space.domain
    parts = domain.args if isinstance(domain, sp.ProductSet) else (domain,)
    for argument in arguments:
        require_smooth(argument)
    inside = len(parts) == len(arguments) and all(map(belongs, arguments, parts))
    return inside and all(part in OPEN for part in parts) and function.space.codomain.is_subset(sp.S.Reals) is True
