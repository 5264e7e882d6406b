"""The check of the formal proofs, and what it must refuse: weakened, false, assumed and misnamed theorems, changed formulas."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.formal import build as building
from mope_impl.formal import source as sources
from mope_impl.formal.audit import ALLOWED
from mope_impl.formal.check import BUILD, PROOFS, check, core
from mope_impl.formal.outcome import Outcome
from mope_theory.statement import And, LessEqual
from mope_theory.symbols import K, psi

pytestmark = pytest.mark.requires("coqc")


@pytest.fixture(scope="module")
def whole() -> Outcome:
    """Everything, built where `make proofs` builds it."""
    return check()


@pytest.fixture
def copy(whole: Outcome, tmp_path: Path) -> tuple[Path, Path]:
    """A copy of the proofs, and of what is built of them, to plant faults in."""
    shutil.copytree(PROOFS, tmp_path / "proofs")
    shutil.copytree(BUILD, tmp_path / "build")
    return tmp_path / "proofs", tmp_path / "build"


def faults(copy: tuple[Path, Path], module: str) -> str:
    """What is found wrong, in one text."""
    return "\n".join(f"{fault.claim}: {fault.what}" for fault in check(*copy, modules=[module]).faults)


def edit(copy: tuple[Path, Path], file: str, old: str, new: str) -> None:
    path = copy[0] / "theories" / file
    text = path.read_text()
    assert text.count(old) >= 1, f"{old} is not in {file}"
    path.write_text(text.replace(old, new, 1))


def test_every_theorem_is_accepted(whole):
    assert whole.faults == ()
    assert len(whole.theorems) > 70
    assert all(set(t.axioms) <= ALLOWED and t.seconds >= 0 for t in whole.theorems)


def test_every_claim_that_asks_for_a_formal_proof_has_one(whole):
    asked = {claim.id for claim in mt.claims() if "formal" in claim.requires}
    assert {t.claim for t in whole.theorems} == asked


def test_what_is_left_out_of_the_second_checker_rests_on_a_heavy_library():
    left = {path.stem for path in (PROOFS / "theories").glob("*.v")} - set(core())
    assert {"Vocabulary", "Statements", "Kernel", "ClaimsKernel"} <= set(core())
    assert all("Numeric" in name or "Rounding" in name for name in left)


# --- theorems that are not what they should be ---

PRODUCT = "Theorem kernel_product_published : Statements.kernel_product_published."

NAME = "kernel_product_published"
FREE = "Proof. Abort.\n"
EXACT = "\nProof. exact I. Qed.\n"

SHADOW = f"""Module Statements. Definition {NAME} := True. End Statements.
Theorem {NAME} : Statements.{NAME}.{EXACT}"""

WEAKENED = {
    "of something else": (f"Theorem {NAME} : True.{EXACT}Theorem other : Statements.{NAME}.", f"{NAME} has no theorem"),
    "left open": (f"Theorem open_end : False.\nProof. Admitted.\n{PRODUCT}", "Admitted"),
    "from an axiom": (f"Axiom free : False.\n{PRODUCT}", "Axiom"),
    "from a parameter": (f"Parameter free : False.\n{PRODUCT}", "Parameter"),
    "from a hypothesis outside a section": (f"Hypothesis free : False.\n{PRODUCT}", "Hypothesis"),
    "with a check switched off": (f"Unset Guard Checking.\n{PRODUCT}", "Unset Guard Checking"),
    "of a statement of the same name": (f"{SHADOW}Theorem original : Mope.Statements.{NAME}.", f"{NAME} does not prove"),
    "of the negation under the plain name": (
        f"Theorem {NAME} : ~ Statements.{NAME}.\n{FREE}Theorem original : Statements.{NAME}.",
        "of no printed statement of its name",
    ),
    "of no statement": (f"Theorem nothing : Statements.nothing.\n{FREE}{PRODUCT}", "of no printed statement of its name"),
    "that is false": (f"Theorem wrong : forall m n : R, m = n.\nProof. intros. ring. Qed.\n{PRODUCT}", "ClaimsKernel.v"),
}


@pytest.mark.parametrize("mutant", WEAKENED)
def test_a_weakened_theorem_is_refused(copy, mutant):
    new, told = WEAKENED[mutant]
    edit(copy, "ClaimsKernel.v", PRODUCT, new)
    assert told in faults(copy, "ClaimsKernel")


def test_an_axiom_is_seen_by_the_audit_too(copy, monkeypatch):
    monkeypatch.setattr(building, "FORBIDDEN", building.re.compile(r"\bno such word\b"))
    text = (copy[0] / "theories/ClaimsKernel.v").read_text()
    start = text.index(PRODUCT) + len(PRODUCT)
    end = text.index("Qed.", start) + len("Qed.")
    cheat = "\nProof. destruct free. Qed."
    (copy[0] / "theories/ClaimsKernel.v").write_text(
        text[: start - len(PRODUCT)] + "Axiom free : False.\n" + PRODUCT + cheat + text[end:]
    )
    told = next(line for line in faults(copy, "ClaimsKernel").splitlines() if "rests on" in line)
    assert told.startswith("kernel.product: ")
    assert told.endswith("free")


def test_statements_edited_by_hand_are_told_and_not_used(copy):
    edit(copy, "Statements.v", "< 1.", "<= 1.")
    assert "Statements.v is not what the claims say" in faults(copy, "ClaimsKernel")
    assert (copy[1] / "theories/Statements.v").read_text() == sources.source()


def test_words_that_mean_something_else_break_the_proofs(copy):
    edit(copy, "Vocabulary.v", "exp (fst z) * sin (snd z)", "exp (fst z) * cos (snd z)")
    assert "Algebra.v" in faults(copy, "ClaimsKernel")


def test_an_option_that_weakens_coq_is_refused(copy):
    path = copy[0] / "_CoqProject"
    path.write_text("-arg -type-in-type\n" + path.read_text())
    assert "-type-in-type" in faults(copy, "ClaimsKernel")


def test_a_file_that_is_not_listed_is_told(copy):
    (copy[0] / "theories/Stray.v").write_text("Definition stray := True.\n")
    assert "does not list theories/Stray.v" in faults(copy, "ClaimsKernel")


def test_the_list_of_what_is_unproved_has_to_be_true(copy):
    path = copy[0] / "claims.json"
    listed = json.loads(path.read_text())
    path.write_text(json.dumps({**listed, "unproved": {**listed["unproved"], "kernel_product_published": "it is proved"}}))
    assert "kernel_product_published is unproved only in claims.json" in faults(copy, "ClaimsKernel")


def test_a_pinned_statement_that_is_not_proved_is_told(copy):
    path = copy[0] / "claims.json"
    listed = json.loads(path.read_text())
    stronger = {"kernel.product": [{"theorem": "Kernel.product", "statement": "forall m n : R, m = n"}]}
    path.write_text(json.dumps({**listed, "pinned": stronger}))
    assert "kernel.product: Kernel.product does not prove what it is asked for" in faults(copy, "Kernel")


# --- formulas that are changed where they are written ---


def halved_exponent(head):
    def definition(self):
        argument, frequency, width = self.args[:3]
        return sp.exp(sp.I * frequency * argument) * sp.exp(-(argument**2) / (8 * width**2))

    return definition


def changed(claim_id: str, side: str, member: int, change) -> tuple[mt.Claim, ...]:
    """The claims, one member of one statement changed."""
    claim = mt.claim(claim_id)
    body = list(claim.statements[side].body)
    body[member - 1] = change(body[member - 1])
    other = replace(claim, **{side: And(*body)})
    return tuple(other if one.id == claim_id else one for one in mt.claims())


def test_another_kernel_turns_it_red(copy, monkeypatch):
    monkeypatch.setattr(K, "definition", halved_exponent(K))
    told = faults(copy, "ClaimsKernel")
    assert "Bridge.v" in told or "ClaimsKernel.v" in told


def test_another_packet_turns_it_red(copy, monkeypatch):
    own = psi.definition
    monkeypatch.setattr(psi, "definition", lambda self: halved_exponent(psi)(self) if len(self.args) == 3 else own(self))
    told = faults(copy, "ClaimsKernel")
    assert "Bridge.v" in told or "ClaimsKernel.v" in told


def test_another_rate_turns_it_red(copy, monkeypatch):
    claims = changed("limit.rope-kernel", "ours", 1, lambda member: LessEqual(member.lhs, member.rhs / 2))
    monkeypatch.setattr(sources.mt, "claims", lambda: claims)
    assert "ClaimsLimit.v" in faults(copy, "ClaimsLimit")


def test_another_gradient_turns_it_red(copy, monkeypatch):
    claims = changed("learning.gradients", "ours", 3, lambda member: LessEqual(member.lhs, sp.Rational(9, 10) * member.rhs))
    monkeypatch.setattr(sources.mt, "claims", lambda: claims)
    assert "ClaimsLearning.v" in faults(copy, "ClaimsLearning")


def test_a_dropped_range_turns_it_red(copy, monkeypatch):
    claim = mt.claim("definition.envelope")
    box = {s: sp.S.Reals if s.name == "sigma" else domain for s, domain in claim.box.items()}
    claims = tuple(replace(one, box=box) if one.id == claim.id else one for one in mt.claims())
    monkeypatch.setattr(sources.mt, "claims", lambda: claims)
    assert "ClaimsDefinition.v" in faults(copy, "ClaimsDefinition")
