"""A numerical form is used only if it is proved equal to the formula."""
from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from sympy import cos, exp, sin

from mope_impl.codegen import generate
from mope_impl.codegen.ir import Formula
from mope_impl.codegen.passes import lower, numerical
from mope_theory.spec import SpecError
from mope_theory.specs import spec
from mope_theory.specs.morlet_encoding import SPEC, theta, z
from mope_theory.symbols import b, center, omega, sigma

FORM = SPEC.numerical
GAUSS = exp(-(z**2) / 2)


def test_the_form_takes_the_place_of_the_formula():
    formula = numerical(lower(Formula(SPEC)))
    assert formula.channels == FORM.channels
    assert formula.bindings == {theta: omega * b, z: (b - center) / sigma}


@pytest.mark.parametrize(
    "change, where",
    [
        ({"channels": (cos(theta) * exp(z**2 / 2), sin(theta) * GAUSS)}, "channel 0"),
        ({"channels": (cos(theta) * GAUSS, sin(theta) * exp(-(z**2)))}, "channel 1"),
        ({"channels": (cos(theta) * GAUSS, -sin(theta) * GAUSS)}, "channel 1"),
        ({"channels": (sin(theta) * GAUSS, cos(theta) * GAUSS)}, "channel 0"),
        ({"channels": (cos(theta) * GAUSS * (1 + sp.Rational(1, 10**12)), sin(theta) * GAUSS)}, "channel 0"),
        ({"bindings": {theta: omega * b, z: (b - center) / sigma**2}}, "channel 0"),
        ({"bindings": {theta: omega * b, z: (b + center) / sigma}}, "channel 0"),
        ({"bindings": {theta: omega * (b - center), z: (b - center) / sigma}}, "channel 0"),
    ],
)
def test_a_wrong_form_is_refused(change, where):
    wrong = replace(SPEC, numerical=replace(FORM, **change))
    with pytest.raises(SpecError, match=f"numerical form of morlet_encoding, {where}: .* is not"):
        generate(wrong)


def test_an_equivalent_form_is_accepted():
    other = replace(FORM, channels=(cos(-theta) * GAUSS, -sin(-theta) * exp(-z * z / 4) ** 2))
    assert "def morlet_encoding" in generate(replace(SPEC, numerical=other))


def test_a_specification_without_a_form_keeps_its_formula():
    plain = lower(Formula(replace(spec("morlet_encoding"), numerical=None)))
    assert numerical(plain) is plain
