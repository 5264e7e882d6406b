r"""The vector-Jacobian product, taken in reverse through the bindings.

A quotient z = N/D is differentiated as ∂z/∂x = (∂N/∂x)/D − z (∂D/∂x)/D, so that (b − b₀)/σ gives −z/σ: σ² is never formed.
"""
from __future__ import annotations

from dataclasses import replace

import sympy as sp

from ..checks import require_equal, require_lowerable
from ..ir import Formula


def differentiate(formula: Formula) -> Formula:
    """Guarantees: adjoints hold ∂L/∂x summands; each partial derivative in them is proved equal to the formula's own."""
    spec, variables = formula.spec, list(formula.bindings)
    for x in spec.inputs:
        for k, channel in enumerate(formula.channels):
            what, found = f"derivative of channel {k} of {spec.name} by {x.name}", partial(formula, channel, x.symbol)
            require_lowerable(found, what)
            require_equal(sp.diff(formula.in_inputs(channel), x.symbol), formula.in_inputs(found), what)
    return replace(
        formula,
        binding_adjoints={z: adjoint(formula, z) for z in variables},
        adjoints=tuple(
            adjoint(formula, x.symbol)
            + sum(formula.adjoint_of(z) * binding_partial(z, formula.bindings[z], x.symbol) for z in variables)
            for x in spec.inputs
        ),
    )


def partial(formula: Formula, channel: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """∂c/∂x + Σ_z ∂c/∂z ∂z/∂x, in terms of inputs and bindings."""
    through = (sp.diff(channel, z) * binding_partial(z, value, x) for z, value in formula.bindings.items())
    return sp.diff(channel, x) + sum(through)


def adjoint(formula: Formula, x: sp.Symbol) -> sp.Expr:
    """Σ_k v_k ∂c_k/∂x with common factors taken out, and no fraction or coefficient moved otherwise."""
    pairs = zip(formula.incoming, formula.channels, strict=True)
    return sp.factor_terms(sum(v * sp.diff(channel, x) for v, channel in pairs), clear=False, fraction=False)


def binding_partial(z: sp.Symbol, value: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """∂z/∂x for z = value, in terms of z itself where the value is a quotient."""
    numerator, denominator = sp.fraction(value)
    return sp.diff(numerator, x) / denominator - z * sp.diff(denominator, x) / denominator
