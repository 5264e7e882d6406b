"""The search for the largest error: its references agree, it stays in the box, finds what is planted, and is the same twice."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import inf

import numpy as np
import pytest
import torch
from flint import arb, ctx
from hypothesis import given, settings, target
from hypothesis import strategies as st

import mope_theory as mt
from mope_impl.certify.exact import BITS, error_at, exact
from mope_impl.certify.rounding import Bound, bounds
from mope_impl.certify.sampling import search
from mope_impl.certify.sampling.points import Leaf, drawn
from mope_impl.certify.sampling.replay import DTYPES, replay
from mope_impl.certify.sampling.wide import moved, wide
from mope_impl.certify.scalars import Scalar, names
from mope_impl.certify.table import TERMS, Row
from mope_impl.certify.torch.recover import scalars
from mope_theory.specs import spec
from tests.mope_impl.certify.edits import GENERATED


def recovered(kernel: str, dtype: str, old: str = "", new: str = "") -> list[Scalar]:
    """The scalars of a generated file, with a text put for another."""
    text = (GENERATED / f"{kernel}.py").read_text(encoding="utf-8")
    assert old in text
    return scalars(text.replace(old, new).encode() if old else text.encode(), spec(kernel), dtype)


@cache
def sine(dtype: str) -> tuple[Scalar, Bound]:
    """The first channel of the sinusoidal encoding and its bound."""
    (scalar, *_) = recovered("sinusoidal_encoding", dtype)
    (bound,) = bounds([scalar], scalar.spec)
    return scalar, bound


@pytest.mark.parametrize("kernel", [kernel.name for kernel in mt.specs()])
def test_the_two_references_agree(kernel):
    generator = np.random.default_rng(1)
    for scalar in recovered(kernel, "float64"):
        symbols = names(scalar.spec)
        values = {x: generator.uniform(0.25, 4.0, 3).astype(np.longdouble) for x in symbols.values()}
        found, scale = wide(scalar, values), moved(scalar, values)
        for place in range(3):
            true = exact(scalar, {name: float(values[x][place]) for name, x in symbols.items()})
            value = float(found[place])
            with ctx.workprec(BITS):
                off = abs(arb(value) + arb(float(found[place] - np.longdouble(value))) - true)
                # a hundred operations, each off by a unit of 64 bits of what it is moved by
                assert off < arb(100) * arb(2) ** -64 * (abs(true) + arb(float(scale[place])))


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_largest_error_lies_below_the_bound_and_near_it(dtype):
    scalar, bound = sine(dtype)
    found = search(scalar, bound)
    assert bound.absolute / 1.1 < found.error <= bound.absolute
    assert error_at(scalar, found.point, found.computed) == found.error
    assert all(bound.box[name][0] <= value <= bound.box[name][1] for name, value in found.point.items())
    assert list(Row(scalar.name, dtype, bound, found).faults(2.0**-53)) == []


def test_the_search_is_the_same_twice():
    scalar, bound = sine("float32")
    assert search(scalar, bound) == search(scalar, bound)
    assert search(scalar, bound, seed=1) != search(scalar, bound)


PHASE = "theta = b * omega_", "theta = (b.to(torch.float32) * omega_.to(torch.float32)).to(torch.float64)"


@pytest.mark.parametrize(
    "old, new, least",
    [
        (*PHASE, 1e-4),
        ("torch.sin(theta)", "torch.sin(theta + 1e-06)", 9e-7),
        ("channel_0 = torch.sin(theta)", "channel_0 = torch.where(theta > 9000.0, 1.0, torch.sin(theta))", 1.9),
        ("channel_0 = torch.sin(theta)", "channel_0 = torch.sin(theta) / torch.sign(torch.abs(b))", inf),
    ],
)
def test_what_is_planted_is_found(old, new, least):
    _, bound = sine("float32")
    (wrong, *_) = recovered("sinusoidal_encoding", "float32", old, new)
    found = search(wrong, bound)
    assert found.error >= least
    (fault, *_) = Row(wrong.name, "float32", bound, found).faults(2.0**-53)
    assert "was observed, above the bound" in fault


def test_a_sample_above_another_form_of_the_bound_is_told():
    scalar, bound = sine("float32")
    nearer = replace(bound, growth=((100.0, bound.absolute / 4), (10_000.0, bound.absolute)))
    assert "for positions to 100" in search(scalar, nearer).excess
    relative = replace(bound, relative=2.0**-26, floor=0.0)
    row = Row(scalar.name, "float32", relative, search(scalar, relative))
    assert any("for the relative form" in fault for fault in row.faults(2.0**-53))


def test_sums_are_held_against_their_bound():
    scalar = next(one for one in recovered("gaussian_bias", "float32") if one.name == "d sigma")
    (bound,) = bounds([scalar], scalar.spec)
    found = search(scalar, bound)
    assert bound.summed(TERMS) / 4 < found.summed <= bound.summed(TERMS)
    row = Row(scalar.name, "float32", bound, replace(found, summed=2 * bound.summed(TERMS)))
    assert [fault for fault in row.faults(2.0**-53) if "of a sum of 1024, above its bound" in fault]
    assert search(*sine("float32")).summed == 0.0


def test_a_bound_that_says_too_little_is_a_fault():
    scalar, bound = sine("float32")
    found = search(scalar, bound)
    loose = Row(scalar.name, "float32", replace(bound, absolute=found.size * 2.0**-22), found)
    assert [fault.rpartition(": ")[2][:9] for fault in loose.faults(2.0**-53)] == ["the bound"]
    gentle = replace(found, error=bound.absolute / 25)
    assert "times the largest error observed" in next(Row(scalar.name, "float32", bound, gentle).faults(2.0**-53))


@given(st.sampled_from(list(DTYPES)), st.floats(-3e4, 3e4), st.floats(0, 3e4), st.booleans(), st.integers(0, 2**32))
def test_values_of_a_leaf_are_those_of_its_dtype_within_its_range(dtype, low, span, is_counted, seed):
    low, high = (float(torch.tensor(end).to(DTYPES[dtype])) for end in (low, low + span))
    leaf = Leaf("x", dtype, low, high, is_counted)
    for values in (leaf.draw(np.random.default_rng(seed), 20), leaf.edges(), np.array([low, high, inf, -inf])):
        got = leaf.of(values).to(torch.float64)
        assert bool(((got >= low) & (got <= high)).all())
        kept = got.to(DTYPES[dtype]).to(torch.float64) == got
        assert bool((kept | (got == got.round()) if is_counted else kept).all())


def test_every_value_of_sixteen_bits_is_tried():
    for dtype, count in (("bfloat16", 2 * (127 * 128 + 1)), ("float16", 2 * (15 * 1024 + 1))):
        every = Leaf("x", dtype, -1.0, 1.0).every()
        assert len(every) == count  # with either sign: exponents below that of 1, significands, and 1 itself; two zeros
        assert len(every.to(torch.float64).unique()) == count - 1


def test_a_leaf_of_sixteen_bits_is_gone_through_whole():
    scalar, bound = sine("bfloat16")
    assert search(scalar, bound).samples > search(*sine("float32")).samples


def test_points_about_another_are_drawn():
    leaves = [Leaf("center", "float64", -1e4, 1e4), Leaf("positions", "float64", -1e4, 1e4), Leaf("sigma", "float64", 1.0, inf)]
    points = drawn(leaves, np.random.default_rng(0), 4096)
    z = (points["positions"] - points["center"]) / points["sigma"]
    assert int(((z.abs() > 0.1) & (z.abs() < 4.0)).sum()) > 200


@settings(max_examples=150)
@given(st.floats(-1e4, 1e4, width=32), st.floats(-4.0, 4.0, width=32))
def test_a_directed_search_of_another_kind_stays_below_the_bound(position, frequency):
    scalar, bound = sine("float32")
    point = {"positions": position, "omega": frequency, "grad.0": 0.0, "grad.1": 0.0}
    values = {name: torch.tensor([value], dtype=torch.float32) for name, value in point.items()}
    error = error_at(scalar, point, float(replay(scalar.node, values)))
    assert error is not None
    target(error / bound.absolute)
    assert error <= bound.absolute
