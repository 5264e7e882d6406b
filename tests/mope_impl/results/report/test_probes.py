"""Leak and reach: means over seeds, the error within a run, the band about the length."""
from __future__ import annotations

import pytest
from scipy import stats

from mope_impl.results.report.probes import leaks, reaches
from tests.mope_impl.results.report.made import run, runs


def probed(seed, whole, prefix, error=0.002, label="EGA-1", gate="published", **further):
    found = {"whole": whole, "prefix": prefix, "positions": 64, "standard_error": error, **further}
    return run(label, seed, 1.5, {"gate": gate}, measures={"leak": found})


def test_a_leak_is_prefix_minus_whole():
    (row,) = leaks(runs([probed(1, 1.40, 1.47, 0.002), probed(2, 1.42, 1.50, 0.003), probed(3, 1.41, 1.49)]))
    wanted = stats.ttest_rel((1.47, 1.50, 1.49), (1.40, 1.42, 1.41))
    assert row.gain.mean == pytest.approx(0.23 / 3, rel=1e-9)
    bounds = wanted.confidence_interval(0.95)
    assert (row.gain.lower, row.gain.upper) == pytest.approx((bounds.low, bounds.high), rel=1e-9)
    assert (row.whole.mean, row.prefix.mean) == pytest.approx((1.41, 4.46 / 3))
    assert (row.gate, row.positions, row.standard_errors) == ("published", 64, (0.002, 0.003, 0.002))
    assert row.gain.sign == 1


def test_a_turned_leak_has_the_other_sign():
    (row,) = leaks(runs([probed(1, 1.47, 1.40), probed(2, 1.50, 1.42), probed(3, 1.49, 1.41)]))
    assert row.gain.sign == -1


def test_a_causal_gate_is_told_too_and_a_model_without_a_gate_is_not():
    causal = probed(1, 1.5, 1.5, 0.0, "EGA-1, causal", "causal")
    found = leaks(runs([run("baseline", 1, 1.5), causal, probed(1, 1.4, 1.5)]))
    assert [(one.label, one.gate, one.gain.mean) for one in found] == [
        ("EGA-1", "published", pytest.approx(0.1)),
        ("EGA-1, causal", "causal", 0.0),
    ]


def test_gains_by_position_are_told_where_every_record_has_them():
    here = {"places": [3, 9], "gains": [0.1, 0.3]}
    (row,) = leaks(runs([probed(1, 1.4, 1.5, **here), probed(2, 1.4, 1.5, places=[3, 9], gains=[0.2, 0.5])]))
    assert row.places == (3, 9)
    assert [one.mean for one in row.gains] == pytest.approx([0.15, 0.4])
    for other in ({}, {"places": [3, 8], "gains": [0.1, 0.3]}, {"places": [3, 9], "gains": [0.1]}):
        (row,) = leaks(runs([probed(1, 1.4, 1.5, **here), probed(2, 1.4, 1.5, **other)]))
        assert (row.places, row.gains) == ((), ())


def looked(length, values, **measures):
    return [run(f"source of length {length}", seed, 1.3, measures={"reach": value, "best_loss": 1.25, **measures})
            for seed, value in enumerate(values, 1)]  # fmt: skip


@pytest.mark.parametrize(
    "values, within",
    [
        ((8.0, 8.2, 7.9), True),
        ((3.0, 3.1, 3.2), False),
        ((17.0, 17.5, 18.0), False),
        ((4.1, 8.0, 12.0), False),
        ((12.0, 15.5, 16.4), False),  # the mean is within, and the lower end; the upper one is not
        ((8.0,), None),
    ],
)
def test_the_whole_interval_must_lie_in_the_band(values, within):
    (row,) = reaches(runs(looked(8, values)))
    assert (row.length, row.within) == (8, within)


def test_reach_is_beside_its_length_and_the_best_loss():
    rows = reaches(runs([*looked(16, (15.0, 17.0), attention_distance=40.0), *looked(4, (4.0,)), *[
        run("MoPE", 1, 1.5, measures={"reach": 9.0})]]))  # fmt: skip
    assert [(one.label, one.length, one.reach.mean) for one in rows] == [
        ("source of length 4", 4, 4.0),
        ("source of length 16", 16, 16.0),
        ("MoPE", None, 9.0),
    ]
    assert (rows[1].attention.mean, rows[1].best.mean, rows[1].loss.mean) == (40.0, 1.25, 1.3)
    assert (rows[2].attention, rows[2].best, rows[2].within) == (None, None, None)
