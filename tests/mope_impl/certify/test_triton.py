"""Triton files are validated; mutants are killed with the line shown; edits that keep the meaning pass; the rest is refused."""

from __future__ import annotations

import re

import pytest

from mope_impl.certify import check
from mope_impl.certify.triton import syntax
from mope_impl.certify.triton.semantics import Check, semantics
from mope_theory.specs import spec
from tests.mope_impl.certify.edits_triton import FORBIDDEN, GENERATED, HARMLESS, MUTANTS, SI, found

FILES = sorted(path.stem for path in GENERATED.glob("*.py") if path.name != "__init__.py")
TEXT = (GENERATED / f"{SI}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_every_output_and_gradient_of_a_generated_file_is_validated(name):
    kernel = spec(name)
    result = semantics((GENERATED / f"{name}.py").read_bytes(), kernel)
    assert result.refused == ""
    assert {f.name: f.notes for f in result.findings if f.status != "validated"} == {}
    count = len(kernel.channels)
    outputs = ["forward"] if count == 1 else [f"channel {k}" for k in range(count)]
    assert [f.name for f in result.findings] == [*outputs, *(f"d {x.name}" for x in kernel.inputs)]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_killed(name):
    edit = MUTANTS[name]
    result = found(edit)
    assert not result.holds
    if edit.where == "refused":
        assert re.search(edit.says, result.refused), result.refused
        assert result.line is not None
        return
    assert result.refused == ""
    failed = {f.name: f for f in result.findings if not f.holds}
    assert edit.where in failed, {f.name: f.notes for f in failed.values()}
    assert edit.says in failed[edit.where].notes[0], failed[edit.where].notes
    assert failed[edit.where].lines


@pytest.mark.parametrize("name", HARMLESS)
def test_an_edit_that_keeps_the_meaning_passes(name):
    result = found(HARMLESS[name])
    assert result.refused == ""
    assert {f.name: f.notes for f in result.findings if not f.holds} == {}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_what_no_file_may_hold_is_refused_unexecuted(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = FORBIDDEN[name](TEXT)
    assert text != TEXT
    result = semantics(text.encode(), spec(SI))
    assert result.refused
    assert not result.holds
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_names_file_line_and_what(tmp_path):
    path = tmp_path / "edited.py"
    path.write_text(FORBIDDEN["an unknown operation"](TEXT), encoding="utf-8")
    line = path.read_text(encoding="utf-8").split("tl.erf")[0].count("\n") + 1
    assert check(path).complaints(strict=False) == [f"{path}:{line}: refused: tl.erf"]


def test_the_imports_decide_which_checker_reads_a_file():
    assert check(GENERATED / f"{SI}.py").verdict == "validated"
    assert check(GENERATED.parent / f"torch/{SI}.py").verdict == "proved"


def test_blocks_of_several_sizes_are_crossed():
    own = Check(TEXT.encode(), spec(SI))
    own.findings()
    assert (own.blocked["t0"], own.blocked["n"]) == ({16}, {16, 32, 64})


@pytest.mark.parametrize("allowed", [syntax.KERNEL, syntax.HOST])
def test_every_field_of_every_allowed_node_is_named(allowed):
    for kind, names in allowed.fields.items():
        assert set(kind._fields) == set(names.split()), kind
