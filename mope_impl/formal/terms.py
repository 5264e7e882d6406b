"""SymPy expressions as terms of Coq: what stands in the tree is printed as it stands, and nothing is evaluated on the way.

Every term has a sort: a real number (R), a complex one (C), an integer (Z) or a natural number (nat). A real that stands where
a complex number is asked for is coerced by RtoC, an integer by IZR, a natural number by INR. The words that Coq's library lacks
(complex exponential, sums, integrals over a line) are defined in ``proofs/theories/Vocabulary.v``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import sympy as sp

from mope_theory.symbols import Head, K, TableEven, TableOdd, carrier, psi
from mope_theory.vocabulary.functions import Functions, Unknown, Value
from mope_theory.vocabulary.spectra import psi_hat

from .words import (
    NAMED,
    WIDER,
    Sort,
    Unprintable,
    coq_name,
    fraction,
    is_negative,
    name,
    parameters,
    positive_first,
    sort_of_domain,
)

ATOM, POWER, SIGNED, PRODUCT, SUM, LOOSE = 10, 30, 35, 40, 50, 200
"""Levels of Coq's grammar: how tightly the outermost operation of a term binds."""


@dataclass(frozen=True)
class Term:
    """A term of Coq and the level of its outermost operation."""

    text: str
    level: int = 0

    def within(self, level: int) -> str:
        """The term where no looser operation may stand, in parentheses if it is one."""
        return f"({self.text})" if self.level > level else self.text


@dataclass(frozen=True)
class Scope:
    """The variables that a term may speak of, each with its sort."""

    sorts: Mapping[sp.Symbol, Sort]

    def bind(self, variables: Mapping[sp.Symbol, Sort]) -> Scope:
        """The scope with more variables in it. Raises Unprintable where one would hide another of the same name."""
        named = {name(symbol): symbol for symbol in self.sorts}
        for symbol in variables:
            if named.setdefault(name(symbol), symbol) != symbol:
                raise Unprintable(f"two variables of the name {symbol}")
        return replace(self, sorts={**self.sorts, **variables})

    def text(self, e: sp.Expr, sort: Sort, level: int) -> str:
        """The term of an expression, of a sort that is no narrower than its own, within a level. Raises Unprintable."""
        return self.term(e, sort).within(level)

    def argument(self, e: sp.Expr, sort: Sort) -> str:
        """The term of an expression as the argument of a function, told which numbers its operations are of."""
        return _argument(self.term(e, sort), sort)

    def body(self, e: sp.Expr, sort: Sort) -> str:
        """The term of an expression where nothing tells which numbers its operations are of."""
        return _body(self.term(e, sort), sort)

    # --- sorts ---

    def sort(self, e: sp.Expr) -> Sort:
        """The narrowest sort of an expression. Raises Unprintable."""
        match e:
            case sp.Symbol():
                if e not in self.sorts:
                    raise Unprintable(f"{e}, which nothing binds")
                return self.sorts[e]
            case sp.Integer():
                return "nat" if e >= 0 else "Z"
            case Value():
                return sort_of_domain(_space(e).codomain)
            case sp.Abs() | sp.re() | sp.im() | sp.sign() | sp.Max() | sp.log() | sp.Rational() | sp.NumberSymbol():
                return "R"
            case TableEven() | TableOdd():
                return "R"
            case psi() | K() | carrier() | psi_hat():
                return "C"
            case Head():
                return self.sort(e.definition())
            case sp.Sum() | sp.Integral():
                return self._widest([self.bind(bound_by(e)).sort(e.function), "R"])
            case sp.Derivative():
                return self._widest([self.sort(e.expr), "R"])
            case sp.Pow() if not (e.exp.is_Integer and e.exp.is_nonnegative):
                return self._widest([self.sort(e.base), "R"])
            case sp.exp() | sp.cos() | sp.sin():
                return self._widest([self.sort(e.args[0]), "R"])
            case sp.Add() | sp.Mul() | sp.Pow() | sp.conjugate():
                return self._widest([self.sort(a) for a in e.args])
        if e is sp.I:
            return "C"
        raise Unprintable(type(e).__name__)

    @staticmethod
    def _widest(sorts: Sequence[Sort]) -> Sort:
        return max(sorts, key=WIDER.index)

    # --- terms ---

    def term(self, e: sp.Expr, wanted: Sort) -> Term:
        """The term of an expression, of a sort that is no narrower than its own. Raises Unprintable."""
        own = self.sort(e)
        if WIDER.index(own) > WIDER.index(wanted):
            raise Unprintable(f"{e} where a number of sort {wanted} should stand")
        if wanted in ("nat", "Z"):
            return self._whole(e, wanted)
        if wanted == "C" and own != "C":
            return Term(f"RtoC {self.argument(e, 'R')}", ATOM)
        if own in ("nat", "Z") and isinstance(e, (sp.Symbol, Value)):
            return Term(f"{'INR' if own == 'nat' else 'IZR'} {self._whole(e, own).within(0)}", ATOM)
        return self._number(e, wanted)

    def _whole(self, e: sp.Expr, wanted: Sort) -> Term:
        """A natural number or an integer; what is larger than an atom says by itself what it is."""
        match e:
            case sp.Symbol():
                return Term(name(e)) if self.sort(e) == wanted else Term(f"Z.of_nat {name(e)}", ATOM)
            case Value():
                return self._value(e)
            case sp.Integer():
                return Term(f"{e}" if wanted == "nat" else f"({e})%Z")
            case sp.Add():
                first, *rest = positive_first(e)
                text = self._whole(first, wanted).within(SUM)
                for part in rest:
                    negative = wanted == "Z" and is_negative(part)
                    text += f" {'-' if negative else '+'} {self._whole(-part if negative else part, wanted).within(PRODUCT)}"
                return Term(f"({text})%{wanted}")
            case sp.Mul():
                return Term(f"({' * '.join(self._whole(a, wanted).within(SIGNED) for a in e.as_ordered_factors())})%{wanted}")
        raise Unprintable(f"the whole number {e}")

    def _value(self, e: Value) -> Term:
        function, *arguments = e.args
        space = _space(e)
        domains = space.domain.args if isinstance(space.domain, sp.ProductSet) else (space.domain,)
        given = [self.argument(a, sort_of_domain(d)) for a, d in zip(arguments, domains, strict=True)]
        return Term(f"{name(function)} {' '.join(given)}", ATOM)

    def _number(self, e: sp.Expr, sort: Sort) -> Term:
        """A real or a complex number that is no coercion."""
        match e:
            case sp.Integer():
                return Term(f"{e}") if e >= 0 else Term(f"- {-e}", SIGNED)
            case sp.Symbol():
                return Term(name(e))
            case Value():
                return self._value(e)
            case sp.Add():
                return self._sum(e, sort)
            case sp.Mul() | sp.Rational():
                return self._product(e, sort)
            case sp.Pow():
                return self._power(e, sort)
            case sp.exp():
                return self._applied("Cexp" if sort == "C" else "exp", e.args[0], sort)
            case sp.conjugate():
                return self._applied("Cconj", e.args[0], "C") if sort == "C" else self.term(e.args[0], "R")
            case sp.Abs():
                inner = self.sort(e.args[0])
                return self._applied("Cmod" if inner == "C" else "Rabs", e.args[0], "C" if inner == "C" else "R")
            case sp.re() | sp.im():
                return self._applied("fst" if isinstance(e, sp.re) else "snd", e.args[0], "C")
            case sp.cos() | sp.sin() | sp.sign() if sort == "R":
                return self._applied(e.func.__name__, e.args[0], "R")
            case sp.log() if sort == "R":
                return self._applied("ln", e.args[0], "R")
            case sp.Max() if len(e.args) == 2:
                return Term(f"Rmax {' '.join(self.argument(a, 'R') for a in e.args)}", ATOM)
            case sp.Sum():
                return self._total(e, sort)
            case sp.Integral():
                return self._integral(e, sort)
            case sp.Derivative():
                return Term(f"{sort}derivative {self.derivative(e, sort)}", ATOM)
            case Head() if isinstance(e, NAMED):
                sorts = parameters(type(e), len(e.args))
                given = [self.argument(a, own) for a, own in zip(e.args, sorts, strict=True)]
                return Term(" ".join([coq_name(type(e), len(e.args)), *given]), ATOM)
            case Head():
                return self.term(e.definition(), sort)
        if e is sp.I:
            return Term("Ci")
        if e is sp.pi:
            return Term("PI")
        if e is sp.E:
            return Term("exp 1", ATOM)
        raise Unprintable(f"{type(e).__name__} of sort {sort}")

    def _applied(self, function: str, argument: sp.Expr, sort: Sort) -> Term:
        return Term(f"{function} {self.argument(argument, sort)}", ATOM)

    def _sum(self, e: sp.Add, sort: Sort) -> Term:
        first, *rest = positive_first(e)
        text = self.text(first, sort, SUM)
        for part in rest:
            if is_negative(part):
                text += f" - {self.text(-part, sort, PRODUCT)}"
            else:
                text += f" + {self.text(part, sort, PRODUCT)}"
        return Term(text, SUM)

    def _product(self, e: sp.Expr, sort: Sort) -> Term:
        top, below, negative = fraction(e)
        if sort == "R":
            return self._quotient(top, below, negative)
        # The reals among the factors are multiplied as such, so that one coercion does for all of them.
        real = [[f for f in part if self.sort(f) != "C"] for part in (top, below)]
        others = [[self.text(f, "C", SIGNED) for f in part if self.sort(f) == "C"] for part in (top, below)]
        factors = others[0]
        if real[0] or real[1] or not factors:
            factors = [f"RtoC {self._quotient(real[0], real[1], False).within(0)}", *factors]
        text = " * ".join(factors)
        if others[1]:
            divisor = " * ".join(others[1])
            text += f" / {divisor if len(others[1]) == 1 else f'({divisor})'}"
        whole = Term(text, PRODUCT if len(factors) > 1 or others[1] else ATOM)
        return Term(f"- {whole.within(POWER)}", SIGNED) if negative else whole

    def _quotient(self, top: Sequence[sp.Expr], below: Sequence[sp.Expr], negative: bool) -> Term:
        if len(top) == 1 and not below:
            whole = self.term(top[0], "R")
        else:
            text = " * ".join(self.text(f, "R", SIGNED) for f in top) or "1"
            if below:
                divisor = " * ".join(self.text(f, "R", POWER if len(below) == 1 else SIGNED) for f in below)
                text += f" / {divisor if len(below) == 1 else f'({divisor})'}"
            whole = Term(text, PRODUCT)
        return Term(f"- {whole.within(POWER)}", SIGNED) if negative else whole

    def _power(self, e: sp.Pow, sort: Sort) -> Term:
        base, power = e.args
        if is_negative(power):
            return Term(f"/ {self._power_of(base, -power, sort).within(POWER)}", SIGNED)
        return self._power_of(base, power, sort)

    def _power_of(self, base: sp.Expr, power: sp.Expr, sort: Sort) -> Term:
        if power == 1:
            return self.term(base, sort)
        whole = power.is_Integer or (power.is_Symbol and self.sort(power) == "nat")
        if sort == "C":
            if not whole:
                raise Unprintable(f"the power {power} of a complex number")
            return Term(f"Cpow {self.argument(base, 'C')} {self.argument(power, 'nat')}", ATOM)
        if power == sp.S.Half:
            return Term(f"sqrt {self.argument(base, 'R')}", ATOM)
        if whole:
            return Term(f"{self.text(base, 'R', ATOM)} ^ {self.text(power, 'nat', ATOM)}", POWER)
        if power.is_Symbol and self.sort(power) == "Z":
            return Term(f"powerRZ {self.argument(base, 'R')} {name(power)}", ATOM)
        if base.is_positive:
            return Term(f"Rpower {self.argument(base, 'R')} {self.argument(power, 'R')}", ATOM)
        raise Unprintable(f"the power {power} of {base}")

    def _total(self, e: sp.Sum, sort: Sort) -> Term:
        inner = self.bind(bound_by(e))
        whole = inner.term(e.function, sort)
        if over_integers(e):
            return Term(f"{sort}series {self.summand(e, sort)}", ATOM)
        for variable, _, last in e.limits:
            if not last.is_finite:
                raise Unprintable("a sum without end")
            count = inner.argument(sp.expand(last + 1), "nat")
            whole = Term(f"{sort}sum {count} (fun {name(variable)} : nat => {_body(whole, sort)})", ATOM)
        return whole

    def summand(self, e: sp.Sum, sort: Sort) -> str:
        """What is summed over all integers, as an argument. Raises Unprintable."""
        ((variable, _, _),) = e.limits
        return f"(fun {name(variable)} : Z => {self.bind({variable: 'Z'}).body(e.function, sort)})"

    def _integral(self, e: sp.Integral, sort: Sort) -> Term:
        return Term(f"{sort}integral {self.integrand(e, sort)}", ATOM)

    def integrand(self, e: sp.Integral, sort: Sort) -> str:
        """What is integrated, and the ends of the range, as arguments. Raises Unprintable."""
        ((variable, low, high),) = e.limits
        ends = {-sp.oo: "to_minus_infinity", sp.oo: "to_infinity"}
        first, last = (ends.get(end) or f"(at_point {self.argument(end, 'R')})" for end in (low, high))
        if low == 0 and high == sp.oo:
            first = "down_to_zero"
        inner = self.bind({variable: "R"}).term(e.function, sort)
        return f"(fun {name(variable)} : R => {_body(inner, sort)}) {first} {last}"

    def derivative(self, e: sp.Derivative, sort: Sort) -> str:
        """What is differentiated, and where, as arguments. Raises Unprintable."""
        if len(e.variable_count) != 1 or e.variable_count[0][1] != 1:
            raise Unprintable("a derivative of higher order")
        ((variable, _),) = e.variable_count
        return f"(fun {name(variable)} : R => {_body(self.term(e.expr, sort), sort)}) {name(variable)}"


def _argument(term: Term, sort: Sort) -> str:
    if not term.level:
        return f"{term.text}%nat" if term.text.isdecimal() and sort == "nat" else term.text
    return f"({term.text})%C" if sort == "C" and term.level > ATOM else f"({term.text})"


def _body(term: Term, sort: Sort) -> str:
    """The body of a function: its operations are of the numbers of its sort whatever stands around."""
    return f"({term.text})%{sort}" if term.level > ATOM else term.text


def bound_by(e: sp.Sum | sp.Integral) -> dict[sp.Symbol, Sort]:
    """The variables of a sum or an integral. Raises Unprintable."""
    if isinstance(e, sp.Integral):
        return {limit[0]: "R" for limit in e.limits}
    if over_integers(e):
        return {e.limits[0][0]: "Z"}
    if any(first != 0 for _, first, _ in e.limits):
        raise Unprintable("a sum that does not begin at 0")
    return {limit[0]: "nat" for limit in e.limits}


def over_integers(e: sp.Sum) -> bool:
    """Whether it is one sum, over all integers."""
    return [limit[1:] for limit in e.limits] == [(-sp.oo, sp.oo)]


def _space(e: Value) -> Functions:
    function = e.args[0]
    if not isinstance(function, Unknown):
        raise Unprintable(f"a value of {function}")
    return function.space
