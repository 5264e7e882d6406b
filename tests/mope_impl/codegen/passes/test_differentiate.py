"""Derivatives go through the bindings, stay stable, and each is proved."""
from __future__ import annotations

import sys
from dataclasses import replace

import pytest
import sympy as sp

from mope_impl.codegen.ir import Formula
from mope_impl.codegen.passes import differentiate, lower, numerical
from mope_impl.codegen.passes.differentiate import binding_partial, require_adjoints
from mope_theory.spec import Input, KernelSpec, SpecError
from mope_theory.specs.morlet_encoding import SPEC, theta, z
from mope_theory.symbols import b, center, omega, sigma

MODULE = sys.modules["mope_impl.codegen.passes.differentiate"]


def formula() -> Formula:
    return numerical(lower(Formula(SPEC)))


@pytest.mark.parametrize("x, expected", [(sigma, -z / sigma), (center, -1 / sigma), (b, 1 / sigma), (omega, 0)])
def test_a_quotient_is_differentiated_through_itself(x, expected):
    """σ² and σ³ are never formed: they under- and overflow where z/σ does not."""
    assert binding_partial(z, (b - center) / sigma, x) == expected


def test_the_adjoint_is_the_vector_jacobian_product():
    done = differentiate(formula())
    u, v = done.incoming
    g = sp.exp(-(z**2) / 2)
    assert sp.expand(done.binding_adjoints[theta] - g * (v * sp.cos(theta) - u * sp.sin(theta))) == 0
    assert sp.expand(done.binding_adjoints[z] + z * g * (u * sp.cos(theta) + v * sp.sin(theta))) == 0
    turn, stretch = done.adjoint_of(theta), done.adjoint_of(z)
    expected = (turn * omega + stretch / sigma, turn * b, -stretch * z / sigma, -stretch / sigma)
    assert done.adjoints == expected


def test_a_wrong_derivative_of_a_binding_is_refused(monkeypatch):
    monkeypatch.setattr(MODULE, "binding_partial", lambda z, value, x: -binding_partial(z, value, x))
    with pytest.raises(SpecError, match="derivative of channel 0 of morlet_encoding by positions"):
        differentiate(formula())


@pytest.mark.parametrize("fault", ["factor", "square", "offset", "other channel"])
def test_a_wrong_assembly_is_refused(fault):
    """What is proved is the sum that is printed, not its parts."""
    done = differentiate(formula())
    u = done.incoming[0]
    wrong = {
        "factor": 2 * done.adjoints[1],
        "square": done.adjoints[1] * u,
        "offset": done.adjoints[1] + b,
        "other channel": done.adjoints[1].xreplace({done.adjoint_of(theta): done.adjoint_of(z)}),
    }[fault]
    require_adjoints(done)
    with pytest.raises(SpecError, match=r"(gradient|derivative of channel \d) of morlet_encoding by omega"):
        require_adjoints(replace(done, adjoints=(done.adjoints[0], wrong, *done.adjoints[2:])))


def test_no_fraction_or_coefficient_is_moved():
    """Common denominators and contents of sums change what is rounded: 1/3 + 3.1e5 x for x / 3 + …"""
    x, s = sp.symbols("x s", real=True)
    toy = KernelSpec("toy", "A toy", "none", (Input("x", x, "t"), Input("s", s, "")),
                     (x / 3 + s, x**3 / (1 + s**2)), "t")  # fmt: skip
    done = differentiate(lower(Formula(toy)))
    u, v = done.incoming
    assert done.adjoints[0] == u / 3 + 3 * v * x**2 / (s**2 + 1)


def test_the_arguments_of_functions_are_the_same_in_the_gradients_as_in_the_value():
    """cos(ωb + κb²) of the value and cos(b(ω + κb)) of the gradient would have two phases, each with its own rounding."""
    x, y, k = sp.symbols("x y k", real=True)
    inputs = (Input("x", x, "t"), Input("y", y, ""), Input("k", k, ""))
    toy = KernelSpec("toy", "A toy", "none", inputs, (sp.cos(x * y + k * x**2), sp.sin(x * y + k * x**2)), "t")
    done = differentiate(lower(Formula(toy)))
    for one in done.adjoints:
        assert {call.args[0] for call in one.atoms(sp.cos, sp.sin)} == {x * y + k * x**2}


def test_a_derivative_without_an_operation_is_refused_by_name():
    x = sp.Symbol("x", real=True)
    toy = KernelSpec("toy", "A toy", "none", (Input("x", x, "t"),), (sp.sign(x) * x,), "t")
    with pytest.raises(SpecError, match="derivative of channel 0 of toy by x: DiracDelta cannot be lowered"):
        differentiate(Formula(toy, channels=toy.channels))


def test_without_bindings_the_plain_derivative_is_taken():
    done = differentiate(lower(Formula(replace(SPEC, numerical=None))))
    assert done.binding_adjoints == {}
    assert done.adjoints[1].has(sp.sin(b * omega))
