"""Statements as data: what is free, what is bound, substitution without capture, printing."""
from __future__ import annotations

import pytest
import sympy as sp

from mope_theory.statement import And, Equal, ForAll, Implies, Less, LessEqual, Not, TendsTo, UniformlyTendsTo
from mope_theory.symbols import T, b, omega, psi, sigma

limit = TendsTo(psi(b, omega, sigma), sigma, sp.exp(sp.I * omega * b), sp.oo)


def test_bound_symbols_are_not_free() -> None:
    assert limit.free_symbols == {b, omega}
    assert ForAll(b, sp.S.Reals, limit).free_symbols == {omega}
    uniform = UniformlyTendsTo(psi(b, omega, sigma), sigma, sp.S.Zero, sp.oo, b, sp.Interval(-T, T))
    assert uniform.free_symbols == {omega, T}
    assert And(Less(b, T), Implies(Equal(b, T), limit)).free_symbols == {b, T, omega}


def test_substitution_replaces_free_symbols_only() -> None:
    here = limit.substitute({b: sp.S.Zero})
    assert here == TendsTo(psi(0, omega, sigma), sigma, sp.S.One, sp.oo)
    assert And(Less(b, T), Not(Equal(b, omega))).substitute({b: sp.S(2)}) == And(Less(sp.S(2), T), Not(Equal(sp.S(2), omega)))


@pytest.mark.parametrize("values", [{sigma: sp.S.One}, {b: sigma}], ids=["a bound symbol", "capture"])
def test_substitution_refuses_capture(values: dict[sp.Symbol, sp.Expr]) -> None:
    with pytest.raises(ValueError, match="captured by sigma"):
        limit.substitute(values)


def test_printing() -> None:
    assert LessEqual(b, T).latex() == r"b \le T"
    assert LessEqual(b, T).text() == "b ≤ T"
    assert ForAll(b, sp.S.Integers, Less(b, T)).text() == "for all b ∈ Integers: b < T"
    assert r"\forall\, b \in \mathbb{Z}" in ForAll(b, sp.S.Integers, Less(b, T)).latex()
    assert limit.text() == "psi(b, omega, sigma) → exp(I*b*omega) as sigma → ∞"
    assert r"\xrightarrow[\sigma \to \infty]{}" in limit.latex()


def test_equality_of_statements_is_structural() -> None:
    assert Not(limit) == Not(TendsTo(psi(b, omega, sigma), sigma, sp.exp(sp.I * omega * b), sp.oo))
    assert Equal(b, T) != Equal(T, b)
    assert hash(And(Equal(b, T))) == hash(And(Equal(b, T)))
