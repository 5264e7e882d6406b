"""The rotary encodings written plainly, by hand, with one fault in them."""
from __future__ import annotations

import torch
from torch import Tensor

from tests.mope_impl.consistency.rotations import Function


def planted(name: str, fault: str = "") -> Function:
    """The encoding of that name with one fault in it, or none."""

    def factor(b: Tensor, extra: Tensor, key: bool) -> Tensor:
        if name == "rotary":
            return torch.ones(())
        if name == "morlet_rotary":
            z = b / extra
            if fault == "b²/σ² for (b/σ)², in the dtype of σ":
                return torch.exp(-(b * b).float() / (2 * extra.float() ** 2)).double()
            return torch.exp(-z * z if fault == "the half is missing" else -0.5 * z * z)
        return extra**b if key == (fault == "ζ for keys, its inverse for queries") else extra**-b

    def turned(x: Tensor, b: Tensor, omega: Tensor, extra: Tensor, layout: str, key: bool) -> Tensor:
        count, wide = omega.shape[-1], x.to(torch.float64)
        rotary, rest = wide[..., : 2 * count], x[..., 2 * count :]
        if fault == "the last channels for the first":
            rotary, rest = wide[..., -2 * count :], x[..., : -2 * count]
        halves = (layout == "half") != (fault == "the other layout")
        first, second = rotary.chunk(2, -1) if halves else (rotary[..., 0::2], rotary[..., 1::2])
        phase = b * omega
        if fault == "float32 phase":
            phase = (b.float() * omega.float()).double()
        cosine, sine = torch.cos(phase), torch.sin(phase)
        if fault == "float32 tables":
            cosine, sine = cosine.float().double(), sine.float().double()
        if fault == "tables in ten bits":
            cosine, sine = cosine.half().double(), sine.half().double()
        if fault == "tables in the dtype of x":
            cosine, sine = cosine.to(x.dtype).double(), sine.to(x.dtype).double()
        if fault == "turned the other way":
            sine = -sine
        g = factor(b, extra, key)
        one, two = (first * cosine - second * sine) * g, (first * sine + second * cosine) * g
        if fault == "products in float32":
            one, two = (((first.float() * cosine.float()).double() - second * sine) * g), two
        out = torch.cat((one, two), -1) if halves else torch.stack((one, two), -1).flatten(-2)
        return torch.cat((out.to(x.dtype), rest), -1)

    def function(q: Tensor, k: Tensor, positions: Tensor, omega: Tensor, extra: Tensor | None = None, *, layout: str):
        if positions.dim() == 2 and fault == "positions of the first row for all":
            positions = positions[0]
        b = positions.to(torch.float64).reshape(-1, 1, positions.shape[-1], 1)
        groups = q.shape[1] // k.shape[1]

        def rows(parameter: Tensor | None, heads: int) -> Tensor:
            if parameter is None:
                return torch.ones(())
            value = parameter.to(torch.float64)
            if value.dim() == 1:
                return value
            spread = value.repeat(heads // len(value), 1) if fault == "heads in turn" else value.repeat_interleave(
                heads // len(value), 0)  # fmt: skip
            return spread[:, None, :]

        heads = k.shape[1]
        keys = turned(k, b, rows(omega, heads), rows(extra, heads), layout, True)
        heads *= groups
        return turned(q, b, rows(omega, heads), rows(extra, heads), layout, False), keys

    return function
