"""Evidence by kernels: what the certificates beside the generated files say, and how those out of date or damaged are found."""
from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import mope_theory as mt
from mope_impl.certify import certificate
from mope_impl.ledger.ledger import Row
from mope_impl.ledger.providers.kernel import GENERATED, kernels

CLAIM = mt.claim("phase.rope-angle")
NAMES = [spec.name for spec in mt.specs() if spec.claim == CLAIM.id]
FORMULAS = {spec.name: spec.digest for spec in mt.specs()}


def body(name: str, source: bytes) -> dict[str, object]:
    """The fields that the ledger reads."""
    made = {
        "schema": certificate.SCHEMA,
        "source_sha256": hashlib.sha256(source).hexdigest(),
        "formula_sha256": FORMULAS[name],
        "verdicts": {"forward": {"method": "proved"}},
        "errors": {"forward": {"float32": {"ratio": 1.25}, "float64": {"ratio": None}}},
    }
    return {**made, "digest": certificate.digest(made)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two kernels of one backend, each with its certificate."""
    own = tmp_path / "torch"
    own.mkdir()
    (own / "__init__.py").touch()
    for name in NAMES:
        (own / f"{name}.py").write_bytes(b"# a kernel\n")
        certificate.write(body(name, b"# a kernel\n"), own / f"{name}.cert.json")
    return tmp_path


def edited(folder: Path, **fields: object) -> None:
    """Change fields of the first certificate, the digest with them."""
    path = folder / f"torch/{NAMES[0]}.cert.json"
    held = {**json.loads(path.read_text(encoding="utf-8")), **fields}
    certificate.write({**held, "digest": certificate.digest(held)}, path)


def test_certified_kernels_are_evidence_that_establishes_nothing_alone(folder):
    (piece,) = kernels(CLAIM, folder)
    assert (piece.kind, piece.side, piece.establishes, piece.status) == ("kernel", "published", None, "holds")
    assert all(f"{name} (torch): proved, bounds at most 1.25 times what was observed" in piece.detail for name in NAMES)
    row = Row(CLAIM, (piece,), None)
    assert "kernel" in CLAIM.requires
    assert "kernel" not in row.missing
    assert row.verdict == "open"


def test_a_claim_without_kernels_has_no_such_evidence(folder):
    assert kernels(mt.claim("report.arithmetic"), folder) == ()


def test_a_certificate_counts_for_its_claim_also_where_none_is_asked_for():
    claim = mt.claim("kernel.rank-one")
    assert "kernel" not in claim.requires
    (piece,) = kernels(claim)
    assert piece.status == "holds"
    assert "xpos_rotary (torch)" in piece.detail


def test_a_kernel_speaks_for_further_claims():
    """The certificate of the encoding proves its gradients, which another claim is about."""
    (piece,) = kernels(mt.claim("learning.gradients"))
    assert (piece.status, piece.establishes) == ("holds", None)
    assert "morlet_encoding (triton)" in piece.detail


def test_what_changed_since_is_stale(folder):
    (folder / f"torch/{NAMES[0]}.py").write_bytes(b"# another kernel\n")
    (piece,) = kernels(CLAIM, folder)
    assert (piece.status, piece.detail) == ("stale", f"{NAMES[0]} (torch): modified since certified")
    edited(folder, formula_sha256="0" * 64)
    (piece,) = kernels(CLAIM, folder)
    assert (piece.status, piece.detail) == ("stale", f"{NAMES[0]} (torch): certified for another formula")
    assert "kernel" in Row(CLAIM, (piece,), None).missing


def test_a_kernel_without_file_or_certificate_is_missing(folder):
    (folder / f"torch/{NAMES[0]}.cert.json").unlink()
    (piece,) = kernels(CLAIM, folder)
    assert (piece.status, piece.detail) == ("missing", f"{NAMES[0]} (torch): no certificate")
    (folder / f"torch/{NAMES[0]}.py").unlink()
    assert kernels(CLAIM, folder)[0].status == "missing"


@pytest.mark.parametrize(
    "fields, says",
    [
        ({"schema": 2}, "schema 2"),
        ({"verdicts": {}}, "without verdicts"),
        ({"verdicts": {"forward": {"method": "undecided"}}}, 'verdict on forward is {"method": "undecided"}'),
        ({"verdicts": {"forward": "proved"}}, "verdict on forward"),
    ],
)
def test_a_certificate_that_is_none_fails(folder, fields, says):
    edited(folder, **fields)
    (piece,) = kernels(CLAIM, folder)
    assert piece.status == "fails"
    assert says in piece.detail
    assert Row(CLAIM, (piece,), None).failed


def test_a_certificate_that_was_damaged_fails(folder):
    path = folder / f"torch/{NAMES[1]}.cert.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(": 1.25", ":  1.25"), encoding="utf-8")
    assert "it is not as certificates are written" in kernels(CLAIM, folder)[0].detail
    path.write_text(text.replace("1.25", "1.24"), encoding="utf-8")
    assert "its digest is not that of the other fields" in kernels(CLAIM, folder)[0].detail
    path.write_text("{", encoding="utf-8")
    assert kernels(CLAIM, folder)[0].detail == f"{NAMES[1]} (torch): a certificate that cannot be read"
    path.write_text("[]", encoding="utf-8")
    assert kernels(CLAIM, folder)[0].status == "fails"


def test_every_backend_is_looked_at(folder):
    other = folder / "other"
    other.mkdir()
    (other / "__init__.py").touch()
    (piece,) = kernels(CLAIM, folder)
    assert piece.status == "missing"
    assert f"{NAMES[0]} (other)" in piece.detail


def test_the_folder_is_that_of_the_package():
    assert (GENERATED / "torch" / f"{NAMES[0]}.py").is_file()
