"""Stand-ins for extrema, roundings, signs, angles and branches: real, or of a sign, where the arguments are shown to be."""
from __future__ import annotations

from collections.abc import Callable, Iterable

import sympy as sp

from ..vocabulary.floating import Rounded, Ulp
from .opaque import canonical, handles, opaque, opaque_complex
from .sign import holds, is_integer, is_real, nonnegative, positive


@handles(sp.Max, sp.Min)
def extremum(e: sp.Expr) -> sp.Expr:
    """Of real terms: the largest is positive if one is, the smallest if all are."""
    key = (e.func.__name__, sp.Tuple(*sorted(map(canonical, e.args), key=sp.default_sort_key)))
    if not all(holds(is_real, a) for a in e.args):
        return opaque_complex(*key)
    return opaque(_kind(e.args, any if type(e) is sp.Max else all), *key)


def _kind(values: tuple[sp.Expr, ...], enough: Callable[[Iterable[bool]], bool]) -> str:
    """Kind of one of several real values: a sign is claimed if it is plain of any, or of all."""
    kinds = {"positive": positive, "nonnegative": nonnegative}
    return next((k for k, question in kinds.items() if enough(holds(question, x) for x in values)), "real")


@handles(sp.floor, sp.ceiling)
def whole(e: sp.Expr) -> sp.Expr:
    return _one_real(e, "integer")


@handles(sp.sign)
def direction(e: sp.Expr) -> sp.Expr:
    return _one_real(e, "real")


def _one_real(e: sp.Expr, kind: str) -> sp.Expr:
    key = (e.func.__name__, canonical(e.args[0]))
    return opaque(kind, *key) if holds(is_real, e.args[0]) else opaque_complex(*key)


@handles(sp.acos)
def arccosine(e: sp.Expr) -> sp.Expr:
    """Of a cosine of something real: between 0 and π."""
    (x,) = e.args
    known = type(x) is sp.cos and holds(is_real, x.args[0])
    return opaque("nonnegative", "acos", canonical(x)) if known else opaque_complex("acos", canonical(x))


@handles(sp.Piecewise)
def branches(e: sp.Expr) -> sp.Expr:
    """One of its branches, the last of which is taken where no other is."""
    values = tuple(branch.expr for branch in e.args)
    decided = e.args[-1].cond == sp.true and all(_is_decided(branch.cond) for branch in e.args)
    if decided and all(holds(is_real, x) for x in values):
        return opaque(_kind(values, all), "branches", e)
    return opaque_complex("branches", e)


def _is_decided(condition: sp.Basic) -> bool:
    """Is it plainly true or false at every point? Complex numbers have no order."""
    if type(condition) in (sp.And, sp.Or, sp.Not):
        return all(map(_is_decided, condition.args))
    if type(condition) in (sp.Gt, sp.Ge, sp.Lt, sp.Le):
        return all(holds(is_real, side) for side in condition.args)
    return type(condition) in (sp.Eq, sp.Ne) or condition in (sp.true, sp.false)


@handles(Rounded, Ulp)
def rounding(e: sp.Expr) -> sp.Expr:
    """Of a real number in a whole number of bits: 0 at 0, and |x| has a real logarithm elsewhere. Rational ones are rounded."""
    x, bits = e.args
    if x.is_Rational and not bits.free_symbols:
        return canonical(e.definition())
    key = (e.func.__name__, canonical(x), canonical(bits))
    if not (holds(is_real, x) and holds(is_integer, bits)):
        return opaque_complex(*key)
    return opaque("nonnegative" if type(e) is Ulp else "real", *key)
