"""Sums over the integers by Poisson summation: a tiling of centres, tokens in the place of an integral, one half of a sum."""
from __future__ import annotations

import sympy as sp
from sympy import Rational, S, exp, pi

from ...derivation import Chain, Derivation, chain
from ...lemmas.modulus import distance_below
from ...lemmas.poisson import POISSON, decay, shift, turn
from ...lemmas.theta import CREST_FLOOR, crest, crest_below, nome, over_rest, ripple_below
from ...logic import Assume, Cite, Conjunction, Rearrange, Suppose, Using, conjunction, instance
from ...rules import Bound, Decide, Given, Known, Monotone, Numbers, Part, Rewrite, Strict
from ...statement import Less, LessEqual
from ...symbols import K, d, delta, m, n, omega, sigma
from .shorthand import Form

_width = sp.Symbol("s", positive=True)


def _summed(total: sp.Expr, front: sp.Expr, comb: dict[sp.Symbol, sp.Expr], value: sp.Expr, rest: sp.Expr = S.Zero) -> Chain:
    """total = rest + front · Σ_j e^{−a(j+x)² + iy(j+x)} = value, the comb summed over the dual frequencies."""
    dual = instance(Cite(POISSON), comb)
    known: Form = dual.statement
    return chain(
        total,
        (Decide(), rest + front * known.lhs),
        (Rewrite(dual), rest + front * known.rhs),
        (Decide(), value),
    )


def tiling(statement: Form) -> Conjunction:
    """Σ_j P_{jδ}(m, n) is K(m − n) times a comb of width σ/√2δ in the midpoint (m + n)/2δ."""
    tiles, figure, _ = statement.body
    comb = {decay: delta**2 / sigma**2, shift: -(m + n) / (2 * delta), turn: S.Zero}
    return conjunction(
        _summed(tiles.lhs, K(m - n, omega, sigma), comb, tiles.rhs),
        _crest_rounds(figure, pi**2),
        ripple_below(pi**2, pi * (m + n) / delta),
    )


def _crest_rounds(figure: Form, a: sp.Expr) -> Derivation:
    """The figure for 2 Σ_{k≥1} e^{−ak²}, which lies between 2 e^{−a} and 2 e^{−a}/(1 − e^{−3a})."""
    total, shown = figure.lhs.args
    floor = Rearrange(LessEqual(2 * exp(-nome), 2 * crest), CREST_FLOOR, S(2))
    ceiling: Form = crest_below(a)
    lower = chain(
        shown - figure.rhs, (Numbers(), 2 * exp(-a)), (Known(instance(floor, {nome: a})), total), relation=LessEqual
    )
    upper = chain(
        total, (Known(ceiling), ceiling.statement.rhs), (Numbers(), shown + figure.rhs), relation=LessEqual
    )
    return distance_below(shown, figure.rhs, lower, upper)


def discrete(statement: Form) -> Conjunction:
    """Σ_t ψ(t) ψ̄(t − d) is K(d) times a comb of width σ/√2 around d/2; its ripple is at most that of its crest."""
    summed, error, *figures, vacuous = statement.body
    comb = {decay: 1 / sigma**2, shift: -d / 2, turn: S.Zero}
    theta = _summed(summed.lhs, K(d, omega, sigma), comb, summed.rhs)
    a = pi**2 * sigma**2
    ripple: Form = ripple_below(a, pi * d)
    below = chain(
        error.lhs,
        (Rewrite(theta), ripple.statement.lhs),
        (Known(ripple), ripple.statement.rhs),
        (Known(crest_below(a)), error.rhs),
        relation=LessEqual,
    )
    rounded = (chain(figure.lhs, (Numbers(), figure.rhs), relation=LessEqual) for figure in figures)
    return conjunction(theta, below, *rounded, _vacuous(vacuous, a))


def _vacuous(statement: Form, a: sp.Expr) -> Suppose:
    """1 − e^{−3a} ≤ 2 e^{−a}, because it holds at the largest width and e^{−a}, e^{−3a} fall with the width."""
    narrow = statement.hypothesis
    largest = a.xreplace({sigma: narrow.rhs})

    def gap(times: int) -> sp.Expr:
        """e^{−ca} − its value at the largest width, c the number of times."""
        return exp(-times * a) - exp(-times * largest)

    def above(times: int) -> Rearrange:
        fall = Monotone(Assume(narrow), _width, exp(-times * pi**2 * _width**2))
        order = chain(exp(-times * largest), (fall, exp(-times * a)), relation=LessEqual)
        return Rearrange(LessEqual(S.Zero, gap(times)), order)

    bound = chain(
        1 - exp(-3 * a),
        (Bound(Given(S.One, gap(3))), 1 - exp(-3 * largest)),
        (Numbers(), 2 * exp(-largest)),
        (Bound(Given(S(2), gap(1))), 2 * exp(-a)),
        relation=LessEqual,
    )
    return Suppose(statement, over_rest(a, Using(bound, above(1), above(3)), S.One, 2 * exp(-a)))


def one_sided(statement: Form) -> Conjunction:
    """Re Σ_{b≥0} ψ(b) = ½ + ½ Σ_{b∈ℤ} ψ(b), and every term of the dual sum is positive."""
    summed, positive = statement.body
    half = Rational(1, 2)
    comb = {decay: 1 / (2 * sigma**2), shift: S.Zero, turn: omega}
    value = _summed(summed.lhs, half, comb, summed.rhs, rest=half)
    excess = Strict(Part(S.One, None, summed.rhs - half))
    return conjunction(value, chain(half, (excess, summed.rhs), (Known(value), positive.rhs), relation=Less))
