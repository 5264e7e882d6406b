"""``mope derive``: every statement and step, with its rule, in three formats."""
from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import mope_theory as mt
from mope_impl.cli.render import rows, tex_text
from mope_impl.cli.tools import node
from mope_theory import registry
from mope_theory.derivation import Line, chain
from mope_theory.rules import Decide
from mope_theory.statement import Equal
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


def test_text_shows_each_step_with_its_rule(mope):
    result = mope("derive", "kernel.product")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].startswith("kernel.product")
    assert "published: conj(ψ(n, ω, σ))*ψ(m, ω, σ) = exp((-m^2 - n^2)/(2*σ^2))*exp(i*ω*(m - n))" in lines
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
def test_latex_is_balanced_and_plain_ascii(mope, id):
    result = mope("derive", id, "--format", "latex")
    assert (result.code, result.err) == (0, "")
    assert result.out.isascii()
    assert "?" not in result.out
    body = re.sub(r"(?m)^%.*$", "", result.out)
    assert re.search(r"(?<!\\)[%#_]\w*\}?\}$", body, re.M) is None
    plain = re.sub(r"\\[{}]", "", body)
    assert plain.count("{") == plain.count("}")
    assert body.count("\\begin{align*}") == len(mt.claim(id).derivations)
    assert body.count("\\begin{") == body.count("\\end{")
    assert body.count(r"\left") - body.count(r"\leftarrow") == body.count(r"\right") - body.count(r"\rightarrow")
    for block in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", body, re.S):
        assert not block.endswith(r"\\")
        assert all(line.endswith(r" \\") for line in block.split("\n")[:-1])


@pytest.mark.requires("node", "jupyter-book")
def test_mathjax_sets_every_formula(mope, monkeypatch):
    monkeypatch.syspath_prepend(BOOK)
    from mope_book.offline import mathjax

    formulas = []
    for id in DERIVED:
        latex, markdown = (mope("derive", id, "--format", style).out for style in ("latex", "markdown"))
        formulas += re.findall(r"\\\[ (.*?) \\\]$|(\\begin\{align\*\}.*?\\end\{align\*\})", latex, re.S | re.M)
        formulas += [(formula, "") for formula in re.findall(r"^\$\$\n(.*?)\n\$\$$", markdown, re.S | re.M)]
    items = [{"tex": one or two, "display": True} for one, two in formulas]
    assert len(items) >= 4 * len(DERIVED)
    planted = {"tex": r"\frac{1}{", "display": True}
    done = subprocess.run(
        [node(), str(BOOK / "mope_book/texlint.cjs"), str(mathjax())],
        input=json.dumps({"macros": {}, "items": [*items, planted]}),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert [failed["tex"] for failed in json.loads(done.stdout)] == [planted["tex"]]


@pytest.mark.parametrize("id", DERIVED)
def test_markdown_pairs_its_dollars(mope, id):
    out = mope("derive", id, "--format", "markdown").out
    assert out.startswith("## ")
    assert out.count("\n$$\n") % 2 == 0
    assert out.count(r"\begin{aligned}") == out.count(r"\end{aligned}") > 0


def test_a_claim_without_derivation_is_named(mope, swap):
    swap(replace(mt.claim("kernel.product"), derivations=()))
    assert mope("derive", "kernel.product") == (2, "", "mope: kernel.product has no derivation yet\n")


def test_a_wrong_step_is_shown_and_fails(mope, swap):
    claim = mt.claim("kernel.product")
    wrong = chain(P(m, n), (Decide(), 2 * P(m, n)), (Decide(), claim.published.rhs))
    swap(replace(claim, derivations=(wrong,)))
    result = mope("derive", "kernel.product")
    assert result.code == 1
    assert result.err.startswith("kernel.product: derivation fails: step 1")


def test_rows_leave_out_what_is_said_already():
    first, second = Equal(b, m), Equal(m, n)
    shown = list(rows([Line(0, Equal(b, n), "chain"), Line(1, first, "rule"), Line(1, second, "rule", "lemma")]))
    assert [row.left for row in shown] == [b, b, None]
    assert shown[2].why == "rule: lemma"


def test_a_chain_of_one_step_is_that_step():
    (shown,) = rows([Line(2, Equal(b, m), "chain", note="given b ≥ 0"), Line(3, Equal(b, m), "normal form")])
    assert (shown.depth, shown.why) == (2, "normal form given b ≥ 0")


@pytest.mark.parametrize(
    "given, expected",
    [
        ("1 − e^{−x} ≤ x", r"1 $-$ $e^{-x}$ $\le$ x"),
        ("e^y ≥ 1 + y", r"$e^{y}$ $\ge$ 1 + y"),
        ("50 % of {a_b}", r"50 \% of \{a\_b\}"),
        ("⌈σ⌉", r"$\lceil$$\sigma$$\rceil$"),
        ("snow ☃", "snow ?"),
    ],
)
def test_text_in_latex(given, expected):
    assert tex_text(given) == expected
