"""Statements of claims as propositions of Coq, one for each member of a conjunction, closed over the box of the claim.

An equation with an integral or a derivative in it says that these exist, too: Coq's total functions have a value where they do
not. A limit is one of filters: towards ∞, towards 0 from above for a positive variable, else with the point itself left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import sympy as sp

from mope_theory.claim import Claim, Side
from mope_theory.statement import (
    And,
    Equal,
    Exists,
    ForAll,
    Implies,
    Less,
    LessEqual,
    Not,
    Or,
    Statement,
    TendsTo,
    UniformlyTendsTo,
)
from mope_theory.symbols import Head, K, TableEven, TableOdd
from mope_theory.vocabulary.functions import Functions
from mope_theory.vocabulary.spectra import psi_hat

from .terms import SUM, Scope, bound_by, over_integers
from .words import NAMED, WIDER, Sort, Unprintable, coq_name, name, parameters, sort_of_domain

Relation = Equal | Less | LessEqual

RELATIONS: dict[type[Statement], str] = {Equal: "=", Less: "<", LessEqual: "<="}


AND, OR = " /\\ ", " \\/ "


@dataclass(frozen=True)
class Proposition:
    """A member of a statement of a claim: its name in Coq, and the proposition or the reason why it has none."""

    name: str
    claim: str
    side: Side
    member: int | None
    """Its number in the conjunction, from 1; None where the statement is no conjunction."""
    text: str = ""
    reason: str = ""

    @property
    def source(self) -> str:
        """The definition, or the reason as a comment."""
        if self.reason:
            return f"(* {self.name}: {self.reason} *)"
        return f"Definition {self.name} : Prop :=\n  {self.text}."


def propositions(claim: Claim) -> tuple[Proposition, ...]:
    """Every member of the claim's statements."""
    found = []
    for side, statement in claim.statements.items():
        members: Sequence[Statement] = statement.body if isinstance(statement, And) else (statement,)
        for number, member in enumerate(members, 1):
            own = f"{claim.id.replace('.', '_').replace('-', '_')}_{side}"
            at = number if isinstance(statement, And) else None
            own = own if at is None else f"{own}_{at}"
            try:
                found.append(Proposition(own, claim.id, side, at, text=closed(member, claim.box)))
            except Unprintable as reason:
                found.append(Proposition(own, claim.id, side, at, reason=str(reason)))
    return tuple(found)


def closed(statement: Statement, box: Mapping[sp.Symbol, sp.Set]) -> str:
    """The statement for all values in the box of the variables that are free in it. Raises Unprintable."""
    free = _free(statement)
    missing = free - set(box)
    if missing:
        raise Unprintable(f"no range for {', '.join(sorted(map(str, missing)))}")
    variables = [symbol for symbol in box if symbol in free]
    scope = Scope({})
    hypotheses: list[str] = []
    typed: list[tuple[str, str]] = []
    for symbol in variables:
        scope, kind, own = _bound(scope, symbol, box[symbol])
        typed.append((name(symbol), kind))
        hypotheses += own
    body = proposition(statement, scope)
    text = " -> ".join([*hypotheses, body])
    return f"forall {_binders(typed)}, {text}" if typed else text


def _binders(typed: Sequence[tuple[str, str]]) -> str:
    """Variables with their types, neighbours of one type together."""
    return " ".join(f"({' '.join(own for own, _ in group)} : {kind})" for kind, group in groupby(typed, key=lambda one: one[1]))


def _free(statement: Statement) -> set[sp.Symbol]:
    """The free variables, those that a statement's bound ones range over left out."""
    return {s for s in statement.free_symbols if isinstance(s, sp.Symbol)}


def _bound(scope: Scope, symbol: sp.Symbol, domain: sp.Set) -> tuple[Scope, str, list[str]]:
    """The scope with a variable in it, its type, and what its domain says of it."""
    own = name(symbol)
    if isinstance(domain, Functions):
        if domain.kind:
            raise Unprintable(f"functions of class {domain.kind}")
        domains = domain.domain.args if isinstance(domain.domain, sp.ProductSet) else (domain.domain,)
        sorts = [sort_of_domain(d) for d in domains]
        kind = " -> ".join([*sorts, sort_of_domain(domain.codomain)])
        given = [f"x{k}" for k in range(len(sorts))]
        value = f"{own} {' '.join(given)}"
        said = _membership(f"({value})", domain.codomain, scope)
        binders = " ".join(f"({g} : {s})" for g, s in zip(given, sorts, strict=True))
        return scope, kind, [f"(forall {binders}, {one})" for one in said]
    kind = sort_of_domain(domain)
    return scope.bind({symbol: kind}), kind, _membership(own, domain, scope)


def _membership(value: str, domain: sp.Set, scope: Scope) -> list[str]:
    """What a member of a set satisfies beyond its sort."""
    match domain:
        case sp.Complement():
            if domain.args[1] != sp.FiniteSet(0):
                raise Unprintable(f"members of {domain}")
            return [f"{value} <> (RtoC 0)"]
        case sp.Interval():
            low, high = domain.start, domain.end
            said = []
            if low != -sp.oo:
                said.append(f"{scope.text(low, 'R', SUM)} {'<' if domain.left_open else '<='} {value}")
            if high != sp.oo:
                said.append(f"{value} {'<' if domain.right_open else '<='} {scope.text(high, 'R', SUM)}")
            return said
        case sp.Range():
            if domain.step != 1:
                raise Unprintable(f"members of {domain}")
            low = [] if domain.start == 0 else [f"({scope.text(domain.start, 'nat', SUM)} <= {value})%nat"]
            return [*low, *([] if domain.stop == sp.oo else [f"({value} < {scope.text(domain.stop, 'nat', SUM)})%nat"])]
    return [f"(1 <= {value})%nat"] if domain == sp.S.Naturals else []


def proposition(statement: Statement, scope: Scope) -> str:
    """The proposition of a statement. Raises Unprintable."""
    match statement:
        case And(body=body):
            return "(" + AND.join(proposition(one, scope) for one in body) + ")"
        case Or(body=body):
            return "(" + OR.join(proposition(one, scope) for one in body) + ")"
        case Implies(hypothesis=hypothesis, conclusion=conclusion):
            return f"({proposition(hypothesis, scope)} -> {proposition(conclusion, scope)})"
        case Not(body=inner):
            return f"(~ ({proposition(inner, scope)}))"
        case ForAll(var=var, domain=domain, body=inner):
            scope, kind, said = _bound(scope, var, domain)
            return f"(forall {name(var)} : {kind}, {' -> '.join([*said, proposition(inner, scope)])})"
        case Exists(var=var, domain=domain, body=inner):
            scope, kind, said = _bound(scope, var, domain)
            return f"(exists {name(var)} : {kind}, {AND.join([*said, proposition(inner, scope)])})"
        case Equal() | Less() | LessEqual():
            return _relation(statement, scope)
        case TendsTo(expr=expr, var=var, limit=limit, point=point):
            within = scope.bind({var: "R"})
            sort = max((within.sort(expr), scope.sort(limit), "R"), key=WIDER.index)
            function = f"(fun {name(var)} : R => {within.body(expr, sort)})"
            return f"(filterlim {function} {_filter(var, point)} (locally ({scope.argument(limit, sort)} : {sort})))"
        case UniformlyTendsTo():
            return _uniform(statement, scope)
    raise Unprintable(f"no proposition for {type(statement).__name__}")


def _relation(relation: Relation, scope: Scope) -> str:
    sides = relation.lhs, relation.rhs
    if any(side.is_infinite for side in sides):
        raise Unprintable("a comparison with infinity")
    sort = max((scope.sort(side) for side in sides), key=WIDER.index)
    said, sign = _defined(sides, scope), RELATIONS[type(relation)]
    if sort == "C" and sign != "=":
        # An order of complex numbers says that both are real.
        left, right = (scope.argument(side, "C") for side in sides)
        said += [f"snd {left} = snd {right}", f"fst {left} {sign} fst {right}"]
    elif sort == "C":
        said.append(f"{scope.argument(sides[0], 'C')} = {scope.argument(sides[1], 'C')}")
    else:
        left, right = (scope.text(side, sort, SUM) for side in sides)
        said.append(f"({left} {sign} {right})%nat" if sort == "nat" else f"{left} {sign} {right}")
    return AND.join(said) if len(said) == 1 else f"({AND.join(said)})"


def _filter(var: sp.Symbol, point: sp.Expr) -> str:
    if point == sp.oo:
        return "to_infinity"
    if point == 0:
        return "down_to_zero" if var.is_positive else "near_zero"
    raise Unprintable(f"a limit towards {point}")


def _uniform(statement: UniformlyTendsTo, scope: Scope) -> str:
    """∀ε > 0 ∃M ∀var > M ∀over ∈ domain: |expr − limit| ≤ ε."""
    if statement.point != sp.oo:
        raise Unprintable(f"a uniform limit towards {statement.point}")
    inner, kind, said = _bound(scope.bind({statement.var: "R"}), statement.over, statement.domain)
    sort = max((inner.sort(e) for e in (statement.expr, statement.limit)), key=WIDER.index)
    size = "Cmod" if sort == "C" else "Rabs"
    numbers = "%C" if sort == "C" else ""
    gap = f"{size} ({inner.argument(statement.expr, sort)} - {inner.argument(statement.limit, sort)}){numbers}"
    members = " -> ".join([f"M_bound < {name(statement.var)}", *said, f"{gap} <= eps_bound"])
    return (
        f"(forall eps_bound : R, 0 < eps_bound -> exists M_bound : R, "
        f"forall ({name(statement.var)} : R) ({name(statement.over)} : {kind}), {members})"
    )


def _defined(expressions: Sequence[sp.Expr], scope: Scope) -> list[str]:
    """That every integral and every derivative of the expressions exists; what is said twice is said once."""
    return list(dict.fromkeys(text for e in expressions for text, _ in _existences(e, scope)))


def _existences(e: sp.Expr, scope: Scope) -> Iterator[tuple[str, set[sp.Basic]]]:
    """Each existence, with the variables that it speaks of."""
    if isinstance(e, Head):
        # A named function is what it is defined as, also where it is not written out.
        yield from _existences(e.definition(), scope)
        if not isinstance(e, NAMED):
            return
    if isinstance(e, (sp.Integral, sp.Sum)):
        variables = bound_by(e)
        for text, speaks_of in _existences(e.function, scope.bind(variables)):
            bound = [(name(v), kind) for v, kind in variables.items() if v in speaks_of]
            yield f"(forall {_binders(bound)}, {text})" if bound else text, speaks_of - set(variables)
    if isinstance(e, (sp.Integral, sp.Derivative)):
        sort = scope.sort(e)
        what, given = ("integrable", scope.integrand) if isinstance(e, sp.Integral) else ("differentiable", scope.derivative)
        yield f"{sort}{what} {given(e, sort)}", e.free_symbols
        return
    if isinstance(e, sp.Sum) and over_integers(e):
        sort = scope.sort(e)
        yield f"{sort}summable {scope.summand(e, sort)}", e.free_symbols
        return
    for part in e.args:
        if isinstance(part, sp.Expr):
            yield from _existences(part, scope)


def definitions() -> str:
    """The named functions as definitions of Coq, each printed from its own definition, in the order of their use."""
    lines = []
    for head, count in ((known, count) for known in NAMED for count in _counts(known)):
        sorts = parameters(head, count)
        # without assumptions beyond their sort, and all different, so that SymPy cancels nothing between them
        symbols = [sp.Symbol(name, **ASSUMED[own]) for name, own in zip(_arguments(head), sorts, strict=False)]
        scope = Scope(dict(zip(symbols, sorts, strict=True)))
        body = head(*symbols).definition()
        binders = _binders([(name(s), own) for s, own in zip(symbols, sorts, strict=True)])
        sort = scope.sort(head(*symbols))
        lines.append(f"Definition {coq_name(head, count)} {binders} : {sort} :=\n  {scope.body(body, sort)}.")
    return "\n\n".join(lines)


ASSUMED: dict[Sort, dict[str, bool]] = {
    "R": {"real": True}, "nat": {"integer": True, "nonnegative": True}, "C": {"complex": True},
}  # fmt: skip


def _arguments(head: type[Head]) -> Sequence[str]:
    """Names for the arguments of a named function."""
    if head in (TableEven, TableOdd):
        return ("b", "i", "D")
    return {psi_hat: ("xi", "omega", "sigma"), K: ("d", "omega", "sigma")}.get(head, ("b", "omega", "sigma", "centre"))


def _counts(head: type[Head]) -> Sequence[int]:
    counts = head.nargs  # what SymPy makes of it is a set of numbers
    return sorted(int(c) for c in counts)
