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

ALPHABET = "".join(sorted("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
"""The symbols in the order of their code points, so that the number of a symbol is its place in a sorted vocabulary."""


@dataclass(frozen=True)
class CopySource:
    """The source with correlation length ``length``, in tokens, ``symbols`` symbols, and copies with probability ``copies``."""

    length: float = 8.0
    symbols: int = 64
    copies: float = 0.8

    def weights(self) -> NDArray[np.float64]:
        """w_D for D = 1 … M, (M,), float64; they sum to 1."""
        reach = max(1, math.ceil(self.length * math.sqrt(106 * math.log(2))))
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
