"""What the threshold of the gate means: the tail of a normal energy, and what standardising alone says of the share above it."""
from __future__ import annotations

import sympy as sp
from sympy import Max, S, Sum, sqrt

from ...derivation import Chain, chain, directly
from ...judgement import Derivation
from ...lemmas.normal import NORMAL_TAIL, mean, start
from ...logic import (
    Assume,
    Cases,
    Cite,
    Conjunction,
    Counterexample,
    NotBelow,
    Order,
    Rearrange,
    Using,
    Weaken,
    conjunction,
    instance,
)
from ...rules import Bound, Branch, Decide, Given, Known, Numbers, Part, Rewrite, Termwise, Unfold, WithinExtrema
from ...statement import Equal, Less, LessEqual, Not, Or
from ...symbols import N, m, sigma
from ...vocabulary.gates import SMALLEST, PassShare, StandardScore, energies, threshold
from ...vocabulary.numerals import Distance
from .shorthand import Form

ell, k = sp.symbols("i_1 i_2", integer=True, nonnegative=True)
"""Tokens, as the definitions of score and share count them."""
_tau = sp.Symbol("tau", positive=True)
"""The threshold, known to be positive."""
_LAST = N - 1
_score = StandardScore(energies, k, N)


def _total(term: sp.Expr, index: sp.Symbol = k) -> Sum:
    return Sum(term, (index, 0, _LAST))


def meaning(statement: Form) -> Conjunction:
    """The members of our statement."""
    same, normal, share, any_law = statement.body
    return conjunction(_same_tail(same), _normal_tail(normal), _share(share), directly(any_law, Numbers()))


def _tail(at: sp.Expr, middle: sp.Expr, width: sp.Expr) -> Derivation:
    return instance(Cite(NORMAL_TAIL), {start: at, mean: middle, sigma: width})


def _same_tail(statement: Equal) -> Chain:
    """Both tails are erfc(τ/√2)/2, for the threshold is a number of deviations above the mean."""
    level = statement.rhs.limits[0][1]
    shifted, standard = _tail(m + level * sigma, m, sigma), _tail(level, S.Zero, S.One)
    value: Form = standard.statement
    return chain(statement.lhs, (Known(shifted), value.rhs), (Known(standard), statement.rhs))


def _normal_tail(statement: LessEqual) -> Chain:
    """erfc(0.35/√2)/2, a number."""
    tail, numeral = statement.lhs.args
    equation = _tail(tail.limits[0][1], S.Zero, S.One)
    known: Form = equation.statement
    return chain(
        statement.lhs, (Rewrite(equation), Distance(known.rhs, numeral)), (Numbers(), statement.rhs), relation=LessEqual
    )


# --- the share above a threshold -----------------------------------------------------------------------------------------


def _share(statement: LessEqual) -> Derivation:
    """1{z > τ} ≤ (z + 1/τ)²/(τ + 1/τ)², and Σz = 0, Σz² ≤ N."""
    share = PassShare(energies, N, _tau)
    passes = share.definition().args
    (counted,) = (x for x in passes if isinstance(x, Sum))
    parabola = (_score + 1 / _tau) ** 2 / (_tau + 1 / _tau) ** 2
    below = chain(
        share,
        (Unfold(), counted / N),
        (Known(_divided(Termwise(_indicator(counted.function, parabola), k, S.Zero, _LAST), counted, _total(parabola))),
         _total(parabola) / N),
        (Decide(), (_mean_square() + 1 / _tau**2) / (_tau + 1 / _tau) ** 2),
        (Bound(Given(1 / (_tau + 1 / _tau) ** 2, 1 - _mean_square())), 1 / (1 + _tau**2)),
        relation=LessEqual,
    )  # fmt: skip
    proved = Using(below, Rearrange(LessEqual(S.Zero, 1 - _mean_square()), _at_most_one()))
    return instance(proved, {_tau: threshold}, Assume(Less(S.Zero, threshold)))


def _divided(rule: Termwise, low: Sum, high: Sum) -> Derivation:
    """Σ/N ≤ Σ′/N from Σ ≤ Σ′."""
    return Rearrange(LessEqual(low / N, high / N), chain(low, (rule, high), relation=LessEqual), 1 / N)


def _indicator(passes: sp.Expr, parabola: sp.Expr) -> Derivation:
    """1 ≤ (z + 1/τ)²/(τ + 1/τ)² where τ < z, as z − τ > 0 makes it larger; 0 is below a square anyhow."""
    above, below = Less(_tau, _score), LessEqual(_score, _tau)
    gap = _score - _tau
    weight = 1 / (_tau + 1 / _tau) ** 2
    passing = chain(
        passes,
        (Branch(Assume(above)), S.One),
        (Bound(Part(weight, None, gap**2), Given(2 * weight * (_tau + 1 / _tau), gap)), parabola),
        relation=LessEqual,
    )
    fact = Rearrange(LessEqual(S.Zero, gap), Weaken(LessEqual(_tau, _score), Assume(above)))
    failing = chain(
        passes, (Branch(Assume(below)), S.Zero), (Bound(Part(weight, None, (_score + 1 / _tau) ** 2)), parabola),
        relation=LessEqual,
    )  # fmt: skip
    return Cases(LessEqual(passes, parabola), Order(Or(below, above)), (failing, Using(passing, fact)))


def _variance() -> sp.Expr:
    average = _total(energies(ell), ell) / N
    return _total((energies(ell) - average) ** 2, ell) / N


def _mean_square() -> sp.Expr:
    """Σz²/N, the variance over the square of what the energies are divided by."""
    return _variance() / Max(sqrt(_variance()), SMALLEST) ** 2


def _at_most_one() -> Derivation:
    """The divisor is at least the deviation, so that its square is at least the variance."""
    variance = _variance()
    deviation = sqrt(variance)
    divisor = Max(deviation, SMALLEST)
    larger = chain(deviation, (WithinExtrema(), divisor), relation=LessEqual)
    gap = divisor - deviation
    below = chain(
        _mean_square(),
        (Bound(Given((divisor + deviation) / divisor**2, gap)), S.One),
        relation=LessEqual,
    )
    return Using(below, Rearrange(LessEqual(S.Zero, gap), larger))


# --- not 36 % whatever the energies ---------------------------------------------------------------------------------------


def not_any_energies(published: Form) -> Counterexample:
    """One token has the score 0, and none passes."""
    nothing = sp.Lambda(sp.Symbol("i", integer=True, nonnegative=True), S.Zero)
    one: Form = published.body.substitute({published.var: S.One})
    figure = one.body.substitute({one.var: nothing})
    share, numeral = figure.lhs.args
    level = share.args[2]
    score = StandardScore(nothing, S.Zero, S.One)
    below = chain(score, (Decide(), S.Zero), (Numbers(), level), relation=LessEqual)
    none = chain(
        share, (Decide(), sp.Piecewise((S.One, sp.Gt(score, level)), (S.Zero, True))), (Branch(below), S.Zero)
    )
    apart = chain(figure.lhs, (Rewrite(none), Distance(S.Zero, numeral)))
    far = chain(figure.rhs, (Numbers(), Distance(S.Zero, numeral)), (Known(apart), figure.lhs), relation=Less)
    return Counterexample(Not(published), S.One, Counterexample(Not(one), nothing, NotBelow(Not(figure), far)))
