"""Losses, differences and interactions, against SciPy's own tests and numbers worked out by hand."""
from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from mope_impl.results.report.comparisons import compared, interacting
from mope_impl.results.report.estimate import estimate, measured, some
from mope_impl.results.report.models import curves, design, models
from mope_impl.results.samples import losses
from mope_theory.experiments import FAMILIES
from tests.mope_impl.results.report.made import rows, run, runs

LOSSES = {
    "baseline": (1.561, 1.574, 1.556, 1.569, 1.563),
    "EGA-1": (1.502, 1.519, 1.497, 1.511, 1.500),
    "MoPE": (1.583, 1.590, 1.579, 1.592, 1.581),
    "EGA + MoPE": (1.520, 1.531, 1.515, 1.530, 1.519),
    "RoPE": (1.540, 1.551, 1.536, 1.549, 1.537),
    "sinusoidal": (1.640, 1.655, 1.639, 1.652, 1.644),
}


def named(found, family, *pair):
    (one,) = (each for each in found if each.family == family and each.models == pair)
    return one


# --- means and intervals -------------------------------------------------------------------------------------------------


def test_a_mean_has_the_interval_of_the_t_distribution():
    values = LOSSES["baseline"]
    found = estimate(dict(enumerate(values, 1)))
    wanted = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.lower, found.upper) == pytest.approx((wanted.low, wanted.high), rel=1e-12)
    assert found.mean == pytest.approx(np.mean(values), rel=1e-15)
    assert found.seeds == (1, 2, 3, 4, 5)


def test_one_seed_has_no_interval_and_none_has_no_mean():
    alone = estimate({4: 1.5})
    assert (alone.mean, alone.lower, alone.upper, alone.seeds) == (1.5, None, None, (4,))
    assert alone.sign is None
    assert estimate({}) is None
    with pytest.raises(ValueError, match="needs a seed"):
        some({})


@pytest.mark.parametrize("shift, sign", [(1, 1), (-1, -1), (0, 0)])
def test_the_sign_is_that_of_the_whole_interval(shift, sign):
    assert some({1: shift + 0.01, 2: shift - 0.01, 3: shift + 0.02}).sign == sign


def test_a_run_that_diverged_leaves_no_mean():
    found = runs(rows({"MoPE": (1.5, None, 1.6)}))
    (one,) = models(found)
    assert one.loss is None
    assert (one.diverged, one.values) == ((2,), {1: 1.5, 3: 1.6})
    assert measured(losses, found, "MoPE").lacking == "MoPE diverged with seed 2"


def test_what_is_left_to_run_is_counted():
    found = models(runs(rows({"MoPE": (1.5, None)}), {"MoPE": 5, "baseline": 5}))
    assert [(one.label, one.left, one.planned) for one in found] == [("baseline", 5, 5), ("MoPE", 3, 5)]


def test_models_of_several_sizes_have_no_number_of_parameters():
    one, other = run("MoPE", 1, 1.5), run("MoPE", 2, 1.5, parameters=7)
    assert [each.parameters for each in models(runs([one]))] == [1000]
    assert [each.parameters for each in models(runs([one, other]))] == [None]


# --- paired differences --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first, second", FAMILIES["rows of the table"])
def test_a_difference_is_that_of_the_paired_t_test(first, second):
    found = named(compared(runs(rows(LOSSES))), "rows of the table", first, second)
    wanted = stats.ttest_rel(LOSSES[first], LOSSES[second])
    bounds = wanted.confidence_interval(0.95)
    assert found.value.mean == pytest.approx(np.mean(LOSSES[first]) - np.mean(LOSSES[second]), rel=1e-9)
    assert (found.value.lower, found.value.upper) == pytest.approx((bounds.low, bounds.high), rel=1e-9)
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-9)
    assert found.value.seeds == (1, 2, 3, 4, 5)
    assert found.flip is None  # five seeds are too few for it


def by_holm(p):
    """Step down by the definition: reject in rising order while p ≤ α/(m − j); the smallest such α for each."""
    order = np.argsort(p)
    scaled = [(len(p) - at) * p[place] for at, place in enumerate(order)]
    out = np.empty(len(p))
    for at, place in enumerate(order):
        out[place] = min(1, max(scaled[: at + 1]))
    return out


def test_p_values_are_corrected_over_the_family():
    found = [one for one in compared(runs(rows(LOSSES))) if one.family == "rows of the table"]
    p = [stats.ttest_rel(LOSSES[one.models[0]], LOSSES[one.models[1]]).pvalue for one in found]
    assert [one.corrected for one in found] == pytest.approx(by_holm(p), rel=1e-9)
    assert {one.members for one in found} == {5}


def test_comparisons_that_are_not_made_yet_count_in_the_correction():
    """One of five is there: it is multiplied by five, not by one."""
    there = {label: LOSSES[label] for label in ("baseline", "MoPE")}
    planned = dict.fromkeys(LOSSES, 5)
    found = [one for one in compared(runs(rows(there), planned)) if one.family == "rows of the table"]
    known = [one for one in found if one.value]
    assert [one.models for one in known] == [("MoPE", "baseline")]
    assert known[0].corrected == pytest.approx(5 * stats.ttest_rel(LOSSES["MoPE"], LOSSES["baseline"]).pvalue)
    assert [(one.p, one.lacking) for one in found if not one.value] == [(None, "not run")] * 4
    (planned_alone,) = {one.lacking for one in compared(runs(rows(there))) if not one.value}
    assert planned_alone == "not planned"


def test_a_family_of_models_that_are_not_planned_is_left_out():
    families = {one.family for one in compared(runs(rows({"baseline": (1.5, 1.6), "MoPE": (1.5, 1.7)})))}
    assert families == {"rows of the table", "order of the table", "encodings"}
    assert compared(runs([])) == ()


def test_eight_seeds_have_the_exact_test_beside():
    draw = np.random.default_rng(5)
    first = [round(float(x), 4) for x in draw.normal(1.5, 0.01, 8)]
    second = [round(float(x), 4) for x in draw.normal(1.505, 0.01, 8)]
    found = named(compared(runs(rows({"MoPE": first, "baseline": second}))), "encodings", "MoPE", "baseline")
    apart = np.round(np.subtract(first, second), 6)
    sums = np.round([abs(np.dot(signs, apart)) for signs in product((1, -1), repeat=8)], 9)
    assert found.flip == pytest.approx(np.mean(sums >= round(abs(apart.sum()), 9)), rel=1e-12)


# planted faults: each must be seen in the row


def test_a_swapped_pair_is_seen():
    swapped = {**LOSSES, "MoPE": (LOSSES["MoPE"][1], LOSSES["MoPE"][0], *LOSSES["MoPE"][2:])}
    honest, other = (named(compared(runs(rows(one))), "encodings", "MoPE", "baseline") for one in (LOSSES, swapped))
    assert other.value.mean == pytest.approx(honest.value.mean)
    assert other.value.upper - other.value.lower > 1.5 * (honest.value.upper - honest.value.lower)
    assert other.p > honest.p


def test_a_dropped_seed_is_seen():
    records = [one for one in rows(LOSSES) if (one.label, one.seed) != ("MoPE", 3)]
    found = named(compared(runs(records)), "encodings", "MoPE", "baseline")
    assert found.value.seeds == (1, 2, 4, 5)
    (row,) = (one for one in models(runs(records, dict.fromkeys(LOSSES, 5))) if one.label == "MoPE")
    assert (row.left, row.loss.seeds) == (1, (1, 2, 4, 5))


def test_a_turned_sign_is_seen():
    turned = {**LOSSES, "MoPE": LOSSES["baseline"], "baseline": LOSSES["MoPE"]}
    honest, other = (named(compared(runs(rows(one))), "encodings", "MoPE", "baseline") for one in (LOSSES, turned))
    assert (honest.value.sign, other.value.sign) == (1, -1)
    assert other.value.mean == pytest.approx(-honest.value.mean)


def test_a_run_that_diverged_is_told_in_its_comparisons():
    found = named(compared(runs(rows({**LOSSES, "MoPE": (1.5, None)}))), "encodings", "MoPE", "baseline")
    assert found.value is None
    assert found.lacking == "MoPE diverged with seed 2"


# --- interactions --------------------------------------------------------------------------------------------------------


def test_an_interaction_is_a_difference_of_gains():
    found = [one for one in interacting(runs(rows(LOSSES))) if one.value]
    assert [(one.family, one.name) for one in found] == [("EGA-1", "with MoPE against baseline")]
    values = {label: np.array(own) for label, own in LOSSES.items()}
    each = (values["MoPE"] - values["EGA + MoPE"]) - (values["baseline"] - values["EGA-1"])
    wanted = stats.ttest_1samp(each, 0)
    assert found[0].value.mean == pytest.approx(each.mean(), rel=1e-9)
    assert found[0].value.lower == pytest.approx(wanted.confidence_interval(0.95).low, rel=1e-9)
    assert found[0].p == pytest.approx(wanted.pvalue, rel=1e-9)
    assert found[0].corrected == pytest.approx(min(1, 4 * wanted.pvalue), rel=1e-9)  # four controls are declared


def test_both_gates_have_interactions_of_their_own():
    causal = {"EGA-1, causal": LOSSES["RoPE"], "EGA + MoPE, causal": LOSSES["EGA + MoPE"]}
    found = interacting(runs(rows({**LOSSES, **causal})))
    for gate, alone, both in (("EGA-1", "EGA-1", "EGA + MoPE"), ("EGA-1, causal", "RoPE", "EGA + MoPE")):
        (one,) = (each for each in found if each.family == gate and each.value)
        corners = [np.mean(LOSSES[label]) for label in ("MoPE", both, "baseline", alone)]
        assert one.value.mean == pytest.approx(corners[0] - corners[1] - corners[2] + corners[3], rel=1e-9)
    assert one.models == ("MoPE", "EGA + MoPE, causal", "baseline", "EGA-1, causal")


def test_one_corner_without_a_seed_takes_it_from_the_square():
    records = [one for one in rows(LOSSES) if (one.label, one.seed) != ("EGA-1", 2)]
    (found,) = (one for one in interacting(runs(records)) if one.value)
    assert found.value.seeds == (1, 3, 4, 5)


# --- curves and settings -------------------------------------------------------------------------------------------------


def test_a_curve_is_the_mean_over_seeds_in_nats_per_character():
    def evaluations(*values):
        return tuple({"step": 2 * at, "train": None, "validation": value, "estimate": None} for at, value in enumerate(values))

    one = run("MoPE", 1, 1.0, evaluations=evaluations(4.0, 2.0), tokens=5, characters=10)
    other = run("MoPE", 2, 1.2, evaluations=evaluations(5.0, None), tokens=5, characters=10)
    (curve,) = curves(runs([one]))
    assert (curve.steps, curve.losses) == ((0, 2), (2.0, 1.0))
    (curve,) = curves(runs([one, other]))
    assert (curve.steps, curve.losses, curve.seeds) == ((0,), (2.25,), (1, 2))  # the other step is not of both


def test_settings_are_shared_or_a_models_own():
    records = [run("baseline", 1, 1.5), run("MoPE", 1, 1.5, {"encoding": "morlet"}), run("MoPE", 2, 1.5, {"encoding": "morlet"})]
    found = design(runs(records))
    assert found.own == {"baseline": {}, "MoPE": {"model.encoding": "morlet"}}
    assert "model.encoding" not in found.shared
    assert found.shared["optimizer.warmup"] == 8
    assert not [name for name in found.shared if name.endswith("seed")]
    assert design(runs([])).shared == {}
