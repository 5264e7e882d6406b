"""A learned vector for each position: the baseline that needs no formula."""
from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from mope_impl.functional import INTEGERS, check_tensor

from .base import Encoding

STANDARD_DEVIATION = 0.02


class LearnedEncoding(Encoding):
    """A table with one learned row for each of the positions 0 … max_length − 1.

    Args:
        max_length: number of rows.
        d_model: number of channels.
        device, dtype: of the table and of the result; the table is never narrower than float32.

    Shapes: integer positions of any shape → ``(*positions.shape, d_model)``. Rows start as N(0, 0.02²).

    Raises:
        ValueError: for sizes that are not positive, positions that are not integers, and, where they can be read without
            a device sync (eager mode on the CPU), positions outside the table.

    Source: the learned absolute encoding that the paper takes as its baseline.
    """

    def __init__(
        self,
        max_length: int,
        d_model: int,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(dtype)
        for name, size in (("max_length", max_length), ("d_model", d_model)):
            if isinstance(size, bool) or not isinstance(size, int) or size <= 0:
                raise ValueError(f"{name}: got {size!r}, expected a positive integer")
        self.max_length, self.d_model = max_length, d_model
        self.table = self._parameter(max_length, d_model, device=device, dtype=self.dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.normal_(self.table, 0.0, STANDARD_DEVIATION)

    def forward(self, positions: Tensor) -> Tensor:
        check_tensor("positions", positions)
        if positions.dtype not in INTEGERS:
            raise ValueError(f"positions: got dtype {positions.dtype}, expected integers")
        try:
            rows = functional.embedding(positions.long(), self.table)
        except IndexError:
            raise ValueError(f"positions: got a value outside 0 … {self.max_length - 1}, the rows of the table") from None
        return rows.to(self.dtype)

    def extra_repr(self) -> str:
        return f"{self.max_length}, {self.d_model}, dtype={self.dtype}"
