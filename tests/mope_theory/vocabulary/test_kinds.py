"""What SymPy is told of a named function follows from its arguments: it simplifies under the answer."""
from __future__ import annotations

import pytest
import sympy as sp

from mope_theory.symbols import N, b, j, omega, precision, query_center, sigma
from mope_theory.vocabulary.floating import Rounded, Ulp
from mope_theory.vocabulary.functions import SEQUENCES, Functions, Partial, Unknown
from mope_theory.vocabulary.gates import PassShare, StandardScore, energies, sharpness
from mope_theory.vocabulary.recipe import EffectiveWidth, InitialFrequency, InitialWidth, Perplexity
from mope_theory.vocabulary.spectra import CircleDistance, Deviation

complex_energies = Unknown("e", Functions(SEQUENCES, sp.S.Complexes))
rough = Unknown("L", Functions(sp.S.Reals, sp.S.Reals))
smooth = Unknown("L", Functions(sp.S.Reals, sp.S.Reals, "C^{1}"))

REAL = (
    Ulp(b, precision),
    Rounded(b, precision),
    StandardScore(energies, j, N),
    PassShare(energies, N, sharpness),
    InitialFrequency(b),
    InitialWidth(b),
    EffectiveWidth(b),
    Perplexity(b),
    CircleDistance(omega),
    Partial(smooth, 1, b),
)
OPEN = (
    Ulp(query_center, precision),
    Ulp(b, query_center),
    Rounded(query_center, precision),
    Rounded(b, sp.I * precision),
    StandardScore(complex_energies, j, N),
    StandardScore(energies, j, j),
    PassShare(complex_energies, N, sharpness),
    InitialWidth(query_center),
    EffectiveWidth(query_center),
    Perplexity(query_center),
    CircleDistance(query_center),
    Deviation(sp.Lambda(b, query_center * sp.exp(-(b**2))), sp.S.Reals),
    Deviation(sp.Lambda(b, sp.S.One), sp.S.Reals),
    Partial(rough, 1, b),
)


@pytest.mark.parametrize("head", REAL, ids=str)
def test_real_of_real_arguments(head: sp.Expr) -> None:
    assert head.is_real


@pytest.mark.parametrize("head", OPEN, ids=str)
def test_nothing_is_said_of_other_arguments(head: sp.Expr) -> None:
    assert head.is_extended_real is None
    assert head.is_nonnegative is None


def test_a_function_among_the_arguments_leaves_a_number() -> None:
    """SymPy takes a product with what it holds for non-commutative apart in ways of its own."""
    score = StandardScore(sp.Lambda(j, b), j, N)
    assert score.is_commutative
    assert score * sigma == sigma * score
