"""Value checks of the generated Morlet rotary encoding, each named for what it looks at: the checks that kill the mutants.

A check takes the function and raises; none compares text, bytes or hashes. References are closed forms in mpmath at the exact
binary inputs, with the places of channels written out here; bounds are those of ``mope_theory.reference.rotation_rounding``.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import mpmath
import numpy as np
import torch
from torch import Tensor

from mope_impl.generated.torch.rotary import rotary
from mope_theory.reference import rotation_rounding as bounds
from mope_theory.reference import rounding
from tests.mope_impl.codegen.kernel_checks import refused
from tests.mope_impl.codegen.toys import packet
from tests.mope_impl.saved import address, saved_by

Kernel = Callable[..., Tensor]
BATCH, HEADS, TOKENS, PAIRS = 2, 2, 3, 2
PLACES = {"half": ((0, 2), (1, 3)), "interleaved": ((0, 1), (2, 3))}
"""Channels of each pair."""
POSITIONS = ((0.0, 1.0, -2.0), (5.5, 21.25, 3.0))
OMEGA, SIGMA = ((0.7, 1.9), (-0.3, 2.5)), ((1.25, 30.0), (math.inf, 9.0))


def inputs(dtype: torch.dtype = torch.float64, grad: bool = False) -> list[Tensor]:
    """x without symmetry, positions by batch, parameters by head."""
    x = (torch.arange(48, dtype=torch.float64) * 5 % 13 - 6).view(BATCH, HEADS, TOKENS, 2 * PAIRS) / 7
    rest = (torch.tensor(value, dtype=torch.float64) for value in (POSITIONS, OMEGA, SIGMA))
    return [value.to(dtype).clone().requires_grad_(grad) for value in (x, *rest)]


def upstream() -> Tensor:
    """A gradient without symmetry, exact in every format."""
    return (torch.arange(48, dtype=torch.float64) * 7 % 11 - 4).view(BATCH, HEADS, TOKENS, 2 * PAIRS) / 8


def grid() -> tuple[np.ndarray, ...]:
    """b, ω, σ over (batch, head, token, pair)."""
    b = np.array(POSITIONS)[:, None, :, None]
    return np.broadcast_arrays(b, *(np.array(value)[None, :, None, :] for value in (OMEGA, SIGMA)))


def channel(x: Tensor, which: int, layout: str) -> np.ndarray:
    return torch.stack([x.detach()[..., pair[which]] for pair in PLACES[layout]], -1).double().numpy()


def within(found: np.ndarray, true: list, bound: np.ndarray) -> None:
    for value, exact, allowed in zip(found.ravel().tolist(), true, np.broadcast_to(bound, found.shape).ravel(), strict=True):
        assert abs(mpmath.mpf(value) - exact) <= allowed


def values(f: Kernel) -> None:
    """Both channels in both layouts, in float64; (x₀ + i·x₁)·ψ(b)."""
    b, w, s = grid()
    for layout in PLACES:
        x = inputs()[0]
        out = f(*inputs(), layout=layout)
        first, second = (channel(x, k, layout) for k in (0, 1))
        bound = bounds.value_error(bounds.gaussian(s, b), w, b, first, second)
        true: tuple[list, list] = ([], [])
        with mpmath.workdps(60):
            for at in np.ndindex(b.shape):
                real, imag = packet(b[at], w[at], s[at])
                one, two = mpmath.mpf(first[at]), mpmath.mpf(second[at])
                true[0].append(one * real - two * imag)
                true[1].append(one * imag + two * real)
        for k in (0, 1):
            within(channel(out, k, layout), true[k], bound)


def layouts(f: Kernel) -> None:
    """Halves are the default, and parameters without heads serve all of them."""
    x, b, w, s = inputs()
    assert torch.equal(f(x, b, w, s), f(x, b, w, s, layout="half"))
    shared = f(x, b[0], w[0], s[0])
    assert torch.equal(shared, f(x, b[:1].expand(2, 3), w[:1].expand(2, 2), s[:1].expand(2, 2)))


def inputs_kept(f: Kernel) -> None:
    before, after = inputs(), inputs()
    f(*after)
    assert all(torch.equal(x, y) for x, y in zip(before, after, strict=True))


def gradients(f: Kernel) -> None:
    """∂x, and ∂b = Σωg S − zgR/σ, ∂ω = Σbg S, ∂σ = Σz²gR/σ over the axes that each lacks, in both layouts."""
    b, w, s = grid()
    for layout in PLACES:
        leaves, given = inputs(grad=True), upstream()
        found = torch.autograd.grad(f(*leaves, layout=layout), leaves, given)
        assert all(x.shape == leaf.shape for x, leaf in zip(found, leaves, strict=True))
        one, two = (channel(leaves[0], k, layout) for k in (0, 1))
        p, q = (channel(given, k, layout) for k in (0, 1))
        terms = bounds.gradient_terms(bounds.gaussian(s, b), w, b, (one, two), (p, q))
        rows: dict[str, list] = {name: [] for name in ("x_0", "x_1", "positions", "omega", "parameter")}
        with mpmath.workdps(60):
            for at in np.ndindex(b.shape):
                place, turn, width, x, y, u, v = (mpmath.mpf(a[at]) for a in (b, w, s, one, two, p, q))
                real, imag = packet(b[at], w[at], s[at])
                first, second, z = x * real - y * imag, x * imag + y * real, place / width
                angular, radial = v * first - u * second, u * first + v * second
                rows["x_0"].append(u * real + v * imag)
                rows["x_1"].append(v * real - u * imag)
                rows["positions"].append(turn * angular - z / width * radial)
                rows["omega"].append(place * angular)
                rows["parameter"].append(z * z / width * radial)
        for k in (0, 1):
            within(channel(found[0], k, layout), rows[f"x_{k}"], terms["x"].error)
        for gradient, (name, axes) in zip(
            found[1:], {"positions": (1, 3), "omega": (0, 2), "parameter": (0, 2)}.items(), strict=True
        ):
            true = np.array(rows[name], dtype=object).reshape(b.shape).sum(axis=axes)
            sizes = rounding.Terms(*(np.broadcast_to(part, b.shape) for part in terms[name]))
            within(gradient.numpy(), list(true.ravel()), rounding.sum_error(sizes, axes))


def needed(f: Kernel) -> None:
    """Each input alone gets the gradient that it gets among all."""
    leaves = inputs(grad=True)
    together = torch.autograd.grad(f(*leaves), leaves, upstream())
    for k in range(4):
        alone = inputs()
        alone[k].requires_grad_()
        (gradient,) = torch.autograd.grad(f(*alone), alone[k], upstream())
        assert torch.equal(gradient, together[k])


def saved(f: Kernel) -> None:
    """The memory of x is kept for the gradients of parameters, and not for its own."""
    for parameter in range(4):
        leaves = inputs()
        leaves[0].requires_grad_()
        leaves[parameter].requires_grad_()
        _, kept = saved_by(partial(f, *leaves))
        assert (address(leaves[0]) in kept) == (parameter > 0)


def limit(f: Kernel) -> None:
    """σ = ∞ is the rotary encoding bit for bit, in every dtype and layout."""
    x, b, w, s = inputs()
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        for layout in PLACES:
            found = f(x.to(dtype), b, w, torch.full_like(s, math.inf), layout=layout)
            assert torch.equal(found, rotary(x.to(dtype), b, w, layout=layout))


def edges(f: Kernel) -> None:
    """Tiny and infinite widths: exact values and finite derivatives of both orders."""
    for sigma in (1e-300, 1e-23, math.inf):
        leaves = [
            torch.tensor(value, dtype=torch.float64, requires_grad=True)
            for value in ([[[1.0, -2.0]] * 3], [0.0, 1.0, -7.0], [0.5], [sigma])
        ]
        out = f(*leaves)
        if sigma < 1:
            assert out.tolist() == [[[1.0, -2.0], [0.0, 0.0], [0.0, 0.0]]]
        first = torch.autograd.grad(out[..., 0].sum(), leaves, create_graph=True)
        assert first[3].item() == 0.0
        second = torch.autograd.grad(first[2].sum() + first[3].sum(), leaves)
        assert all(gradient.isfinite().all() for gradient in (*first, *second))


def invalid_widths(f: Kernel) -> None:
    """σ ≤ 0 or NaN is NaN in both channels of its pair, and in no other."""
    x, b, w, _ = inputs()
    for sigma in (0.0, -1.0, math.nan):
        out = f(x, b, w, torch.tensor([sigma, 2.0]))
        assert out.isnan().tolist() == torch.tensor([True, False, True, False]).expand(2, 2, 3, 4).tolist()


def dtypes(f: Kernel) -> None:
    """The dtype of x whatever the others have; rounded once."""
    x, b, w, s = inputs()
    for dtype in (torch.float32, torch.bfloat16):
        narrow = x.to(dtype)
        assert torch.equal(f(narrow, b, w, s), f(narrow.double(), b, w, s, dtype=dtype))
    assert f(x, b.float(), w.half(), s.half()).dtype == torch.float64
    assert f(x.half(), b.to(torch.int64), w, s).dtype == torch.float16


def refusals(f: Kernel) -> None:
    """A wrong layout, an integer parameter, and a dtype that holds integers is one ValueError that names it."""
    x, b, w, s = inputs()
    for call, message in (
        (lambda: f(x, b, w, s, layout="halves"), "layout: got 'halves', expected 'half' or 'interleaved'"),
        (lambda: f(x.long(), b, w, s), "x: got torch.int64, expected a floating-point dtype"),
        (lambda: f(x, b, w.long(), s), "omega: got torch.int64, expected a floating-point dtype"),
        (lambda: f(x, b, w, s.long()), "sigma: got torch.int64, expected a floating-point dtype"),
        (lambda: f(x, b, w, s, dtype=torch.int64), "dtype: got torch.int64, expected a floating-point torch.dtype"),
    ):
        assert refused(call) == message


def second_order(f: Kernel) -> None:
    leaves = inputs(grad=True)
    leaves[3] = torch.tensor([[1.25, 30.0], [5.0, 9.0]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(f, leaves)


def writable(f: Kernel) -> None:
    """The result may be written in place, in either layout, in float64 too."""
    for layout in PLACES:
        leaves = inputs(grad=True)
        f(*leaves, layout=layout).mul_(2.0).sum().backward()
        expected = torch.autograd.grad(2 * f(*leaves, layout=layout).sum(), leaves)
        assert all(torch.equal(leaf.grad, gradient) for leaf, gradient in zip(leaves, expected, strict=True))


def transforms(f: Kernel) -> None:
    x, b, w, s = inputs()
    mapped = torch.vmap(f, in_dims=(None, None, 0, None))(x, b, torch.stack((w, 2 * w)), s)
    assert torch.equal(mapped, torch.stack((f(x, b, w, s), f(x, b, 2 * w, s))))


CHECKS: dict[str, Callable[[Kernel], None]] = {
    check.__name__: check
    for check in (
        values, inputs_kept, layouts, gradients, needed, saved, dtypes, limit, edges, invalid_widths, refusals, second_order,
        writable, transforms,
    )
}  # fmt: skip
"""In the order in which they are tried."""
