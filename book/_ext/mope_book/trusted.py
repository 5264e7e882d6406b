"""What is trusted, on a page: ``{lemmas}``, ``{facts}``, ``{axioms}``, ``{libraries}``, ``{semantics}`` of the statements."""
from __future__ import annotations

from importlib.metadata import requires, version
from re import split

import sympy as sp
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from mope_impl.book.sources import summary
from mope_impl.book.trust import anchor, axioms
from mope_impl.book.typeset import expression, latex
from mope_theory.lemmas import LEMMAS
from mope_theory.lemmas.axioms import AXIOMS, Axiom
from mope_theory.statement import STATEMENTS, LessEqual

from .elements import display, element, prose, sentence, tag
from .ledger import ClaimLink, rows

log = logging.getLogger(__name__)


class Lemmas(SphinxDirective):
    """Every lemma with what it says, how it is proved, and the axioms that it takes from analysis."""

    def run(self) -> list[nodes.Node]:
        for lemma in LEMMAS:
            if not lemma.proved():
                log.warning("the lemma %r is not proved", lemma.name, location=self.get_location(), type="mope")
        return [tag("section", *(_lemma(lemma) for lemma in LEMMAS), cls="lemmas")]


def _lemma(lemma: object) -> element:
    parts: list[nodes.Node | str] = [tag("p", tag("b", *prose(lemma.name)), cls="lemma-name")]
    if hasattr(lemma, "order"):
        parts.append(display(f"{LessEqual(sp.S.Zero, lemma.expr).latex()} \\qquad ({_range(lemma.x)})"))
        proof = f"Proved by Taylor’s theorem with {lemma.order} derivatives at 0, whose signs are decided by normal form."
    elif hasattr(lemma, "identities"):
        proof = f"Proved from {len(lemma.identities)} identities, each decided by normal form."
    else:
        proof = summary(type(lemma))
    parts.append(tag("p", proof, " It takes from analysis:" if lemma.axioms else " It takes nothing from analysis."))
    parts.append(tag("ul", *(tag("li", *prose(str(axiom))) for axiom in lemma.axioms)))
    return tag("div", *parts, cls="lemma-box")


def _range(symbol: sp.Symbol) -> str:
    return f"{expression(symbol)} \\ge 0" if symbol.is_nonnegative else f"{expression(symbol)} \\in \\mathbb{{R}}"


class Facts(SphinxDirective):
    """The facts of analysis that lemmas take as known, each once, with the lemmas that use it."""

    def run(self) -> list[nodes.Node]:
        users: dict[str, list[str]] = {}
        for lemma in LEMMAS:
            for fact in lemma.axioms:
                users.setdefault(str(fact), []).append(lemma.name)
        entries = [
            tag("li", *prose(fact), tag("span", "used for: ", *prose("; ".join(names)), cls="users"))
            for fact, names in users.items()
        ]
        return [tag("ul", *entries, cls="axioms")]


class Axioms(SphinxDirective):
    """The theorems that derivations cite without proof, each with its reference and the claims that rest on it."""

    def run(self) -> list[nodes.Node]:
        if not AXIOMS:
            return [tag("p", "No derivation cites one yet.")]
        claims = [row.claim for row in rows(self.env)]
        return [_axiom(axiom, [claim.id for claim in claims if axiom in axioms(claim)]) for axiom in AXIOMS]


def _axiom(axiom: Axiom, users: list[str]) -> element:
    resting = sentence(*(ClaimLink(id, id) for id in users)) or ["no claim"]
    return tag(
        "div",
        tag("p", tag("b", *prose(axiom.name)), cls="lemma-name"),
        display(latex(axiom.statement)),
        tag("p", *prose(axiom.reference), cls="reference"),
        tag("p", "Cited for ", *resting, ".", cls="users"),
        cls="lemma-box",
        id=anchor(axiom),
    )


LIBRARIES = {
    "sympy": "holds expressions, and compares and prints them; polynomials with rational coefficients are multiplied by it",
    "mpmath": "evaluates at random points, which can only refuse a step, and is the reference in the tests of the kernels",
    "python-flint": "ball arithmetic (Arb): every enclosure, and every inequality between numbers",
    "numpy": "draws; rounds the intervals outwards that bound kernels, by IEEE 754; evaluates in 80 bits for searches",
    "scipy": "quantiles of Student’s distribution, by which the runs are judged",
    "torch": "runs the generated kernels: its primitives are tested, not proved; what is observed of them is computed by it",
    "typer": "the command line; nothing is decided by it",
    "rich": "tables on the command line; nothing is decided by it",
}
"""What each library that the package needs is trusted with."""


class Libraries(SphinxDirective):
    """The libraries that the package needs, in the versions of this build, with what each is trusted with."""

    def run(self) -> list[nodes.Node]:
        needed = [split(r"[^\w.-]", line)[0] for line in requires("mope") or () if "extra ==" not in line]
        for name in set(needed) ^ set(LIBRARIES):
            log.warning("the list of libraries and the dependencies differ: %s", name, location=self.get_location(), type="mope")
        rows = [
            tag("tr", tag("th", tag("code", name), scope="row"), tag("td", version(name)), tag("td", LIBRARIES.get(name, "")))
            for name in needed
        ]
        heads = (tag("th", text, scope="col") for text in ("Library", "Version", "Trusted with"))
        table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows), cls="inputs")
        return [tag("div", table, cls="scroll", tabindex="0")]


class Semantics(SphinxDirective):
    """What each form of statement says: the docstrings of the vocabulary."""

    def run(self) -> list[nodes.Node]:
        entries = [x for kind in STATEMENTS for x in (tag("dt", kind.__name__), tag("dd", *prose(summary(kind))))]
        return [tag("dl", *entries, cls="rules")]


def setup(app: Sphinx) -> None:
    app.add_directive("lemmas", Lemmas)
    app.add_directive("facts", Facts)
    app.add_directive("axioms", Axioms)
    app.add_directive("libraries", Libraries)
    app.add_directive("semantics", Semantics)
