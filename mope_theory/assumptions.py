"""What a symbol's assumptions mean as a set, and which symbols the proofs accept at all.

SymPy simplifies under every assumption a symbol carries, so that a derivation holds for exactly the values that its symbols
admit. Only kinds whose set is written down here are accepted: of any other (even, prime, irrational, negative …) nothing is
claimed.
"""
from __future__ import annotations

import sympy as sp

_KINDS: tuple[tuple[dict[str, bool], sp.Set], ...] = (
    ({"real": True}, sp.S.Reals),
    ({"real": True, "zero": False}, sp.S.Reals - sp.FiniteSet(0)),
    ({"positive": True}, sp.Interval.open(0, sp.oo)),
    ({"nonnegative": True}, sp.Interval(0, sp.oo)),
    ({"integer": True}, sp.S.Integers),
    ({"integer": True, "positive": True}, sp.S.Naturals),
    ({"integer": True, "nonnegative": True}, sp.S.Naturals0),
    ({"complex": True}, sp.S.Complexes),
    ({"complex": True, "zero": False}, sp.S.Complexes - sp.FiniteSet(0)),
)


def _facts(symbol: sp.Symbol) -> frozenset[tuple[str, bool]]:
    return frozenset(symbol.assumptions0.items())


_ADMITTED = {_facts(sp.Symbol("x", **given)): values for given, values in _KINDS}


def admitted(symbol: sp.Symbol) -> sp.Set:
    """The set of values that a symbol stands for.

    Raises ValueError for a dummy and for assumptions that are not of an accepted kind.
    """
    values = _ADMITTED.get(_facts(symbol)) if type(symbol) is sp.Symbol else None
    if values is None:
        given = ", ".join(sorted(k for k, v in symbol.assumptions0.items() if v and k != "commutative")) or "nothing"
        raise ValueError(f"the symbol {symbol} ({type(symbol).__name__} declared {given}) is of no accepted kind")
    return values


def is_real_kind(symbol: sp.Symbol) -> bool:
    """True for a plain symbol of an accepted kind that ranges over real numbers."""
    try:
        return admitted(symbol).is_subset(sp.S.Reals) is True
    except ValueError:
        return False
