"""What is timed: our rotary encodings and those of other packages, each as a function of q and k with everything else in place.

Tables are made beforehand where a package has them made beforehand; what it forms in each call, it forms in each call.
"""
from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor

from mope_impl import functional as F

Pair = tuple[Tensor, Tensor]
Turn = Callable[[Tensor, Tensor], Pair]
BASE = 10000.0


class Missing(Exception):
    """A package that is not there, or does not import; the message says so."""


@dataclass(frozen=True)
class Setting:
    """Sizes of q and k, (batch, heads, tokens, channels) each, their dtype and device."""

    batch: int
    heads: int
    tokens: int
    channels: int
    dtype: torch.dtype
    device: str

    @property
    def positions(self) -> Tensor:
        return torch.arange(self.tokens, device=self.device)

    @property
    def omega(self) -> Tensor:
        """Frequencies, (channels/2,), float32 as the other packages have them."""
        return BASE ** (-torch.arange(0, self.channels, 2, device=self.device).float() / self.channels)

    @property
    def sigma(self) -> Tensor:
        """Widths, half a sequence each."""
        return torch.full((self.channels // 2,), self.tokens / 2, device=self.device)

    def drawn(self, seed: int) -> Tensor:
        """Contents of q, k or a gradient."""
        shape = (self.batch, self.heads, self.tokens, self.channels)
        return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(self.device, self.dtype)


@dataclass(frozen=True)
class Built:
    """A function of q and k, and the parameters that it has gradients for besides."""

    turn: Turn
    learned: tuple[Tensor, ...] = ()


@dataclass(frozen=True)
class Contender:
    """``build`` raises :class:`Missing` where a package is not there. ``device``: the one that it runs on, if not on all."""

    name: str
    build: Callable[[Setting], Built]
    layout: Literal["half", "interleaved"]
    ours: bool = False
    kind: Literal["rotary", "morlet", "learned", "call"] = "rotary"
    """rotary: by factors that are given; morlet: the same under an envelope; learned: factors of parameters, with their
    gradients; call: a rotation whose factors are formed in each call."""
    device: str | None = None
    packages: tuple[str, ...] = field(default=())


def _tabled(layout: str, damped: bool) -> Callable[[Setting], Built]:
    def build(at: Setting) -> Built:
        dtype = torch.promote_types(at.dtype, torch.float32)
        table = F.rotary_table(at.positions, at.omega, at.sigma if damped else None, dtype=dtype)
        return Built(lambda q, k: (F.rotate(q, table, layout=layout), F.rotate(k, table, layout=layout)))

    return build


def _called(at: Setting) -> Built:
    positions, omega = at.positions, at.omega
    return Built(lambda q, k: F.rotary(q, k, positions, omega))


def _learned(at: Setting) -> Built:
    positions, omega, sigma = at.positions, at.omega.requires_grad_(), at.sigma.requires_grad_()
    return Built(lambda q, k: F.morlet_rotary(q, k, positions, omega, sigma), (omega, sigma))


@contextmanager
def _imports(package: str) -> Iterator[None]:
    """What goes wrong inside is that a package is missing: they raise anything while they are imported."""
    try:
        yield
    except Exception as fault:
        raise Missing(f"{package}: {' '.join(str(fault).split())}") from fault


def _rotary_embedding_torch(at: Setting) -> Built:
    with _imports("rotary-embedding-torch"):
        from rotary_embedding_torch import RotaryEmbedding
    peer = RotaryEmbedding(dim=at.channels).to(at.device)
    return Built(lambda q, k: (peer.rotate_queries_or_keys(q), peer.rotate_queries_or_keys(k)))


def _transformers(at: Setting) -> Built:
    with _imports("transformers"):
        from transformers import LlamaConfig
        from transformers.models.llama import modeling_llama as llama
    config = LlamaConfig(
        hidden_size=at.heads * at.channels, num_attention_heads=at.heads, head_dim=at.channels, max_position_embeddings=at.tokens
    )
    peer = llama.LlamaRotaryEmbedding(config).to(at.device)
    cos, sin = peer(at.drawn(0)[:1], at.positions[None])
    return Built(lambda q, k: llama.apply_rotary_pos_emb(q, k, cos, sin))


def _x_transformers(at: Setting) -> Built:
    with _imports("x-transformers"):
        from x_transformers import x_transformers as package
    peer = package.RotaryEmbedding(at.channels).to(at.device)
    freqs, scale = peer.forward_from_seq_len(at.tokens)
    return Built(lambda q, k: (package.apply_rotary_pos_emb(q, freqs, scale), package.apply_rotary_pos_emb(k, freqs, scale)))


def _torchtune(at: Setting) -> Built:
    peer = _torchtune_file().RotaryPositionalEmbeddings(at.channels, max_seq_len=at.tokens).to(at.device)
    return Built(lambda q, k: tuple(peer(x.transpose(1, 2)).transpose(1, 2) for x in (q, k)))


def _torchtune_file() -> Any:
    """Its file of position embeddings alone: the package does not import beside every release of what it builds on."""
    found = importlib.util.find_spec("torchtune")
    places = [] if found is None else [Path(one) for one in found.submodule_search_locations or ()]
    for place in places:
        spec = importlib.util.spec_from_file_location("torchtune_positions", place / "modules" / "position_embeddings.py")
        if spec is not None and spec.loader is not None and Path(str(spec.origin)).is_file():
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
            return module
    raise Missing("torchtune: No module named 'torchtune'")


def _cos_and_sin(at: Setting, repeats: int) -> Pair:
    angles = at.positions[:, None].double() * at.omega.double()
    angles = torch.cat([angles] * repeats, -1)
    return angles.cos().to(at.dtype), angles.sin().to(at.dtype)


def _liger(at: Setting) -> Built:
    with _imports("liger-kernel"):
        from liger_kernel.transformers import rope as package
    cos, sin = (x[None] for x in _cos_and_sin(at, 2))
    return Built(lambda q, k: package.liger_rotary_pos_emb(q, k, cos, sin))


def _flash_attention(at: Setting) -> Built:
    with _imports("flash-attn"):
        from flash_attn.layers import rotary as package
    cos, sin = _cos_and_sin(at, 1)

    def turn(q: Tensor, k: Tensor) -> Pair:
        first, second = (package.apply_rotary_emb(x.transpose(1, 2), cos, sin).transpose(1, 2) for x in (q, k))
        return first, second

    return Built(turn)


CONTENDERS = (
    Contender("rotary", _tabled("half", False), "half", True),
    Contender("rotary, interleaved", _tabled("interleaved", False), "interleaved", True),
    Contender("morlet_rotary", _tabled("half", True), "half", True, "morlet"),
    Contender("morlet_rotary, interleaved", _tabled("interleaved", True), "interleaved", True, "morlet"),
    Contender("learned ω and σ", _learned, "half", True, "learned"),
    Contender("rotary, no table", _called, "half", True, "call"),
    Contender("rotary-embedding-torch", _rotary_embedding_torch, "interleaved", packages=("rotary-embedding-torch",)),
    Contender("transformers", _transformers, "half", packages=("transformers",)),
    Contender("x-transformers", _x_transformers, "interleaved", packages=("x-transformers",)),
    Contender("torchtune", _torchtune, "interleaved", packages=("torchtune",)),
    Contender("Liger", _liger, "half", device="cuda", packages=("liger-kernel", "triton")),
    Contender("flash-attn", _flash_attention, "half", device="cuda", packages=("flash-attn", "triton")),
)
PACKAGES = tuple(dict.fromkeys(("torch", "numpy", *(name for one in CONTENDERS for name in one.packages))))


def exact(contender: Contender, at: Setting, x: Tensor) -> Tensor:
    """What the contender should make of x, in float64."""
    damped = contender.kind in ("morlet", "learned")
    table = F.rotary_table(at.positions, at.omega, at.sigma if damped else None, dtype=torch.float64)
    return F.rotate(x.double(), table, layout=contender.layout)


def allowed(contender: Contender, at: Setting, x: Tensor) -> Tensor:
    r"""How far from that a float32 rotation with tables in the dtype of x may be, for each channel.

    With u = 2⁻²⁴ the frequencies of two packages differ by 4u|ω| where one takes a power and the other a quotient of it, an angle
    is rounded by u of itself, a cosine by u, two products and their sum by u each: A(5u|θ| + 4u), A = |x₀| + |x₁|. In a narrower
    dtype of unit u′ the table, the products and the sum may be rounded to it: 4u′A more, and 2⁻²⁰ of it all for second order.
    """
    unit, own = 2.0**-24, torch.finfo(x.dtype).eps / 2
    wide = x.double().abs()
    sides = wide.unflatten(-1, (2, -1)).sum(-2) if contender.layout == "half" else wide.unflatten(-1, (-1, 2)).sum(-1)
    angle = at.positions[:, None].double() * at.omega.double()
    bound = sides * (5 * unit * angle + 4 * unit + (4 * own if own > unit else 0.0)) * (1 + 2.0**-20 + 8 * own)
    return torch.cat((bound, bound), -1) if contender.layout == "half" else bound.repeat_interleave(2, -1)


def is_right(contender: Contender, at: Setting, built: Built) -> bool:
    """Whether it computes what it should, so that no one is timed for something else."""
    q, k = at.drawn(1), at.drawn(2)
    with torch.no_grad():
        found = built.turn(q, k)
    pairs = zip((at.drawn(1), at.drawn(2)), found, strict=True)  # drawn again: a contender may write what it is given
    return all(
        y.dtype == x.dtype and bool(((y.double() - exact(contender, at, x)).abs() <= allowed(contender, at, x)).all())
        for x, y in pairs
    )
