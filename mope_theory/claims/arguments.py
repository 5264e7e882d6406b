"""Arguments that several derivations share: how far a Gaussian envelope is from 1, and how it falls."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, Rational, exp, oo

from ..derivation import chain
from ..judgement import Derivation
from ..lemmas import EXP_ABOVE_TANGENT, ONE_MINUS_EXP
from ..logic import Assume, Choose, Contradiction, NotUniform
from ..rules import Bound, Modulus, Part, Rule
from ..statement import Exists, LessEqual, Not, UniformlyTendsTo
from ..symbols import sigma

Link = tuple[Rule, sp.Expr]

remainder = sp.Symbol("r", nonnegative=True)
"""⌈σ⌉ − σ."""


def defect(u: sp.Expr) -> Link:
    """|e^{iφ}e^{−u} − e^{iφ}| = 1 − e^{−u} for u ≥ 0, because 1 − e^{−u} = e^{−u}(e^u − 1 − u) + u e^{−u} ≥ 0."""
    damp = exp(-u)
    return Modulus(Bound(Part(damp, EXP_ABOVE_TANGENT, u), Part(damp, None, u))), 1 - damp


def defect_below(u: sp.Expr) -> Link:
    """1 − e^{−u} ≤ u for u ≥ 0."""
    return Bound(Part(sp.S.One, ONE_MINUS_EXP, u)), u


def decay(u: sp.Expr) -> Link:
    """e^{−u} ≤ 1/u for u > 0, because 1/u − e^{−u} = (e^{−u}/u)((e^u − 1 − u) + 1)."""
    factor = exp(-u) / u
    return Bound(Part(factor, EXP_ABOVE_TANGENT, u), Part(factor, None, sp.S.One)), 1 / u


def no_such(statement: Exists, refutation: Derivation) -> Contradiction:
    """¬∃ x: A, because ¬A for an arbitrary x."""
    found = Assume(statement)
    none = Contradiction(Not(statement), Assume(statement.body), refutation)
    return Contradiction(Not(statement), found, Choose(Not(statement), found, none))


def not_uniform(packet: sp.Function, limit: sp.Expr, over: sp.Symbol, scale: int) -> NotUniform:
    """Not uniformly over ℤ: packet = e^{iφ}e^{−x²/cσ²} does not tend to e^{iφ}, as x = ⌈σ⌉ stays 1 − e^{−1/c} away (c: scale)."""
    place = sigma + remainder
    u, least = place**2 / (scale * sigma**2), Rational(1, scale)
    damp, excess = exp(-u), (u - least).expand()
    modulus, value = defect(u)
    here = Abs((packet - limit).xreplace({over: place}))
    gap = chain(
        1 - exp(-least),
        (Bound(Part(damp, EXP_ABOVE_TANGENT, excess), Part(damp, None, excess)), value),
        (modulus, here),
        relation=LessEqual,
    )
    floor = chain(
        least * exp(-least), (Bound(Part(exp(-least), EXP_ABOVE_TANGENT, least)), 1 - exp(-least)), relation=LessEqual
    )
    return NotUniform(Not(UniformlyTendsTo(packet, sigma, limit, oo, over, sp.S.Integers)), remainder, gap, floor)
