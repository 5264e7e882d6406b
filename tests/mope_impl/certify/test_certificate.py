"""Certificates: each field is held against something, what is written is read again, and each check of the second ring kills."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest

from mope_impl.certify import certificate, check
from mope_impl.certify.sampling import units
from mope_impl.certify.table import DTYPES
from mope_impl.certify.torch.recover import scalars
from mope_theory.specs import spec
from tests.mope_impl.certify import ring
from tests.mope_impl.certify.edits import GENERATED, Edit

SOURCE = (GENERATED / f"{ring.AL}.py").read_bytes()
SCALARS = [scalar for dtype in DTYPES for scalar in scalars(SOURCE, spec(ring.AL), dtype)]


@pytest.fixture
def held():
    """The certificate of the linear bias."""
    return deepcopy(ring.certified(ring.AL))


@pytest.fixture
def kernel(tmp_path, held) -> Path:
    """Its file beside it."""
    path = tmp_path / f"{ring.AL}.py"
    path.write_bytes(SOURCE)
    certificate.write(held, certificate.path_of(path))
    return path


def test_it_is_the_same_when_it_is_made_again(kernel, held):
    report = check(kernel, ring.REMEMBERED)
    assert report.passes(strict=True)
    assert report.made == held == certificate.read(certificate.path_of(kernel))
    assert certificate.unsound(held) == ""
    assert sorted(path.name for path in kernel.parent.iterdir()) == [f"{ring.AL}.cert.json", f"{ring.AL}.py"]


def test_it_holds_what_a_reader_must_know(held):
    assert set(held["errors"]) == set(held["verdicts"]) == {"forward", "d distance", "d slope"}
    assert {dtype for own in held["errors"].values() for dtype in own} == set(DTYPES)
    for own in held["errors"].values():
        for row in own.values():
            assert 0 < row["observed"] <= row["bound"]
            assert row["samples"] > 10_000


@pytest.mark.parametrize("name", [name for name in ring.FIELDS if name != "source_sha256"])
def test_a_changed_field_is_named(name, held):
    made = deepcopy(held)
    ring.FIELDS[name](held)
    if name not in ring.KEPT:
        held["digest"] = certificate.digest(held)
    found = certificate.differences(held, made, SCALARS)
    assert found
    changed = [key for key in made if repr(held.get(key)) != repr(made[key]) and key != "digest"]
    if name not in ring.KEPT:
        assert all(line.split(".")[0].split(":")[0].split("[")[0] in {*changed, "signed_by"} for line in found)


def test_a_row_that_is_no_witness_is_named(held):
    made = deepcopy(held)
    for change in ({"at": None}, {"computed": "much"}, {"at": {"distance": "far", "slope": 1.0, "grad": 1.0}}):
        other = deepcopy(held)
        ring.row(other).update(change)
        other["digest"] = certificate.digest(other)
        assert any("no witness" in line or ".at" in line for line in certificate.differences(other, made, SCALARS))


@pytest.mark.parametrize("old, new", [('"schema": 1', '"schema":  1'), ('"seed": 0', '"seed": 0,\n    "seed": 0'), ("{", "\n{")])
def test_a_changed_byte_is_reported(kernel, old, new):
    path = certificate.path_of(kernel)
    path.write_text(path.read_text(encoding="ascii").replace(old, new, 1), encoding="ascii")
    assert any("was changed" in line for line in check(kernel).complaints(strict=False))


def test_a_kernel_that_was_edited_is_told_and_no_more(kernel):
    kernel.write_bytes(SOURCE + b"# a comment\n")
    report = check(kernel, ring.REMEMBERED)
    assert report.passes(strict=False)
    assert not report.passes(strict=True)
    assert report.provenance.text == "modified since certified"


def test_an_unreadable_certificate_fails(kernel):
    certificate.path_of(kernel).write_bytes(b"\xff")
    assert check(kernel).complaints(strict=False) == [f"{kernel}: certificate: a certificate that cannot be read"]


def test_nothing_is_left_where_a_certificate_cannot_be_written(tmp_path, held):
    (tmp_path / "x.cert.json").mkdir()
    with pytest.raises(OSError, match=r"x\.cert\.json"):
        certificate.write(held, tmp_path / "x.cert.json")
    assert [path.name for path in tmp_path.iterdir()] == ["x.cert.json"]


def test_infinity_and_what_a_dtype_holds():
    assert json.loads(certificate.text({"x": 1.5})) == {"x": 1.5}
    for value, dtype, is_held in (
        (0.1, "float64", True), (0.1, "float32", False), (1.0078125, "bfloat16", True), (1.00390625, "bfloat16", False),
        (2.0**-24, "float16", True), (2.0**-25, "float16", False), (65504.0, "float16", True), (65536.0, "float16", False),
        (float("inf"), "float16", True), (float("nan"), "float64", False),
    ):  # fmt: skip
        assert certificate.fits(value, dtype) == is_held, (value, dtype)


CASES = list(ring.cases())


def test_the_ring_has_enough_of_each_kind():
    count = {kind: sum(case.kind == kind for case in CASES) for kind in dict.fromkeys(case.kind for case in CASES)}
    assert sum(count.values()) >= 150
    assert len({(case.kind, case.name) for case in CASES}) == len(CASES)
    assert set(count) == {"torch", "torch, rounding", "triton", "triton, rounding", "certificate", "error model"}


@pytest.mark.parametrize(
    "kind, name, killer",
    [
        ("torch", "sigma**2 for sigma", "semantics"),
        ("torch", "sum over the wrong axis", "refusal"),
        ("torch, rounding", "result by way of float16", "promise"),
        ("torch, rounding", "all in bfloat16", "no bound"),
        ("torch, rounding", "square in float32", "promise"),
        ("triton, rounding", "square in float32", "promise"),
        ("certificate", "source_sha256", "provenance"),
        ("certificate", "a smaller bound", "certificate"),
        ("error model", "a quarter of a unit for sine, no certificate", "hypothesis"),
    ],
)
def test_a_mutant_of_the_ring_is_killed_by(kind, name, killer):
    case = next(case for case in CASES if (case.kind, case.name) == (kind, name))
    assert killer in ring.killers(ring.checked(case))


def test_what_is_no_mutant_survives():
    plain = ring.Case("torch", "nothing", "torch", Edit(ring.AL, "", ""))
    assert ring.killers(ring.checked(plain)) == []
    assert ring.killers(ring.checked(plain._replace(kind="certificate", change=ring.as_it_is))) == []


def test_the_hypotheses_are_tried():
    assert 0.5 < units("sin", "float32") < 1.0
