"""Figures and files: what is drawn is what was computed, with units, words and colours; nothing is left half written."""
from __future__ import annotations

import json
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from mope_impl.book.pictures.picture import WIDEST
from mope_impl.results.report import files, make
from mope_impl.results.report.decay import alone, factor
from mope_impl.results.report.figures import DRAWINGS, Drawing, drawings
from mope_impl.results.report.figures.drawing import BLUE, GREEN, ORANGE, PURPLE, RED, STYLE, WIDTH
from mope_impl.results.store import Runs
from tests.mope_impl.results.report.made import STEPS, config, packets, rows, run, runs
from tests.mope_impl.results.report.test_losses import LOSSES

OMEGA = np.array([1.0, 1.7, 2.4, 3.1])
SIGMA = 5 / OMEGA


def some_runs() -> Runs:
    """Of every kind a few."""
    records = rows({label: own for label, own in LOSSES.items() if label != "MoPE"})
    for seed in (1, 2, 3):
        power = factor(config(seed), 0, STEPS)
        end = SIGMA**power * (1 + 0.05 * seed)
        records.append(
            packets(
                "MoPE", seed, [(0, OMEGA, SIGMA, OMEGA, SIGMA), (STEPS, OMEGA**power, end, 5 / end, end)],
                measures={"gradients": {"omega": [1.0] * 4, "sigma": [1.0] * 4, "loss": 1.0}},
            )
        )  # fmt: skip
        for length in (4, 8):
            records.append(run(f"source of length {length}", seed, 1.2, measures={"reach": length * 1.1 + seed / 10}))
        leak = {"whole": 1.4, "prefix": 1.45 + seed / 100, "positions": 64, "standard_error": 0.002}
        leak |= {"places": [3, 9, 20], "gains": [0.01, 0.05, 0.09 + seed / 100]}
        records.append(run("EGA-1", seed, LOSSES["EGA-1"][seed - 1], {"gate": "published"}, measures={"leak": leak}))
    for seed in range(1, 6):
        evaluations = tuple({"step": step, "train": None, "validation": 3.0 - step / 40 - seed / 100, "estimate": None}
                            for step in (0, 20, 40))  # fmt: skip
        records.append(run("baseline", seed, LOSSES["baseline"][seed - 1], evaluations=evaluations))
    return runs(records)


@pytest.fixture(scope="module")
def found() -> Runs:
    return some_runs()


@pytest.fixture(scope="module")
def drawn(found) -> dict[str, Drawing]:
    with mpl.rc_context(STYLE):
        return {one.name: one for _, one in drawings(make(found), found)}


def axes(drawing: Drawing):
    return [axis for panel in drawing.panels for axis in panel.axes]


def dots(axis, mark="o"):
    """(x, y) of the single marks."""
    return [tuple(line.get_xydata()[0]) for line in axis.lines if line.get_marker() == mark and len(line.get_xdata()) == 1]


def test_every_figure_is_drawn_where_there_are_runs(drawn):
    assert list(drawn) == list(DRAWINGS)


def test_none_is_drawn_without_runs():
    nothing = Runs("cpu")
    assert drawings(make(nothing), nothing) == []
    few = runs(rows({"MoPE": (1.5,)}))
    assert [one.name for _, one in drawings(make(few), few)] == ["losses"]


@pytest.mark.parametrize("name", DRAWINGS)
def test_axes_have_units_and_panels_fit_a_phone(drawn, name):
    unit = re.compile(r"\((nats per (character|token)|tokens|radians per token)\)|^step$|^folded ω times σ$")
    for axis in axes(drawn[name]):
        assert unit.search(axis.get_xlabel())
        assert unit.search(axis.get_ylabel()) or [label.get_text() for label in axis.get_yticklabels() if label.get_text()]
    assert all(panel.get_figwidth() <= WIDTH == WIDEST for panel in drawn[name].panels)


@pytest.mark.parametrize("name", DRAWINGS)
def test_words_say_what_is_seen_and_from_how_many_runs(drawn, name):
    one = drawn[name]
    assert re.search(r"\d", one.alt)
    assert len(one.alt) > 40
    assert len(one.caption) > 40
    assert "None" not in one.alt + one.caption
    with pytest.raises(ValueError, match="no words"):
        Drawing(name, " ", one.caption, one.panels)


def test_dots_are_the_means_and_lines_join_the_seeds(found, drawn):
    report = make(found)
    (axis,) = axes(drawn["losses"])
    labels = [label.get_text().replace("\n", " ") for label in axis.get_yticklabels()]
    means = {model.label: model.loss.mean for model in report.models if model.loss}
    shown = {labels[round(y)]: x for x, y in dots(axis)}
    assert shown == pytest.approx({label: means[label] for label in labels})
    joined = [line for line in axis.lines if line.get_marker() == "None" and len(line.get_xdata()) == len(labels)]
    assert len(joined) == 5  # a line for each seed, with gaps where it has no run
    fourth = joined[3].get_xdata()
    assert fourth[labels.index("baseline")] == LOSSES["baseline"][3]
    assert np.isnan(fourth[labels.index("MoPE")])


def test_bars_are_the_intervals_and_filled_dots_those_that_count(found, drawn):
    rows_ = [one for one in make(found).comparisons if one.family == "encodings" and one.value]
    axis = next(axis for axis in axes(drawn["differences"]) if axis.get_title(loc="left") == "encodings")
    bars = [tuple(line.get_xdata()) for line in axis.lines if line.get_linewidth() == 2]
    assert np.array(bars) == pytest.approx(np.array([(one.value.lower, one.value.upper) for one in rows_]))
    filled = [line.get_markerfacecolor() != "none" for line in axis.lines if line.get_marker() == "o"]
    assert filled == [one.corrected < 0.05 for one in rows_]


def test_what_counts_only_without_the_correction_stays_hollow():
    whole = runs(rows({"MoPE": (1.510, 1.513, 1.518), "baseline": (1.500, 1.500, 1.500)}))
    (one,) = (each for each in make(whole).comparisons if each.family == "encodings" and each.value)
    assert one.p < 0.05 <= one.corrected
    drawing = DRAWINGS["differences"][1](make(whole), whole)
    for axis in axes(drawing):
        assert [line.get_markerfacecolor() for line in axis.lines if line.get_marker() == "o"] == ["none"]


def test_the_plane_shows_start_end_boundary_and_decay_alone(found, drawn):
    (axis,) = axes(drawn["plane"])
    lines = {line.get_label(): np.array(line.get_xydata()) for line in axis.lines if not line.get_label().startswith("_")}
    ends = [found.of("MoPE")[seed].measures["shape"][-1] for seed in (1, 2, 3)]
    mean = np.exp(np.mean([np.log(one["sigma_effective"]) for one in ends], axis=0))
    assert lines["end, used"][:, 1] == pytest.approx(mean)
    assert lines["start"] == pytest.approx(np.stack([OMEGA, SIGMA], 1), rel=1e-6)
    there = alone(found.of("MoPE")[1], STEPS)
    assert lines["decay alone"] == pytest.approx(np.stack([there["omega"], there["sigma"]], 1), rel=1e-9)
    curves = [np.array(line.get_xydata()) for line in axis.lines if len(line.get_xdata()) == 65]
    assert np.prod(curves[0], axis=1) == pytest.approx(5)
    dashed = [line for line in axis.lines if line.get_linestyle() == "--"]
    assert len(dashed) == 4  # one for each pair whose way is drawn
    (shade,) = axis.collections
    assert (np.prod(shade.get_paths()[0].vertices, axis=1) > 5 * (1 - 1e-9)).all()


def test_the_band_and_the_dots_of_the_reach(found, drawn):
    (axis,) = axes(drawn["reach"])
    means = [one.reach.mean for one in make(found).reaches if one.length]
    line = next(line for line in axis.lines if line.get_label() == "learned reach")
    assert list(line.get_xdata()) == [4, 8]
    assert list(line.get_ydata()) == pytest.approx(means)
    band = axis.collections[0].get_paths()[0].vertices
    ratios = np.unique(np.round(band[:, 1] / band[:, 0], 6))
    assert set(ratios) == {0.5, 2.0}
    assert axis.get_xscale() == axis.get_yscale() == "log"


def test_the_leak_is_drawn_by_position_where_it_is_told(drawn):
    first, second = axes(drawn["leak"])
    assert dots(first)[0] == pytest.approx((0.07, 0))
    (line,) = (line for line in second.lines if line.get_label() == "EGA-1")
    assert list(line.get_xdata()) == [3, 9, 20]
    assert list(line.get_ydata()) == pytest.approx([0.01, 0.05, 0.11])


def luminance(colour: str) -> float:
    """Relative luminance of sRGB, as the guidelines on contrast define it."""
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in to_rgb(colour)]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [BLUE, ORANGE, GREEN, PURPLE, RED])
@pytest.mark.parametrize("background", ["white", "#121212"])
def test_colours_are_seen_on_light_and_on_dark(colour, background):
    least = 2.6  # orange on white; marks and dashes tell the same as the colour
    assert contrast(to_hex(colour), background) >= least


# --- files ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(found, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "cpu"
    files.write(make(found), found, folder)
    return folder


def test_files_are_complete_and_refer_to_each_other(found, written):
    names = {path.name for path in written.iterdir()}
    text = (written / "report.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
    assert set(pictures) == {name for name in names if name.endswith(".png")}
    assert names - set(pictures) == {"report.md", "report.json"}
    for name in pictures:
        assert (written / name).read_bytes().startswith(b"\x89PNG")
    data = json.loads((written / "report.json").read_text(encoding="utf-8"))
    assert data == make(found).to_json()


def test_a_fault_leaves_what_was_there(found, written, tmp_path, monkeypatch):
    path = tmp_path / "report.md"
    files.whole(path, b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        files.whole(path, b"new")
    assert [one.name for one in tmp_path.iterdir()] == ["report.md"]
    assert path.read_bytes() == b"old"
