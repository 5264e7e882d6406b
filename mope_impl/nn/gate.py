r"""Energy-gated attention: the weights of a head are multiplied by a gate over the keys and normalised again.

The statistics decide whether the layer is causal. Over the whole sequence, as published, a later token moves the mean and the
deviation, and with them the gate of every earlier key (claim ``gate.causality``). Over the keys up to the query nothing later
enters, and each row is what the published gate makes of the sequence up to it (claim ``gate.causal-form``).
"""
from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from mope_impl import functional as F

from .base import Versioned

STATISTICS = ("published", "causal")
PROJECTIONS = (1, 2, 4)
STANDARD_DEVIATION, SHARPNESS, THRESHOLD = 0.02, 2.0, 0.0
"""Where the directions, α and τ start."""


class EnergyGate(Versioned):
    r"""Gates the weights of attention by the energies of the keys.

    .. math:: e_k = u \cdot x_k + c, \quad g_{jk} = \varsigma(\alpha(z_{jk} - \tau)), \quad
        A'_{jk} = A_{jk} g_{jk} \big/ \max(\textstyle\sum_l A_{jl} g_{jl}, 10^{-8})

    with one u, c, α and τ for each head, ς(x) = 1/(1 + e^{−x}), and z the standard score of e (population statistics, the
    deviation at least 10⁻⁸) among all keys (``"published"``) or among the keys up to the query j (``"causal"``).

    With P > 1 projections each head has P such gates, of u, c, α and τ of their own, and g is their mean under the weights
    softmax(w), w the ``mixture`` of the head, which starts at 0: equal weights.

    Args:
        d_model: number of channels of x.
        n_heads: number of heads H; the gate has 3 + d_model parameters for each, with P > 1 projections P·(3 + d_model) + P.
        statistics: ``"published"`` is not causal for three tokens or more; ``"causal"`` is, at the price of a gate for each
            pair of query and key.
        projections: energies P for each head: 1, 2 or 4.
        device, dtype: of the parameters.

    Shapes: x ``(*b, T, d_model)``, weights ``(*b, H, T, T)`` → weights ``(*b, H, T, T)``. The weights are those of a causal
    softmax: rows of queries, columns of keys, 0 for later keys. Energies and statistics are formed in float64 whatever the
    autocast state, gate and product in float32, or in float64 for weights of that; the result has the dtype of the weights.

    Raises:
        ValueError: for sizes that are not positive, an unknown option, shapes that do not fit.

    Source: energy-gated attention as its reference implementation has it; claims ``gate.causality``, ``gate.causal-form``.
    """

    no_decay: ClassVar[frozenset[str]] = frozenset({"sharpness", "threshold", "mixture"})

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        statistics: str = "published",
        projections: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        for name, size in (("d_model", d_model), ("n_heads", n_heads)):
            if isinstance(size, bool) or not isinstance(size, int) or size <= 0:
                raise ValueError(f"{name}: got {size!r}, expected a positive integer")
        if statistics not in STATISTICS:
            raise ValueError(f"statistics: got {statistics!r}, expected one of {', '.join(map(repr, STATISTICS))}")
        if isinstance(projections, bool) or projections not in PROJECTIONS:
            raise ValueError(f"projections: got {projections!r}, expected one of {', '.join(map(repr, PROJECTIONS))}")
        self.d_model, self.n_heads, self.statistics, self.projections = d_model, n_heads, statistics, projections
        heads = (n_heads,) if projections == 1 else (n_heads, projections)
        self.weight = nn.Parameter(torch.empty(*heads, d_model, device=device, dtype=dtype))
        self.bias, self.sharpness, self.threshold = (
            nn.Parameter(torch.empty(heads, device=device, dtype=dtype)) for _ in range(3)
        )
        mixture = None if projections == 1 else nn.Parameter(torch.empty(heads, device=device, dtype=dtype))
        self.mixture: nn.Parameter | None
        self.register_parameter("mixture", mixture)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.normal_(self.weight, 0.0, STANDARD_DEVIATION)
        nn.init.zeros_(self.bias)
        nn.init.constant_(self.sharpness, SHARPNESS)
        nn.init.constant_(self.threshold, THRESHOLD)
        if self.mixture is not None:
            nn.init.zeros_(self.mixture)

    def forward(self, x: Tensor, weights: Tensor) -> Tensor:
        self._check(x, weights)
        wide = torch.promote_types(weights.dtype, torch.float32)
        gated = weights.to(wide) * self.gates(x, dtype=wide)
        total = gated.sum(-1, keepdim=True)
        return (gated / torch.where(total <= F.SMALLEST, F.SMALLEST, total)).to(weights.dtype)

    def gates(self, x: Tensor, *, dtype: torch.dtype = torch.float32) -> Tensor:
        """g of heads, queries and keys: ``(*b, H, T, T)`` if causal, 0 for later keys, else ``(*b, H, 1, T)`` for all queries."""
        energy = self.energies(x)
        mean, deviation = of_all(energy) if self.statistics == "published" else up_to_each(energy)
        sharpness, threshold = self.sharpness.flatten(), self.threshold.flatten()
        form = F.energy_gate if dtype == torch.float64 else narrow_gate
        gate = form(energy, mean, deviation, sharpness, threshold, dtype=dtype)
        if self.mixture is not None:
            share = torch.softmax(self.mixture, -1, dtype=dtype)
            gate = (gate.unflatten(-3, self.mixture.shape) * share[..., None, None]).sum(-3)
        return gate.tril() if self.statistics == "causal" else gate  # what is not seen leaves no trace, were it NaN

    def energies(self, x: Tensor) -> Tensor:
        """e = u·x + c of every head and token, ``(*b, H·P, T)``, in float64, which autocast leaves alone."""
        weight, bias = self.weight.to(torch.float64).reshape(-1, self.d_model), self.bias.to(torch.float64).flatten()
        return functional.linear(x.to(torch.float64), weight, bias).movedim(-1, -2)

    def _check(self, x: Tensor, weights: Tensor) -> None:
        for name, value in (("x", x), ("weights", weights)):
            F.check_tensor(name, value)
            F.check_dtype(name, value.dtype)
        if x.dim() < 2 or x.shape[-1] != self.d_model:
            raise ValueError(f"x: got shape {tuple(x.shape)}, expected (*b, T, {self.d_model})")
        expected = (*x.shape[:-2], self.n_heads, x.shape[-2], x.shape[-2])
        if tuple(weights.shape) != expected:
            raise ValueError(f"weights: got shape {tuple(weights.shape)}, expected {expected} for x of shape {tuple(x.shape)}")

    def extra_repr(self) -> str:
        return f"{self.d_model}, {self.n_heads}, statistics={self.statistics!r}, projections={self.projections}"


def narrow_gate(
    energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, *, dtype: torch.dtype
) -> Tensor:
    r"""The gates of :func:`mope_impl.functional.energy_gate`, where what there is T² of is formed in a narrower dtype.

    .. math:: g_{jk} = \varsigma(a_j (o_k - c_j)), \qquad o_k = e_k - e_0, \quad
        c_j = \mu_j - e_0 + \tau\,\max(s_j, 10^{-8}), \quad a_j = \alpha / \max(s_j, 10^{-8})

    o, a and ac are formed in float64 and rounded, and the exponent a o − a c is a product of matrices, (T, 2) times (2, T), so
    that a compiler forms nothing else T² times. Of n energies of deviation s none is farther than s√(n − 1) from the mean, so
    that |ao| ≤ 2|α|√n and |ac| ≤ |α|(√n + |τ|): four roundings of the first, two of the second, each of a unit u = 2⁻²⁴ in
    float32, let the exponent be off by |α|(10√n + 2|τ|)u, and the gate by a quarter of that and 2u. In float64 this pass takes
    as long as all the rest of a layer.
    """
    first = energy[..., :1].detach().sum(-1, keepdim=True)  # 0 where there is no token
    wide = torch.where(deviation <= F.SMALLEST, F.SMALLEST, deviation)
    offset = (energy - first).to(dtype)
    slope = sharpness.to(torch.float64)[:, None] / wide
    middle = mean - first + threshold.to(torch.float64)[:, None] * wide
    rows = torch.stack((slope, -slope * middle), -1).to(dtype)
    with F.without_autocast(energy.device):
        return torch.sigmoid(rows @ torch.stack((offset, torch.ones_like(offset)), -2))


def of_all(energy: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and population deviation of all energies (*b, H, T), (*b, H, 1) each."""
    mean = energy.mean(-1, keepdim=True)
    return mean, _root((energy - mean).square().mean(-1, keepdim=True))


def up_to_each(energy: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and population deviation of the energies (*b, H, T) up to each, (*b, H, T) each.

    The variance is that of the differences d from the first energy, E d² − (E d)². As the first is among them, with d = 0, its
    standard score is at most √(n − 1) in size: (E d)² ≤ (n − 1) · variance, so that the difference loses a factor n and no more.
    """
    first = energy[..., :1].detach()  # any constant would do, so that it has no gradient
    offset, count = energy - first, torch.arange(1, energy.shape[-1] + 1, device=energy.device)
    mean = offset.cumsum(-1) / count
    return first + mean, _root(offset.square().cumsum(-1) / count - mean.square())


def _root(variance: Tensor) -> Tensor:
    """The deviation; where all energies are equal it is 0, with gradient 0."""
    spread = variance > 0
    return torch.where(spread, torch.where(spread, variance, 1.0).sqrt(), 0.0)
