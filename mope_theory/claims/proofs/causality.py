"""The published gate is not causal: for every number of tokens from three on, the third moves the output at the second.

Two inputs that agree in all tokens but the third. With four channels (c, −c, d, −d) every token has mean 0 and variance 1;
c is −1 in the first token, 1 in the second, 1 or −1 in the third, 0 in the others. The gate looks at N·c, the value is c.
Then the first two standard scores are −α, β or −β, α with α > β > 0, and the outputs at the second token differ.
"""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp
from sympy import Max, Rational, S, Sum, exp, sqrt

from ...derivation import Chain, chain, directly
from ...judgement import Derivation
from ...lemmas.gaps import both_ways
from ...lemmas.modulus import below_by_squares
from ...lemmas.reflexive import itself
from ...lemmas.whole_numbers import apart
from ...logic import (
    Assume,
    Cases,
    Contradiction,
    Counterexample,
    Detach,
    Each,
    Generalise,
    Rearrange,
    Specialise,
    Using,
    Weaken,
    conjunction,
    instance,
)
from ...rules import Bound, Decide, Extremum, First, Given, Known, Monotone, Numbers, Part, Rewrite, Strict, Termwise
from ...statement import Equal, ForAll, Less, LessEqual, Not
from ...symbols import N
from ...vocabulary.functions import SEQUENCES, Functions, Unknown
from ...vocabulary.gates import SMALLEST, Spread, StandardScore
from .shorthand import Form, joined

_more = sp.Symbol("M", integer=True, nonnegative=True)
"""Tokens beyond the third: N = M + 3."""
_count = _more + 3
_key, _channel = sp.symbols("r l", integer=True, nonnegative=True)


@dataclass(frozen=True)
class Input:
    """Tokens (c, −c, d, −d): c in the first three as listed and 0 beyond, d = 1 in the first three and √2 beyond."""

    listed: tuple[int, int, int]

    def first(self, k: sp.Expr) -> sp.Expr:
        """c of token k, as a sum of ramps max(0, 1 − k), max(0, 2 − k), max(0, 3 − k)."""
        c0, c1, c2 = self.listed
        return (c0 - 2 * c1 + c2) * _ramp(1, k) + (c1 - 2 * c2) * _ramp(2, k) + c2 * _ramp(3, k)

    @staticmethod
    def third(k: sp.Expr) -> sp.Expr:
        """d of token k; a difference of ramps is 1 for the first three."""
        return sqrt(2) + (1 - sqrt(2)) * (_ramp(3, k) - _ramp(2, k))

    @property
    def tokens(self) -> sp.Lambda:
        """Channel i of token k."""
        c, d = self.first(_key), self.third(_key)
        return sp.Lambda((_key, _channel), c * (_only(0) - _only(1)) + d * (_only(2) - _only(3)))


def _ramp(end: int, k: sp.Expr) -> sp.Expr:
    return Max(0, end - k)


def _only(channel: int) -> sp.Expr:
    """1 at one of the channels 0, 1, 2, 3 and 0 at the others, as a polynomial of the channel."""
    others = [other for other in range(4) if other != channel]
    return sp.Mul(*(Rational(1, channel - other) * (_channel - other) for other in others))


KEPT, CHANGED = Input((-1, 1, 1)), Input((-1, 1, -1))
"""The third token is like the second, or like the first."""


# --- sums over the tokens ------------------------------------------------------------------------------------------------

_token = sp.Symbol("ell", integer=True, nonnegative=True)
_LAST = _count - 1


def _total(term: sp.Expr, first: int = 0) -> Sum:
    return Sum(term, (_token, first, _LAST))


def _beyond(expr: sp.Expr, index: sp.Symbol) -> Derivation:
    """expr = its value with every ramp 0, given 3 ≤ index."""
    rest = Given(S.One, index - 3)
    links = []
    here = expr
    for end in (1, 2, 3):
        below = chain(end - index, (Bound(rest, Part(S.One, None, sp.Integer(3 - end))), S.Zero), relation=LessEqual)
        level = chain(_ramp(end, index), (Extremum(below), S.Zero))
        here = here.xreplace({_ramp(end, index): S.Zero})
        links.append((Rewrite(level), here))
    return Using(joined(expr, *links), Rearrange(LessEqual(S.Zero, index - 3), Assume(LessEqual(sp.Integer(3), index))))


def _sum_of_three(term: sp.Expr) -> Derivation:
    """Σ term = its values at the first three tokens, for a term that is 0 beyond."""
    rest: Derivation = chain(
        _total(term, 3), (Termwise(_beyond(term, _token), _token, sp.Integer(3), _LAST), _total(S.Zero, 3)), (Decide(), S.Zero)
    )
    value: sp.Expr = S.Zero
    for first in (2, 1, 0):
        total, here = _total(term, first), term.xreplace({_token: sp.Integer(first)})
        rest = joined(total, (First(total), here + _total(term, first + 1)), (Rewrite(rest), here + value))
        value = here + value
    return rest


# --- the output at the second token ----------------------------------------------------------------------------------------

_ROOT = sqrt(3 * _count - 1)
"""The deviation of the energies N·c, whose mean is ±1 and whose squares have the mean 3N."""


_seen = Unknown("e", Functions(SEQUENCES, S.Reals))
_mean = sp.Symbol("s", real=True)
"""Energies of any kind, and their mean."""


def _score(k: sp.Expr) -> Derivation:
    """(e_k − s)/√(3N − 1), given Σe = Ns and Σ(e − s)² = N(3N − 1); the clamp of the deviation is not met."""
    total, squares = _total(_seen(_token)), _total((_seen(_token) - _mean) ** 2)
    mean = Assume(Equal(total, _count * _mean))
    variance = Assume(Equal(squares, _count * (3 * _count - 1)))
    deviation = Spread(_seen, _count)
    spread = deviation.definition().xreplace({deviation.definition().atoms(Sum).pop().limits[0][0]: _token})
    centred = spread.xreplace({total: _count * _mean})
    width = joined(
        deviation,
        (Decide(), spread),
        (Rewrite(mean), centred),
        (Rewrite(variance), centred.xreplace({squares: _count * (3 * _count - 1)})),
        (Decide(), _ROOT),
    )
    one_below = below_by_squares(
        chain(S.One, (Bound(Part(S.One, None, 3 * _count - 2)), _ROOT**2), relation=LessEqual), S.One, _ROOT
    )
    order = chain(SMALLEST, (Numbers(), S.One), (Known(one_below), _ROOT), relation=LessEqual)
    clamp = chain(Max(SMALLEST, _ROOT), (Extremum(order), _ROOT))
    score = StandardScore(_seen, k, _count)
    quotient = (_seen(k) - total / _count) / Max(deviation, SMALLEST)
    narrow = quotient.xreplace({deviation: _ROOT})
    free = narrow.xreplace({Max(SMALLEST, _ROOT): _ROOT})
    return joined(
        score,
        (Decide(), quotient),
        (Rewrite(width), narrow),
        (Rewrite(clamp), free),
        (Rewrite(mean), free.xreplace({total: _count * _mean})),
    )


def _scores(tokens: Input, energies: sp.Lambda) -> list[Derivation]:
    """The standard scores of the first two tokens, (N·c − mean)/√(3N − 1)."""
    c = tokens.first(_token)
    mean, squares = _sum_of_three(c), _sum_of_three(c**2)
    means: Form = mean.statement
    middle = means.rhs
    total = chain(
        _total(energies(_token)), (Decide(), _count * means.lhs), (Rewrite(mean), _count * middle)
    )
    variance = chain(
        _total((energies(_token) - middle) ** 2),
        (Decide(), _count**2 * _total(c**2) - 2 * middle * _count * means.lhs + _count),
        (Rewrite(squares), 3 * _count**2 - 2 * middle * _count * means.lhs + _count),
        (Rewrite(mean), 3 * _count**2 - 2 * middle**2 * _count + _count),
        (Decide(), _count * (3 * _count - 1)),
    )
    found: list[Derivation] = []
    for k in (S.Zero, S.One):
        known = Using(instance(_score(k), {_seen: energies, _mean: middle}), total, variance)
        ends: Form = known.statement
        found.append(joined(ends.lhs, (Known(known), ends.rhs), (Decide(), (_count * tokens.first(k) - middle) / _ROOT)))
    return found


def _gate(score: sp.Expr) -> sp.Expr:
    return 1 / (1 + exp(-2 * score))


def _share(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """The output of two tokens of values −1 and 1, weighted by their gates."""
    return (second - first) / (second + first)


def _output(head: sp.Expr, energies: sp.Lambda, tokens: Input) -> Derivation:
    """The gates of the first two tokens weigh their values −1 and 1; the clamp of the sum of weights is not met."""
    scores = _scores(tokens, energies)
    known: list[Form] = [score.statement for score in scores]
    first, second = (_gate(score.rhs) for score in known)
    bend = known[1].rhs
    v = sp.Symbol("v", real=True)
    p = sp.Symbol("p", positive=True)
    falling = chain(-2 * bend, (Bound(Part(S(2), None, bend)), S.Zero), relation=LessEqual)
    small = chain(exp(-2 * bend), (Monotone(falling, v, exp(v)), S.One), relation=LessEqual)
    open_gate = chain(Rational(1, 2), (Monotone(small, p, 1 / (1 + p)), second), relation=LessEqual)
    half = Rearrange(LessEqual(S.Zero, second - Rational(1, 2)), open_gate)
    weights = (first + second) / 2
    enough = chain(
        SMALLEST,
        (Numbers(), Rational(1, 4)),
        (Bound(Given(Rational(1, 2), second - Rational(1, 2)), Part(Rational(1, 2), None, first)), weights),
        relation=LessEqual,
    )
    clamp = chain(Max(weights, SMALLEST), (Extremum(Using(enough, half)), weights))
    gates = [_gate(score.lhs) for score in known]
    whole = (gates[1] - gates[0]) / 2 / Max((gates[0] + gates[1]) / 2, SMALLEST)
    halfway = whole.xreplace({known[0].lhs: known[0].rhs})
    scored = halfway.xreplace({known[1].lhs: known[1].rhs})
    return joined(
        head,
        (Decide(), whole),
        (Rewrite(scores[0]), halfway),
        (Rewrite(scores[1]), scored),
        (Rewrite(clamp), scored.xreplace({Max(weights, SMALLEST): weights})),
        (Decide(), _share(first, second)),
    )


def _different_outputs(kept: Derivation, changed: Derivation) -> Chain:
    """changed < kept: with p = e^{2α} > q = e^{2β} > 1 the outputs are (pq − 1)/(pq + 2p + 1) < (pq − 1)/(pq + 2q + 1)."""
    excess, rest = sp.symbols("x y", positive=True)
    q, p = 1 + excess, 1 + excess + rest
    low, high = (_share(1 / (1 + first), 1 / (1 + 1 / second)) for first, second in ((q, p), (p, q)))
    order = chain(low, (Strict(Part(S.One, None, sp.factor(sp.together(high - low)))), high), relation=Less)
    alpha, beta = 2 * (_count + 1) / _ROOT, 2 * (_count - 1) / _ROOT
    x = sp.Symbol("x", real=True)

    def above(smaller: sp.Expr, larger: sp.Expr) -> Derivation:
        """0 < e^larger − e^smaller."""
        exponents = chain(smaller, (Strict(Part(S.One, None, larger - smaller)), larger), relation=Less)
        grown = chain(exp(smaller), (Monotone(exponents, x, exp(x)), exp(larger)), relation=Less)
        return Rearrange(Less(S.Zero, exp(larger) - exp(smaller)), grown)

    here = {excess: exp(beta) - 1, rest: exp(alpha) - exp(beta)}
    between = instance(order, here, above(S.Zero, beta), above(beta, alpha))
    ends: Form = between.statement
    outputs: list[Form] = [changed.statement, kept.statement]
    return joined(
        outputs[0].lhs,
        (Known(changed), outputs[0].rhs),
        (Decide(), ends.lhs),
        (Known(between), ends.rhs),
        (Decide(), outputs[1].rhs),
        (Known(kept), outputs[1].lhs),
        relation=Less,
    )


# --- the counterexample --------------------------------------------------------------------------------------------------


def not_causal(published: Form) -> Derivation:
    """The published statement fails at these inputs, the gate that looks at N·c and a head whose value is c."""
    nothing = sp.Lambda((_key, _channel), S.Zero)
    here: Form = published.substitute({N: _count})
    values: dict[str, sp.Basic] = {
        "D": sp.Integer(4),
        "H": S.One,
        "W_q": nothing,
        "W_k": nothing,
        "W_v": sp.Lambda((_key, _channel), _only(0)),
        "u": sp.Lambda(_channel, _count * _only(0)),
        "beta": S.Zero,
        "alpha": sp.Integer(2),
        "tau": S.Zero,
        "X": KEPT.tokens,
        "Y": CHANGED.tokens,
        "j_q": S.One,
    }
    statements: list[Form] = [here]
    while type(statements[-1]) is ForAll:
        whole = statements[-1]
        statements.append(whole.body.substitute({whole.var: values[whole.var.name]}))
    refutation = _refuted(statements.pop())
    for whole in reversed(statements):
        refutation = Counterexample(Not(whole), values[whole.var.name], refutation)
    enough = Rearrange(LessEqual(S.Zero, N - 3), Assume(LessEqual(sp.Integer(3), N)))
    return instance(refutation, {_more: N - 3}, enough)


def _refuted(causal: Form) -> Derivation:
    """The tokens are normalised and agree up to the second, and the outputs there differ."""
    normal, other, agree = causal.hypothesis.body
    hypothesis = conjunction(_normalised(normal, KEPT), _normalised(other, CHANGED), _agreement(agree))
    rows: ForAll = causal.conclusion
    same: Form = rows.body.substitute({rows.var: S.Zero})
    outputs = (_output(head, _energies(head), tokens) for head, tokens in ((same.lhs, KEPT), (same.rhs, CHANGED)))
    claimed = Specialise(same, Detach(rows, Assume(causal), hypothesis), S.Zero)
    return Contradiction(Not(causal), claimed, Weaken(Not(same), _different_outputs(*outputs)))


def _energies(head: sp.Expr) -> sp.Lambda:
    """What the gate of a head sees."""
    (energies,) = {score.args[0] for score in head.definition().atoms(StandardScore)}
    return energies


def _normalised(statement: ForAll, tokens: Input) -> Derivation:
    """c − c + d − d = 0, and 2c² + 2d² = 4 at each of the first three tokens and beyond."""
    k, body = statement.var, statement.body
    mean, variance = body.body  # type: ignore[attr-defined]
    squares = 2 * tokens.first(k) ** 2 + 2 * tokens.third(k) ** 2
    unfolded = chain(variance.lhs, (Decide(), squares))

    def at(value: int, below: Derivation, above: Derivation) -> Derivation:
        """At one of the first three, because the token is not before it and not after it."""
        place = sp.Integer(value)
        equation = both_ways(Rearrange(LessEqual(k, place), below), Rearrange(LessEqual(place, k), above))
        there = squares.xreplace({k: place})
        return joined(variance.lhs, (Known(unfolded), squares), (Rewrite(equation), there), (Decide(), variance.rhs))

    def split(value: int, low: Derivation, high: Derivation) -> Cases:
        return Cases(variance, apart(k - value), (low, high))

    third = Using(_beyond(squares, k), Rearrange(LessEqual(sp.Integer(3), k), Assume(LessEqual(S.One, k - 2))))
    ends: Form = third.statement
    beyond = joined(variance.lhs, (Known(unfolded), squares), (Known(third), ends.rhs), (Decide(), variance.rhs))
    upto, after = ([Assume(LessEqual(k - v, S.Zero)) for v in range(3)], [Assume(LessEqual(S.One, k - v)) for v in range(3)])
    first_two = split(0, at(0, upto[0], Assume(LessEqual(S.Zero, k))), at(1, upto[1], after[0]))
    cases = split(2, split(1, first_two, at(2, upto[2], after[1])), beyond)
    return Generalise(statement, conjunction(directly(mean, Decide()), cases))


def _agreement(statement: ForAll) -> Derivation:
    """Number by number."""
    rows: list[Derivation] = []
    for k in (S.Zero, S.One):
        row: Form = statement.body.substitute({statement.var: k})
        cells = (row.body.substitute({row.var: sp.Integer(i)}) for i in range(4))
        rows.append(Each(row, tuple(itself(cell.lhs) for cell in cells)))
    return Each(statement, tuple(rows))
