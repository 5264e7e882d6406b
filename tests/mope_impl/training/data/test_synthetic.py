"""The synthetic source has the law that it states: by exact sums, by chains that can be solved, by bounds on the text alone."""
from __future__ import annotations

import hashlib
import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from mope_impl.training.data import CopySource, DataError

CONFIDENCE = 1e-9
"""Probability with which a right source may miss one of the bounds below; the texts are fixed, so it did not."""


@pytest.mark.parametrize("length", [0.05, 0.3, 1.0, 4.0, 8.0, 32.0, 200.0])
def test_weights_and_reach_are_those_of_the_whole_series(length):
    """Against sums of mpmath that go on far beyond the cut."""
    with mpmath.workdps(40):
        terms = [mpmath.exp((1 - D * D) / (2 * mpmath.mpf(length) ** 2)) for D in range(1, 60 + 14 * math.ceil(length))]
        total = mpmath.fsum(terms)
        weights = [term / total for term in terms]
        reach = mpmath.sqrt(mpmath.fsum(D * D * w for D, w in enumerate(weights, 1)))
        source = CopySource(length)
        # exp is good to an ulp of its exponent, at most 53 ln 2 + …: (38 + 2)·2⁻⁵³ relative; the sums add M·2⁻⁵³ at most.
        count = len(source.weights())
        bound = (count + 45) * 2.0**-53
        found = map(mpmath.mpf, source.weights().tolist())
        assert all(abs(a - b) <= bound * b + mpmath.mpf(2) ** -1070 for a, b in zip(found, weights, strict=False))
        assert sum(weights[count:]) < 2.0**-53
        # The cut tail moves Σ D² w_D by Σ_{D > M} D² w_D, half of that in its root.
        tail = mpmath.fsum(D * D * w for D, w in enumerate(weights, 1) if count < D) / reach**2
        assert abs(source.reach() - reach) <= (2 * bound + tail) * reach


def test_reach_is_not_the_length_where_tokens_are_coarse():
    assert CopySource(0.1).reach() == pytest.approx(1, abs=1e-12)  # e^{−3/2ℓ²} = e^{−150} is left of D = 2
    # Poisson's sum of the series: Σ w = ℓ√(π/2) − ½ and Σ D² w = ℓ³√(π/2), but for e^{−2π²ℓ²}.
    for length in (2.0, 8.0, 32.0):
        expected = length / math.sqrt(1 - 1 / (length * math.sqrt(2 * math.pi)))
        assert CopySource(length).reach() == pytest.approx(expected, rel=1e-12)
    assert CopySource(8.0).reach(limit=1) == 1
    assert CopySource(8.0).reach(limit=2) == pytest.approx(math.sqrt((1 + 4 * math.exp(-3 / 128)) / (1 + math.exp(-3 / 128))))


@pytest.mark.parametrize("length", [1e-300, 5e-324, 1e-9, 0.116])
def test_a_length_far_below_one_token_leaves_the_token_before(length):
    source = CopySource(length)
    assert source.weights().tolist() == [1.0]
    assert source.reach() == 1


def by_enumeration(weights: list[Fraction], copies: Fraction, symbols: int, size: int) -> dict[tuple[int, ...], Fraction]:
    """The probability of each text: the sum over all choices of where each symbol comes from, in rational numbers."""
    found = dict.fromkeys(itertools.product(range(symbols), repeat=size), Fraction(0))
    for choices in itertools.product([0, *range(1, len(weights) + 1)], repeat=size):  # 0: drawn afresh
        chance = math.prod((copies * weights[D - 1] if D else 1 - copies for D in choices), start=Fraction(1))
        fresh = [t for t, D in enumerate(choices) if D == 0 or t < D]
        for draws in itertools.product(range(symbols), repeat=len(fresh)):
            text: list[int] = []
            at = dict(zip(fresh, draws, strict=True))
            for t, D in enumerate(choices):
                text.append(at[t] if t in at else text[t - D])
            found[tuple(text)] += chance / symbols ** len(fresh)
    return found


class Few(CopySource):
    """A source with given weights, few enough to enumerate."""

    def weights(self):
        return np.array([0.5, 0.375, 0.125])


EXACT = [Fraction(1, 2), Fraction(3, 8), Fraction(1, 8)]


def test_probabilities_are_those_of_the_process():
    """All texts of five symbols, each probability the product of the conditional ones; dyadic weights, so only ulps are lost."""
    source = Few(symbols=2, copies=0.75)
    law = by_enumeration(EXACT, Fraction(3, 4), 2, 5)
    assert sum(law.values()) == 1
    for text, chance in law.items():
        assert float(np.prod(source.probabilities(text))) == pytest.approx(float(chance), rel=40 * 2.0**-53)


def test_a_window_sees_itself_alone():
    source, text = CopySource(3.0, 4), CopySource(3.0, 4).draw(50, 1)
    whole = source.probabilities(text, 16)
    for start in (0, 16, 32):  # the window of the targets start + 1 … start + 16
        part = text[start : start + 17]
        assert np.array_equal(whole[start + 1 : start + 17], source.probabilities(part)[1:])
    assert np.array_equal(source.probabilities(text, 49), source.probabilities(text))


def test_probabilities_of_all_symbols_sum_to_one():
    source, text = CopySource(3.0, 5), CopySource(3.0, 5).draw(30, 2)
    for sight in (None, 7):
        for t in range(30):
            each = [source.probabilities([*text[:t], s], sight)[t] for s in range(5)]
            assert sum(each) == pytest.approx(1, rel=60 * 2.0**-53)


def test_draws_are_those_of_a_plain_loop():
    source, size, seed = CopySource(5.0, 10, 0.9), 3000, 7
    raw = np.random.Philox(key=seed).random_raw(3 * size).reshape(3, size)
    copied, where, fresh = ([int(one >> 11) / 2**53 for one in row] for row in raw.tolist())
    thresholds = np.cumsum(source.weights())
    text: list[int] = []
    for t in range(size):
        D = 1 + sum(where[t] >= one for one in thresholds[:-1])
        text.append(text[t - D] if copied[t] < source.copies and t >= D else int(fresh[t] * source.symbols))
    assert source.draw(size, seed).tolist() == text


def test_the_default_text_is_this_one():
    """Whatever the version of NumPy: a record of a run names the seed alone."""
    text = CopySource().text(1_000_000, 1)
    assert hashlib.sha256(text.encode()).hexdigest() == "411f27c6bd248b887ab830d63605f1c84be429cf76689c71f8ecf75155ad3aef"


def worst_departure(text: np.ndarray, law: CopySource) -> tuple[float, float]:
    r"""How far the text departs from a law, and the bound on that, from the text alone.

    The summands [x_t = x_{t−d}] − P(x_t = x_{t−d} | past) are martingale differences within an interval of length 1: by Azuma and
    Hoeffding their mean over n of them exceeds √(ln(2/δ)/2n) with probability at most δ; δ is shared among the M distances.
    """
    weights = law.weights()
    reach, n = len(weights), len(text)
    same = np.zeros(reach)
    agree = np.array([float((text[d:] == text[:-d]).mean()) for d in range(1, reach)])
    same[1:] = agree
    worst = 0.0
    for d in range(1, reach):
        # Means over all t in place of a sum at each t: below 2M terms differ, and M at the start, which has fewer places behind.
        mixed = sum(w * (1.0 if d == D else same[abs(d - D)]) for D, w in enumerate(weights, 1) if abs(d - D) < reach)
        expected = (1 - law.copies) / law.symbols + law.copies * mixed
        worst = max(worst, abs(same[d] - expected))
    return worst, math.sqrt(math.log(2 * reach / CONFIDENCE) / (2 * (n - reach))) + 3 * reach / n


@pytest.fixture(scope="module")
def text() -> np.ndarray:
    return CopySource(8.0, 64, 0.8).draw(1_000_000, 11)


def test_the_text_follows_its_law(text):
    worst, bound = worst_departure(text, CopySource(8.0, 64, 0.8))
    assert worst < bound < 0.005


class Shifted(CopySource):
    """Copies from D + 1 places before."""

    def weights(self):
        return np.concatenate(([0.0], super().weights()))


class Wide(CopySource):
    """e^{−D²/ℓ²} in place of e^{−D²/2ℓ²}."""

    def weights(self):
        return CopySource(self.length / math.sqrt(2)).weights()


class Flat(CopySource):
    """All distances up to 2ℓ alike."""

    def weights(self):
        return np.full(int(2 * self.length), 1 / int(2 * self.length))


@pytest.mark.parametrize(
    "other", [CopySource(9.0), CopySource(7.2), CopySource(8.0, 64, 0.75), CopySource(8.0, 8), Shifted(), Wide(), Flat()]
)
def test_a_text_of_another_law_is_told_apart(other):
    worst, bound = worst_departure(other.draw(1_000_000, 11), CopySource(8.0, 64, 0.8))
    assert worst > bound


def test_repetitions_of_the_text_are_those_of_the_stationary_source(text):
    """The equations of the correlations contract by p, so that errors of each of them are magnified 1/(1 − p) times at most."""
    law = CopySource(8.0, 64, 0.8)
    reach = len(law.weights())
    bound = (math.sqrt(math.log(2 * reach / CONFIDENCE) / (2 * (len(text) - reach))) + 3 * reach / len(text)) / (1 - law.copies)
    exact = law.autocorrelation(reach)
    found = np.array([float((text[d:] == text[: len(text) - d]).mean()) for d in range(reach)])
    assert abs(found - exact).max() < bound
    assert abs(found - CopySource(12.0, 64, 0.8).autocorrelation(reach)).max() > bound


def test_autocorrelation_solves_its_equations():
    """Against a dense linear system, whose matrix has an inverse of norm 1/(1 − p) at most; the rest is rounding."""
    for law in (CopySource(0.3), CopySource(3.0, 5, 0.6), CopySource(8.0), CopySource(20.0, 2, 0.95), CopySource(4.0, 9, 0.0)):
        weights = law.weights()
        reach, count = len(weights), len(weights) + 40
        system, right = np.eye(count), np.zeros(count)
        for d in range(1, count + 1):
            for D in range(1, reach + 1):
                lag = abs(d - D)
                if lag == 0:
                    right[d - 1] += law.copies * weights[D - 1]
                else:
                    system[d - 1, lag - 1] -= law.copies * weights[D - 1]
        common = np.concatenate(([1.0], np.linalg.solve(system, right)))
        exact = 1 / law.symbols + (1 - 1 / law.symbols) * common
        # A transform of N places errs by 4 log₂N · 2⁻⁵³ of the norms of what it convolves, ≤ √N each; the sum shrinks by p.
        size = 4 * count
        bound = (4 * math.log2(size) * math.sqrt(size) + 4) * 2.0**-53 / (1 - law.copies) + count * 2.0**-50 / (1 - law.copies)
        assert abs(law.autocorrelation(count + 1) - exact).max() < bound


def chain(source: CopySource) -> tuple[np.ndarray, np.ndarray]:
    """Transition matrix and surprise −ln P of each transition of a source whose state is its last symbols, from the law."""
    weights, S = source.weights(), source.symbols
    states = list(itertools.product(range(S), repeat=len(weights)))  # the latest symbol first
    number = {state: k for k, state in enumerate(states)}
    move, surprise = np.zeros((len(states),) * 2), np.zeros((len(states),) * 2)
    for state in states:
        for s in range(S):
            chance = (1 - source.copies) / S + source.copies * sum(w for w, x in zip(weights, state, strict=True) if x == s)
            pair = number[state], number[(s, *state[:-1])]
            move[pair], surprise[pair] = chance, -math.log(chance)
    return move, surprise


@pytest.mark.parametrize("symbols, copies", [(2, 0.75), (3, 0.5), (4, 0.9)])
def test_the_best_loss_tends_to_the_entropy_rate(symbols, copies):
    r"""Against the exact rate of a chain of S³ states.

    With h the entropy of a step and g the solution of g − Pg = h − πh, the sum of the surprises less nH is a martingale, but for
    g at both ends; its steps lie within an interval of length ln((1 − p + pS)/(1 − p)) + osc g. Azuma and Hoeffding again.
    """
    source = Few(symbols=symbols, copies=copies)
    move, surprise = chain(source)
    count = len(move)
    balance, whole = np.vstack((move.T - np.eye(count), np.ones(count))), np.append(np.zeros(count), 1)
    stationary = np.linalg.lstsq(balance, whole, rcond=None)[0]
    step = (move * surprise).sum(1)
    rate = float(stationary @ step)
    solution = np.linalg.lstsq(np.eye(count) - move, step - rate, rcond=None)[0]
    spread = float(np.ptp(solution))
    n = 400_000
    losses = source.losses(source.draw(n, 5))
    interval = math.log((1 - copies + copies * symbols) / (1 - copies)) + spread
    bound = interval * math.sqrt(math.log(2 / CONFIDENCE) / (2 * n)) + (spread + 3 * math.log(symbols / (1 - copies))) / n
    assert abs(losses.mean() - rate) < bound
    below, above = source.entropy_bounds()
    assert below - 1e-12 <= rate <= above + 1e-12  # rounding of sums of at most 64 numbers below 10
    assert abs(losses.mean() - math.log(symbols)) > bound  # what a predictor that knows nothing would have


def test_entropy_bounds_hold_the_loss_of_a_long_text(text):
    """With the best predictor; the deviation of a mean of a million is far below the distance to either bound."""
    below, above = CopySource().entropy_bounds()
    assert below + 0.5 < CopySource().losses(text).mean() < above - 0.5
    assert CopySource(copies=0.0).entropy_bounds() == pytest.approx((math.log(64),) * 2, rel=1e-12)


def test_no_other_predictor_does_better(text):
    r"""Of a right q and any r chosen before, P(ln Πr/Πq > a) ≤ e^{−a}: here r is the law with another setting."""
    best = CopySource().losses(text)
    slack = math.log(1 / CONFIDENCE) / len(text)
    for other in (CopySource(9.0), CopySource(7.0), CopySource(copies=0.79), CopySource(copies=0.81), Shifted(), Wide(), Flat()):
        assert other.losses(text).mean() > best.mean() - slack
    # It is no bound of a predictor that was told the text: one that gives each right symbol probability 1.
    assert best.mean() - slack > 0.0


@pytest.mark.parametrize(
    "settings", [{"length": 0.0}, {"length": math.nan}, {"symbols": 1}, {"symbols": 65}, {"copies": 1.0}, {"copies": -0.1}]
)
def test_settings_out_of_range_are_refused(settings):
    ((name, value),) = settings.items()
    with pytest.raises(DataError, match=f"{name}: got {value}, expected"):
        CopySource(**settings)
