"""Normal form of exponential polynomials: Σ c·exp(p), with c and p in one computable field.

Soundness. *Equal* needs no theorem: the difference has the empty normal form. *Different* rests on the independence of
exponentials with pairwise non-constant differences of exponents over C(x), and on Lindemann–Weierstrass where an exponent
is constant and π is absent. Everything else is refused.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from math import prod
from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.polys.domains import QQ

from ..substitution import is_irrational
from ..symbols import Head
from .field import MAX_TERMS, Element, Field, Refused

IntegralRule = Callable[[sp.Integral, Field], "NormalForm"]
"""A lemma that turns an integral into its normal form, or refuses."""


class NormalForm:
    """{exponent: coefficient}; the zero function is the empty dictionary."""

    __slots__ = ("field", "terms")

    def __init__(self, field: Field, terms: dict[Element, Element]) -> None:
        self.field, self.terms = field, {p: c for p, c in terms.items() if c}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NormalForm) and self.terms == other.terms

    __hash__ = None  # type: ignore[assignment]  # a mutable dictionary inside

    def __neg__(self) -> NormalForm:
        return NormalForm(self.field, {p: -c for p, c in self.terms.items()})

    def __add__(self, other: NormalForm) -> NormalForm:
        out = dict(self.terms)
        for p, c in other.terms.items():
            out[p] = out[p] + c if p in out else c
        return NormalForm(self.field, out)

    def __sub__(self, other: NormalForm) -> NormalForm:
        return self + -other

    def __mul__(self, other: NormalForm) -> NormalForm:
        if len(self.terms) * len(other.terms) > MAX_TERMS:
            raise Refused(f"more than {MAX_TERMS} exponentials")
        pairs = ((p + q, c * k) for p, c in self.terms.items() for q, k in other.terms.items())
        return total(self.field, (exponential(p, c) for p, c in pairs))

    def __pow__(self, power: int) -> NormalForm:
        if abs(power) > 64:
            raise Refused(f"power {power}")
        if power < 0:
            p, c = self.single()
            return exponential(-p, c.inverse()) ** -power
        return prod([self] * power, start=constant(self.field.one))

    def conjugate(self) -> NormalForm:
        terms = self.terms.items()  # e^{iπN} is its own conjugate for an integer N, so that the exponents are reduced anew
        return total(self.field, (exponential(p.conjugate(), c.conjugate()) for p, c in terms))

    def diff(self, symbol: sp.Symbol) -> NormalForm:
        return NormalForm(self.field, {p: c.diff(symbol) + c * p.diff(symbol) for p, c in self.terms.items()})

    def at_zero(self, symbol: sp.Symbol) -> NormalForm:
        terms = self.terms.items()
        return total(self.field, (exponential(p.at_zero(symbol), c.at_zero(symbol)) for p, c in terms))

    def single(self) -> tuple[Element, Element]:
        """(exponent, coefficient) of a single exponential."""
        if len(self.terms) != 1:
            raise Refused("a sum of exponentials (or zero) in a denominator, a root or a modulus")
        ((p, c),) = self.terms.items()
        return p, c

    def sqrt(self) -> NormalForm:
        if not self.terms:
            return self
        p, c = self.single()
        if p.has(0):
            raise Refused("root of a complex exponential")
        return exponential(p * self.field.rational(sp.Rational(1, 2)), c.sqrt())

    def element(self) -> Element:
        """The value as an element of the field, if no exponential occurs."""
        if any(self.terms):
            raise Refused("an exponential where a rational function is needed")
        return self.terms.get(self.field.zero, self.field.zero)

    def is_constant(self) -> bool:
        """Free of every symbol and of every opaque quantity."""
        return all(x.is_constant() for pair in self.terms.items() for x in pair)


def constant(c: Element) -> NormalForm:
    """The normal form of an element of the field."""
    return NormalForm(c.field, {c.field.zero: c})


def total(field: Field, items: Iterable[NormalForm]) -> NormalForm:
    return sum(items, start=NormalForm(field, {}))


def exponential(p: Element, c: Element) -> NormalForm:
    """c·exp(p), with exp(iπqN) reduced for rational q and N = 1 or a product of integer symbols."""
    f = p.field
    if p.den == 1 and p.has(0) and p.has(f.pi):
        kept = {}
        for powers, q in p.num.iterterms():
            # a nonnegative integer N enters as √N, so that only its even powers are powers of N
            integral = {k: e % 2 == 0 or k not in f.rooted for k, e in enumerate(powers) if k in f.integers}
            periodic = all(not e or k in (0, f.pi) or integral.get(k, False) for k, e in enumerate(powers))
            if powers[0] == 1 and powers[f.pi] == 2 and periodic:
                if any(powers[f.pi + 1 :]):
                    half = q / 2  # whole turns: exp(2πi·N) = 1
                    q = q - 2 * (half.numerator // half.denominator)
                else:
                    turns = (2 * q).numerator // (2 * q).denominator  # exp(iπq) = i^turns · exp(iπ(q − turns/2))
                    c, q = c * f.i ** (int(turns) % 4), q - QQ(int(turns), 2)
            kept[powers] = q
        p = f.make(f.ring.from_dict({powers: q for powers, q in kept.items() if q}), f.ring.one)
    return NormalForm(f, {p: c})


def definition_of(head: Head) -> sp.Expr:
    """The definition of a named function; raises Refused where it has none that is a number."""
    try:
        definition = head.definition()
    except (NotImplementedError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise Refused(f"{head} has no definition: {error}") from error
    if not isinstance(definition, sp.Expr):
        raise Refused(f"{head} is not a number")
    return definition


@cache
def unfold(expr: sp.Expr) -> sp.Expr:
    """The expression with every named function replaced by its definition."""
    if isinstance(expr, Head):
        return unfold(expr.definition())
    if not expr.args or not any(isinstance(part, Head) for part in sp.preorder_traversal(expr)):
        return expr  # SymPy would put it together anew, and compare every member of a maximum with every other
    parts = [unfold(part) for part in expr.args]
    if isinstance(expr, (sp.floor, sp.ceiling)) and is_irrational(parts[0]):
        return expr.func(*parts, evaluate=False)  # SymPy would round it by its first hundred digits
    whole = expr.func(*parts)
    if isinstance(whole, ExprWithLimits) and whole.has(sp.Piecewise) and whole.function != _innermost(parts[0], type(whole)):
        raise Refused("SymPy takes cases of an inner index out of the sum over it")
    return whole


def _innermost(function: Any, kind: Any) -> Any:
    """What a sum of sums is a sum of."""
    return _innermost(function.function, kind) if type(function) is kind else function


def expression(form: NormalForm) -> sp.Expr:
    """The normal form as an expression: equal forms of one set of symbols give one expression."""
    return sp.Add(*(element_expression(c) * sp.exp(element_expression(p)) for p, c in form.terms.items()))


def element_expression(e: Element) -> sp.Expr:
    return polynomial_expression(e.field, e.num) / polynomial_expression(e.field, e.den)


def polynomial_expression(field: Field, poly: Any) -> sp.Expr:
    """A polynomial of the field's ring as an expression."""
    values = field.values
    return sp.Add(*(
        sp.Rational(int(c.numerator), int(c.denominator)) * sp.Mul(*(values[k] ** e for k, e in enumerate(powers) if e))
        for powers, c in poly.iterterms()
    ))  # fmt: skip


def normal_form(expr: sp.Expr, field: Field, integral: IntegralRule | None = None) -> NormalForm:
    """Normal form of an expression of the class over the field, in which the field's stand-ins are put for other terms.

    Integrals go through the lemma given, if it takes them.
    """
    e = sp.sympify(expr)
    stand_in = field.stand_ins.get(e)
    if stand_in is not None:
        if integral is not None:  # the lemma may take what is inside
            try:
                return _in_class(e, field, integral)
            except Refused:
                pass
        return normal_form(stand_in, field, integral)
    return _in_class(e, field, integral)


def _in_class(e: sp.Expr, field: Field, integral: IntegralRule | None) -> NormalForm:
    """Normal form of an expression whose outermost part is of the class."""

    def go(x: sp.Expr) -> NormalForm:
        return normal_form(x, field, integral)

    if e.is_Rational:
        return constant(field.rational(e))
    if e is sp.I:
        return constant(field.i)
    if e is sp.pi:
        return constant(field.root_pi * field.root_pi)
    if e is sp.E:
        return exponential(field.one, field.one)
    if e.is_Symbol:
        return constant(field.symbol(e))
    if e.is_Add:
        return total(field, map(go, e.args))
    if e.is_Mul:
        return prod(map(go, e.args), start=constant(field.one))
    if type(e) is sp.exp:
        return exponential(go(e.args[0]).element(), field.one)
    if e.is_Pow:
        return _power(e, field, go)
    if isinstance(e, (sp.cos, sp.sin, sp.cosh, sp.sinh)):
        return _circular(e, field, go)
    if isinstance(e, sp.conjugate):
        return go(e.args[0]).conjugate()
    if isinstance(e, (sp.re, sp.im)):
        z, half = go(e.args[0]), field.rational(sp.Rational(1, 2))
        return (z + z.conjugate()) * constant(half) if isinstance(e, sp.re) else (
            (z - z.conjugate()) * constant(half / field.i))
    if isinstance(e, sp.Abs):
        z = go(e.args[0])
        return (z * z.conjugate()).sqrt()
    if isinstance(e, sp.Derivative):
        out = go(e.expr)
        for variable in e.variables:
            out = out.diff(variable)
        return out
    if isinstance(e, Head):
        return go(definition_of(e))
    if isinstance(e, sp.Integral) and integral is not None:
        return integral(e, field)
    raise Refused(f"{type(e).__name__} is outside the class")


def _power(e: sp.Pow, field: Field, go: Callable[[sp.Expr], NormalForm]) -> NormalForm:
    if not e.exp.is_Rational or e.exp.q > 2:
        raise Refused(f"power {e}")
    base = go(e.base)
    if e.exp < 0:
        square = base * base.conjugate()  # an equality in a field says nothing at a pole
        if not square.terms or not all(not p.has(0) and c.manifest_sign(strict=True) for p, c in square.terms.items()):
            raise Refused(f"{e.base} may vanish in a denominator")
    return base ** int(e.exp) if e.exp.q == 1 else base.sqrt() ** int(e.exp.p)


def _circular(e: sp.Expr, field: Field, go: Callable[[sp.Expr], NormalForm]) -> NormalForm:
    """cos, sin, cosh and sinh by Euler's formulas."""
    half, turned = field.rational(sp.Rational(1, 2)), isinstance(e, (sp.cos, sp.sin))
    x = go(e.args[0]).element() * (field.i if turned else field.one)
    scale = half / field.i if isinstance(e, sp.sin) else half
    return exponential(x, scale) + exponential(-x, -scale if isinstance(e, (sp.sin, sp.sinh)) else scale)
