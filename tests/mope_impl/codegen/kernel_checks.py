"""Value checks of a Morlet encoding, each named for what it looks at: the checks that kill the mutants.

A check takes the function and raises; none compares text, bytes or hashes. References are closed forms in mpmath at the
exact binary inputs, bounds are those derived in ``mope_theory.reference.rounding``.
"""
from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import torch

from mope_theory.reference import rounding
from tests.mope_impl.codegen.toys import packet

Kernel = Callable[..., torch.Tensor]
POSITIONS = (0.0, 1.0, -2.0, 5.5, 21.25)
OMEGA, SIGMA, CENTER = (0.7, 1.9, -0.3), (1.25, 30.0, math.inf), (0.5, -1.0, 3.0)


def inputs(dtype: torch.dtype = torch.float64, grad: bool = False) -> list[torch.Tensor]:
    columns = (POSITIONS, OMEGA, SIGMA, CENTER)
    return [torch.tensor(values, dtype=dtype, requires_grad=grad) for values in columns]


def grid() -> tuple[np.ndarray, ...]:
    """b, ω, σ, b₀ as arrays over (positions, pairs)."""
    return np.broadcast_arrays(np.array(POSITIONS)[:, None], *(np.array(x)[None, :] for x in (OMEGA, SIGMA, CENTER)))


def upstream() -> np.ndarray:
    """A gradient without symmetry, exact in every format."""
    return (np.arange(30).reshape(5, 6) * 7 % 11 - 4.0) / 8


def within(found: torch.Tensor, true: list, bound: np.ndarray) -> None:
    assert found.numel() == len(true)
    for value, exact, allowed in zip(found.detach().flatten().tolist(), true, bound.ravel().tolist(), strict=True):
        assert abs(mpmath.mpf(value) - exact) <= allowed


def values(f: Kernel) -> None:
    """Both channels, with and without a centre, in float64."""
    b, w, s, c = grid()
    for center in (c, np.zeros_like(c)):
        out = f(*inputs()[:3], *(() if not center.any() else inputs()[3:]))
        true = [packet(*point) for point in zip(b.ravel(), w.ravel(), s.ravel(), center.ravel(), strict=True)]
        for k, bound in enumerate(rounding.forward_error(w, s, b, center)):
            within(out[:, k::2], [one[k] for one in true], bound)


def gradients(f: Kernel) -> None:
    """Each gradient against ∂ω = bgS, ∂σ = z²gR/σ, ∂b₀ = zgR/σ, ∂b = ωgS − zgR/σ, summed over the axes it lacks."""
    b, w, s, c = grid()
    p, q = upstream()[:, 0::2], upstream()[:, 1::2]
    leaves = inputs(grad=True)
    found = torch.autograd.grad(f(*leaves), leaves, torch.tensor(upstream()))
    summands: dict[str, list] = {"positions": [], "omega": [], "sigma": [], "center": []}
    with mpmath.workdps(60):
        for at in np.ndindex(b.shape):
            x, y, width, centre, u, v = (mpmath.mpf(a[at]) for a in (b, w, s, c, p, q))
            z, (real, imag) = (x - centre) / width, packet(b[at], w[at], s[at], c[at])
            turn, stretch = v * real - u * imag, u * real + v * imag
            summands["positions"].append(y * turn - z / width * stretch)
            summands["omega"].append(x * turn)
            summands["sigma"].append(z * z / width * stretch)
            summands["center"].append(z / width * stretch)
    terms = rounding.gradient_terms(w, s, b, c, p, q)
    for gradient, leaf, (name, rows) in zip(found, leaves, summands.items(), strict=True):
        assert gradient.shape == leaf.shape
        axis = 1 if name == "positions" else 0
        true = np.array(rows, dtype=object).reshape(b.shape).sum(axis=axis)
        within(gradient, list(true), rounding.sum_error(terms[name], axis))


def far(f: Kernel) -> None:
    """Beyond the guard the value and every gradient are exactly 0."""
    leaves = [torch.tensor([x], dtype=torch.float64, requires_grad=True) for x in (1e6, 0.5, 2.0, 0.0)]
    out = f(*leaves)
    assert out.tolist() == [[0.0, 0.0]]
    for gradient in torch.autograd.grad(out.sum(), leaves):
        assert gradient.item() == 0.0


def needed(f: Kernel) -> None:
    """Each input alone gets the gradient that it gets among all."""
    leaves = inputs(grad=True)
    together = torch.autograd.grad(f(*leaves).sum(), leaves)
    for k in range(4):
        alone = inputs()
        alone[k].requires_grad_()
        (gradient,) = torch.autograd.grad(f(*alone).sum(), alone[k])
        assert torch.equal(gradient, together[k])


def phase(f: Kernel) -> None:
    """float32 frequencies at positions up to 2²⁴: four units of 2⁻²⁴ at most."""
    positions, omega = torch.tensor([4095, 1048575, 2**24 - 1, 2**24]), torch.tensor([1.0, 3.1, 8192.0])
    out = f(positions, omega, torch.full((3,), math.inf))
    for row, b in zip(out.tolist(), positions.tolist(), strict=True):
        for i, w in enumerate(omega.tolist()):
            for value, exact in zip(row[2 * i : 2 * i + 2], packet(b, w, math.inf), strict=True):
                assert abs(value - exact) <= 4 * mpmath.mpf(2) ** -24


def edges(f: Kernel) -> None:
    """Tiny and infinite widths: exact values and finite derivatives of both orders."""
    for sigma in (1e-300, 1e-23, math.inf):
        leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in ([0.0, 1.0, -7.0], [0.5], [sigma], [0.0])]
        out = f(*leaves)
        ends = [1.0, 0.0, 0.0] if sigma < 1 else torch.cos(0.5 * leaves[0]).tolist()
        assert out[:, 0].tolist() == ends
        first = torch.autograd.grad(out[:, 0].sum(), leaves, create_graph=True)
        assert first[2].item() == 0.0
        second = torch.autograd.grad(first[1].sum() + first[2].sum(), leaves)
        assert all(gradient.isfinite().all() for gradient in (*first, *second))


def invalid_widths(f: Kernel) -> None:
    """σ ≤ 0 or NaN is NaN, near and far, in its own channels only."""
    for sigma in (0.0, -1.0, math.nan):
        out = f(torch.tensor([0.0, 3.0, 1e9]), torch.ones(2), torch.tensor([sigma, 2.0]))
        assert out.isnan().tolist() == [[True, True, False, False]] * 3


def dtypes(f: Kernel) -> None:
    """The promoted dtype of the parameters, positions apart; rounded once."""
    b, w, s, c = inputs()
    assert f(b, w.half(), s.half(), c.half()).dtype == torch.float16
    assert f(b.half(), w.half(), s.float(), c.half()).dtype == torch.float32
    assert f(b.float(), w.float(), s.float(), c).dtype == torch.float64
    exact = f(b, w.float(), s.float(), c.float(), dtype=torch.float64)
    assert torch.equal(f(b, w.float(), s.float(), c.float()), exact.float())


def refusals(f: Kernel) -> None:
    """An integer parameter, and a dtype that is none or holds integers, is one ValueError that names it."""
    b, *parameters = inputs()
    for k, name in enumerate(("omega", "sigma", "center")):
        for wrong in (torch.int64, torch.bool, torch.complex64):
            given = [value.to(wrong) if place == k else value for place, value in enumerate(parameters)]
            assert refused(f, b, *given) == f"{name}: got {wrong}, expected a floating-point dtype"
    for dtype, shown in ((torch.int64, "torch.int64"), (torch.complex64, "torch.complex64"), ("float32", "'float32'")):
        message = f"dtype: got {shown}, expected a floating-point torch.dtype"
        assert refused(f, b, *parameters, dtype=dtype) == message


def refused(f: Kernel, *arguments: object, **options: object) -> str:
    try:
        f(*arguments, **options)
    except ValueError as problem:
        return str(problem)
    return ""


def sums(f: Kernel) -> None:
    """257 + 257 + 257 is 771, in bfloat16 772; each rounded first is 256, and their sum 768."""
    omega = torch.zeros(1, dtype=torch.bfloat16, requires_grad=True)
    out = f(torch.full((3,), 257), omega, torch.full((1,), math.inf, dtype=torch.bfloat16), dtype=torch.float64)
    (gradient,) = torch.autograd.grad(out[:, 1].sum(), omega)
    assert gradient.item() == 772.0


def second_order(f: Kernel) -> None:
    leaves = inputs(grad=True)
    leaves[2] = torch.tensor([1.25, 30.0, 9.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(f, leaves)


def inputs_kept(f: Kernel) -> None:
    before, after = inputs(), inputs()
    f(*after)
    assert all(torch.equal(x, y) for x, y in zip(before, after, strict=True))


def writable(f: Kernel) -> None:
    """The result may be written in place, in float64 too."""
    leaves = inputs(grad=True)
    f(*leaves).mul_(2.0).sum().backward()
    expected = torch.autograd.grad(2 * f(*leaves).sum(), leaves)
    assert all(torch.equal(leaf.grad, gradient) for leaf, gradient in zip(leaves, expected, strict=True))


def transforms(f: Kernel) -> None:
    b, w, s, c = inputs()
    mapped = torch.vmap(f, in_dims=(None, 0, None, None))(b, torch.stack((w, 2 * w)), s, c)
    assert torch.equal(mapped, torch.stack((f(b, w, s, c), f(b, 2 * w, s, c))))


CHECKS: dict[str, Callable[[Kernel], None]] = {
    check.__name__: check
    for check in (
        values, inputs_kept, gradients, far, needed, phase, edges, invalid_widths, dtypes, refusals,
        sums, second_order, writable, transforms,
    )
}  # fmt: skip
"""In the order in which they are tried."""
