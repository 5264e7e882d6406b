"""Energy-gated attention as formulas: energies, their standard scores over a prefix, the gate, and one head of attention.

A head of attention stands here without dropout and without its output projection. The *prefix* says which keys the mean
and the deviation of the energies run over: for the key of index k the first L(k) of them. The published gate takes all, L = N.
"""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Max, Rational, Sum, exp, sqrt

from ..symbols import Head, channel, dimension
from .functions import MATRICES, SEQUENCES, Functions, Unknown
from .spectra import fresh

SMALLEST = Rational(1, 10**8)
"""The clamp of the deviation, and that of the sum of the gated weights."""

energies = Unknown("e", Functions(SEQUENCES, sp.S.Reals))
"""Energies, one a token."""
tokens, others = (Unknown(name, Functions(MATRICES, sp.S.Reals)) for name in ("X", "Y"))
"""What the layer is given: one row a token, one column a channel."""
W_q, W_k, W_v = (Unknown(name, Functions(MATRICES, sp.S.Reals)) for name in ("W_q", "W_k", "W_v"))
"""Projections to queries, keys and values, one row for each channel of the head."""
direction = Unknown("u", Functions(SEQUENCES, sp.S.Reals))
"""The vector that an energy is the product with."""
bias, sharpness, threshold = sp.symbols("beta alpha tau", real=True)
"""Bias of an energy, sharpness and threshold of a gate."""
head_size = sp.Symbol("H", integer=True, positive=True)
"""Channels of one head."""
query = sp.Symbol("j_q", integer=True, nonnegative=True)
"""Index of a query."""

PARAMETERS = (W_q, W_k, W_v, direction, bias, sharpness, threshold, dimension, head_size)
"""The standing parameters of a head of gated attention, left out when it is printed."""


def _of_real_energies(head: sp.Function) -> bool | None:
    """Of energies that are declared real, over one token or more? SymPy simplifies under the answer."""
    energy, count = (head.args[0], head.args[2] if isinstance(head, StandardScore) else head.args[1])
    known = type(energy) is Unknown and energy.space.codomain.is_subset(sp.S.Reals)
    return True if known and count.is_integer and count.is_positive else None


_any_token, _any_key, _any_row = sp.symbols("i_1 i_2 i_3", integer=True, nonnegative=True)
"""Indices that run from 0, bound inside the definitions."""


class Spread(Head):
    """Population deviation of the first L energies, √(Σ(e − mean)²/L). Arguments: energies (unknown, or a Lambda), L."""

    nargs = 2

    def definition(self) -> sp.Expr:
        energy, count = self.args
        any_index = fresh(_any_token, *self.args)
        all_of_them = (any_index, 0, count - 1)
        mean = Sum(energy(any_index), all_of_them) / count
        return sqrt(Sum((energy(any_index) - mean) ** 2, all_of_them) / count)

    def _eval_is_nonnegative(self) -> bool | None:
        return _of_real_energies(self)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        energy, count = map(printer._print, self.args)
        value = rf"\operatorname{{sd}}^{{({count})}}\left({energy}\right)"
        return value if exp is None else rf"\left({value}\right)^{{{exp}}}"


class StandardScore(Head):
    """z of token j among the first L: (e_j − mean) / max(deviation, 10⁻⁸), population statistics.

    Arguments: energies (unknown, or a Lambda of the index), j, L.
    """

    nargs = 3

    def definition(self) -> sp.Expr:
        energy, index, count = self.args
        any_index = fresh(_any_token, *self.args)
        all_of_them = (any_index, 0, count - 1)
        mean = Sum(energy(any_index), all_of_them) / count
        return (energy(index) - mean) / Max(Spread(energy, count), SMALLEST)

    def _eval_is_real(self) -> bool | None:
        return _of_real_energies(self)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        energy, index, count = map(printer._print, self.args)
        value = rf"z_{{{index}}}^{{({count})}}\left({energy}\right)"
        return value if exp is None else rf"{{{value}}}^{{{exp}}}"


class PassShare(Head):
    """Share of the first N tokens whose standard score exceeds a threshold. Arguments: energies, N, threshold."""

    nargs = 3

    def definition(self) -> sp.Expr:
        energy, count, level = self.args
        index = fresh(_any_key, *self.args)
        passes = sp.Piecewise((sp.S.One, sp.Gt(StandardScore(energy, index, count), level)), (sp.S.Zero, True))
        return Sum(passes, (index, 0, count - 1)) / count

    def _eval_is_nonnegative(self) -> bool | None:
        return _of_real_energies(self)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        energy, count, level = map(printer._print, self.args)
        passing = rf"k < {count} : z_{{k}}^{{({count})}}\left({energy}\right) > {level}"
        value = rf"\tfrac{{1}}{{{count}}} \#\left\{{{passing}\right\}}"
        return value if exp is None else rf"\left({value}\right)^{{{exp}}}"


class GatedAttention(Head):
    """Channel h of what one gated head gives to the query j.

    Arguments: tokens x, j, h, prefix L (a Lambda of the key), then PARAMETERS. With q = W_q x_j, k = W_k x_k, v = W_v x_k
    and A the causal softmax of q·k/√H: Σ_{k≤j} A_k g_k v_k / max(Σ_{k≤j} A_k g_k, 10⁻⁸), g = 1/(1 + e^{−α(z−τ)}).
    """

    nargs = 13

    def definition(self) -> sp.Expr:
        x, query, row, prefix, w_q, w_k, w_v, u, c, alpha, tau, width, size = self.args
        key, token, h = (fresh(symbol, *self.args) for symbol in (_any_key, _any_token, _any_row))
        i = fresh(channel, *self.args)

        def project(matrix: sp.Basic, line: sp.Expr, token: sp.Expr) -> sp.Expr:
            return Sum(matrix(line, i) * x(token, i), (i, 0, width - 1))

        energy = sp.Lambda(token, Sum(u(i) * x(token, i), (i, 0, width - 1)) + c)
        score = Sum(project(w_q, h, query) * project(w_k, h, key), (h, 0, size - 1)) / sqrt(size)
        gate = 1 / (1 + exp(-alpha * (StandardScore(energy, key, prefix(key)) - tau)))
        keys = (key, 0, query)
        weight = exp(score) / Sum(exp(score), keys) * gate
        return Sum(weight * project(w_v, row, key), keys) / Max(Sum(weight, keys), SMALLEST)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, query, row = (printer._print(a) for a in self.args[:3])
        prefix = printer._print(self.args[3].expr)
        value = rf"\mathrm{{out}}_{{{query}, {row}}}^{{({prefix})}}\left({x}\right)"
        return value if exp is None else rf"{{{value}}}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        x, query, row = (printer._print(a) for a in self.args[:3])
        return f"out[{query}, {row}]({x}; {printer._print(self.args[3].expr)})"


def output(x: Unknown, query: sp.Expr, row: sp.Expr, prefix: sp.Lambda) -> GatedAttention:
    """The head with its standing parameters."""
    return GatedAttention(x, query, row, prefix, *PARAMETERS)

