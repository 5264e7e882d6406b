"""The loop: what it leaves behind, what it refuses, how it stops."""
from __future__ import annotations

import json
import math
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from mope_impl.nn import GPT
from mope_impl.training import CheckpointError, ConfigError, DataError, Diverged, FolderError, Interrupted, load, train
from mope_impl.training import checkpoint as checkpoints
from mope_impl.training.distributed import Processes
from mope_impl.training.trainer import Trainer
from tests.mope_impl.training.tiny import FORKS, outcome, tiny

ALONE = Processes(0, 1, torch.device("cpu"))


def quiet(config, folder, **options):
    return train(config, folder, **{"tensorboard": False, "pictures": False, **options})


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run, with all its pictures and curves."""
    folder, seen = tmp_path_factory.mktemp("run") / "a" / "b", []
    result = train(tiny(), folder, progress=seen.append, hooks={"first": lambda moment: [moment.step, moment.model.training]})
    return result, seen


def test_what_a_run_leaves(finished):
    result, _ = finished
    names = {path.name for path in result.folder.iterdir()}
    assert names >= set("config.toml log.jsonl speed.jsonl result.json vocabulary.json loss.png plane.png tensorboard".split())
    assert [path.name for path in checkpoints.in_folder(result.folder)] == [f"step-{step:08}.safetensors" for step in (9, 12)]
    assert any((result.folder / "tensorboard").iterdir())
    for name in ("loss.png", "plane.png"):
        assert (result.folder / name).read_bytes().startswith(b"\x89PNG")
    written = json.loads((result.folder / "result.json").read_bytes())
    assert written["validation"] == result.validation
    assert written["digest"] == tiny().digest()
    assert written["perplexity"] == math.exp(result.validation_per_token)


def test_the_log_has_a_line_for_each_step_and_evaluation(finished):
    result, _ = finished
    lines = [json.loads(line) for line in (result.folder / "log.jsonl").read_text().splitlines()]
    steps = [line for line in lines if "loss" in line]
    assert [line["step"] for line in steps] == list(range(12))
    assert [line["step"] for line in lines if "validation" in line] == [0, 5, 10, 12]
    assert [line["rate"] for line in steps][:4] == [0, 0.01 * 1 / 3, 0.01 * 2 / 3, 0.01]
    assert all(line["gradient_norm"] > 0 for line in steps)
    assert [entry["train"] for entry in result.evaluations] == [
        None, *(math.fsum(line["loss"] for line in steps[a:b]) / (b - a) for a, b in ((0, 5), (5, 10), (10, 12)))
    ]  # fmt: skip


def test_hooks_measure_at_each_evaluation_in_evaluation_mode(finished):
    result, _ = finished
    assert [entry["first"] for entry in result.evaluations] == [[0, False], [5, False], [10, False], [12, False]]
    assert all(len(entry["shape"]["omega"]) == 4 for entry in result.evaluations)
    assert result.model.training


def test_a_hook_cannot_take_a_name_of_the_log(tmp_path):
    with pytest.raises(ValueError, match="hooks: got 'loss'"):
        quiet(tiny(), tmp_path / "run", hooks={"loss": lambda moment: 0})
    assert not (tmp_path / "run").exists()


def test_the_curves_are_those_of_the_log(finished):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    result, _ = finished
    events = EventAccumulator(str(result.folder / "tensorboard"))
    events.Reload()
    lines = [json.loads(line) for line in (result.folder / "log.jsonl").read_text().splitlines()]
    for tag, name in (("training/loss", "loss"), ("validation/per_character", "per_character")):
        found = [(one.step, one.value) for one in events.Scalars(tag)]
        expected = [(line["step"], line[name]) for line in lines if name in line]
        assert [step for step, _ in found] == [step for step, _ in expected]
        assert all(torch.tensor(value).item() == one for (_, value), (_, one) in zip(expected, found, strict=True))


def test_progress_is_told(finished):
    _, seen = finished
    assert [state.step for state in seen if state.doing == "evaluating"] == [0, 5, 10, 12]
    assert seen[-1].step == seen[-1].steps == 12
    assert seen[-1].validation is not None
    assert all(state.tokens_per_second > 0 and state.seconds_left >= 0 for state in seen if state.tokens_per_second is not None)


def test_a_finished_run_is_read_back(finished, monkeypatch):
    result, _ = finished
    before = snapshot(result.folder)
    monkeypatch.setattr(Trainer, "step", lambda *_: pytest.fail("trained again"))
    again = train(tiny(), result.folder, resume=True, tensorboard=False)
    assert again.evaluations == result.evaluations
    assert (again.seconds, again.finished) == (result.seconds, result.finished)
    for name, parameter in result.model.named_parameters():
        assert torch.equal(parameter, dict(again.model.named_parameters())[name])
    assert snapshot(result.folder) == before


def test_the_same_run_leaves_the_same_bits_and_draws_from_nobody(finished, tmp_path):
    torch.rand(3)
    state = torch.get_rng_state()
    quiet(tiny(), tmp_path / "again", hooks={"first": lambda moment: [moment.step, moment.model.training]})
    assert outcome(tmp_path / "again") == outcome(finished[0].folder)
    assert torch.equal(torch.get_rng_state(), state)


def test_a_corpus_that_is_given_is_used(finished, tmp_path):
    result = quiet(tiny(), tmp_path / "run", corpus=load(tiny().data))
    assert result.validation == finished[0].validation


@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_with_another_run_is_refused_and_left(finished, tmp_path, resume):
    folder = finished[0].folder
    before = snapshot(folder)
    message = r"holds another run \(training.steps is 12 there, 13 here\); take another folder"
    with pytest.raises(FolderError, match=message):
        quiet(tiny(training={"steps": 13}), folder, resume=resume)
    assert snapshot(folder) == before


def test_a_run_is_not_begun_twice(finished):
    folder = finished[0].folder
    before = snapshot(folder)
    with pytest.raises(FolderError, match=r"holds this run already, at step 12 of 12; resume it, or take another folder"):
        quiet(tiny(), folder)
    assert snapshot(folder) == before


def copied(finished, tmp_path) -> Path:
    folder = tmp_path / "run"
    for name, content in snapshot(finished[0].folder).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "result.json").unlink()
    return folder


@pytest.mark.parametrize(
    "name, spoil, message",
    [
        ("step-00000012.safetensors", lambda content: content[:-3], "corrupt.*remove it to continue from step-00000009"),
        ("step-00000012.safetensors", lambda content: content[:-9] + b"\0" + content[-8:], "is corrupt: its content"),
        ("step-00000012.safetensors", lambda _: b"something else", "is corrupt or no checkpoint"),
        ("log.jsonl", lambda content: content.replace(b"loss", b"lass", 1), "log.jsonl: was changed"),
        ("log.jsonl", lambda content: content[:-5], "log.jsonl: was changed"),
        ("config.toml", lambda content: content.replace(b"steps = 12", b"stops = 12"), "unknown key training.stops"),
        ("config.toml", lambda _: b"\xff\xfe", "config.toml: is not UTF-8"),
    ],
)
def test_what_was_spoilt_is_refused_by_name_and_nothing_is_touched(finished, tmp_path, name, spoil, message):
    folder = copied(finished, tmp_path)
    (folder / name).write_bytes(spoil((folder / name).read_bytes()))
    before = snapshot(folder)
    with pytest.raises((FolderError, CheckpointError), match=message) as caught:
        quiet(tiny(), folder, resume=True)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert snapshot(folder) == before


def test_a_checkpoint_of_another_run_is_refused(finished, tmp_path):
    folder = copied(finished, tmp_path)
    quiet(tiny(training={"seed": 5}), tmp_path / "other")
    (folder / "step-00000012.safetensors").write_bytes((tmp_path / "other" / "step-00000012.safetensors").read_bytes())
    with pytest.raises(CheckpointError, match="belongs to another configuration"):
        quiet(tiny(), folder, resume=True)


def test_data_that_have_changed_are_refused(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("abcd" * 100, encoding="utf-8")
    config = tiny(data={"source": str(text)}, training={"steps": 2})
    quiet(config, tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    text.write_text("abdc" * 100, encoding="utf-8")
    with pytest.raises(FolderError, match="was trained on other data"):
        quiet(config, tmp_path / "run", resume=True)


def test_files_of_a_run_without_a_configuration_are_left_alone(finished, tmp_path):
    folder = copied(finished, tmp_path)
    (folder / "config.toml").unlink()
    before = snapshot(folder)
    with pytest.raises(FolderError, match=r"holds step-00000009\.safetensors of a run, but no config\.toml"):
        quiet(tiny(), folder, resume=True)
    assert snapshot(folder) == before


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    path = tmp_path / "run"
    path.write_bytes(b"mine")
    with pytest.raises(FolderError, match="is a file, expected a folder"):
        quiet(tiny(), path)
    assert path.read_bytes() == b"mine"


@pytest.mark.parametrize(
    "sections, error, message",
    [
        ({"training": {"precision": "float16"}}, ConfigError, "float16 needs a CUDA device; bfloat16 runs on the CPU, too"),
        ({"training": {"device": "warp"}}, ConfigError, "training.device: got 'warp', which this machine does not have"),
        ({"training": {"device": "meta"}}, ConfigError, "training.device: got 'meta', which this machine does not have"),
        ({"model": {"context": 400}}, DataError, "split is too short"),
        ({"data": {"source": "/nowhere/text.txt"}}, DataError, "no such file"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_a_folder_is_made(tmp_path, sections, error, message):
    with pytest.raises(error, match=message) as caught:
        quiet(tiny(**sections), tmp_path / "run")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def spoiled(at: int, monkeypatch, spoil) -> None:
    """From step ``at`` on, the loss goes through ``spoil``."""
    forward, calls = GPT.forward, iter(range(10**6))

    def wrong(self: GPT, tokens: Tensor, targets: Tensor | None = None) -> Tensor:
        loss = forward(self, tokens, targets)
        return spoil(loss) if self.training and next(calls) >= at else loss

    monkeypatch.setattr(GPT, "forward", wrong)


@pytest.mark.parametrize(
    "spoil, message",
    [
        (lambda loss: loss * math.nan, "the loss of step 7 is nan"),
        (lambda loss: loss * math.inf, "the loss of step 7 is inf"),
        (lambda loss: loss + torch.where(loss > 0, 0.0, loss.sqrt()) * (loss * 0).sqrt(), "the gradient of step 7 has norm nan"),
    ],
)
def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_good_checkpoint(tmp_path, monkeypatch, spoil, message):
    spoiled(7, monkeypatch, spoil)
    kept = "the last good checkpoint is of step 6; try a smaller optimizer.rate"
    with pytest.raises(Diverged, match=f"{message}; {kept}") as caught:
        quiet(tiny(), tmp_path / "run")
    assert "\n" not in str(caught.value)
    last = checkpoints.newest(tmp_path / "run", tiny().digest())
    assert last.step == 6
    assert all(tensor.isfinite().all() for tensor in last.tensors.values())
    monkeypatch.undo()
    quiet(tiny(), tmp_path / "whole")
    quiet(tiny(), tmp_path / "run", resume=True)
    assert outcome(tmp_path / "run") == outcome(tmp_path / "whole")


@pytest.mark.parametrize("every", [1, 5], ids=["found by an evaluation", "found by a step"])
def test_widths_that_leave_their_range_stop_the_run_in_one_line(tmp_path, every):
    config = tiny(model={"constraint": "free"}, optimizer={"rate": 1e30, "warmup": 1}, training={"evaluate_every": every})
    with pytest.raises(Diverged, match=r"run: the (model has no value|validation loss|loss|gradient)") as caught:
        quiet(config, tmp_path / "run")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop_it_writes_a_checkpoint_and_goes_on_from_there(finished, tmp_path, number):
    handler = signal.getsignal(number)

    def at_step_seven(state) -> None:
        if state.step == 7:
            os.kill(os.getpid(), number)

    hooks = {"first": lambda moment: [moment.step, moment.model.training]}
    with pytest.raises(Interrupted) as caught:
        quiet(tiny(), tmp_path / "run", progress=at_step_seven, hooks=hooks)
    assert caught.value.step == 7
    assert signal.getsignal(number) is handler
    assert checkpoints.newest(tmp_path / "run", tiny().digest()).step == 7
    quiet(tiny(), tmp_path / "run", resume=True, hooks=hooks)
    assert outcome(tmp_path / "run") == outcome(finished[0].folder)


def test_a_second_interrupt_stops_at_once(tmp_path):
    def twice(state) -> None:
        if state.step == 7:
            for _ in range(2):
                signal.raise_signal(signal.SIGINT)  # to this thread, so that the second does not fall together with the first

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            quiet(tiny(), tmp_path / "run", progress=twice)
    finally:
        signal.signal(signal.SIGINT, before)
    assert checkpoints.newest(tmp_path / "run", tiny().digest()).step == 6


def occupied(folder: Path, entered, leave) -> None:
    def wait(state) -> None:
        entered.set()
        leave.wait()

    quiet(tiny(), folder, progress=wait)


def test_two_processes_do_not_train_in_one_folder(tmp_path):
    entered, leave = FORKS.Event(), FORKS.Event()
    other = FORKS.Process(target=occupied, args=(tmp_path / "run", entered, leave))
    other.start()
    try:
        entered.wait()
        with pytest.raises(FolderError, match="another process is training in it"):
            quiet(tiny(), tmp_path / "run", resume=True)
    finally:
        leave.set()
        other.join()
    assert other.exitcode == 0
    quiet(tiny(), tmp_path / "run", resume=True)


def gradients(**training) -> tuple[dict[str, Tensor], float]:
    """The gradient of the first step, in float64, and the largest of the gradients of single sequences."""
    config = tiny(model={"dropout": 0.0}, training={"precision": "float64", "batch": 8, **training}, optimizer={"clip": 0.0})
    trainer = Trainer(config, load(config.data), ALONE)
    found: dict[str, Tensor] = {}
    step = trainer.optimizer.step
    trainer.optimizer.step = lambda *rest: found.update(  # type: ignore[method-assign]
        {name: one.grad.clone() for name, one in trainer.model.named_parameters()}
    ) or step(*rest)
    loss, _ = trainer.step(0)
    return found, float(loss)


@pytest.mark.parametrize("accumulate", [2, 4, 8])
def test_accumulated_gradients_are_those_of_the_whole_batch(accumulate):
    """The parts sum the same contributions in another order. Each gradient entry is a sum over n = 8·8 tokens and at most 32
    channels, of terms formed by at most 300 roundings each in float64; another order moves it by at most
    2·(300 + 64·32)·2⁻⁵³ times the sum of the sizes of the terms. With the factor 1/64 of the mean that is no more than the
    largest term without it: a derivative of one token's loss, below 64 for a little model at its initial values."""
    whole, loss = gradients()
    parts, total = gradients(accumulate=accumulate)
    assert abs(loss - total) <= 2 * (300 + 64) * 2.0**-53 * loss
    tolerance = 2 * (300 + 64 * 32) * 2.0**-53 * 64
    for name, gradient in whole.items():
        assert (gradient - parts[name]).abs().max() <= tolerance, name


def test_parts_that_are_not_averaged_are_seen(monkeypatch):
    """The fault that the test above catches: parts that all see the first part's data."""
    whole, _ = gradients()
    batch = Trainer.batch
    monkeypatch.setattr(Trainer, "batch", lambda self, step, part: batch(self, step, 0))
    parts, _ = gradients(accumulate=4)
    worst = max(float((whole[name] - parts[name]).abs().max()) for name in whole)
    assert worst > 1e6 * 2 * (300 + 64 * 32) * 2.0**-53 * 64


def test_a_batch_that_processes_cannot_share_is_refused():
    config = tiny(training={"batch": 6, "accumulate": 2})
    with pytest.raises(ConfigError, match=r"training.batch: got 6, expected a multiple of 4, .*accumulate = 2 times 2 processes"):
        Trainer(config, load(config.data), replace(ALONE, world=2))


def test_dropout_differs_by_step_part_and_process():
    def noise(step: int, part_of: int, rank: int) -> list[Tensor]:
        config = tiny(training={"batch": 8, "accumulate": part_of})
        trainer = Trainer(config, load(config.data), ALONE)
        trainer.processes = replace(ALONE, rank=rank)
        trainer.batch = lambda *_: (torch.zeros(2, 8, dtype=torch.int64),) * 2  # type: ignore[method-assign]
        seen: list[Tensor] = []
        trainer.model.dropout.register_forward_hook(lambda module, inputs, output: seen.append(output == 0))
        trainer.step(step)
        return seen

    first, second = noise(0, 2, 0)
    assert not torch.equal(first, second)
    assert torch.equal(noise(0, 1, 0)[0], first)
    assert not torch.equal(noise(1, 1, 0)[0], first)
    assert not torch.equal(noise(0, 1, 1)[0], first)


@pytest.mark.parametrize("precision", ["float32", "bfloat16", "float64"])
def test_parameters_keep_their_precision(precision):
    config = tiny(training={"precision": precision})
    trainer = Trainer(config, load(config.data), ALONE)
    trainer.step(0)
    wide = torch.float64 if precision == "float64" else torch.float32
    assert {parameter.dtype for parameter in trainer.model.parameters()} == {wide}
    assert {tensor.dtype for name, tensor in trainer.tensors().items() if not name.endswith("/step")} == {wide}
