"""``mope report``: what it prints and writes, and one line where there is nothing to report."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from mope_impl.cli import report as command
from mope_impl.cli.report_view import fits, show_table
from mope_impl.results.report.table import Table
from tests.mope_impl.results.planted import edit, record, write


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Two runs of a preset, of five that its grid declares."""
    folder = tmp_path / "results"
    every = [record("MoPE", seed, 1.5 + seed / 100) for seed in (1, 2, 3)] + [record("baseline", seed, 1.4) for seed in (1, 2)]
    for path in write(folder, every)[2:]:
        path.unlink()
    return folder


def test_it_reports_what_is_there_and_what_is_missing(mope, results):
    done = mope("report", "--results", results)
    assert (done.code, done.err) == (0, "")
    assert "Runs of preset cpu" in done.out
    assert "2 of 5 planned" in done.out
    assert "1.5150" in done.out
    assert "3 runs of 5 of preset cpu are still to be made." in done.out
    assert "reproduced" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_json_goes_to_stdout_and_the_tables_to_stderr(mope, results):
    done = mope("report", "--results", results, "--json", "-")
    data = json.loads(done.out)
    assert data["schema"] == 1
    (one,) = data["reports"]
    assert one["scope"] == "cpu"
    assert {each["label"]: each["values"] for each in one["models"]} == {"baseline": {}, "MoPE": {"1": 1.51, "2": 1.52}}
    assert "Runs of preset cpu" in done.err


def test_files_come_to_a_folder_for_each_preset(mope, results, tmp_path):
    write(results, [record("baseline", 1, 1.3, preset="smoke")], "smoke")
    out = tmp_path / "out"
    target = tmp_path / "all.json"
    done = mope("report", "--results", results, "--out", out, "--json", target)
    assert done.code == 0
    assert sorted(path.name for path in out.iterdir()) == ["cpu", "smoke"]
    for name in ("cpu", "smoke"):
        assert (out / name / "report.md").read_text(encoding="utf-8").startswith(f"# Runs of preset {name}\n")
        assert f"written to {out / name}" in done.out
    assert sorted(one["scope"] for one in json.loads(target.read_text())["reports"]) == ["cpu", "smoke"]
    only = mope("report", "--results", results, "--preset", "smoke")
    assert "Runs of preset cpu" not in only.out


def error(done) -> str:
    """The one line of an error, on which nothing else is printed."""
    assert done.code == 2
    assert done.out == ""
    assert done.err.count("\n") == 1
    return done.err.strip()


def test_without_a_record_it_says_so_in_one_line(mope, tmp_path):
    assert error(mope("report", "--results", tmp_path)) == (
        f"mope: no record of a run in {tmp_path} (mope reproduce makes them)"
    )
    assert error(mope("report", "--results", tmp_path, "--preset", "cpu")) == (
        f"mope: no record of a run of preset cpu in {tmp_path} (mope reproduce makes them)"
    )


def test_records_that_do_not_count_are_no_records(mope, results):
    (results / "grids/cpu.json").unlink()
    assert error(mope("report", "--results", results)).endswith(
        "; 2 do not count, the first being cpu/v5/seed-1.json: no grid of preset cpu is declared (mope reproduce makes them)"
    )


def test_an_edited_record_is_named_and_not_counted(mope, results):
    def better(data):
        data["validation"] = 1.0

    edit(results / "runs/cpu/v5/seed-1.json", better)
    done = mope("report", "--results", results)
    assert done.code == 0
    assert "1 of 5 planned" in done.out
    assert "seed-1.json: its check sum is another" in " ".join(done.out.split())


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--preset", "cpuu"], "unknown preset 'cpuu': did you mean cpu?"),
        (["--results", "nowhere"], "cannot read nowhere: it is no folder"),
        (["--results", ""], "--results needs the name of a folder"),
        (["--out", ""], "--out needs the name of a folder"),
        (["--json", "nowhere/x.json"], "cannot write nowhere/x.json: there is no folder nowhere"),
    ],
)
def test_wrong_usage_is_one_line(mope, results, arguments, says):
    given = arguments if "--results" in arguments else [*arguments, "--results", str(results)]
    assert says in error(mope("report", *given))


def test_a_folder_that_cannot_be_written_is_one_line(mope, results, tmp_path):
    (tmp_path / "file").write_text("")
    done = mope("report", "--results", results, "--out", tmp_path / "file")
    assert done.code == 2
    assert done.err == f"mope: cannot write to {tmp_path / 'file' / 'cpu'}: Not a directory\n"


def test_figures_want_matplotlib_and_tables_do_not(mope, results, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert mope("report", "--results", results).code == 0
    assert "needs matplotlib" in error(mope("report", "--results", results, "--out", tmp_path / "out"))


def test_it_needs_no_torch(results):
    code = (
        "import sys; from mope_impl.cli import main; code = main(['report', '--results', sys.argv[1]]); "
        "assert 'torch' not in sys.modules, 'torch was loaded'; assert 'matplotlib' not in sys.modules; sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(results)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# --- tables on the screen ------------------------------------------------------------------------------------------------

NARROW = Table("x", "Title", ("name", "number"), (("a long name of something", "1.25"), ("b", "−2.50")), ("A note.",))
WIDE = Table("x", "Title", ("name", *(f"number {at}" for at in range(9))), (("a", *("1.2500000",) * 9),))


def printed(table: Table, width: int) -> list[str]:
    screen = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    show_table(table, screen)
    return [line.rstrip() for line in screen.export_text().splitlines() if line.strip()]


def test_a_table_that_fits_has_a_row_a_line():
    assert fits(NARROW, 40)
    assert printed(NARROW, 40) == [
        "Title",
        "name                      number",
        "a long name of something    1.25",
        "b                          −2.50",
        "  A note.",
    ]


def test_one_that_does_not_is_set_row_by_row():
    assert not fits(WIDE, 80)
    lines = printed(WIDE, 80)
    assert lines[1].split() == ["name", "a"]
    assert lines[2].split() == ["number", "0", "1.2500000"]
    assert len(lines) == 11


def test_what_is_absent_is_said():
    assert printed(Table("x", "Title", ("a",), (), absent="Nothing is there."), 40) == ["Title", "  Nothing is there."]
