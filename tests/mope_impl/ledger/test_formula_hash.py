"""The hash that evidence is kept under: the same for the same, another for whatever decides the evidence otherwise."""
from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.ledger import formula_hash as module
from mope_impl.ledger import verify
from mope_impl.ledger.formula_hash import MATERIAL, NoHash, checker_sources, formula_hash
from mope_theory.claim import Claim
from mope_theory.derivation import Chain, Step, chain
from mope_theory.rules import Decide
from mope_theory.statement import Equal
from mope_theory.symbols import Head, b, m, n, omega, psi, sigma

ROOT = Path(__file__).resolve().parents[3]
BOTH = mt.claim("kernel.cross-correlation")


def hashes() -> dict[tuple[str, str], str]:
    return {(claim.id, kind): formula_hash(claim, kind) for claim in mt.claims() for kind in MATERIAL}


def test_every_claim_has_a_hash_of_its_own_for_each_kind():
    found = hashes()
    assert len(set(found.values())) == len(found) == 2 * len(mt.claims())


def test_the_hash_is_that_of_another_process_under_another_seed():
    code = "from tests.mope_impl.ledger.test_formula_hash import *; print(*hashes().values())"
    here = " ".join(hashes().values())
    for seed in ("0", "1", "4711"):
        call = [sys.executable, "-c", code]
        done = subprocess.run(call, cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == here


def test_checking_changes_no_hash():
    before = hashes()
    verify(["kernel.product", "limit.no-position", "report.units"])
    assert hashes() == before


def with_title(claim: Claim) -> Claim:
    return replace(claim, title="Another", reason="None.", reading="None", uses=("kernel.product",), requires=("derivation",))


def other_rule(claim: Claim) -> Claim:
    (own,) = claim.derivations
    return replace(claim, derivations=(replace(own, links=own.links[1:]),))


CHANGES = {
    "id": lambda claim: replace(claim, id="kernel.other"),
    "statement": lambda claim: replace(claim, published=Equal(claim.published.lhs, 2 * claim.published.rhs)),
    "side": lambda claim: replace(claim, published=None, ours=claim.published),
    "box": lambda claim: replace(claim, box={**claim.box, omega: sp.Interval(0, 1)}),
    "derivation": other_rule,
    "enclosure": lambda claim: replace(claim, enclosures=(replace(claim.enclosures[0], bits=claim.enclosures[0].bits + 1),)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_decides_the_evidence_changes_its_hash(change):
    other = CHANGES[change](BOTH)
    changed = {kind for kind in MATERIAL if formula_hash(other, kind) != formula_hash(BOTH, kind)}
    assert changed == ({change} if change in MATERIAL else set(MATERIAL))


def test_what_only_readers_see_changes_nothing():
    assert all(formula_hash(with_title(BOTH), kind) == formula_hash(BOTH, kind) for kind in MATERIAL)


def stated(value: sp.Basic) -> str:
    return formula_hash(replace(BOTH, published=Equal(value, sp.S.One)), "derivation")


class Imposter(Head):
    """ψ in print, with another meaning."""

    nargs = 3

    def definition(self) -> sp.Expr:
        return sp.S.One

    def _sympyrepr(self, printer: object) -> str:
        return sp.srepr(psi(*self.args))


class Namesake(Imposter):
    """One that says it is defined where ψ is."""


Namesake.__module__, Namesake.__qualname__ = psi.__module__, psi.__qualname__



@pytest.mark.parametrize(
    "one, other",
    [
        (sp.Symbol("x", real=True), sp.Symbol("x", positive=True)),
        (sp.Symbol("x"), sp.Function("f")(sp.Symbol("x")).args[0] + 1),
        (sp.Integer(2), sp.Float(2)),
        (sp.Float("0.1", 15), sp.Float("0.1", 30)),
        (sp.Rational(1, 2), sp.Rational(2, 1)),
        (psi(b, omega, sigma), psi(omega, b, sigma)),
        (sp.Add(b, b, evaluate=False), 2 * b),
        (sp.Mul(b, m + n, evaluate=False), sp.Mul(b, sp.Add(m, n, b, evaluate=False), evaluate=False)),
        (sp.pi, sp.E),
    ],
)
def test_values_that_differ_have_hashes_that_differ(one, other):
    assert stated(one) != stated(other)


def test_a_class_that_prints_as_another_is_seen_through():
    assert sp.srepr(Imposter(b, omega, sigma)) == sp.srepr(psi(b, omega, sigma))
    assert stated(Imposter(b, omega, sigma)) != stated(psi(b, omega, sigma))
    with pytest.raises(NoHash, match=r"symbols\.psi"):  # under that name is another class
        stated(Namesake(b, omega, sigma))


def test_dummies_count_by_their_places():
    def integral(first: sp.Dummy, second: sp.Dummy) -> str:
        return stated(sp.Integral(sp.Integral(first * sp.exp(-(second**2)), (first, 0, 1)), (second, 0, 1)))

    x, y, z = (sp.Dummy("x", real=True) for _ in range(3))
    assert integral(x, y) == integral(z, sp.Dummy("x", real=True))
    assert integral(x, y) != integral(x, x)


@dataclass(frozen=True)
class Trusting(Decide):
    """A rule from outside the checker."""


def test_what_cannot_be_taken_apart_has_no_hash():
    step = Step(b, m, Decide())
    object.__setattr__(step, "rhs", lambda: None)
    with pytest.raises(NoHash, match="lambda"):
        formula_hash(replace(BOTH, derivations=(Chain(Equal(b, m), (step,)),)), "derivation")
    object.__setattr__(step, "rhs", object())
    with pytest.raises(NoHash, match=r"builtins\.object"):
        formula_hash(replace(BOTH, derivations=(Chain(Equal(b, m), (step,)),)), "derivation")


def test_the_file_of_a_class_from_elsewhere_counts(monkeypatch):
    foreign = replace(BOTH, derivations=(chain(b, (Trusting(), m)),))
    before = formula_hash(foreign, "derivation")
    real = module._file_digest
    monkeypatch.setattr(module, "_file_digest", lambda path: b"edited" if path == Path(__file__) else real(path))
    assert formula_hash(foreign, "derivation") != before


def test_the_checker_is_the_theory_without_its_claims():
    names = {path.relative_to(ROOT).as_posix() for path in checker_sources()}
    for part in ("derivation.py", "lemmas/gaussian.py", "decide/normal_form.py", "enclosure/subdivision.py", "symbols.py"):
        assert f"mope_theory/{part}" in names
    assert "mope_impl/ledger/providers/derivation.py" in names
    assert not any("/claims/" in name or "/specs/" in name for name in names)


@pytest.mark.parametrize(
    "place, changes",
    [
        ("mope_theory/lemmas/gaussian.py", True),
        ("mope_theory/decide/field.py", True),
        ("mope_impl/ledger/providers/derivation.py", True),
        ("mope_theory/claims/limit.py", False),  # another claim's file: what it gives is taken apart as objects
        ("mope_impl/ledger/verdict.py", False),
    ],
)
def test_the_source_of_the_checker_counts(tmp_path, place, changes):
    for package in ("mope_theory", "mope_impl"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    code = (
        "import mope_theory as mt; from mope_impl.ledger.formula_hash import formula_hash\n"
        "print(formula_hash(mt.claim('kernel.product'), 'derivation'))"
    )

    def seen() -> str:
        options = {"cwd": tmp_path, "env": {"PYTHONPATH": str(tmp_path)}, "capture_output": True, "text": True}
        return subprocess.run([sys.executable, "-c", code], check=True, **options).stdout

    before = seen()
    path = tmp_path / place
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    assert (seen() != before) is changes
