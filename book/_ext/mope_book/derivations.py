"""The steps of a derivation as the checker saw them: nested lists, of which the long ones fold."""
from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

import mope_theory as mt
from mope_impl.book.typeset import Branch, latex, tree
from mope_impl.book.typeset import rows as chain_rows
from mope_theory.claim import Claim

from .elements import display, element, prose, tag

OPEN_LINES, INNER_LINES = 8, 16
"""A derivation of more lines is shown folded; within one that is opened, what a step rests on folds if it has more."""


def derivation_steps(claim: Claim, derivation: mt.Derivation) -> element:
    """One derivation of a claim: which statement it proves or refutes, its size, and its lines."""
    top = tree(derivation.outline())
    spoken = claim.speaks_of(derivation.statement)
    side, truth = spoken if spoken else ("", None)
    of = {"published": "the statement of the paper", "ours": "our statement"}.get(side, "another statement")
    verb = "Refutation" if truth is False else "Derivation"
    steps = len(derivation.steps)
    size = f"{steps} step{'s' if steps != 1 else ''}" if steps else derivation.rule_name
    summary = tag("summary", tag("b", f"{verb} of {of}"), tag("span", size, cls="size"))
    shown = {"open": "open"} if top.lines <= OPEN_LINES else {}
    return tag("details", summary, *_branch(top), cls="derivation", **shown)


def _branch(branch: Branch) -> Iterator[nodes.Node]:
    """A branch as nested lists: what is proved and by which rule, then what that rests on."""
    if branch.is_chain:
        yield from (tag("div", *_folded(premise), cls="premise") for premise in branch.premises)
        yield _chain(branch)
        return
    if branch.rule == "conjunction":
        yield tag("ol", *(tag("li", *_folded(premise)) for premise in branch.premises), cls="members")
        return
    yield _line(display(latex(branch.statement)), branch.rule, branch.lemma, branch.note)
    if branch.premises:
        yield tag("ul", *(tag("li", *_folded(premise)) for premise in branch.premises), cls="premises")


def _folded(branch: Branch) -> Iterator[nodes.Node]:
    """A branch below another; a long one shows what it proves, and folds how."""
    if branch.lines <= INNER_LINES:
        yield from _branch(branch)
        return
    yield _line(display(latex(branch.statement)), branch.rule, branch.lemma, branch.note)
    summary = tag("summary", f"{branch.lines} lines")
    yield tag("details", summary, *_branch(branch), cls="inner")


def _chain(branch: Branch) -> element:
    given = [tag("p", *prose(branch.note), cls="given")] if branch.note else []
    lines = (_line(display(row.tex), row.rule, row.lemma, row.note) for row in chain_rows(branch))
    return tag("div", *given, *lines, cls="chain")


def _line(formula: nodes.Node, rule: str, lemma: str, note: str = "") -> element:
    why: list[nodes.Node | str] = [rule]
    if note:
        why += [" ", *prose(note)]
    if lemma:
        why += [tag("span", *prose(lemma), cls="lemma")]
    return tag("div", tag("div", formula, cls="formula"), tag("div", *why, cls="why"), cls="step")
