"""Proof that what lies beyond a guard may be set to 0."""
from __future__ import annotations

import sympy as sp

from mope_theory.enclosure.tail import Unbounded, gaussian_tail
from mope_theory.spec import Guard, KernelSpec, SpecError

from ..ir import Formula
from .differentiate import partial

SMALLEST = sp.Rational(1, 2**1074)
"""η(float64): beyond the guard nothing may exceed the smallest positive number of the format that kernels compute in."""
ROUNDING = sp.Rational(2**20 - 1, 2**20)
"""The guard compares a rounded variable, so the bound is proved from a little inside. A product or quotient of inputs and
of differences of two inputs has a relative error of a few 2⁻⁵³; nothing else is accepted for a guard, as it might cancel."""


def bound(formula: Formula) -> Formula:
    """Guarantees: beyond the guard, over the whole box, every channel is below η(float64), and so is every summand of a
    gradient up to the powers of those inputs that it is divided by (a derivative by σ is bounded by η/σ)."""
    form = formula.spec.numerical
    if form is None or form.guard is None:
        return formula
    value = form.bindings[form.guard.variable]
    if not all(map(_rounds_once, sp.Mul.make_args(value))):
        raise SpecError(f"guard of {formula.spec.name}: {sp.sstr(value)} may cancel, so that its computed value misleads")
    for k, channel in enumerate(formula.channels):
        _require_below(formula.spec, form.guard, channel, f"channel {k}")
        for x, symbol in formula.spec.variables:
            summand = partial(formula, channel, symbol)
            _require_below(formula.spec, form.guard, summand, f"derivative of channel {k} by {x.name}")
    return formula


def _rounds_once(factor: sp.Expr) -> bool:
    """Whether a factor is an input, a constant, or a sum of two inputs, up to a power."""
    base, power = factor.as_base_exp()
    terms = [abs(t) if t.is_Number else t * sp.sign(t.as_coeff_Mul()[0]) for t in sp.Add.make_args(base)]
    return bool(power.is_Integer and len(terms) <= 2 and all(t.is_Symbol or t.is_Number for t in terms))


def _require_below(spec: KernelSpec, guard: Guard, expression: sp.Expr, what: str) -> None:
    where = f"guard of {spec.name}: beyond |{guard.variable}| = {guard.threshold} the {what}"
    terms = sp.Add.make_args(sp.expand(expression))
    try:
        total = sp.Add(*(_term_bound(spec, guard.variable, term, guard.threshold * ROUNDING) for term in terms))
    except Unbounded as reason:
        raise SpecError(f"{where} is not bounded: {reason}") from reason
    if total >= SMALLEST:
        raise SpecError(f"{where} may reach {sp.N(total, 3)}, which is not below 2^-1074")


def _term_bound(spec: KernelSpec, z: sp.Symbol, term: sp.Expr, start: sp.Rational) -> sp.Rational:
    """Bound of |term| times the powers that it is divided by: sines and cosines by 1, inputs by their box."""
    largest = {symbol: x.largest for x, symbol in spec.variables}
    total, power, exponent = sp.Integer(1), 0, sp.Integer(0)
    for factor in sp.Mul.make_args(term):
        base, degree = factor.as_base_exp()
        if isinstance(factor, sp.exp) and factor.free_symbols == {z}:
            exponent += factor.args[0]
        elif isinstance(base, (sp.cos, sp.sin)) and degree.is_Integer and degree > 0:
            continue
        elif factor.is_Rational:
            total *= abs(factor)
        elif base == z and degree.is_Integer and degree > 0:
            power += int(degree)
        elif base in largest and degree.is_Integer and degree < 0:
            continue
        elif base in largest and degree.is_Integer and largest[base].is_Rational:
            total *= largest[base] ** degree
        else:
            raise Unbounded(f"the factor {sp.sstr(factor)} is not bounded over the box")
    return total * gaussian_tail(power, exponent, z, start) if total else total
