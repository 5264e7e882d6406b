"""Evaluation: every token of the split once, weighted by tokens, against NumPy in float64."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from mope_impl.training import load
from mope_impl.training.distributed import Processes
from mope_impl.training.evaluate import Evaluation, estimate, evaluate
from mope_impl.training.seeds import seed_of
from tests.mope_impl.training.tiny import tiny

ALONE = Processes(0, 1, torch.device("cpu"))
CONTEXT, BATCH = 8, 4


class Bigram(nn.Module):
    """Logits that the last token decides."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(size, size, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) * 3)

    def forward(self, tokens: Tensor, targets: Tensor) -> Tensor:
        return functional.cross_entropy(self.table[tokens].flatten(0, 1), targets.flatten())


@pytest.fixture(scope="module")
def corpus():
    found = load(tiny(data={"size": 613}).data)
    assert (len(found.validation) - 1) % CONTEXT not in (0, CONTEXT - 1), "the last window must be a part of one"
    return found


def losses(model: Bigram, tokens: np.ndarray, targets: np.ndarray) -> np.ndarray:
    table = model.table.detach().numpy()
    rows = table[tokens]
    return np.log(np.exp(rows - rows.max(-1, keepdims=True)).sum(-1)) + rows.max(-1) - table[tokens, targets]


def bound(model: Bigram, count: int) -> float:
    """Of a mean of ``count`` losses in float64: each is formed by 8 + 4 roundings of numbers up to twice the largest logit M, the
    sum of the exponentials and ln 8 included; adding them up in any order costs count − 1 roundings of partial sums."""
    largest = 2 * float(model.table.detach().abs().max()) + np.log(8)
    return 2 * (12 + count) * 2.0**-53 * largest


def test_every_token_counts_once_the_last_partial_window_included(corpus):
    model, tokens = Bigram(8), corpus.validation.numpy()
    found = evaluate(model, corpus, CONTEXT, BATCH, ALONE)
    expected = losses(model, tokens[:-1], tokens[1:])
    assert found.tokens == len(tokens) - 1
    assert found.characters == len(tokens) - 1
    assert abs(found.per_token - expected.mean()) <= bound(model, len(expected))
    assert found.perplexity == pytest.approx(np.exp(expected.mean()), rel=2 * bound(model, len(expected)))


def test_a_mean_of_the_means_of_batches_is_another_number(corpus):
    """The fault that the weights prevent is far above the bound."""
    model, tokens = Bigram(8), corpus.validation.numpy()
    with torch.no_grad():
        means = [float(model(*pair)) for pair in corpus.windows(CONTEXT, BATCH)]
    exact = losses(model, tokens[:-1], tokens[1:]).mean()
    assert abs(np.mean(means) - exact) > 1e6 * bound(model, len(tokens))


def test_it_does_not_depend_on_the_batch(corpus):
    model = Bigram(8)
    one, other = (evaluate(model, corpus, CONTEXT, batch, ALONE) for batch in (1, 64))
    assert abs(one.per_token - other.per_token) <= bound(model, one.tokens)


def test_per_character_counts_what_the_tokens_stand_for():
    found = Evaluation(total=10.0, tokens=4, characters=8)
    assert (found.per_token, found.per_character) == (2.5, 1.25)
    assert found.perplexity == np.exp(2.5)


def test_the_estimate_is_the_mean_over_random_batches_of_the_step(corpus):
    model = Bigram(8)
    found = estimate(model, corpus, CONTEXT, BATCH, 5, 3, 40, ALONE)
    stream = seed_of("estimate", 3, 40)
    batches = [corpus.batch(k, 0, BATCH, CONTEXT, stream, split="validation") for k in range(5)]
    expected = [losses(model, *(one.numpy() for one in batch)) for batch in batches]
    assert abs(found - np.mean(expected)) <= bound(model, 5 * BATCH * CONTEXT)
    assert found != estimate(model, corpus, CONTEXT, BATCH, 5, 3, 41, ALONE)
    assert found != estimate(model, corpus, CONTEXT, BATCH, 5, 4, 40, ALONE)


def test_dropout_is_off_and_the_mode_comes_back(corpus):
    modes = []

    class Watching(Bigram):
        def forward(self, tokens: Tensor, targets: Tensor) -> Tensor:
            modes.append((self.training, torch.is_grad_enabled()))
            return super().forward(tokens, targets)

    model = Watching(8)
    evaluate(model, corpus, CONTEXT, BATCH, ALONE)
    estimate(model, corpus, CONTEXT, BATCH, 2, 1, 0, ALONE)
    assert set(modes) == {(False, False)}
    assert model.training
