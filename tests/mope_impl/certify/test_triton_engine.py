"""Faults planted in the checker of Triton files: each lets a mutant pass, which is how it is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mope_impl.certify import lanes, memory
from mope_impl.certify.triton import kernel, scenarios, semantics
from tests.mope_impl.certify.edits import Edit
from tests.mope_impl.certify.edits_triton import MUTANTS, RK, SI, found


def take_every_lane_for_known(monkeypatch):
    monkeypatch.setattr(lanes.Block, "known", property(lambda self: np.ones(self.shape, dtype=bool)))


def forget_what_was_written(monkeypatch):
    store = memory.Buffer.store

    def forgetful(self, offsets, value, mask, launch, line):
        self.which[offsets[mask]] = memory.NOTHING
        store(self, offsets, value, mask, launch, line)

    monkeypatch.setattr(memory.Buffer, "store", forgetful)


def let_32_bits_be(monkeypatch):
    own = {name: lambda a, b, f=f: f(np.asarray(a, np.int64), b) for name, f in kernel.ON_INTEGERS.items()}
    monkeypatch.setattr(kernel, "ON_INTEGERS", own)


def try_one_block_alone(monkeypatch):
    monkeypatch.setattr(semantics, "around", lambda base, blocks, each: iter(()))


def try_contiguous_memory_alone(monkeypatch):
    contiguous = {
        "cases": lambda spec: (replace(one, memory="contiguous") for one in scenarios.cases(spec)),
        "around": lambda *given: (replace(one, memory="contiguous") for one in scenarios.around(*given)),
    }
    for name, found_at in contiguous.items():
        monkeypatch.setattr(semantics, name, found_at)


def try_no_spread_inputs(monkeypatch):
    plain = (" with 1 for ", " alone")
    monkeypatch.setattr(scenarios, "scenarios", lambda spec: (s for s in ALL(spec) if not any(x in s.text for x in plain)))


ALL = scenarios.scenarios


def ask_for_all_gradients(monkeypatch):
    patterns = semantics.Check.patterns
    monkeypatch.setattr(semantics.Check, "patterns", lambda self, every, run, given: patterns(self, False, run, given))


SEEN_BY = {
    take_every_lane_for_known: MUTANTS["other = 1 that reaches a sum"],
    forget_what_was_written: MUTANTS["written twice"],
    let_32_bits_be: MUTANTS["offsets of 32 bits"],
    try_one_block_alone: MUTANTS["the size of the other block"],
    try_contiguous_memory_alone: MUTANTS["the incoming gradient as if it were contiguous"],
    try_no_spread_inputs: MUTANTS["a size that is read beyond what is spread"],
    ask_for_all_gradients: Edit(RK, "NEEDS_OMEGA=needs[1], NEEDS_SIGMA=needs[2]", "NEEDS_OMEGA=needs[2], NEEDS_SIGMA=needs[1]"),
}


@pytest.mark.parametrize("plant", SEEN_BY, ids=lambda plant: plant.__name__)
def test_a_fault_of_the_checker_is_seen(plant, monkeypatch):
    edit = SEEN_BY[plant]
    assert found(edit._replace(old="", new="", after="")).holds
    assert not found(edit).holds
    plant(monkeypatch)
    assert found(edit).holds


def test_terms_that_are_left_out_are_seen():
    """A sum over the heads that keeps the last one alone: the expression is right, the set of places is not."""
    result = found(MUTANTS["the last head alone"])
    failed = {f.name: f.notes[0] for f in result.findings if not f.holds}
    assert failed.keys() == {"d omega"}
    assert "summed over other places" in failed["d omega"]


def test_integers_of_32_bits_are_refused_at_any_size():
    assert found(Edit(SI, "tl.program_id(0).to(tl.int64)", "tl.program_id(0)", count=1)).refused.startswith(
        "arithmetic of 32 bits"
    )
