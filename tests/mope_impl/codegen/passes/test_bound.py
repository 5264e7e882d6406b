"""A guard may cut off only what is below the smallest float64, values and gradients alike."""
from __future__ import annotations

from dataclasses import replace

import mpmath
import pytest
import sympy as sp
import torch

from mope_impl.codegen import generate
from mope_impl.codegen.ir import Formula
from mope_impl.codegen.passes import bound, lower, numerical
from mope_impl.generated.torch.morlet_encoding import morlet_encoding
from mope_theory.spec import Guard, SpecError
from mope_theory.specs.morlet_encoding import SPEC, theta, z
from mope_theory.symbols import b, center, omega, sigma

FORM = SPEC.numerical


def guarded(threshold: int, **change: object) -> Formula:
    form = replace(FORM, guard=Guard(z, threshold), **change)
    return numerical(lower(Formula(replace(SPEC, numerical=form))))


def test_the_guard_of_the_encoding_is_proved_harmless():
    formula = guarded(40)
    assert bound(formula) is formula


@pytest.mark.parametrize("threshold", [1, 3, 10, 38])
def test_a_guard_that_cuts_too_early_is_refused(threshold):
    with pytest.raises(SpecError, match=rf"beyond \|z\| = {threshold} the channel 0 may reach .* not below 2\^-1074"):
        bound(guarded(threshold))


def test_gradients_decide_too_and_positions_are_taken_from_their_box():
    """At |z| = 39 the value is below 2⁻¹⁰⁷⁴, b·e^{−z²/2} at b = 2⁵³ is not."""
    with pytest.raises(SpecError, match=r"beyond \|z\| = 39 the derivative of channel 0 by (positions|omega)"):
        bound(guarded(39))


def test_what_is_cut_off_of_a_gradient_is_below_the_smallest_float_over_the_width():
    """∂σ at σ = 10⁻³¹⁰ is z²e^{−z²/2}/σ: beyond the guard 0 in the kernel, above 2⁻¹⁰⁷⁴ in truth, below 2⁻¹⁰⁷⁴/σ."""
    position, width = 4.01e-309, 1e-310
    sigma = torch.tensor([width], dtype=torch.float64, requires_grad=True)
    value = morlet_encoding(torch.tensor([position], dtype=torch.float64), torch.ones_like(sigma), sigma)[0, 0]
    value.backward()
    with mpmath.workdps(30):
        smallest, z = mpmath.mpf(2) ** -1074, mpmath.mpf(position) / mpmath.mpf(width)
        envelope = mpmath.exp(-z * z / 2)
        slope = z * z * envelope / mpmath.mpf(width)
        assert z > 40
        assert envelope < smallest
        assert smallest < slope < smallest / mpmath.mpf(width)
    assert (value.item(), sigma.grad.item()) == (0.0, 0.0)


def test_an_unbounded_box_is_refused():
    wide = tuple(replace(x, domain=sp.Reals) if x.name == "positions" else x for x in SPEC.inputs)
    with pytest.raises(SpecError, match="the derivative of channel 0 by omega is not bounded: the factor b"):
        generate(replace(SPEC, inputs=wide))


def test_a_guard_on_something_that_does_not_decay_is_refused():
    with pytest.raises(SpecError, match=r"the channel 0 is not bounded: the factor exp\(-z\*\*2/2\)"):
        bound(numerical(lower(Formula(replace(SPEC, numerical=replace(FORM, guard=Guard(theta, 40)))))))


@pytest.mark.parametrize("value", [(b * omega - center) / sigma, (b - center + omega) / sigma, b / sp.sqrt(sigma)])
def test_a_guarded_quantity_that_may_cancel_is_refused(value):
    """The comparison sees the computed value: after a cancellation it may be far from the true one."""
    wrong = replace(numerical(lower(Formula(SPEC))), spec=replace(SPEC, numerical=replace(FORM, bindings={theta: b, z: value})))
    with pytest.raises(SpecError, match="may cancel, so that its computed value misleads"):
        bound(wrong)
