"""What the printer writes, read again by a reader of its own, has the value of the expression that was printed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import sympy as sp
from mpmath import mp, mpc, mpf

import mope_theory as mt
from mope_impl.formal.statements import definitions, propositions
from mope_impl.formal.terms import Scope
from mope_impl.formal.words import NAMED, Unprintable, coq_name, name, parameters, sort_of_domain
from mope_theory.claim import Claim
from mope_theory.statement import Equal, Exists, ForAll, Less, LessEqual, Statement, TendsTo, UniformlyTendsTo
from mope_theory.symbols import Head, omega, psi, sigma
from mope_theory.symbols import b as position
from mope_theory.vocabulary.functions import Unknown, Value

from .coq_reader import WORDS, Reader

CLAIMS = [claim.id for claim in mt.claims() if "formal" in claim.requires]
DIGITS = 30


def scopes(statement: Statement, scope: Scope) -> Iterator[tuple[sp.Expr, Scope]]:
    """Every expression that is compared, or that tends somewhere, with the variables it may speak of."""
    match statement:
        case Equal() | Less() | LessEqual():
            yield statement.lhs, scope
            yield statement.rhs, scope
        case TendsTo():
            yield statement.expr, bound(scope, statement.var, sp.S.Reals)
            yield statement.limit, scope
        case UniformlyTendsTo():
            inner = bound(bound(scope, statement.var, sp.S.Reals), statement.over, statement.domain)
            yield statement.expr, inner
            yield statement.limit, inner
        case ForAll() | Exists():
            yield from scopes(statement.body, bound(scope, statement.var, statement.domain))
        case _:
            for part in statement.parts():
                if isinstance(part, Statement):
                    yield from scopes(part, scope)


def bound(scope: Scope, symbol: sp.Symbol, domain: sp.Set) -> Scope:
    return scope if isinstance(symbol, Unknown) else scope.bind({symbol: sort_of_domain(domain)})


def printed(claim: Claim) -> Iterator[tuple[sp.Expr, str, Scope]]:
    box = Scope({})
    for symbol, domain in claim.box.items():
        box = bound(box, symbol, domain)
    for statement in claim.statements.values():
        for e, scope in scopes(statement, box):
            try:
                sort = scope.sort(e)
                yield e, scope.term(e, sort).text, scope
            except Unprintable:
                continue


class Point:
    """Numbers for variables and unknown functions: of a function, a number for each argument that it is given."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.values: dict[str, mpc | mpf] = {}

    def number(self, sort: str, symbol: sp.Symbol) -> mpc | mpf:
        if sort in ("nat", "Z"):
            return mpf(self.random.randint(1, 2))
        if sort == "R":
            size = mpf(self.random.uniform(0.3, 2))
            return size if symbol.is_positive else size * self.random.choice((-1, 1))
        return mpc(self.random.uniform(-1, 1), self.random.uniform(-1, 1))

    def of(self, symbol: sp.Symbol, sort: str) -> mpc | mpf:
        return self.values.setdefault(name(symbol), self.number(sort, symbol))

    def function(self, unknown: Unknown) -> object:
        space = unknown.space
        count = len(space.domain.args) if isinstance(space.domain, sp.ProductSet) else 1
        sort = sort_of_domain(space.codomain)
        stand_in = sp.Symbol("x", positive=True)

        def at(*given: mpf) -> mpc | mpf:
            key = f"{name(unknown)}{tuple(int(mp.re(x)) for x in given)}"
            return self.values.setdefault(key, self.number(sort, stand_in))

        return at if count == 1 else lambda x: lambda y: at(x, y)


FUNCTIONS = {
    sp.exp: mp.exp, sp.cos: mp.cos, sp.sin: mp.sin, sp.log: mp.log, sp.Abs: abs, sp.conjugate: mp.conj, sp.re: mp.re,
    sp.im: mp.im, sp.sign: mp.sign, sp.Max: max,
}  # fmt: skip


def evaluated(e: sp.Basic, known: dict[sp.Basic, object]) -> mpc | mpf:
    """The value of an expression, its tree walked: sums are added up, named functions are what they are defined as."""
    match e:
        case sp.Symbol():
            return known[e]
        case sp.Sum():
            inner, *limits = e.function, *reversed(e.limits)
            return summed(inner, limits, known)
        case Value():
            found = known[e.args[0]]
            for argument in e.args[1:]:
                found = found(evaluated(argument, known))
            return found
        case Head():
            return evaluated(e.definition(), known)
        case sp.Rational():
            return mpf(int(e.p)) / mpf(int(e.q))
        case sp.Pow():
            base, power = (evaluated(a, known) for a in e.args)
            return base ** (int(mp.re(power)) if e.exp.is_integer else power)
        case sp.Add() | sp.Mul():
            parts = [evaluated(a, known) for a in e.args]
            return mp.fsum(parts) if e.is_Add else mp.fprod(parts)
    constants = {sp.I: mpc(0, 1), sp.pi: +mp.pi, sp.E: +mp.e}
    return constants[e] if e in constants else FUNCTIONS[e.func](*(evaluated(a, known) for a in e.args))


def summed(inner: sp.Expr, limits: list[tuple[sp.Symbol, sp.Expr, sp.Expr]], known: dict[sp.Basic, object]) -> mpc | mpf:
    if not limits:
        return evaluated(inner, known)
    (variable, first, last), *rest = limits
    places = range(int(mp.re(evaluated(first, known))), int(mp.re(evaluated(last, known))) + 1)
    return mp.fsum(summed(inner, rest, {**known, variable: mpf(place)}) for place in places)


@pytest.fixture(scope="module", autouse=True)
def digits():
    with mp.workdps(DIGITS):
        yield


def variables(point: Point, scope: Scope, e: sp.Expr) -> dict[sp.Basic, object]:
    return {s: point.function(s) if isinstance(s, Unknown) else point.of(s, scope.sorts[s]) for s in e.free_symbols}


def environment(point: Point, scope: Scope, e: sp.Expr) -> dict[str, object]:
    known = dict(WORDS)
    for head in NAMED:
        for count in {len(part.args) for part in e.atoms(head)}:
            known[coq_name(head, count)] = named(head, count)
    return {**known, **{name(s): value for s, value in variables(point, scope, e).items()}}


def named(head: type[Head], count: int) -> object:
    """A named function as its printed definition says."""
    text = definitions().split(f"Definition {coq_name(head, count)} ")[1].split(".\n\nDefinition")[0]
    binders, body = text.split(":=")
    variables = [v for group in binders.split("(")[1:] for v in group.split(":")[0].split()]
    assert len(variables) == len(parameters(head, count)) == count

    def curried(*given: object) -> object:
        if len(given) < count:
            return lambda x: curried(*given, x)
        return Reader(body.strip().removesuffix(".")).value({**WORDS, **dict(zip(variables, given, strict=True))})

    return curried()


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_term_has_the_value_of_its_expression(claim):
    seen = 0
    for e, text, scope in printed(mt.claim(claim)):
        if any(word in text for word in ("integral", "derivative", "psi_hat", "series")):
            continue
        point = Point(seen)
        found = mpc(Reader(text).value(environment(point, scope, e)))
        wanted = evaluated(e, variables(point, scope, e))
        assert abs(found - wanted) <= mpf(10) ** (8 - DIGITS) * (1 + abs(wanted)), f"{text}: {found} for {wanted}"
        seen += 1
    assert seen or claim in ("uncertainty.bound", "uncertainty.equality")


@pytest.mark.parametrize(
    "right, wrong",
    [("- b ^ 2", "(- b) ^ 2"), ("1 / 2 / b", "1 / (2 / b)"), ("1 - b - 2", "1 - (b - 2)"), ("exp (b) * 3", "exp (b * 3)")],
)
def test_the_reader_tells_levels_apart(right, wrong):
    known = {**WORDS, "b": mpf("0.7")}
    assert abs(Reader(right).value(known) - Reader(wrong).value(known)) > mpf("0.1")


def test_a_fault_in_the_printer_is_seen(monkeypatch):
    monkeypatch.setattr("mope_impl.formal.terms.POWER", 0)  # nothing is put in parentheses before a power, and all behind a sign
    monkeypatch.setattr("mope_impl.formal.terms.PRODUCT", 0)
    with pytest.raises((AssertionError, TypeError)):
        for claim in ("kernel.product", "kernel.factorisation", "limit.alibi", "locality.centre"):
            test_a_term_has_the_value_of_its_expression(claim)


def test_no_two_members_share_a_name():
    names = [p.name for claim in mt.claims() for p in propositions(claim) if "formal" in claim.requires]
    assert len(set(names)) == len(names) > 80


def test_a_free_variable_without_a_range_is_refused():
    with pytest.raises(Unprintable, match="bind"):
        Scope({}).term(psi(position, omega, sigma), "C")


def test_a_variable_that_would_hide_another_of_its_name_is_refused():
    real, whole = sp.Symbol("r", real=True), sp.Symbol("r", integer=True)
    with pytest.raises(Unprintable, match="two variables of the name r"):
        Scope({real: "R"}).term(sp.Sum(real * whole, (whole, 0, 2)), "R")


def test_a_name_that_means_something_in_coq_is_changed():
    assert Scope({sp.Symbol("K"): "R"}).term(sp.Symbol("K"), "R").text == "K_"


def test_every_range_is_a_hypothesis():
    (only,) = propositions(mt.claim("kernel.product"))
    assert only.text.startswith("forall (omega sigma m n : R), 0 < sigma -> ")
