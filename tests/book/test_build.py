"""The build: the real book comes out whole and without a network, and what is wrong in a page fails it."""
from __future__ import annotations

import json
import re
from functools import cache
from math import log2
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

import mope_theory as mt
from mope_impl.book import BookError
from mope_impl.book.extent import extent
from mope_impl.book.notation import definition, definitions
from mope_impl.book.pictures import pictures
from mope_impl.book.typeset import HALF_ROOM, LEDGER_ROOM, latex, members, scripts
from mope_impl.certify.rounding import PLATFORMS
from mope_impl.ledger import Row, verify
from mope_theory.lemmas import LEMMAS
from mope_theory.lemmas.axioms import AXIOMS
from mope_theory.logic import Cite
from mope_theory.statement import STATEMENTS

from .conftest import NOTEBOOK, ROOT, Book, SmallBook, without_network

OPEN_LINES, MAIN_LINES = 8, 4
"""A derivation of more lines than the former is folded; a premise of more than the latter may go on at the level of its line."""

pytestmark = pytest.mark.requires("jupyter-book", "pygraphviz", "node")


@cache
def soup(page: Path) -> BeautifulSoup:
    """A page, parsed once for all tests: none changes it."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def cell(code: str, *tags: str) -> str:
    head = f":tags: [{', '.join(tags)}]\n" if tags else ""
    return f"```{{code-cell}} ipython3\n{head}{code}\n```\n\n"


# --- the real book -------------------------------------------------------------------------------------------------------


def test_it_builds_without_a_network(real_book: Book):
    if without_network() is None:
        pytest.skip("this machine cannot cut the network (unshare -n)")
    assert real_book.cut
    assert "build succeeded." in real_book.log


def test_every_formula_was_set(real_book: Book):
    counted = re.search(r"formulas: (\d+) set by MathJax", real_book.log)
    assert counted is not None
    assert int(counted[1]) > 100


@pytest.fixture(scope="module")
def ledger() -> dict[str, Row]:
    """Every claim with its evidence, computed here."""
    return {row.claim.id: row for row in verify(levels=("all",))}


@pytest.fixture(scope="module")
def verdicts(ledger: dict[str, Row]) -> dict[str, str]:
    return {id: row.verdict for id, row in ledger.items()}


def test_every_claim_is_in_the_ledger_with_its_computed_verdict(real_book: Book, verdicts: dict[str, str]):
    rows = soup(real_book.pages / "index.html").select("table.ledger tbody tr")
    shown = {row["id"].removeprefix("row-"): row["data-verdict"] for row in rows}
    assert shown == verdicts


def test_every_node_of_the_map_leads_to_its_claim(real_book: Book):
    page = soup(real_book.pages / "index.html")
    nodes = page.select(".claim-map .claim")
    assert sorted(node["data-id"] for node in nodes) == sorted(claim.id for claim in mt.claims())
    for node in nodes:
        (link,) = node.select("a")
        name, _, anchor = link["href"].partition("#")
        target = soup(real_book.pages / name) if name else page
        assert target.find(id=anchor) is not None, link["href"]
        assert anchor.endswith(node["data-id"])
        assert mt.claim(node["data-id"]).title in link["aria-label"]


def test_the_arrows_of_the_map_are_the_uses(real_book: Book):
    edges = soup(real_book.pages / "index.html").select(".claim-map .edge")
    drawn = {(edge["data-from"], edge["data-to"]) for edge in edges}
    assert drawn == {(used, claim.id) for claim in mt.claims() for used in claim.uses}


def boxes(book: Book) -> dict[str, Tag]:
    """Claim → its box, on the page of its topic."""
    pages = {topic: soup(book.pages / f"topics/{topic}.html") for topic in {claim.topic for claim in mt.claims()}}
    return {claim.id: pages[claim.topic].find(id=claim.id) for claim in mt.claims()}


def test_every_claim_has_its_box_on_the_page_of_its_topic(real_book: Book, verdicts: dict[str, str]):
    for id, box in boxes(real_book).items():
        claim = mt.claim(id)
        assert box.name == "section"
        assert box.find("h2").get_text().startswith(claim.title)
        assert box.select_one(".claim-head .verdict").get_text().endswith(verdicts[id])
        assert f"v-{verdicts[id]}" in box["class"]
        standing = [mark.get_text() for mark in box.select(".statement .standing")]
        assert len(standing) == len(claim.statements)


def test_a_box_shows_the_live_statements_and_every_step(real_book: Book):
    held = boxes(real_book)
    (published,) = held["kernel.product"].select(".statement div.math")
    assert mt.claim("kernel.product").published.latex() in published.get_text()
    for id, box in held.items():
        claim = mt.claim(id)
        assert len(box.select("details.derivation")) == len(claim.derivations)
        assert len(box.select(".derivation .step")) >= len({step for d in claim.derivations for step in d.steps})


def test_what_is_missing_is_said_and_what_has_arrived_is_told(real_book: Book, ledger: dict[str, Row]):
    for id, box in boxes(real_book).items():
        row = ledger[id]
        said = box.select_one(".claim-head .missing")
        assert (said.get_text() if said else "") == (f"missing: {', '.join(row.missing)}" if row.missing else "")
        kinds = [cell.get_text() for cell in box.select("table.evidence tbody th")]
        told = [f"{piece.kind} @{piece.preset}" if piece.preset else piece.kind for piece in row.evidence]
        assert kinds == [*told, *(kind for kind in row.missing if kind not in {piece.kind for piece in row.evidence})]


def test_the_verdict_of_the_runs_stands_at_each_preset(real_book: Book, ledger: dict[str, Row]):
    page = soup(real_book.pages / "index.html")
    for id, row in ledger.items():
        shown = [
            (item.find("code").get_text(), item.select_one(".verdict").get_text().split()[-1])
            for item in page.find(id=f"row-{id}").select(".scopes li")
        ]
        assert shown == [(f"@{scope.preset}", scope.verdict) for scope in row.scopes]
    assert ledger["experiment.table"].scopes


def test_what_is_measured_beside_a_claim_is_in_its_box(real_book: Book):
    box = boxes(real_book)["learning.multipliers"]
    labels = [label.get_text() for label in box.select(".statement .side-label")]
    assert labels[-1] == "What is measured at the ends of runs"


def test_a_box_leads_to_what_it_rests_on_and_what_rests_on_it(real_book: Book):
    for id, box in boxes(real_book).items():
        links = {link.get_text() for link in box.select("dl.notes a.claim-link")}
        assert links == {*mt.claim(id).uses, *(other.id for other in mt.claims() if id in other.uses)}
        kernels = [f"../kernels/{spec.name}.html" for spec in mt.specs() if spec.claim == id]
        assert [link["href"] for link in box.select('dl.notes a[href^="../kernels/"]')] == kernels


def test_a_box_leads_to_the_axioms_that_its_derivations_cite(real_book: Book):
    trusted = soup(real_book.pages / "what-is-trusted.html")
    cited = 0
    for id, box in boxes(real_book).items():
        lines = [line for derivation in mt.claim(id).derivations for line in derivation.outline()]
        links = box.select('dl.notes a[href^="../what-is-trusted.html#"]')
        stated = [line.statement for line in lines if line.rule == Cite.rule_name]
        assert {straight(link.get_text()) for link in links} == {axiom.name for axiom in AXIOMS if axiom.statement in stated}
        for link in links:
            assert id in trusted.find(id=link["href"].partition("#")[2]).select_one(".users").get_text()
            cited += 1
    assert cited


def test_a_box_leads_to_the_line_that_states_its_claim(real_book: Book):
    for id, box in boxes(real_book).items():
        (link,) = (link for link in box.select("dl.notes a") if link.get_text().startswith("mope_theory/"))
        path, _, line = link.get_text().partition(", line ")
        assert soup(real_book.pages / f"topics/{mt.claim(id).topic}.html").find(id=link["href"].removeprefix("#")) is not None
        below = (ROOT / path).read_text(encoding="utf-8").splitlines()[int(line) - 1 :]
        assert any(f'"{id}"' in text for text in below[:4]), (id, path, line)


def test_a_long_derivation_is_folded(real_book: Book):
    folded = 0
    for id, box in boxes(real_book).items():
        for derivation, shown in zip(mt.claim(id).derivations, box.select("details.derivation"), strict=True):
            lines = len(list(derivation.outline()))
            assert shown.has_attr("open") == (lines <= OPEN_LINES)
            folded += not shown.has_attr("open")
    assert folded


def test_a_derivation_is_set_in_by_the_logarithm_of_its_length(real_book: Book):
    """The largest premise goes on at its level, so that each further level halves the lines; lists of members come on top."""
    for box in boxes(real_book).values():
        for derivation in box.select("details.derivation"):
            lines = len(derivation.select(".step"))
            for step in derivation.select(".step"):
                levels = step.find_parents(class_=["premises", "premise", "inner"])
                assert len(levels) <= 2 * log2(lines + 1) + MAIN_LINES


def test_a_statement_in_prose_leads_to_its_box(real_book: Book):
    page = soup(real_book.pages / "kernels-and-limit.html")
    briefs = page.select(".claim-box.brief")
    assert [brief.select_one("a.claim-link")["href"] for brief in briefs] == [
        f"topics/{mt.claim(id).topic}.html#{id}" for id in ("kernel.product", "kernel.cross-correlation", "limit.sinusoidal")
    ]
    assert mt.claim("kernel.product").published.latex() in briefs[0].get_text()


def test_a_box_says_what_its_functions_mean(real_book: Book):
    held = boxes(real_book)
    for id in ("kernel.cross-correlation", "limit.sinusoidal"):
        shown = [line.get_text() for line in held[id].select("p.ranges")]
        (where,) = (line for line in shown if line.startswith("where "))
        meanings = definitions(mt.claim(id).statements.values())
        assert len(meanings) > 1
        assert all(meaning in where for meaning in meanings)
    assert definition("P") in soup(real_book.pages / "kernels-and-limit.html").get_text()


def test_a_topic_page_begins_with_a_list_of_its_claims(real_book: Book, verdicts: dict[str, str]):
    for topic in {claim.topic for claim in mt.claims()}:
        entries = soup(real_book.pages / f"topics/{topic}.html").select("ul.overview > li")
        shown = [(x.find("code").get_text(), x.find(class_="verdict").get_text().split()[-1]) for x in entries]
        assert shown == [(claim.id, verdicts[claim.id]) for claim in mt.claims() if claim.topic == topic]


def test_every_picture_stands_in_the_box_of_its_claim_and_says_what_it_shows(real_book: Book):
    held = boxes(real_book)
    for one in pictures():
        (drawn,) = (x for x in held[one.claim].select("figure .book-drawing") if x["aria-label"] == one.alt)
        figure = drawn.find_parent("figure")
        assert figure["id"] == f"fig-{one.name}"
        assert len(figure.find("figcaption").get_text()) > 100
        assert one.source in figure.get_text()
        assert (ROOT / one.source).is_file()


def test_every_kernel_has_its_page_with_its_files(real_book: Book):
    for spec in mt.specs():
        page = soup(real_book.pages / f"kernels/{spec.name}.html")
        assert [row.find("th").get_text() for row in page.select("table.inputs tbody tr")] == [x.name for x in spec.inputs]
        shown = {x.find("summary").get_text(): code(x.find("pre")) for x in page.select("details.source")}
        backends = (f"mope_impl/generated/{backend}/{spec.name}.py" for backend in ("torch", "triton"))
        paths = [f"mope_theory/specs/{spec.name}.py", *backends]
        assert list(shown) == paths
        for path in paths:
            text = (ROOT / path).read_text(encoding="utf-8")
            assert [line.rstrip() for line in shown[path].strip("\n").split("\n")] == text.strip("\n").split("\n")


def code(listing: Tag) -> str:
    """A listing without its line numbers."""
    return "".join(str(x) for x in listing.find_all(string=True) if "linenos" not in x.parent.get("class", ()))


def test_what_is_trusted_is_listed(real_book: Book):
    page = soup(real_book.pages / "what-is-trusted.html")
    text = straight(page.get_text())
    assert [x.get_text() for x in page.select("dl.rules dt")] == [kind.__name__ for kind in STATEMENTS]
    names = [straight(x.get_text()) for x in page.select(".lemma-name")]
    assert names == [raised(x.name) for x in (*LEMMAS, *AXIOMS)]
    assert all(raised(str(fact)) in text for lemma in LEMMAS for fact in lemma.axioms)
    listed = {row.find("th").get_text() for row in page.select("table.inputs tbody tr")}
    assert {"sympy", "mpmath", "python-flint", "torch"} <= listed


def test_what_certificates_rest_on_is_listed(real_book: Book):
    page = soup(real_book.pages / "what-is-trusted.html")
    rows = {row.find("th").get_text(): row.get_text(" ") for row in page.select("table.hypotheses tbody tr")}
    for name, platform in PLATFORMS.items():
        assert name in rows
        for one in platform.table.values():
            assert all(f"{units:g}" in rows[one.name] for units in one.ulps.values())
    listed = {name.get_text() for name in page.select("dl.operations code")}
    assert {"torch.cos", "tl.exp", ".sum_to_size"} <= listed


def test_the_page_of_a_certificate_shows_each_step(real_book: Book):
    text = soup(real_book.pages / "kernel-certificate.html").get_text()
    for said in (
        "theta = b * omega_", "sin       (5)       float64", "channel 0     proved", '"bound": 2.98', "differs by -sin(b*omega)",
        "what one rounding to the dtype costs", "errors.channel 0.float32.bound: 1.49",
    ):  # fmt: skip
        assert said in text, said


def raised(text: str) -> str:
    """Plain text as a page shows it."""
    return "".join(piece for piece, _ in scripts(text))


def straight(text: str) -> str:
    """Text of a page without its curved apostrophes."""
    return text.replace("’", "'")


def test_the_front_page_says_how_many_claims_are_decided(real_book: Book, verdicts: dict[str, str]):
    decided = sum(verdict not in ("open", "conflict") for verdict in verdicts.values())
    text = " ".join(soup(real_book.pages / "index.html").get_text().split())
    assert f"So far {decided} of {len(verdicts)} claims are decided" in text


def test_the_letters_are_explained_before_they_are_used(real_book: Book):
    page = soup(real_book.pages / "index.html")
    order = [node.get("class")[0] for node in page.select("p.notation, .letters, table.ledger")]
    assert order == ["notation", "letters", "ledger"]


def test_wide_statements_stand_below_each_other(real_book: Book):
    page = soup(real_book.pages / "index.html")
    for claim in (claim for claim in mt.claims() if len(claim.statements) == 2):
        cells = page.find(id=f"row-{claim.id}").select("td.side")
        parts = [latex(x, LEDGER_ROOM) for side in claim.statements.values() for x in members(side)]
        assert len(cells) == (2 if max(map(extent, parts)) <= HALF_ROOM else 1), claim.id
        text = page.find(id=f"row-{claim.id}").get_text()
        assert text.index("statement of the paper") < text.index("our statement")


def test_our_rule_for_experiments_is_not_said_to_be_the_paper_s(real_book: Book):
    row = soup(real_book.pages / "index.html").find(id="row-experiment.table")
    (rule,) = row.select(".rule")
    assert "seeds" in rule.parent.get_text()
    assert rule.get_text().startswith("our rule")


def test_the_references_are_labelled_as_they_are_cited(real_book: Book):
    labels = {x.get_text().strip("[] ") for x in soup(real_book.pages / "index.html").select(".citation .label")}
    cited = {
        x.get_text().strip("[] ") for path in real_book.pages.glob("**/*.html") for x in soup(path).select(".bibtex-citation")
    }
    assert labels == cited == {"Zeris, 2026", "Vaswani et al., 2017", "Su et al., 2024"}


def test_the_accuracy_of_a_kernel_is_prose(real_book: Book):
    (bound,) = soup(real_book.pages / "kernels/morlet_encoding.html").select(".accuracy")
    assert bound.name == "span"
    assert not bound.find_parent("code")
    assert bound.find("sup").get_text() == "−53"


def test_a_cell_of_the_verdict_table_says_of_what_it_is(real_book: Book):
    rows = soup(real_book.pages / "how-a-claim-is-decided.html").select("table.verdict-table tbody tr")
    heads = [cell["data-ours"].removeprefix("ours: ") for cell in rows[0].select("td")]
    assert heads == [row.find("th").get_text() for row in rows]
    assert [cell.get_text().split()[-1] for cell in rows[2].select("td")][:1] == ["corrected"]


def test_the_table_of_mutants_is_the_record(real_book: Book):
    record = json.loads((ROOT / "results" / "mutants.json").read_text(encoding="utf-8"))
    *rows, last = soup(real_book.pages / "how-a-claim-is-decided.html").select("table.mutants tbody tr")
    assert [row.find("th").get_text() for row in rows] == list(record["kinds"])
    assert sum(int(cell.get_text().replace("–", "0")) for cell in last.select("td")) == record["mutants"]


def test_no_page_asks_for_anything_elsewhere(real_book: Book):
    """By the text of the pages; the browser test watches what is asked for when they run."""
    for path in real_book.pages.rglob("*.html"):
        for place in soup(path).select("script[src], link[rel=stylesheet], img[src], iframe[src], source[src]"):
            address = place.get("src") or place.get("href")
            assert not re.match(r"(https?:)?//", address), f"{path.name}: {address}"


# --- planted faults ------------------------------------------------------------------------------------------------------

FAULTS: dict[str, tuple[str, str]] = {
    "stderr": (NOTEBOOK + "# A\n\n" + cell("import sys\nprint('aside', file=sys.stderr)"), "stderr was found"),
    "warning": (NOTEBOOK + "# A\n\n" + cell("import warnings\nwarnings.warn('beware')"), "stderr was found"),
    "reference": ("# A\n\nSee {ref}`nowhere`.", "nowhere"),
    "figure": ("# A\n\nSee {numref}`fig-nowhere`.", "fig-nowhere"),
    "document": ("# A\n\nSee {doc}`nowhere`.", "nowhere"),
    "link": ("# A\n\nSee [there](nowhere.md).", "nowhere.md"),
    "equation": ("# A\n\nSee {eq}`nowhere`.", "nowhere"),
    "citation": ("# A\n\nAs {cite:t}`nobody1999` says.", "nobody1999"),
    "directive": ("# A\n\n```{nonesuch}\n```", "nonesuch"),
    "glue": ("# A\n\n{glue:}`nothing`", "nothing"),
    "orphan": ("# A page that the table of contents forgets", "isn't included in any toctree"),
    "tex-brace": (r"# A" + "\n\n" + r"Here $\frac{1$ is.", "bad TeX"),
    "tex-macro": ("# A\n\n" + r"Here $\nosuchmacro x$ is.", "bad TeX .*nosuchmacro"),
    "tex-power": ("# A\n\n$x^1^2$", "bad TeX"),
    "tex-lines": ("# A\n\n$$\n\\begin{aligned} a &= b \\\\ c &= \\nosuchmacro d \\end{aligned}\n$$", "bad TeX .*nosuchmacro"),
    "tex-environment": ("# A\n\n\\begin{align}\na &= b \\\\\nc &= \\left( d\n\\end{align}", "bad TeX"),
    "tex-label": ("# A\n\n$$\na = \\sqrt{b\n$$ (eq-a)\n\nSee {eq}`eq-a`.", "bad TeX"),
    "tex-output": (
        NOTEBOOK + "# A\n\n" + cell("from IPython.display import Math, display\ndisplay(Math(r'\\frac{1}{'))"),
        "bad TeX",
    ),
    "tex-dollar": ("# A\n\nHere $x + 1 is not closed.", "dollar sign"),
    "claim-box": ("# A\n\n```{claim} kernel.prodct\n```", "unknown claim 'kernel.prodct': did you mean kernel.product"),
    "claim-steps": ("# A\n\n```{derivation} kernel.prodct\n```", "unknown claim 'kernel.prodct'"),
    "claim-role": ("# A\n\nBy {claim}`kernel.prodct`.", "unknown claim 'kernel.prodct'"),
    "claim-derivation": ("# A\n\n```{derivation} experiment.table\n```", "experiment.table has no derivation"),
    "claim-twice": ("# A\n\n```{claim} kernel.product\n```\n\n```{claim} kernel.product\n```", "has a box already"),
    "count": ("# A\n\nOf {count}`nonesuch`.", "no count 'nonesuch'"),
    "definition": ("# A\n\nWith {definition}`nonesuch`.", "no definition of 'nonesuch'"),
    "kernel": ("# A\n\n```{kernel-spec} morlet_encodin\n```", "morlet_encoding"),
    "kernel-file": ("# A\n\n```{kernel-source} morlet_encodin\n```", "no generated file of the kernel 'morlet_encodin'"),
    "statement": ("# A\n\n```{statement} kernel.prodct\n```", "unknown claim 'kernel.prodct'"),
    "topic": ("# A\n\n```{topic} kernels\n```", "no claim of the topic 'kernels'"),
    "picture": ("# A\n\n```{picture} fould\nCaption.\n```", "unknown picture 'fould': did you mean fold"),
    "anchor": ('# A\n\n<a href="index.html#nowhere">there</a>', "a link to index.html#nowhere, which is nowhere"),
    "anchor-own": ('# A\n\n<a href="#nowhere">there</a>', "a link to #nowhere, which is nowhere"),
    "anchor-page": ('# A\n\n<a href="nowhere.html#there">there</a>', "a link to nowhere.html#there, which is nowhere"),
}
"""Name of the page → its text, and what the build must say of it."""

SOUND = (
    NOTEBOOK
    + "# Nothing wrong\n\nAs {cite:t}`known` says of {claim}`limit.sinusoidal` on page {doc}`index`, $e^{i\\pi} = -1$.\n\n"
    + "`$PATH` is code.\n\n"
    + "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n\n"
    + "$$\n\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}\n$$ (eq-sound)\n\nSee {eq}`eq-sound`.\n\n"
    + "```{claim} limit.sinusoidal\n```\n\n```{derivation} limit.sinusoidal\n```\n\n"
    + cell("print('well')")
    + "```{bibliography}\n```\n"
)
MAP = (
    "# Map\n\nOf {count}`claims`, {count}`decided`, with {definition}`psi`.\n\n```{claim-map}\n```\n\n"
    "```{verdict-counts}\n```\n\n```{notation}\n```\n\n```{ledger}\n```\n"
)


def told(log: str, page: str) -> list[str]:
    """What the build said of a page."""
    return [line for line in log.splitlines() if re.search(rf"/{re.escape(page)}(\.md)?\b.*(WARNING|ERROR)", line)]


def test_each_fault_is_told_of_its_page(small_book: SmallBook):
    pages = {"index": MAP, "sound": SOUND, **{name: text for name, (text, _) in FAULTS.items()}}
    with pytest.raises(BookError) as failure:
        small_book(pages)
    log = failure.value.log
    assert told(log, "sound") == []
    assert told(log, "index") == []
    silent = [name for name, (_, says) in FAULTS.items() if not any(re.search(says, line) for line in told(log, name))]
    assert silent == []
    # The error that the user sees holds each of these lines.
    assert all(line in str(failure.value) for name in FAULTS for line in told(log, name))


def test_a_sound_book_builds(small_book: SmallBook):
    book = small_book({"index": MAP, "sound": SOUND})
    assert "WARNING" not in book.log.replace("[IPKernelApp] WARNING", "")
    assert (book.pages / "sound.html").is_file()


@pytest.mark.parametrize("name", ["reference", "tex-lines", "claim-box", "stderr", "anchor"])
def test_one_fault_alone_fails_the_build(small_book: SmallBook, name: str):
    """One of each way in which a fault is found: while references are resolved, pages are finished, pages are read, cells run."""
    text, says = FAULTS[name]
    with pytest.raises(BookError, match=says) as failure:
        small_book({"index": "# Start", name: text})
    assert failure.value.code != 0
    assert len(failure.value.faults) == 1


def test_a_raising_cell_fails_the_build(small_book: SmallBook):
    page = NOTEBOOK + "# A\n\n" + cell("1 / 0")
    with pytest.raises(BookError, match="ZeroDivisionError: division by zero"):
        small_book({"index": "# Start", "raising": page})


def test_a_failed_assertion_fails_the_build(small_book: SmallBook):
    page = NOTEBOOK + "# A\n\n" + cell("assert 1 + 1 == 3, 'arithmetic'", "hide-input")
    with pytest.raises(BookError, match="AssertionError: arithmetic"):
        small_book({"index": "# Start", "raising": page})


@pytest.mark.parametrize(
    "ledger, says",
    [
        ("cyclic", "claims rest on each other: (kernel.product on )?limit.sinusoidal on kernel.product"),
        ("unknown", "claim kernel.product uses kernel.prodct, which is not registered"),
    ],
)
def test_uses_that_are_no_map_fail_the_build(small_book: SmallBook, ledger: str, says: str):
    with pytest.raises(BookError, match=says):
        small_book({"index": MAP}, ledger=ledger)


def test_a_claim_without_a_place_fails_the_build(small_book: SmallBook):
    with pytest.raises(BookError) as failure:
        small_book({"index": "# Map\n\n```{claim-map}\n```\n\n```{claim} kernel.product\n```"})
    homeless = re.findall(r"claim (\S+) has neither a box nor a row", failure.value.log)
    rest = {claim.id for claim in mt.claims()} - {"kernel.product"}
    assert rest <= set(homeless)
    assert "kernel.product" not in homeless


def test_a_page_follows_the_package_that_it_imports(small_book: SmallBook):
    page = {"index": NOTEBOOK + "# A\n\n" + cell("import colour\nprint(colour.NAME)")}
    first = small_book(page, files={"colour.py": "NAME = 'vermilion'"})
    assert "vermilion" in (first.pages / "index.html").read_text(encoding="utf-8")
    (first.pages / "stale.html").touch()
    # The page is the same to the byte; only the module that it imports has changed.
    second = small_book(page, files={"colour.py": "NAME = 'ultramarine'"})
    text = (second.pages / "index.html").read_text(encoding="utf-8")
    assert "ultramarine" in text
    assert "vermilion" not in text
    assert not (second.pages / "stale.html").exists()
    assert not list(second.pages.parent.glob(".book-*"))
