"""Queries and keys through a rotary encoding: exact values and gradients in ball arithmetic, errors in units of the bound.

References are the formulas of the specifications at the exact binary inputs, evaluated by Arb; gradients come from Taylor
arithmetic on balls. How channels lie and which head serves which is written here once more, apart from the tested code.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from flint import arb
from torch import Tensor

from mope_impl import functional as F
from mope_theory import symbols as s
from mope_theory.reference import derivative_arb, rounding, to_acb
from mope_theory.reference import rotation_rounding as bounds
from mope_theory.reference.formats import Array, Format
from mope_theory.spec import KernelSpec
from mope_theory.specs import spec
from mope_theory.specs.rotation import first, second
from mope_theory.specs.xpos_rotary import rate
from tests.mope_impl.consistency.harness import excess, format_of

Function = Callable[..., tuple[Tensor, Tensor]]
FUNCTIONS: dict[str, Function] = {"rotary": F.rotary, "morlet_rotary": F.morlet_rotary, "xpos_rotary": F.xpos_rotary}
PARAMETER = {"morlet_rotary": s.sigma, "xpos_rotary": rate}


@dataclass(frozen=True)
class Case:
    """One call; ``extra`` is σ or ζ, or None for the plain rotation."""

    name: str
    q: Tensor
    k: Tensor
    positions: Tensor
    omega: Tensor
    extra: Tensor | None
    layout: str

    @property
    def spec(self) -> KernelSpec:
        return spec(self.name)

    @property
    def arithmetic(self) -> Format:
        """That of factors and products: float32 at least."""
        return format_of(torch.promote_types(torch.promote_types(self.q.dtype, self.k.dtype), torch.float32))

    @property
    def sharing(self) -> int:
        """How many sequences and heads of q and k one factor serves, at most."""
        return self.q.shape[0] * (self.q.shape[1] + self.k.shape[1])

    @property
    def inputs(self) -> dict[str, Tensor]:
        names = ("q", "k", "positions", "omega", *(() if self.extra is None else ("extra",)))
        return {name: getattr(self, name) for name in names}


def pairs(x: Tensor, count: int, layout: str) -> tuple[Array, Array]:
    """The two channels of each pair in float64, (B, H, T, n), read off index by index."""
    places = [(i, i + count) if layout == "half" else (2 * i, 2 * i + 1) for i in range(count)]
    wide = x.detach().to(torch.float64)
    return tuple(torch.stack([wide[..., place[k]] for place in places], -1).numpy() for k in (0, 1))  # type: ignore[return-value]


@dataclass(frozen=True)
class Grid:
    """One tensor of a case, element by element: pairs, positions and parameters as float64 arrays of one shape (B, H, T, n)."""

    case: Case
    x: tuple[Array, Array]
    b: Array
    omega: Array
    extra: Array
    sign: int

    def growth(self) -> bounds.Growth:
        if self.case.name == "rotary":
            return bounds.no_growth()
        if self.case.name == "morlet_rotary":
            return bounds.gaussian(self.extra, self.b)
        return bounds.exponential(self.sign * np.log(self.extra), self.b, computed_rate=True)

    def points(self) -> Iterator[dict[object, object]]:
        """The exact arguments of the formula; the rate of xPos is the logarithm of ζ, as a ball."""
        for place in np.ndindex(self.b.shape):
            point: dict[object, object] = {
                first: float(self.x[0][place]), second: float(self.x[1][place]),
                s.b: float(self.b[place]), s.omega: float(self.omega[place]),
            }  # fmt: skip
            if self.case.name == "morlet_rotary":
                point[s.sigma] = float(self.extra[place])
            if self.case.name == "xpos_rotary":
                point[rate] = self.sign * arb(float(self.extra[place])).log()
            yield point


def grid(case: Case, which: str) -> Grid:
    x = getattr(case, which)
    batch, heads, tokens, _ = x.shape
    count, of_k = case.omega.shape[-1], case.k.shape[1]
    shape = (batch, heads, tokens, count)
    b = np.broadcast_to(case.positions.to(torch.float64).numpy().reshape(-1, 1, tokens, 1), shape)

    def spread(parameter: Tensor) -> Array:
        rows = parameter.detach().to(torch.float64).reshape(-1, count).expand(of_k, count)
        served = torch.stack([rows[head * of_k // heads] for head in range(heads)])
        return np.broadcast_to(served.numpy()[None, :, None, :], shape)

    extra = np.zeros(shape) if case.extra is None else spread(case.extra)
    return Grid(case, pairs(x, count, case.layout), b, spread(case.omega), extra, 1 if which == "q" else -1)


def forward_excess(case: Case, function: Function | None = None) -> float:
    """Worst error of q and k in units of its bound, infinite if what is not encoded does not come back bit for bit."""
    worst, count = 0.0, case.omega.shape[-1]
    outputs = (function or FUNCTIONS[case.name])(*case.inputs.values(), layout=case.layout)
    for which, out in zip(("q", "k"), outputs, strict=True):
        x, at = getattr(case, which), grid(case, which)
        assert (out.shape, out.dtype) == (x.shape, x.dtype)
        if not torch.equal(out[..., 2 * count :], x[..., 2 * count :]):
            return math.inf
        error = bounds.turned_error(at.growth(), at.omega, at.b, *at.x, case.arithmetic)
        values = list(at.points())
        for channel, formula in enumerate(case.spec.channels):
            exact = [to_acb(formula, point).real for point in values]
            found = torch.from_numpy(np.ascontiguousarray(pairs(out, count, case.layout)[channel]))
            worst = max(worst, excess(found, exact, error, x.dtype))
    return worst


def gradient_excess(case: Case, upstream: tuple[Tensor, Tensor], function: Function | None = None) -> dict[str, float]:
    """Worst ratio of error to bound of each gradient; those of positions and parameters are sums over q and k."""
    inputs = {name: value.clone().requires_grad_(value.dtype.is_floating_point) for name, value in case.inputs.items()}
    function = FUNCTIONS[case.name] if function is None else function
    torch.autograd.backward(function(*inputs.values(), layout=case.layout), upstream)
    count, worst, sums = case.omega.shape[-1], {}, _Sums(case)
    for which, given in zip(("q", "k"), upstream, strict=True):
        at, gradient = grid(case, which), pairs(given, count, case.layout)
        growth = at.growth()
        terms = bounds.gradient_terms(growth, at.omega, at.b, at.x, gradient)
        of_x = bounds.turned_error(growth, at.omega, at.b, *gradient, case.arithmetic)
        follow = {"omega": at.b, "parameter": growth.by_parameter, "positions": np.abs(at.omega) + growth.by_position}
        for name, factor in follow.items():
            terms[name] = bounds.summed_terms(terms[name], growth, factor, case.sharing, case.arithmetic)
        points = list(at.points())
        flat = list(zip(*(part.ravel().tolist() for part in gradient), strict=True))

        def along(symbol: object, points: list = points, flat: list = flat) -> list[arb]:
            slopes = ([derivative_arb(formula, point, symbol).real for formula in case.spec.channels] for point in points)
            return [arb(p) * one + arb(q) * two for (p, q), (one, two) in zip(flat, slopes, strict=True)]

        found = pairs(inputs[which].grad, count, case.layout)
        for channel, symbol in enumerate((first, second)):
            tensor = torch.from_numpy(np.ascontiguousarray(found[channel]))
            kept = excess(tensor, along(symbol), np.broadcast_to(of_x, at.b.shape), inputs[which].dtype)
            worst[which] = max(worst.get(which, 0.0), kept)
        assert torch.equal(inputs[which].grad[..., 2 * count :], given[..., 2 * count :])
        sums.add("positions", along(s.b), terms["positions"], at)
        sums.add("omega", along(s.omega), terms["omega"], at)
        if case.extra is not None:
            slopes = along(PARAMETER[case.name])
            if case.name == "xpos_rotary":  # by ζ: ± the slope by the rate, over ζ
                slopes = [at.sign * slope / arb(z) for slope, z in zip(slopes, at.extra.ravel().tolist(), strict=True)]
            sums.add("extra", slopes, _over_zeta(terms["parameter"], at), at)
    for name in list(inputs)[2:]:
        if inputs[name].requires_grad:
            worst[name] = sums.excess(name, inputs[name].grad)
    return worst


def _over_zeta(terms: rounding.Terms, at: Grid) -> rounding.Terms:
    """∂ζ is ∂λ/ζ: one sign and one quotient more, both covered by two roundings."""
    if at.case.name != "xpos_rotary":
        return terms
    size = terms.size / at.extra
    return rounding.Terms(size, terms.error / at.extra + 2 * rounding.U * size + rounding.ETA)


class _Sums:
    """Exact sums of the summands of q and k, by the element of the argument that they belong to."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.exact: dict[tuple[str, int], arb] = {}
        self.terms: dict[tuple[str, int], list[tuple[float, float]]] = {}

    def add(self, name: str, summands: list[arb], terms: rounding.Terms, at: Grid) -> None:
        size, error = (np.broadcast_to(part, at.b.shape).ravel() for part in terms)
        for place, summand, *bound in zip(np.ndindex(at.b.shape), summands, size, error, strict=True):
            key = name, self._element(name, place, at)
            self.exact[key] = self.exact.get(key, arb(0)) + summand
            self.terms.setdefault(key, []).append((float(bound[0]), float(bound[1])))

    def _element(self, name: str, place: tuple[int, ...], at: Grid) -> int:
        batch, head, token, pair = place
        if name == "positions":
            return token if self.case.positions.numel() == at.b.shape[2] else batch * at.b.shape[2] + token
        value = getattr(self.case, name)
        row = 0 if value.dim() == 1 else head * value.shape[0] // at.b.shape[1]
        return int(row * value.shape[-1] + pair)

    def excess(self, name: str, found: Tensor) -> float:
        worst = 0.0
        for place, value in enumerate(found.reshape(-1)):
            size, error = (np.array(part) for part in zip(*self.terms[name, place], strict=True))
            total = rounding.sum_error(rounding.Terms(size, error), None)
            worst = max(worst, excess(value.reshape(1), [self.exact[name, place]], total, found.dtype))
        return worst


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def single(name: str, dtype: torch.dtype = torch.float64, layout: str = "half", reach: int = 4000, seed: int = 5) -> Case:
    """Two batches, grouped queries, heads of their own, six of seven channels encoded."""
    g = generator(seed)
    q, k = torch.randn(2, 4, 3, 7, generator=g), torch.randn(2, 2, 3, 7, generator=g)
    positions = torch.randint(-reach, reach, (2, 3), generator=g)
    omega = torch.rand(2, 3, generator=g) + 0.1
    extra = {
        "rotary": None,
        "morlet_rotary": reach * (torch.rand(2, 3, generator=g) + 0.5),
        "xpos_rotary": torch.exp(torch.randn(2, 3, generator=g) / reach),
    }[name]
    return Case(name, q.to(dtype), k.to(dtype), positions, omega, extra, layout)
