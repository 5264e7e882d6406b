"""Pairs of channels times the factors of a table, with the bits of the kernel ``turn`` in every case.

Where there is a compiler the kernel is one loop. Where there is none, each operation passes over all of its operands, and most of
the time goes to numbers in between, which are written to memory and read again. On a CPU two things are quicker by far. Pairs of
neighbours lie as complex numbers do, which torch multiplies in one pass. And a large tensor is turned piece by piece, each small
enough that what is in between stays in the processor's cache.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from . import of_torch
from .validation import is_readable

PIECE = 1 << 19
"""Elements of a piece: 2 MiB of float32, about what the caches of two cores hold."""
_ROW = 32
"""Channels of which a row must be a multiple to be multiplied as complex numbers: whole vectors of any CPU.

In what is left over of a row torch contracts a product and the sum, which is as accurate, and would make the bits depend on where
a row ends.
"""


def product(x: Tensor, real: Tensor, imaginary: Tensor, layout: str) -> Tensor:
    """x (…, 2n), in the layout, times factors (…, n) that broadcast to its rows; in the dtype of x."""
    if _is_plain(x) and _is_plain(real):
        in_one_pass = layout == "interleaved" and x.dtype == real.dtype and _is_complex_in_memory(x)
        by_operations = not real.requires_grad and (layout == "half" or x.shape[-1] % _ROW == 0) and _covers(x, real)
        if by_operations and not in_one_pass and x.numel() > PIECE:
            return _InPieces.apply(x, real, imaginary, layout)
        if by_operations or in_one_pass:
            act, factors = _by_operations(real, imaginary, layout)
            return act(x, *(_for_each_batch(factor, x) for factor in factors)).to(x.dtype)
    return of_torch.turn(x, _for_each_batch(real, x), _for_each_batch(imaginary, x), layout=layout)


class _InPieces(torch.autograd.Function):
    """The product of plain tensors on a CPU, whose factors want no gradient. Only they are kept."""

    @staticmethod
    def forward(x: Tensor, real: Tensor, imaginary: Tensor, layout: str) -> Tensor:
        act, factors = _by_operations(real, imaginary, layout)
        result = torch.empty(x.shape, dtype=x.dtype)
        for part, to, *own in _pieces((x, result, *(factor.expand(*x.shape[:-1], -1) for factor in factors))):
            to.copy_(act(part, *own))
        return result

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs[1:3])
        ctx.layout = inputs[3]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        real, imaginary = ctx.saved_tensors
        return product(grad, real, -imaginary, ctx.layout), None, None, None


def _by_operations(real: Tensor, imaginary: Tensor, layout: str) -> tuple[Callable[..., Tensor], tuple[Tensor, ...]]:
    """The product, of x and what it takes for factors, by operations of torch; the dtype of the result is as wide as they are."""
    if layout == "half":
        return _of_halves, (torch.cat((real, real), -1), torch.cat((-imaginary, imaginary), -1))
    return _of_neighbours, (torch.complex(real, imaginary),)


def _of_halves(x: Tensor, whole: Tensor, signed: Tensor) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, whole.dtype))
    return wide.roll(x.shape[-1] // 2, -1).mul_(signed).add_(wide * whole)


def _of_neighbours(x: Tensor, factors: Tensor) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, factors.real.dtype))
    laid = wide if _is_complex_in_memory(wide) else wide.clone(memory_format=torch.contiguous_format)
    return torch.view_as_real(torch.view_as_complex(laid.unflatten(-1, (-1, 2))) * factors).flatten(-2)


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
