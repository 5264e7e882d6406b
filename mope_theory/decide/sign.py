"""Signs that are plain from the normal form. The check is syntactic: it proves what it says and refuses nothing as false."""
from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from .field import Refused
from .normal_form import NormalForm
from .opaque import form


def manifest(own: NormalForm, strict: bool) -> bool:
    """Each term a positive exponential times a coefficient of plain sign."""
    terms = own.terms.items()
    if not all(not p.has(0) and c.manifest_sign(strict=False) for p, c in terms):
        return False
    return not strict or any(c.manifest_sign(strict=True) for _, c in terms)


def nonnegative(expr: sp.Expr) -> bool:
    """True only if expr ≥ 0 for all values of its symbols is plain from the normal form."""
    return manifest(form(expr), strict=False)


def positive(expr: sp.Expr) -> bool:
    """True only if expr > 0 for all values of its symbols is plain from the normal form."""
    return manifest(form(expr), strict=True)


def is_real(expr: sp.Expr) -> bool:
    """True only if expr equals its own conjugate."""
    own = form(expr)
    return own == own.conjugate()


def nonzero(expr: sp.Expr) -> bool:
    """True only if expr ≠ 0 for all values of its symbols is plain: the square of its modulus is plainly positive."""
    own = form(expr)
    return manifest(own * own.conjugate(), strict=True) or manifest(own, strict=True) or manifest(-own, strict=True)


def is_integer(expr: sp.Expr) -> bool:
    """True only if expr is plainly a whole number: a polynomial with whole coefficients in whole quantities."""
    own = form(expr)
    e = own.terms.get(own.field.zero, own.field.zero)
    f = own.field
    return (
        len(own.terms) <= 1
        and not any(own.terms)
        and e.den == 1
        and all(
            c.denominator == 1
            and all(not n or (k in f.integers and (n % 2 == 0 or k not in f.rooted)) for k, n in enumerate(powers))
            for powers, c in e.num.iterterms()
        )
    )


def holds(question: Callable[[sp.Expr], bool], expr: sp.Expr) -> bool:
    """The answer to one of these questions, False where it is refused."""
    try:
        return question(expr)
    except Refused:
        return False


def increasing(expr: sp.Expr, symbol: sp.Symbol) -> bool:
    """True only if the derivative in the symbol is plainly positive on the range that the symbol's assumptions name."""
    return manifest(form(expr).diff(symbol), strict=True)


def decreasing(expr: sp.Expr, symbol: sp.Symbol) -> bool:
    """True only if the derivative in the symbol is plainly negative on the range that the symbol's assumptions name."""
    return manifest(-form(expr).diff(symbol), strict=True)
