"""Fourier transforms, standard deviations and theta sums: the named functions of the claims on localisation."""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Abs, I, Integral, Sum, exp, oo, pi, sqrt

from ..symbols import Head, b, k, omega, psi, sigma, t


def fresh(symbol: sp.Symbol, *taken: sp.Basic) -> sp.Symbol:
    """The symbol, primed until it occurs in none of the expressions, free or bound: a bound variable that captures nothing."""
    used = {name.name for x in taken for name in x.atoms(sp.Symbol)}
    while symbol.name in used:
        symbol = sp.Symbol(symbol.name + "'", **symbol.assumptions0)
    return symbol


class psi_hat(Head):
    """Fourier transform of the wave packet, ψ̂(ξ) = ∫ψ(b) e^{−iξb} db."""

    nargs = 3

    def definition(self) -> sp.Expr:
        spectral, frequency, width = self.args
        x = fresh(b, *self.args)
        return Integral(psi(x, frequency, width) * exp(-I * spectral * x), (x, -oo, oo))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _transform_latex(r"\hat{\psi}", self, printer, exp)


class psi_hat_on_integers(Head):
    """Fourier series of the wave packet sampled at the integers, Σ_{b∈ℤ} ψ(b) e^{−iξb}, of period 2π in ξ."""

    nargs = 3

    def definition(self) -> sp.Expr:
        spectral, frequency, width = self.args
        x = fresh(b, *self.args)
        return Sum(psi(x, frequency, width) * exp(-I * spectral * x), (x, -oo, oo))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _transform_latex(r"\hat{\psi}^{\mathbb{Z}}", self, printer, exp)


def _transform_latex(name: str, head: sp.Function, printer: Any, power: Any) -> str:
    spectral, frequency, width = head.args
    standing = (frequency, width) == (omega, sigma)
    subscript = "" if standing else f"_{{{printer._print(frequency)},{printer._print(width)}}}"
    value = rf"{name}{subscript}\left({printer._print(spectral)}\right)"
    return value if power is None else rf"{{{value}}}^{{{power}}}"


class Fourier(Head):
    """Fourier transform of an unknown function f, f̂(ξ) = ∫f(b) e^{−iξb} db."""

    nargs = 2

    def definition(self) -> sp.Expr:
        function, spectral = self.args
        x = fresh(b, *self.args)
        return Integral(function(x) * exp(-I * spectral * x), (x, -oo, oo))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        function, spectral = map(printer._print, self.args)
        value = rf"\hat{{{function}}}\left({spectral}\right)"
        return value if exp is None else rf"{{{value}}}^{{{exp}}}"


class Deviation(Head):
    """Standard deviation of a weight over a set: √(Σ(x − x̄)² w(x) / Σw), an integral over ℝ or an interval, a sum over ℤ.

    Arguments: the weight as a Lambda, and the set.
    """

    nargs = 2

    def definition(self) -> sp.Expr:
        weight, domain = self.args
        (x,) = weight.variables
        if domain == sp.S.Integers:
            total, limits = Sum, (x, -oo, oo)
        elif isinstance(domain, sp.Interval):
            total, limits = Integral, (x, domain.start, domain.end)
        else:
            raise ValueError(f"no deviation over {domain}")
        mass = total(weight.expr, limits)
        mean = total(x * weight.expr, limits) / mass
        return sqrt(total((x - mean) ** 2 * weight.expr, limits) / mass)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        weight, domain = self.args
        (x,) = weight.variables
        value = rf"\Delta_{{{printer._print(x)} \in {printer._print(domain)}}}\left[{printer._print(weight.expr)}\right]"
        return value if exp is None else rf"\left({value}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        weight, domain = self.args
        (x,) = weight.variables
        return f"Δ[{printer._print(weight.expr)}; {printer._print(x)} ∈ {printer._print(domain)}]"


class CircleDistance(Head):
    """Distance of a frequency from the multiples of 2π, arccos(cos ω): what is left of it on the integers."""

    nargs = 1

    def definition(self) -> sp.Expr:
        return sp.acos(sp.cos(self.args[0]))

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[0].is_real else None

    def _latex(self, printer: Any, exp: Any = None) -> str:
        value = rf"\operatorname{{dist}}\left({printer._print(self.args[0])}, 2\pi\mathbb{{Z}}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"


def theta(nome: sp.Expr, phase: sp.Expr) -> sp.Expr:
    """1 + 2 Σ_{k≥1} q^{k²} cos kx for q = e^{−nome}, the theta function that Poisson summation of a Gaussian gives."""
    return 1 + 2 * Sum(exp(-nome * k**2) * sp.cos(k * phase), (k, 1, oo))


def normal_density(x: sp.Expr, mean: sp.Expr, variance: sp.Expr) -> sp.Expr:
    """Density of the normal distribution of that mean and variance."""
    return exp(-((x - mean) ** 2) / (2 * variance)) / sqrt(2 * pi * variance)


def finite_energy(weight: sp.Expr, x: sp.Symbol = t) -> sp.Expr:
    """∫ weight dx over ℝ."""
    return Integral(weight, (x, -oo, oo))


def squared(value: sp.Expr) -> sp.Expr:
    """|z|²."""
    return Abs(value) ** 2
