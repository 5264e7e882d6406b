"""Faults planted in statements: a last digit off by one, a side off by a millionth, an inequality turned round."""
from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from mope_theory.statement import And, Equal, ForAll, Implies, Less, LessEqual, Statement, TendsTo
from mope_theory.vocabulary.numerals import Decimal, Distance, half_unit

SCALE = 1 + sp.Rational(1, 10**6)


def faulty(s: Statement) -> Iterator[Statement]:
    """The statement with one fault in what it asserts; hypotheses are left alone, for a fault there can make it weaker."""
    match s:
        case LessEqual(Distance(args=(value, Decimal() as numeral)), bound) if bound == half_unit(numeral):
            digits, *rest = numeral.args
            yield from (LessEqual(Distance(value, Decimal(digits + step, *rest)), bound) for step in (-1, 1))
        case Equal(lhs, rhs):
            yield Equal(lhs, rhs * SCALE) if rhs != 0 else Equal(lhs + SCALE - 1, rhs)
        case TendsTo(expr, variable, limit, point) if limit is not sp.oo:
            yield TendsTo(expr, variable, limit + sp.Rational(1, 10), point)
        case LessEqual(lhs, rhs) | Less(lhs, rhs):
            yield type(s)(rhs, lhs)
        case Implies(hypothesis, conclusion):
            yield from (Implies(hypothesis, fault) for fault in faulty(conclusion))
        case ForAll(variable, domain, body):
            yield from (ForAll(variable, domain, fault) for fault in faulty(body))
        case And():
            for place, member in enumerate(s.body):
                yield from (And(*s.body[:place], fault, *s.body[place + 1 :]) for fault in faulty(member))
