"""Mutants of expressions and of derivations, made automatically, and an independent judge of those that survive."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import sympy as sp

from mope_theory.derivation import Chain, Derivation, Step
from mope_theory.reference import Unresolved, to_mpmath
from mope_theory.rules import Bound, Given, Modulus, Part, Strict
from mope_theory.statement import Less, LessEqual, Statement
from mope_theory.symbols import sigma

EPS = 1 + sp.Rational(1, 10**12)
Mutator = Callable[[sp.Expr], Iterable[sp.Expr]]


def _inner(e: sp.Expr) -> Iterator[tuple[int, sp.Expr]]:
    """Arguments that may be changed: not the variables that an integral or a derivative binds."""
    for k, arg in enumerate(e.args):
        if k and isinstance(e, (sp.Integral, sp.Derivative)):
            return
        yield k, arg


def everywhere(e: sp.Expr, at: Mutator) -> Iterator[sp.Expr]:
    """Every expression that arises by applying a mutator at one place."""
    yield from at(e)
    for k, arg in _inner(e):
        for new in everywhere(arg, at):
            yield e.func(*e.args[:k], new, *e.args[k + 1 :])


def _sign(e: sp.Expr) -> Iterator[sp.Expr]:
    if e.is_Add:
        yield from (e - 2 * term for term in e.args)
    elif e.is_Mul:
        yield -e


def _index(e: sp.Expr) -> Iterator[sp.Expr]:
    if e.is_Add and len(e.args) == 2 and all(a.is_Symbol or (-a).is_Symbol for a in e.args):
        yield e.args[0] - e.args[1]


MUTATORS: dict[str, Mutator] = {
    "sign": _sign,
    "factor 1+1e-12": lambda e: [e * EPS] if e.is_Mul or e.is_Pow or isinstance(e, sp.exp) else [],
    "exponent": lambda e: [e.base ** (e.exp + 1)] if e.is_Pow and e.exp.is_Integer else [],
    "σ for σ²": lambda e: [sigma**2] if e == sigma else [],
    "conjugate": lambda e: [e.args[0]] if isinstance(e, sp.conjugate) else [],
    "index": _index,
}


def mutants(e: sp.Expr, kind: str) -> list[sp.Expr]:
    """Distinct mutants of one kind, in a fixed order."""
    found = dict.fromkeys(everywhere(e, MUTATORS[kind]))
    found.pop(e, None)
    return [x for x in found if not x.has(sp.zoo, sp.nan)]


@dataclass(frozen=True)
class Mutant:
    """A changed step, with what was changed."""

    where: str
    kind: str
    step: Step
    original: sp.Expr
    changed: sp.Expr


def step_mutants(name: str, step: Step) -> Iterator[Mutant]:
    """Each end of a step changed at each place."""
    for side in ("lhs", "rhs"):
        original = getattr(step, side)
        for kind in MUTATORS:
            for changed in mutants(original, kind):
                yield Mutant(f"{name}, {side}", kind, replace(step, **{side: changed}), original, changed)


def certificate_mutants(step: Step) -> Iterator[Step]:
    """Each factor and each value of a certificate negated or multiplied by 1 + 10⁻¹², each part dropped."""
    rule = step.rule
    if isinstance(rule, Modulus):
        yield from (replace(step, rule=Modulus(bound)) for bound in _broken(rule.certificate))
    elif isinstance(rule, (Bound, Strict)):
        yield from (replace(step, rule=bound) for bound in _broken(rule))


def _broken(bound: Bound | Strict) -> Iterator[Bound | Strict]:
    kind = type(bound)
    for k, part in enumerate(bound.parts):
        rest = bound.parts[:k], bound.parts[k + 1 :]
        yield kind(*rest[0], *rest[1])
        name = "hypothesis" if isinstance(part, Given) else "value"
        for scale in (sp.S.NegativeOne, EPS):
            yield kind(*rest[0], replace(part, factor=scale * part.factor), *rest[1])
            changed = scale * getattr(part, name)
            if isinstance(part, Part) or scale == -1:
                yield kind(*rest[0], replace(part, **{name: changed}), *rest[1])


def all_steps(name: str, derivation: Derivation) -> Iterator[tuple[str, Step]]:
    """Every step of a derivation, those inside rewrites included, once each."""
    seen: set[tuple[sp.Expr, sp.Expr]] = set()
    todo: list[Derivation] = [derivation]
    while todo:
        node = todo.pop(0)
        todo.extend(node.premises)
        for number, step in enumerate(node.links if isinstance(node, Chain) else (), 1):
            if (step.lhs, step.rhs) not in seen:
                seen.add((step.lhs, step.rhs))
                yield f"{name} step {len(seen)} ({number})", step


def same_value(left: sp.Expr, right: sp.Expr) -> bool | None:
    """Do two expressions agree to 30 digits at five random points? None where an integral keeps them from being evaluated.

    Numerical, and of mpmath: it shares nothing with the decision procedure. It only classifies survivors.
    """
    rng, symbols = random.Random(5), sorted((left.free_symbols | right.free_symbols), key=str)
    if left.has(sp.Integral, sp.Derivative) or right.has(sp.Integral, sp.Derivative):
        return None
    for _ in range(5):
        point = {s: sp.Rational(rng.randint(20, 400), 1 if s.is_integer else 101) for s in symbols}
        try:
            a, b = (to_mpmath(e, point, 30) for e in (left, right))
        except Unresolved:
            return None
        if abs(a - b) > 1e-28 * (1 + abs(a)):
            return False
    return True


def same_integral(left: sp.Integral, right: sp.Integral) -> bool:
    """Do two integrals over ℝ agree to 20 digits at two random points, by mpmath's quadrature?"""
    import mpmath

    rng, symbols = random.Random(6), sorted(left.free_symbols | right.free_symbols, key=str)
    for _ in range(2):
        point = {s: sp.Rational(rng.randint(40, 200), 101) for s in symbols}

        def value(e: sp.Expr, point: dict[sp.Symbol, sp.Rational] = point) -> mpmath.mpc:
            if not isinstance(e, sp.Integral):
                return to_mpmath(e, point, 30)
            t = e.limits[0][0]
            with mpmath.workdps(30):
                return mpmath.quad(
                    lambda x: to_mpmath(e.function, {**point, t: mpmath.mpf(x)}, 25), mpmath.linspace(-20, 20, 9)
                )

        a, b = value(left), value(right)
        if abs(a - b) > 1e-15 * (1 + abs(a)):
            return False
    return True


def true_of_numbers(statement: Statement) -> bool:
    """Is it an inequality between numbers, and true by mpmath? Such a one may hold after a change: it had room to spare."""
    if not isinstance(statement, (Less, LessEqual)) or statement.free_symbols:
        return False
    left, right = (to_mpmath(side, {}, 30).real for side in (statement.lhs, statement.rhs))
    return bool(left < right)
