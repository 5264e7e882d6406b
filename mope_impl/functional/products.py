"""Pairs of channels times the factors of a table, by the kernel ``turn``, or by what gives its bits and takes less time.

Where there is a compiler the kernel is one loop. Where there is none, each operation passes over all of its operands, and most of
the time goes to numbers in between, which are written to memory and read again. On a CPU two things are quicker by far. Pairs of
neighbours lie as complex numbers do, which torch multiplies in one pass. And a large tensor is turned piece by piece, each small
enough that what is in between stays in the processor's cache.

Complex products have the bits of the kernel but where the share of a thread ends within a vector: in what is left over torch
contracts a product and a sum, which is as accurate.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from . import of_torch
from .validation import is_readable

PIECE = 1 << 19
"""Elements of a piece: 2 MiB of float32, about what the caches of two cores hold."""
_ROW = 32
"""Channels of which a row must be a multiple to be multiplied as complex numbers: whole vectors of any CPU."""


def product(x: Tensor, real: Tensor, imaginary: Tensor, layout: str) -> Tensor:
    """x (…, 2n), in the layout, times factors (…, n) that broadcast to its rows; in the dtype of x."""
    if _is_plain(x) and _is_plain(real) and real.dtype.itemsize > 2:
        in_one_pass = layout == "interleaved" and x.dtype == real.dtype and _is_complex_in_memory(x)
        by_operations = not real.requires_grad and (layout == "half" or x.shape[-1] % _ROW == 0) and _covers(x, real)
        if in_one_pass or by_operations:
            factors = _factors(real, imaginary, layout)
            if in_one_pass or not _is_large(x):
                return _by_operations(x, layout, *(_for_each_batch(factor, x) for factor in factors))
            return _InPieces.apply(x, layout, *factors)
    return of_torch.turn(x, _for_each_batch(real, x), _for_each_batch(imaginary, x), layout=layout)


class _InPieces(torch.autograd.Function):
    """The product of plain tensors on a CPU, whose factors want no gradient. Only those are kept, which are no one else's."""

    @staticmethod
    def forward(x: Tensor, layout: str, *factors: Tensor) -> Tensor:
        result = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        for part, to, *own in _pieces((x, result, *(factor.expand(*x.shape[:-1], -1) for factor in factors))):
            to.copy_(_act(part, layout, *own))
        return result

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs[2:])
        ctx.layout = inputs[1]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        kept, layout = ctx.saved_tensors, ctx.layout
        factors = (kept[0], -kept[1]) if layout == "half" else (torch.conj_physical(kept[0]),)
        # Gradients of many directions at once, and those with a tangent, are for operations that torch knows.
        turn = _InPieces.apply if _is_plain(grad) and _is_large(grad) else _by_operations
        return turn(grad, layout, *factors), *(None for _ in range(1 + len(kept)))


def _is_large(x: Tensor) -> bool:
    """Whether it is more than one piece; what is traced is not cut, for a program that is kept holds no function of Python."""
    return x.numel() > PIECE and not torch._C._is_tracing()


def _factors(real: Tensor, imaginary: Tensor, layout: str) -> tuple[Tensor, ...]:
    """New tensors of what channels are multiplied by: straight and crosswise; or as complex numbers, which lie one by one."""
    if layout == "half":
        return torch.cat((real, real), -1), torch.cat((-imaginary, imaginary), -1)
    return (torch.complex(real, imaginary).contiguous(),)


def _by_operations(x: Tensor, layout: str, *factors: Tensor) -> Tensor:
    return _act(x, layout, *factors).to(x.dtype)


def _act(x: Tensor, layout: str, *factors: Tensor) -> Tensor:
    """The product by operations of torch, in a dtype as wide as x and the factors."""
    wide = x.to(torch.promote_types(x.dtype, factors[0].dtype.to_real()))
    if layout == "half":
        whole, signed = factors
        return wide.roll(x.shape[-1] // 2, -1).mul_(signed).add_(wide * whole)
    laid = wide if _is_complex_in_memory(wide) else wide.clone(memory_format=torch.contiguous_format)
    pairs = torch.view_as_complex(laid.view(*x.shape[:-1], -1, 2))
    turned = torch.view_as_real(pairs * factors[0])
    return turned.reshape(*turned.shape[:-2], x.shape[-1])


def _pieces(tensors: tuple[Tensor, ...], axis: int = 0) -> Iterator[tuple[Tensor, ...]]:
    """Tensors of the same axes, but for the last, cut along the outermost ones until the first is small enough."""
    size = tensors[0].numel()
    if size <= PIECE or axis == tensors[0].dim() - 1:
        yield tensors
        return
    step = max(1, PIECE * tensors[0].shape[axis] // size)
    for parts in zip(*(tensor.split(step, axis) for tensor in tensors), strict=True):
        yield from _pieces(parts, axis + 1)


def _for_each_batch(factor: Tensor, x: Tensor) -> Tensor:
    """Factors expanded along the first axis of x.

    So a gradient is added up over the other axes in the pass that forms it, and over the first one afterwards: a single sum over
    both would read as many places of memory at once as there are sequences and heads, which takes longer.
    """
    if factor.dim() > x.dim():
        return factor
    whole = factor[(None,) * (x.dim() - factor.dim())]
    return whole.expand(x.shape[0], *whole.shape[1:]) if x.dim() > 2 and whole.shape[0] == 1 else whole


def _is_plain(x: Tensor) -> bool:
    """Whether x is in a plain call on a CPU; forward-mode differentiation is left to the kernel, which refuses it."""
    return is_readable(x) and x.numel() > 0 and forward_ad.unpack_dual(x).tangent is None


def _is_complex_in_memory(x: Tensor) -> bool:
    """Whether pairs of neighbours can be multiplied as complex numbers where they are."""
    even = x.storage_offset() % 2 == 0 and all(step % 2 == 0 for step in x.stride()[:-1])
    return even and x.stride(-1) == 1 and x.shape[-1] % _ROW == 0


def _covers(x: Tensor, factor: Tensor) -> bool:
    """Whether factors broadcast to the rows of x, and none of those to theirs."""
    sizes = zip(factor.shape[-2::-1], x.shape[-2::-1], strict=False)
    return factor.dim() <= x.dim() and all(own in (1, size) for own, size in sizes)
