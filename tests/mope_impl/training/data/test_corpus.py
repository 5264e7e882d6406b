"""A corpus: its splits, the batches of a step whoever computes them, windows that predict each token once."""
from __future__ import annotations

import hashlib
import math
from collections import Counter
from dataclasses import fields

import numpy as np
import pytest
import torch

from mope_impl.training.data import CopySource, Corpus, DataConfig, DataError, load

VERSE = "Wenn die Möwe zum Hafen fliegt, dann wird es bald regnen; doch sie fliegt nur für 🐟.\n" * 60


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "verse.txt"
    path.write_text(VERSE, encoding="utf-8", newline="")
    return path


@pytest.fixture(params=["characters", "bytes"])
def corpus(request, path) -> Corpus:
    return load(DataConfig(source=str(path), tokens=request.param, vocabulary=300))


def numbered(size: int, validation: int = 50, kind: type[Corpus] = Corpus) -> Corpus:
    """A corpus whose tokens are their own places."""
    corpus = load(DataConfig(size=100))
    corpus = kind(**{field.name: getattr(corpus, field.name) for field in fields(Corpus)})
    object.__setattr__(corpus, "train", torch.arange(size))
    object.__setattr__(corpus, "validation", torch.arange(validation))
    return corpus


def test_the_splits_are_the_text(corpus):
    train, validation = (corpus.vocabulary.decode(corpus.split(name)) for name in ("train", "validation"))
    assert train + validation == VERSE
    assert len(train) == len(VERSE) * 9 // 10
    assert corpus.sha256 == hashlib.sha256(VERSE.encode()).hexdigest()
    assert corpus.train.dtype == corpus.validation.dtype == torch.int64


@pytest.mark.parametrize(
    "size, share, cut", [(1_115_394, 0.1, 1_003_854), (10, 0.1, 9), (10, 0.3, 7), (10, 0.7, 3), (1000, 0.001, 999)]
)
def test_the_cut_is_exact(tmp_path, size, share, cut):
    (tmp_path / "text.txt").write_text("ab" * (size // 2))
    assert len(load(DataConfig(source=str(tmp_path / "text.txt"), validation=share)).train) == cut


def test_line_ends_and_marks_are_characters(tmp_path):
    content = "\ufeffone\r\ntwo\rthree\u2028four\n"
    (tmp_path / "text.txt").write_bytes(content.encode())
    corpus = load(DataConfig(source=str(tmp_path / "text.txt")))
    assert "".join(corpus.text) == content


def test_pieces_are_learned_from_the_training_split_alone(tmp_path):
    vocabularies = []
    for end in ("abcabcabc" * 40, "xyzxyzxyz" * 40):
        (tmp_path / "text.txt").write_text("the cat sat on the mat " * 200 + end)
        corpus = load(DataConfig(source=str(tmp_path / "text.txt"), tokens="bytes", vocabulary=280))
        assert corpus.vocabulary.decode(corpus.validation).endswith(end)
        vocabularies.append(corpus.vocabulary.to_json())
    assert vocabularies[0] == vocabularies[1]


def test_targets_follow_their_inputs():
    inputs, targets = numbered(1000).batch(3, 1, 8, 16, seed=5)
    assert inputs.shape == targets.shape == (8, 16)
    assert torch.equal(targets, inputs + 1)
    assert torch.equal(inputs[:, 1:], inputs[:, :-1] + 1)
    assert inputs.is_contiguous()
    assert targets.is_contiguous()
    assert inputs.dtype == targets.dtype == torch.int64


def test_a_batch_is_a_function_of_its_numbers_alone():
    corpus, call = numbered(100_000), {"step": 3, "micro": 1, "batch": 8, "context": 16, "seed": 5}
    first = corpus.batch(**call)[0]
    np.random.seed(0)
    torch.manual_seed(0)
    corpus.batch(4, 0, 8, 16, 5)
    assert torch.equal(corpus.batch(**call)[0], first)
    assert torch.equal(numbered(100_000).batch(**call)[0], first)
    for other in ({"step": 4}, {"micro": 0}, {"seed": 6}):
        assert not torch.equal(corpus.batch(**{**call, **other})[0], first)
    object.__setattr__(corpus, "validation", torch.arange(100_000))
    assert not torch.equal(corpus.batch(**call, split="validation")[0], first)


def test_these_windows_and_no_others():
    """Known numbers: a run names its seed alone, and must see the same windows under any version of NumPy."""
    starts = numbered(100_000).batch(0, 0, 4, 10, seed=1)[0][:, 0].tolist()
    raw = np.random.Philox(key=np.array([1, 0], dtype=np.uint64), counter=[0, 0, 0, 0]).random_raw(4)
    assert starts == [int(one) % 99_990 for one in raw]
    assert starts == [58247, 95865, 15458, 10586]


@pytest.mark.parametrize("world", [1, 2, 3, 6])
@pytest.mark.parametrize("parts", [1, 2, 4])
def test_processes_and_parts_of_a_step_share_its_windows(world, parts):
    corpus, batch = numbered(5000), 24 // parts
    if batch % world:
        with pytest.raises(ValueError, match="a multiple of the processes"):
            corpus.batch(7, 0, batch, 5, 2, 0, world)
        return
    shared = [corpus.batch(7, micro, batch, 5, 2, rank, world)[0] for micro in range(parts) for rank in range(world)]
    assert torch.equal(torch.cat(shared), corpus.batch(7, 0, 24, 5, seed=2)[0])


def test_steps_do_not_repeat_the_windows_of_others():
    corpus = numbered(10**6)
    starts = torch.cat([corpus.batch(step, 0, 32, 4, seed=1)[0][:, 0] for step in range(200)])
    # Of 6400 among a million, 6400²/2·10⁶ = 20.4 pairs coincide on average; overlapping streams would repeat most of them.
    assert len(starts) - len(starts.unique()) < 60


def shares_of_places(corpus: Corpus) -> tuple[float, float]:
    """How far the shares of twenty places are from a twentieth in 64,000 windows, and Hoeffding's bound on that.

    All twenty hold it but with probability 10⁻⁹.
    """
    context, batch, steps = 5, 64, 1000
    counts = Counter(int(s) for step in range(steps) for s in corpus.batch(step, 0, batch, context, seed=1)[0][:, 0])
    bound = math.sqrt(math.log(2 * 20 / 1e-9) / (2 * batch * steps))
    return max(abs(counts[place] / (batch * steps) - 1 / 20) for place in range(20)), bound


def test_every_place_is_reached_equally_often():
    corpus = numbered(25)
    departure, bound = shares_of_places(corpus)
    assert departure < bound < 1 / 40
    lasts = {int(t) for step in range(20) for t in corpus.batch(step, 0, 64, 5, seed=1)[1][:, -1]}
    assert max(lasts) == 24  # the last token is learned, too


class NeverLast(Corpus):
    """A window never starts at the last place where it fits."""

    def batch(self, *arguments, **options):
        short = Corpus(**{field.name: getattr(self, field.name) for field in fields(Corpus)})
        object.__setattr__(short, "train", self.train[:-1])
        return short.batch(*arguments, **options)


class Half(Corpus):
    """The first half of the places comes twice as often."""

    def batch(self, step, *arguments, **options):
        inputs, targets = super().batch(step, *arguments, **options)
        moved = torch.where((inputs[:, :1] >= 10) & (torch.arange(len(inputs))[:, None] % 2 == 0), 10, 0)
        return inputs - moved, targets - moved


@pytest.mark.parametrize("kind", [NeverLast, Half])
def test_a_planted_preference_for_places_is_seen(kind):
    departure, bound = shares_of_places(numbered(25, kind=kind))
    assert departure > bound


def test_one_window_that_just_fits():
    inputs, targets = numbered(6).batch(0, 0, 3, 5, seed=1)
    assert inputs.tolist() == [[0, 1, 2, 3, 4]] * 3
    assert targets[0, -1] == 5
    with pytest.raises(DataError, match="synthetic: the train split is too short: 5 tokens, a window of 5 takes 6"):
        numbered(5).batch(0, 0, 3, 5, seed=1)


@pytest.mark.parametrize(
    "arguments",
    [
        {"batch": 0}, {"batch": 3, "world": 2}, {"rank": 1}, {"rank": -1}, {"context": 0}, {"step": -1}, {"micro": -1},
        {"seed": -1}, {"split": "test"},
    ],
)  # fmt: skip
def test_arguments_out_of_range_are_refused(arguments):
    with pytest.raises(ValueError, match="expected"):
        numbered(100).batch(**{"step": 0, "micro": 0, "batch": 4, "context": 8, "seed": 1, **arguments})


def predicted(corpus: Corpus, context: int, batch: int) -> list[int]:
    return torch.cat([targets.flatten() for _, targets in corpus.windows(context, batch)]).tolist()


@pytest.mark.parametrize("size", [2, 7, 8, 9, 16, 17, 50])
@pytest.mark.parametrize("context, batch", [(8, 1), (8, 3), (1, 4), (100, 2)])
def test_windows_predict_each_token_once(size, context, batch):
    corpus = numbered(50, size)
    assert predicted(corpus, context, batch) == list(range(1, size))
    windows = list(corpus.windows(context, batch))
    for inputs, targets in windows:
        assert torch.equal(targets, inputs + 1)
        assert inputs.shape[0] <= batch
        assert inputs.shape[1] == context or (inputs.shape[0] == 1 and inputs.shape[1] < context)
    assert sum(inputs.shape[1] < context for inputs, _ in windows) == ((size - 1) % context > 0)


class NoRest(Corpus):
    """Only whole windows."""

    @staticmethod
    def _windows(tokens, context, batch):
        return (one for one in Corpus._windows(tokens, context, batch) if one[0].shape[1] == context)


class Overlapping(Corpus):
    """Whole windows, the last one moved back to the end."""

    @staticmethod
    def _windows(tokens, context, batch):
        yield from NoRest._windows(tokens, context, batch)
        yield tokens[None, -context - 1 : -1], tokens[None, -context:]


@pytest.mark.parametrize("kind", [NoRest, Overlapping])
def test_planted_windows_that_miss_or_repeat_tokens_are_seen(kind):
    assert predicted(numbered(50, 20, kind), 8, 2) != list(range(1, 20))


def test_windows_of_nothing_are_refused_at_once():
    with pytest.raises(DataError, match="synthetic: the validation split is too short: 1 tokens, expected 2 at least"):
        numbered(50, 1).windows(8)
    with pytest.raises(ValueError, match="expected both ≥ 1"):
        numbered(50).windows(0)


def test_characters_of_targets_are_counted(corpus):
    first = corpus.vocabulary.characters[int(corpus.validation[0])]
    assert corpus.characters("validation") == len(corpus.text[1]) - first
    assert corpus.characters(corpus.train) == len(corpus.text[0])
    assert corpus.characters("validation") == sum(corpus.characters(targets) for _, targets in corpus.windows(7, 3))


def test_the_best_loss_is_that_of_the_law():
    config = DataConfig(length=4.0, size=20_000, symbols=16, copies=0.7, seed=9)
    corpus, source = load(config), CopySource(4.0, 16, 0.7)
    symbols = source.draw(20_000, 9)
    assert torch.equal(torch.cat((corpus.train, corpus.validation)), torch.from_numpy(symbols))
    losses = source.losses(symbols)
    # Sums of the same numbers in another order: each of n additions errs by at most 2⁻⁵³ of a partial sum.
    assert corpus.best_loss() == pytest.approx(losses[18_001:].mean(), rel=20_000 * 2.0**-53)
    assert corpus.best_loss("train") == pytest.approx(losses[1:18_000].mean(), rel=20_000 * 2.0**-53)
    windowed = corpus.best_loss(context=32)
    assert windowed == pytest.approx(source.losses(symbols[18_000:], 32)[1:].mean(), rel=20_000 * 2.0**-53)
    assert corpus.best_loss() < corpus.best_loss(context=128) < windowed < corpus.best_loss(context=4) < math.log(16)


def test_other_texts_and_windows_have_no_known_best_loss(path):
    pieces = load(DataConfig(size=5000, tokens="bytes", vocabulary=300))
    assert pieces.best_loss() == load(DataConfig(size=5000)).best_loss()  # nats per character, whatever the tokens
    assert pieces.best_loss(context=8) is None
    assert load(DataConfig(source=str(path))).best_loss() is None


def test_all_symbols_are_tokens_even_if_a_short_text_lacks_some():
    assert load(DataConfig(size=20)).vocabulary.size == 64
    assert load(DataConfig(size=20, symbols=5)).vocabulary.size == 5
