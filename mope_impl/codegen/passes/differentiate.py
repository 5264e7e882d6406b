r"""The vector-Jacobian product, taken in reverse through the bindings.

A quotient z = N/D is differentiated as ∂z/∂x = (∂N/∂x)/D − z (∂D/∂x)/D, so that (b − b₀)/σ gives −z/σ: σ² is never formed.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy as sp

from ..checks import require_equal, require_lowerable
from ..ir import Formula


def differentiate(formula: Formula) -> Formula:
    """Guarantees: adjoints hold ∂L/∂x summands; each partial derivative in them is proved equal to the formula's own."""
    spec, variables = formula.spec, list(formula.bindings)
    direct = [[sp.diff(c, x.symbol) for c in formula.channels] for x in spec.inputs]
    through = {z: [sp.diff(c, z) for c in formula.channels] for z in variables}
    inner = {z: [binding_partial(z, value, x.symbol) for x in spec.inputs] for z, value in formula.bindings.items()}
    for i, x in enumerate(spec.inputs):
        for k, channel in enumerate(formula.channels):
            whole = direct[i][k] + sum(through[z][k] * inner[z][i] for z in variables)
            what = f"derivative of channel {k} of {spec.name} by {x.name}"
            require_lowerable(whole, what)
            require_equal(sp.diff(formula.in_inputs(channel), x.symbol), formula.in_inputs(whole), what)
    adjoints = tuple(
        collected(zip(formula.incoming, direct[i], strict=True))
        + sum(formula.adjoint_of(z) * inner[z][i] for z in variables)
        for i in range(len(spec.inputs))
    )
    gradients = {z: collected(zip(formula.incoming, through[z], strict=True)) for z in variables}
    return replace(formula, binding_adjoints=gradients, adjoints=adjoints)


def binding_partial(z: sp.Symbol, value: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """∂z/∂x for z = value, in terms of z itself where the value is a quotient."""
    numerator, denominator = sp.fraction(value)
    return sp.diff(numerator, x) / denominator - z * sp.diff(denominator, x) / denominator


def collected(pairs: Iterable[tuple[sp.Symbol, sp.Expr]]) -> sp.Expr:
    """Σ v·partial with what the terms have in common taken out."""
    return sp.gcd_terms(sum(v * partial for v, partial in pairs))
