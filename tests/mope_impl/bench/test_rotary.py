"""The rotary benchmark on made-up times: its rows and goals, and who is not timed; no time is asserted."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
import torch

from mope_impl import functional as F
from mope_impl.bench import contenders
from mope_impl.bench.contenders import CONTENDERS, Built, Contender, Missing, Setting, is_right
from mope_impl.bench.rotary import FLOOR, Plan, goals, run

SMALL = Setting(1, 2, 16, 32, torch.float32, "cpu")
OURS = {one.name: one for one in CONTENDERS if one.ours}
PEERS = [one for one in CONTENDERS if not one.ours and one.device is None]


def is_installed(one: Contender) -> bool:
    try:
        one.build(SMALL)
    except Missing:
        return False
    return True


def times(cost: Mapping[str, float]) -> Callable[..., dict[str, list[float]]]:
    """Rounds of made-up times, one after another slower."""

    def timed(acts, rounds, calls, *, wait):
        for one in acts.values():
            one()
        return {name: [cost.get(name, 1.0) * (1 + k) for k in range(rounds)] for name in acts}

    return timed


def cases(cost: Mapping[str, float], given=tuple(CONTENDERS), plan=Plan((SMALL,), 7, 1, ("eager",))):  # noqa: B008
    return list(run(plan, given, times(cost)))


def test_ratios_and_goals_come_from_the_times():
    given = (OURS["rotary"], OURS["morlet_rotary"], OURS["learned ω and σ"])
    forward, backward = cases({FLOOR: 2.0, "rotary": 2.5, "morlet_rotary": 3.0, "learned ω and σ": 5.0}, given)
    assert [forward["pass"], backward["pass"]] == ["forward", "forward and backward"]
    rows = {row["name"]: row for row in forward["rows"]}
    assert [rows[name]["to_copy"]["median"] for name in (FLOOR, "rotary", "morlet_rotary")] == [1.0, 1.25, 1.5]
    assert rows["morlet_rotary"]["to_rotary"]["median"] == 1.2
    assert rows["rotary"]["seconds"]["median"] == 10.0
    met = {(one["name"], one["goal"]): one["met"] for one in forward["goals"]}
    assert met == {
        ("rotary", "to the copy"): True,
        ("morlet_rotary", "to the copy"): False,
        ("morlet_rotary", "to plain rotation"): False,
    }
    assert {one["limit"] for one in backward["goals"] if one["goal"] == "to the copy"} == {2.0}


def test_the_envelope_is_free_where_the_interval_reaches_one():
    """A median of 1.02 whose interval holds 1 is no difference that could be measured; without an interval the median decides."""
    row = {"name": "morlet_rotary", "ours": True, "kind": "morlet", "to_copy": {"median": 1.0}}
    case = {"mode": "eager", "pass": "forward", "dtype": "float32"}
    for low, met in ((0.99, True), (1.01, False), (None, False)):
        rows = [{**row, "to_rotary": {"median": 1.02, "low": low, "high": 1.05}}]
        (found,) = [one for one in goals({**case, "rows": rows}, "cpu") if one["goal"] == "to plain rotation"]
        assert found["met"] is met


def test_the_fastest_peer_of_the_case_is_what_is_compared_with():
    slow, fast = (replace(OURS["rotary"], name=name, ours=False) for name in ("slow", "fast"))
    forward, _ = cases({FLOOR: 1.0, "rotary": 1.2, "slow": 1.3, "fast": 1.1}, (OURS["rotary"], slow, fast))
    (found,) = [one for one in forward["goals"] if one["goal"] == "fast's"]
    assert (found["value"], found["limit"], found["met"]) == (1.2, 1.1, False)


def test_small_sizes_and_sixteen_bits_have_no_goals_of_their_own():
    at = replace(SMALL, dtype=torch.bfloat16)
    plan = Plan((at,), 3, 1, ("eager",))
    assert [one["goal"] for one in cases({}, (OURS["rotary"],), plan)[0]["goals"]] == []
    assert cases({}, (OURS["rotary"],), replace(plan, settings=(SMALL,), aims=False))[0]["goals"] == []


def test_a_package_that_is_missing_or_fails_is_named_and_the_others_are_timed():
    def missing(at: Setting) -> Built:
        raise Missing("peer: No module named 'peer'")

    def failing(at: Setting) -> Built:
        raise RuntimeError("two\nlines")

    def no_backward(at: Setting) -> Built:
        built = OURS["rotary"].build(at)
        return Built(lambda q, k: tuple(x.detach() for x in built.turn(q, k)))

    given = (
        Contender("missing", missing, "half"),
        Contender("failing", failing, "half"),
        Contender("no backward", no_backward, "half"),
        OURS["rotary"],
    )
    forward, backward = cases({}, given)
    rows = {row["name"]: row for row in forward["rows"]}
    assert list(rows) == [FLOOR, "missing", "failing", "no backward", "rotary"]
    assert rows["missing"]["missing"] == "peer: No module named 'peer'"
    assert rows["failing"]["failed"] == "RuntimeError: two lines"
    assert "to_copy" in rows["no backward"]
    late = {row["name"]: row for row in backward["rows"]}["no backward"]
    assert late["failed"].startswith("RuntimeError")
    assert "to_copy" not in late


@pytest.mark.parametrize("fault", ["turned the other way", "the other layout", "positions from one", "another base", "float64"])
def test_whoever_computes_something_else_is_not_timed(fault):
    def wrong(at: Setting) -> Built:
        table = F.rotary_table(
            at.positions + (fault == "positions from one"), at.omega ** (1.01 if fault == "another base" else 1.0)
        )
        if fault == "turned the other way":
            table = torch.cat((table.chunk(2, -1)[0], -table.chunk(2, -1)[1]), -1)
        layout = "interleaved" if fault == "the other layout" else "half"
        wide = torch.float64 if fault == "float64" else at.dtype
        return Built(lambda q, k: tuple(F.rotate(x, table, layout=layout).to(wide) for x in (q, k)))

    one = Contender("peer", wrong, "half")
    assert not is_right(one, SMALL, one.build(SMALL))
    forward, _ = cases({}, (one,))
    assert "not timed" in forward["rows"][1]["wrong"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("one", [*OURS.values(), *filter(is_installed, PEERS)], ids=lambda one: one.name)
def test_everyone_that_is_there_is_right_and_has_gradients(one, dtype):
    at = replace(SMALL, dtype=dtype)
    built = one.build(at)
    assert is_right(one, at, built)
    q, k = (at.drawn(seed).requires_grad_() for seed in (1, 2))
    found = torch.autograd.grad(built.turn(q, k), (q, k, *built.learned), (at.drawn(3), at.drawn(4)))
    assert all(bool(x.isfinite().all()) for x in found)
    assert len(built.learned) == (2 if one.kind == "learned" else 0)


def test_the_check_is_close_enough_to_see_a_layout_in_sixteen_bits():
    at = replace(SMALL, dtype=torch.bfloat16)
    x, one = at.drawn(1), OURS["rotary"]
    gap = (contenders.exact(one, at, x) - contenders.exact(OURS["rotary, interleaved"], at, x)).abs()
    assert bool((gap > contenders.allowed(one, at, x)).any())
