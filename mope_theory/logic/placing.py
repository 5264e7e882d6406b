"""Values that are put for symbols: whether a value lies where its symbol ranges, and may be put into what is said of all.

SymPy simplifies anew what a value is put into, and may cancel what is undefined at some places. So everything must be defined
there, or the value stands where the symbol did and nothing else has changed.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import sympy as sp

from ..decide import Refused
from ..defined import is_kept, is_whole, require_defined, unfolded_parts
from ..judgement import HOLDS, Derivation, Outcome
from ..measurable import square_integrable
from ..ranges import belongs, is_finite, plainly, said_of
from ..statement import Equal, Exists, ForAll, Less, LessEqual, Not, Statement
from ..substitution import bound_symbols, put
from ..text import expression
from ..vocabulary.functions import Functions, Partial, Unknown, Value
from .base import refused

Ranges = Mapping[sp.Symbol, sp.Set]
"""What quantifiers say of symbols at a place of a statement."""
Asked = Value | Partial


def require_substitutable(
    statements: Iterable[Statement],
    values: Mapping[sp.Symbol, tuple[sp.Basic, sp.Set]],
    facts: tuple[Derivation, ...] = (),
) -> None:
    """Raise Refused unless statements in which values are put for symbols say what they say of the symbols at the values.

    With each value goes the range of its symbol; facts may say that something in the values is not 0.
    """
    nonzero = frozenset(_never_zero({fact.statement for fact in facts}))
    for statement in statements:
        for part, ranges in _expressions(statement, {}):
            put_in = {x: value for x, (value, _) in values.items() if x in part.free_symbols}
            for x, value in put_in.items():
                if isinstance(value, sp.Lambda):
                    _require_askable(part, x, value, values[x][1], ranges)
            kept = all(_is_kept(value, nonzero) for value in put_in.values())
            if put_in and not (kept and is_kept(part)) and not _has_same_shape(part, put_in):
                raise Refused(f"SymPy might cancel something in {part} that may be undefined")


def _is_kept(value: sp.Basic, nonzero: frozenset[sp.Expr]) -> bool:
    """Whether SymPy finds nothing to cancel in a value, where some terms are known not to be 0."""
    if isinstance(value, Unknown):
        return True
    own = value.expr if isinstance(value, sp.Lambda) else value
    return is_kept(own, frozenset(x for x in nonzero if not x.free_symbols & bound_symbols(own)), atomic=True)


def _has_same_shape(expr: sp.Basic, values: Mapping[sp.Symbol, sp.Basic]) -> bool:
    """Whether values stand in a term where the symbols did, and nothing else has changed."""
    if not expr.free_symbols.intersection(values):
        return True
    if isinstance(expr, sp.Symbol) or (isinstance(expr, Value) and isinstance(values.get(expr.args[0]), sp.Lambda)):
        return True
    new = put(expr, values)
    arguments = [put(x, values) for x in expr.args]
    same = Counter(new.args) == Counter(arguments) if isinstance(expr, (sp.Add, sp.Mul)) else list(new.args) == arguments
    return same and type(new) is type(expr) and all(_has_same_shape(x, values) for x in expr.args)


def _expressions(statement: Statement, ranges: Ranges) -> Iterator[tuple[sp.Basic, Ranges]]:
    """Every expression and every set of a statement, with the ranges of the variables that are bound there."""
    if isinstance(statement, (ForAll, Exists)):
        ranges = {**ranges, statement.var: statement.domain}
    else:
        ranges = {x: domain for x, domain in ranges.items() if x not in statement.bound_symbols}
    for part in statement.parts():
        if isinstance(part, Statement):
            yield from _expressions(part, ranges)
        elif isinstance(part, (sp.Expr, sp.Set)):
            yield part, ranges


# --- functions -----------------------------------------------------------------------------------------------------------


def _require_askable(expr: sp.Basic, function: sp.Symbol, value: sp.Lambda, space: sp.Set, ranges: Ranges) -> None:
    """Raise Refused unless a term asks an unknown function for values that the value of the unknown has as well."""
    if not isinstance(space, Functions):
        raise Refused(f"{function} is no function")
    inside = {x: domain for x, domain in ranges.items() if x not in bound_symbols(expr)}
    defined = _is_kept(value, frozenset())
    for asked in _asked(expr, function):
        _require_value(asked, value, space, inside)
        if not (defined or _is_renaming(asked, value)):
            raise Refused(f"{value} may be undefined at the arguments of {asked}")


def _asked(expr: sp.Basic, function: sp.Symbol) -> Iterator[Asked]:
    """Every value of an unknown function in a term; raises Refused where the function stands for itself."""
    for part in unfolded_parts(expr):
        if function in part.args:
            if not isinstance(part, (Value, Partial)) or function in part.args[1:]:
                raise Refused(f"{function} as a whole, not a value of it")
            yield part


def _is_renaming(asked: Asked, value: sp.Lambda) -> bool:
    """Is the value that of the function at different symbols that are not in it?"""
    arguments = asked.args[1:]
    plain = isinstance(asked, Value) and all(type(x) is sp.Symbol for x in arguments) and len(set(arguments)) == len(arguments)
    return plain and not value.free_symbols.intersection(arguments)


def _require_value(asked: Asked, value: sp.Lambda, space: Functions, ranges: Ranges) -> None:
    """Raise Refused unless a function is asked for a value where it is defined, or has one in its codomain beyond."""
    arguments = asked.args[1:] if isinstance(asked, Value) else asked.args[2:]
    parts = space.domain.args if isinstance(space.domain, sp.ProductSet) else (space.domain,)
    if len(arguments) != len(parts) or len(value.variables) != len(parts):
        raise Refused(f"{asked} has another number of arguments")
    beyond = value.expr
    for x, argument, part in zip(value.variables, arguments, parts, strict=True):
        if not (belongs(argument, part) or (argument in ranges and ranges[argument].is_subset(part) is True)):
            beyond = beyond.xreplace({x: _like(argument, beyond)})
    if beyond != value.expr:
        require_defined(beyond)
        if isinstance(asked, Partial) or not belongs(beyond, space.codomain):
            raise Refused(f"{asked} is not shown to be asked where the function is defined")


def _like(argument: sp.Expr, value: sp.Expr) -> sp.Symbol:
    """A symbol for all numbers of the plain kind of an argument, of a name that does not occur."""
    taken, name = {symbol.name for symbol in value.atoms(sp.Symbol)}, "value"
    while name in taken:
        name += "'"
    if is_whole(argument):
        return sp.Symbol(name, integer=True)
    return sp.Symbol(name, real=True) if belongs(argument, sp.S.Reals) else sp.Symbol(name, complex=True)


# --- membership ----------------------------------------------------------------------------------------------------------


def placed(value: sp.Basic, symbol: sp.Symbol, domain: sp.Set, facts: tuple[Derivation, ...]) -> Outcome:
    """Whether a value lies in a domain: plainly, or by facts that are derived of it."""
    known = {fact.statement for fact in facts}
    if belongs(value, domain):
        return HOLDS
    if square_integrable(value, domain) in known:
        return HOLDS
    for wider in (sp.S.Integers, sp.S.Reals, sp.S.Complexes):
        if domain.is_subset(wider) is True and isinstance(value, sp.Expr) and _is_among(value, wider, known):
            try:
                asked = set(said_of(value, domain, wider))
            except Refused:
                continue
            if all(x in known or (isinstance(x, (Less, LessEqual)) and plainly(x)) for x in asked):
                return HOLDS
    return refused(f"{expression(value)} is not shown to lie in {expression(domain)}, where {expression(symbol)} does")


def _never_zero(known: set[Statement]) -> Iterator[sp.Expr]:
    """What facts say is not 0."""
    for fact in known:
        if isinstance(fact, Less) and fact.lhs == 0 and is_finite(fact.rhs):
            yield fact.rhs
        elif isinstance(fact, Not) and isinstance(fact.body, Equal) and fact.body.rhs == 0:
            yield fact.body.lhs


def _is_among(value: sp.Expr, numbers: sp.Set, known: set[Statement]) -> bool:
    """Whether a value is plainly one of these numbers; what a fact puts in an order with a number is real."""
    if numbers == sp.S.Reals and is_finite(value):
        orders = ((x.lhs, x.rhs) for x in known if isinstance(x, (Less, LessEqual)))
        if any(value in sides and all(map(is_finite, sides)) for sides in orders):
            return True
    return belongs(value, numbers)
