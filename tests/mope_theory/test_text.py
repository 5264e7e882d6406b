"""Expressions as plain text: no letter stands for two things, and a named function goes by its notation."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import I, S, exp

import mope_theory as mt
from mope_theory.statement import Statement
from mope_theory.symbols import (
    Head,
    TableEven,
    TableOdd,
    b,
    carrier,
    channel,
    dimension,
    k,
    m,
    n,
    omega,
    psi,
    sigma,
    standard_frequency,
)
from mope_theory.text import NAMES, expression
from mope_theory.vocabulary import floating, recipe, spectra

CASES: list[tuple[sp.Basic, str]] = [
    (exp(I * omega * b) * standard_frequency(), "exp(ⅈ*b*ω)/10000^(2*i/D)"),
    (I * channel, "ⅈ*i"),
    (TableEven(b, channel, dimension), "PE(b, 2*i)"),
    (TableOdd(b, channel, dimension), "PE(b, 2*i + 1)"),
    (TableOdd(b, S(3), dimension), "PE(b, 7)"),
    (carrier(b, omega), "e^(ⅈ*ω*b)"),
    (carrier(m - n, omega), "e^(ⅈ*ω*(m - n))"),
    (carrier(-b, omega + 1), "e^(ⅈ*(ω + 1)*(-b))"),
    (carrier(b, omega) ** 2, "(e^(ⅈ*ω*b))^2"),
    (1 / carrier(b, omega), "1/(e^(ⅈ*ω*b))"),
    (b * carrier(b, omega), "b*e^(ⅈ*ω*b)"),
    (spectra.psi_hat(b, omega, sigma), "ψ̂(b, ω, σ)"),
    (psi(b, omega, sigma), "ψ(b, ω, σ)"),
    (floating.Rounded(b, S(24)), "rd(b, 24)"),
    (recipe.MorletParameters(dimension), "n_MoPE(D)"),
    (sp.Complement(S.Complexes, sp.FiniteSet(0)), "ℂ ∖ {0}"),
    (sp.ProductSet(S.Naturals0, S.Reals), "ℕ₀ × ℝ"),
    (sp.Symbol("varpi"), "ϖ"),
]


@pytest.mark.parametrize("value, text", CASES, ids=[text for _, text in CASES])
def test_an_expression_as_text(value: sp.Basic, text: str) -> None:
    assert expression(value) == text


def heads(statement: Statement) -> set[type[Head]]:
    return {type(head) for value in statement.expressions for head in value.atoms(Head)}


def test_the_names_are_those_of_functions_that_the_claims_use() -> None:
    used = {head.__name__ for claim in mt.claims() for side in claim.statements.values() for head in heads(side)}
    assert set(NAMES) <= used
    assert {"carrier", "TableEven", "TableOdd"} <= used


def test_no_two_functions_share_a_name() -> None:
    assert len(set(NAMES.values())) == len(NAMES)
    taken = {"ψ", "K", "PE", "e", "exp", "conj", "re", "im"}
    assert not taken & set(NAMES.values())


@pytest.mark.parametrize("claim", [claim for claim in mt.claims() if claim.derivations], ids=lambda claim: claim.id)
def test_what_is_derived_shows_no_name_of_a_class(claim: mt.Claim) -> None:
    texts = [line.statement.text() for derivation in claim.derivations for line in derivation.outline()]
    for name in (*NAMES, "carrier", "TableEven", "TableOdd", "Complexes", "ProductSet", "Complement"):
        assert not any(f"{name}(" in text for text in texts)


def test_the_imaginary_unit_is_no_letter_of_a_symbol() -> None:
    assert expression(I) not in {expression(symbol) for symbol in (channel, k, sp.Symbol("i"), sp.Symbol("I"))}
