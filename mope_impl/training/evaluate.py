"""The loss on the validation split: exact, and as the published runs estimated it."""
from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import nn

from .data import Corpus
from .distributed import Processes
from .measure.modes import evaluating
from .seeds import seed_of


@dataclass(frozen=True)
class Evaluation:
    """The loss over a whole split, each token predicted once.

    ``per_token`` and ``per_character`` are nats; ``tokens`` are those predicted, ``characters`` those that they stand for.
    """

    total: float
    tokens: int
    characters: int

    @property
    def per_token(self) -> float:
        return self.total / self.tokens

    @property
    def per_character(self) -> float:
        return self.total / self.characters

    @property
    def perplexity(self) -> float:
        """exp of the mean over tokens, per token."""
        return math.exp(self.per_token)


def evaluate(model: nn.Module, corpus: Corpus, context: int, batch: int, processes: Processes) -> Evaluation:
    r"""The loss over the whole validation split in fixed windows that do not overlap, the last and shorter one included.

    .. math:: L = \sum_k n_k \bar\ell_k \Big/ \sum_k n_k

    over batches of n tokens with mean loss ℓ̄: weighted by tokens, so that the shorter window counts for what it holds. The sum
    is formed in float64; the processes share the batches. Dropout is off; the arithmetic is that of the parameters.
    """
    total = torch.zeros(2, dtype=torch.float64, device=processes.device)
    with torch.no_grad(), evaluating(model):
        for number, (inputs, targets) in enumerate(corpus.windows(context, batch)):
            if number % processes.world == processes.rank:
                loss = model(inputs.to(processes.device), targets.to(processes.device))
                total += torch.stack([loss.double() * targets.numel(), loss.new_tensor(targets.numel(), dtype=torch.float64)])
    summed, tokens = processes.total(total).tolist()
    return Evaluation(summed, int(tokens), corpus.characters("validation"))


def estimate(
    model: nn.Module, corpus: Corpus, context: int, batch: int, batches: int, seed: int, step: int, processes: Processes
) -> float:
    """The published estimate: the mean of the losses of random batches of the validation split, nats per token.

    The batches are others at each step and for each seed, and the same for each variant. Each process takes its share of them.
    """
    total = torch.zeros((), dtype=torch.float64, device=processes.device)
    stream = seed_of("estimate", seed, step)
    with torch.no_grad(), evaluating(model):
        for number in range(processes.rank, batches, processes.world):
            inputs, targets = corpus.batch(number, 0, batch, context, stream, split="validation")
            total += model(inputs.to(processes.device), targets.to(processes.device)).double()
    return float(processes.total(total)) / batches
