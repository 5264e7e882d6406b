"""What a GPT is made of: sizes, encoding of positions, gate. Bad values are refused when it is built."""
from __future__ import annotations

from dataclasses import dataclass

from .constraints import CONSTRAINTS
from .frequencies import positive_number
from .gate import PROJECTIONS, STATISTICS
from .morlet import CENTERS, FREQUENCIES
from .rotary import LAYOUTS

ENCODINGS = (
    "none",
    "learned",
    "sinusoidal",
    "rotary",
    "rotary+learned",
    "morlet",
    "morlet-rotary",
    "morlet-relative",
    "alibi",
)
GATES = ("none", *STATISTICS)
IN_PAIRS = frozenset({"rotary", "rotary+learned", "morlet-rotary", "morlet-relative"})
"""Encodings that turn the channels of a head, which come in pairs."""


@dataclass(frozen=True)
class GPTConfig:
    """The parts of a :class:`mope_impl.nn.GPT`; the defaults are the published baseline, of 4,816,640 parameters.

    Attributes:
        vocabulary: number of symbols.
        context: tokens that the model is trained on at a time, and the rows of a learned table.
        layers, heads, width: sizes; a head has width / heads channels, the feed-forward layer 4·width.
        dropout: of embeddings, of the attended values after their projection, and of the feed-forward layer.
        attention_dropout: of the weights of attention; None for that of the rest.
        encoding: of positions.
            ``"none"``: only the causal mask tells one position from another.
            ``"learned"``, ``"sinusoidal"``, ``"morlet"``: vectors that are added to the embeddings once.
            ``"rotary"``: queries and keys are turned in every layer; ``"rotary+learned"``: and a table is added, as published.
            ``"morlet-rotary"``: turned under Gaussian envelopes about the origin, of learned widths in each layer.
            ``"morlet-relative"``: turned under Gaussian envelopes of the distance, of learned widths in each head and layer.
            ``"alibi"``: a bias that falls with the distance is added to the scores.
        layout, base: of rotary encodings; base is that of the sinusoidal table and of ``frequencies="geometric"``, too.
        constraint, center, frequencies, product: of :class:`mope_impl.nn.MorletEncoding`, for ``encoding="morlet"``.
        sigma: the width in tokens that ``"morlet-rotary"`` and ``"morlet-relative"`` start with.
        gate, projections: ``"none"``, or the statistics and projections of :class:`mope_impl.nn.EnergyGate`.

    Raises:
        ValueError: for what is of the wrong type, out of range, or does not fit together.
    """

    vocabulary: int = 65
    context: int = 256
    layers: int = 6
    heads: int = 8
    width: int = 256
    dropout: float = 0.1
    attention_dropout: float | None = None
    encoding: str = "learned"
    layout: str = "interleaved"
    base: float = 10000.0
    constraint: str = "reference"
    center: str = "origin"
    frequencies: str = "log-spaced"
    product: float = 5.0
    sigma: float = 128.0
    gate: str = "none"
    projections: int = 1

    def __post_init__(self) -> None:
        for name in ("vocabulary", "context", "layers", "heads", "width"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
                raise ValueError(f"{name}: got {value!r}, expected a positive integer")
        for name in ("dropout", "attention_dropout"):
            value = getattr(self, name)
            if name == "attention_dropout" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
                raise ValueError(f"{name}: got {value!r}, expected a number in [0, 1)")
        options = {
            "encoding": ENCODINGS,
            "layout": LAYOUTS,
            "constraint": tuple(CONSTRAINTS),
            "center": CENTERS,
            "frequencies": FREQUENCIES,
            "gate": GATES,
        }
        for name, known in options.items():
            value = getattr(self, name)
            if value not in known:
                raise ValueError(f"{name}: got {value!r}, expected one of {', '.join(map(repr, known))}")
        for name in ("base", "product", "sigma"):
            positive_number(name, getattr(self, name))
        if isinstance(self.projections, bool) or self.projections not in PROJECTIONS:
            expected = ", ".join(map(repr, PROJECTIONS))
            raise ValueError(f"projections: got {self.projections!r}, expected one of {expected}")
        if self.projections != 1 and self.gate == "none":
            raise ValueError(f"projections: got {self.projections}, expected 1 where gate is 'none'")
        self._check_fit()

    def _check_fit(self) -> None:
        if self.width % self.heads:
            raise ValueError(f"heads: got {self.heads}, expected a divisor of the width, {self.width}")
        if self.encoding in IN_PAIRS and self.head_dim % 2:
            raise ValueError(f"heads: got {self.heads}, which leaves {self.head_dim} channels a head, expected an even number")
        if self.encoding in ("sinusoidal", "morlet") and self.width % 2:
            raise ValueError(f"width: got {self.width}, expected an even number for encoding={self.encoding!r}")
        smallest = CONSTRAINTS[self.constraint].smallest
        if self.product < smallest:
            raise ValueError(f"product: got {self.product:g}, expected {smallest:g} or more for constraint={self.constraint!r}")

    @property
    def head_dim(self) -> int:
        """Channels of a head."""
        return self.width // self.heads

    @property
    def weight_dropout(self) -> float:
        """Dropout of the weights of attention."""
        return self.dropout if self.attention_dropout is None else self.attention_dropout
