"""The uncertainty bound at sums of Hermite functions, by exact moments.

Of h_n = H_n(b) e^{−b²/2} it is known that b h_n = ½ h_{n+1} + n h_{n−1}, that ∫h_m h_n is 2ⁿ n! √π for m = n and 0 elsewhere,
and that the Fourier transform of h_n is √(2π) (−i)ⁿ h_n (NIST Digital Library of Mathematical Functions, 18.9(i), Table 18.3.1
and 18.17(v)). So the moments of |φ|² and |φ̂|² are rational multiples of √π and 2π√π where the coefficients of φ are Gaussian
rationals.
"""
from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

import sympy as sp
from sympy import Lambda, Rational, S, oo

from ..derivation import Outcome
from ..statement import And, Implies, Less, LessEqual, Statement
from ..symbols import b, xi
from ..vocabulary.functions import Unknown
from ..vocabulary.spectra import Deviation, Fourier, finite_energy, squared
from .base import Enclosure

Gaussian = tuple[Fraction, Fraction]
"""Real and imaginary part."""


@dataclass(frozen=True)
class HermiteSums(Enclosure):
    """c ≤ Δb Δξ for every admitted wave function: at a Gaussian and at so many random sums of Hermite functions."""

    statement: Statement
    wave: Unknown
    count: int = 64
    longest: int = 7
    seed: int = 1

    def lies_within(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        return bool(box.get(self.wave) == self.wave.space)

    def covers(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        """False: most wave functions are no such sums."""
        return False

    def check(self) -> Outcome:
        conclusion = getattr(self.statement, "conclusion", None)
        bound = conclusion.lhs if type(conclusion) is LessEqual else None
        if not isinstance(bound, Rational) or bound < 0 or self.statement != uncertainty_bound(self.wave, bound):
            return Outcome("refused", "not a bound of the product of the two spreads by a nonnegative rational number")
        if (self.wave.space.domain, self.wave.space.codomain) != (S.Reals, S.Complexes):
            return Outcome("refused", "the sums are not among the wave functions that the statement admits")
        for coefficients in self._sums():
            if squared_product(coefficients) < Fraction(int(bound.p), int(bound.q)) ** 2:
                return Outcome("fails", f"at the sum of Hermite functions with the coefficients {_shown(coefficients)}")
        return Outcome("holds", f"at a Gaussian and {self.count} random sums of up to {self.longest} Hermite functions, exactly")

    def _sums(self) -> Iterator[list[Gaussian]]:
        yield [(Fraction(1), Fraction(0))]
        rng = random.Random(self.seed)
        for _ in range(self.count):
            length = rng.randint(2, self.longest)
            sizes = [rng.randint(1, 9) * rng.choice((-1, 1)) for _ in range(2 * length)]
            yield [
                (Fraction(x, 2**n * factorial(n)), Fraction(y, 2**n * factorial(n)))
                for n, (x, y) in enumerate(zip(sizes[::2], sizes[1::2], strict=True))
            ]


def uncertainty_bound(wave: Unknown, bound: sp.Rational) -> Implies:
    """c ≤ Δb Δξ, for φ ≠ 0 with bφ and φ′ in L²."""
    weight, spectrum = squared(wave(b)), squared(Fourier(wave, xi))
    admitted = And(
        Less(S.Zero, finite_energy(weight, b)),
        Less(finite_energy(b**2 * weight, b), oo),
        Less(finite_energy(xi**2 * spectrum, xi), oo),
    )
    product = Deviation(Lambda(b, weight), S.Reals) * Deviation(Lambda(xi, spectrum), S.Reals)
    return Implies(admitted, LessEqual(bound, product))


def squared_product(coefficients: list[Gaussian]) -> Fraction:
    """Δb² Δξ² of Σ c_n h_n; the spectrum is that of Σ (−i)ⁿ c_n h_n."""
    turns = ((1, 0), (0, -1), (-1, 0), (0, 1))
    turned = [_times(turns[n % 4], c) for n, c in enumerate(coefficients)]
    return variance(coefficients) * variance(turned)


def variance(coefficients: list[Gaussian]) -> Fraction:
    """∫(b − b̄)²|φ|² / ∫|φ|² for φ = Σ c_n h_n."""
    moved = [(Fraction(0), Fraction(0))] * (len(coefficients) + 1)
    for n, (x, y) in enumerate(coefficients):
        moved[n + 1] = _plus(moved[n + 1], (x / 2, y / 2))
        if n:
            moved[n - 1] = _plus(moved[n - 1], (n * x, n * y))
    mass, mean = _inner(coefficients, coefficients), _inner(coefficients, moved)
    return _inner(moved, moved) / mass - (mean / mass) ** 2


def _inner(left: list[Gaussian], right: list[Gaussian]) -> Fraction:
    """Re ∫φ̄χ over √π."""
    pairs = enumerate(zip(left, right, strict=False))
    return sum((2**n * factorial(n) * (x * p + y * q) for n, ((x, y), (p, q)) in pairs), start=Fraction(0))


def _times(unit: tuple[int, int], value: Gaussian) -> Gaussian:
    (a, c), (x, y) = unit, value
    return a * x - c * y, a * y + c * x


def _plus(left: Gaussian, right: Gaussian) -> Gaussian:
    return left[0] + right[0], left[1] + right[1]


def _shown(coefficients: list[Gaussian]) -> str:
    return ", ".join(f"{x} + {y}i" for x, y in coefficients)
