"""``mope proofs``, and the formal level of ``mope verify``, on a machine without Coq and with faults to tell."""

from __future__ import annotations

import json

import pytest

from mope_impl.cli import main
from mope_impl.formal import check as checking
from mope_impl.formal.outcome import Fault, Outcome
from mope_impl.ledger.providers import formal


@pytest.fixture
def no_coq(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    formal._checked.cache_clear()
    yield
    formal._checked.cache_clear()


def test_without_coq_one_line_says_how_to_get_it(no_coq, capsys):
    assert main(["proofs"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "apt-get install coq" in told


def test_without_coq_no_claim_shows_formal_evidence(no_coq, capsys):
    asked = ["verify", "kernel.product", "kernel.factorisation", "--level", "formal"]
    assert main([*asked, "--json", "-"]) == 0
    out, err = capsys.readouterr()
    for claim in json.loads(out)["claims"]:
        assert [(piece["status"], piece["establishes"]) for piece in claim["evidence"]] == [("missing", None)]
        assert "formal" in claim["missing"]
    assert sum(line.startswith("formal: not checked on this machine") for line in err.splitlines()) == 1
    assert "apt-get install coq" in err
    assert main([*asked, "--strict"]) == 1


def test_a_fault_is_told_and_fails(monkeypatch, capsys, tmp_path):
    outcome = Outcome((), (Fault("kernel.product", "ClaimsKernel.wrong does not prove it"), Fault(None, "a file")), "8.16.1", 1.0)
    monkeypatch.setattr(checking, "check", lambda: outcome)
    target = tmp_path / "proofs.json"
    assert main(["proofs", "--json", str(target)]) == 1
    told = capsys.readouterr().err
    assert "kernel.product: ClaimsKernel.wrong does not prove it" in told
    assert "proofs: a file" in told
    assert [fault["claim"] for fault in json.loads(target.read_text())["faults"]] == ["kernel.product", None]
