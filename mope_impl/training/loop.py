"""Training from the first step to the last: evaluations, checkpoints, records, and going on where it was cut off."""
from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import torch
from torch import Tensor

from . import checkpoint
from .config import RECIPE, Config
from .data import Corpus, load
from .distributed import Processes, processes
from .errors import CheckpointError, FolderError
from .evaluate import estimate, evaluate
from .folder import RESULT, VOCABULARY, held, opened, write_json
from .interrupts import Stop, asked_to_stop
from .log import Curves, Log, Speed
from .measure.modes import evaluating
from .measure.shape import shape
from .pictures import draw
from .progress import Listener, Progress, silent
from .result import Diverged, Hook, Interrupted, Moment, RunResult, summary
from .schedule import rate
from .trainer import Trainer, arithmetic

PATIENCE = 10
"""Steps on a GPU after which their losses are read: reading waits for the GPU."""
TAKEN = frozenset({"step", "loss", "train", "validation", "per_character", "estimate", "tokens", "characters", "shape"})
"""Names in the log that no hook can have."""


def train(
    config: Config,
    folder: Path,
    *,
    resume: bool = False,
    hooks: Mapping[str, Hook] | None = None,
    progress: Listener = silent,
    corpus: Corpus | None = None,
    tensorboard: bool = True,
    pictures: bool = True,
) -> RunResult:
    """Train a model, and keep everything about it in a folder of its own.

    Args:
        config: all that decides the run.
        folder: ``config.toml``, ``log.jsonl``, checkpoints, ``vocabulary.json``, curves for TensorBoard; at the end
            ``result.json`` and pictures.
        resume: go on from the last checkpoint, from the beginning where there is none; a finished run is read back. On the CPU,
            with as many threads, it leaves the same bits as a run that was never cut off.
        hooks: measurements at each evaluation by name; see ``Moment``.
        progress: told of every step whose loss is known.
        corpus: the data of ``config.data``, where they are loaded already.

    Under ``torchrun`` every process calls this with the same arguments; the first one reads and writes the folder.

    Raises:
        TrainingError (a ValueError): for settings that do not fit the data or the machine (ConfigError), a folder that holds
            another run (FolderError), a checkpoint that is corrupt or foreign (CheckpointError); DataError, a ValueError, for
            data. Nothing that is in the folder has been changed then.
        Diverged: where the loss is no finite number; the last checkpoint is from before.
        Interrupted: after Ctrl-C or SIGTERM, with a checkpoint written; a second one stops at once.
    """
    taken = TAKEN & (hooks or {}).keys()
    if taken:
        raise ValueError(f"hooks: got {min(taken)!r}, a name that an evaluation has already")
    with ExitStack() as stack:
        group = stack.enter_context(processes(config.training.device))
        stack.enter_context(arithmetic(config, group.device))
        data = corpus if corpus is not None else group.in_turn(lambda: load(config.data))
        trainer = Trainer(config, data, group)
        stack.callback(trainer.release)
        group.agree(lambda: stack.enter_context(held(folder)))
        start = group.agree(lambda: opened(folder, config, resume))
        run = Run(config, folder, trainer, hooks or {}, progress, stack.enter_context(asked_to_stop()))
        run.begin(start)
        if tensorboard and group.first:
            run.curves = Curves(folder, run.step)
            stack.callback(run.curves.close)
        run.go()
        return run.result(pictures)


class Made(NamedTuple):
    """A step that was made, and its loss and the norm of its gradient, not yet read from the device."""

    step: int
    loss: Tensor
    norm: Tensor


class Run:
    """A run in progress: what has been done, what is recorded of it, and what comes next."""

    curves: Curves | None = None

    def __init__(
        self, config: Config, folder: Path, trainer: Trainer, hooks: Mapping[str, Hook], progress: Listener, stop: Stop
    ) -> None:
        self.config, self.folder, self.trainer = config, folder, trainer
        self.hooks, self.progress, self.stop = hooks, progress, stop
        self.group: Processes = trainer.processes
        self.log, self.speed = Log(folder), Speed(folder)
        self.digest = config.digest()
        self.step = 0
        self.saved: int | None = None
        self.waiting: list[Made] = []
        self.elapsed = 0.0

    def begin(self, start: checkpoint.Checkpoint | None) -> None:
        """Take the state of a checkpoint, or begin; the records are cut to what the checkpoint knows of."""

        def check() -> None:
            if start is not None and start.state["data"] != self.trainer.corpus.sha256:
                raise FolderError(f"{self.folder}: was trained on other data, of SHA-256 {start.state['data'][:12]}…")

        self.group.agree(check)
        if start is not None:
            try:
                self.trainer.restore(start.tensors, start.state["scaler"])
            except CheckpointError as fault:
                raise CheckpointError(f"{checkpoint.path_of(self.folder, start.step)}: {fault}") from None
            self.step = self.saved = start.step

        def prepare() -> None:
            self.log.cut_to(start.state["log"] if start else None)
            self.elapsed = self.speed.seconds_until(self.step) if start else 0.0
            if start is None:
                write_json(self.folder / VOCABULARY, self.trainer.corpus.vocabulary.to_json())

        self.group.agree(prepare)
        self.clock = self.mark = perf_counter()
        self.mark_step = self.step

    def go(self) -> None:
        """Make all steps that are left."""
        settings = self.config.training
        patience = PATIENCE if self.group.device.type == "cuda" else 1
        if self.step == 0:
            self.evaluate()
        while self.step < settings.steps:
            with self.diverging():
                self.waiting.append(Made(self.step, *self.trainer.step(self.step)))
            self.step += 1
            last = self.step == settings.steps
            due = last or self.step % settings.evaluate_every == 0
            if due or len(self.waiting) >= patience or self.step % settings.checkpoint_every == 0:
                self.read_losses()
                stopping = not last and self.group.any(self.stop.asked)
                if due:
                    self.evaluate()
                if stopping or last or self.step % settings.checkpoint_every == 0:
                    self.save()
                if stopping:
                    raise Interrupted(self.folder, self.step)

    def read_losses(self) -> None:
        """Log the steps made since the last time. Raises Diverged at the first whose loss is no finite number."""
        if not self.waiting:
            return
        made, self.waiting = self.waiting, []
        steps = [one.step for one in made]
        losses = torch.stack([one.loss for one in made]).tolist()
        norms = torch.stack([one.norm for one in made]).tolist()
        narrow = self.config.training.precision == "float16"
        for step, loss, norm in zip(steps, losses, norms, strict=True):
            if not math.isfinite(loss):
                raise self.diverged(f"the loss of step {step} is {loss}")
            if not math.isfinite(norm) and not narrow:
                raise self.diverged(f"the gradient of step {step} has norm {norm}")
            if self.group.first:
                # Under float16 an overflow is no fault: the step was skipped, and the scaler has taken note.
                known = norm if math.isfinite(norm) else None
                eta = rate(step, self.config.training.steps, self.config.optimizer)
                values = {"loss": loss, "gradient_norm": known, "rate": eta}
                self.log.append({"step": step, **values})
                if self.curves:
                    self.curves.add(step, {f"training/{name}": one for name, one in values.items() if one is not None})
        self.tell("training")

    @contextmanager
    def diverging(self) -> Iterator[None]:
        """What a trained model refuses of itself, such as a width that has become 0, is a divergence."""
        try:
            yield
        except ValueError as fault:
            if self.step == 0:
                raise
            raise self.diverged(f"the model has no value after {self.step} steps ({fault})") from None

    def diverged(self, what: str) -> Diverged:
        kept = f"; the last good checkpoint is of step {self.saved}" if self.saved is not None else ""
        return Diverged(f"{self.folder}: {what}{kept}; try a smaller optimizer.rate, or a longer optimizer.warmup")

    def evaluate(self) -> None:
        """Evaluate the model as it is now, measure what is asked for, and log both."""
        self.tell("evaluating")
        settings, trainer = self.config.training, self.trainer
        sizes = (self.config.model.context, settings.batch)
        with self.diverging():
            exact = evaluate(trainer.model, trainer.corpus, *sizes, self.group)
        if not math.isfinite(exact.total):
            raise self.diverged(f"the validation loss after {self.step} steps is {exact.per_token}")
        guess = estimate(
            trainer.model, trainer.corpus, *sizes, settings.estimate_batches, settings.seed, self.step, self.group
        )
        if not self.group.first:
            return
        line: dict[str, Any] = {
            "step": self.step,
            "train": self.mean_since_evaluation(),
            "validation": exact.per_token,
            "per_character": exact.per_character,
            "estimate": guess,
            "tokens": exact.tokens,
            "characters": exact.characters,
        }
        if self.curves:
            self.curves.add(self.step, {f"validation/{name}": line[name] for name in ("validation", "per_character", "estimate")})
        found = shape(trainer.model)
        if found is not None:
            line["shape"] = found.to_dict()
        moment = Moment(trainer.model, trainer.corpus, trainer.config, self.step, self.group.device)
        with torch.no_grad(), evaluating(trainer.model):
            line |= {name: hook(moment) for name, hook in self.hooks.items()}
        self.log.append(line)
        self.note_speed()
        self.tell("training")

    def mean_since_evaluation(self) -> float | None:
        """Mean training loss of the steps since the last evaluation."""
        losses: list[float] = []
        for line in reversed(self.log.lines):
            if "validation" in line:
                break
            losses.append(line["loss"])
        return math.fsum(losses) / len(losses) if losses else None

    def save(self) -> None:
        """Write a checkpoint."""
        if self.group.first:
            state = {"log": self.log.mark(), "data": self.trainer.corpus.sha256, "scaler": self.trainer.scaler_state()}
            self.note_speed()
            checkpoint.write(self.folder, checkpoint.Checkpoint(self.step, self.digest, self.trainer.tensors(), state))
        self.saved = self.step
        self.group.wait()

    def note_speed(self) -> None:
        now = perf_counter()
        done, took = self.step - self.mark_step, now - self.mark
        if done and self.group.first:
            self.speed.append(self.step, self.elapsed + now - self.clock, done * self.tokens_per_step / took)
        self.mark, self.mark_step = now, self.step

    @property
    def tokens_per_step(self) -> int:
        return self.config.training.batch * self.config.model.context

    def tell(self, doing: str) -> None:
        """Tell of the progress."""
        lines: Sequence[dict[str, Any]] = self.log.lines
        loss = next((line["loss"] for line in reversed(lines[-64:]) if "loss" in line), None)
        validation = next((line["per_character"] for line in reversed(lines) if "per_character" in line), None)
        done, now = self.step - self.mark_step, perf_counter()
        speed = done * self.tokens_per_step / (now - self.mark) if done else None
        left = (self.config.training.steps - self.step) * self.tokens_per_step / speed if speed else None
        self.progress(Progress(self.step, self.config.training.steps, loss, validation, speed, left, doing))

    def result(self, pictures: bool) -> RunResult:
        """What came out, written to the folder as well."""
        trainer, corpus = self.trainer, self.trainer.corpus
        evaluations = tuple(line for line in self.group.agree(lambda: self.log.lines) if "validation" in line)
        last, earlier = evaluations[-1], self.group.agree(self.earlier)
        found = RunResult(
            folder=self.folder,
            config=trainer.config,
            digest=self.digest,
            recipe=RECIPE,
            model=trainer.model,
            corpus=corpus,
            device=self.group.device,
            parameters=sum(one.numel() for one in trainer.model.parameters()),
            steps=self.step,
            evaluations=evaluations,
            validation=last["per_character"],
            validation_per_token=last["validation"],
            tokens=last["tokens"],
            characters=last["characters"],
            seconds=earlier.get("seconds", self.elapsed + perf_counter() - self.clock),
            finished=earlier.get("finished", datetime.now(UTC).isoformat(timespec="seconds")),
            best=corpus.best_loss(context=trainer.config.model.context),
        )
        if self.group.first and not earlier:
            if pictures:
                draw(self.folder, self.log.lines, found.best)
            write_json(self.folder / RESULT, summary(found))
        self.group.wait()
        return found

    def earlier(self) -> dict[str, Any]:
        """The result that the folder holds already, of a finished run that is read back; empty where there is none."""
        try:
            found = json.loads((self.folder / RESULT).read_bytes())
            return found if found["digest"] == self.digest else {}
        except (OSError, ValueError, TypeError, KeyError):
            return {}
