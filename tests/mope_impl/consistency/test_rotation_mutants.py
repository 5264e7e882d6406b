"""Planted faults in the specifications of the rotary encodings: proved wrong by the generator, or seen by values or gradients.

The Morlet rotary encoding has a bench of its own beside the generator; here the faulty kernel is called as its function calls it.
"""
from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
import torch

from mope_impl import functional as F
from mope_theory.spec import SpecError
from mope_theory.specs import spec
from mope_theory.specs.rotation import first, second, theta, turned
from mope_theory.specs.xpos_rotary import growth, rate
from mope_theory.symbols import b, omega
from tests.mope_impl.codegen.mutants import Bench, Mutant, negate
from tests.mope_impl.codegen.toys import load
from tests.mope_impl.consistency.rotations import forward_excess, generator, gradient_excess, single

ROTARY, XPOS, TURN = (Bench(spec(name), {}) for name in ("rotary", "xpos_rotary", "turn"))
SCALE = sp.exp(growth)
REAL, IMAGINARY = turned(SCALE)
AROUND = first * sp.cos(theta) + second * sp.sin(theta), second * sp.cos(theta) - first * sp.sin(theta)

MUTANTS = (
    (ROTARY, Mutant("form: turned the other way", ROTARY.formed(channels=AROUND), "proof")),
    (ROTARY, Mutant("formula: turned the other way", ROTARY.channels(*AROUND), "values")),
    (ROTARY, Mutant("formula: the channels swapped", ROTARY.channels(*turned()[::-1]), "values")),
    (ROTARY, Mutant("formula: half the angle", ROTARY.channels(*(x.subs(theta, theta / 2) for x in turned())), "values")),
    (ROTARY, Mutant("input: frequencies without heads", ROTARY.with_input("omega", axes="n"), "values")),
    (ROTARY, Mutant("input: one position for all batches", ROTARY.with_input("positions", axes="t"), "values")),
    (TURN, Mutant("differentiate: sign of ∂x₁", TURN.adjoints(negate(1)), "gradients")),
    (TURN, Mutant("differentiate: sign of the gradient by the imaginary part", TURN.adjoints(negate(3)), "gradients")),
    (ROTARY, Mutant("differentiate: sign of ∂ω", ROTARY.adjoints(negate(3)), "gradients")),
    (XPOS, Mutant("form: a scale that falls", XPOS.formed(bindings={theta: omega * b, growth: -rate * b}), "proof")),
    (XPOS, Mutant("form: the scale turns", XPOS.formed(bindings={theta: omega * b + rate * b, growth: rate * b}), "proof")),
    (XPOS, Mutant("formula: a scale that falls", XPOS.channels(*turned(1 / SCALE)), "values")),
    (XPOS, Mutant("formula: one channel without its scale", XPOS.channels(REAL, IMAGINARY / SCALE), "values")),
    (XPOS, Mutant("formula: twice the scale", XPOS.channels(*turned(SCALE**2)), "values")),
    (XPOS, Mutant("differentiate: sign of ∂b", XPOS.adjoints(negate(2)), "gradients")),
    (XPOS, Mutant("differentiate: sign of the gradient by the rate", XPOS.adjoints(negate(4)), "gradients")),
)


def killer(bench: Bench, make, monkeypatch: pytest.MonkeyPatch) -> str:
    name = bench.spec.name
    try:
        kernel = getattr(load(make()), name)
    except SpecError:
        return "proof"
    monkeypatch.setattr(F.of_torch, name, kernel)
    plain = single("rotary" if bench is TURN else name)
    case = replace(plain, positions=plain.positions.double() / 3)
    try:
        if forward_excess(case) > 1:
            return "values"
        upstream = tuple(torch.randn(x.shape, generator=generator(3), dtype=x.dtype) for x in (case.q, case.k))
        return "gradients" if max(gradient_excess(case, upstream).values()) > 1 else ""
    except RuntimeError:  # shapes that do not fit
        return "values"


@pytest.mark.parametrize("bench", [ROTARY, XPOS], ids=lambda bench: bench.spec.name)
def test_the_products_themselves_pass(bench, monkeypatch):
    assert killer(bench, bench.build, monkeypatch) == ""


@pytest.mark.parametrize("bench, mutant", MUTANTS, ids=lambda x: x.name if isinstance(x, Mutant) else x.spec.name)
def test_a_mutant_is_killed_by_the_check_that_is_named(bench, mutant, monkeypatch):
    assert killer(bench, mutant.make, monkeypatch) == mutant.killer
