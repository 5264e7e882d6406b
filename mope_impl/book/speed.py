"""Recorded measurements of speed as tables and a figure: training steps, and rotations, beside those of others.

Ratios and their intervals are formed here from the seconds of each round; nothing is taken that was summed up before, but for
memory, which is one number.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mope_impl.bench.statistics import Middle, middle, ratios
from mope_impl.results.report.figures.drawing import BLUE, ORANGE, SMALL, Drawing, ink, panel
from mope_impl.results.report.table import Table
from mope_impl.results.report.text import NONE, number

Document = Mapping[str, Any]
Case = Mapping[str, Any]
Row = Mapping[str, Any]

ROTARY = "rotary"
INTERVAL = "the median over rounds, with an interval that holds it with a confidence of 95 %"


def read(folder: Path, benchmark: str) -> list[Document]:
    """The records of a benchmark in a folder, one for each device. Raises ValueError, in one line, for a file that is none."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            if document["benchmark"] == benchmark:
                found.append(document)
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise ValueError(f"{path}: not the record of a benchmark: {type(fault).__name__}: {fault}") from None
    return found


def tables(document: Document) -> list[Table]:
    """What was measured, in the order of reading."""
    return list(TABLES[document["benchmark"]](document))


def figure(document: Document) -> Drawing:
    """The ratios of speed, a panel for each case or pair of cases."""
    return FIGURES[document["benchmark"]](document)


def sentence(document: Document) -> str:
    """Where, when and with what it was measured, and how often."""
    device, source = document["device"], document["source"]
    versions = ", ".join(f"{name} {version}" for name, version in document["versions"].items())
    changed = ", with changes" if source["modified"] else ""
    commit = f"commit {source['commit'][:12]}{changed}" if source["commit"] else "no checkout"
    times = len(next(_timed(document["cases"][0]))["rounds"])
    return f"{device['name']}, {device['threads']} threads; {document['date'][:10]}; {times} rounds; {versions}; {commit}."


def goals(document: Document) -> Table:
    """What was aimed at beforehand, and whether the medians meet it."""
    rows: list[tuple[str, ...]] = []
    heads, met, all_of_them = [], 0, 0
    for case in document["cases"]:
        if case["goals"]:
            heads.append(len(rows))
            rows.append((_title(case), "", "", "", ""))
        for goal in case["goals"]:
            met, all_of_them = met + goal["met"], all_of_them + 1
            values = number(goal["value"], 3), number(goal["limit"], 3)
            rows.append((goal["name"], goal["goal"], *values, "yes" if goal["met"] else "no"))
    title = f"What was aimed at: {met} of {all_of_them} are met"
    return Table("goals", title, ("", "goal", "measured", "limit", "met"), tuple(rows), left=2, heads=frozenset(heads))


def _training(document: Document) -> Iterator[Table]:
    """Speed and memory of training steps, grouped by cases."""
    peer = document["peer"]["name"]
    others = [peer, *(row["name"] for row in document["cases"][0]["rows"] if row["name"].startswith(f"{peer}, ")), ROTARY]
    speed: list[tuple[str, ...]] = []
    memory: list[tuple[str, ...]] = []
    heads = []
    for case in document["cases"]:
        heads.append(len(speed))
        speed.append((_title(case), *("" for _ in range(2 + len(others)))))
        memory.append((_title(case), "", "", "", ""))
        by_name = {row["name"]: row for row in case["rows"]}
        for name, row in by_name.items():
            seconds = row["rounds"]
            step = middle(seconds).median
            tokens = case["batch"] * case["context"] / step
            compared = (_ratio(ratios(by_name[one]["rounds"], seconds)) if one in by_name else NONE for one in others)
            speed.append((name, number(1e3 * step, 1), f"{tokens:_.0f}".replace("_", "\u202f"), *compared))
            memory.append((name, *_memory(row, by_name.get(peer), "tensor_bytes", 1),
                           *_memory(row, by_name.get(peer), "resident_bytes", 0)))  # fmt: skip
    marked = frozenset(heads)
    columns = ("", "ms", "tokens/s", *(f"speed to {name}" for name in others))
    note = f"A ratio is of tokens a second within a round, {INTERVAL}: above 1 a step is faster than the one it is compared with."
    yield Table("training-speed", "Speed", columns, tuple(speed), (note,), heads=marked)
    columns = ("", "tensors, MiB", f"to {peer}", "process, MiB", f"to {peer}")
    note = (
        "Tensors: parameters, state of the optimiser, and the most that a step allocates besides. The process has the libraries "
        "and the compiler in it, too."
    )
    yield Table("training-memory", "Peak memory of a step", columns, tuple(memory), (note,), heads=marked)


def _memory(row: Row, peer: Row | None, key: str, digits: int) -> tuple[str, str]:
    own, other = row[key], peer and peer[key]
    return (NONE if own is None else number(own / 2**20, digits), number(own / other, 3) if own and other else NONE)


def _rotation(document: Document) -> Iterator[Table]:
    """Ratios to the copy, a row for each function and a column for each mode and pass, grouped by dtypes."""
    rows: list[tuple[str, ...]] = []
    heads, missing = [], {}
    columns = tuple(dict.fromkeys((case["mode"], case["pass"]) for case in document["cases"]))
    for dtype, cases in _by_dtype(document).items():
        heads.append(len(rows))
        rows.append((dtype, *("" for _ in columns)))
        for name in [row["name"] for row in _turned(cases[0])]:
            cells = dict.fromkeys(columns, NONE)
            for case in cases:
                row = next(row for row in case["rows"] if row["name"] == name)
                if "rounds" in row:
                    cells[case["mode"], case["pass"]] = _ratio(_to_copy(case, row))
                else:
                    missing[name] = next(row[key] for key in ("missing", "failed", "wrong") if key in row)
            rows.append((name, *cells.values()))
    case = document["cases"][0]
    sizes = f"({case['batch']}, {case['heads']}, {case['tokens']}, {case['channels']})"
    absent = tuple(f"{name} is not timed: {why}." for name, why in missing.items())
    names = ("", *(f"{mode}, {which}" for mode, which in columns))
    note = (
        f"Queries and keys of shape {sizes}. A ratio is of times within a round, {INTERVAL}: 1 is the time in which q and k are "
        "copied, and forward and backward their gradients, too."
    )
    yield Table("rotations", "Time, as a ratio to the copy", names, tuple(rows), (note, *absent), heads=frozenset(heads))


def _draw_training(document: Document) -> Drawing:
    """Tokens a second over those of the peer."""
    peer, panels = document["peer"]["name"], []
    for case in document["cases"]:
        of_peer = next(row["rounds"] for row in case["rows"] if row["name"] == peer)
        rows = [row for row in case["rows"] if row["name"] != peer]
        shape, axes = panel(0.9 + 0.3 * len(rows))
        for place, row in enumerate(rows):
            _mark(axes, place, ratios(of_peer, row["rounds"]), not row["name"].startswith(peer), filled=True)
        axes.axvline(1, color=ink(), linewidth=1)
        axes.set(title=_title(case), xlabel=f"speed to {peer}")
        _names(axes, rows)
        panels.append(shape)
    alt = f"Dots with intervals: how many tokens a second each training step makes, over those of {peer}, in each case."
    caption = f"Training steps beside {peer}'s: right of the line is faster. A dot is {INTERVAL}; ours are blue."
    return Drawing("training-step", alt, caption, tuple(panels))


def _draw_rotation(document: Document) -> Drawing:
    """Times over that of the copy, eager and compiled in one panel."""
    panels = []
    for dtype, cases in _by_dtype(document).items():
        for which in dict.fromkeys(case["pass"] for case in cases):
            shown = [case for case in cases if case["pass"] == which]
            rows = _turned(shown[0])
            shape, axes = panel(1.0 + 0.27 * len(rows))
            for case in shown:
                by_name = {row["name"]: row for row in _timed(case)}
                for place, one in enumerate(rows):
                    if row := by_name.get(one["name"]):
                        _mark(axes, place, _to_copy(case, row), row["ours"], filled=case["mode"] == "compiled")
            axes.axvline(1, color=ink(), linewidth=1)
            axes.set(title=f"{dtype}, {which}", xlabel="time to the copy", xscale="log")
            axes.set_xticks(ticks := [1, 2, 5, 10, 20], [str(tick) for tick in ticks])
            axes.minorticks_off()
            _names(axes, rows)
            panels.append(shape)
    alt = "Dots with intervals: the time of each rotary encoding over that of copying queries and keys, on a logarithmic axis."
    caption = (
        f"Rotations of queries and keys: the further left, the faster; at the line as fast as a copy. A dot is {INTERVAL}: "
        "filled compiled, hollow eager; ours are blue."
    )
    return Drawing("rotary", alt, caption, tuple(panels))


def _mark(axes: Any, place: int, value: Middle, ours: bool, filled: bool) -> None:
    colour = BLUE if ours else ORANGE
    if value.low is not None and value.high is not None:
        axes.plot([value.low, value.high], [place, place], color=colour, linewidth=2, solid_capstyle="butt")
    axes.plot([value.median], [place], "o", color=colour, markersize=5, markerfacecolor=colour if filled else "none")


def _names(axes: Any, rows: Sequence[Row]) -> None:
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows], fontsize=SMALL)
    axes.tick_params(axis="x", labelsize=SMALL)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.2)


def _timed(case: Case) -> Iterator[Row]:
    return (row for row in case["rows"] if "rounds" in row)


def _turned(case: Case) -> list[Row]:
    """All rows but the first, which is the copy."""
    return list(case["rows"][1:])


def _to_copy(case: Case, row: Row) -> Middle:
    return ratios(row["rounds"], case["rows"][0]["rounds"])


def _by_dtype(document: Document) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in document["cases"]:
        found.setdefault(case["dtype"], []).append(case)
    return found


def _title(case: Case) -> str:
    """What tells a case from the others."""
    parts = (case.get(key) for key in ("size", "precision", "dtype", "mode", "pass"))
    return ", ".join(part for part in parts if part)


def _ratio(value: Middle) -> str:
    if value.low is None or value.high is None or value.low == value.high:  # too few rounds, or of one to itself
        return number(value.median, 3)
    return f"{number(value.median, 3)} [{number(value.low, 3)}, {number(value.high, 3)}]"


TABLES: Mapping[str, Callable[[Document], Iterator[Table]]] = {"training-step": _training, ROTARY: _rotation}
FIGURES: Mapping[str, Callable[[Document], Drawing]] = {"training-step": _draw_training, ROTARY: _draw_rotation}
