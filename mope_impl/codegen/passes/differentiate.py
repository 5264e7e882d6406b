r"""The vector-Jacobian product, taken in reverse through the bindings.

A quotient z = N/D is differentiated as ∂z/∂x = (∂N/∂x)/D − z (∂D/∂x)/D, so that (b − b₀)/σ gives −z/σ: σ² is never formed.
"""
from __future__ import annotations

from dataclasses import replace

import sympy as sp

from ..checks import require_equal, require_lowerable
from ..ir import Formula


def differentiate(formula: Formula) -> Formula:
    """Guarantees: adjoints hold the summands of ∂L/∂x, linear in the incoming gradients, each coefficient of which is proved
    equal to the derivative of its channel."""
    bindings = list(formula.bindings)
    done = replace(
        formula,
        binding_adjoints={z: adjoint(formula, z) for z in bindings},
        adjoints=tuple(
            adjoint(formula, x)
            + sum(formula.adjoint_of(z) * binding_partial(z, formula.bindings[z], x) for z in bindings)
            for _, x in formula.spec.variables
        ),
    )
    require_adjoints(done)
    return done


def require_adjoints(formula: Formula) -> None:
    """Prove the assembled adjoints, bindings and all.

    Raises SpecError if one is wrong, undecided, or holds what no backend has an operation for.
    """
    inner = {formula.adjoint_of(z): value for z, value in formula.binding_adjoints.items()}
    for (source, x), found in zip(formula.spec.variables, formula.adjoints, strict=True):
        whole = sp.sympify(found).xreplace(inner)
        at_zero = whole.xreplace(dict.fromkeys(formula.incoming, sp.Integer(0)))
        require_equal(sp.Integer(0), at_zero, f"gradient of {formula.spec.name} by {source.name} without an incoming one")
        for k, (v, channel) in enumerate(zip(formula.incoming, formula.channels, strict=True)):
            what, coefficient = f"derivative of channel {k} of {formula.spec.name} by {source.name}", sp.diff(whole, v)
            require_lowerable(coefficient, what)
            require_equal(sp.diff(formula.in_inputs(channel), x), formula.in_inputs(coefficient), what)


def partial(formula: Formula, channel: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """∂c/∂x + Σ_z ∂c/∂z ∂z/∂x, in terms of inputs and bindings."""
    through = (sp.diff(channel, z) * binding_partial(z, value, x) for z, value in formula.bindings.items())
    return sp.diff(channel, x) + sum(through)


def adjoint(formula: Formula, x: sp.Symbol) -> sp.Expr:
    """Σ_k v_k ∂c_k/∂x with common factors taken out, and no fraction or coefficient moved otherwise.

    Arguments of functions are left as they are: a phase is rounded in the gradients as it is in the value.
    """
    pairs = zip(formula.incoming, formula.channels, strict=True)
    total = sp.sympify(sum(v * sp.diff(channel, x) for v, channel in pairs))
    calls = sorted(total.atoms(sp.Function), key=sp.default_sort_key)
    names = {call: sp.Dummy("call", real=True, dummy_index=2**20 + k) for k, call in enumerate(calls)}
    factored = sp.factor_terms(total.xreplace(names), clear=False, fraction=False)
    return factored.xreplace({name: call for call, name in names.items()})


def binding_partial(z: sp.Symbol, value: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """∂z/∂x for z = value, in terms of z itself where the value is a quotient."""
    numerator, denominator = sp.fraction(value)
    return sp.diff(numerator, x) / denominator - z * sp.diff(denominator, x) / denominator
