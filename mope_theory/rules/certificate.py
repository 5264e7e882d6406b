"""Steps closed by a certificate: the gap between two sides, written as a sum of parts whose signs are known."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused, equal, is_real, nonnegative, positive
from ..lemmas import Inequality, IntegralLemma
from ..statement import Equal, Less, LessEqual, Statement
from .base import Rule, sum_of_products


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

    def is_positive(self) -> bool:
        """Whether factor · value is positive, and not nonnegative only."""
        return self.lemma is None and positive(self.factor) and positive(self.value)

    @property
    def assumed(self) -> frozenset[Statement]:
        return frozenset()


@dataclass(frozen=True)
class Given:
    """factor · hypothesis, where it is assumed that 0 ≤ hypothesis (strict: that 0 < hypothesis)."""

    factor: sp.Expr
    hypothesis: sp.Expr
    strict: bool = False

    def nonnegative(self) -> sp.Expr:
        return self.hypothesis

    def is_positive(self) -> bool:
        return self.strict and positive(self.factor)

    @property
    def assumed(self) -> frozenset[Statement]:
        return frozenset({(Less if self.strict else LessEqual)(sp.S.Zero, self.hypothesis)})


class _Certificate(Rule):
    """rhs − lhs = Σ factor · nonnegative, exactly."""

    parts: tuple[Part | Given, ...]

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return tuple(part.lemma for part in self.parts if isinstance(part, Part) and part.lemma is not None)

    @property
    def assumed(self) -> frozenset[Statement]:
        return frozenset().union(*(part.assumed for part in self.parts if type(part) in (Part, Given)))

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if not is_real(rhs):
            raise Refused("an inequality between numbers that are not shown to be real")
        products = []
        for part in self.parts:
            if type(part) not in (Part, Given):
                raise Refused("a part of the certificate is of no known kind")
            if not nonnegative(part.factor):
                raise Refused(f"the factor {part.factor} is not plainly nonnegative")
            products.append((part.factor, part.nonnegative()))
        return equal(rhs - lhs, sum_of_products(products))


@dataclass(frozen=True)
class Bound(_Certificate):
    """lhs ≤ rhs because rhs − lhs = Σ factor · nonnegative, exactly."""

    parts: tuple[Part | Given, ...]
    relation = LessEqual
    name = "exact certificate"

    def __init__(self, *parts: Part | Given) -> None:
        object.__setattr__(self, "parts", tuple(parts))


@dataclass(frozen=True)
class Strict(_Certificate):
    """lhs < rhs because rhs − lhs = Σ factor · nonnegative, exactly, and one of the parts is positive."""

    parts: tuple[Part | Given, ...]
    relation = Less
    name = "exact strict certificate"

    def __init__(self, *parts: Part | Given) -> None:
        object.__setattr__(self, "parts", tuple(parts))

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if not any(type(part) in (Part, Given) and part.is_positive() for part in self.parts):
            raise Refused("no part of the certificate is plainly positive")
        return super().check(lhs, rhs)


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
    def assumed(self) -> frozenset[Statement]:
        return self.certificate.assumed

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        modulus, value = (lhs, rhs) if isinstance(lhs, sp.Abs) else (rhs, lhs)
        if not isinstance(modulus, sp.Abs):
            raise Refused("neither end is a modulus")
        if type(self.certificate) is not Bound:
            raise Refused("the sign of the modulus has no certificate")
        (z,) = modulus.args
        square = sp.conjugate(z, evaluate=False)
        return equal(z * square, value**2) and self.certificate.check(sp.S.Zero, value)
