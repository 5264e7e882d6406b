"""Values of the measured quantities, against numbers worked out by hand or by NumPy and mpmath."""
from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from mope_impl.results import Record
from mope_impl.results.measures import COUNTERPARTS, labels_of, rational, value
from mope_impl.results.samples import Lacking
from mope_impl.results.store import Runs
from mope_theory.vocabulary import measured as m
from mope_theory.vocabulary.measured import Measured, label
from mope_theory.vocabulary.numerals import decimal
from tests.mope_impl.results.planted import record, shape


def runs(*records: Record) -> Runs:
    found: dict[str, dict[int, Record]] = {}
    for one in records:
        found.setdefault(one.label, {})[one.seed] = one
    return Runs("cpu", found)


def of(name: str, losses: Iterable[float | None], first: int = 1) -> list[Record]:
    return [record(name, seed, loss) for seed, loss in enumerate(losses, first)]


def by_hand(values: Iterable[float], one_more: bool = False) -> tuple[float, float]:
    """Ends of the 95 % interval, the quantile from the printed tables' formula for t by mpmath."""
    x = np.array(list(values))
    n = len(x)
    with mp.workdps(30):
        t = float(mp.findroot(lambda q: mp.betainc((n - 1) / 2, 0.5, 0, (n - 1) / (n - 1 + q * q), regularized=True) - 0.05, 3))
    half = t * x.std(ddof=1) * np.sqrt((1 if one_more else 0) + 1 / n)
    return x.mean() - half, x.mean() + half


def ends(found: Runs, lower: type[Measured], *arguments: object) -> tuple[float, float]:
    both = (lower, COUNTERPARTS[lower])
    return tuple(float(value(found, head(*arguments), 3).number) for head in both)  # type: ignore[return-value]


def test_a_difference_is_paired_by_seed():
    mope, rope = (1.50, 1.53, 1.48, 1.51), (1.45, 1.49, 1.44)
    found = runs(*of("MoPE", mope), *of("RoPE", reversed(rope), first=2))
    pairs = [1.53 - 1.44, 1.48 - 1.49, 1.51 - 1.45]  # seed 1 of MoPE has no partner
    assert ends(found, m.DifferenceLower, label("MoPE"), label("RoPE")) == pytest.approx(by_hand(pairs), rel=1e-9)
    assert value(found, m.DifferenceUpper(label("MoPE"), label("RoPE")), 3).seeds == 3


def test_swapped_seeds_change_the_interval():
    """Two seeds exchanged between the files of one model: the mean stays, the pairs are others."""
    a, b = (1.50, 1.60, 1.40), (1.45, 1.55, 1.36)
    honest = ends(runs(*of("MoPE", a), *of("RoPE", b)), m.DifferenceLower, label("MoPE"), label("RoPE"))
    swapped = ends(runs(*of("MoPE", a), *of("RoPE", (b[1], b[0], b[2]))), m.DifferenceLower, label("MoPE"), label("RoPE"))
    assert sum(honest) == pytest.approx(sum(swapped))
    assert swapped[1] - swapped[0] > 5 * (honest[1] - honest[0])


def test_one_more_run():
    losses = (1.50, 1.53, 1.48, 1.51)
    assert ends(runs(*of("MoPE", losses)), m.NextRunLower, label("MoPE")) == pytest.approx(by_hand(losses, True), rel=1e-9)


@pytest.mark.parametrize(
    "gate, with_mope, with_other", [("EGA-1", "EGA + MoPE", "EGA-1"), ("EGA-1, causal", "EGA + MoPE, causal", "EGA-1, causal")]
)
def test_an_interaction_has_four_corners(gate: str, with_mope: str, with_other: str):
    corners = {
        "MoPE": (1.50, 1.53, 1.48),
        with_mope: (1.35, 1.37, 1.36),
        "baseline": (1.47, 1.50, 1.46),
        with_other: (1.40, 1.44, 1.39),
    }
    found = runs(*(one for name, losses in corners.items() for one in of(name, losses)))
    p, q, r, s = (np.array(losses) for losses in corners.values())
    assert ends(found, m.InteractionLower, label(gate), label("baseline")) == pytest.approx(by_hand((p - q) - (r - s)), rel=1e-9)
    assert labels_of(m.InteractionLower(label(gate), label("baseline"))) == ("MoPE", with_mope, "baseline", with_other)


def test_multipliers_and_imbalances():
    """Two pairs at (ω, σ) = (5, 1) and (2, 2.5), gradients by hand."""
    records = []
    for seed in (1, 2, 3):
        by_omega, by_sigma = [0.2 * seed, -0.5], [1.0, 0.4]
        last = {"step": 2, "omega": [9.0, 9.0], "sigma": [9.0, 9.0], "omega_effective": [5.0, 2.0], "sigma_effective": [1.0, 2.5]}
        measures = {"shape": [last], "gradients": {"omega": by_omega, "sigma": by_sigma, "loss": 1.0}}
        records.append(record("MoPE", seed, 1.5, measures=measures))
    found = runs(*records)
    each = [(0.2 * seed / 1.0 - 0.5 / 2.5) / 2 for seed in (1, 2, 3)]
    assert ends(found, m.MultiplierLower, label("MoPE")) == pytest.approx(by_hand(each), rel=1e-9)
    # |5·0.2 − 1·1| = 0 for seed 1; |2·(−0.5) − 2.5·0.4| = 2 of 2
    each = [(abs(seed - 1) + 2) / (seed + 1 + 2) for seed in (1, 2, 3)]
    assert ends(found, m.ImbalanceLower, label("MoPE")) == pytest.approx(by_hand(each), rel=1e-9)
    assert ends(found, m.ProductLower, label("MoPE")) == (5.0, 5.0)  # as used, not as stored


def test_without_any_gradient_there_is_no_imbalance():
    found = runs(*(record("MoPE", seed, 1.5, measures=shape([5.0], 0.0, 0.0)) for seed in (1, 2, 3)))
    assert ends(found, m.ImbalanceLower, label("MoPE")) == (0.0, 0.0)


@pytest.mark.parametrize(
    "products, share",
    [
        ((5.0, 5.0), Fraction(1)),
        ((5.05, 4.95), Fraction(1)),  # at the tolerance, on both sides
        ((5.0501, 4.9499), Fraction(0)),
        ((5.000001, 4.999999), Fraction(1)),  # rounding
        ((5.0, 6.0, 7.0), Fraction(1, 3)),
    ],
)
def test_occupancy_is_an_exact_share(products: tuple[float, ...], share: Fraction):
    found = runs(*(record("MoPE", seed, 1.5, measures=shape(products)) for seed in (1, 2, 3)))
    assert value(found, m.Occupancy(label("MoPE"), decimal("0.01")), 3).number == share


def test_one_pair_that_leaves_in_one_run_is_seen():
    shapes = [shape([5.0] * 128), shape([5.0] * 128), shape([5.0] * 127 + [5.1])]
    found = runs(*(record("MoPE", seed, 1.5, measures=one) for seed, one in enumerate(shapes, 1)))
    assert value(found, m.Occupancy(label("MoPE"), decimal("0.01")), 3).number == 1 - Fraction(1, 3 * 128)


def test_reach_and_parameters():
    found = runs(*(record("source of length 8", seed, 1.5, measures={"reach": 7.0 + seed}) for seed in (1, 2, 3)))
    assert ends(found, m.ReachLower, sp.Integer(8)) == pytest.approx(by_hand((8.0, 9.0, 10.0)), rel=1e-9)
    assert value(found, m.Parameters(label("source of length 8")), 3).number == 1000


# --- what is lacking -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "records, said",
    [
        ([], "MoPE has no seeds, RoPE has no seeds of 3"),
        (of("MoPE", (1.5, 1.6, 1.7)), "RoPE has no seeds of 3"),
        (of("MoPE", (1.5, 1.6)) + of("RoPE", (1.5,)), "MoPE has 2 seeds, RoPE has 1 seed of 3"),
        (of("MoPE", (1.5, 1.6, 1.7)) + of("RoPE", (1.5, 1.6, 1.7), first=2), "MoPE and RoPE share 2 seeds of 3"),
        (of("MoPE", (1.5, None, 1.7)) + of("RoPE", (1.5, 1.6, 1.7)), "MoPE diverged with seed 2"),
    ],
    ids=["no run", "one model", "few seeds", "a missing pair", "diverged"],
)
def test_what_is_lacking_is_said(records: list[Record], said: str):
    with pytest.raises(Lacking) as caught:
        value(runs(*records), m.DifferenceUpper(label("MoPE"), label("RoPE")), 3)
    assert str(caught.value) == said


def test_a_run_that_was_not_measured_is_said():
    with pytest.raises(Lacking, match="the run of MoPE with seed 1 has no gradients"):
        value(runs(*of("MoPE", (1.5, 1.6, 1.7))), m.MultiplierLower(label("MoPE")), 3)


def test_runs_of_several_sizes_are_no_one_model():
    found = runs(record("baseline", 1, 1.5), record("baseline", 2, 1.5, parameters=2000))
    with pytest.raises(ValueError, match="1000 and 2000 parameters"):
        value(found, m.Parameters(label("baseline")), 1)


def test_what_no_run_supplies_is_refused():
    class Invented(Measured):
        """A quantity of a test."""

        symbol = word = "x"

    with pytest.raises(ValueError, match="no run supplies Invented"):
        value(runs(), Invented(label("MoPE")), 3)


@pytest.mark.parametrize("text", ["1.4742", "-0.032", "6.1e-10"])
def test_numerals_are_exact(text: str):
    assert rational(decimal(text) / 3) == Fraction(text) / 3
    with pytest.raises(ValueError, match="not a rational number"):
        rational(decimal(text) * sp.pi)
