"""No pole within the domains: an equality of formulas says nothing there."""
from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest
import sympy as sp
import torch

from mope_impl.codegen import generate
from mope_impl.codegen.backends import torch as backend
from mope_impl.codegen.ir import Formula
from mope_impl.codegen.passes import PASSES, differentiate, lower, numerical, regular
from mope_theory.spec import POSITIVE_OR_INFINITE, Input, KernelSpec, NumericalForm, SpecError
from mope_theory.specs import specs
from tests.mope_impl.codegen import toys

x, y, z = sp.symbols("x y z", real=True)
p = sp.Symbol("p", positive=True)
u = sp.Symbol("u", nonnegative=True)
q = sp.Symbol("q", real=True, zero=False)
INPUTS = {
    x: Input("x", x, "t"),
    y: Input("y", y, "t"),
    p: Input("p", p, "t", POSITIVE_OR_INFINITE),
    u: Input("u", u, "t", sp.Interval(0, sp.oo)),
    q: Input("q", q, "t", sp.Reals - sp.FiniteSet(0)),
}


def toy(channel: sp.Expr, form: NumericalForm | None = None) -> KernelSpec:
    used = channel.free_symbols | {s for value in (form.bindings.values() if form else ()) for s in value.free_symbols}
    return KernelSpec("toy", "A toy", "none", tuple(INPUTS[s] for s in INPUTS if s in used), (channel,), "t", form)


def proved(spec: KernelSpec) -> Formula:
    """The formula that the pass is given."""
    return differentiate(numerical(lower(Formula(spec))))


POLE = toy(x * y, NumericalForm({z: y / x}, (z * x**2,)))
"""y·x as (y/x)·x²: NaN at x = 0."""


def test_a_form_with_a_pole_that_the_formula_lacks_is_refused():
    with pytest.raises(SpecError, match=r"z in the numerical form of toy: x may be 0 in a divisor within the domains"):
        generate(POLE)


def test_without_the_pass_the_pole_is_a_wrong_kernel():
    stages = [one for one in PASSES if one is not regular]
    kernel = toys.load(backend.emit(reduce(lambda stage, one: one(stage), stages, Formula(POLE)))).toy
    x, y = torch.zeros(1, requires_grad=True), torch.ones(1)
    out = kernel(x, y)
    (slope,) = torch.autograd.grad(out, x)
    assert (out.isnan().item(), slope.isnan().item()) == (True, True)  # x·y and y are 0 and 1


@pytest.mark.parametrize(
    "channel, form, message",
    [
        (x * y, NumericalForm({z: x}, (z**2 * y / z,)), None),
        (y, NumericalForm({z: x**2 + 1}, (y * z / (x**2 + 1),)), None),
        (y, NumericalForm({z: x * y}, (z / x,)), "channel 0 of toy: x may be 0 in a divisor"),
        (u, NumericalForm({z: sp.sqrt(u)}, (z**2,)), "gradient of toy by u: u is not shown positive"),
        (x, NumericalForm({z: x / p}, (z * p,)), "channel 0 of toy: p may be infinite, and is not only divided by"),
        (x, NumericalForm({z: p}, (x * z / p,)), "z in the numerical form of toy: p may be infinite"),
        (x / y, None, "channel 0 of toy: y may be 0 in a divisor"),
        (x / (1 - p), None, r"channel 0 of toy: 1 - p may be 0 in a divisor"),
        (sp.sqrt(x), None, "channel 0 of toy: x is not shown nonnegative"),
        (sp.log(u), None, "channel 0 of toy: u is not shown positive"),
        (u**y, None, "channel 0 of toy: u is not shown positive"),
        (sp.sqrt(u), None, "gradient of toy by u: u is not shown positive"),
        (x * p, None, "channel 0 of toy: p may be infinite"),
        (sp.exp(-p) * x, None, "channel 0 of toy: p may be infinite"),
        (x / p, None, None),
        (x / q, None, None),
        (x * q, NumericalForm({z: x / q}, (z * q**2,)), None),
        (sp.exp(-((x - y) ** 2) / (2 * p**2)) * sp.cos(x * y), None, None),
        (x**3 / (1 + y**2), None, None),
        (x / (1 + u), None, None),
        (u ** sp.Rational(3, 2), None, None),
        (sp.log(1 + u), None, None),
        (2**x + sp.Abs(y), None, None),
    ],
)
def test_divisors_roots_logarithms_and_infinite_inputs(channel, form, message):
    formula = proved(toy(channel, form))
    if message is None:
        assert regular(formula) is formula
    else:
        with pytest.raises(SpecError, match=message):
            regular(formula)


def test_a_gradient_with_a_pole_is_refused():
    """Each adjoint is looked at as it is printed."""
    good = proved(toy(x * y))
    for place in (0, 1):
        found = list(good.adjoints)
        found[place] += 1 / y
        with pytest.raises(SpecError, match=f"gradient of toy by {'xy'[place]}: y may be 0 in a divisor"):
            regular(replace(good, adjoints=tuple(found)))
    with pytest.raises(SpecError, match="gradient of toy by z: x may be 0 in a divisor"):
        regular(replace(good, binding_adjoints={z: y / x}))


@pytest.mark.parametrize("spec", [*specs(), *toys.TOYS], ids=lambda spec: spec.name)
def test_the_kernels_that_are_there_have_no_pole(spec):
    assert isinstance(regular(proved(spec)), Formula)
