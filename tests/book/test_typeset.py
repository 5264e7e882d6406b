"""Statements and derivations as the pages set them."""
from __future__ import annotations

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.book.typeset import LONG, box, latex, members, rows, superscripts, tree
from mope_theory.derivation import Line
from mope_theory.statement import And, Equal, ForAll, Implies, Less, LessEqual, Not
from mope_theory.symbols import b, m, n, omega, sigma

A, B = Equal(m, n), Less(m, sigma)


def test_a_statement_without_a_conjunction_is_its_own_tex():
    for statement in (A, Not(A), ForAll(b, sp.S.Reals, B), Implies(A, B)):
        assert latex(statement) == statement.latex()


def test_a_conjunction_is_stacked_wherever_it_stands():
    stack = rf"\left\{{\begin{{aligned}} & {A.latex()} \\ & {B.latex()} \end{{aligned}}\right."
    assert latex(And(A, B)) == stack
    assert latex(ForAll(b, sp.S.Reals, And(A, B))).endswith(stack)
    assert stack in latex(Not(ForAll(b, sp.S.Reals, And(A, B))))


def test_a_long_implication_takes_two_lines():
    long = Implies(Equal(sum(sp.symbols("x1:12", real=True)), m), Equal(sum(sp.symbols("y1:12", real=True)), n))
    assert len(long.latex()) > LONG
    assert latex(long).count(r"\\") == 1
    assert latex(long).index(long.hypothesis.latex()) < latex(long).index(r"\Rightarrow")


def test_the_members_of_a_statement():
    assert members(And(A, B)) == (A, B)
    assert members(A) == (A,)


def test_the_box_puts_symbols_of_one_range_together():
    assert box(mt.claim("kernel.product")) == r"\omega, m, n \in \mathbb{R},\quad \sigma \in \left(0, \infty\right)"


def test_every_derivation_is_a_tree_with_all_its_steps():
    def links(branch):
        yield from branch.steps
        for premise in branch.premises:
            yield from links(premise)

    for claim in mt.claims():
        for derivation in claim.derivations:
            shown = [step.statement for step in links(tree(derivation.outline()))]
            for step in derivation.steps:
                assert step.statement in shown


def test_a_chain_begins_with_its_first_side_and_goes_on_with_signs():
    (derivation,) = mt.claim("kernel.product").derivations
    lines = list(rows(tree(derivation.outline())))
    assert len(lines) == len(derivation.steps) + 1
    assert lines[0].rule == ""
    assert all(line.tex.startswith("= ") and line.rule == "normal form" for line in lines[1:])
    # Put together again they are the two sides of the statement.
    assert derivation.statement.latex() == f"{lines[0].tex} {lines[-1].tex}"


def test_a_chain_of_one_step_is_one_line():
    (line,) = rows(tree([Line(0, A, "chain"), Line(1, A, "normal form", "a lemma")]))
    assert (line.tex, line.rule, line.lemma) == (A.latex(), "normal form", "a lemma")


def test_an_inequality_keeps_its_sign():
    steps = [Line(0, LessEqual(m, sigma), "chain"), Line(1, A, "normal form"), Line(1, LessEqual(n, sigma), "certificate")]
    assert [line.tex for line in rows(tree(steps))] == ["m", "= n", r"\le \sigma"]


@pytest.mark.parametrize("depths", [(), (1,), (0, 2), (0, 0)])
def test_lines_that_are_no_tree_are_refused(depths):
    with pytest.raises(ValueError):
        tree(Line(depth, Equal(omega, m), "chain") for depth in depths)


@pytest.mark.parametrize(
    "text, pieces",
    [
        ("plain", [("plain", False)]),
        ("e^{−x} ≥ 1", [("e", False), ("−x", True), (" ≥ 1", False)]),
        ("b^2", [("b", False), ("2", True)]),
        ("a ^ b", [("a ^ b", False)]),
    ],
)
def test_powers_are_raised(text, pieces):
    assert list(superscripts(text)) == pieces
