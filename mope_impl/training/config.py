"""The configuration of a run: typed, validated, read from TOML and from the command line, and known by a hash.

Two runs of one hash are the same run: the hash is taken over every setting and over RECIPE, the version of the arithmetic.
"""
from __future__ import annotations

import hashlib
import json
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from mope_impl.nn import GPTConfig

from .data import DataConfig
from .errors import ConfigError
from .fields import build, plain, unknown

RECIPE = 1
"""Raised by hand whenever training would give other numbers for the same configuration; a test with golden losses says when."""

PRECISIONS = ("float32", "bfloat16", "float16", "float64")
DERIVED = {"model.vocabulary": "the data"}


def _require(holds: bool, name: str, value: Any, expected: str) -> None:
    if not holds:
        raise ConfigError(f"{name}: got {value!r}, expected {expected}")


@dataclass(frozen=True)
class OptimizerConfig:
    """AdamW, linear warm-up from 0, cosine to the final rate, clipping of the norm of the whole gradient."""

    rate: float = 3e-4
    """Largest learning rate, reached at the end of the warm-up."""
    final_rate: float = 0.0
    """Learning rate that the cosine reaches after the last step."""
    warmup: int = 300
    """Steps of the warm-up."""
    beta1: float = 0.9
    beta2: float = 0.95
    weight_decay: float = 0.1
    decay_all: bool = False
    """Let every parameter decay, frequencies and widths too, as the published code does; else those are left alone, by name."""
    clip: float = 1.0
    """Largest norm of the gradient; 0 leaves it as it is."""

    def __post_init__(self) -> None:
        for name in ("rate", "final_rate", "weight_decay", "clip"):
            value = getattr(self, name)
            _require(0 <= value < math.inf, f"optimizer.{name}", value, "a finite number ≥ 0")
        _require(self.warmup >= 0, "optimizer.warmup", self.warmup, "a number of steps ≥ 0")
        for name in ("beta1", "beta2"):
            value = getattr(self, name)
            _require(0 <= value < 1, f"optimizer.{name}", value, "a number in [0, 1)")


@dataclass(frozen=True)
class TrainingConfig:
    """How long, in what portions and in what arithmetic a model is trained."""

    steps: int = 5000
    """Steps of the optimiser."""
    batch: int = 64
    """Sequences in a step, over all its parts and all processes."""
    accumulate: int = 1
    """Parts that the batch is worked through in, to save memory."""
    precision: Literal["float32", "bfloat16", "float16", "float64"] = "float32"
    """Parameters are float32 (float64 under "float64"); the two narrow ones are those of autocast."""
    compile: bool = False
    """Compile the training step."""
    seed: int = 1
    """Decides initial values, the order of the data and dropout."""
    evaluate_every: int = 500
    """Steps between evaluations; there is one before the first and one after the last step, too."""
    estimate_batches: int = 50
    """Random batches of the published estimate of the validation loss."""
    checkpoint_every: int = 500
    """Steps between checkpoints; there is one after the last step, too."""
    device: str = "auto"
    """"auto" is the GPU where there is one; else the name of a device as torch has it."""
    deterministic: bool = False
    """On a GPU, only algorithms that give the same bits every time; on the CPU they always do."""

    def __post_init__(self) -> None:
        for name in ("steps", "batch", "accumulate", "evaluate_every", "checkpoint_every", "estimate_batches"):
            value = getattr(self, name)
            _require(value >= 1, f"training.{name}", value, "an integer ≥ 1")
        _require(self.batch <= 2**31, "training.batch", self.batch, "at most 2³¹ sequences")
        _require(0 <= self.seed < 2**63, "training.seed", self.seed, "an integer from 0 to 2⁶³ − 1")
        _require(self.precision in PRECISIONS, "training.precision", self.precision, f"one of {', '.join(PRECISIONS)}")
        if self.batch % self.accumulate:
            raise ConfigError(f"training.accumulate: got {self.accumulate}, which does not divide training.batch = {self.batch}")


@dataclass(frozen=True)
class Config:
    """All that decides a run."""

    model: GPTConfig = field(default_factory=GPTConfig)
    data: DataConfig = field(default_factory=DataConfig)
    optimizer: OptimizerConfig = field(default_factory=OptimizerConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Config:
        """The configuration of a mapping of sections to keys to values. Raises ConfigError, one line that names each fault."""
        return build(cls, data, "", DERIVED)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Plain data; without the size of the vocabulary, which the data decide."""
        sections: dict[str, dict[str, Any]] = plain(self)
        for name in DERIVED:
            section, _, key = name.partition(".")
            del sections[section][key]
        return sections

    def digest(self) -> str:
        """SHA-256 of RECIPE and the configuration as JSON with sorted keys, without blanks, in ASCII; 64 hexadecimal digits."""
        document = {"recipe": RECIPE, "config": self.to_dict()}
        return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()

    def to_toml(self) -> str:
        """The text of a file that :func:`read` reads back as this configuration."""
        lines: list[str] = []
        for section, keys in self.to_dict().items():
            lines += [f"[{section}]", *(f"{key} = {_toml(value)}" for key, value in keys.items() if value is not None), ""]
        return "\n".join(lines)

    def with_vocabulary(self, size: int) -> Config:
        """The same configuration with the vocabulary of the data."""
        return replace(self, model=replace(self.model, vocabulary=size))


def read(path: Path | None = None, overrides: Iterable[str] = (), base: Mapping[str, Any] | None = None) -> Config:
    """The configuration of a TOML file, with ``section.key=value`` put over it.

    What neither gives is that of ``base``, a mapping as :meth:`Config.to_dict` returns it, or the default.

    Raises:
        ConfigError: for a file that cannot be read or is no TOML, and as :meth:`Config.from_dict` does.
    """
    data: dict[str, Any] = {section: dict(keys) for section, keys in (base or {}).items()}
    for section, keys in (_document(path) if path is not None else {}).items():
        data[section] = {**data.get(section, {}), **keys} if isinstance(keys, dict) else keys
    for text in overrides:
        section, key, value = _override(text)
        data.setdefault(section, {})
        if not isinstance(data[section], dict):
            raise ConfigError(f"{section}: got {data[section]!r}, expected a table of keys")
        data[section][key] = value
    return Config.from_dict(data)


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as fault:
        raise ConfigError(f"cannot read {path}: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8, expected a TOML file") from None
    except tomllib.TOMLDecodeError as fault:
        raise ConfigError(f"{path}: is no TOML: {fault}") from None


def _override(text: str) -> tuple[str, str, Any]:
    """Section, key and value of ``section.key=value``; the value is read as TOML, and a text needs no quotes."""
    name, equals, value = text.partition("=")
    section, dot, key = (part.strip() for part in name.partition("."))
    if not (equals and dot and section and key):
        raise ConfigError(f"got {text!r}, expected SECTION.KEY=VALUE, such as training.steps=500")
    sections = get_type_hints(Config)
    if section not in sections:
        raise ConfigError(unknown("section", section, sections))
    hint = get_type_hints(sections[section]).get(key)
    try:
        found = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        found = value.strip()
    # A text may look like a number or a date, as the name of a file does.
    return section, key, value.strip() if str in (hint, *get_args(hint)) and not isinstance(found, str) else found


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON escapes all that TOML wants escaped, but the last control character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value)
