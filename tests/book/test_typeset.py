"""Statements and derivations as the pages set them."""
from __future__ import annotations

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.book.extent import extent
from mope_impl.book.typeset import STEP_ROOM, box, expression, latex, members, numbers, plain, rows, scripts, tree
from mope_theory.derivation import Line
from mope_theory.statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual, Not, Or, Statement, TendsTo
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


LONG = Equal(sum(sp.symbols("x1:12", real=True)), m)
LONGER = Equal(sum(sp.symbols("y1:16", real=True)), n)


def lines(tex: str) -> list[str]:
    """The lines of the outermost block."""
    inner = tex.removeprefix(r"\begin{aligned} & ").removesuffix(r" \end{aligned}")
    return inner.split(r" \\ & ") if inner != tex else [tex]


WIDTH = extent(LONGER.latex())


def test_a_long_implication_is_broken_before_its_arrow():
    broken = latex(Implies(LONG, LONGER), WIDTH + 4)
    assert lines(broken) == [LONG.latex(), rf"\quad \Rightarrow\; {LONGER.latex()}"]
    assert latex(Implies(LONG, LONGER), 2 * WIDTH) == Implies(LONG, LONGER).latex()


def test_a_long_statement_is_broken_after_its_quantifiers():
    statement = Exists(m, sp.S.Integers, ForAll(n, sp.S.Reals, LONGER))
    quantifiers = r"\exists\, m \in \mathbb{Z}:\ \forall\, n \in \mathbb{R}:"
    assert lines(latex(statement, WIDTH + 2)) == [quantifiers, rf"\quad {LONGER.latex()}"]
    assert latex(statement, 2 * WIDTH) == statement.latex()
    # Quantifiers that do not fit beside each other take a line each.
    assert lines(latex(statement, 7))[:2] == quantifiers.split(r"\ ")


def test_a_long_relation_is_broken_at_its_sign_and_then_before_its_terms():
    left, right = LONG.lhs, LONGER.lhs
    assert lines(latex(Less(left, right), WIDTH + 4)) == [expression(left), rf"\quad < {expression(right)}"]
    tall = latex(LessEqual(sp.Abs(right - m), sp.S.One), WIDTH / 2)
    assert tall.count(r"\\") == 3
    assert r"- m" in tall
    assert lines(latex(TendsTo(right, sigma, m, sp.oo), WIDTH))[-1] == r"\quad \xrightarrow[\sigma \to \infty]{} m"
    assert lines(latex(Or(LONG, LONGER), WIDTH + 4)) == [LONG.latex(), rf"\quad \vee\; {LONGER.latex()}"]


def test_what_binds_loosely_keeps_its_parentheses_when_it_is_broken():
    every = ForAll(b, sp.S.Reals, LONG)
    first, second = lines(latex(Implies(every, every), extent(every.latex()) + 4))
    assert first == rf"\left({every.latex()}\right)"
    assert second == rf"\quad \Rightarrow\; {every.latex()}"


def bare(tex: str) -> str:
    """What is left of a formula without its lines and its spaces."""
    for mark in (r"\begin{aligned}", r"\end{aligned}", "[t]", r"\\", "&", r"\quad", r"\;", "\\ ", " "):
        tex = tex.replace(mark, "")
    return tex


def connectives(statement: Statement) -> int:
    """How many conjunctions and disjunctions are in it: they may trade parentheses for lines."""
    inner = sum(connectives(part) for part in statement.parts() if isinstance(part, Statement))
    return inner + isinstance(statement, (And, Or))


@pytest.mark.parametrize("room", [8, 16, STEP_ROOM, 1000])
def test_no_claim_loses_a_sign_when_it_is_broken(room):
    compared = 0
    for claim in mt.claims():
        for statement in (x for side in claim.statements.values() for x in members(side)):
            if not connectives(statement):
                assert bare(latex(statement, room)) == bare(statement.latex())
                compared += 1
    assert compared > 100


def test_breaking_makes_narrow():
    shown = [x for claim in mt.claims() for side in claim.statements.values() for x in members(side)]
    flat = [x for x in shown if extent(x.latex()) > 2 * STEP_ROOM]
    assert flat
    for statement in flat:
        assert extent(latex(statement, STEP_ROOM)) < extent(statement.latex()) / 1.5


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


FIRST, SECOND = Equal(m, n), Equal(n, sigma)
DERIVED = [Line(1, FIRST, "normal form"), Line(1, SECOND, "instance"), Line(2, Equal(b, sigma), "chain")]


def test_a_link_may_be_what_was_derived_before():
    shown = tree([Line(0, Equal(m, sigma), "chain"), *DERIVED])
    assert [step.statement for step in shown.steps] == [FIRST, SECOND]
    assert [branch.statement for branch in shown.premises] == [SECOND]
    assert [row.rule for row in rows(shown)] == ["", "normal form", "as derived above"]


def test_what_a_link_is_closed_with_is_no_link():
    shown = tree([Line(0, Equal(m, sigma), "chain"), *DERIVED, Line(1, SECOND, "monotone")])
    assert [step.branch.rule for step in shown.steps] == ["normal form", "monotone"]
    assert [branch.rule for branch in shown.premises] == ["instance"]
    assert [row.rule for row in rows(shown)] == ["", "normal form", "monotone"]


def test_an_equation_that_was_derived_is_read_backwards_where_it_is_used_so():
    shown = tree([Line(0, Equal(sigma, m), "chain"), *DERIVED[1:], Line(1, Equal(n, m), "normal form")])
    assert [step.statement for step in shown.steps] == [Equal(sigma, n), Equal(n, m)]
    assert [row.tex for row in rows(shown)] == [r"\sigma", "= n", "= m"]


@pytest.mark.parametrize("depths", [(), (1,), (0, 2), (0, 0)])
def test_lines_that_are_no_tree_are_refused(depths):
    with pytest.raises(ValueError):
        tree(Line(depth, Equal(omega, m), "chain") for depth in depths)


@pytest.mark.parametrize(
    "text, pieces",
    [
        ("plain", [("plain", "")]),
        ("e^{−x} ≥ 1", [("e", ""), ("−x", "sup"), (" ≥ 1", "")]),
        ("b^2", [("b", ""), ("2", "sup")]),
        ("a ^ b", [("a ^ b", "")]),
        ("ω_eff is", [("ω", ""), ("eff", "sub"), (" is", "")]),
        ("Σ_j k_{j+1}", [("Σ", ""), ("j", "sub"), (" k", ""), ("j+1", "sub")]),
        ("∫_ε^∞ f", [("∫", ""), ("ε", "sub"), ("∞", "sup"), (" f", "")]),
        ("as σς_j", [("as σς", ""), ("j", "sub")]),
        ("my_name, _x and x_", [("my_name, _x and x_", "")]),
    ],
)
def test_powers_are_raised_and_indices_lowered(text, pieces):
    assert list(scripts(text)) == pieces


@pytest.mark.parametrize(
    "code, text",
    [
        ("2**-53", "2^{−53}"),
        ("|omega*b| <= 2**24", "|ω·b| ≤ 2^{24}"),
        ("positions, sigma", "positions, σ"),
        ("in (0, inf], |b_0| >= 1", "in (0, ∞], |b₀| ≥ 1"),
        ("a = sqrt(2)*σ*sqrt(log(2))", "a = √2·σ·√(ln 2)"),
        ("r = -sqrt(x + 1), log(a + 1), [-1, 2]", "r = −√(x + 1), ln(a + 1), [−1, 2]"),
        ("one-sided, at i - 1, my_log(2)", "one-sided, at i − 1, my_log(2)"),
    ],
)
def test_arithmetic_in_code_is_set_as_prose(code, text):
    assert plain(code) == text


@pytest.mark.parametrize(
    "tex, short",
    [
        (r"\left[- 9007199254740992, 8192\right]", r"\left[- 2^{53}, 8192\right]"),
        (r"\frac{1}{100000000}", r"\frac{1}{10^{8}}"),
        ("16777217, 123456", "16777217, 123456"),
    ],
)
def test_long_numbers_are_powers_where_they_are(tex, short):
    assert numbers(tex) == short


def test_a_prefix_of_a_name_is_no_greek_letter():
    assert plain("omega_hat omegas info my_1") == "omega_hat omegas info my_1"
