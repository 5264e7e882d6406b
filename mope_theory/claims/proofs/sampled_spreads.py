"""The spreads of the atom of width ½ sampled at the integers, of which the product rounds to 0.2828."""
from __future__ import annotations

from collections.abc import Callable

from sympy import S, sqrt

from ...derivation import Derivation, chain
from ...lemmas.gaps import gap
from ...lemmas.modulus import below_by_squares, distance_below
from ...logic import Assume, Counterexample, NotBelow, Using, instance
from ...rules import Bound, Decide, Given, Known, Numbers, Rewrite
from ...statement import Less, LessEqual, Not
from ...symbols import omega
from ...vocabulary.numerals import Distance
from . import sampled_positions as positions
from . import sampled_spectrum as spectrum
from . import spreads
from .deviations import root_mean_square
from .shorthand import Form

_product = spreads.spread * spreads.spectral_spread
_roots = sqrt(spreads.variance) * sqrt(spreads.spectral_variance)


def _near_figure(figure: Form) -> tuple[Using, Using]:
    """0.28275 ≤ √v √w ≤ 0.28285 for numbers v and w between the bounds."""
    v, w = spreads.variance, spreads.spectral_variance
    shown, error = figure.lhs.args[1], figure.rhs
    low_end, high_end = shown - error, shown + error
    v_least, w_least, v_most, w_most = positions.FLOOR, spectrum.FLOOR, positions.CEILING, spectrum.CEILING
    above = chain(
        low_end**2,
        (Numbers(), v_least * w_least),
        (Bound(Given(w, v - v_least), Given(v_least, w - w_least)), v * w),
        relation=LessEqual,
    )
    below = chain(
        v * w,
        (Bound(Given(w, v_most - v), Given(v_most, w_most - w)), v_most * w_most),
        (Numbers(), high_end**2),
        relation=LessEqual,
    )
    floors = (gap(Assume(LessEqual(v_least, v))), gap(Assume(LessEqual(w_least, w))))
    ceilings = (gap(Assume(LessEqual(v, v_most))), gap(Assume(LessEqual(w, w_most))))
    return (
        below_by_squares(Using(above, *floors), low_end, _roots),
        below_by_squares(Using(below, *ceilings), _roots, high_end),
    )


def _with_spreads(figure: Form) -> Callable[[Derivation], Using]:
    """What puts the two spreads into a lemma on d_v = √v and d_w = √w."""
    sampled_atom, series = sorted(figure.lhs.args[0].args, key=lambda x: x.args[1] != S.Integers)
    weight = series.args[0].expr
    v, *v_bounds = positions.sample_variance()
    w, w_bounds, positive = spectrum.spectral_variance(weight)
    floor: Form = w_bounds[0]
    nonnegative = chain(S.Zero, (Numbers(), spectrum.FLOOR), (Known(floor), w), relation=LessEqual)
    values = {
        spreads.variance: v,
        spreads.spectral_variance: w,
        spreads.spread: sampled_atom,
        spreads.spectral_spread: series,
    }
    roots = chain(sampled_atom, (Decide(), sqrt(v))), root_mean_square(series, omega, spectrum.mean(weight), positive)

    def put(lemma: Derivation) -> Using:
        here = instance(lemma, values, nonnegative, positive)
        return Using(here, *(x for x in (*v_bounds, *w_bounds, *roots) if x.statement in here.assumptions))

    return put


def sampled(published: Form, figure: Form) -> tuple[Counterexample, Using]:
    """At σ = ½ the product rounds to the figure, so that it is less than ½."""
    shown, error = figure.lhs.args[1], figure.rhs
    ends: tuple[Form, Form] = _near_figure(figure)
    near: Form = distance_below(shown, error, *ends)
    rounds = chain(
        Distance(_product, shown), (Rewrite(spreads.SPREADS), near.statement.lhs), (Known(near), error), relation=LessEqual
    )
    small = chain(
        _product,
        (Known(spreads.SPREADS), _roots),
        (Known(ends[1]), ends[1].statement.rhs),
        (Numbers(), spreads.HALF),
        relation=Less,
    )
    put = _with_spreads(figure)
    here = published.body.substitute({published.var: spreads.HALF})
    return Counterexample(Not(published), spreads.HALF, NotBelow(Not(here), put(small))), put(rounds)
