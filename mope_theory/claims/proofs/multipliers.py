"""Multipliers at ωσ = 5: the gradient at a constrained minimum, a point that meets the condition and is none, decay."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, S, exp, log

from ...derivation import chain
from ...judgement import Derivation
from ...lemmas.extremum import FERMAT, path, ratio
from ...lemmas.gaps import both_ways
from ...lemmas.reflexive import itself
from ...logic import (
    Assume,
    Cite,
    Conjunction,
    Contradiction,
    Generalise,
    NotBelow,
    Rearrange,
    Suppose,
    Using,
    Weaken,
    conjunction,
    instance,
)
from ...rules import Bound, Combine, Given, Known, Modulus, Part, Rewrite, Strict
from ...statement import Equal, Exists, Less, LessEqual, Not
from ...symbols import epsilon, omega, sigma
from ...vocabulary.functions import Partial, Unknown
from ...vocabulary.recipe import BOUNDARY
from ..arguments import no_such
from .shorthand import Form, at, detach, given, member, witness

_w = sp.Symbol("w", positive=True)
"""ω, known to be positive."""
_exponent = sp.Symbol("x", real=True)
_nearness = epsilon / (_w + sigma)
"""Along each path the pair moves by less than ε while r < 1 + ε/(ω + σ)."""


def multipliers(statement: Form, loss: Unknown, rate: sp.Symbol, gain: sp.Symbol) -> Conjunction:
    """The three members of the claim."""
    necessary, insufficient, decay = statement.body
    return conjunction(_necessary(necessary, loss), _insufficient(insufficient, loss), _decay(decay, rate, gain))


# --- the condition is necessary ------------------------------------------------------------------------------------------


def _necessary(statement: Form, loss: Unknown) -> Derivation:
    """From a minimum the loss rises along (ωr, σ/r), (ω/r, σr) and (ωr, σ), r ≥ 1, which stay in ωσ ≥ 5."""
    here: Form = statement.substitute({omega: _w})
    premise = Assume(here.hypothesis)
    on_boundary, local = member(premise, 0), member(premise, 1)
    along, against, outwards = (
        _slope(loss, on_boundary, local, frequency, width)
        for frequency, width in ((_w * ratio, sigma / ratio), (_w / ratio, sigma * ratio), (_w * ratio, sigma))
    )
    by_frequency, by_width = (Partial(loss, sp.Integer(i), _w, sigma) for i in (1, 2))
    left, right = _w * by_frequency, sigma * by_width
    balanced = both_ways(
        Rearrange(LessEqual(left, right), against), Rearrange(LessEqual(right, left), along)
    )
    multiplier = Rearrange(LessEqual(S.Zero, by_frequency / sigma), outwards, 1 / (_w * sigma))
    proved = Suppose(here, conjunction(balanced, multiplier))
    return instance(proved, {_w: omega}, Assume(Less(S.Zero, omega)))


def _slope(loss: Unknown, on_boundary: Derivation, local: Derivation, frequency: sp.Expr, width: sp.Expr) -> Derivation:
    """0 ≤ d/dr L(frequency, width) at r = 1."""
    rise = instance(Cite(FERMAT), {path: sp.Lambda(ratio, loss(frequency, width))})
    implied: Form = rise.statement
    rises = implied.hypothesis
    within = rises.body.substitute({rises.var: _nearness})
    near: Form = local.statement
    smaller = Assume(near.body)
    close = conjunction(
        _feasible(on_boundary, frequency * width),
        _moved(_w, frequency),
        _moved(sigma, width),
    )
    higher = detach(at(smaller, frequency, width), close)
    along = Suppose(within.body, higher)
    everywhere = Generalise(within, along)
    return detach(rise, given(local, witness(rises, _nearness, everywhere)))


_start = LessEqual(S.One, ratio)
_close = Less(ratio, 1 + _nearness)
_BEYOND = Rearrange(LessEqual(S.Zero, ratio - 1), Assume(_start))
_WITHIN = Rearrange(Less(S.Zero, 1 + _nearness - ratio), Assume(_close))


def _feasible(on_boundary: Derivation, product: sp.Expr) -> Derivation:
    """5 = ωσ ≤ the product along the path."""
    same = _w * sigma
    if product == same:
        return Weaken(LessEqual(BOUNDARY, same), on_boundary)
    return Using(
        chain(BOUNDARY, (Known(on_boundary), same), (Bound(Given(same, ratio - 1)), product), relation=LessEqual), _BEYOND
    )


def _moved(start: sp.Symbol, end: sp.Expr) -> Derivation:
    """|end − start| < ε for end = r·start, start/r and start itself."""
    other = sigma if start == _w else _w
    reach = Given(_w + sigma, 1 + _nearness - ratio, strict=True)
    if end == start:
        return chain(Abs(end - start), (Strict(Part(S.One, None, epsilon)), epsilon), relation=Less)
    if end == start * ratio:
        distance, sign = start * (ratio - 1), Given(start, ratio - 1)
        rest: tuple[Part | Given, ...] = (Given(other, ratio - 1),)
    else:
        distance, sign = start * (ratio - 1) / ratio, Given(start / ratio, ratio - 1)
        rest = (Given(other, ratio - 1), Part(start / ratio, None, (ratio - 1) ** 2))
    below = chain(
        Abs(end - start), (Modulus(Bound(sign)), distance), (Strict(reach, *rest), epsilon), relation=Less
    )
    return Using(below, _BEYOND, _WITHIN)


# --- it is not sufficient ------------------------------------------------------------------------------------------------


def _insufficient(statement: Exists, loss: Unknown) -> Derivation:
    """L = −(ν − 5ρ)² has gradient 0 at (5, 1), and is less at (5 + ε/2, 1), which is feasible and near."""
    x, y = sp.symbols("x y", positive=True)
    values: tuple[tuple[sp.Symbol, sp.Basic], ...] = (
        (loss, sp.Lambda((x, y), -((x - 5 * y) ** 2))), (omega, sp.Integer(5)), (sigma, S.One)
    )
    steps: list[Form] = [statement]
    for symbol, value in values:
        steps.append(steps[-1].body.substitute({symbol: value}))
    meets, local = steps[-1].body
    boundary, balanced, multiplier = meets.body
    point = conjunction(itself(boundary.lhs), itself(balanced.lhs), Weaken(multiplier, itself(S.Zero)))
    found: Derivation = conjunction(point, _no_minimum(local.body))
    for whole, (_, value) in zip(reversed(steps[:-1]), reversed(values), strict=True):
        found = witness(whole, value, found)
    return found


def _no_minimum(local: Exists) -> Derivation:
    near = sp.Integer(5) + epsilon / 2
    least = at(Assume(local.body), near, S.One)
    implied: Form = least.statement
    feasible, sideways, along = implied.hypothesis.body
    close = conjunction(
        chain(feasible.lhs, (Bound(Part(S.One, None, epsilon / 2)), feasible.rhs), relation=LessEqual),
        chain(sideways.lhs, (Strict(Part(S.One, None, epsilon / 2)), epsilon), relation=Less),
        chain(along.lhs, (Strict(Part(S.One, None, epsilon)), epsilon), relation=Less),
    )
    lower = chain(implied.conclusion.rhs, (Strict(Part(S.One, None, epsilon**2 / 4)), S.Zero), relation=Less)
    refuted = Contradiction(
        Not(local.body), detach(least, close), NotBelow(Not(implied.conclusion), lower)
    )
    return no_such(local, refuted)


# --- where decay balances the gradient -----------------------------------------------------------------------------------


def _decay(statement: Form, rate: sp.Symbol, gain: sp.Symbol) -> Suppose:
    """Balanced gradients leave λ ln σ = 0, so that σ = e^0 = 1."""
    _, fixed, apart = statement.hypothesis.body
    balanced = statement.conclusion.body
    nothing = chain(log(sigma), (Combine((1 / rate, Assume(fixed)), (gain / rate, Assume(balanced))), S.Zero))
    power = chain(exp(_exponent), (Rewrite(Assume(Equal(_exponent, S.Zero))), S.One))
    one = Using(instance(power, {_exponent: log(sigma)}), nothing)
    return Suppose(statement, Contradiction(statement.conclusion, one, Assume(apart)))


