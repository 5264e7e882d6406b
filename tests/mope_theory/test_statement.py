"""Statements as data: what is free, what is bound, substitution without capture, printing."""
from __future__ import annotations

import pytest
import sympy as sp

from mope_theory.statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual, Not, Or, TendsTo, UniformlyTendsTo
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


def test_latex() -> None:
    assert LessEqual(b, T).latex() == r"b \le T"
    assert r"\forall\, b \in \mathbb{Z}" in ForAll(b, sp.S.Integers, Less(b, T)).latex()
    assert r"\xrightarrow[\sigma \to \infty]{}" in limit.latex()
    assert r"e^{\mathrm{i}" in limit.latex()


def test_text_of_every_form_of_statement() -> None:
    one, two = Equal(b, omega), Less(b, sigma)
    assert one.text() == "b = ω"
    assert And(one, LessEqual(b, sigma)).text() == "b = ω and b ≤ σ"
    assert Or(one, two).text() == "b = ω or b < σ"
    assert Implies(one, two).text() == "b = ω ⇒ b < σ"
    assert And(Implies(one, two), Implies(two, one)).text() == "b = ω ⇔ b < σ"
    assert Not(And(one, two)).text() == "not (b = ω and b < σ)"
    assert ForAll(b, sp.S.Integers, one).text() == "for all b ∈ ℤ: b = ω"
    assert Exists(b, sp.S.Reals, one).text() == "there is b ∈ ℝ: b = ω"
    assert limit.text() == "ψ(b, ω, σ) → exp(ⅈ*b*ω) as σ → ∞"
    uniform = UniformlyTendsTo(b / sigma, sigma, omega, sp.oo, b, sp.Interval.open(0, T))
    assert uniform.text() == "b/σ → ω as σ → ∞, uniformly in b ∈ (0, T)"


def test_equality_of_statements_is_structural() -> None:
    assert Not(limit) == Not(TendsTo(psi(b, omega, sigma), sigma, sp.exp(sp.I * omega * b), sp.oo))
    assert Equal(b, T) != Equal(T, b)
    assert hash(And(Equal(b, T))) == hash(And(Equal(b, T)))
