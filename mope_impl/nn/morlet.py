r"""The Morlet encoding as a module: ω, σ and, if asked for, the centre are learned.

How well ω itself is known. The parameters are float32 (float64 under ``dtype=torch.float64``), and ω = exp(log ω) is formed
from them in float64. The stored log ω differs from a wanted one by up to 2⁻²⁴|log ω| + 2⁻¹⁵⁰ from rounding, so that ω has
the relative error 2⁻²⁴|log ω| and the phase ωb the error 2⁻²⁴|ω log ω| |b|: for ω ≤ π, 0.22 rad at b = 2²⁰. That is the
resolution at which ω can be *learned*; for the ω that is stored, the phase is formed in float64 and its error is that of
:func:`mope_impl.functional.morlet_encoding`. Frequencies that are given and not learned are computed in float64:
:class:`mope_impl.nn.SinusoidalEncoding`.
"""
from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from mope_impl import functional as F

from .base import Encoding, check_pairs
from .constraints import CONSTRAINTS, PRODUCT, Constraint, log_spaced
from .frequencies import ladder, positive_number

CENTERS = ("origin", "learned")
FREQUENCIES = ("log-spaced", "geometric")


class MorletEncoding(Encoding):
    r"""Encoding of positions by Morlet wave packets with learned frequencies and widths.

    .. math:: \psi_i(b) = e^{i\omega_i b}\, e^{-(b - c_i)^2 / 2\sigma_i^2}, \qquad i = 0 \dots d/2 - 1

    Args:
        d_model: number of channels d, even; channel 2i holds the real part of pair i, channel 2i + 1 the imaginary part.
        constraint: how ω and σ follow from the parameters (``mope_impl.nn.constraints``):
            ``"reference"``: log ω and log σ; ω ≤ 0.95π and σ ≥ 10⁻³ are enforced, then ω is raised to 5/σ where ωσ < 5.
            ``"free"``: log ω and log σ, with no constraint.
            ``"bounded"``: a smooth bijection onto 0 < ω < 0.95π, ωσ > 5.
        center: ``"origin"`` for c = 0, ``"learned"`` for a parameter that starts there.
        frequencies: where ω starts: ``"log-spaced"`` from 1 to 0.99π as published (0.94π under ``"bounded"``), ``"geometric"``
            on the ladder base^(−2i/d) of the sinusoidal table.
        product: where ωσ starts, for every pair. It is 5 as published, on the constraint; ``"bounded"``, which has
            no value there, starts at 5.25 instead, and is refused a product below 5.
        base: of the ladder.
        device, dtype: of the parameters and of the result; parameters are never narrower than float32.

    Shapes: positions of any shape, (T,) or (B, T) as a rule, integer or float, up to 2⁵³ in absolute value →
    ``(*positions.shape, d)``.

    Where it starts. The default follows the published code, and sees a few tokens far. ω runs from 1 to 0.99π with ωσ = 5, so
    that the widths lie between 1.6 and 5 tokens: from 27 tokens off the centre every channel is below 10⁻⁶. And it starts on
    the tie of its constraint: the parameters are rounded to float32, so that about half of the products lie below 5, where ω
    is 5/σ and the gradient of log ω exactly 0; those pairs move by σ alone until ωσ exceeds 5. ``"bounded"`` starts just
    inside (ωσ = 5.25), as short, and every gradient passes: take it to learn under the constraint. ``"free"`` starts at the
    same pairs as the default; take it for long ranges, and set the widths first: for 300 tokens by
    ``encoding.log_sigma.data.fill_(math.log(300))``, and the frequencies likewise through ``log_omega.data``.

    A state dict says under which constraint it was saved, and is refused by a module with another.

    An interior start, ``product=10.0`` say, lies inside the constraint, where both have their gradients.

    Parameters are finite. σ = ∞ is legal as an input of ``F.morlet_encoding``, where its gradient is 0, but not through a
    parameter: with log σ = ∞ the values are right, while the gradient of log σ is σ ∂L/∂σ = ∞·0 = NaN, and one step of an
    optimiser with it spoils σ for good. For pairs that are to stay sinusoids, keep σ = ∞ in a buffer and call the function.

    Raises:
        ValueError: for an odd or non-positive ``d_model`` or an unknown option, and as ``F.morlet_encoding`` does.

    Source: definition of the encoding (claim ``kernel.product``); the reference constraint is that of the paper's code.
    """

    no_decay: ClassVar[frozenset[str]] = frozenset(
        {"log_omega", "log_sigma", "logit_omega", "raw_product", "center"}
    )
    settings: ClassVar[tuple[str, ...]] = ("constraint",)

    def __init__(
        self,
        d_model: int,
        *,
        constraint: str = "reference",
        center: str = "origin",
        frequencies: str = "log-spaced",
        product: float = PRODUCT,
        base: float = 10000.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(dtype)
        pairs = check_pairs(d_model)
        if constraint not in CONSTRAINTS:
            raise ValueError(f"constraint: got {constraint!r}, expected one of {', '.join(map(repr, CONSTRAINTS))}")
        if center not in CENTERS:
            raise ValueError(f"center: got {center!r}, expected one of {', '.join(map(repr, CENTERS))}")
        if frequencies not in FREQUENCIES:
            raise ValueError(f"frequencies: got {frequencies!r}, expected one of {', '.join(map(repr, FREQUENCIES))}")
        self.d_model, self.constraint, self.start = d_model, constraint, frequencies
        self.product, self.base = positive_number("product", product), positive_number("base", base)
        self._rule: Constraint = CONSTRAINTS[constraint]
        if self.product < self._rule.smallest:
            smallest = f"{self._rule.smallest:g} or more under constraint={constraint!r}"
            raise ValueError(f"product: got {self.product:g}, expected {smallest}")
        for name in self._rule.names:
            self.register_parameter(name, self._parameter(pairs, device=device, dtype=self.dtype))
        self.center: nn.Parameter | None
        learned = center == "learned"
        self.register_parameter("center", self._parameter(pairs, device=device, dtype=self.dtype) if learned else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        with torch.no_grad():
            pairs = self.d_model // 2
            ladder_ = self.start == "geometric"
            log_omega = ladder(self.base, self.d_model, "cpu").log() if ladder_ else log_spaced(pairs, self._rule.last)
            initial = self._rule.initial(log_omega, self.product)
            for name, value in zip(self._rule.names, initial, strict=True):
                getattr(self, name).copy_(value)
            if self.center is not None:
                self.center.zero_()

    def frequencies_and_widths(self) -> tuple[Tensor, Tensor]:
        """ω in radians per token and σ in tokens as the encoding uses them, (d/2,) each, float64, differentiable."""
        first, second = (getattr(self, name).to(torch.float64) for name in self._rule.names)
        return self._rule.apply(first, second)

    def forward(self, positions: Tensor) -> Tensor:
        omega, sigma = self.frequencies_and_widths()
        return F.morlet_encoding(positions, omega, sigma, self.center, dtype=self.dtype)

    def extra_repr(self) -> str:
        center = "origin" if self.center is None else "learned"
        start = f"frequencies={self.start!r}, product={self.product:g}"
        return f"{self.d_model}, constraint={self.constraint!r}, center={center!r}, {start}, dtype={self.dtype}"
