"""Rules: how one step of a derivation is closed, by the decision procedure or with a named lemma.

The set of rules is sealed (``RULES`` in ``derivation``): a step whose rule is not one of those is refused, so that a file of
claims cannot bring its own way of being right.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import sympy as sp

from .assumptions import admitted
from .decide import Refused, equal, is_real, nonnegative
from .lemmas import Inequality, IntegralLemma
from .reference import to_acb
from .statement import Equal, Less, LessEqual

Relation = Equal | LessEqual | Less


class Rule:
    """Base of the rules. ``relation`` is the relation that the rule proves between the two ends of a step."""

    relation: ClassVar[type[Equal] | type[LessEqual] | type[Less]]
    name: ClassVar[str]

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        """True if proved, False if the step is wrong; raises Refused if neither."""
        raise NotImplementedError

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return ()

    @property
    def hypotheses(self) -> tuple[sp.Expr, ...]:
        """Expressions that the rule takes to be nonnegative."""
        return ()


@dataclass(frozen=True)
class Decide(Rule):
    """lhs = rhs by normal form. Integrals, if any, go through the lemma; without one, equal integrands over one range."""

    integral: IntegralLemma | None = None
    relation = Equal
    name = "normal form"

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return (self.integral,) if self.integral is not None else ()

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if self.integral is None and isinstance(lhs, sp.Integral) and isinstance(rhs, sp.Integral):
            if lhs.limits != rhs.limits or not all(_in_range(limit) for limit in lhs.limits):
                raise Refused("integrals over different variables or ranges, or beyond what the variable admits")
            if not equal(lhs.function, rhs.function):
                raise Refused("different integrands: the integrals may be equal all the same")
            return True
        return equal(lhs, rhs, self.integral)


def _in_range(limit: sp.Tuple) -> bool:
    """Does a definite integral stay where its variable's assumptions, which its integrand was simplified under, hold?"""
    if len(limit) != 3 or not (limit[1].is_extended_real and limit[2].is_extended_real):
        return False
    values, upwards = admitted(limit[0]), limit[1] <= limit[2]
    return values == sp.S.Reals or (upwards == sp.true and sp.Interval(limit[1], limit[2]).is_subset(values) is True)


@dataclass(frozen=True)
class Part:
    """factor · nonnegative, with a factor of plain sign and a nonnegative instance of a lemma (or a plain expression)."""

    factor: sp.Expr
    lemma: Inequality | None
    value: sp.Expr

    def nonnegative(self) -> sp.Expr:
        """The expression that is nonnegative; raises Refused if that is not established."""
        if self.lemma is not None:
            return self.lemma.instance(self.value)
        if not nonnegative(self.value):
            raise Refused(f"{self.value} is not plainly nonnegative")
        return self.value


@dataclass(frozen=True)
class Given:
    """factor · hypothesis, where the statement assumes that the hypothesis is nonnegative."""

    factor: sp.Expr
    hypothesis: sp.Expr

    def nonnegative(self) -> sp.Expr:
        return self.hypothesis


@dataclass(frozen=True)
class Bound(Rule):
    """lhs ≤ rhs because rhs − lhs = Σ factor · nonnegative, exactly."""

    parts: tuple[Part | Given, ...]
    relation = LessEqual
    name = "exact certificate"

    def __init__(self, *parts: Part | Given) -> None:
        object.__setattr__(self, "parts", tuple(parts))

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return tuple(part.lemma for part in self.parts if isinstance(part, Part) and part.lemma is not None)

    @property
    def hypotheses(self) -> tuple[sp.Expr, ...]:
        return tuple(part.hypothesis for part in self.parts if isinstance(part, Given))

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if not is_real(rhs):
            raise Refused("an inequality between numbers that are not shown to be real")
        gap: sp.Expr = sp.S.Zero
        for part in self.parts:
            if type(part) not in (Part, Given):
                raise Refused("a part of the certificate is of no known kind")
            if not nonnegative(part.factor):
                raise Refused(f"the factor {part.factor} is not plainly nonnegative")
            gap += part.factor * part.nonnegative()
        return equal(rhs - lhs, gap)


@dataclass(frozen=True)
class Numbers(Rule):
    """lhs < rhs between two real numbers, by enclosures that lie apart."""

    relation = Less
    name = "numbers enclosed"
    precisions: ClassVar[tuple[int, ...]] = (64, 256, 1024)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if lhs.free_symbols or rhs.free_symbols:
            raise Refused("an enclosure of numbers, but a symbol occurs")
        for bits in self.precisions:
            left, right = to_acb(lhs, {}, prec=bits), to_acb(rhs, {}, prec=bits)
            if not (left.imag.is_zero() and right.imag.is_zero()):
                raise Refused("an inequality between numbers that are not shown to be real")
            if left.real < right.real:
                return True
            if left.real > right.real:
                return False
        raise Refused(f"not told apart in {self.precisions[-1]} bits")


@dataclass(frozen=True)
class Modulus(Rule):
    """|z| = w because z z̄ = w² and, by a certificate, w ≥ 0."""

    certificate: Bound
    relation = Equal
    name = "modulus"

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return self.certificate.lemmas

    @property
    def hypotheses(self) -> tuple[sp.Expr, ...]:
        return self.certificate.hypotheses

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        modulus, value = (lhs, rhs) if isinstance(lhs, sp.Abs) else (rhs, lhs)
        if not isinstance(modulus, sp.Abs):
            raise Refused("neither end is a modulus")
        if type(self.certificate) is not Bound:
            raise Refused("the sign of the modulus has no certificate")
        (z,) = modulus.args
        square = sp.conjugate(z, evaluate=False)
        return equal(z * square, value**2) and self.certificate.check(sp.S.Zero, value)
