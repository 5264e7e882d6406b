"""On the integers the frequencies fold onto a turn, where their density exceeds its value half a turn away from the carrier."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy import Abs, Integral, Lambda, Rational, S, Sum, oo, pi

from ...derivation import Chain, Derivation, chain, directly
from ...lemmas.algebra import amplitude
from ...lemmas.axioms import POISSON, decay, shift, turn
from ...lemmas.integration import (
    FOLDED,
    MEAN,
    PARSEVAL,
    center,
    end,
    floor,
    level,
    mass,
    periodic,
    start,
    weight,
    whole,
)
from ...lemmas.jacobi import COSINE, nome, phase, theta
from ...lemmas.theta_minimum import ABOVE_LEAST, LEAST, least
from ...logic import Assume, Cite, Generalise, Rearrange, Using, conjunction, instance
from ...rules import Bound, Combine, Decide, Given, Known, OneTerm, Part, Strict
from ...statement import Equal, ForAll, Less, LessEqual, Not
from ...symbols import N, j, k, omega, sigma, xi
from ...vocabulary.sequences import distinct, nonzero
from .quadratic_forms import QuadraticForm, squared_modulus
from .shorthand import detach, given, member

_z = sp.Symbol("z", complex=True, zero=False)
_SQUARE = directly(Less(S.Zero, Abs(_z) ** 2), Strict(Part(S.One, None, Abs(_z) ** 2)))
_nome = 1 / (4 * sigma**2)
_turn = (xi, omega - pi, omega + pi)
_inside = sp.Interval.open(omega - pi, omega + pi)
SMALLEST = least.xreplace({nome: _nome})
"""θ₄(0, e^{−1/4σ²})."""


def _away(frequency: sp.Expr) -> dict[sp.Symbol, sp.Expr]:
    """The theta function of a bell, at an angle from its centre."""
    return {nome: _nome, phase: frequency}


def _above(center_of_bell: sp.Expr) -> Derivation:
    """θ(π) < θ(ω − ξ) within half a turn of ω; θ(π) ≤ θ(c − ξ) everywhere."""
    angle = center_of_bell - xi
    if center_of_bell != omega:
        return instance(LEAST, _away(angle))
    half = Rational(1, 2)
    cosine = detach(
        instance(Cite(COSINE), {phase: angle / 2}),
        conjunction(
            Rearrange(Less(-pi / 2, angle / 2), Assume(Less(xi, omega + pi)), half),
            Rearrange(Less(angle / 2, pi / 2), Assume(Less(omega - pi, xi)), half),
        ),
    )
    return Using(instance(ABOVE_LEAST, _away(angle)), cosine)


@dataclass(frozen=True)
class Floor:
    """The form at distinct integers is larger than θ₄(0, e^{−1/4σ²}) Σ |a_j|²."""

    form: QuadraticForm

    @property
    def _density(self) -> Sum:
        """The density of the frequencies, folded."""
        return Sum(self.form.mixture.density_at(xi + 2 * pi * k), (k, -oo, oo))

    @property
    def _square(self) -> sp.Expr:
        return squared_modulus(self.form.wave())

    @property
    def _norm(self) -> Sum:
        return Sum(Abs(self.form.vector(j)) ** 2, (j, 0, N - 1))

    @cached_property
    def _above_floor(self) -> Derivation:
        """The folded density exceeds θ₄/2π within half a turn of ω: by Poisson summation it is θ/2π, or a mean of such."""
        centers = self.form.mixture.centers
        share = 1 / (2 * pi * len(centers))
        orders = [_above(c) for c in centers]
        values = [theta.xreplace(_away(c - xi)) for c in centers]
        gaps = [Given(share, value - SMALLEST, strict=c == omega) for c, value in zip(centers, values, strict=True)]
        combs = [instance(Cite(POISSON), {decay: _nome, shift: S.Zero, turn: c - xi}) for c in centers]
        known = [
            Rearrange((Less if gap.strict else LessEqual)(S.Zero, gap.hypothesis), order)
            for gap, order in zip(gaps, orders, strict=True)
        ]
        above = chain(
            SMALLEST / (2 * pi),
            (Strict(*gaps), share * sp.Add(*values)),
            (Combine(*((share, comb) for comb in combs)), self._density),
            relation=Less,
        )
        return Using(above, *known)

    @cached_property
    def _folded(self) -> Derivation:
        """∫ |A|² p over ℝ is ∫ |A|² Σ_k p(ξ + 2πk) over a turn."""
        form = self.form
        values = {periodic: Lambda(xi, self._square), weight: Lambda(xi, form.mixture.density), center: omega}
        again = directly(Equal(self._square.xreplace({xi: xi + 2 * pi}), self._square), Decide())
        return detach(
            instance(Cite(FOLDED), values),
            conjunction(Generalise(ForAll(xi, S.Reals, again.statement), again), form.integrable),
        )

    @cached_property
    def _energy(self) -> Derivation:
        """∫ |A|² over a turn is 2π Σ |a_j|²."""
        values = {amplitude: self.form.vector, whole: self.form.positions, center: omega}
        return detach(instance(Cite(PARSEVAL), values), Assume(distinct(self.form.positions)))

    @cached_property
    def _norm_positive(self) -> Derivation:
        """0 < Σ |a_j|²."""
        size = Abs(self.form.vector(j)) ** 2
        nonnegative = directly(LessEqual(S.Zero, size), Bound(Part(S.One, None, size)))
        one = instance(_SQUARE, {_z: self.form.vector(j)}, Assume(Not(Equal(self.form.vector(j), S.Zero))))
        positive = chain(
            S.Zero, (Known(one), size), (OneTerm(nonnegative, j, S.Zero, N - 1, j), self._norm), relation=Less
        )
        return given(Assume(nonzero(self.form.vector)), positive)

    @cached_property
    def exceeded(self) -> Chain:
        """θ₄ Σ |a_j|² < Σ a_j ā_k κ(z_j − z_k)."""
        finite, parseval = (member(self._energy, n) for n in (0, 1))
        integrable, folded = (member(self._folded, n) for n in (0, 1))
        total = Integral(self._square, _turn)
        mean = Integral(self._square * self._density, _turn)
        least_value = SMALLEST / (2 * pi)
        values = {
            mass: Lambda(xi, self._square), level: Lambda(xi, self._density),
            floor: least_value, start: omega - pi, end: omega + pi,
        }  # fmt: skip
        twice = 2 * pi * self._norm
        positive = chain(
            S.Zero,
            (Known(Rearrange(Less(S.Zero, twice), self._norm_positive, 2 * pi)), twice),
            (Known(parseval), total),
            relation=Less,
        )
        above: Any = Generalise(ForAll(xi, _inside, self._above_floor.statement), self._above_floor)
        exceeds = detach(instance(Cite(MEAN), values), conjunction(finite, integrable, positive, above))
        return chain(
            SMALLEST * self._norm,
            (Combine((-least_value, parseval)), least_value * total),
            (Known(exceeds), mean),
            (Known(folded), self.form.energy),
            (Known(self.form.integral), self.form.value),
            relation=Less,
        )
