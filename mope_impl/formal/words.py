"""Sorts and names of Coq, and the parts of a sum and of a product in the order in which they are written."""

from __future__ import annotations

from typing import Literal

import sympy as sp

from mope_theory.symbols import Head, K, TableEven, TableOdd, carrier, psi
from mope_theory.vocabulary.spectra import psi_hat

Sort = Literal["nat", "Z", "R", "C"]

WIDER: tuple[Sort, ...] = ("nat", "Z", "R", "C")

NAMED: tuple[type[Head], ...] = (psi, K, carrier, psi_hat, TableEven, TableOdd)
"""Named functions that are definitions of Coq; the others are written out where they stand."""

TAKEN = frozenset(
    "C R Z S O I N Prop Set Type at in fun let forall exists match end with return if then else fix as"
    " psi psi_centred K carrier psi_hat TableEven TableOdd exp cos sin ln sqrt sign fst snd PI Ci".split()
)
"""Names that mean something else in Coq."""


class Unprintable(ValueError):
    """There is no term of Coq for it."""


def name(symbol: sp.Symbol) -> str:
    """The name of a symbol in Coq."""
    text = str(symbol.name).replace("'", "_prime")
    return f"{text}_" if text in TAKEN else text


def sort_of_domain(domain: sp.Set) -> Sort:
    """The sort of a variable that ranges over a set. Raises Unprintable."""
    if domain in (sp.S.Naturals, sp.S.Naturals0) or (isinstance(domain, sp.Range) and domain.start.is_nonnegative):
        return "nat"
    if domain == sp.S.Integers:
        return "Z"
    if isinstance(domain, sp.Interval):  # the real line is one, too
        return "R"
    if domain == sp.S.Reals:
        return "R"
    if domain == sp.S.Complexes or (isinstance(domain, sp.Complement) and domain.args[0] == sp.S.Complexes):
        return "C"
    raise Unprintable(f"members of {domain}")


def coq_name(head: type[Head], count: int) -> str:
    """The name of a named function; ψ with a centre is one of its own."""
    return "psi_centred" if head is psi and count == 4 else head.__name__


def parameters(head: type[Head], count: int) -> tuple[Sort, ...]:
    """The sorts of the arguments of a named function."""
    wave: tuple[Sort, ...] = ("R", "R", "R", "C")
    return ("R", "nat", "nat") if head in (TableEven, TableOdd) else wave[:count]


def is_negative(term: sp.Expr) -> bool:
    """Whether a term of a sum has a minus sign before it."""
    return bool(term.as_coeff_Mul()[0] < 0)


def positive_first(e: sp.Add) -> list[sp.Expr]:
    """The terms of a sum, one without a minus sign at the head where there is one."""
    terms = list(e.as_ordered_terms())
    lead = next((t for t in terms if not is_negative(t)), terms[0])
    terms.remove(lead)
    return [lead, *terms]


def fraction(e: sp.Expr) -> tuple[list[sp.Expr], list[sp.Expr], bool]:
    """The factors above and below the line, and whether there is a minus sign before it."""
    top: list[sp.Expr] = []
    below: list[sp.Expr] = []
    negative = False
    for factor in e.as_ordered_factors():
        if factor.is_Rational:
            negative = negative != bool(factor < 0)
            top += [sp.Integer(abs(factor.p))] if abs(factor.p) != 1 else []
            below += [sp.Integer(factor.q)] if factor.q != 1 else []
        elif isinstance(factor, sp.Pow) and factor.exp.is_Rational and factor.exp < 0:
            below.append(sp.Pow(factor.base, -factor.exp))
        else:
            top.append(factor)
    return top, below, negative
