"""Trials of code against claims: each passes for our code, and for each a piece of code that is wrong is told."""
from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import mope_theory as mt
from mope_impl import functional as F
from mope_impl.agreement import TRIALS, Disagreement
from mope_impl.agreement.clamp import gradients_pass_as_claimed
from mope_impl.agreement.counts import encoding_parameters, gate_parameters
from mope_impl.agreement.gate import published_gate_leaks
from mope_impl.agreement.widths import far_widths_change_nothing
from mope_impl.ledger.providers import kernel
from mope_impl.nn import EnergyGate, LearnedEncoding
from mope_impl.nn.constraints import PRODUCT


@pytest.mark.parametrize("claim", TRIALS)
def test_our_code_agrees(claim):
    assert TRIALS[claim]()
    assert "kernel" in mt.claim(claim).requires


def test_every_claim_that_asks_for_code_has_a_kernel_or_a_trial():
    spoken_for = {name for spec in mt.specs() for name in spec.claims}
    assert not spoken_for & TRIALS.keys()
    assert {claim.id for claim in mt.claims() if "kernel" in claim.requires} <= spoken_for | TRIALS.keys()


# --- code that is wrong ---------------------------------------------------------------------------------------------------


class WithScalar(EnergyGate):
    """The inert scalar of the reference, kept."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__(d_model, n_heads)
        self.inert = nn.Parameter(torch.zeros(n_heads))


class AlwaysPublished(EnergyGate):
    def __init__(self, d_model: int, n_heads: int, **options: object) -> None:
        super().__init__(d_model, n_heads, statistics="published", dtype=torch.float64)


class AlwaysCausal(EnergyGate):
    def __init__(self, d_model: int, n_heads: int, **options: object) -> None:
        super().__init__(d_model, n_heads, statistics="causal", dtype=torch.float64)


class OtherSharpness(EnergyGate):
    def reset_parameters(self) -> None:
        super().reset_parameters()
        nn.init.constant_(self.sharpness, 3.0)


def test_counts_that_differ_are_told():
    with pytest.raises(Disagreement, match="12480 parameters, where the claim has 12432"):
        gate_parameters(WithScalar)
    with pytest.raises(Disagreement, match="Morlet encoding of 256 channels: 65536 parameters, where the claim has 256"):
        encoding_parameters(morlet=lambda width: LearnedEncoding(256, width))
    with pytest.raises(Disagreement, match="table of 256 positions"):
        encoding_parameters(table=lambda length, width: LearnedEncoding(length + 1, width))


@pytest.mark.parametrize(
    "gate, says",
    [
        (AlwaysPublished, "causal gate: .* by the third"),
        (AlwaysCausal, "0.8808 at the second token, which the claim does not name"),
        (OtherSharpness, "which the claim does not name"),
    ],
)
def test_a_gate_that_does_otherwise_is_told(gate, says):
    with pytest.raises(Disagreement, match=says):
        published_gate_leaks(gate)


def halved_at_ties(log_omega: Tensor, log_sigma: Tensor) -> tuple[Tensor, Tensor]:
    """``maximum`` gives each of two equal arguments half of the gradient."""
    sigma = log_sigma.exp()
    return torch.maximum(log_omega.exp(), PRODUCT / sigma), sigma


def straight_through(log_omega: Tensor, log_sigma: Tensor) -> tuple[Tensor, Tensor]:
    omega, sigma = log_omega.exp(), log_sigma.exp()
    return omega + torch.clamp(PRODUCT / sigma - omega, min=0).detach(), sigma


def width_held(log_omega: Tensor, log_sigma: Tensor) -> tuple[Tensor, Tensor]:
    omega, sigma = log_omega.exp(), log_sigma.exp()
    return torch.where(omega * sigma < PRODUCT, PRODUCT / sigma.detach(), omega), sigma


def clamped_at_ties(log_omega: Tensor, log_sigma: Tensor) -> tuple[Tensor, Tensor]:
    omega, sigma = log_omega.exp(), log_sigma.exp()
    return torch.where(omega * sigma <= PRODUCT, PRODUCT / sigma, omega), sigma


@pytest.mark.parametrize(
    "constraint, says",
    [
        (straight_through, "a clamped log ω gets a gradient"),
        (width_held, "log σ does not gain"),
        (clamped_at_ties, "at the tie ω does not get all"),
        (halved_at_ties, "at the tie ω does not get all"),
    ],
)
def test_other_gradients_of_the_clamp_are_told(constraint, says):
    with pytest.raises(Disagreement, match=says):
        gradients_pass_as_claimed(constraint)


def test_an_envelope_that_is_seen_is_told():
    def narrower(positions: Tensor, omega: Tensor, sigma: Tensor) -> Tensor:
        return F.morlet_encoding(positions, omega, sigma / 2**14)

    def half(positions: Tensor, omega: Tensor, sigma: Tensor) -> Tensor:
        return F.morlet_encoding(positions, omega, torch.where(sigma < 2**30, sigma / 4, sigma))

    with pytest.raises(Disagreement, match="bits differ from the limit"):
        far_widths_change_nothing(narrower)
    with pytest.raises(Disagreement, match="more than one unit in the last place"):
        far_widths_change_nothing(half)


def test_a_disagreement_fails_in_the_ledger(monkeypatch):
    def differs() -> str:
        raise Disagreement("another number")

    claim = mt.claim("gate.parameters")
    (piece,) = kernel.kernels(claim)
    assert (piece.status, piece.establishes) == ("holds", None)
    monkeypatch.setitem(TRIALS, "gate.parameters", differs)
    (piece,) = kernel.kernels(claim)
    assert (piece.status, piece.detail) == ("fails", "another number")
