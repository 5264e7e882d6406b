"""``mope train``: train a model, show how it goes, and say what it learned."""
from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from .errors import FAILED, INTERRUPTED, UserError
from .output import console, error, folder, plain_table, show

if TYPE_CHECKING:
    from mope_impl.training import Config, RunResult

NEEDED = ("safetensors", "tokenizers", "pydantic", "tensorboard", "matplotlib")
"""The packages of the extra mope[train]."""
RUNS = Path("runs")
"""Where runs go that are given no folder: train-1, train-2, …"""
PAUSE = 0.1
"""Seconds between two drawings of the bar."""


def train(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CONFIG] [KEY=VALUE …]", help="A TOML file, and settings put over it: training.steps=500"),
    ] = None,
    data: Annotated[
        str | None, typer.Option(metavar="FILE", help="A UTF-8 text to train on; short for data.source=FILE.")
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="The folder of the run. [default: the next of runs/train-1, …]")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in DIR, or with the last one in runs/.")
    ] = False,
) -> None:
    """Train a GPT with any of the encodings, and keep its weights, log, curves and pictures in a folder.

    Without arguments, a small model learns a synthetic text whose correlation length is known, within two minutes on a CPU;
    how far back it has learned to look is compared with that length. A configuration has the sections model, data, optimizer
    and training; what a file leaves out is as published. Each run keeps the whole of its own as config.toml.

    Ctrl-C stops after the step that is being made, with a checkpoint. --resume goes on from there, or from the last
    checkpoint after a kill, and ends at the same weights as a run that was never stopped. Under torchrun the processes share
    the work: torchrun --nproc-per-node 2 -m mope_impl.cli train CONFIG --out DIR
    """
    require_extra("mope train")
    chosen = folder("--out", out)
    file, settings = split_arguments(arguments or ())
    if data is not None:
        if not data:
            raise UserError("--data needs the name of a file")
        settings = [*settings, f"data.source={os.path.abspath(data)}"]
    one = int(os.environ.get("RANK", "0")) == 0
    if chosen is None and int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise UserError("under torchrun the run needs a folder that all processes know: --out DIR")

    from mope_impl import training
    from mope_impl.training.errors import is_of_memory

    where = chosen
    try:
        where = chosen or (last_run() if resume else next_run())
        config = configuration(file, settings, where if resume else None)
        with training_bar(one) as bar:
            result = training.train(config, where, resume=resume, progress=bar)
    except (training.TrainingError, training.DataError) as fault:
        raise UserError(with_options(str(fault))) from None
    except OSError as fault:
        raise UserError(f"cannot write {fault.filename or where}: {fault.strerror or fault}") from None
    except (MemoryError, RuntimeError) as fault:
        if not is_of_memory(fault):
            raise
        raise UserError(f"{where}: not enough memory; try a smaller training.batch, or a larger training.accumulate") from None
    except training.Diverged as fault:
        if one:
            error(str(fault))
        raise typer.Exit(FAILED) from None
    except training.Interrupted as stop:
        if one:
            console(stderr=True).print(
                f"{stop}; go on with: mope train --resume --out {stop.folder}", markup=False, soft_wrap=True
            )
        raise typer.Exit(INTERRUPTED) from None
    if one:
        report(result)


def require_extra(command: str) -> None:
    """Raise UserError where packages that training needs are not installed."""
    lacking = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if lacking:
        raise UserError(f"{command} needs {', '.join(lacking)}: pip install 'mope[train]'")


def split_arguments(arguments: Sequence[str]) -> tuple[Path | None, list[str]]:
    """The configuration file, if any, and the settings. Raises UserError for a second file."""
    files = [one for one in arguments if "=" not in one]
    if len(files) > 1:
        raise UserError(f"got two configuration files, {files[0]} and {files[1]}; settings are written KEY=VALUE")
    return (Path(files[0]) if files else None), [one for one in arguments if "=" in one]


def configuration(file: Path | None, settings: Sequence[str], resumed: Path | None) -> Config:
    """The configuration that is asked for; that of the folder where a run is resumed and nothing else is said.

    Without a file, settings are put over those of the first run.
    """
    from mope_impl.training import read
    from mope_impl.training.folder import configuration as of_folder

    held = None if resumed is None else of_folder(resumed)
    if held is not None and file is None:
        return read(None, settings, held.to_dict())
    return read(file, settings, first_run() if file is None else None)


def first_run() -> Mapping[str, Any]:
    """The configuration of a run without arguments."""
    from mope_impl.experiments.variants import SOURCE

    return SOURCE


def numbered() -> list[int]:
    """The numbers of the runs in ``runs``."""
    found = [re.fullmatch(r"train-(\d+)", path.name) for path in RUNS.glob("train-*")]
    return sorted(int(match[1]) for match in found if match)


def next_run() -> Path:
    """A folder in ``runs`` that is not there yet."""
    return RUNS / f"train-{max(numbered(), default=0) + 1}"


def last_run() -> Path:
    """The newest run in ``runs``. Raises UserError where there is none."""
    if not numbered():
        raise UserError(f"there is no run to resume in {RUNS}; --out DIR says where it is")
    return RUNS / f"train-{numbered()[-1]}"


def with_options(message: str) -> str:
    """What the library says, with the options of the command."""
    return message.replace("; resume it, or take another folder", ": go on with --resume, or give another --out").replace(
        "; take another folder", "; give another --out"
    )


@contextmanager
def training_bar(shown: bool) -> Iterator[Any]:
    """A bar on stderr with the losses, the speed and the time that is left; on a terminal only."""
    screen = console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[losses]}"),
        TextColumn("{task.fields[speed]}"),
    )
    # Drawn when it is called: a thread of its own would take time from the training.
    disabled = not (shown and screen.is_terminal)
    with Progress(*columns, console=screen, transient=True, disable=disabled, auto_refresh=False) as progress:
        task = progress.add_task("training", total=None, losses="", speed="")

        drawn = 0.0

        def tell(state: Any) -> None:
            nonlocal drawn
            soon = monotonic() - drawn < PAUSE and state.doing == "training" and state.step < state.steps
            if not disabled and not soon:
                drawn = monotonic()
                losses, speed = shown_fields(state)
                progress.update(task, description=state.doing, completed=state.step, total=state.steps)
                progress.update(task, losses=losses, speed=speed, refresh=True)

        yield tell


def shown_fields(state: Any) -> tuple[str, str]:
    """The losses, the speed and the time left as the bar shows them."""
    losses = [f"{name} {value:.3f}" for name, value in (("loss", state.loss), ("val", state.validation)) if value is not None]
    speed = []
    if state.tokens_per_second is not None:
        speed = [f"{state.tokens_per_second:,.0f} tok/s", f"{duration(state.seconds_left)} left"]
    return " ".join(losses), " ".join(speed)


def duration(seconds: float) -> str:
    """Hours, minutes and seconds: 1:02:03, or 2:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def report(result: RunResult) -> None:
    """What came out, as a table."""
    last = result.evaluations[-1]
    rows = [
        ("parameters", f"{result.parameters:,}"),
        ("validation loss", f"{result.validation:.4f} nats per character, whole split"),
        ("", f"{result.validation_per_token:.4f} nats per token, perplexity {result.perplexity:.4g}"),
        ("published estimate", f"{last['estimate']:.4f} nats per token, from random batches"),
    ]
    if result.best is not None:
        above = result.validation - result.best
        where = f"{abs(above):.4f} {'below' if above >= 0 else 'above'} the model's"
        rows.append(("best possible loss", f"{result.best:.4f} in windows of this length, {where}"))
    rows += learned_reach(result)
    if result.config.optimizer.decay_all:
        rows.append(("weight decay", "on every parameter, frequencies and widths too, as published"))
    rows += [("time", duration(result.seconds)), ("kept in", str(result.folder))]
    table = plain_table("after", f"{result.steps} steps")
    for name, value in rows:
        table.add_row(name, value)
    show(console(), table)


def learned_reach(result: RunResult) -> list[tuple[str, str]]:
    """How far back the model has learned to look, beside the correlation length of the text; nothing where none is known."""
    from mope_impl.training.measure.reach import reach

    data = result.config.data
    if data.source != "synthetic":
        return []
    inputs = next(result.corpus.windows(result.config.model.context, 256))[0].to(result.device)
    found = reach(result.model, inputs, vocabulary=result.corpus.vocabulary.size)
    return [("learned reach", f"{found.reach:.2f} tokens; the correlation length of the text is {data.length:g}")]
