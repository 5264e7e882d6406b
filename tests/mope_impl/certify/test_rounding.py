"""Rounding bounds: no error of a program exceeds its bound, and each fault planted in the engine is seen by one that does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch

import mope_theory as mt
from mope_impl.certify.nodes import Nodes
from mope_impl.certify.rounding import accumulated, bounds, errors, intervals, operations, subdivision
from mope_impl.certify.rounding.boxes import rounding_box
from mope_impl.certify.rounding.errors import Exact, Local, Model
from mope_impl.certify.rounding.homogeneity import degree
from mope_impl.certify.rounding.intervals import Interval, point
from mope_impl.certify.rounding.primitives import ATEN, PLATFORMS
from mope_impl.certify.rounding.program import Unbounded, programs, signed_by
from mope_impl.certify.rounding.symmetry import halved
from mope_impl.certify.torch.recover import scalars
from mope_theory.specs import spec
from tests.mope_impl.certify.edits import GENERATED
from tests.mope_impl.certify.programs import Case, Writer, at_random, written


def exceeded() -> list[str]:
    """The programs of the written list that exceed their bounds."""
    generator = np.random.default_rng(7)
    return [case.name for case in written() if case.excess(generator, 150) > 1]


def test_no_written_program_exceeds_its_bound_and_most_come_near_it():
    generator = np.random.default_rng(7)
    found = [case.excess(generator, 150) for case in written()]
    assert max(found) <= 1
    assert sum(ratio > 0.5 for ratio in found) >= 12


def test_no_random_program_exceeds_its_bound():
    generator = np.random.default_rng(11)
    found = [case.excess(generator, 25) for case in at_random(np.random.default_rng(3), 400)]
    assert max(found) <= 1
    assert sum(ratio > 0 for ratio in found) > 200
    assert np.median([1 / ratio for ratio in found if ratio > 0]) < 5


def half_units_halved(monkeypatch):
    own = errors.half_ulp
    monkeypatch.setattr(errors, "half_ulp", lambda size, form: own(size, form) / 2)


def one_rounding_for_two(monkeypatch):
    monkeypatch.setattr(Model, "_is_narrowed_twice", lambda self, step: False)


def exponents_ignored(monkeypatch):
    monkeypatch.setattr(Exact, "fits", lambda self, dtype: self.bits <= errors.FORMATS[dtype].precision)


def products_taken_as_exact(monkeypatch):
    monkeypatch.setattr(Exact, "fits", lambda self, dtype: True)


def lower_end_of_a_square(monkeypatch):
    def square(self):
        least = np.minimum(np.abs(self.low), np.abs(self.high))
        return intervals.outward(least * least, self.size * self.size)

    monkeypatch.setattr(Interval, "square", square)


def nothing_inflated(monkeypatch):
    monkeypatch.setattr(Local, "most", lambda self, size: np.zeros_like(size))


def subnormal_errors_dropped(monkeypatch):
    monkeypatch.setattr(errors, "half_ulp", lambda size, form: size * form.u)


def overflow_ignored(monkeypatch):
    own = errors.half_ulp
    monkeypatch.setattr(errors, "half_ulp", lambda size, form: own(np.minimum(size, form.largest), form))


def slack_far_above_a_power_of_two(monkeypatch):
    def half_ulp(size, form):
        exponent = np.frexp(size / 1.5)[1]
        return np.ldexp(1.0, exponent - form.precision - 1)

    monkeypatch.setattr(errors, "half_ulp", half_ulp)


def elementary_functions_taken_as_exact(monkeypatch):
    for op, own in ATEN.items():
        monkeypatch.setitem(ATEN, op, replace(own, ulps=dict.fromkeys(own.ulps, 0.0)))


def pulled(op, what, change):
    def plant(monkeypatch):
        own = operations.pull

        def pull(step, *given):
            shares = own(step, *given)
            return change(shares) if step.op == op else shares

        monkeypatch.setattr(errors, "pull", pull)

    plant.__name__ = f"{op}_{what}"
    return plant


ZERO = point(0.0), point(0.0)


def extremum_between_the_ends_missed(monkeypatch):
    def turned(name, turns):
        wave = np.cos if name == "cos" else np.sin
        ends = wave(2 * np.pi * turns.low), wave(2 * np.pi * turns.high)
        return Interval(np.minimum(*ends), np.maximum(*ends))

    monkeypatch.setattr(intervals, "turned", turned)


def errors_so_far_forgotten(monkeypatch):
    own = accumulated.Accumulated.rounded
    monkeypatch.setattr(
        accumulated.Accumulated, "rounded", lambda self, most, delta, rest: own(self, 0 * most, 0 * delta, 0 * rest)
    )


def cells_lost(monkeypatch):
    def halves(own, at, here):
        low = np.where(here, at, own.low)
        return Interval(np.concatenate([low, low]), np.concatenate([own.high, own.high]))

    monkeypatch.setattr(subdivision, "_halves", halves)


FAULTS = {
    half_units_halved: "one rounding",
    one_rounding_for_two: "two roundings",
    exponents_ignored: "a product below the exponents",
    products_taken_as_exact: "one rounding",
    lower_end_of_a_square: "a square across 0",
    nothing_inflated: "second order",
    subnormal_errors_dropped: "a subnormal result",
    overflow_ignored: "overflow",
    slack_far_above_a_power_of_two: "one rounding",
    elementary_functions_taken_as_exact: "a wave of many turns",
    extremum_between_the_ends_missed: "a wave of any turn",
    errors_so_far_forgotten: "a quotient in an exponent",
    cells_lost: "a divisor",
    pulled("div", "divisor_dropped", lambda shares: [shares[0], ZERO]): "a divisor",
    pulled("sub", "second_dropped", lambda shares: [shares[0], ZERO]): "a difference",
    pulled("square", "halved", lambda shares: [(a / point(2.0), r / point(2.0)) for a, r in shares]): "a square",
    pulled("exp", "dropped", lambda shares: [ZERO]): "a large exponential",
    pulled("exp", "argument_forgotten", lambda shares: [(a, a) for a, _ in shares[:1]]): "a large exponential",
    pulled("exp2", "dropped", lambda shares: [ZERO]): "a power of two",
    pulled("sigmoid", "quartered", lambda shares: [(a / point(4.0), r / point(4.0)) for a, r in shares]): "a sigmoid",
    pulled("cos", "dropped", lambda shares: [ZERO]): "a wave",
    pulled("mul", "second_dropped", lambda shares: [shares[0], ZERO]): "an inexact number",
    pulled("cast", "dropped", lambda shares: [ZERO]): "a divisor",
}


@pytest.mark.parametrize("plant", FAULTS, ids=lambda one: one.__name__)
def test_a_fault_of_the_engine_is_seen(monkeypatch, plant):
    plant(monkeypatch)
    assert FAULTS[plant] in exceeded()


def restricted(case):
    ranges = {name: case.box[name] for name in case.box}
    (program,) = programs(case.node, case.box)
    return {name for name, own in halved(program, ranges).items() if own != ranges[name]}


def test_signs_are_left_out_where_a_bound_does_not_depend_on_them():
    w, even = Writer(), dict.fromkeys("xyz", (-1.0, 1.0))
    x, y, z = (w.leaf(name, "float32") for name in "xyz")
    assert restricted(Case("", w.mul(w.mul(x, y), z), even)) == {"x", "y", "z"}
    # x and yz change sign together or not at all
    assert len(restricted(Case("", w.add(x, w.mul(y, z)), even))) == 2
    assert len(restricted(Case("", w.mul(w.add(x, y), w.sub(x, y)), {k: even[k] for k in "xy"}))) == 1
    assert restricted(Case("", w.exp(x), {"x": (-1.0, 1.0)})) == set()
    assert restricted(Case("", w.exp(w.square(x)), {"x": (-1.0, 1.0)})) == {"x"}
    assert restricted(Case("", w.sin(x), {"x": (-1.0, 1.0)})) == restricted(Case("", w.cos(x), {"x": (-1.0, 1.0)})) == {"x"}
    assert restricted(Case("", w.square(x), {"x": (-1.0, 0.5)})) == set()
    assert restricted(Case("", w.add(x, w.number(1, "float32")), {"x": (-1.0, 1.0)})) == set()


def test_a_sum_of_many_terms():
    """Sums that go wrong by half a unit in every step lie below the bound, and within a factor of 2."""
    kernel = spec("alibi_bias")
    (bound,) = [b for b in bounds(scalars_of("alibi_bias", "float64"), kernel, reaches=(1.0,)) if b.name == "d slope"]
    assert bound.reduction
    assert bound.summed(1) == bound.absolute
    with pytest.raises(ValueError, match="count: got 0, expected at least 1"):
        bound.summed(0)
    for count in (2, 100, 10_000):
        terms = torch.full((count,), 1 - 2.0**-53, dtype=torch.float64)
        terms[0] = 1.0
        one_by_one = terms.numpy().cumsum()[-1]
        exact = Fraction(1) + (count - 1) * Fraction(1 - 2.0**-53)
        for found in (one_by_one, terms.sum().item(), terms.numpy().sum()):
            assert abs(Fraction(float(found)) - exact) <= bound.summed(count)
    worst = sum(2.0 ** (k.bit_length() - 54) for k in range(1, 10_000))  # half a unit of each partial sum
    assert worst <= bound.summed(10_000) <= 2 * worst


def scalars_of(kernel, dtype):
    return scalars((GENERATED / f"{kernel}.py").read_bytes(), spec(kernel), dtype)


def test_a_guard_that_rounding_blurs_has_no_bound():
    text = (GENERATED / "relative_kernel.py").read_text(encoding="utf-8")
    narrow = text.replace("torch.abs(d / positive_sigma)", "torch.abs((d / positive_sigma).to(torch.bfloat16).to(torch.float64))")
    assert narrow != text
    kernel = spec("relative_kernel")
    blurred = scalars(narrow.encode(), kernel, "float32")
    with pytest.raises(Unbounded, match=r"the guarded quantity is off by more than 0\.0625 near 64"):
        bounds(blurred[:1], kernel)


def test_what_a_platform_does_not_promise_has_no_bound():
    w = Writer()
    x = w.leaf("x", "float32")
    for node in (w.exp(x), w.div(w.number(1, "float32"), x)):
        (program,) = programs(node, {"x": (1.0, 2.0)})
        model = Model(program, {"x": Exact(24, -149)}, PLATFORMS["triton"])
        with pytest.raises(Unbounded, match="nothing is known of the error of"):
            model.error({"x": Interval(np.array([1.0]), np.array([2.0]))})


def degrees(kernel: str, names: set[str]) -> set[int | None]:
    """Of all results of a kernel."""
    found = set()
    for scalar in scalars_of(kernel, "float32"):
        for program in programs(scalar.node, rounding_box(spec(kernel), 100.0)):
            if program.guard is None or not program.guard[2]:
                found.add(degree(program, names) if not scalar.name.startswith("d ") else (scalar.name, degree(program, names)))
    return found


@pytest.mark.parametrize("kernel", ["rotary", "morlet_rotary", "xpos_rotary"])
def test_bounds_for_channels_up_to_1_serve_all(kernel):
    """A result is linear in the channels, and a gradient by a channel does not depend on them."""
    inputs = {name for x in spec(kernel).inputs if not x.has_channels for name in [f"d {x.name}"]}
    expected = {1, *((name, 1) for name in inputs), ("d x.0", 0), ("d x.1", 0)}
    assert degrees(kernel, {"x.0", "x.1"}) == expected


@pytest.mark.parametrize("kernel", [kernel.name for kernel in mt.specs()])
def test_bounds_for_gradients_up_to_1_serve_all(kernel):
    grads = {"grad", *(f"grad.{k}" for k in range(4))}
    for one in degrees(kernel, grads):
        assert one == 0 or one[1] == 1


def test_degrees():
    w = Writer()
    x, y = w.leaf("x", "float32"), w.leaf("y", "float32")
    cases = {
        w.div(x, y): 0, w.mul(x, y): 2, w.add(x, y): 1, w.add(x, w.mul(x, y)): None, w.exp(x): None, w.exp(w.div(x, y)): 0,
        w.add(w.square(x), w.number(0, "float32")): 2, w.add(x, w.number(1, "float32")): None,
    }  # fmt: skip
    for node, expected in cases.items():
        (program,) = programs(node, {"x": (1.0, 2.0), "y": (1.0, 2.0)})
        assert degree(program, {"x", "y"}) == expected


def test_a_sign_that_is_written_out_is_one_operation():
    """Of branches on a position, which the box does not decide."""
    nodes = Nodes()
    x, zero, one, less = nodes.make("leaf", value="x"), *(nodes.make("const", value=Fraction(k)) for k in (0, 1, -1))
    above, below = (nodes.make(op, [x, zero], "bool") for op in ("gt", "lt"))
    sign = nodes.make("where", [above, one, nodes.make("where", [below, less, zero])])
    assert signed_by(sign) is x
    for wrong in (
        nodes.make("where", [below, one, nodes.make("where", [above, less, zero])]),
        nodes.make("where", [above, one, nodes.make("where", [below, one, zero])]),
        nodes.make("where", [above, one, nodes.make("where", [below, less, x])]),
        nodes.make("where", [nodes.make("gt", [x, one], "bool"), one, nodes.make("where", [below, less, zero])]),
        nodes.make("where", [above, one, zero]),
    ):
        assert signed_by(wrong) is None
