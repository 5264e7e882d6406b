"""What NaN of an input becomes: told from the operations, and seen when torch carries them out on both sides of a guard."""

from __future__ import annotations

import pytest
import torch

import mope_theory as mt
from mope_impl.certify.missing import given_nan
from mope_impl.certify.sampling.replay import below, replay
from mope_impl.certify.torch.recover import scalars
from tests.mope_impl.certify.edits import GENERATED

NEAR = {"sigma": 2.0, "deviation": 2.0}
FAR = NEAR | {"positions": 1000.0, "distance": 1000.0}


@pytest.mark.parametrize("spec", mt.specs(), ids=lambda one: one.name)
def test_nan_is_given_or_left_out_as_told(spec):
    for scalar in scalars((GENERATED / f"{spec.name}.py").read_bytes(), spec, "float64"):
        names = sorted({str(node.value) for node in below(scalar.node) if node.op == "leaf"})
        for name in names:
            seen = set()
            for point in (NEAR, FAR):
                values = {k: torch.tensor([point.get(k, 0.5)], dtype=torch.float64) for k in names}
                values[name] = torch.tensor([torch.nan], dtype=torch.float64)
                seen.add("NaN" if replay(scalar.node, values).isnan().item() else "a number")
            told = given_nan(scalar.node, name)
            assert {told} == seen or (told == "NaN or a number" and seen == {"NaN", "a number"}), (scalar.name, name)


def test_only_beyond_a_guard_nan_is_left_out_and_never_that_of_a_position_or_a_width():
    for spec in mt.specs():
        is_guarded = spec.numerical is not None and spec.numerical.guard is not None
        for scalar in scalars((GENERATED / f"{spec.name}.py").read_bytes(), spec, "float32"):
            for name in {str(node.value) for node in below(scalar.node) if node.op == "leaf"}:
                told = given_nan(scalar.node, name)
                if (spec.name, scalar.name, name) == ("alibi_bias", "d distance", "distance"):
                    assert told == "a number"  # the sign of NaN is 0
                    continue
                decides = name in ("positions", "distance", "center", "sigma")
                assert told == ("NaN or a number" if is_guarded and not decides else "NaN")
