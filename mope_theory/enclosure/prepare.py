"""Statements made ready for balls: in scaled variables, with derivatives taken, finite sums written out and phases taken out.

Each step leaves a statement that holds at a point exactly if the given one does.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace

import sympy as sp

from ..decide import Refused, equal, unfold
from ..statement import Equal, Less, LessEqual, Statement
from ..substitution import put
from .bound_variables import opened, real_sums, rescaled
from .exchange import exchanged
from .heads import has_imaginary_unit

Relation = Equal | LessEqual | Less
MOST_TERMS = 200
"""Terms up to which a finite sum is written out."""


def prepared(
    statement: Statement, scaling: Mapping[sp.Symbol, sp.Expr], inside: Mapping[sp.Symbol, sp.Expr] | None = None
) -> Statement:
    """The statement in scaled variables; what the two sides of a relation share is taken away.

    Raises Refused if a variable that the statement binds would be replaced, or captured.
    """
    values = [*scaling.values(), *(inside or {}).values()]
    touched = set(scaling).union(*(value.free_symbols for value in values))
    if touched & _quantified(statement):
        raise Refused("a change of variables meets a variable that the statement binds")

    def change(e: sp.Expr) -> sp.Expr:
        if e.has(sp.floor, sp.ceiling):
            raise Refused("a whole part is not enclosed")  # and SymPy would round a number by its first hundred digits
        if not e.free_symbols:
            return _finite_sums(e)  # SymPy would evaluate long products of numbers to see their sign
        scaled = _finite_sums(put(opened(without_phase(explicit_derivatives(e))), scaling))
        return rescaled(real_sums(scaled), inside or {})

    return relations(statement, lambda r: without_common_factor(logarithms(both(r, change))))


def relations(statement: Statement, change: Callable[[Relation], Relation]) -> Statement:
    """The statement with every relation in it changed."""
    if isinstance(statement, (Equal, LessEqual, Less)):
        return change(statement)

    def one(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(one(x) for x in value)
        return relations(value, change) if isinstance(value, Statement) else value

    changed = {f.name: one(getattr(statement, f.name)) for f in fields(statement)}
    body = changed.get("body")
    return type(statement)(*body) if isinstance(body, tuple) else replace(statement, **changed)


def _quantified(statement: Statement) -> set[sp.Symbol]:
    """The variables that quantifiers and limits bind."""
    found = set(statement.bound_symbols)
    for part in statement.parts():
        if isinstance(part, Statement):
            found |= _quantified(part)
    return found


def both(relation: Relation, change: Callable[[sp.Expr], sp.Expr]) -> Relation:
    """The relation with both sides changed in the same way."""
    return type(relation)(change(relation.lhs), change(relation.rhs))


def logarithms(relation: Relation) -> Relation:
    """The relation between the logarithms, where both sides are plainly exponentials of real numbers, or positive rationals."""
    logs = [_logarithm(side) for side in (relation.lhs, relation.rhs)]
    if None in logs or not relation.free_symbols:
        return relation
    return type(relation)(*logs)


def _logarithm(side: sp.Expr) -> sp.Expr | None:
    if type(side) is sp.exp and side.args[0].is_real:  # SymPy calls a power of e that it did not evaluate one too
        return side.args[0]
    return sp.log(side) if isinstance(side, sp.Rational) and side > 0 else None


def without_common_factor(relation: Relation) -> Relation:
    """Both sides without the positive powers that they share; SymPy's own arithmetic of powers divides.

    Of a side that is not 0, compared with 0, every positive symbol is such a factor.
    """
    if not relation.free_symbols:
        return relation
    left, right = (side.as_powers_dict() for side in (relation.lhs, relation.rhs))
    if 0 in (relation.lhs, relation.rhs):
        symbols = {base: power for base, power in (left | right).items() if base.is_Symbol}
        return both(relation, lambda e: e / _positive(symbols))
    shared = {base: _shared(power, right[base]) for base, power in left.items() if base in right}
    return both(relation, lambda e: e / _positive(shared))


def _shared(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """The power of a base that two of its powers have in common."""
    if first == second:
        return first
    if first.is_Rational and second.is_Rational and first * second > 0:
        return min(first, second, key=abs)
    return sp.S.Zero


def _positive(powers: Mapping[sp.Expr, sp.Expr]) -> sp.Expr:
    return sp.Mul(*(x for x in (base**power for base, power in powers.items()) if x.is_positive))


def explicit_derivatives(expr: sp.Expr) -> sp.Expr:
    """The expression with each derivative taken; that it is the derivative is decided."""

    def one(slope: sp.Derivative) -> sp.Expr:
        taken = sp.Derivative(unfold(slope.expr), *slope.variable_count).doit()
        if taken.has(sp.Derivative) or not equal(slope, taken):
            raise Refused(f"the derivative {slope} is not decided")
        return taken

    return exchanged(expr, {x: one(x) for x in expr.atoms(sp.Derivative)})


def _finite_sums(expr: sp.Expr) -> sp.Expr:
    """The expression with each finite sum written out."""
    return exchanged(expr, {x: _written_out(x) for x in expr.atoms(sp.Sum) if _count(x) is not None})


def _count(total: sp.Sum) -> int | None:
    if len(total.limits) != 1 or not all(end.is_Integer for end in total.limits[0][1:]):
        return None
    return int(total.limits[0][2] - total.limits[0][1]) + 1


def _written_out(total: sp.Sum) -> sp.Expr:
    if (_count(total) or 0) > MOST_TERMS:
        raise Refused(f"a sum of more than {MOST_TERMS} terms")
    ((x, start, stop),) = total.limits
    return sp.Add(*(put(total.function, {x: sp.Integer(k)}) for k in range(int(start), int(stop) + 1)))


def without_phase(expr: sp.Expr) -> sp.Expr:
    """The expression with each modulus |e^{iφ} w| replaced by |w|, where such a phase can be taken out.

    Balls forget that two terms share a phase. That e^{iφ} w is what stood there, and that |e^{iφ}| = 1, is decided.
    """

    def one(own: sp.Expr) -> sp.Expr:
        if not has_imaginary_unit(own):
            plain = unfold(own)
            return plain if plain.free_symbols < own.free_symbols and _decided(own, plain) else own
        z = sp.expand(unfold(own))
        for phase in sorted((e for e in z.atoms(sp.exp) if (e.exp / sp.I).is_real), key=sp.default_sort_key):
            rest = sp.expand(z / phase)
            if not rest.has(sp.I) and _decided(own, phase * rest) and _decided(sp.Abs(phase), sp.S.One):
                return rest
        return own  # as it stands: SymPy may have cancelled a pole in z

    # SymPy would rewrite an evaluated modulus of a sum as the root of a square, which balls enclose badly.
    return exchanged(expr, {x: sp.Abs(one(x.args[0]), evaluate=False) for x in expr.atoms(sp.Abs)})


def _decided(left: sp.Expr, right: sp.Expr) -> bool:
    try:
        return equal(left, right)
    except Refused:
        return False
