"""Lemmas on moduli and on the ripple of a theta function: they hold, and what is a little stronger does not."""
from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from sympy import S, exp, oo

from mope_theory.derivation import Derivation, chain
from mope_theory.lemmas import modulus, theta
from mope_theory.logic import Rearrange, proves
from mope_theory.rules import Bound, Part, Termwise
from mope_theory.statement import LessEqual

a = theta.nome


PROVED = (
    theta.RIPPLE_BELOW, theta.CREST_FLOOR, theta.CREST_CEILING, theta.REST,
    theta.crest_below(2 * a), theta.ripple_below(a, S.One),
)  # fmt: skip


@pytest.mark.parametrize("lemma", PROVED, ids=lambda lemma: lemma.statement.text())
def test_it_holds(lemma: Derivation) -> None:
    outcome = proves(lemma)
    assert outcome, outcome.reason


def test_what_bounds_a_modulus_is_assumed() -> None:
    x, r, c = modulus.inside, modulus.radius, modulus.center
    below = frozenset({LessEqual(S.Zero, r - x), LessEqual(S.Zero, r + x)})
    assert proves(modulus.MODULUS_BELOW, below)
    assert not proves(modulus.MODULUS_BELOW, below - {LessEqual(S.Zero, r + x)})
    near = frozenset({LessEqual(S.Zero, r - (x - c)), LessEqual(S.Zero, r + (x - c))})
    assert proves(modulus.DISTANCE_BELOW, near)
    assert not proves(modulus.DISTANCE_BELOW, below)


def test_a_stronger_bound_is_not_proved() -> None:
    ceiling = theta.CREST_CEILING
    assert isinstance(ceiling, Rearrange)
    stronger = LessEqual(2 * theta.crest * (1 - exp(-4 * a)), 2 * exp(-a))
    assert not proves(replace(ceiling, statement=stronger))


def test_the_ripple_is_not_below_half_the_crest() -> None:
    k = theta.crest.limits[0][0]
    term = theta.ripple.function
    half = chain(term, (Bound(Part(S.One, None, sp.sin(k * theta.phase) ** 2)), exp(-a * k**2) / 2), relation=LessEqual)
    assert not proves(chain(theta.ripple, (Termwise(half, k, S.One, oo), theta.crest / 2), relation=LessEqual))
