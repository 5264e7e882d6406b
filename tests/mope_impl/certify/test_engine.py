"""Faults planted in the checker itself: each lets a mutant pass, or fails a generated file, which is how it is seen."""

from __future__ import annotations

import ast

import pytest
import sympy as sp

from mope_impl.certify import formulas, regions, structure, tails, translate
from mope_impl.certify.nodes import Refused
from mope_impl.certify.torch import interpret, operations, syntax, tensors
from mope_impl.certify.torch.semantics import _Check
from tests.mope_impl.certify.edits import HARMLESS, MUTANTS, found


def ignore_order(monkeypatch):
    monkeypatch.setattr(operations, "ORDERS", dict.fromkeys(operations.ORDERS, "gt"))


def ignore_sign(monkeypatch):
    monkeypatch.setitem(translate.SMOOTH, "neg", lambda x: x)


def take_exp2_for_exp(monkeypatch):
    monkeypatch.setitem(translate.SMOOTH, "exp2", sp.exp)


def forget_the_layout(monkeypatch):
    def joined(parts, stacked, count, line):
        last = parts[0].axes[-1]
        return tensors.Tensor((*parts[0].axes[:-1], ("c", last)), tuple(p.nodes[0] for p in parts), parts[0].dtype)

    monkeypatch.setattr(tensors, "joined", joined)
    monkeypatch.setattr(tensors, "flattened", lambda x, place, line: x)
    monkeypatch.setattr(_Check, "_fits", lambda *given: True)


def take_any_tail(monkeypatch):
    monkeypatch.setattr(tails.Tail, "is_negligible", True)


def take_a_needed_gradient_for_granted(monkeypatch):
    monkeypatch.setattr(_Check, "patterns", lambda self, every, run, given: [(True,) * len(run.given)])


def let_any_sum_pass(monkeypatch):
    monkeypatch.setattr(structure, "_summed", lambda node, parts: frozenset().union(*(part.axes for part in parts)))


SEEN_BY = {
    ignore_order: "strict for slack at a tie",
    ignore_sign: "gradient with a wrong sign",
    take_exp2_for_exp: "exp2 for exp",
    forget_the_layout: "interleaved for half",
    take_any_tail: "lower threshold",
    take_a_needed_gradient_for_granted: "a shared term for too few",
    let_any_sum_pass: "a sum of products for a product of sums",
}


@pytest.mark.parametrize("plant", SEEN_BY, ids=lambda plant: plant.__name__)
def test_a_fault_of_the_checker_is_seen(plant, monkeypatch):
    edit = MUTANTS[SEEN_BY[plant]]
    plain = edit._replace(old="", new="", after="")
    assert found(plain).holds
    assert not found(edit).holds
    plant(monkeypatch)
    assert found(edit).holds or not found(plain).holds


def test_every_field_of_every_allowed_node_is_named():
    for kind, names in syntax.FIELDS.items():
        assert set(kind._fields) == set(names.split()), kind


def test_a_field_that_is_not_known_is_refused(monkeypatch):
    monkeypatch.setattr(ast.Compare, "_fields", (*ast.Compare._fields, "reversed"))
    assert "fields that are not known" in found(HARMLESS["square"]).refused


def test_what_syntax_lets_through_still_needs_a_meaning():
    for op in ("Mod", "MatMult"):
        with pytest.raises(Refused):
            operations.binary(interpret.Nodes(), op, 1, 2, 1)


def test_a_corner_takes_either_side_or_the_mean():
    from mope_theory.specs import spec

    kernel = spec("alibi_bias")
    distance = kernel.inputs[0].symbols[0]
    (cell, *_) = regions.whole(kernel)
    at_zero = cell.at(distance, regions.Range(sp.S.Zero, sp.S.Zero, True, True))
    slope, grad = kernel.inputs[1].symbols[0], formulas.gradient_symbols(kernel)[0]
    assert set(formulas.adjoint(kernel, distance, at_zero)) == {slope * grad, -slope * grad, sp.S.Zero}
