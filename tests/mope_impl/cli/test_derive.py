"""``mope derive``: every statement and step, with its rule, in three formats."""
from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.cli.checked import CheckedLine, checked_outline
from mope_impl.cli.derive import FORMATS
from mope_impl.cli.render import entries, tex_text
from mope_impl.cli.tools import node
from mope_theory import registry
from mope_theory.derivation import Chain, Line, Outcome, Step, chain
from mope_theory.logic import Conjunction, conjunction
from mope_theory.rules import Decide, Rewrite
from mope_theory.statement import And, Equal
from mope_theory.symbols import P, b, m, n

BOOK = Path(__file__).resolve().parents[3] / "book/_ext"
DERIVED = [claim.id for claim in mt.claims() if claim.derivations]


@pytest.fixture
def swap(monkeypatch):
    """Put another claim in place of a registered one."""

    def swap(claim):
        table = {**registry._by_id(), claim.id: claim}
        monkeypatch.setattr(registry, "_by_id", lambda: table)

    return swap


_SHOWN = {}


@pytest.fixture
def shown(mope):
    """What ``mope derive`` shows of a claim as it is, derived once for all tests."""

    def shown(id, style):
        if (id, style) not in _SHOWN:
            _SHOWN[id, style] = mope("derive", id, "--format", style)
        return _SHOWN[id, style]

    return shown


def test_text_shows_each_step_with_its_rule(mope):
    result = mope("derive", "kernel.product")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].startswith("kernel.product")
    assert "published: conj(ψ(n, ω, σ))*ψ(m, ω, σ) = exp((-m^2 - n^2)/(2*σ^2))*exp(ⅈ*ω*(m - n))" in lines
    steps = [line for line in lines if line.endswith("[normal form]")]
    assert len(steps) == len(mt.claim("kernel.product").derivations[0].steps)
    assert steps[1].lstrip().startswith("= ")


def test_the_lemma_of_a_step_is_named(mope):
    assert "[normal form: Gaussian integral: complete the square]" in mope("derive", "kernel.cross-correlation").out


def test_a_corrected_claim_shows_refutation_and_derivation(mope):
    out = mope("derive", "limit.sinusoidal").out
    assert "\nrefutation of the published statement\n" in out
    assert "\nderivation of our statement\n" in out


@pytest.mark.parametrize("id", DERIVED)
def test_latex_is_balanced_and_plain_ascii(shown, id):
    result = shown(id, "latex")
    assert (result.code, result.err) == (0, "")
    assert result.out.isascii()
    assert "?" not in result.out
    body = re.sub(r"(?m)^%.*$", "", result.out)
    assert re.search(r"(?<!\\)[%#_]\w*\}?\}$", body, re.M) is None
    plain = re.sub(r"\\[{}]", "", body)
    assert plain.count("{") == plain.count("}")
    assert body.count("\\begin{align*}") >= len(mt.claim(id).derivations)
    assert body.count("\\begin{") == body.count("\\end{")
    assert body.count(r"\left") - body.count(r"\leftarrow") == body.count(r"\right") - body.count(r"\rightarrow")
    for block in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", body, re.S):
        assert not block.endswith(r"\\")
        assert all(line.endswith(r" \\") for line in block.split("\n")[:-1])


@pytest.mark.requires("node", "jupyter-book")
def test_mathjax_sets_every_formula(shown, monkeypatch):
    monkeypatch.syspath_prepend(BOOK)
    from mope_book.offline import mathjax

    formulas = []
    for id in DERIVED:
        latex, markdown = (shown(id, style).out for style in ("latex", "markdown"))
        formulas += re.findall(r"\\\[ (.*?) \\\]$|(\\begin\{align\*\}.*?\\end\{align\*\})", latex, re.S | re.M)
        ranges = [re.findall(r"(?m)^(?:\\noindent )?For \$(.*)\$:$", text) for text in (latex, markdown)]
        assert ranges[0] == ranges[1]
        assert len(ranges[0]) == bool(mt.claim(id).box)
        formulas += [(formula, "") for formula in ranges[0]]
        formulas += [(formula, "") for formula in re.findall(r"^\$\$\n(.*?)\n\$\$$", markdown, re.S | re.M)]
    items = [{"tex": one or two, "display": True} for one, two in formulas]
    assert len(items) > 4 * len(DERIVED)
    planted = {"tex": r"\frac{1}{", "display": True}
    done = subprocess.run(
        [node(), str(BOOK / "mope_book/texlint.cjs"), str(mathjax())],
        input=json.dumps({"macros": {}, "items": [*items, planted]}),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert [failed["tex"] for failed in json.loads(done.stdout)] == [planted["tex"]]


def compiled(document: str, folder: Path) -> bool:
    """Whether TeX makes pages of a document without an error."""
    (folder / "claim.tex").write_text(document, encoding="ascii")
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "claim.tex"]
    done = subprocess.run(call, cwd=folder, capture_output=True, encoding="latin-1", check=False)
    assert "Overfull" not in done.stdout  # nothing runs over the edge of a page
    return done.returncode == 0


@pytest.mark.requires("pdflatex")
@pytest.mark.parametrize("id", DERIVED)
def test_the_latex_of_every_claim_is_a_document_that_compiles(shown, tmp_path, id):
    document = shown(id, "latex").out
    assert document.startswith("\\documentclass")
    assert compiled(document, tmp_path)
    assert (tmp_path / "claim.pdf").stat().st_size > 0
    assert not compiled(document.replace(r"\]", r"\frac{1}{ \]", 1), tmp_path)


@pytest.mark.parametrize("id", DERIVED)
def test_markdown_pairs_its_dollars(shown, id):
    out = shown(id, "markdown").out
    assert out.startswith("## ")
    assert out.count("\n$$\n") % 2 == 0
    assert out.count(r"\begin{aligned}") == out.count(r"\end{aligned}") > 0
    assert all("$$" not in line for line in out.splitlines() if line != "$$")


@pytest.mark.parametrize("style", FORMATS)
def test_the_ranges_of_the_symbols_are_printed(mope, style):
    out = mope("derive", "kernel.product", "--format", style).out
    tex = r"For $\omega, m, n \in \mathbb{R},\quad \sigma \in \left(0, \infty\right)$:"
    assert ("\nfor ω ∈ ℝ, σ ∈ (0, ∞), m ∈ ℝ, n ∈ ℝ\n" if style == "text" else tex) in out


def test_formulas_stand_in_one_column_from_the_left_moved_in_by_depth(mope):
    out = mope("derive", "limit.rope-kernel", "--format", "latex").out
    first = re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", out, re.S)[0].split(" \\\\\n")
    assert [re.match(r"& ((?:\\quad )*)", line)[1].count(r"\quad") for line in first] == [0, 1, 2, 3]
    assert first[3].startswith(r"& \quad \quad \quad \le ")  # goes on from the line above: one further than that
    assert all(line.count("&") == 3 for line in first)


@pytest.mark.parametrize("style", FORMATS)
def test_a_claim_without_derivation_shows_its_statements(mope, swap, style):
    swap(replace(mt.claim("kernel.product"), derivations=()))
    result = mope("derive", "kernel.product", "--format", style)
    assert (result.code, result.err) == (2, "mope: kernel.product has no derivation yet\n")
    assert "published" in result.out
    assert "erivation of" not in result.out


CLAIM = mt.claim("kernel.product")
WRONG = chain(P(m, n), (Decide(), 2 * P(m, n)), (Decide(), CLAIM.published.rhs))


@pytest.mark.parametrize("style", FORMATS)
def test_a_wrong_step_is_marked_where_it_is_shown(mope, swap, style):
    swap(replace(CLAIM, derivations=(WRONG,)))
    result = mope("derive", "kernel.product", "--format", style)
    assert result.code == 1
    assert result.err.startswith("kernel.product: derivation fails: step 1: not Equal")
    assert "erivation of the published statement (not proved)" in result.out
    marked = [line for line in result.out.splitlines() if "[NOT PROVED: not Equal: " in line]
    assert len(marked) == 2  # each of the two steps is off by the factor 2
    assert all("normal form" in line for line in marked)
    assert "?" not in result.out


@pytest.mark.parametrize("style", FORMATS)
def test_what_holds_bears_no_mark(mope, style):
    assert "not proved" not in mope("derive", "limit.sinusoidal", "--format", style).out.lower()


def failures(derivation, reason: str = "it fails") -> list[str]:
    return [line.failure for line in checked_outline(derivation, reason)]


@pytest.mark.parametrize("id", ["kernel.product", "limit.sinusoidal", "limit.no-position"])
def test_each_failure_has_the_line_of_its_own(id, monkeypatch):
    """The walk over the inferences goes with the outline: what is planted wrong is marked, and it alone."""
    real = Step.check
    for derivation in mt.claim(id).derivations:
        lines = list(derivation.outline())
        assert failures(derivation, "as a whole") == ["as a whole"] + [""] * (len(lines) - 1)
        for wrong in derivation.steps:
            fails = Outcome("fails", "planted")
            monkeypatch.setattr(Step, "check", lambda self, wrong=wrong, fails=fails: fails if self == wrong else real(self))
            marked = [line for line in checked_outline(derivation, "it fails") if line.failure == "planted"]
            assert marked
            assert {(line.statement, line.rule) for line in marked} == {(wrong.statement, wrong.rule.name)}
        monkeypatch.setattr(Step, "check", real)


@pytest.mark.parametrize("id", DERIVED)
def test_a_failure_is_marked_in_every_kind_of_outline(id, monkeypatch):
    """The last step of each derivation is planted wrong: it is marked, or, where it has no line, the first line is."""
    for derivation in (one for one in mt.claim(id).derivations if one.steps):
        wrong = derivation.steps[-1]
        with monkeypatch.context() as patch:
            patch.setattr(Step, "check", lambda self, wrong=wrong: Outcome("fails", "planted" if self == wrong else ""))
            lines = checked_outline(derivation, "it fails")
        marked = {line.rule for line in lines if line.failure == "planted"}
        stated = any((line.statement, line.rule) == (wrong.statement, wrong.rule.name) for line in lines)
        assert marked == {wrong.rule.name} if stated else lines[0].failure == "it fails"


def test_a_node_that_is_not_of_the_calculus_is_marked():
    class Foreign(Conjunction):
        """A rule from outside."""

    foreign = Foreign(And(Equal(b, m)), (chain(b, (Decide(), m)),))
    assert failures(foreign)[0] == "Foreign is not a rule of this calculus"


def test_a_failure_below_a_rewrite_and_a_node_is_marked_below_them():
    wrong = Chain(Equal(b, m), (Step(b, m, Decide()),))
    right = chain(sp.S(1) + b, (Decide(), b + 1 + m - m + n), (Rewrite(wrong), m + 1 + n))
    outline = [(line.depth, line.rule, line.failure) for line in checked_outline(conjunction(right), "it fails")]
    assert [(depth, rule) for depth, rule, _ in outline] == [
        (0, "conjunction"), (1, "chain"), (2, "normal form"), (2, "chain"), (3, "normal form"), (2, "rewrite"),
    ]  # fmt: skip
    marked = [bool(failure) for *_, failure in outline]
    assert marked == [False, False, True, False, True, True]


def test_a_fault_of_the_chain_itself_is_marked_at_its_head():
    torn = Chain(Equal(b, 2 * b), (Step(b, sp.expand((b + 1) ** 2) - b**2 - b - 1, Decide()),))
    assert failures(torn) == ["", "an identity step: both ends are the same expression"]
    torn = Chain(Equal(b, 2 * b), (Step((b + 1) ** 2 - b**2 - b - 1, b, Decide()),))
    assert failures(torn) == ["the ends of the chain are not the sides of the statement", ""]


def test_entries_leave_out_what_is_said_already():
    first, second = Equal(b, m), Equal(m, n)
    shown = list(entries([Line(0, Equal(b, n), "chain"), Line(1, first, "rule"), Line(1, second, "rule", "lemma")]))
    assert [row.left for row in shown] == [b, b, None]
    assert shown[2].why == "rule: lemma"


def test_premises_that_stand_side_by_side_do_not_go_on():
    lines = [Line(0, Equal(b, n), "at a value"), Line(1, Equal(b, m), "assumption"), Line(1, Equal(m, n), "assumption")]
    assert [row.left for row in entries(lines)] == [b, b, m]


def test_what_is_long_is_set_in_blocks(monkeypatch, mope):
    """MathJax reads only so far after a command that stands for others."""
    whole = mope("derive", "limit.sinusoidal", "--format", "latex").out
    monkeypatch.setattr("mope_impl.cli.derive.BLOCK", 500)
    cut = mope("derive", "limit.sinusoidal", "--format", "latex").out
    blocks = re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", cut, re.S)
    assert len(blocks) > whole.count(r"\begin{align*}") == 2
    assert all(len(block) <= 600 or block.count("\n") == 0 for block in blocks)
    rows = [re.sub(r" \\\\$", "", line) for line in whole.splitlines() if line.startswith("& ")]
    assert [line.removesuffix(r" \\") for block in blocks for line in block.split("\n")] == rows


def test_a_chain_of_one_step_is_that_step():
    (shown,) = entries([Line(2, Equal(b, m), "chain", note="given b ≥ 0"), Line(3, Equal(b, m), "normal form")])
    assert (shown.depth, shown.why) == (2, "normal form given b ≥ 0")


@pytest.mark.parametrize("above, below", [("torn", ""), ("", "wrong")])
def test_a_chain_that_is_shown_as_its_step_keeps_its_mark(above, below):
    lines = [CheckedLine(0, Equal(b, m), "chain", failure=above), CheckedLine(1, Equal(b, m), "rule", failure=below)]
    (shown,) = entries(lines)
    assert shown.mark == f"[NOT PROVED: {above or below}]"


@pytest.mark.parametrize(
    "given, expected",
    [
        ("1 − e^{−x} ≤ x", r"1 $-$ $e^{-x}$ $\le$ x"),
        ("e^y ≥ 1 + y", r"$e^{y}$ $\ge$ 1 + y"),
        ("50 % of {a_b}", r"50 \% of \{a\_b\}"),
        ("⌈σ⌉", r"$\lceil \sigma \rceil$"),
        ("x = b/σ^2", r"x = b/$\sigma^{2}$"),
        ("|ψ̂(0)|", r"$| \hat{\psi}$(0)$|$"),
        ("k₁₂ ∀ x⁻³", r"k$_{12}$ $\forall$ x$^{-3}$"),
        ("2^{−σ}", r"$2^{-\sigma}$"),
        ("5 $π", r"5 \$$\pi$"),
        ("ⅈ·ϖ ∈ ℂ", r"$\mathrm{i} \cdot \varpi$ $\in$ $\mathbb{C}$"),
        ("snow ☃", "snow ?"),
    ],
)
def test_text_in_latex(given, expected):
    assert tex_text(given) == expected
