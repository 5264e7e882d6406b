"""A GPT that reads from top to bottom: embeddings, blocks of attention and feed-forward, the output layer tied to the input."""
from __future__ import annotations

import math
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from mope_impl import functional as F

from .alibi import ALiBi
from .attention import Places, SelfAttention
from .base import Encoding
from .config import GPTConfig
from .layers import Embedding, Linear
from .learned import LearnedEncoding
from .morlet import MorletEncoding
from .rotary import RotaryEncoding
from .sinusoidal import SinusoidalEncoding


class GPT(nn.Module):
    """A decoder of tokens under any of the encodings and gates of :class:`GPTConfig`.

    Shapes: tokens (B, T), int64, and targets of the same shape if given → logits (B, T, vocabulary), or the mean cross-entropy
    in nats per token, a scalar of float32 or wider. T is at most the context where the encoding is a learned table; the others
    have a value at any position.

    ``encoding`` is the module whose vectors are added to the embeddings, or None; ``rotation`` turns queries and keys of
    all layers alike, or is None; the modules that a layer has for itself are in ``blocks[i].attention``.

    Raises:
        ValueError: for tokens or targets of another dtype or shape, more tokens than a table has rows, and, where they can be
            read without a device sync, symbols outside the vocabulary.

    Source: the reference implementation of the paper, whose sizes the defaults of the configuration are.
    """

    def __init__(self, config: GPTConfig | None = None) -> None:
        super().__init__()
        self.config = config = GPTConfig() if config is None else config
        self.embedding = Embedding(config.vocabulary, config.width)
        self.encoding = additive_encoding(config)
        rotary = config.encoding in ("rotary", "rotary+learned")
        self.rotation = RotaryEncoding(config.head_dim, base=config.base, layout=config.layout) if rotary else None
        self.bias = ALiBi(config.heads) if config.encoding == "alibi" else None
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)

    def reset_parameters(self) -> None:
        """Put every parameter to its initial value.

        Every module that has parameters of its own has a ``reset_parameters()`` that draws them, in one order, from the global
        generator, and no two modules share one. So variants that are to start from the same values where they have the same
        modules seed that generator for each of ``named_modules()`` by its name, and call its ``reset_parameters()``.
        """
        for module in self.modules():
            if module is not self and next(module.parameters(recurse=False), None) is not None:
                cast(Linear, module).reset_parameters()

    def forward(self, tokens: Tensor, targets: Tensor | None = None) -> Tensor:
        x, places = self.embed(tokens)
        for block, place in zip(self.blocks, places, strict=True):
            x = block(x, place)
        logits = functional.linear(self.norm(x), self.embedding.weight)
        if targets is None:
            return logits
        check_symbols("targets", targets)
        if targets.shape != tokens.shape:
            raise ValueError(f"targets: got shape {tuple(targets.shape)}, expected {tuple(tokens.shape)} as tokens has")
        wide = logits.to(torch.promote_types(logits.dtype, torch.float32))
        return functional.cross_entropy(wide.flatten(0, 1), targets.flatten())

    def embed(self, tokens: Tensor) -> tuple[Tensor, list[Places]]:
        """What goes into the first block, (B, T, width), and what each layer knows of positions."""
        check_symbols("tokens", tokens)
        length = tokens.shape[1]
        if isinstance(self.encoding, LearnedEncoding) and length > self.config.context:
            raise ValueError(f"tokens: got {length} of them, expected at most {self.config.context}, the rows of its table")
        positions = torch.arange(length, device=tokens.device)
        try:
            x = self.embedding(tokens)
        except IndexError:
            raise ValueError(f"tokens: got a symbol outside 0 … {self.config.vocabulary - 1}, the vocabulary") from None
        if self.encoding is not None:
            x = x + self.encoding(positions)
        bias = None if self.bias is None else self.bias(positions, dtype=self._wide)
        return self.dropout(x), [Places(table, bias) for table in self._tables(positions)]

    def _tables(self, positions: Tensor) -> list[Tensor | None]:
        """Factors for the queries and keys of each layer; formed for all of them together, in one pass of T numbers."""
        if self.rotation is not None:
            return [self.rotation.table(positions, dtype=self._wide)] * self.config.layers
        rotations = [rotation for rotation in (layer.rotation for layer in self.attentions) if rotation is not None]
        if not rotations:
            return [None] * self.config.layers
        omega = torch.stack([rotation.frequencies(positions.device) for rotation in rotations])
        sigma = torch.stack([rotation.widths() for rotation in rotations])
        return list(F.rotary_table(positions, omega, sigma, dtype=self._wide).unbind(0))

    @property
    def _wide(self) -> torch.dtype:
        """The dtype of tables and biases."""
        return torch.promote_types(self.embedding.weight.dtype, torch.float32)

    @property
    def attentions(self) -> list[SelfAttention]:
        """The attention of each layer."""
        return [cast(Block, block).attention for block in self.blocks]

    @torch.no_grad()
    def attention_weights(self, tokens: Tensor) -> list[Tensor]:
        """The weights of attention of each layer, (B, H, T, T) each, rows of queries, columns of keys, under the gate if any."""
        x, places = self.embed(tokens)
        found = []
        for block, place in zip(self.blocks, places, strict=True):
            layer = cast(Block, block)
            found.append(layer.attention.weights(layer.norm_attention(x), place))
            x = block(x, place)
        return found

    @torch.no_grad()
    def generate(
        self,
        tokens: Tensor,
        number: int,
        *,
        temperature: float = 1.0,
        top_k: int | None = None,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        """Continue each row of tokens (B, T), T ≥ 1, by a number of tokens, of which each sees ``context`` ones at most.

        Args:
            temperature: what logits are divided by; 0 takes the most likely symbol each time.
            top_k: how many of the most likely symbols are drawn from; None for all.
            generator: of the draws; None for the global one.

        Returns:
            (B, T + number), int64. Dropout is off while it runs.
        """
        check_symbols("tokens", tokens)
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ValueError(f"number: got {number!r}, expected an integer ≥ 0")
        if not 0 <= temperature < math.inf:
            raise ValueError(f"temperature: got {temperature!r}, expected a number ≥ 0")
        if top_k is not None and (isinstance(top_k, bool) or not isinstance(top_k, int) or top_k <= 0):
            raise ValueError(f"top_k: got {top_k!r}, expected a positive integer or None")
        if tokens.shape[1] == 0:
            raise ValueError("tokens: got none, expected one to begin with")
        training = self.training
        self.eval()
        try:
            for _ in range(number):
                logits = self(tokens[:, -self.config.context :])[:, -1].to(torch.float64)
                tokens = torch.cat((tokens, draw(logits, temperature, top_k, generator)), 1)
        finally:
            self.train(training)
        return tokens


class Block(nn.Module):
    """One layer: x + attention(norm x), then x + feed-forward(norm x)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.norm_attention = nn.LayerNorm(config.width)
        self.attention = SelfAttention(config)
        self.norm_feed_forward = nn.LayerNorm(config.width)
        self.feed_forward = FeedForward(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, places: Places) -> Tensor:
        x = x + self.dropout(self.attention(self.norm_attention(x), places))
        return x + self.dropout(self.feed_forward(self.norm_feed_forward(x)))


class FeedForward(nn.Module):
    """Two linear layers with a GELU between, four times as wide inside."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.expand = Linear(width, 4 * width)
        self.contract = Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.contract(functional.gelu(self.expand(x)))


def additive_encoding(config: GPTConfig) -> Encoding | None:
    """The module whose vectors are added to the embeddings, or None."""
    match config.encoding:
        case "learned" | "rotary+learned":
            return LearnedEncoding(config.context, config.width)
        case "sinusoidal":
            return SinusoidalEncoding(config.width, config.base)
        case "morlet":
            return MorletEncoding(
                config.width,
                constraint=config.constraint,
                center=config.center,
                frequencies=config.frequencies,
                product=config.product,
                base=config.base,
            )
    return None


def check_symbols(name: str, value: object) -> None:
    """ValueError unless it is (B, T), int64."""
    if not isinstance(value, Tensor):
        raise ValueError(f"{name}: got {type(value).__name__}, expected a torch.Tensor")
    if value.dtype != torch.int64 or value.dim() != 2:
        raise ValueError(f"{name}: got {value.dtype} of shape {tuple(value.shape)}, expected torch.int64, (batch, tokens)")


def draw(logits: Tensor, temperature: float, top_k: int | None, generator: torch.Generator | None) -> Tensor:
    """One symbol for each row of logits (B, vocabulary), (B, 1)."""
    if temperature == 0:
        return logits.argmax(-1, keepdim=True)
    if top_k is not None and top_k < logits.shape[-1]:
        values, symbols = logits.topk(top_k)
        return symbols.gather(-1, torch.multinomial((values / temperature).softmax(-1), 1, generator=generator))
    return torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator)
