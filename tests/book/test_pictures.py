"""The pictures: each can be drawn, follows the theme, says in words what it shows, and takes its numbers from the claims."""
from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.book.figures import INK, PAPER
from mope_impl.book.pictures import Picture, picture, pictures
from mope_impl.book.pictures.evaluate import deviation, function, numerals, shown, stated, values
from mope_impl.book.pictures.picture import WIDEST, panel
from mope_theory.registry import UnknownName
from mope_theory.symbols import K, b, d, j, omega, psi, sigma
from mope_theory.vocabulary.gates import StandardScore, energies
from mope_theory.vocabulary.spectra import Deviation

ALL = pictures()


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return {one.name: one.html() for one in ALL}


def test_names_are_unique_and_claims_exist():
    assert max(Counter(one.name for one in ALL).values()) == 1
    for one in ALL:
        assert mt.claim(one.claim).topic in one.source


def test_a_picture_that_there_is_not():
    assert picture("fold").claim == "alias.admissibility"
    with pytest.raises(UnknownName, match="did you mean fold"):
        picture("fould")


@pytest.mark.parametrize("field", ["alt", "caption"])
def test_a_picture_without_words_is_refused(field):
    texts = {"alt": "a", "caption": "c"} | {field: " "}
    with pytest.raises(ValueError, match=f"the picture mute has no {field}"):
        Picture(name="mute", claim="kernel.product", draw=list, **texts)


@pytest.mark.parametrize("name", [one.name for one in ALL])
def test_a_drawing_takes_its_ink_from_the_page(drawn, name):
    html = drawn[name]
    assert html.startswith('<div class="book-drawing" role="img" aria-label="')
    assert INK not in html
    assert PAPER not in html
    assert "currentColor" in html
    assert "<text" in html


def test_names_within_a_drawing_hold_on_the_whole_page(drawn):
    """Panels that share a name would show each other's parts."""
    names = [name for html in drawn.values() for name in re.findall(r'\bid="([^"]+)"', html)]
    assert [name for name, times in Counter(names).items() if times > 1] == []
    for html in drawn.values():
        used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', html)
        assert {one or other for one, other in used} <= set(re.findall(r'\bid="([^"]+)"', html))


def test_a_phone_shows_the_letters(drawn):
    """Trimming adds a tenth of an inch on either side, and what labels reach beyond their place."""
    for name, html in drawn.items():
        widths = [float(width) for width in re.findall(r'<svg[^>]* width="([\d.]+)pt"', html)]
        assert max(widths) <= (WIDEST + 0.4) * 72, name
    with pytest.raises(ValueError, match="cannot be read"):
        panel(WIDEST + 0.1, 3)


def test_numbers_in_captions_are_those_of_the_claims():
    spoken = {"fold": "alias.admissibility", "decay": "learning.decay", "plane": "uncertainty.bound"}
    for name, claim in spoken.items():
        one = picture(name)
        assert [numeral for numeral in shown(claim) if numeral in one.caption + one.alt]


# --- formulas as functions of arrays -------------------------------------------------------------------------------------


def test_a_formula_is_evaluated_elementwise():
    kernel = function(K(d, omega, sigma), d, omega, sigma)
    x = np.array([0.0, 1.0, -2.5])
    assert kernel(x, 0.5, 2.0) == pytest.approx(np.exp(0.5j * x - x**2 / 16), rel=1e-14)


def test_an_infinite_sum_is_cut_where_nothing_is_left():
    total = sp.Sum(psi(b, omega, sigma), (b, -sp.oo, sp.oo))
    direct = sum(np.exp(0.25j * k - k**2 / 8) for k in range(-30, 31))
    assert function(total, omega, sigma)(0.25, 2.0) == pytest.approx(direct, rel=1e-14)


def test_an_unknown_sequence_is_an_array():
    score = function(StandardScore(energies, j, sp.Integer(3)), energies, j)
    assert score(values([0, 1, 1]), 0) == pytest.approx(-np.sqrt(2), rel=1e-14)


def test_deviations_over_the_integers_and_over_a_period():
    product = stated("uncertainty.bound", "published").body.rhs
    spreads = {head.args[1] == sp.S.Integers: deviation(head, {omega: 0.3, sigma: 2.0}) for head in product.atoms(Deviation)}
    # At σ = 2 the tokens sample the atom so finely that both spreads are those on the line, to e^{−π²σ²}.
    assert spreads == {True: pytest.approx(np.sqrt(2), abs=1e-8), False: pytest.approx(1 / np.sqrt(8), abs=1e-8)}


def test_what_a_value_rounds_to_is_found():
    found = {str(numeral): value for value, numeral in numerals(stated("alias.admissibility"))}
    assert list(found) == ["2.933", "4.37"] == shown("alias.admissibility")
    assert float(function(found["2.933"])()) == pytest.approx(2.933, abs=5e-4)


@pytest.mark.parametrize("name", ["fold", "plane", "decay", "reach"])
def test_what_is_drawn_says_the_numerals_of_its_claim(drawn, name):
    ranges = ["1.55 … 4.45", "1.12 … 3.22"]  # of the numerals of learning.decay, two decimals
    wanted = ranges if name == "decay" else shown({"plane": "uncertainty.bound"}.get(name, picture(name).claim))
    assert all(numeral in text(drawn[name]) for numeral in wanted)


@pytest.mark.parametrize("last", [1, -1])
def test_the_gate_is_drawn_as_it_computes(drawn, last):
    """By the closed form of the example: attention is uniform, and the values are the energies 0 and 1."""
    for counted in ([0, 1, last], [0, 1]):
        scores = (np.array([0, 1]) - np.mean(counted)) / np.std(counted)
        gates = 1 / (1 + np.exp(-2 * scores))
        assert f"{gates[1] / gates.sum():.4g}" in text(drawn["scores"])
        assert all(f"{score:.4g}".replace("-", "−") in text(drawn["scores"]) for score in scores)


def text(html: str) -> str:
    """What is written in a drawing."""
    return " ".join(re.findall(r"<text[^>]*>([^<]*)<", html))
