"""The score of two tokens: how far a Morlet kernel keeps it from RoPE's, and where the additive encoding goes instead."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp
from sympy import Abs, S, Sum, exp

from ...derivation import Chain, chain
from ...judgement import Derivation
from ...lemmas import EXP_ABOVE_TANGENT, ONE_MINUS_EXP
from ...lemmas.modulus import real_part_below, triangle, two_products
from ...logic import Counterexample, LimitByRate, OtherLimit, Rearrange, Using, Weaken, instance
from ...rules import Bound, Decide, Given, Known, Part, Rewrite, Rule, Strict, Termwise, Triangle
from ...statement import Equal, Less, LessEqual, Not, TendsTo
from ...symbols import N, j, m, n, scale
from ...vocabulary.functions import Unknown
from ..arguments import defect
from .shorthand import Form, joined

Link = tuple[Rule, sp.Expr]
_LAST = N - 1


def _total(term: sp.Expr) -> Sum:
    return Sum(term, (j, 0, _LAST))


def score_below(statement: LessEqual, content: tuple[sp.Expr, sp.Expr], kernel: sp.Expr, limit: sp.Expr, u: sp.Expr) -> Chain:
    """|c Re Σ q k̄ (kernel − limit)| ≤ c Σ |q||k| u, for |kernel − limit| = 1 − e^{−u} ≤ u in each pair."""
    q, k = content
    gap, sizes = kernel - limit, Abs(q) * Abs(k)
    terms = _total(q * k * gap)
    distance, defect_size = defect(u)
    modulus = chain(Abs(gap), (distance, defect_size))
    term = joined(
        Abs(q * k * gap),
        (Decide(), sizes * Abs(gap)),
        (Rewrite(modulus), sizes * defect_size),
        (Bound(Part(sizes, ONE_MINUS_EXP, u)), sizes * u),
        relation=LessEqual,
    )
    return _through_the_sum(statement, terms, term)


def _through_the_sum(statement: LessEqual, terms: Sum, term: Derivation) -> Chain:
    """|c Re Σ z| ≤ c |Σ z| ≤ c Σ |z| ≤ c Σ bound."""
    bound: Form = term.statement
    real = Abs(sp.re(terms))
    below = chain(
        real,
        (Known(real_part_below(terms)), Abs(terms)),
        (Triangle(terms), _total(bound.lhs)),
        (Termwise(term, j, S.Zero, _LAST), _total(bound.rhs)),
        relation=LessEqual,
    )
    return scaled(statement, below)


def scaled(statement: LessEqual, below: Chain) -> Chain:
    """The statement from a bound without the scale c of a score."""
    bound: Form = below.statement
    gap = Rearrange(LessEqual(S.Zero, bound.rhs - bound.lhs), below)
    links: list[Link] = [
        (Decide(), scale * bound.lhs),
        (Known(Using(_multiplied(bound.lhs, bound.rhs), gap)), scale * bound.rhs),
    ]
    if scale * bound.rhs != statement.rhs:
        links.append((Decide(), statement.rhs))
    return chain(statement.lhs, *links, relation=LessEqual)


def _multiplied(low: sp.Expr, high: sp.Expr) -> Chain:
    return chain(scale * low, (Bound(Given(scale, high - low)), scale * high), relation=LessEqual)


# --- the additive encoding -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Token:
    """The content of a token, the wave packet that is added to it, the carrier that this tends to, and u of its envelope."""

    content: sp.Expr
    packet: sp.Expr
    carrier: sp.Expr
    u: sp.Expr

    @property
    def apart(self) -> Chain:
        """|packet − carrier| = 1 − e^{−u}."""
        return chain(Abs(self.packet - self.carrier), defect(self.u))

    def sum_below(self, wave: sp.Expr) -> Derivation:
        """|content + wave| ≤ |content| + 1 for the packet, |packet| = e^{−u} ≤ 1, and for the carrier."""
        damp, gap = exp(-self.u), 1 - Abs(wave)
        parts = Part(damp, EXP_ABOVE_TANGENT, self.u), Part(damp, None, self.u)
        size = ((Decide(), damp), (Bound(*parts), S.One)) if wave == self.packet else ((Decide(), S.One),)
        grown = chain(
            Abs(self.content + wave),
            (Known(triangle(self.content, wave)), Abs(self.content) + Abs(wave)),
            (Bound(Given(S.One, gap)), Abs(self.content) + 1),
            relation=LessEqual,
        )
        return Using(grown, Rearrange(LessEqual(S.Zero, gap), chain(Abs(wave), *size, relation=LessEqual)))


def additive_limit(statement: TendsTo, query: Token, key: Token) -> LimitByRate:
    """At the rate c Σ (m²(|κ| + 1) + n²(|q| + 1))/2σ²ς², as the two products of sums differ by two small products."""
    terms, term = _product_of_sums(query, key)
    bound: Form = term.statement
    target = LessEqual(Abs(statement.expr - statement.limit), scale * _total(bound.rhs))
    return LimitByRate(statement, _through_the_sum(target, _total(terms), term))


def _product_of_sums(query: Token, key: Token) -> tuple[sp.Expr, Derivation]:
    """z = (q + ψ)(κ + ψ′)* − (q + e)(κ + e′)*, and |z| ≤ |ψ − e||κ + ψ′| + |q + e||ψ′ − e′| in each pair."""
    near, far = query.content + query.carrier, key.content + key.packet
    gaps = query.packet - query.carrier, key.packet - key.carrier
    terms = (query.content + query.packet) * sp.conjugate(far) - near * sp.conjugate(key.content + key.carrier)
    products = two_products(gaps[0], far, near, gaps[1])
    sizes, apart = (Abs(far), Abs(near)), tuple(map(Abs, gaps))
    known: Form = products.statement
    small = 1 - exp(-query.u), 1 - exp(-key.u)
    larger = Abs(key.content) + 1, Abs(query.content) + 1
    facts = key.sum_below(key.packet), query.sum_below(query.carrier)
    bound = joined(
        Abs(terms),
        (Decide(), known.lhs),
        (Known(products), known.rhs),
        (Rewrite(query.apart), small[0] * sizes[0] + apart[1] * sizes[1]),
        (Rewrite(key.apart), small[0] * sizes[0] + small[1] * sizes[1]),
        (Bound(Part(sizes[0], ONE_MINUS_EXP, query.u), Part(sizes[1], ONE_MINUS_EXP, key.u)),
         query.u * sizes[0] + key.u * sizes[1]),
        (Bound(Given(query.u, larger[0] - sizes[0]), Given(key.u, larger[1] - sizes[1])),
         query.u * larger[0] + key.u * larger[1]),
        relation=LessEqual,
    )  # fmt: skip
    room = (Rearrange(LessEqual(S.Zero, more - size), fact) for more, size, fact in zip(larger, sizes, facts, strict=True))
    return terms, Using(bound, *room)


def not_rotary(published: Form, limit: Derivation, contents: tuple[Unknown, Unknown]) -> Derivation:
    """With no content, at the origin, the additive score tends to cN, and the rotary score is 0."""
    nothing = sp.Lambda(sp.Symbol("i", integer=True, nonnegative=True), S.Zero)
    values = [*((content, nothing) for content in contents), (m, S.Zero), (n, S.Zero)]
    statements: list[Form] = [published]
    for symbol, value in values:
        statements.append(statements[-1].body.substitute({symbol: value}))
    there = instance(limit, dict(values))
    found: Form = there.statement
    wrong = statements[-1]
    apart = chain(
        wrong.limit,
        *(((Decide(), S.Zero),) if wrong.limit != 0 else ()),
        (Strict(Part(S.One, None, scale * N)), scale * N),
        (Decide(), found.limit),
        relation=Less,
    )
    refutation: Derivation = OtherLimit(Not(wrong), there, Weaken(Not(Equal(wrong.limit, found.limit)), apart))
    for statement, (_, value) in zip(reversed(statements[:-1]), reversed(values), strict=True):
        refutation = Counterexample(Not(statement), value, refutation)
    return refutation
