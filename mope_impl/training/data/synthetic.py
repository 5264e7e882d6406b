r"""A source of symbols whose correlation length ℓ is known, and so are its best predictor and the best possible loss.

Each symbol is, with probability p, a copy of the one D places before it, D drawn with weights

    w_D = e^{−D²/2ℓ²} / Σ_{j=1}^{M} e^{−j²/2ℓ²},   D = 1 … M,   M = ⌈ℓ √(106 ln 2)⌉,

and else, or where there is no such place, drawn afresh from S symbols, all alike. Beyond M a weight is below 2⁻⁵³ of the largest
possible one, so that the cut is below what float64 tells apart. All draws are independent. Hence, exactly,

    P(x_t = s | x_0 … x_{t−1}) = (1 − p Σ_{D ≤ min(t, M)} w_D) / S  +  p Σ_{D ≤ min(t, M)} w_D [x_{t−D} = s] .

The best predictor is thus one look back whose weights depend on the distance alone, as a half of a Gaussian of width ℓ: an
attention that has learned the source looks at the tokens D places before the one that it predicts with weights w_D. (It stands
on the token before that one: a key at distance d = m − n from the query lies D = d + 1 places before the token predicted.)
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .config import require_source

ALPHABET = "".join(sorted("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
"""The symbols in the order of their code points, so that the number of a symbol is its place in a sorted vocabulary."""


@dataclass(frozen=True)
class CopySource:
    """The source with correlation length ``length``, in tokens, ``symbols`` symbols, and copies with probability ``copies``.

    Raises DataError (a ValueError) for a length that is not in (0, 4096], fewer than 2 or more than 64 symbols, and for a
    probability that is not in [0, 0.99].
    """

    length: float = 8.0
    symbols: int = 64
    copies: float = 0.8

    def __post_init__(self) -> None:
        require_source(self.length, self.symbols, self.copies)

    def weights(self) -> NDArray[np.float64]:
        """w_D for D = 1 … M, (M,), float64; they sum to 1."""
        reach = max(1, math.ceil(self.length * math.sqrt(106 * math.log(2))))
        if reach == 1:
            return np.ones(1)  # and no square of a length that underflows
        distances = np.arange(1, reach + 1, dtype=np.float64)
        # Relative to the weight of D = 1: a length far below one token would have every weight underflow.
        weights = np.exp((1 - distances**2) / (2 * self.length**2))
        return weights / weights.sum()

    def reach(self, limit: int | None = None) -> float:
        """√(Σ D² w_D), tokens: the root mean square distance at which the best predictor looks.

        It tends to ℓ for large ℓ, as ℓ (1 − 1/(ℓ√(2π)))^(−1/2), and to 1 for small ℓ: 8.21 at ℓ = 8. With ``limit`` only the
        distances D ≤ limit count, as where no more of the past is in sight.
        """
        weights = self.weights()[:limit]
        distances = np.arange(1, len(weights) + 1, dtype=np.float64)
        return math.sqrt(float(distances**2 @ weights / weights.sum()))

    def autocorrelation(self, distances: int) -> NDArray[np.float64]:
        """P(x_t = x_{t−d}) for d = 0 … ``distances`` − 1, far from the start, (distances,), float64.

        Two places hold one symbol if both were copied from one fresh draw, or by chance: 1/S + (1 − 1/S) r(d). The later of the
        two was copied from D places before it with probability p w_D, whatever the rest, so that r(0) = 1 and

            r(d) = p Σ_D w_D r(|d − D|),   d ≥ 1,

        which shrinks differences by p each time it is iterated, here from r = [d = 0] until less than 2⁻⁵² is left of them.
        """
        weights = self.weights()
        reach = max(len(weights), distances - 1)
        size = 1 << (2 * reach + len(weights) + 1).bit_length()
        kernel = np.fft.rfft(np.concatenate(([0.0], weights)), size)
        common = np.concatenate(([1.0], np.zeros(reach)))
        rounds = math.ceil(52 * math.log(2) / -math.log(self.copies)) if self.copies > 0 else 1
        for _ in range(rounds):
            # Places −reach … reach stand at 0 … 2·reach; the sum for d is found at d + reach.
            both = np.concatenate((common[:0:-1], common))
            new = self.copies * np.fft.irfft(kernel * np.fft.rfft(both, size), size)[reach : 2 * reach + 1]
            new[0] = 1.0
            common = new
        return (1 / self.symbols + (1 - 1 / self.symbols) * common)[:distances]

    def entropy_bounds(self) -> tuple[float, float]:
        """Two numbers that the entropy rate H, nats per symbol, lies between, in closed form.

        With q the distribution of a symbol given the past, H = E[H(q)]. Below: H(q) ≥ (1 − p) ln S, as the entropy is concave;
        and H(q) ≥ −ln Σ q², whose mean is, by Jensen's inequality, at least −ln E Σ q²,

            E Σ_s q(s)² = (1 − p²)/S + p² Σ_{D, D'} w_D w_{D'} P(x_t = x_{t−|D−D'|}) .

        Above: ln S; and (1 − p) ln S + p H(w) + h(p), the entropy of which draw it was, and of what.
        H itself is what ``losses`` tends to on a long text: the source is ergodic.
        """
        p, weights, alone = self.copies, self.weights(), math.log(self.symbols)
        meet = self.autocorrelation(len(weights))
        size = 1 << (2 * len(weights)).bit_length()
        lags = np.fft.irfft(np.abs(np.fft.rfft(weights, size)) ** 2, size)[: len(weights)]
        collision = (1 - p * p) / self.symbols + p * p * float(2 * lags @ meet - lags[0] * meet[0])
        positive = weights[weights > 0]
        mixed = -float(positive @ np.log(positive))
        which = -p * math.log(p) - (1 - p) * math.log1p(-p) if p > 0 else 0.0
        return max((1 - p) * alone, -math.log(collision)), min(alone, (1 - p) * alone + p * mixed + which)

    def draw(self, size: int, seed: int) -> NDArray[np.int64]:
        """``size`` symbols 0 … S − 1, (size,), a function of the source, ``size`` and ``seed`` alone.

        The draws are the raw output of NumPy's Philox generator, which no release changes. The number of a place is followed
        back to the fresh symbol that it was copied from, all places at once, twice as far in each round.
        """
        raw = np.random.Philox(key=seed).random_raw(3 * size).reshape(3, size)
        copied, distance, fresh = (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53
        weights = self.weights()
        back = 1 + np.searchsorted(np.cumsum(weights)[:-1], distance, side="right")
        place = np.arange(size)
        origin = np.where((copied < self.copies) & (back <= place), place - back, place)
        while not np.array_equal(further := origin[origin], origin):
            origin = further
        return np.floor(fresh * self.symbols).astype(np.int64)[origin]

    def text(self, size: int, seed: int) -> str:
        """The symbols of ``draw`` as characters of the alphabet."""
        letters = np.frombuffer(ALPHABET[: self.symbols].encode("ascii"), dtype=np.uint8)
        return letters[self.draw(size, seed)].tobytes().decode("ascii")

    def probabilities(self, symbols: ArrayLike, sight: int | None = None) -> NDArray[np.float64]:
        """P(x_t | x_0 … x_{t−1}) of each symbol of a sequence from its start, (N,), float64: the equation above.

        With ``sight``, the sequence is cut into windows as an evaluation cuts it, and x_t is predicted from the symbols of its
        own window alone: those between the largest multiple of ``sight`` below t and t. What is out of sight is taken for a
        fresh symbol; that is a predictor, though not always the best of those that see no more.
        """
        x = np.asarray(symbols)
        place = np.arange(len(x))
        seen = place if sight is None else np.where(place > 0, (place - 1) % sight + 1, 0)
        weights = self.weights()[: max(len(x) - 1, 0)]
        looked = np.concatenate(([0.0], np.cumsum(weights)))[np.minimum(seen, len(weights))]
        agree = np.zeros(len(x))
        for distance, weight in enumerate(weights, start=1):
            if distance > seen.max(initial=0):
                break
            agree[distance:] += weight * ((x[distance:] == x[:-distance]) & (seen[distance:] >= distance))
        return (1 - self.copies * looked) / self.symbols + self.copies * agree

    def losses(self, symbols: ArrayLike, sight: int | None = None) -> NDArray[np.float64]:
        """−ln of ``probabilities``, nats, (N,)."""
        return -np.log(self.probabilities(symbols, sight))
