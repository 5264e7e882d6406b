"""How values of unknown functions are printed."""
from __future__ import annotations

import sympy as sp

from mope_theory.symbols import j, k
from mope_theory.vocabulary.gates import W_q, energies


def test_a_name_with_an_index_takes_another_in_braces() -> None:
    assert sp.latex(energies(j)) == "e_{j}"
    assert sp.latex(W_q(j, k)) == "{W_{q}}_{j, k}"
    assert sp.latex(W_q(j, k) ** 2) == "{W_{q}}_{j, k}^{2}"
