"""The rounds of a benchmark under a clock that is moved by hand: who is timed when, and what is said of the times."""
from __future__ import annotations

import random
from itertools import pairwise

import pytest

from mope_impl.bench.rounds import measured
from mope_impl.bench.statistics import middle, ratios


class Clock:
    """Time that passes only when something is done."""

    def __init__(self) -> None:
        self.now, self.said = 0.0, []

    def __call__(self) -> float:
        return self.now

    def act(self, name: str, *costs: float):
        """Something that takes these times, one after another and again from the first."""
        turns = iter(range(10**6))

        def done() -> None:
            self.said.append(name)
            self.now += costs[next(turns) % len(costs)]

        return done


def test_each_round_times_everyone_once_after_a_call_that_is_not_timed():
    clock = Clock()
    acts = {"a": clock.act("a", 100.0, 1.0), "b": clock.act("b", 7.0, 2.0)}  # the first call of each pair fills the caches
    found = measured(acts, 4, clock=clock)
    assert found == {"a": [1.0] * 4, "b": [2.0] * 4}
    assert sorted(clock.said) == ["a"] * 8 + ["b"] * 8


def test_several_calls_are_one_time_and_waiting_for_the_device_belongs_to_it():
    clock = Clock()

    def wait() -> None:
        clock.now += 4.0

    assert measured({"a": clock.act("a", 2.0)}, 2, 8, clock=clock, wait=wait) == {"a": [2.5, 2.5]}


def test_everyone_comes_first_as_often_and_no_one_always_follows_the_same():
    clock = Clock()
    measured({name: clock.act(name, 1.0) for name in "abcd"}, 8, clock=clock)
    order = clock.said[::2]
    rounds = ["".join(order[place : place + 4]) for place in range(0, 32, 4)]
    assert {one[0] for one in rounds} == set("abcd")
    assert all(sorted(one) == list("abcd") for one in rounds)
    followers = {(one, two) for text in rounds for one, two in pairwise(text)}
    assert len({two for one, two in followers if one == "a"}) > 1


def test_a_machine_that_slows_down_changes_no_ratio():
    """Each round takes twice as long as the one before: ratios of medians would be off, those within rounds are not."""
    one, two = [2.0**k for k in range(7)], [3.0 * 2.0**k for k in range(7)]
    found = ratios(two, one)
    assert (found.median, found.low, found.high) == (3.0, 3.0, 3.0)
    shuffled = random.Random(0).sample(two, 7)
    assert ratios(shuffled, one).median != 3.0


def test_rounds_that_do_not_fit_are_refused():
    with pytest.raises(ValueError):
        ratios([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="got no values"):
        middle([])
