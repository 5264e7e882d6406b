"""What the named functions of the statements mean: their definitions, printed from the functions themselves."""
from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from mope_theory.statement import Statement
from mope_theory.symbols import Head, K, P, TableEven, TableOdd, b, center, channel, d, dimension, m, n, omega, psi, sigma

from .typeset import expression

STANDING: tuple[Head, ...] = (
    psi(b, omega, sigma),
    psi(b, omega, sigma, center),
    K(d, omega, sigma),
    TableEven(b, channel, dimension),
    TableOdd(b, channel, dimension),
)
"""The named functions of ``mope_theory.symbols`` whose sign does not say what they are (the carrier is printed as e^{iωb}),
in their usual arguments."""


def definition(name: str) -> str:
    """TeX of "name = definition" for ``psi``, ``K``, ``TableEven``, ``TableOdd``, or the product ``P``.

    Raises KeyError for another name.
    """
    if name == "P":
        return rf"P\left({expression(m)}, {expression(n)}\right) = {expression(P(m, n))}"
    return _equation({type(head).__name__: head for head in reversed(STANDING)}[name])


def definitions(statements: Iterable[Statement]) -> tuple[str, ...]:
    """TeX of the definition of each named function that occurs in the statements, in the order of STANDING.

    Where a function occurs with other parameters than the standing ones, these are shown in the definition.
    """
    found = {head for statement in statements for value in statement.expressions for head in value.atoms(Head)}
    out = []
    for head in STANDING:
        here = [x for x in found if type(x) is type(head) and len(x.args) == len(head.args)]
        if here:
            others = any(x.args[1:] != head.args[1:] for x in here)
            out.append(_equation(head, parameters=others))
    return tuple(out)


def _equation(head: Head, parameters: bool = False) -> str:
    shown = [expression(head)]
    if parameters:
        # Symbols that look the same and are not the standing ones, so that the name shows them.
        twin = type(head)(head.args[0], *(sp.Symbol(str(x)) for x in head.args[1:]))
        shown.append(expression(twin))
    return " = ".join((*dict.fromkeys(shown), expression(head.definition())))
