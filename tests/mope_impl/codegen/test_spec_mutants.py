"""Planted faults in the specifications of the kernels: each is killed, and by whom.

A fault in the numerical form alone is killed by ``proof``; one in the formula as well only by values. The Morlet encoding, the
passes and the generated text have theirs in ``test_mutants``.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
import sympy as sp
from sympy import Abs, cos, exp, sin

import mope_theory as mt
from mope_impl.codegen import generate
from mope_theory.spec import Guard, KernelSpec, SpecError
from mope_theory.specs import alibi_bias, energy_gate, gaussian_bias, morlet_rotary, relative_kernel, rotation, xpos_rotary
from mope_theory.specs.turn import imaginary, real
from mope_theory.symbols import b, d, omega, sigma
from mope_theory.vocabulary.gates import SMALLEST, sharpness, threshold
from mope_theory.vocabulary.operations import at_least, sigmoid
from tests.mope_impl.codegen.spec_checks import CHECKS, CLOSED
from tests.mope_impl.codegen.toys import load

Change = Callable[[KernelSpec], KernelSpec]


@dataclass(frozen=True)
class Mutant:
    spec: str
    name: str
    change: Change
    killer: str
    edit: tuple[str, str] | None = None
    """A text that is replaced in what is generated, and what by."""


def formed(**change: object) -> Change:
    """Another numerical form of the same formula."""
    return lambda spec: replace(spec, numerical=replace(spec.numerical, **change))


def meaning(*channels: sp.Expr) -> Change:
    """The same channels as formula and as numerical form, if there is one, so that only values can tell."""

    def change(spec: KernelSpec) -> KernelSpec:
        form = spec.numerical
        if form is None:
            return replace(spec, channels=channels)
        plain = tuple(c.xreplace(dict(form.bindings)) for c in channels)
        return replace(spec, channels=plain, numerical=replace(form, channels=channels))

    return change


def with_input(name: str, **change: object) -> Change:
    return lambda spec: replace(spec, inputs=tuple(replace(x, **change) if x.name == name else x for x in spec.inputs))


def same(spec: KernelSpec) -> KernelSpec:
    return spec


theta, z = relative_kernel.theta, relative_kernel.z
envelope = exp(-(z**2) / 4)
x_0, x_1 = rotation.first, rotation.second
turn = rotation.theta
score = energy_gate.z
gate = sigmoid(sharpness * (score - threshold))
slope = alibi_bias.slope
e, mean, deviation = energy_gate.e, energy_gate.mean, energy_gate.deviation

MUTANTS = (
    Mutant("relative_kernel", "form: ½ for ¼", formed(channels=(cos(theta) * exp(-(z**2) / 2), sin(theta) * envelope)), "proof"),
    Mutant("relative_kernel", "form: conjugated", formed(channels=(cos(theta) * envelope, -sin(theta) * envelope)), "proof"),
    Mutant("relative_kernel", "form: guard at 50, too early for the gradients", formed(guard=Guard(z, 50)), "proof"),
    Mutant("relative_kernel", "form: σ² for σ", formed(bindings={theta: omega * d, z: d / sigma**2}), "proof"),
    Mutant("relative_kernel", "no guard", formed(guard=None), "edges"),
    Mutant("relative_kernel", "no numerical form", lambda spec: replace(spec, numerical=None), "edges"),
    Mutant("relative_kernel", "the envelope of the packet, 2σ²",
           meaning(cos(theta) * exp(-(z**2) / 2), sin(theta) * exp(-(z**2) / 2)), "values"),
    Mutant("relative_kernel", "conjugated throughout", meaning(cos(theta) * envelope, -sin(theta) * envelope), "values"),
    Mutant("relative_kernel", "parts exchanged", meaning(sin(theta) * envelope, cos(theta) * envelope), "values"),
    Mutant("relative_kernel", "the real part twice", meaning(cos(theta) * envelope, cos(theta) * envelope), "values"),
    Mutant("relative_kernel", "channels in one array", lambda spec: replace(spec, output="*t n c"), "values"),
    Mutant("relative_kernel", "NaN widths replaced", same, "invalid", ('float("nan")', "1.0")),
    Mutant("sinusoidal_encoding", "form: exchanged", formed(channels=(cos(theta), sin(theta))), "proof"),
    Mutant("sinusoidal_encoding", "exchanged throughout", meaning(cos(theta), sin(theta)), "values"),
    Mutant("sinusoidal_encoding", "sign of the sine", meaning(-sin(theta), cos(theta)), "values"),
    Mutant("sinusoidal_encoding", "halves for pairs", lambda spec: replace(spec, output="*t (c n)"), "values"),
    Mutant("sinusoidal_encoding", "a gradient forgotten", same, "gradients", ("d_omega = ", "d_omega = 0.0 * ")),
    Mutant("alibi_bias", "a reward", meaning(slope * Abs(d)), "values"),
    Mutant("alibi_bias", "no modulus", meaning(-slope * d), "values"),
    Mutant("alibi_bias", "squared", meaning(-slope * d**2), "values"),
    Mutant("alibi_bias", "heads last", lambda spec: replace(spec, output="*b q k h"), "values"),
    Mutant("alibi_bias", "a slope at 0", same, "edges", ("torch.sign(d)", "(2.0 * (d >= 0) - 1.0)")),
    Mutant("gaussian_bias", "form: ½ for ¼", formed(channels=(-(gaussian_bias.z**2) / 2,)), "proof"),
    Mutant("gaussian_bias", "no numerical form", lambda spec: replace(spec, numerical=None), "edges"),
    Mutant("gaussian_bias", "2σ²", meaning(-(gaussian_bias.z**2) / 2), "values"),
    Mutant("gaussian_bias", "a reward", meaning(gaussian_bias.z**2 / 4), "values"),
    Mutant("gaussian_bias", "no square", meaning(-gaussian_bias.z / 4), "values"),
    Mutant("gaussian_bias", "a width for each key",
           lambda spec: replace(spec, inputs=(spec.inputs[0], replace(spec.inputs[1], axes="k")), output="*b q k"), "values"),
    Mutant("gaussian_bias", "widths of either sign", with_input("sigma", domain=sp.Interval(0, sp.oo)), "proof"),
    Mutant("energy_gate", "form: sign", formed(channels=(sigmoid(-sharpness * (score - threshold)),)), "proof"),
    Mutant("energy_gate", "form: no clamp", formed(bindings={score: (e - mean) / deviation}), "proof"),
    Mutant("energy_gate", "form: another floor", formed(bindings={score: (e - mean) / at_least(deviation, 2 * SMALLEST)}),
           "proof"),
    Mutant("energy_gate", "form: threshold forgotten", formed(channels=(sigmoid(sharpness * score),)), "proof"),
    Mutant("energy_gate", "written with an exponential", formed(channels=(1 / (1 + exp(-sharpness * (score - threshold))),)),
           "proof"),
    Mutant("energy_gate", "threshold added", meaning(sigmoid(sharpness * (score + threshold))), "values"),
    Mutant("energy_gate", "a gate that closes", meaning(1 - gate), "values"),
    Mutant("energy_gate", "squared", meaning(gate**2), "values"),
    Mutant("energy_gate", "threshold not scaled", meaning(sigmoid(sharpness * score - threshold)), "values"),
    Mutant("energy_gate", "queries and keys exchanged", lambda spec: replace(spec, output="*b h k q"), "values"),
    Mutant("energy_gate", "a floor of 10⁻⁶", same, "edges", ("1e-08", "1e-06")),
    Mutant("energy_gate", "the tie passes", same, "edges", ("> 1e-08)", ">= 1e-08)")),
    Mutant("energy_gate", "a clamp that swallows NaN", same, "invalid",
           ("<= 1e-08, 1e-08, sigma_e)", "> 1e-08, sigma_e, 1e-08)")),
    Mutant("energy_gate", "the slope as g(1 − g) of an exponential", same, "edges",
           ("sigmoid_1 = torch.sigmoid(-mul_1)", "sigmoid_1 = torch.exp(-mul_1) / (1.0 + torch.exp(-mul_1))")),
    Mutant("rotary", "form: turned back", formed(channels=(x_0 * cos(turn) + x_1 * sin(turn), x_1 * cos(turn) - x_0 * sin(turn))),
           "proof"),
    Mutant("rotary", "turned back throughout", meaning(x_0 * cos(turn) + x_1 * sin(turn), x_1 * cos(turn) - x_0 * sin(turn)),
           "values"),
    Mutant("rotary", "one channel kept", meaning(x_0 * cos(turn) - x_1 * sin(turn), x_1), "values"),
    Mutant("rotary", "layouts exchanged", same, "values", ('layout == "half"', 'layout != "half"')),
    Mutant("rotary", "pairs read in the wrong order where they lie side by side", same, "halves_and_pairs",
           ("x[..., 0::2]", "x[..., 1::2]")),
    Mutant("turn", "turned back", meaning(*rotation.times(real - sp.I * imaginary)), "values"),
    Mutant("turn", "a channel scaled alone", meaning(rotation.first * real, rotation.second * real + rotation.first * imaginary),
           "values"),
    Mutant("turn", "in float32 whatever the inputs are", same, "values", ("wide = torch.promote", "_ = torch.promote")),
    Mutant("turn", "the gradient of a factor without its conjugate", same, "gradients",
           ("grad_1 * x_0 - grad_0 * x_1", "grad_1 * x_0 + grad_0 * x_1")),
    Mutant("turn", "layouts exchanged in the backward pass", same, "gradients",
           ('(grad.chunk(2, -1)[0] if layout == "half"', '(grad.chunk(2, -1)[0] if layout != "half"')),
    Mutant("xpos_rotary", "form: a stretch the other way", formed(channels=rotation.turned(exp(-xpos_rotary.growth))), "proof"),
    Mutant("xpos_rotary", "a stretch the other way", meaning(*rotation.turned(exp(-xpos_rotary.growth))), "values"),
    Mutant("morlet_rotary", "form: σ² for σ", formed(bindings={turn: omega * b, morlet_rotary.z: b / sigma**2}), "proof"),
    Mutant("morlet_rotary", "no guard", formed(guard=None), "edges"),
)  # fmt: skip


def killer(mutant: Mutant) -> str:
    """Name of the first check that fails; "" if the mutant lives."""
    try:
        text = generate(mutant.change(mt.spec(mutant.spec)))
    except SpecError:
        return "proof"
    if mutant.edit:
        assert mutant.edit[0] in text, f"{mutant.edit[0]!r} does not occur"
        text = text.replace(*mutant.edit)
    kernel = getattr(load(text), mutant.spec)
    for name, check in CHECKS.items():
        try:
            check(mutant.spec, kernel)
        except (NameError, AttributeError, ImportError):
            raise  # a mutant that is no program proves nothing
        except Exception:
            return name
    return ""


@pytest.mark.parametrize("name", CLOSED)
def test_the_specification_itself_passes_every_check(name: str) -> None:
    assert killer(Mutant(name, "itself", same, "")) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.spec}: {mutant.name}")
def test_a_mutant_is_killed_by_the_check_that_is_named(mutant: Mutant) -> None:
    assert killer(mutant) == mutant.killer


def test_every_kernel_with_a_closed_form_has_mutants() -> None:
    assert {mutant.spec for mutant in MUTANTS} == set(CLOSED) <= {spec.name for spec in mt.specs()}


def test_every_check_kills_something() -> None:
    assert {mutant.killer for mutant in MUTANTS} == {"proof", *CHECKS}
