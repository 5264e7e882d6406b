"""The encoding written plainly, by hand, with one fault in it."""
from __future__ import annotations

import torch
from torch import Tensor

from tests.mope_impl.consistency.harness import Kernel


def planted(fault: str) -> Kernel:
    """The encoding written plainly, with one fault in it (or none)."""

    def parts(positions: Tensor, omega: Tensor, sigma: Tensor, center: Tensor) -> tuple[Tensor, ...]:
        b, w, width, c = (x.to(torch.float64) for x in (positions[:, None], omega, sigma, center))
        if fault == "omega through bfloat16":
            w = omega.to(torch.bfloat16).to(torch.float64)
        phase = w * b
        if fault == "float32 phase":
            phase = (omega.to(torch.float32) * positions[:, None].to(torch.float32)).to(torch.float64)
        if fault == "the centre moves the carrier":
            phase = w * (b - c)
        offset = b + c if fault == "b + c for b − c" else b - c
        z = torch.where(torch.isinf(width), 0.0, offset / width)
        half = 0.5 * z * z
        if fault == "b²/σ² for (b/σ)²":
            half = offset * offset / (2 * width * width)
        if fault == "b²/σ² in the dtype of the inputs":
            half = (offset.to(sigma.dtype) ** 2 / (2 * sigma * sigma)).to(torch.float64)
        if fault == "the half is missing":
            half = z * z
        g = torch.exp(-half)
        if fault == "guard at 6":
            g = torch.where(z.abs() > 6, 0.0, g)
        co, si = torch.cos(phase), torch.sin(phase)
        if fault == "float32 cosine":
            co = torch.cos(phase.to(torch.float32)).to(torch.float64)
        if fault == "sine of the wrong sign":
            si = -si
        return b, w, width, z, g, co, si

    class Planted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, positions, omega, sigma, center, dtype):
            ctx.save_for_backward(positions, omega, sigma, center)
            *_, g, co, si = parts(positions, omega, sigma, center)
            channels = (g * si, g * co) if fault == "channels swapped" else (g * co, g * si)
            out = torch.stack(channels, -1).flatten(-2)
            return (out.to(torch.bfloat16) if fault == "rounded through bfloat16" else out).to(dtype)

        @staticmethod
        def backward(ctx, grad):
            positions, omega, sigma, center = ctx.saved_tensors
            b, w, width, z, g, co, si = parts(positions, omega, sigma, center)
            p, q = grad[:, 0::2].to(torch.float64), grad[:, 1::2].to(torch.float64)
            angular = g * (q * co + p * si if fault == "gradient: wrong sign" else q * co - p * si)
            radial = g * (p * co if fault == "gradient: a channel forgotten" else p * co + q * si)
            powers = z if fault == "gradient: z for z²" else z * z
            per_width = torch.ones_like(width) if fault == "gradient: 1/σ forgotten" else 1 / width
            along = angular * w - (0 if fault == "gradient: the envelope does not move" else radial * z / width)
            terms = {"omega": b * angular, "sigma": radial * powers * per_width, "center": radial * z / width}
            if fault == "gradient: summed in the dtype of the result":
                sums = {k: sum(row.to(grad.dtype) for row in v) for k, v in terms.items()}
            else:
                sums = {k: v.sum(0) for k, v in terms.items()}
            return (
                along.sum(1).to(positions.dtype),
                sums["omega"].to(omega.dtype),
                sums["sigma"].to(sigma.dtype),
                sums["center"].to(center.dtype),
                None,
            )

    def kernel(positions, omega, sigma, center, *, dtype):
        return Planted.apply(positions, omega, sigma, center, dtype)

    return kernel
