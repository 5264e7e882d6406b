"""Quadratic forms of the relative kernel as integrals over its frequencies, and why they are positive."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy import I, Integral, Lambda, S, Sum, conjugate, exp, oo, re

from ...derivation import Chain, Derivation, chain, directly
from ...lemmas import GAUSSIAN
from ...lemmas.algebra import INDEPENDENT, amplitude, frequency
from ...lemmas.integration import LINEAR, POSITIVE, coefficient, integrand, turn, weight
from ...logic import Assume, Cite, Generalise, Rearrange, conjunction, instance
from ...rules import Bound, Decide, Integrable, Integrands, Known, Modulus, Part, Rewrite, Strict, Termwise
from ...statement import Equal, ForAll, Less, LessEqual
from ...symbols import K, N, j, k, omega, sigma, xi
from ...vocabulary.functions import Unknown
from ...vocabulary.sequences import distinct, nonzero
from ...vocabulary.spectra import normal_density
from .shorthand import detach, given, member, witness

_z = sp.Symbol("z", complex=True, zero=False)
_line = (xi, -oo, oo)


def bell(center: sp.Expr, at: sp.Expr = xi) -> sp.Expr:
    """Density of a normal frequency, of variance 1/(2σ²), around a centre."""
    return normal_density(at, center, 1 / (2 * sigma**2))


@dataclass(frozen=True)
class Mixture:
    """A kernel κ(d) = ∫ e^{iξd} p(ξ) dξ with the centres of the bells that its density p is the mean of."""

    kernel: Callable[[sp.Expr], sp.Expr]
    centers: tuple[sp.Expr, ...]

    @property
    def density(self) -> sp.Expr:
        return self.density_at(xi)

    def density_at(self, frequency: sp.Expr) -> sp.Expr:
        """p at a frequency."""
        return sp.Add(*(bell(center, frequency) for center in self.centers)) / len(self.centers)


MORLET = Mixture(lambda d: K(d, omega, sigma), (omega,))
REAL_PART = Mixture(lambda d: re(K(d, omega, sigma)), (omega, -omega))
"""The relative kernel, and its real part: half of the frequencies turn the other way."""


def squared_modulus(value: sp.Expr) -> sp.Expr:
    """z z̄."""
    return value * conjugate(value)


NONZERO_SQUARE = chain(S.Zero, (Strict(Part(S.One, None, squared_modulus(_z))), squared_modulus(_z)), relation=Less)
"""0 < z z̄ for z ≠ 0."""


@dataclass(frozen=True)
class QuadraticForm:
    """Σ_{j,k} a_j ā_k κ(x_j − x_k) for a mixture κ, a vector a and positions x."""

    mixture: Mixture
    vector: Unknown
    positions: Unknown

    @property
    def value(self) -> sp.Expr:
        return Sum(self._term, (j, 0, N - 1), (k, 0, N - 1))

    @property
    def _term(self) -> sp.Expr:
        return self.vector(j) * conjugate(self.vector(k)) * self.mixture.kernel(self._gap)

    @property
    def _gap(self) -> sp.Expr:
        return self.positions(j) - self.positions(k)

    def wave(self, at: sp.Expr = xi) -> sp.Expr:
        """A(ξ) = Σ_j a_j e^{iξx_j}."""
        return Sum(self.vector(j) * exp(I * at * self.positions(j)), (j, 0, N - 1))

    @property
    def spectrum(self) -> sp.Expr:
        """|A(ξ)|² p(ξ)."""
        return squared_modulus(self.wave()) * self.mixture.density

    @property
    def energy(self) -> Integral:
        """∫ |A|² p."""
        return Integral(self.spectrum, _line)

    @cached_property
    def _linear(self) -> Derivation:
        """The axiom of linearity for this form: |Σ|p is integrable, and Σ a_j ā_k ∫ = ∫ Σ a_j ā_k."""
        values = {
            coefficient: Lambda((j, k), self.vector(j) * conjugate(self.vector(k))),
            turn: Lambda((j, k), self._gap),
            weight: Lambda(xi, self.mixture.density),
        }
        linear = instance(Cite(LINEAR), values)
        return detach(linear, directly(Less(Integral(self.mixture.density, _line), oo), Integrable()))

    @cached_property
    def integral(self) -> Chain:
        """The form of the kernel is ∫ |A|² p."""
        swap = member(self._linear, 1)
        statement: Any = swap.statement
        term = self._term
        entry = directly(Equal(term, statement.lhs.function), Decide(GAUSSIAN))
        inner = Sum(entry.statement.rhs, (j, 0, N - 1))
        row = chain(Sum(term, (j, 0, N - 1)), (Termwise(entry, j, S.Zero, N - 1), inner))
        return chain(
            self.value,
            (Termwise(row, k, S.Zero, N - 1), statement.lhs),
            (Known(swap), statement.rhs),
            (Decide(), self.energy),
        )

    @cached_property
    def integrable(self) -> Chain:
        """∫ |A|² p < ∞."""
        known = member(self._linear, 0)
        statement: Any = known.statement
        size = statement.lhs.function / self.mixture.density
        square = squared_modulus(self.wave())
        modulus = chain(size, (Modulus(Bound(Part(S.One, None, square))), square))
        same = chain(size * self.mixture.density, (Rewrite(modulus), self.spectrum))
        return chain(self.energy, (Integrands(same), statement.lhs), (Known(known), oo), relation=Less)

    @cached_property
    def _positivity(self) -> Derivation:
        """The axiom of positivity for |A|² p."""
        positive = instance(Cite(POSITIVE), {integrand: Lambda(xi, self.spectrum)})
        everywhere = directly(LessEqual(S.Zero, self.spectrum), Bound(Part(S.One, None, self.spectrum)))
        universal = Generalise(ForAll(xi, S.Reals, everywhere.statement), everywhere)
        return detach(positive, conjunction(universal, self.integrable))

    @cached_property
    def nonnegative(self) -> Chain:
        """0 ≤ Σ a_j ā_k κ(x_j − x_k)."""
        return chain(
            S.Zero,
            (Known(member(self._positivity, 0)), self.energy),
            (Known(self.integral), self.value),
            relation=LessEqual,
        )

    @cached_property
    def positive(self) -> Chain:
        """0 < Σ a_j ā_k κ(x_j − x_k), where the positions are distinct and the vector is not zero: A is not zero somewhere."""
        independent = instance(Cite(INDEPENDENT), {amplitude: self.vector, frequency: self.positions})
        somewhere = detach(independent, conjunction(Assume(distinct(self.positions)), Assume(nonzero(self.vector))))
        strict = member(self._positivity, 1)
        statement: Any = strict.statement
        there: Any = somewhere.statement
        square = instance(NONZERO_SQUARE, {_z: self.wave()}, Assume(there.body))
        at = Rearrange(Less(S.Zero, self.spectrum), square, self.mixture.density)
        energy = detach(strict, given(somewhere, witness(statement.hypothesis, xi, at)))
        return chain(S.Zero, (Known(energy), self.energy), (Known(self.integral), self.value), relation=Less)
