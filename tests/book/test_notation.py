"""The definitions of named functions that the pages print."""
from __future__ import annotations

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.book.notation import STANDING, definition, definitions
from mope_impl.book.typeset import expression
from mope_theory import symbols
from mope_theory.statement import Equal, ForAll
from mope_theory.symbols import Head, K, b, carrier, center, d, m, n, omega, psi, sigma


@pytest.mark.parametrize("head", STANDING, ids=lambda head: expression(head))
def test_a_definition_is_printed_from_the_function(head):
    (shown,) = definitions([Equal(head, sp.S.Zero)])
    assert shown == f"{expression(head)} = {expression(head.definition())}"


def test_every_named_function_of_the_encoding_has_one():
    named = {x for x in vars(symbols).values() if isinstance(x, type) and issubclass(x, Head) and x is not Head}
    assert named - {carrier} == {type(head) for head in STANDING}


def test_other_parameters_are_shown():
    (shown,) = definitions([Equal(psi(m, omega, 2 * sigma), psi(n, omega, sigma))])
    assert shown.startswith(r"\psi\left(b\right) = \psi_{\omega,\sigma}\left(b\right) = ")
    (alone,) = definitions([Equal(psi(m, omega, sigma), psi(n, omega, sigma))])
    assert r"\psi_{" not in alone


def test_a_centre_is_shown_where_there_is_one():
    (shown,) = definitions([Equal(psi(m, omega, sigma, d), sp.S.One)])
    assert shown.startswith(rf"{expression(psi(b, omega, sigma, center))} = ")


def test_a_function_is_found_wherever_it_stands():
    inside = ForAll(d, sp.S.Reals, Equal(sp.Abs(K(d, omega, sigma)) ** 2, sp.S.One))
    assert definitions([inside]) == (definition("K"),)
    assert definitions([Equal(m, n)]) == ()


def test_the_product_is_named():
    assert definition("P") == r"P\left(m, n\right) = " + expression(mt.claim("kernel.product").published.lhs)
    assert definition("psi").startswith(r"\psi\left(b\right) = ")
    with pytest.raises(KeyError):
        definition("carrier")
