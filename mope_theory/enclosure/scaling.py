"""Changes of variables: whether scaled points stay in the box of a claim, and whether they make it up."""
from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from ..assumptions import admitted
from ..vocabulary.functions import Functions

POSITIVE = sp.Interval.open(0, sp.oo)


def kept(scaling: Mapping[sp.Symbol, sp.Expr], box: Mapping[sp.Symbol, sp.Set]) -> bool:
    """Is every value that is put for a symbol in the range of that symbol? True only where its assumptions show it."""
    return all(symbol not in box or lies_in(value, box[symbol]) for symbol, value in scaling.items())


def lies_in(value: sp.Expr, domain: sp.Set) -> bool:
    """Is a value shown to be in a set, by its own value or by the assumptions of its symbols?"""
    if isinstance(domain, Functions):
        return _is_function(value, domain)
    if value.is_number:
        return bool(domain.contains(value) == sp.true)
    shown = {
        sp.S.Reals: value.is_real,
        sp.S.Integers: value.is_integer,
        sp.S.Complexes: value.is_complex,
        POSITIVE: value.is_positive,
    }
    return shown.get(domain) is True


def _is_function(value: sp.Expr, domain: Functions) -> bool:
    """A function of one variable, of no further kind, by what its variable admits."""
    if not isinstance(value, sp.Lambda) or len(value.variables) != 1 or domain.kind:
        return False
    arguments = domain.domain.is_subset(admitted(value.variables[0])) is True
    return arguments and lies_in(value.expr, domain.codomain)


def covered(scaling: Mapping[sp.Symbol, sp.Expr], box: Mapping[sp.Symbol, sp.Set], ranges: Mapping[sp.Symbol, sp.Set]) -> bool:
    """Is every point of the box a scaled one? True where each scaled symbol is a positive width times a ratio of its own.

    A ratio is a symbol of no other meaning: one that the claim speaks of would tie two of its symbols together.
    """
    ratios: set[sp.Symbol] = set()
    for symbol, value in scaling.items():
        own = [r for r in value.free_symbols if r in ranges and (value / r).is_positive and r not in (value / r).free_symbols]
        if len(own) != 1 or own[0] in ratios or own[0] in box or symbol not in box:
            return False
        ratios.add(own[0])
        cone = box[symbol] in (sp.S.Reals, POSITIVE)
        if not cone or box[symbol].is_subset(ranges[own[0]]) is not True:
            return False
    return all(sum(ratio in value.free_symbols for value in scaling.values()) == 1 for ratio in ratios)
