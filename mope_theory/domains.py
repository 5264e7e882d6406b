"""Ranges: what a symbol's assumptions say, and whether a derivation covers the box of its claim.

A derivation holds for every value that the assumptions of its symbols admit; it proves a claim only if the claim's box lies
within that.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import sympy as sp

from .claim import Claim
from .decide import Refused
from .defined import values_of
from .plain import is_well_formed, stranger
from .ranges import membership
from .statement import STATEMENTS, Exists, ForAll, Statement, UniformlyTendsTo


def _bound(statement: Statement) -> Iterator[tuple[sp.Symbol, sp.Set]]:
    """Every bound variable that ranges over a set, with the set."""
    if isinstance(statement, (ForAll, Exists)):
        yield statement.var, statement.domain
    if isinstance(statement, UniformlyTendsTo):
        yield statement.over, statement.domain
    for part in statement.parts():
        if isinstance(part, Statement):
            yield from _bound(part)


def _made_otherwise(claim: Claim) -> str:
    """What there is in a claim's statements or in its box that is not of the language of this package, in words."""
    if type(claim) is not Claim or vars(claim).keys() != {field.name for field in fields(claim)}:
        return "a claim of its own kind"
    if not all(map(is_well_formed, claim.statements.values())):
        return "a statement of its own kind, or with a variable where it is not bound"
    return stranger((claim.published, claim.ours, claim.box), STATEMENTS)


def uncovered(claim: Claim) -> tuple[str, ...]:
    """What keeps a derivation from covering the claim's box: one line for each fault, none if it covers."""
    made = _made_otherwise(claim)
    if made:
        return (made,)
    faults = [
        f"the range of {symbol} varies with other symbols, and may be empty with theirs"
        for symbol, domain in claim.box.items()
        if domain.free_symbols
    ]
    for side, statement in claim.statements.items():
        for symbol in sorted(statement.free_symbols - set(claim.box), key=str):
            faults.append(f"the box gives no range for {symbol} ({side})")
        for symbol, domain in (*claim.box.items(), *_bound(statement)):
            if domain.is_empty is True:
                faults.append(f"the range of {symbol} is empty")
            if domain.is_subset(values_of(symbol)) is not True:
                faults.append(f"{symbol} ranges over {domain}, beyond what its assumptions admit")
    return tuple(dict.fromkeys(faults))


def granted(claim: Claim) -> frozenset[Statement]:
    """What a derivation may assume, because the box of the claim says it: that a symbol lies in its range."""
    found: set[Statement] = set()
    for symbol, domain in claim.box.items():
        try:
            found.update(membership(symbol, domain))
        except Refused:
            continue  # a range that is not written as inequalities grants nothing
    return frozenset(found)
