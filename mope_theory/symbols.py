"""Symbols and named functions that every formula of the project is written in.

A symbol's assumptions are part of its meaning: the decision procedure uses them, so one name has one set of assumptions.
A *head* is a named function with a definition; it takes every parameter as an argument, because a head that hid one would
make ``free_symbols`` lie and differentiation return zero.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from itertools import combinations
from typing import Any

import sympy as sp
from sympy import I, conjugate, exp
from sympy.printing.precedence import PRECEDENCE

from .substitution import denominators, require_kept
from .vocabulary.functions import Unknown

omega, xi = sp.symbols("omega xi", real=True)
"""Carrier frequency and spectral variable, radians per token."""
sigma = sp.Symbol("sigma", positive=True)
"""Width of the Gaussian envelope, tokens."""
b, m, n, s, d, t = sp.symbols("b m n s d t", real=True)
"""Position, query position, key position, shift, distance and integration variable, tokens."""
center = sp.Symbol("b_0", real=True)
"""Centre of the envelope, tokens."""
T = sp.Symbol("T", positive=True)
"""Half-width of a range of positions, tokens."""
channel = sp.Symbol("i", integer=True, nonnegative=True)
"""Index of a channel, or of a pair of channels."""
dimension = sp.Symbol("D", integer=True, positive=True)
"""Number of channels of an encoding."""
j, k, ell = sp.symbols("j k ell", integer=True)
"""Integers: indices, and the terms of theta sums."""
N = sp.Symbol("N", integer=True, positive=True)
"""How many: points, tokens, terms."""
precision = sp.Symbol("p", integer=True, positive=True)
"""Significant bits of a floating-point format."""
delta, epsilon, eta, rho, v = sp.symbols("delta epsilon eta rho v", positive=True)
"""Spacing of centres, size of what is left out, step of a difference quotient, a width, a variance."""
nu, y, theta = sp.symbols("nu y theta", real=True)
"""A frequency, a score before attention's softmax, the logarithm of a width."""
scale, slope, zeta = sp.symbols("c mu zeta", positive=True)
"""Scale of a score, slope of an ALiBi bias, decay per token of xPos."""
factor, cofactor = sp.symbols("C C'", complex=True, zero=False)
"""Complex constants that are not zero."""
query_center, key_center = sp.symbols("b_q b_k", complex=True)
"""Centres of the envelopes of queries and of keys, complex for once."""


class Head(sp.Function):
    """A named function with a definition; unlike a plain SymPy function it can be unfolded."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "definition" in cls.__dict__:  # SymPy takes long to put one together that has a maximum in it
            cls.definition = cache(_with_its_poles(cls.definition))  # type: ignore[method-assign]

    def definition(self) -> sp.Expr:
        raise NotImplementedError(f"{type(self).__name__} has no definition")

    def _eval_is_commutative(self) -> bool:
        return True  # a number, also where an argument is a set or a function


def _with_its_poles(definition: Callable[[Any], sp.Expr]) -> Callable[[Any], sp.Expr]:
    """The definition; it raises ValueError where SymPy cancels a denominator that may be 0 because two arguments share a symbol.

    e^{−b²/2σ²} at b = σ is e^{−1/2}, but not for σ = 0, where it is not defined.
    """

    @wraps(definition)
    def defined(head: Head) -> sp.Expr:
        whole = definition(head)
        if any(a.free_symbols & b.free_symbols for a, b in combinations(head.args, 2)):
            numbers = [[s for s in a.free_symbols if not isinstance(s, Unknown)] for a in head.args]
            unrelated = [{s: sp.Dummy(s.name, **s.assumptions0) for s in own} for own in numbers]
            apart = definition(head.func(*(a.xreplace(own) for a, own in zip(head.args, unrelated, strict=True))))
            related = {stand_in: s for own in unrelated for s, stand_in in own.items()}
            require_kept(denominators(apart, related), whole)
        return whole

    return defined


class psi(Head):
    """Morlet wave packet ψ(b) = e^{iωb} e^{−(b−b₀)²/2σ²}; the centre b₀ is optional and moves the envelope only."""

    nargs = (3, 4)

    def definition(self) -> sp.Expr:
        position, frequency, width, *centre = self.args
        offset = position - (centre[0] if centre else 0)
        return exp(I * frequency * position) * exp(-(offset**2) / (2 * width**2))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _head_latex(r"\psi", self, printer, exp)


class K(Head):
    """Relative Morlet kernel K(d) = e^{iωd} e^{−d²/4σ²}."""

    nargs = 3

    def definition(self) -> sp.Expr:
        distance, frequency, width = self.args
        return exp(I * frequency * distance) * exp(-(distance**2) / (4 * width**2))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _head_latex("K", self, printer, exp)


class carrier(Head):
    """Unmodulated carrier e^{iωb}, kept as one function so that its real and imaginary parts stay visible."""

    nargs = 2

    def definition(self) -> sp.Expr:
        position, frequency = self.args
        return exp(I * frequency * position)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        position, frequency = (printer.parenthesize(x, PRECEDENCE["Mul"]) for x in self.args)
        value = rf"e^{{\mathrm{{i}}\,{frequency}\,{position}}}"
        return value if exp is None else rf"\left({value}\right)^{{{exp}}}"


def _head_latex(name: str, head: sp.Function, printer: Any, power: Any) -> str:
    """name_{parameters}(argument), the parameters left out when they are the standing ω and σ."""
    argument, *parameters = head.args
    shown = [printer._print(p) for p in parameters]
    subscript = "" if tuple(parameters) == (omega, sigma) else f"_{{{','.join(shown)}}}"
    value = rf"{name}{subscript}\left({printer._print(argument)}\right)"
    return value if power is None else rf"{value}^{{{power}}}"


def P(left: sp.Expr, right: sp.Expr, frequency: sp.Expr = omega, width: sp.Expr = sigma) -> sp.Expr:
    """Product kernel P(m,n) = ψ(m) ψ̄(n): what a per-token Morlet encoding gives a query at m and a key at n."""
    return psi(left, frequency, width) * conjugate(psi(right, frequency, width))


def standard_frequency(i: sp.Expr = channel, size: sp.Expr = dimension) -> sp.Expr:
    """ω_i = 10000^{−2i/D}, the geometric ladder of the sinusoidal table, radians per token."""
    return sp.Integer(10000) ** (-2 * i / size)


class TableEven(Head):
    """Channel 2i of the sinusoidal table: sin(b / 10000^{2i/D})."""

    nargs = 3

    def definition(self) -> sp.Expr:
        position, i, size = self.args
        return sp.sin(position / sp.Integer(10000) ** (2 * i / size))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _table_latex("2", "", self, printer)


class TableOdd(Head):
    """Channel 2i+1 of the sinusoidal table: cos(b / 10000^{2i/D})."""

    nargs = 3

    def definition(self) -> sp.Expr:
        position, i, size = self.args
        return sp.cos(position / sp.Integer(10000) ** (2 * i / size))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _table_latex("2", "+1", self, printer)


def _table_latex(step: str, shift: str, head: sp.Function, printer: Any) -> str:
    position, i, _ = head.args
    return rf"\mathrm{{PE}}\left({printer._print(position)}, {step}{printer._print(i)}{shift}\right)"
