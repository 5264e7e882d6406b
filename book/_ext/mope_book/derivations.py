"""The steps of a derivation as the checker saw them: nested lists, of which the long ones fold."""
from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

import mope_theory as mt
from mope_impl.book.typeset import Branch, latex, plain, tree
from mope_impl.book.typeset import rows as chain_rows
from mope_theory.claim import Claim

from .elements import display, element, prose, tag

OPEN_LINES, INNER_LINES, MAIN_LINES = 8, 16, 4
"""A derivation of more lines is shown folded; within one that is opened, a side premise of more lines folds, and the largest
premise of a line goes on at its level if it has more."""


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
    """A line, then what it rests on: its main premise goes on at the same level, as one says "it is enough to show", and the
    others are set in. So the depth grows with the logarithm of the length alone."""
    if branch.rule == "conjunction":
        yield tag("ol", *(tag("li", *_folded(premise)) for premise in branch.premises), cls="members")
        return
    main = branch.main(MAIN_LINES)
    sides = [premise for premise in branch.premises if premise is not main]
    if branch.is_chain:  # what its links are closed with comes before
        yield from _branch(main) if main else ()
        yield from (tag("div", *_folded(premise), cls="premise") for premise in sides)
        yield _chain(branch)
        return
    yield _own_line(branch)
    if sides:
        yield tag("ul", *(tag("li", *_folded(premise)) for premise in sides), cls="premises")
    yield from _branch(main) if main else ()


def _folded(branch: Branch) -> Iterator[nodes.Node]:
    """A branch below another; a long one shows what it proves, and folds how."""
    if branch.lines <= INNER_LINES:
        yield from _branch(branch)
        return
    if branch.is_chain or branch.rule == "conjunction":
        yield _line(display(latex(branch.statement)), "derived below")
        below = list(_branch(branch))
    else:
        first, *below = _branch(branch)
        yield first
    yield tag("details", tag("summary", f"how: {branch.lines} lines"), *below, cls="inner")


def _own_line(branch: Branch) -> element:
    return _line(display(latex(branch.statement)), branch.rule, branch.lemma, branch.note)


def _chain(branch: Branch) -> element:
    given = [tag("p", *prose(plain(branch.note)), cls="given")] if branch.note else []
    lines = (_line(display(row.tex), row.rule, row.lemma, row.note) for row in chain_rows(branch))
    return tag("div", *given, *lines, cls="chain")


def _line(formula: nodes.Node, rule: str, lemma: str = "", note: str = "") -> element:
    why: list[nodes.Node | str] = [rule]
    if note:
        why += [" ", *prose(plain(note))]
    if lemma:
        why += [tag("span", *prose(lemma), cls="lemma")]
    return tag("div", tag("div", formula, cls="formula"), tag("div", *why, cls="why"), cls="step")
