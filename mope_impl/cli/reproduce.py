"""``mope reproduce``: make the runs of a declared grid, and keep the record of each."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .checkout import checkout
from .errors import FAILED, INTERRUPTED, UserError, check_names
from .grid_progress import grid_progress
from .output import console, folder, plain_table, show
from .tools import missing
from .verify import processors

if TYPE_CHECKING:
    from mope_impl.experiments.grid import Task
    from mope_impl.experiments.launch import Launcher
    from mope_impl.experiments.presets import Preset

LAUNCHERS = ("process", "ray")
DIGITS = 9
"""Of the number of a seed, at most."""
PRESETS_IN_WORDS = "smoke, cpu, paper or full"
"""Written out, so that the command line starts without torch."""


def reproduce(
    preset: Annotated[str, typer.Option(metavar="PRESET", help=PRESETS_IN_WORDS + ".")] = "smoke",
    only: Annotated[
        list[str] | None, typer.Option(metavar="VARIANT", help="Only this variant; repeatable. --list names them.")
    ] = None,
    seeds: Annotated[str | None, typer.Option(metavar="N,N,…", help="Only these seeds. [default: all of the grid]")] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Runs at a time, each in a process of its own.")] = 1,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Threads of a run. [default: the processors, shared by the workers]")
    ] = None,
    launcher: Annotated[
        str, typer.Option(metavar="NAME", help="process; or ray: on a cluster, as many tasks at a time as --workers says.")
    ] = "process",
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder for grids and records. [default: results in the checkout]")
    ] = None,
    runs: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder to train in. [default: build/runs in the checkout]")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the checkpoints of finished runs.")] = False,
    declare: Annotated[bool, typer.Option("--declare", help="Write the grid with the hash of every run; train nothing.")] = False,
    list_only: Annotated[bool, typer.Option("--list", help="Show the grid and what of it is there; train nothing.")] = False,
) -> None:
    """Train every variant of a preset with its paired seeds, and write a small record of each run as soon as it ends.

    Runs that have a record are skipped, begun ones go on from their last checkpoint: stop it when you like, and call it
    again. A run that fails is named at the end, and the others go on; the exit code is then 1.
    """
    check_names("preset", [preset], PRESETS_IN_WORDS.replace(" or ", ", ").split(", "))
    check_names("launcher", [launcher], LAUNCHERS)
    numbers = chosen_seeds(seeds)
    results, place = default_folder("--out", out, "results"), default_folder("--runs", runs, "build/runs")
    lacking = missing("training", *(("ray",) if launcher == "ray" else ()))
    if lacking:
        raise UserError(f"mope reproduce needs {', '.join(f'{tool.name} ({tool.source})' for tool in lacking)}")

    from mope_impl.experiments.grid import declared, tasks
    from mope_impl.experiments.presets import PRESETS
    from mope_impl.experiments.reproduce import reproduce as make

    chosen = PRESETS[preset]
    check_names("variant", only or (), chosen.seeds, see="mope reproduce --list names them")
    check_seeds(chosen, numbers)
    wanted = tasks(chosen, only or (), numbers)
    if list_only:
        show_grid(chosen, wanted, results / "runs", place)
        return
    with user_errors():
        grid = declared(chosen).write(results / "grids")
        if declare:
            console().print(f"wrote {grid}", markup=False, soft_wrap=True)
            return
        finished = sum(task.is_finished(results / "runs") for task in wanted)
        with grid_progress(len(wanted), finished) as progress:
            tally = make(
                wanted,
                records=results / "runs",
                runs=place,
                launcher=launch_by(launcher, workers),
                workers=workers,
                threads=threads or max(1, processors() // workers),
                keep=keep,
                on_progress=progress.on_progress,
                on_outcome=progress.on_outcome,
            )
    notes = console(stderr=True)
    for outcome in tally.faults:
        notes.print(f"failed: {outcome.task.name}: {outcome.fault}", markup=False, soft_wrap=True)
    finished += len(tally.finished)
    line = f"{finished} of {len(wanted)} runs have a record in {results / 'runs' / preset}"
    console().print(line, markup=False, soft_wrap=True)
    if tally.stopped:
        notes.print("the same command goes on from here", markup=False)
        raise typer.Exit(INTERRUPTED)
    if tally.faults:
        raise typer.Exit(FAILED)


def launch_by(name: str, workers: int) -> Launcher:
    """The launcher of a name; a single worker needs no process of its own."""
    if name == "ray":
        from mope_impl.experiments.ray_launcher import ray_cluster

        return ray_cluster
    from mope_impl.experiments import launch

    return launch.processes if workers > 1 else launch.here


def chosen_seeds(text: str | None) -> tuple[int, ...]:
    """The numbers of a list such as 1,2. Raises UserError for anything else."""
    if text is None:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) <= DIGITS for part in parts):
        raise UserError(f"--seeds: got {text!r}, expected numbers such as 1,2")
    return tuple(int(part) for part in parts)


def check_seeds(preset: Preset, seeds: Sequence[int]) -> None:
    """Raise UserError for a seed that the grid does not have."""
    most = max(preset.seeds.values())
    wrong = [seed for seed in seeds if not 1 <= seed <= most]
    if wrong:
        raise UserError(f"--seeds: got {wrong[0]}, preset {preset.name} has seeds 1 to {most}")


def default_folder(option: str, given: str | None, default: str) -> Path:
    """The folder that an option names, or the default one of the checkout. Raises UserError where there is neither."""
    chosen = folder(option, given)
    return chosen if chosen is not None else checkout(f"mope reproduce without {option}", "pyproject.toml") / default


@contextmanager
def user_errors() -> Iterator[None]:
    """A folder that cannot be written is an error of the user's."""
    try:
        yield
    except OSError as problem:
        raise UserError(f"cannot write {problem.filename}: {problem.strerror}") from problem


def show_grid(preset: Preset, wanted: Sequence[Task], records: Path, runs: Path) -> None:
    """One line for each variant: its label, and its seeds with what is there of them."""
    table = plain_table("variant", "label", "seeds", "finished", "begun", title=f"{preset.name}: {preset.title}")
    for variant in dict.fromkeys(task.variant for task in wanted):
        own = [task for task in wanted if task.variant == variant]
        done = [task for task in own if task.is_finished(records)]
        begun = [task for task in own if task not in done and task.folder(runs).exists()]
        table.add_row(variant, own[0].label, *(", ".join(str(task.seed) for task in part) for part in (own, done, begun)))
    show(console(), table)
