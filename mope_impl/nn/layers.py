"""Linear layers and embeddings that start as the reference model does: weights N(0, 0.02²), biases 0."""
from __future__ import annotations

from torch import nn

STANDARD_DEVIATION = 0.02


class Linear(nn.Linear):
    """``torch.nn.Linear`` with weights that start as N(0, 0.02²) and biases that start at 0."""

    def reset_parameters(self) -> None:
        nn.init.normal_(self.weight, 0.0, STANDARD_DEVIATION)
        if self.bias is not None:
            nn.init.zeros_(self.bias)


class Embedding(nn.Embedding):
    """``torch.nn.Embedding`` with rows that start as N(0, 0.02²)."""

    def reset_parameters(self) -> None:
        nn.init.normal_(self.weight, 0.0, STANDARD_DEVIATION)
