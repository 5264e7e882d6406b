"""Rounding bounds: no error of a program exceeds its bound, and each fault planted in the engine is seen by one that does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mope_impl.certify.rounding import accumulated, errors, intervals, operations, subdivision
from mope_impl.certify.rounding.errors import Exact, Local, Model
from mope_impl.certify.rounding.intervals import Interval, point
from mope_impl.certify.rounding.primitives import ATEN
from tests.mope_impl.certify.programs import at_random, written


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
