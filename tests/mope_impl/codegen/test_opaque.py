"""Operations that proofs know nothing of: what holds for every value passes, anything else is undecided, never passed."""
from __future__ import annotations

import math
import sys
from dataclasses import replace

import pytest
import sympy as sp
import torch

from mope_impl.codegen import generate
from mope_impl.codegen.checks import require_equal
from mope_impl.codegen.opaque import opaque, unfold
from mope_theory.spec import Input, KernelSpec, NumericalForm, SpecError
from mope_theory.symbols import psi
from mope_theory.vocabulary.operations import above, at_least, sigmoid
from tests.mope_impl.codegen.toys import kernel

x, y, z = sp.symbols("x y z", real=True)
FLOOR = sp.Rational(1, 4)
X, Y = Input("x", x, "*t"), Input("y", y, "*t")


def toy(channel: sp.Expr, **change: object) -> KernelSpec:
    return replace(KernelSpec("toy", "A toy", "none", (X, Y), (channel,), "*t"), **change)


def test_equal_operations_are_one_quantity_and_others_are_others() -> None:
    first, second, third = opaque(sigmoid(x) + 1, sigmoid(x) * y, sigmoid(-x))
    assert first - 1 == second / y
    assert first - 1 != third
    assert opaque(x * sp.exp(y)) == (x * sp.exp(y),)
    (outer,) = opaque(sigmoid(at_least(x, FLOOR)))
    assert outer.is_Symbol
    assert opaque(at_least(x, FLOOR))[0].is_positive
    assert opaque(above(x, FLOOR))[0].is_positive is None


def test_unfolding_stops_at_an_operation() -> None:
    assert unfold(psi(x, 2, 3)) == psi(x, 2, 3).definition()
    assert unfold(sigmoid(x)) == sigmoid(x)
    inner = unfold(sigmoid(sp.re(psi(x, 2, 3))))
    assert isinstance(inner, sigmoid)
    assert not inner.has(psi)


def test_what_holds_for_every_value_is_equal() -> None:
    require_equal(sigmoid(x) * (y + 1), sigmoid(x) * y + sigmoid(x), "here")
    require_equal((x / at_least(y, FLOOR)) ** 2, x**2 / at_least(y, FLOOR) ** 2, "here")


@pytest.mark.parametrize(
    "left, right",
    [
        (sigmoid(x), sigmoid(2 * x)),
        (sigmoid(x), 1 - sigmoid(-x)),  # true, and not seen
        (sigmoid(x) * sigmoid(-x), sigmoid(x) ** 2),
        (at_least(x, FLOOR), at_least(x, FLOOR / 2)),
        (above(x, FLOOR), sp.S.One),
    ],
)
def test_a_difference_is_undecided(left: sp.Expr, right: sp.Expr) -> None:
    with pytest.raises(SpecError, match="here: cannot be decided"):
        require_equal(left, right, "here")


def test_a_form_that_is_not_the_formula_is_refused() -> None:
    for wrong in (sigmoid(-z), sigmoid(2 * z), sigmoid(z) * (1 + sp.Rational(1, 10**12)), z):
        form = NumericalForm({z: x / at_least(y, FLOOR)}, (wrong,))
        with pytest.raises(SpecError, match="numerical form of toy, channel 0: "):
            generate(toy(sigmoid(x / at_least(y, FLOOR)), numerical=form))


def test_a_wrong_derivative_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adjoint is assembled through a binding, and compared with the derivative of the whole."""
    form = NumericalForm({z: x / at_least(y, FLOOR)}, (sigmoid(z),))
    spec = toy(sigmoid(x / at_least(y, FLOOR)), numerical=form)
    generate(spec)
    module = sys.modules["mope_impl.codegen.passes.differentiate"]
    monkeypatch.setattr(module, "binding_partial", lambda z, value, x: sp.diff(value, x) / 2)
    with pytest.raises(SpecError, match="derivative of channel 0 of toy by x: cannot be decided"):
        generate(spec)


def test_a_clamp_may_divide_and_a_step_may_not() -> None:
    generate(toy(x / at_least(y, FLOOR)))
    generate(toy(x / sigmoid(y)))
    with pytest.raises(SpecError, match="may be 0 in a divisor"):
        generate(toy(x / above(y, FLOOR)))


def test_values_ties_and_nan() -> None:
    run = kernel(toy(x * at_least(y, FLOOR) + sigmoid(y)))
    given = torch.tensor([-1.0, 0.25, math.nextafter(0.25, 1), 2.0, math.nan], dtype=torch.float64, requires_grad=True)
    out = run(torch.ones(5, dtype=torch.float64), given)
    clamped = [0.25, 0.25, math.nextafter(0.25, 1), 2.0]
    plain = [1 / (1 + math.exp(-v)) for v in given.tolist()[:4]]
    assert out.tolist()[:4] == pytest.approx([a + b for a, b in zip(clamped, plain, strict=True)], rel=8 * 2.0**-53)
    assert math.isnan(out[4].item())
    (slope,) = torch.autograd.grad(out.sum(), given)
    passes = [0.0, 0.0, 1.0, 1.0]
    assert slope.tolist()[:4] == pytest.approx([a + b * (1 - b) for a, b in zip(passes, plain, strict=True)], rel=16 * 2.0**-53)


def test_second_derivatives() -> None:
    run = kernel(toy(x**2 * at_least(y, FLOOR) ** 2 + sigmoid(x * y)))
    given = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in ([0.5, -2.0, 1.0], [0.1, 1.0, 2.0])]
    assert torch.autograd.gradcheck(run, given)
    assert torch.autograd.gradgradcheck(run, given)
