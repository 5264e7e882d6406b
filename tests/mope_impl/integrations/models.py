"""Tiny random models of several families, and arithmetic in which the numbers of a token do not depend on the batch."""
from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

FAMILIES = ("Llama", "Qwen2", "Mistral", "Mixtral", "GPTNeoX")
VOCABULARY, LENGTH = 24, 32
"""Tokens that there are, and positions that the models say they were trained on."""

SCALINGS: dict[str, dict[str, Any]] = {
    "linear": {"rope_type": "linear", "factor": 4.0},
    "dynamic": {"rope_type": "dynamic", "factor": 2.0},
    "yarn": {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 16},
    "llama3": {
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 16,
    },
}  # fmt: skip
"""Parameters of the scaled variants of RoPE, beside its base; that of yarn has a factor of cos and sin."""


def tiny(
    family: str = "Llama", *, scaling: str | None = None, attention: str = "eager", dtype: torch.dtype = torch.float32
) -> Any:
    """A random model of two layers, the same each time: weights of size 1/2, so that scores are far from uniform."""
    import transformers

    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": 100.0}
    sizes: dict[str, Any] = {
        "vocab_size": VOCABULARY, "hidden_size": 32, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4,
        "max_position_embeddings": LENGTH, "hidden_act": "relu", "attn_implementation": attention, "pad_token_id": 0,
    }  # fmt: skip
    if family == "GPTNeoX":  # half of the channels of a head are encoded
        rope["partial_rotary_factor"] = 0.5
    else:
        sizes["num_key_value_heads"] = 2
    if family in ("Mistral", "Mixtral"):
        sizes["sliding_window"] = None
    if family == "Mixtral":  # its files hold the weights of each expert by itself, the model those of all together
        sizes["num_local_experts"] = 3
    config = getattr(transformers, f"{family}Config")(**sizes, rope_parameters=rope | SCALINGS.get(scaling or "", {}))
    model = getattr(transformers, f"{family}ForCausalLM")(config).eval()
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            if parameter.dim() >= 2:
                parameter.copy_(0.5 * torch.randn(parameter.shape, generator=generator))
            assert "sigma" not in name
    # The host's buffers stay in float32, as they do in a model that is loaded in another dtype.
    for parameter in model.parameters():
        parameter.data = parameter.data.to(dtype)
    return model


def tokens(*shape: int, seed: int = 1) -> Tensor:
    """Random tokens, none of which stands for padding."""
    return torch.randint(1, VOCABULARY, shape, generator=torch.Generator().manual_seed(seed))


def encoding(model: Any) -> Any:
    return model.base_model.rotary_emb


def row_by_row(model: Any, monkeypatch: Any) -> Any:
    """Make sums of a model go one term after the other, and exponentials one by one.

    Then no bit of what is computed for one token depends on the shape of the batch, and what a mask takes away is an exact 0:
    logits of one position by two ways are equal bit for bit, or the ways differ.
    """
    monkeypatch.setattr(importlib.import_module(type(model.base_model).__module__), "eager_attention_forward", _attention)
    for part in model.modules():
        if isinstance(part, nn.Linear):
            part.forward = _linear(part)
        elif "RMSNorm" in type(part).__name__:
            part.forward = _norm(part)
    return model


def _in_turn(terms: list[Tensor]) -> Tensor:
    total = torch.zeros_like(terms[0])
    for term in terms:
        total = total + term
    return total


def _linear(part: nn.Linear) -> Callable[[Tensor], Tensor]:
    def forward(x: Tensor) -> Tensor:
        result = _in_turn([x[..., i, None] * part.weight[:, i] for i in range(x.shape[-1])])
        return result if part.bias is None else result + part.bias

    return forward


def _norm(part: Any) -> Callable[[Tensor], Tensor]:
    def forward(x: Tensor) -> Tensor:
        mean = _in_turn([x[..., i] * x[..., i] for i in range(x.shape[-1])]) / x.shape[-1]
        return part.weight * (x / torch.sqrt(mean + part.variance_epsilon)[..., None])

    return forward


def _attention(
    module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, scaling: float, **_: Any
) -> tuple[Tensor, None]:
    key, value = (x.repeat_interleave(module.num_key_value_groups, 1) for x in (key, value))
    scores = _in_turn([query[..., None, c] * key[..., None, :, c] for c in range(query.shape[-1])]) * scaling
    if attention_mask is not None:
        scores = scores + attention_mask
    weights = (scores - scores.amax(-1, keepdim=True)).detach().apply_(math.exp)
    weights = weights / _in_turn(list(weights.unbind(-1)))[..., None]
    out = _in_turn([weights[..., n, None] * value[..., n, :].unsqueeze(-2) for n in range(value.shape[-2])])
    return out.transpose(1, 2).contiguous(), None


def reference_tables(
    positions: np.ndarray[Any, Any], sigma: list[float], omega: list[float]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """cos and sin under the envelope, in 40 digits, rounded to float64: (tokens, 2n), one half like the other."""
    import mpmath

    rows: tuple[list[list[float]], list[list[float]]] = ([], [])
    with mpmath.workdps(40):
        for b in positions.tolist():
            size = [mpmath.exp(-((mpmath.mpf(b) / mpmath.mpf(s)) ** 2) / 2) for s in sigma]
            for row, wave in zip(rows, (mpmath.cos, mpmath.sin), strict=True):
                row.append([float(e * wave(mpmath.mpf(w) * b)) for e, w in zip(size, omega, strict=True)] * 2)
    return np.array(rows[0]), np.array(rows[1])
