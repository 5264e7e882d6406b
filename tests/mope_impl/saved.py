"""What autograd keeps of a call."""
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor

Result = TypeVar("Result")


def saved_by(call: Callable[[], Result]) -> tuple[Result, dict[int, int]]:
    """The result, which holds what is kept as long as it lives, and the address and the bytes of each piece of memory kept."""
    found: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        found[address(tensor)] = tensor.untyped_storage().nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        return call(), found


def address(tensor: Tensor) -> int:
    """Where the memory of a tensor begins, which its views share."""
    return tensor.untyped_storage().data_ptr()
