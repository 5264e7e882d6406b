"""The generated files are proved; mutants are killed with the difference shown; edits that keep the meaning pass."""

from __future__ import annotations

import re

import pytest

import mope_theory as mt
from mope_impl.certify import semantics
from tests.mope_impl.certify.edits import GENERATED, HARMLESS, MUTANTS, found


@pytest.mark.parametrize("spec", mt.specs(), ids=lambda spec: spec.name)
def test_every_output_and_gradient_of_a_generated_file_is_proved(spec):
    result = semantics((GENERATED / f"{spec.name}.py").read_bytes(), spec)
    assert result.refused == ""
    assert [f.name for f in result.findings if f.status != "proved"] == []
    count = len(spec.channels)
    outputs = ["forward"] if count == 1 else [f"channel {k}" for k in range(count)]
    assert [f.name for f in result.findings] == [*outputs, *(f"d {x.name}" for x in spec.inputs)]


def test_a_file_is_not_that_of_another_specification():
    result = semantics((GENERATED / "rotary.py").read_bytes(), mt.specs()[0])
    assert "function rotary, which is not" in result.refused


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_killed_with_the_difference_shown(name):
    edit = MUTANTS[name]
    result = found(edit)
    assert not result.holds
    if edit.where == "refused":
        assert re.search(edit.says, result.refused), result.refused
        assert result.line is not None
        return
    assert result.refused == ""
    failed = {f.name: f for f in result.findings if f.status != "proved"}
    assert edit.where in failed, {f.name: f.notes for f in failed.values()}
    assert edit.says in failed[edit.where].notes[0], failed[edit.where].notes
    assert failed[edit.where].lines


def test_the_line_of_a_mutant_is_among_those_that_are_shown():
    edit = MUTANTS["gradient with 1/sigma forgotten"]
    number = edit.apply().decode().split("-(grad_z * z)")[0].count("\n") + 1
    (failed,) = (f for f in found(edit).findings if f.status != "proved")
    assert number in failed.lines


@pytest.mark.parametrize("name", HARMLESS)
def test_an_edit_that_keeps_the_meaning_passes(name):
    result = found(HARMLESS[name])
    assert result.refused == ""
    assert {f.name: f.notes for f in result.findings if f.status != "proved"} == {}
