"""What the statements are tried on: numbers, sequences, waves, a gate, losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import mpmath as mp

from mope_theory.vocabulary.spectra import Fourier, psi_hat
from tests.mope_theory.claims.numeric import grid


def spectrum(xi: Any, omega: Any, sigma: Any) -> Any:
    """The transform of the wave packet, which is tried by quadrature in admissibility.fourier."""
    return sigma * mp.sqrt(2 * mp.pi) * mp.exp(-(sigma**2) * (xi - omega) ** 2 / 2)


SPECTRUM = {psi_hat: spectrum}


@dataclass(frozen=True)
class Wave:
    """A wave function with its transform, which is tried by quadrature too."""

    value: Callable[[Any], Any]
    hat: Callable[[Any], Any]

    def __call__(self, b: Any) -> Any:
        return self.value(b)


SLOPED = Wave(lambda b: (1 + b) * mp.exp(-b * b / 2), lambda xi: mp.sqrt(2 * mp.pi) * mp.mpc(1, -xi) * mp.exp(-xi * xi / 2))
CHIRPLESS = Wave(lambda b: 2 * mp.exp(mp.mpc(0, b) - b * b), lambda xi: 2 * mp.sqrt(mp.pi) * mp.exp(-((xi - 1) ** 2) / 4))
SHIFTED = Wave(
    lambda b: mp.mpc(0, 2) * mp.exp(mp.mpc(0, b) - (b - 1) ** 2 / 2),
    lambda xi: mp.mpc(0, 2) * mp.sqrt(2 * mp.pi) * mp.exp(-((xi - 1) ** 2) / 2 - mp.mpc(0, xi - 1)),
)
WAVES = (SLOPED, CHIRPLESS, SHIFTED)
TRANSFORM = {Fourier: lambda phi, xi: phi.hat(xi)}

W = {"omega": F(13, 10)}
PAIR = W | {"sigma": F(3, 2)}
SHAPES = grid(omega=(F(13, 10), F(-7, 3)), sigma=(F(3, 2), F(2, 5), 4))
PLACES = ({"m": 1, "n": -3}, {"m": F(7, 3), "n": F(-3, 4)}, {"m": 3, "n": 1}, {"m": F(1, 2), "n": F(1, 2)})
PLACED = [shape | place for shape in SHAPES for place in PLACES]


def sequence(*values: Any) -> Callable[..., Any]:
    return lambda i: values[int(mp.re(i)) % len(values)]


def matrix(*rows: tuple[Any, ...]) -> Callable[..., Any]:
    return lambda i, j: rows[int(mp.re(i)) % len(rows)][int(mp.re(j)) % len(rows[0])]


VECTORS = (sequence(1, mp.mpc(-1, 2), mp.mpc(0, -1)), sequence(F(1, 3), -1, 1), sequence(0, 0, mp.mpc(1, 1)))
POSITIONS = (sequence(0, F(1, 3), F(-5, 2)), sequence(2, 1, 0))
TOKENS = (sequence(0, 1, 2), sequence(-3, 4, 0), sequence(5, 6, 8))
ROOT = mp.sqrt(2)

X_FIRST = matrix((0, 0, ROOT, -ROOT), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, 1, -1))
X_SECOND = matrix((0, 0, ROOT, -ROOT), (1, -1, 1, -1), (-1, 1, 1, -1), (1, -1, 1, -1))
X_OTHER = matrix((1, -1, 1, -1), (0, 0, ROOT, -ROOT), (-1, 1, 1, -1), (ROOT, 0, 0, -ROOT))
ZERO = matrix((0, 0, 0, 0))
MIXED = matrix((F(1, 2), 0, -1, 2), (0, 1, F(1, 3), 0), (1, 1, 0, -1), (2, 0, 0, 1))
IDENTITY = matrix((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
WITNESS = {
    "W_q": ZERO,
    "W_k": ZERO,
    "W_v": IDENTITY,
    "u": sequence(1, 0, 0, 0),
    "beta": 0,
    "alpha": 2,
    "tau": 0,
    "D": 4,
    "H": 4,
}
GATES = (
    WITNESS,
    WITNESS | {"W_q": MIXED, "W_k": IDENTITY, "W_v": MIXED, "u": sequence(1, F(1, 2), -1, 0), "beta": F(1, 3), "tau": F(7, 20)},
)
ONE_GATE = {name: (value,) for name, value in WITNESS.items()}


def loss(omega: Any, sigma: Any) -> Any:
    return mp.sin(omega) * sigma + omega**2 / (1 + sigma)


def least_at_the_boundary(omega: Any, sigma: Any) -> Any:
    """Smallest on ωσ ≥ 5 at ω = σ = √5, with multiplier 1."""
    return omega * sigma + (mp.log(omega) - mp.log(sigma)) ** 2


def saddle(omega: Any, sigma: Any) -> Any:
    """Balanced at ω = σ = √5 with multiplier 1, and smaller along the boundary."""
    return omega * sigma - (mp.log(omega) - mp.log(sigma)) ** 2


ROOT_5 = mp.sqrt(5)
