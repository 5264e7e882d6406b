"""Signs that are plain from the normal form. The check is syntactic: it proves what it says and refuses nothing as false."""
from __future__ import annotations

import sympy as sp

from .normal_form import NormalForm, field_for, normal_form


def manifest(form: NormalForm, strict: bool) -> bool:
    """Each term a positive exponential times a coefficient of plain sign."""
    terms = form.terms.items()
    if not all(not p.has(0) and c.manifest_sign(strict=False) for p, c in terms):
        return False
    return not strict or any(c.manifest_sign(strict=True) for _, c in terms)


def _form(expr: sp.Expr) -> NormalForm:
    return normal_form(expr, field_for(expr))


def nonnegative(expr: sp.Expr) -> bool:
    """True only if expr ≥ 0 for all values of its symbols is plain from the normal form."""
    return manifest(_form(expr), strict=False)


def positive(expr: sp.Expr) -> bool:
    """True only if expr > 0 for all values of its symbols is plain from the normal form."""
    return manifest(_form(expr), strict=True)


def is_real(expr: sp.Expr) -> bool:
    """True only if expr equals its own conjugate."""
    form = _form(expr)
    return form == form.conjugate()


def increasing(expr: sp.Expr, symbol: sp.Symbol) -> bool:
    """True only if the derivative in the symbol is plainly positive on the range that the symbol's assumptions name."""
    return manifest(_form(expr).diff(symbol), strict=True)


def decreasing(expr: sp.Expr, symbol: sp.Symbol) -> bool:
    """True only if the derivative in the symbol is plainly negative on the range that the symbol's assumptions name."""
    return manifest(-_form(expr).diff(symbol), strict=True)
