"""Mutants of statements: a term changed, a relation turned round, a connective, a quantifier, a range, a member left out."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

import sympy as sp

from mope_theory.statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual, Not, Or, Statement
from tests.mope_theory.mutants.expressions import MUTATORS, Pick, mutants

T = TypeVar("T")
WIDER = {sp.Interval.open(0, sp.oo): sp.S.Reals, sp.S.Naturals: sp.S.Integers, sp.S.Naturals0: sp.S.Integers}


def changed(thing: T, **values: Any) -> T:
    """A copy of a frozen object with some fields set; nothing is checked on the way, and nothing computed is kept."""
    new = object.__new__(type(thing))
    for field in fields(thing):  # type: ignore[arg-type]
        object.__setattr__(new, field.name, values.get(field.name, getattr(thing, field.name)))
    return new


def statement_mutants(s: Statement, pick: Pick) -> Iterator[tuple[str, Statement]]:
    """(kind, statement with one thing changed)."""
    yield from ((kind, new) for kind, new in _changed_statements(s, pick) if new != s)


def _changed_statements(s: Statement, pick: Pick) -> Iterator[tuple[str, Statement]]:
    yield from _form(s)
    for field in fields(s):
        value = getattr(s, field.name)
        if isinstance(value, Statement):
            yield from ((kind, changed(s, **{field.name: new})) for kind, new in statement_mutants(value, pick))
        elif isinstance(value, tuple):
            for k, member in enumerate(value):
                for kind, new in statement_mutants(member, pick):
                    yield kind, changed(s, **{field.name: (*value[:k], new, *value[k + 1 :])})
        elif isinstance(value, sp.Expr) and not (value.is_Symbol and value in s.bound_symbols):
            for kind in MUTATORS:
                yield from ((kind, changed(s, **{field.name: new})) for new in mutants(value, kind, pick))
        elif isinstance(value, sp.Set):
            yield from (("domain", changed(s, **{field.name: new})) for new in _other_sets(value))


def _form(s: Statement) -> Iterator[tuple[str, Statement]]:
    """The same terms in another relation or connective."""
    match s:
        case LessEqual(a, b):
            yield from (("sides exchanged", LessEqual(b, a)), ("strictness", Less(a, b)))
        case Less(a, b):
            yield from (("sides exchanged", Less(b, a)), ("relation", Equal(a, b)))
        case Equal(a, b):
            yield "negation", Not(Equal(a, b))
        case Not(body):
            yield "negation", body
        case Implies(hypothesis, conclusion):
            yield "hypothesis dropped", conclusion
            yield "converse", Implies(conclusion, hypothesis)
            if isinstance(hypothesis, And):
                yield from (("hypothesis dropped", Implies(new, conclusion)) for new in _one_less(hypothesis))
        case And():
            yield "connective", Or(*s.body)
            yield from (("member dropped", new) for new in _one_less(s))
        case Or():
            yield "connective", And(*s.body)
            yield from (("member dropped", new) for new in _one_less(s))
        case ForAll(x, domain, body):
            yield "quantifier", Exists(x, domain, body)
        case Exists(x, domain, body):
            yield "quantifier", ForAll(x, domain, body)


def _one_less(s: And | Or) -> Iterator[Statement]:
    for k in range(len(s.body)):
        rest = s.body[:k] + s.body[k + 1 :]
        yield rest[0] if len(rest) == 1 else type(s)(*rest)


def _other_sets(domain: sp.Set) -> Iterator[sp.Set]:
    if domain in WIDER:
        yield WIDER[domain]
    elif isinstance(domain, sp.Range):
        yield sp.Range(domain.start - 1, domain.stop)
        if domain.stop != sp.oo:
            yield sp.Range(domain.start, domain.stop + 1)
    elif isinstance(domain, sp.Interval):
        yield sp.Interval(domain.start - 1, domain.end, domain.left_open, domain.right_open)
        yield sp.Interval(domain.start, domain.end + 1, domain.left_open, domain.right_open)


__all__ = ["changed", "statement_mutants"]
