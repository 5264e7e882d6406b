"""Statements are grouped as they bind: tighter parts bare, looser ones in parentheses."""
from __future__ import annotations

import pytest
import sympy as sp

from mope_theory.statement import And, Equal, Exists, ForAll, Implies, Less, Not, Or, Statement, TendsTo
from mope_theory.symbols import b, epsilon, m, n, sigma

P, Q, R = Less(b, sp.S.Zero), Less(m, sp.S.One), Equal(n, sp.Integer(2))
REAL = sp.S.Reals

CASES: list[tuple[Statement, str, str]] = [
    (And(P, Or(Q, R)), r"b < 0 \;\wedge\; \left(m < 1 \;\vee\; n = 2\right)", "b < 0 and (m < 1 or n = 2)"),
    (Or(P, And(Q, R)), r"b < 0 \;\vee\; \left(m < 1 \;\wedge\; n = 2\right)", "b < 0 or (m < 1 and n = 2)"),
    (And(Implies(P, Q), R), r"\left(b < 0 \;\Rightarrow\; m < 1\right) \;\wedge\; n = 2", "(b < 0 ⇒ m < 1) and n = 2"),
    (Implies(And(P, Q), R), r"b < 0 \;\wedge\; m < 1 \;\Rightarrow\; n = 2", "b < 0 and m < 1 ⇒ n = 2"),
    (Implies(P, Implies(Q, R)), r"b < 0 \;\Rightarrow\; \left(m < 1 \;\Rightarrow\; n = 2\right)", "b < 0 ⇒ (m < 1 ⇒ n = 2)"),
    (Implies(Implies(P, Q), R), r"\left(b < 0 \;\Rightarrow\; m < 1\right) \;\Rightarrow\; n = 2", "(b < 0 ⇒ m < 1) ⇒ n = 2"),
    (And(Implies(P, Q), Implies(Q, P)), r"b < 0 \;\Leftrightarrow\; m < 1", "b < 0 ⇔ m < 1"),
    (
        And(And(Implies(P, Q), Implies(Q, P)), R),
        r"\left(b < 0 \;\Leftrightarrow\; m < 1\right) \;\wedge\; n = 2",
        "(b < 0 ⇔ m < 1) and n = 2",
    ),
    (And(Implies(P, Q), Implies(Q, R)), None, "(b < 0 ⇒ m < 1) and (m < 1 ⇒ n = 2)"),
    (ForAll(b, REAL, ForAll(m, REAL, And(P, Q))), r"\forall\, b, m \in \mathbb{R}:\ b < 0 \;\wedge\; m < 1", None),
    (ForAll(b, REAL, ForAll(m, sp.S.Integers, P)), r"\forall\, b \in \mathbb{R}:\ \forall\, m \in \mathbb{Z}:\ b < 0", None),
    (ForAll(b, REAL, Exists(m, REAL, P)), r"\forall\, b \in \mathbb{R}:\ \exists\, m \in \mathbb{R}:\ b < 0", None),
    (And(ForAll(b, REAL, P), Q), r"\left(\forall\, b \in \mathbb{R}:\ b < 0\right) \;\wedge\; m < 1", None),
    (Implies(P, ForAll(b, REAL, Q)), r"b < 0 \;\Rightarrow\; \forall\, b \in \mathbb{R}:\ m < 1", None),
    (Not(R), r"n \ne 2", "n ≠ 2"),
    (Not(P), r"\neg\left(b < 0\right)", "not (b < 0)"),
    (TendsTo(b * epsilon, epsilon, sp.S.Zero, sp.S.Zero), r"b \epsilon \xrightarrow[\epsilon \to 0^{+}]{} 0", None),
    (TendsTo(b / sigma, sigma, sp.S.Zero, sp.oo), r"\frac{b}{\sigma} \xrightarrow[\sigma \to \infty]{} 0", None),
]  # fmt: skip


@pytest.mark.parametrize("statement, latex, text", CASES, ids=range(len(CASES)))
def test_a_statement_is_grouped_as_it_binds(statement: Statement, latex: str | None, text: str | None) -> None:
    assert latex is None or statement.latex() == latex
    assert text is None or statement.text() == text
    assert latex or text


def test_a_disjunction_substitutes_in_its_members() -> None:
    assert Or(P, Q).substitute({m: b}) == Or(P, Less(b, sp.S.One))
    assert Or(P, Q).free_symbols == {b, m}
