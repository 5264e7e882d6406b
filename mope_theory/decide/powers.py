"""Stand-ins for exponentials of exponentials, logarithms, powers, inverses, roots and moduli.

A term outside the domain of its function has some complex value that nothing is known of, so a kind is claimed only where
the arguments are shown to lie in the domain.
"""
from __future__ import annotations

from typing import Any

import sympy as sp

from .field import Element, Refused
from .normal_form import NormalForm, element_expression, expression
from .opaque import canonical, form, handles, opaque, opaque_complex
from .sign import holds, is_integer, manifest, nonnegative, nonzero, positive

# --- exponentials of exponentials ----------------------------------------------------------------------------------------


def atomised(own: NormalForm) -> sp.Expr:
    """A normal form with its exponentials as quantities: e^p positive for real p, cos and sin of the imaginary part real."""
    return sp.Add(*(element_expression(c) * _atom(p) for p, c in own.terms.items()))


def _atom(p: Element) -> sp.Expr:
    half, i = p.field.rational(sp.Rational(1, 2)), p.field.i
    growth, angle = (p + p.conjugate()) * half, (p - p.conjugate()) * half / i
    out: sp.Expr = sp.S.One
    if growth:
        out *= opaque("positive", "exp", element_expression(_upwards(growth))) ** _direction(growth)
    if angle:
        up = element_expression(_upwards(angle))
        out *= opaque("real", "cos", up) + sp.I * _direction(angle) * opaque("real", "sin", up)
    return out


def _direction(e: Element) -> int:
    return 1 if e.num.LC > 0 else -1


def _upwards(e: Element) -> Element:
    return e if _direction(e) > 0 else -e


@handles(sp.exp, sp.cos, sp.sin, sp.cosh, sp.sinh)
def exponential_of_exponentials(e: sp.Expr) -> sp.Expr:
    return e.func(atomised(form(e.args[0])))


# --- logarithms and powers ---------------------------------------------------------------------------------------------


@handles(sp.log)
def log_of(e: sp.Expr) -> sp.Expr:
    (x,) = e.args
    return logarithm(x) if holds(positive, x) else opaque_complex("log", canonical(x))


def logarithm(x: sp.Expr) -> sp.Expr:
    """ln of a plainly positive expression; of a product of positive quantities the sum of theirs."""
    own = form(x)
    if len(own.terms) == 1:
        ((p, c),) = own.terms.items()
        if len(c.num) == len(c.den) == 1 and all(k in c.field.positive for k in range(len(c.field.values)) if c.has(k)):
            return element_expression(p) + _of_monomial(c, c.num) - _of_monomial(c, c.den)
    return _of_quantity(expression(own))


def _of_quantity(x: sp.Expr) -> sp.Expr:
    kind = "positive" if holds(positive, x - 1) else "nonnegative" if holds(nonnegative, x - 1) else "real"
    return opaque(kind, "log", x)


def _of_monomial(c: Element, poly: Any) -> sp.Expr:
    """ln of a positive number times powers of positive generators, each of which is a root."""
    ((powers, q),) = poly.iterterms()
    factors = sp.factorrat(sp.Rational(int(q.numerator), int(q.denominator)))
    out = sp.Add(*(e * _of_quantity(sp.Integer(prime)) for prime, e in factors.items()))
    return out + sp.Add(*(sp.Rational(e, 2) * _of_quantity(c.field.values[k] ** 2) for k, e in enumerate(powers) if e))


@handles(sp.Pow)
def power(e: sp.Pow) -> sp.Expr:
    base, x = e.args
    if x.is_Integer:
        return inverse(base) ** -x
    if x.is_Rational and x.q == 2:
        return _root_power(base, x.p)
    if holds(positive, base):
        return _real_power(base, x)
    if is_integer(x):
        return _integer_power(base, x)
    return opaque_complex("power", canonical(base), canonical(x))


def inverse(base: sp.Expr) -> sp.Expr:
    """1/z, as z̄/(z z̄) where z is not shown to be real; raises Refused where z may vanish."""
    if not holds(nonzero, base):
        raise Refused(f"{base} may vanish in a denominator")
    own = form(base)
    if own == own.conjugate():
        return _inverse(own, "positive" if manifest(own, strict=True) else "nonzero")
    return expression(own.conjugate()) * _inverse(own * own.conjugate(), "positive")


def _inverse(own: NormalForm, kind: str) -> sp.Expr:
    value = expression(own)
    return opaque(kind, "inverse", value, relation=("inverse", value))


def _real_power(base: sp.Expr, x: sp.Expr) -> sp.Expr:
    """a^x = a^c e^{(x − c) ln a} for a > 0, with a multiple c of ½ that is split off the constant in x."""
    own = form(x)
    constant_part = own.terms.get(own.field.zero)
    c: sp.Rational = sp.S.Zero
    if constant_part is not None and len(constant_part.den) == 1 and constant_part.den == 1:
        q = constant_part.num.coeff(1)
        c = sp.floor(2 * sp.Rational(int(q.numerator), int(q.denominator))) / 2
    rest = atomised(own) - c
    return canonical(base) ** c * sp.exp(atomised(form(rest * logarithm(base))))


def _integer_power(base: sp.Expr, x: sp.Expr) -> sp.Expr:
    """(u·a·e^p)^x for an integer x, u one of ±1, ±i and a a positive product."""
    own = form(base)
    p, c = own.single()
    f = c.field
    for turns, unit in enumerate((f.one, f.i, -f.one, -f.i)):
        value = expression(NormalForm(f, {f.zero: c / unit}))
        if holds(positive, value):
            angle = sp.I * sp.pi * turns / 2
            return sp.exp(atomised(form(x * (angle + atomised(NormalForm(f, {f.zero: p})) + logarithm(value)))))
    return opaque_complex("power", canonical(base), canonical(x))


# --- roots and moduli --------------------------------------------------------------------------------------------------


def _root_power(base: sp.Expr, p: int) -> sp.Expr:
    """base^{p/2} for an odd p."""
    if p < 0 and not holds(nonzero, base):
        raise Refused(f"{base} may vanish in a denominator")
    if not holds(nonnegative, base):
        return opaque_complex("power", canonical(base), sp.Rational(p, 2))
    return root(form(base), holds(positive, base)) ** p


@handles(sp.Abs)
def modulus(e: sp.Expr) -> sp.Expr:
    """|z w| = |z| |w|, and |z| = √(z z̄)."""
    return sp.Mul(*(_factor_modulus(z) for z in sp.Mul.make_args(e.args[0])))


def _factor_modulus(z: sp.Expr) -> sp.Expr:
    if type(z) is sp.Pow and z.exp.is_Integer and z.exp > 0:
        return _factor_modulus(z.base) ** z.exp
    own = form(z)
    square = own * own.conjugate()
    return root(square, holds(nonzero, z))


def root(own: NormalForm, never_zero: bool) -> sp.Expr:
    """√q of a nonnegative q: e^{p/2}, squares of numbers and of positive quantities out of it, a quantity for what is left."""
    if len(own.terms) != 1:
        return _quantity_of_root(expression(own), never_zero) if own.terms else sp.S.Zero
    ((p, c),) = own.terms.items()
    outer, inner = sp.exp(element_expression(p) / 2), element_expression(c)
    for poly, way in ((c.num, 1), (c.den, -1)):
        content, powers = _content(c, poly)
        square = sp.Mul(content, *(c.field.values[k] ** (2 * e) for k, e in powers.items()))
        outer *= sp.Mul(sp.sqrt(content), *(c.field.values[k] ** e for k, e in powers.items())) ** way
        inner /= square**way
    return outer * (_quantity_of_root(canonical(inner), never_zero) if inner != 1 else 1)


def _content(c: Element, poly: Any) -> tuple[sp.Rational, dict[int, int]]:
    """The positive rational content of a polynomial, and {positive generator: half the even part of its least power}."""
    content, _ = poly.primitive()
    least = (min(powers) for powers in zip(*poly, strict=True))
    return sp.Rational(int(content.numerator), int(content.denominator)), {
        k: e // 2 for k, e in enumerate(least) if e > 1 and k in c.field.positive
    }


def _quantity_of_root(q: sp.Expr, never_zero: bool) -> sp.Expr:
    return opaque("positive" if never_zero else "nonnegative", "root", q, relation=("square", q))
