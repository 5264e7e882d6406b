"""Signs that are plain from the normal form. The check is syntactic: it proves what it says and refuses nothing as false."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial

import sympy as sp

from ..symbols import Head
from .binding import fresh_index, replaced
from .field import Refused
from .normal_form import NormalForm, definition_of, expression
from .opaque import form, opaque
from .relations import cleared


def manifest(own: NormalForm, strict: bool) -> bool:
    """Each term a positive exponential times a coefficient of plain sign."""
    terms = own.terms.items()
    if not all(not p.has(0) and c.manifest_sign(strict=False) for p, c in terms):
        return False
    return not strict or any(c.manifest_sign(strict=True) for _, c in terms)


def _plainly(expr: sp.Expr, strict: bool) -> bool:
    try:
        own = form(expr)
        if manifest(own, strict) or _counted(own, strict):
            return True
    except Refused:
        if not _built(expr, strict):
            raise
        return True
    return _built(expr, strict)


def _counted(own: NormalForm, strict: bool) -> bool:
    """With 1 + n, n = 0, 1, …, for every quantity that is one of 1, 2, …"""
    counting = {s: 1 + opaque("natural", "one less", s) for s in own.field.index if s.is_integer and s.is_positive}
    return bool(counting) and manifest(form(expression(own).xreplace(counting)), strict)


def _built(e: sp.Expr, strict: bool) -> bool:
    """From how it is built: sums and products of such, even powers of what is real, z z̄."""

    def plain(x: sp.Expr, strictly: bool = strict) -> bool:
        return holds(partial(_plainly, strict=strictly), x)

    if isinstance(e, Head):
        return plain(definition_of(e))
    if type(e) is sp.Add:
        return all(plain(x, strictly=False) for x in e.args) and (not strict or any(map(plain, e.args)))
    if type(e) is sp.Mul:
        return all(plain(x) for x in _without_conjugates(e.args, strict))
    if type(e) is sp.Pow and e.exp.is_Integer:
        real = e.exp.is_even and holds(is_real, e.base)
        return (real and ((e.exp > 0 and not strict) or holds(nonzero, e.base))) or (e.exp > 0 and plain(e.base))
    if type(e) is sp.Sum and len(e.limits) == 1 and len(e.limits[0]) == 3:
        variable, lower, upper = e.limits[0]
        k = fresh_index("integer", e.function, lower, upper)
        filled = not strict or plain(upper - lower, strictly=False)
        finite = holds(is_integer, lower) and holds(is_integer, upper)
        return finite and filled and plain(replaced(e.function, variable, k))
    return False


def _without_conjugates(factors: tuple[sp.Expr, ...], strict: bool) -> list[sp.Expr]:
    """Factors of a product but for pairs z, z̄, of which it is nonnegative, or positive where z is never zero."""
    left = list(factors)
    for z in factors:
        other = sp.conjugate(z)
        if other != z and z in left and other in left and holds(nonzero if strict else _is_defined, z):
            left.remove(z)
            left.remove(other)
    return left


def _is_defined(e: sp.Expr) -> bool:
    """True if the form of e exists; raises Refused where something in it may be undefined."""
    return form(e) is not None


def nonnegative(expr: sp.Expr) -> bool:
    """True only if expr ≥ 0 for all values of its symbols is plain from the normal form or from how it is built."""
    return _plainly(expr, strict=False)


def positive(expr: sp.Expr) -> bool:
    """True only if expr > 0 for all values of its symbols is plain from the normal form or from how it is built."""
    return _plainly(expr, strict=True)


def is_real(expr: sp.Expr) -> bool:
    """True only if expr equals its own conjugate."""
    own = form(expr)
    return not cleared(own - own.conjugate()).terms


def nonzero(expr: sp.Expr) -> bool:
    """True only if expr ≠ 0 for all values of its symbols is plain: the square of its modulus is plainly positive."""
    own = form(expr)
    return manifest(own * own.conjugate(), strict=True) or any(_plainly(sign * expr, strict=True) for sign in (1, -1))


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
