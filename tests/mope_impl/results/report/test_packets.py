"""Wave packets: products, occupancy, multipliers, decay alone, folded frequencies; the schedule is that of training."""
from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
import torch
from scipy import stats

from mope_impl.nn import constraints
from mope_impl.results.measures import rational
from mope_impl.results.report import decay
from mope_impl.results.report.packets import TOLERANCE, arms, boundary, folded, folding, journey, multiplier, occupied
from mope_impl.results.samples import imbalances, occupancies, products
from mope_impl.training.config import OptimizerConfig
from mope_impl.training.schedule import rate as trained_rate
from mope_theory.claims.experiment import NEAR_BOUNDARY
from mope_theory.vocabulary import recipe
from tests.mope_impl.results.report.made import STEPS, config, packets, run, runs

OMEGA = np.array([1.0, 1.7, 2.4, 3.1])
SIGMA = 5 / OMEGA


def still(label="MoPE", seed=1, **changes):
    """A run whose pairs stay where they are."""
    return packets(label, seed, [(0, OMEGA, SIGMA, OMEGA, SIGMA), (STEPS, OMEGA, SIGMA, OMEGA, SIGMA)], **changes)


# --- the schedule --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [{}, {"warmup": 0}, {"warmup": 60}, {"final_rate": 0.01}])
def test_the_rate_of_each_step_is_that_of_training(change):
    whole = config(1, optimizer=change)
    own = OptimizerConfig(**{name: whole["optimizer"][name] for name in ("rate", "final_rate", "warmup")})
    for step in range(STEPS):
        assert decay.rate(step, whole) == pytest.approx(trained_rate(step, STEPS, own), rel=1e-12)


def test_the_factor_of_the_published_schedule_is_that_of_the_claim():
    published = {"rate": 3e-4, "final_rate": 0.0, "warmup": 300, "weight_decay": 0.1, "decay_all": True}
    whole = config(1, optimizer=published)
    whole["training"]["steps"] = 5000
    with mp.workdps(30):
        wanted = mp.mpf(1)
        for step in range(5000):
            share = mp.mpf(step) / 300 if step < 300 else (1 + mp.cos(mp.pi * mp.mpf(step - 300) / 4700)) / 2
            wanted *= 1 - mp.mpf("3e-5") * share
    assert decay.factor(whole, 0, 5000) == pytest.approx(float(wanted), rel=1e-12)
    assert f"{decay.factor(whole, 0, 5000):.4f}" == "0.9277"
    spared = config(1, optimizer={**published, "decay_all": False})
    assert decay.factor(spared, 0, 5000) == 1.0
    assert decay.factor(whole, 0, 100) * decay.factor(whole, 100, 5000) == pytest.approx(float(wanted), rel=1e-12)


def test_decay_alone_is_what_an_optimiser_does_without_a_gradient():
    """AdamW with zero gradients, step by step at the rates of training, against the product."""
    own = OptimizerConfig(rate=0.05, warmup=8)
    logs = [torch.nn.Parameter(torch.tensor(np.log(values))) for values in (OMEGA, SIGMA)]
    optimizer = torch.optim.AdamW(logs, lr=1.0, weight_decay=0.1)
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = trained_rate(step, STEPS, own)
        for one in logs:
            one.grad = torch.zeros_like(one)
        optimizer.step()
    found = decay.alone(still(), STEPS)
    for name, one in zip(("omega", "sigma"), logs, strict=True):
        assert found[name] == pytest.approx(one.detach().exp().numpy(), rel=1e-6)  # the record has seven digits


def test_the_clamp_is_that_of_the_recipe():
    omega, sigma = np.meshgrid([0.3, 1.0, 2.9, 2.99, 3.2, 6.0], [1e-4, 1e-3, 0.8, 1.67, 1.68, 4.0, 30.0])
    found = decay.clamped(omega.ravel(), sigma.ravel())
    for x, s, used, width in zip(omega.ravel(), sigma.ravel(), *found, strict=True):
        head = recipe.EffectiveFrequency(sp.Float(x), sp.Float(s))
        assert used == pytest.approx(float(head.doit().evalf()), rel=1e-9)
        assert width == max(s, 1e-3)


@pytest.mark.parametrize("power", [1.0, 0.9, 0.3])
def test_the_bounded_constraint_decays_in_its_own_parameters(power):
    log_omega = constraints.log_spaced(8, constraints.LAST_INTERIOR)
    parameters = constraints.CONSTRAINTS["bounded"].initial(log_omega, 5.25)
    start, wanted = (constraints.bounded(*(one * scale for one in parameters)) for scale in (1.0, power))
    found = decay.bounded(*(one.numpy() for one in start), power)
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other.numpy(), rel=1e-9)


# --- products and occupancy ----------------------------------------------------------------------------------------------


def test_products_are_told_before_and_after_the_constraint():
    stored = OMEGA * 0.9
    first = packets("MoPE", 1, [(0, OMEGA, SIGMA, OMEGA, SIGMA), (STEPS, stored, SIGMA, OMEGA, SIGMA)])
    second = packets("MoPE", 2, [(0, OMEGA, SIGMA, OMEGA, SIGMA), (STEPS, stored, SIGMA, 1.2 * OMEGA, SIGMA)])
    row = boundary(runs([first, second]), "MoPE")
    assert row.stored_start.mean.mean == pytest.approx(5, rel=1e-5)
    assert row.stored_end.mean.mean == pytest.approx(4.5, rel=1e-5)
    assert row.used_end.mean.mean == pytest.approx(5.5, rel=1e-5)
    assert (row.used_end.least, row.used_end.greatest) == pytest.approx((5, 6), rel=1e-5)
    half = stats.t.ppf(0.975, 1) * 0.5
    assert (row.used_end.mean.lower, row.used_end.mean.upper) == pytest.approx((5.5 - half, 5.5 + half), rel=1e-4)
    assert (row.occupied_start.mean, row.occupied_end.mean, row.pairs) == (1.0, 0.5, 4)
    assert row.used_end.mean.seeds == (1, 2)


def test_it_counts_as_the_rules_count():
    draw = np.random.default_rng(3)
    records = []
    for seed in range(1, 4):
        end = OMEGA * draw.uniform(0.985, 1.015, 4)
        records.append(packets("MoPE", seed, [(0, OMEGA, SIGMA, OMEGA, SIGMA), (STEPS, end, SIGMA, end, SIGMA)]))
    found = runs(records)
    row = boundary(found, "MoPE")
    assert TOLERANCE == rational(NEAR_BOUNDARY) == Fraction(1, 100)
    counted = occupancies(found, "MoPE", TOLERANCE)
    assert row.occupied_end.mean == pytest.approx(float(sum(counted.values()) / 3), rel=1e-12)
    assert 0 < row.occupied_end.mean < 1
    assert row.used_end.mean.mean == pytest.approx(np.mean(list(products(found, "MoPE").values())), rel=1e-12)


def test_the_edge_of_the_boundary_counts_and_what_is_beyond_does_not():
    assert occupied(np.array([5.05, 4.95, 5.0501, 4.9499])) == 0.5


def test_only_models_with_wave_packets_of_their_own_are_arms():
    relative = packets("Morlet-RoPE, relative kernel", 1, [(0, OMEGA, SIGMA, OMEGA, SIGMA)], {"encoding": "morlet-relative"})
    assert arms(runs([run("baseline", 1, 1.5), relative, run("MoPE, bounded", 1, 1.5, {"encoding": "morlet"})])) == []
    assert arms(runs([still()])) == ["MoPE"]


# --- multipliers ---------------------------------------------------------------------------------------------------------


def measured_slopes(by_omega, by_sigma):
    return {"measures": {"gradients": {"omega": list(by_omega), "sigma": list(by_sigma), "loss": 1.0}}}


@pytest.mark.parametrize("turn, sign, share", [(1, 1, 0.75), (-1, -1, 0.25)])
def test_multipliers_have_a_sign_and_a_share_of_positive_pairs(turn, sign, share):
    records = []
    for seed, scale in ((1, 1.0), (2, 1.1), (3, 0.9)):
        slopes = turn * scale * np.array([4.0, 3.0, 2.0, -1.0])
        records.append(still(seed=seed, **measured_slopes(slopes, slopes * OMEGA / SIGMA)))
    found = runs(records)
    row = multiplier(found, "MoPE")
    assert row.mean.mean == pytest.approx(turn * np.mean(np.array([4.0, 3.0, 2.0, -1.0]) / SIGMA), rel=1e-5)
    assert (row.mean.sign, row.positive.mean) == (sign, share)
    assert row.imbalance.mean == pytest.approx(np.mean(list(imbalances(found, "MoPE").values())), abs=1e-12)
    assert row.imbalance.mean == pytest.approx(0, abs=1e-6)


def test_a_run_without_slopes_is_told():
    row = multiplier(runs([still()]), "MoPE")
    assert (row.mean, row.imbalance) == (None, None)
    assert row.lacking == "the run of MoPE with seed 1 has no gradients"


# --- decay alone ---------------------------------------------------------------------------------------------------------


def decayed(seed, optimizer=None, extra=1.0, **model):
    """A run in which nothing but decay moved the pairs, times ``extra`` for σ."""
    whole = config(seed, {"encoding": "morlet", **model}, optimizer=optimizer or {})
    power = decay.factor(whole, 0, STEPS)
    omega, sigma = OMEGA**power, SIGMA**power * extra
    used = decay.clamped(omega, sigma) if model.get("constraint") != "free" else (omega, sigma)
    ways = [(0, OMEGA, SIGMA, OMEGA, SIGMA), (STEPS, omega, sigma, *used)]
    return packets("MoPE", seed, ways, model, optimizer=optimizer or {})


@pytest.mark.parametrize("constraint", ["reference", "free"])
def test_nothing_is_left_where_decay_alone_moved_the_pairs(constraint):
    row = journey(runs([decayed(1, constraint=constraint), decayed(2, constraint=constraint)]), "MoPE")
    power = row.factor
    assert 0.8 < power < 0.95
    for name, start in (("omega", OMEGA), ("sigma", SIGMA)):
        far = (1 - power) * np.sqrt(np.mean(np.log(start) ** 2))
        assert row.moved[name].mean == pytest.approx(far, rel=1e-5)
        assert row.predicted[name].mean == pytest.approx(far, rel=1e-5)
        assert row.left[name].mean < 1e-6  # seven digits
    assert row.ranges["sigma"] == pytest.approx(row.predicted_ranges["sigma"], rel=1e-6)
    assert row.ranges["omega"] == pytest.approx(row.predicted_ranges["omega"], rel=1e-6)


def test_what_the_loss_adds_is_left():
    row = journey(runs([decayed(1, extra=1.1)]), "MoPE")
    assert row.left["sigma"].mean == pytest.approx(np.log(1.1), rel=1e-5)
    assert row.left["omega"].mean < 1e-6


@pytest.mark.parametrize("fault", [{"warmup": 0}, {"weight_decay": 0.2}, {"rate": 0.04}, {"decay_all": False}])
def test_a_run_of_another_schedule_does_not_pass_for_decay_alone(fault):
    """The record says one schedule, the pairs were moved by another."""
    moved = decayed(1, optimizer=fault).measures
    planted = run("MoPE", 1, 1.5, {"encoding": "morlet"}, measures=moved)
    row = journey(runs([planted]), "MoPE")
    assert row.left["sigma"].mean > 1e-3


def test_without_decay_the_prediction_stays():
    row = journey(runs([still(optimizer={"decay_all": False})]), "MoPE")
    assert row.factor == 1.0
    assert row.predicted["sigma"].mean == row.left["sigma"].mean == 0


# --- folding -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("omega, wanted", [(0.5, 0.5), (np.pi, np.pi), (3.35, 2.9331853), (7.0, 0.7168147), (5.9, 0.3831853)])
def test_a_frequency_acts_as_its_distance_from_the_multiples_of_two_pi(omega, wanted):
    assert folded(np.array([omega]))[0] == pytest.approx(wanted, abs=1e-7)


def test_folded_products_are_counted():
    omega = np.array([1.11, 2.0, 3.35, 4.0])
    sigma = np.array([4.50, 2.5, 1.49, 3.0])
    row = folding(runs([packets("MoPE", 1, [(0, omega, sigma, omega, sigma)])]), "MoPE")
    assert row.highest == 4.0
    assert row.beyond.mean == 0.5
    assert row.frequencies == pytest.approx((1.11, 2.9331853), abs=1e-6)
    # 4.995 and 5 are on the boundary, 2.933·1.49 = 4.37 is below, (2π − 4)·3 = 6.85 above
    assert row.least == pytest.approx(4.3704, abs=1e-3)
    assert row.below.mean == 0.25
