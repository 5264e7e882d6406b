"""What queries, keys and parameters for their heads may be."""
from __future__ import annotations

import torch
from torch import Tensor

from .validation import check_dtype, check_positions, check_tensor

AXES = ("batch", "heads", "tokens", "channels")


def check_queries_and_keys(q: Tensor, k: Tensor) -> None:
    """ValueError unless q is (B, H, T, D) and k the same, or with fewer heads each of which serves several of q."""
    for name, value in (("q", q), ("k", k)):
        check_tensor(name, value)
        check_dtype(name, value.dtype)
        if value.is_nested:
            raise ValueError(f"{name}: got a nested tensor, expected a padded one, (batch, heads, tokens, channels)")
        if value.dim() != 4:
            raise ValueError(f"{name}: got shape {tuple(value.shape)}, expected (batch, heads, tokens, channels)")
    for place in (0, 2, 3):
        if k.shape[place] != q.shape[place]:
            raise ValueError(f"k: got {k.shape[place]} {AXES[place]}, expected {q.shape[place]} as q has")
    if k.shape[1] == 0 or q.shape[1] % k.shape[1]:
        raise ValueError(f"k: got {k.shape[1]} heads, expected a divisor of the {q.shape[1]} heads of q")
    if k.device != q.device:
        raise ValueError(f"k: got device {k.device}, expected {q.device} as q is on")


def check_token_positions(positions: Tensor, q: Tensor) -> None:
    """ValueError unless positions are (T,) or (B, T) for the tokens of q; (1, T) serves every batch."""
    check_positions("positions", positions)
    batch, _, tokens, _ = q.shape
    fits = not positions.is_nested and positions.dim() in (1, 2) and positions.shape[-1] == tokens
    if not fits or (positions.dim() == 2 and positions.shape[0] != batch and positions.shape[0] != 1):
        given = "a nested tensor" if positions.is_nested else f"shape {tuple(positions.shape)}"
        raise ValueError(f"positions: got {given}, expected ({tokens},) or ({batch}, {tokens}) for q of shape {tuple(q.shape)}")
    if positions.device != q.device:
        raise ValueError(f"positions: got device {positions.device}, expected {q.device} as q is on")


def check_head_parameters(parameters: dict[str, Tensor], q: Tensor, k: Tensor) -> None:
    """ValueError unless each parameter is (n,), or (H, n) with a row for each head of k; 2n of the D channels are used."""
    first, pairs = next(iter(parameters)), None
    for name, value in parameters.items():
        check_tensor(name, value)
        check_dtype(name, value.dtype)
        if value.dim() not in (1, 2):
            raise ValueError(f"{name}: got shape {tuple(value.shape)}, expected (n,), or (heads, n)")
        pairs = value.shape[-1] if pairs is None else pairs
        if value.shape[-1] != pairs:
            raise ValueError(f"{name}: got {value.shape[-1]} pairs, expected {pairs} as {first} has")
        if 2 * pairs > q.shape[-1]:
            raise ValueError(f"{name}: got {pairs} pairs, expected at most {q.shape[-1] // 2} for {q.shape[-1]} channels")
        if value.dim() == 2 and value.shape[0] != k.shape[1]:
            raise ValueError(f"{name}: got {value.shape[0]} heads, expected {k.shape[1]}, {_one_a_head(q, k)}")
        if value.device != q.device:
            raise ValueError(f"{name}: got device {value.device}, expected {q.device} as q is on")


def _one_a_head(q: Tensor, k: Tensor) -> str:
    if q.shape[1] == k.shape[1]:
        return "one row for each head"
    return (
        f"one row for each head of k: it serves {q.shape[1] // k.shape[1]} consecutive heads of q, and scores see the distance "
        "only where both are turned alike"
    )


def widened(parameter: Tensor) -> Tensor:
    """In float64: the gradients of all its uses are added up before they are rounded to its own dtype."""
    return parameter.to(torch.float64)
