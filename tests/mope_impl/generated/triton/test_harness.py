"""What the guards of the harness see."""
from __future__ import annotations

import pytest
import torch

from .harness import DEVICE, guarded


def test_what_stands_for_a_shape_may_be_left_unwritten_and_may_not_be_written(monkeypatch):
    x = torch.ones(3, device=DEVICE)
    with guarded(monkeypatch):
        x.new_empty(()).expand(x.shape)
    with pytest.raises(AssertionError, match="written where a shape was kept"), guarded(monkeypatch):
        x.new_empty(()).fill_(1.0)
