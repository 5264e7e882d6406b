"""A corpus: the tokens of a text in two splits, the batches of training and the windows of evaluation."""
from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .config import CHARACTERS, SYNTHETIC, TINY_SHAKESPEARE, DataConfig, DataError
from .files import cache_folder, read_text, tiny_shakespeare
from .synthetic import ALPHABET, CopySource
from .vocabulary import ByteVocabulary, CharacterVocabulary, Vocabulary

SPLITS = ("train", "validation")


@dataclass(frozen=True)
class Corpus:
    """The tokens of a text; ``load`` makes it.

    ``train`` and ``validation`` are (N,), int64, on the CPU. ``sha256`` is that of the whole text in UTF-8.
    """

    config: DataConfig
    name: str
    """The source as a message names it."""
    train: Tensor = field(repr=False)
    validation: Tensor = field(repr=False)
    vocabulary: Vocabulary = field(repr=False)
    sha256: str
    text: tuple[str, str] = field(repr=False)
    """The text of the two splits."""

    def split(self, name: str) -> Tensor:
        """The tokens of a split, "train" or "validation"."""
        if name not in SPLITS:
            raise DataError(f"split: got {name!r}, expected train or validation")
        return self.train if name == "train" else self.validation

    def batch(
        self, step: int, micro: int, batch: int, context: int, seed: int, rank: int = 0, world: int = 1, *, split: str = "train"
    ) -> tuple[Tensor, Tensor]:
        """Inputs and targets of a micro-batch, each (batch/world, context), int64, contiguous; targets are one token later.

        ``batch`` counts the windows of all ``world`` processes; process ``rank`` gets a block of them. Window r of step s is a
        function of (seed, s, r) alone, and micro-batch ``micro`` holds the windows micro·batch … (micro + 1)·batch − 1: however
        a step is shared among processes and micro-batches, it sees the same windows. Each starts at one of the N − context
        places where it fits; the number of a place is 64 random bits modulo their number, uniform to within (N − context)/2⁶⁴.

        Raises DataError where a window does not fit into the split, ValueError for other arguments out of range.
        """
        if not (0 <= rank < world and batch > 0 and batch % world == 0):
            raise ValueError(f"batch: got {batch} windows for rank {rank} of {world}, expected a multiple of the processes")
        if context < 1 or min(step, micro, seed) < 0:
            raise ValueError(f"got context {context}, step {step}, micro {micro}, seed {seed}, expected context ≥ 1, others ≥ 0")
        tokens = self.split(split)
        places = len(tokens) - context
        if places < 1:
            raise DataError(
                f"{self.name}: the {split} split is too short: {len(tokens)} tokens, a window of {context} takes {context + 1}"
            )
        # The key tells seeds and splits apart, the upper words of the counter steps: no two streams overlap.
        philox = np.random.Philox(key=np.array([seed, SPLITS.index(split)], dtype=np.uint64), counter=[0, step, 0, 0])
        first = micro * batch + rank * (batch // world)
        draws = philox.random_raw(first + batch // world)[first:]
        starts = torch.from_numpy((draws % np.uint64(places)).astype(np.int64))
        windows = tokens[starts[:, None] + torch.arange(context + 1)]
        return windows[:, :-1].contiguous(), windows[:, 1:].contiguous()

    def windows(self, context: int, batch: int = 1, *, split: str = "validation") -> Iterator[tuple[Tensor, Tensor]]:
        """Inputs and targets that predict each token of a split but the first once: fixed windows, none overlapping another.

        Up to ``batch`` windows at a time, (≤ batch, context); what remains at the end comes last and alone, (1, < context).
        Weight by the number of targets. Raises DataError where there is nothing to predict.
        """
        if context < 1 or batch < 1:
            raise ValueError(f"got context {context}, batch {batch}, expected both ≥ 1")
        tokens = self.split(split)
        predicted = len(tokens) - 1
        if predicted < 1:
            raise DataError(f"{self.name}: the {split} split is too short: {len(tokens)} tokens, expected 2 at least")
        return self._windows(tokens, context, batch)

    @staticmethod
    def _windows(tokens: Tensor, context: int, batch: int) -> Iterator[tuple[Tensor, Tensor]]:
        whole = (len(tokens) - 1) // context
        inputs = tokens[: whole * context].view(whole, context)
        targets = tokens[1 : whole * context + 1].view(whole, context)
        for start in range(0, whole, batch):
            yield inputs[start : start + batch], targets[start : start + batch]
        if whole * context < len(tokens) - 1:
            yield tokens[None, whole * context : -1], tokens[None, whole * context + 1 :]

    def characters(self, tokens: Tensor | str) -> int:
        """How many characters begin in these tokens, or in the targets of ``windows`` of the split of this name.

        Nats per character are the sum of the losses of targets, divided by this number.
        """
        if isinstance(tokens, str):
            tokens = self.split(tokens)[1:]
        return int(torch.from_numpy(self.vocabulary.characters)[tokens.cpu()].sum())

    def best_loss(self, split: str = "validation", context: int | None = None) -> float | None:
        """The loss of the best predictor of the synthetic source on a split but its first character, nats per character.

        None for other sources, and for windows of tokens that are no characters. The predictor knows the law and, without
        ``context``, the whole text before each character. No model has a lower expected loss. On this text one may, by luck: a
        model chosen without the split lies more than ln(1/δ)/N below it with probability at most δ, since the ratio of the two
        probabilities of the split has mean at most 1 (Markov's inequality); for N = 10⁵ and δ = 10⁻⁹ that is 0.0002.

        With ``context`` the predictor sees what a model sees in ``windows`` of this many characters, and takes what it does not
        see for fresh symbols: a loss that such a model can reach, and nearly the best one; above the other.
        """
        if self.config.source != SYNTHETIC or (context is not None and self.config.tokens != CHARACTERS):
            return None
        self.split(split)
        number, source = SPLITS.index(split), _source(self.config)
        vocabulary = CharacterVocabulary(ALPHABET[: source.symbols])
        if context is not None:
            losses = source.losses(vocabulary.encode(self.text[number]), context)
        else:  # what comes before a split is known, too
            losses = source.losses(vocabulary.encode("".join(self.text[: number + 1])))[-len(self.text[number]) :]
        return float(losses[1:].mean()) if len(losses) > 1 else None


def load(config: DataConfig, *, cache: Path | None = None) -> Corpus:
    """The corpus of a configuration; ``cache`` is the folder of downloads, by default the user's own.

    The first characters are trained on, the last ⌈validation · n⌉ validate. A vocabulary of characters has those of the whole
    text, in the order of their code points; one of bytes is trained on the training split alone.

    Raises DataError, one line that names the source, where there is no text or it cannot be used.
    """
    name = config.source
    if config.source == SYNTHETIC:
        text = _source(config).text(config.size, config.seed)
    elif config.source == TINY_SHAKESPEARE:
        text = tiny_shakespeare(cache or cache_folder())
    else:
        text = read_text(Path(config.source))
    if not text:
        raise DataError(f"{name}: the text is empty")
    # As a decimal fraction: 0.1 is a tenth, so that ⌊0.9 n⌋ is exact.
    cut = int((1 - Fraction(repr(config.validation))) * len(text))
    parts = text[:cut], text[cut:]
    if not all(parts):
        raise DataError(f"{name}: the text is too short: {len(text)} characters, which leaves a split empty")
    if text.count(text[0]) == len(text):
        raise DataError(f"{name}: the text is {text[0]!r} over and over: there is nothing to learn")
    vocabulary: Vocabulary
    if config.tokens != CHARACTERS:
        vocabulary = ByteVocabulary.trained(parts[0], config.vocabulary)
    elif config.source == SYNTHETIC:
        vocabulary = CharacterVocabulary(ALPHABET[: config.symbols])
    else:
        vocabulary = CharacterVocabulary.of(text)
    train, validation = (torch.from_numpy(vocabulary.encode(part)) for part in parts)
    return Corpus(config, name, train, validation, vocabulary, hashlib.sha256(text.encode()).hexdigest(), parts)


def _source(config: DataConfig) -> CopySource:
    return CopySource(config.length, config.symbols, config.copies)
