"""Formulas of the claims as functions of NumPy arrays. What is drawn needs three digits, and nothing is decided by it."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import sympy as sp

import mope_theory as mt
from mope_theory.claim import Side
from mope_theory.decide import unfold
from mope_theory.statement import And, LessEqual, Statement
from mope_theory.vocabulary.numerals import Distance, rounds_to
from mope_theory.vocabulary.spectra import Deviation

Array = Any
"""A NumPy array of floats or of complex numbers."""

TERMS = 40
"""Terms of a sum over ℤ that are kept on either side; the tails of a Gaussian of a few tokens are below every digit there."""


def function(formula: sp.Expr, *symbols: sp.Symbol) -> Callable[..., Array]:
    """A formula as a function of arrays of the symbols; infinite sums of Gaussians are cut after TERMS terms.

    An unknown function among the symbols is given as a Python function, see `values`.
    """
    plain = _finite(unfold(formula))
    names = {x: sp.Symbol(x.name.replace("'", "_"), **x.assumptions0) for x in plain.atoms(sp.Symbol) if "'" in x.name}
    return sp.lambdify(symbols, plain.xreplace(names), [{"Value": _value}, "numpy"])


def _value(of: Callable[..., Array], *indices: int) -> Array:
    return of(*indices)


def values(array: Array) -> Callable[..., Array]:
    """An array in the place of an unknown sequence or matrix."""
    table = np.asarray(array)
    return lambda *indices: table[indices]


def _finite(formula: sp.Expr) -> sp.Expr:
    ends = {-sp.oo: -sp.Integer(TERMS), sp.oo: sp.Integer(TERMS)}

    def cut(total: sp.Sum) -> sp.Sum:
        limits = ((x, ends.get(low, low), ends.get(high, high)) for x, low, high in total.limits)
        return sp.Sum(total.function, *limits)

    return formula.replace(lambda part: isinstance(part, sp.Sum), cut)


def deviation(head: Deviation, values: Mapping[sp.Symbol, float]) -> float:
    """A standard deviation over ℤ, or over a period: there the sum at equidistant points is exact but for what aliases."""
    weight, domain = head.args
    (x,) = weight.variables
    if domain == sp.S.Integers:
        points = np.arange(-TERMS, TERMS + 1.0)
    else:
        start, end = (float(edge.subs(values)) for edge in (domain.start, domain.end))
        points = start + (end - start) * np.arange(1024) / 1024
    mass = np.real(function(weight.expr.subs(values), x)(points))
    mean = (points * mass).sum() / mass.sum()
    return float(np.sqrt(((points - mean) ** 2 * mass).sum() / mass.sum()))


def numerals(statement: Statement) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """(value, numeral) of each member that says what a value rounds to."""
    for member in statement.body if isinstance(statement, And) else (statement,):
        if isinstance(member, LessEqual) and isinstance(member.lhs, Distance):
            value, shown = member.lhs.args
            if member == rounds_to(value, str(shown)):
                yield value, shown


def stated(claim: str, side: Side = "ours") -> Any:
    """A statement of a claim; who draws from it knows its form."""
    return mt.claim(claim).statements[side]


def shown(claim: str) -> list[str]:
    """The numerals that our statement of a claim holds, in its order, as it writes them."""
    return [str(numeral) for _, numeral in numerals(stated(claim))]
