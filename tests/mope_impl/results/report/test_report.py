"""The whole report: verdicts as the ledger has them, tables of text, what is missing, and no runs at all."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import mope_theory as mt
from mope_impl.ledger.providers.experiment import experiments
from mope_impl.ledger.verdict import experimental
from mope_impl.results.report import make, text
from mope_impl.results.report.estimate import Estimate
from mope_impl.results.report.markdown import markdown
from mope_impl.results.report.table import Table
from mope_impl.results.report.tables import TABLES
from mope_impl.results.report.verdicts import verdicts
from mope_impl.results.report.whole import runs_of
from mope_impl.results.store import Fault, Runs, load
from mope_impl.training.measure.reach import SHARE
from mope_theory.vocabulary.measured import LEVEL
from tests.mope_impl.results import planted
from tests.mope_impl.results.report.made import rows, run, runs
from tests.mope_impl.results.report.test_losses import LOSSES

NOTHING = Runs("cpu")
FILE = Path("runs/cpu/variant/seed-1.json")


def cells(table: Table) -> list[tuple[str, ...]]:
    return [row for at, row in enumerate(table.rows) if at not in table.heads]


# --- verdicts ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scopes(tmp_path_factory) -> dict[str, Runs]:
    """Runs in which everything that is claimed holds, as the tests of the rules have them."""
    folder = tmp_path_factory.mktemp("results")
    planted.write(folder, planted.all_hold())
    return load(folder)


def of_the_ledger(found: dict[str, Runs], scope: str) -> dict[str, str]:
    return {claim.id: experimental(experiments(claim, found), scope) or "open" for claim in mt.claims() if claim.rules}


@pytest.mark.parametrize("scope", ["cpu", "paper"])
def test_verdicts_are_those_of_the_ledger(scopes, scope):
    found = {one.claim: one.verdict for one in verdicts(scopes[scope])}
    assert found == of_the_ledger(scopes, scope)
    assert set(found.values()) == ({"reproduced"} if scope == "cpu" else {"open"})


@pytest.mark.parametrize("label", ["EGA + MoPE", "EGA-1, causal", "MoPE", "source of length 8", "MoPE, learned centre"])
@pytest.mark.parametrize("change", ["worse", "fewer", "diverged", "refused"])
def test_they_are_whatever_is_wrong_with_a_model(scopes, label, change):
    whole = scopes["cpu"]
    own = dict(whole.of(label))
    if change == "worse":
        own = {seed: planted.record(label, seed, 3.0 + seed / 100, measures={**one.measures, **({"reach": 99.0 + seed}
               if "source" in label else {})}) for seed, one in own.items()}  # fmt: skip
    elif change == "fewer":
        own.pop(1)
        own.pop(2)
    elif change == "diverged":
        own[1] = planted.record(label, 1, None)
    faults = (Fault(FILE, label, "it was edited"),) if change == "refused" else ()
    found = Runs("cpu", {**whole.records, label: own}, whole.planned, refused=faults)
    shown = verdicts(found)
    assert {one.claim: one.verdict for one in shown} == of_the_ledger({"cpu": found}, "cpu")
    rulings = [ruling for one in shown for ruling in one.rulings]
    assert [one for one in rulings if one.truth is not True or one.refused]


def test_a_verdict_says_why(scopes):
    whole = scopes["cpu"]
    own = {seed: planted.record("MoPE", seed, 1.2 + seed / 1000, measures=one.measures) for seed, one in whole.of("MoPE").items()}
    found = {one.claim: one for one in verdicts(Runs("cpu", {**whole.records, "MoPE": own}, whole.planned))}
    (ruling,) = found["experiment.table"].rulings
    assert ruling.truth is False
    assert "L(baseline) − L(MoPE) = 0.2" in ruling.reason
    assert "(the opposite is shown)" in ruling.reason
    assert (ruling.seeds, ruling.asked) == (5, 5)
    missing = {one.claim: one for one in verdicts(Runs("cpu", {}, whole.planned))}
    (ruling,) = missing["experiment.synthetic"].rulings
    assert (ruling.truth, ruling.runs) == (None, 0)
    assert "source of length 4 has no seeds of 3" in ruling.reason


# --- the whole -----------------------------------------------------------------------------------------------------------


def test_no_run_gives_a_report_that_says_so():
    report = make(NOTHING)
    for name, build in TABLES.items():
        table = build(report)
        assert table.name == name
        assert bool(table.rows) == (name in ("source", "verdicts")), name
        assert table.absent
    assert [one.verdict for one in report.verdicts] == ["open"] * len(report.verdicts)
    assert "No model on a text of preset cpu has been run yet." in markdown(report)


def test_what_is_planned_and_not_run_is_listed():
    report = make(runs(rows({"MoPE": (1.5, 1.6)}), {"MoPE": 5, "baseline": 5, "EGA-1": 2}))
    table = TABLES["missing"](report)
    assert table.rows == (
        ("baseline", "0 of 5", "5 runs"),
        ("MoPE", "2 of 5", "3 runs"),
        ("EGA-1", "0 of 2", "2 runs"),
    )
    assert table.notes == ("10 runs of 12 of preset cpu are still to be made.",)
    assert TABLES["missing"](make(runs(rows({"MoPE": (1.5, 1.6)})))).absent == "Every planned run of preset cpu has been made."


def test_it_says_which_records_it_is_from():
    records = [
        run("MoPE", 1, 1.5, seconds=100.0, finished="2026-01-03T00:00:00+00:00", source={"commit": "abc" * 10, "modified": True}),
        run("MoPE", 2, 1.5, seconds=50.0, finished="2026-01-02T00:00:00+00:00"),
    ]
    stale = Fault(FILE, "MoPE", "its configuration is not that of the grid")
    whole = Runs("cpu", {"MoPE": {one.seed: one for one in records}}, {"MoPE": 5}, (stale,))
    found = dict(TABLES["source"](make(whole)).rows)
    assert found["records"] == "2 of 5 planned"
    assert found["finished"] == "2026-01-02 00:00 to 2026-01-03 00:00"
    assert found["training time"] == "2 min"
    assert "abcabcabcabc+ (1 run)" in found["made at commit"]
    assert found["device"] == "none, 1 thread (2 runs)"
    assert found["out of date, not counted"] == "cpu/variant/seed-1.json: its configuration is not that of the grid"


def test_what_sets_a_model_apart_is_told_by_its_records():
    records = rows({"baseline": (1.5,)}) + rows({"none": (1.6,)}, model={"encoding": "none"})
    table = TABLES["design"](make(runs(records, {"baseline": 5, "none": 5, "MoPE": 5})))
    assert [row[2:] for row in table.rows] == [("–", "5"), ("model.encoding none", "5"), ("not run yet", "5")]


def test_it_is_plain_data(scopes):
    data = make(scopes["cpu"]).to_json()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["schema"] == 1
    (row,) = (one for one in data["comparisons"] if one["family"] == "encodings" and one["models"] == ["RoPE", "baseline"])
    assert row["value"]["seeds"] == [1, 2, 3, 4, 5]
    assert row["value"]["lower"] < row["value"]["mean"] < row["value"]["upper"]


def test_a_scope_has_its_runs_and_another_preset_its_own(tmp_path):
    planted.write(tmp_path, [planted.record("MoPE", 1, 1.5, preset="full")], "full")
    planted.write(tmp_path, [planted.record("MoPE", 2, 1.6, preset="smoke")], "smoke")
    assert list(runs_of(tmp_path, "paper").of("MoPE")) == [1]  # the scope of the published size counts both its presets
    assert list(runs_of(tmp_path, "full").of("MoPE")) == [1]
    assert list(runs_of(tmp_path, "smoke").of("MoPE")) == [2]
    assert not runs_of(tmp_path, "cpu").records


# --- tables of text ------------------------------------------------------------------------------------------------------


def test_the_loss_table_says_mean_interval_seeds_and_size():
    report = make(runs(rows({"MoPE": (1.5, 1.6), "baseline": (1.4,)}), {"MoPE": 5, "baseline": 5}))
    assert cells(TABLES["losses"](report)) == [
        ("baseline", "1.4000", "–", "1 of 5", "1\u202f000"),
        ("MoPE", "1.5500", "[0.9147, 2.1853]", "1, 2 of 5", "1\u202f000"),  # 12.7062·0.05
    ]


@pytest.mark.parametrize("parameters, shown", [(4_816_640, True), (4_816_639, False)])
def test_reported_figures_stand_beside_models_of_the_published_size_alone(parameters, shown):
    report = make(runs(rows({"baseline": (1.47, 1.48), "EGA + none": (1.5,)}, parameters=parameters)))
    table = TABLES["losses"](report)
    assert ("reported" in table.columns) == shown
    if shown:
        assert [row[-1] for row in table.rows] == ["1.4742", "–"]


def test_sources_stand_in_a_table_of_their_own():
    found = [run("source of length 8", seed, 1.2, measures={"reach": 8.0 + seed, "best_loss": 1.1}) for seed in (1, 2)]
    report = make(runs([*found, run("MoPE", 1, 1.5, measures={"reach": 3.0})]))
    assert [row[0] for row in TABLES["losses"](report).rows] == ["MoPE"]
    (row,) = TABLES["reach"](report).rows
    assert (row[0], row[1], row[3], row[6:]) == ("8", "9.50", "1.19", ("1.2000", "1.1000", "1, 2"))
    assert [row[0] for row in TABLES["look"](report).rows] == ["MoPE"]


def test_families_are_headed_and_the_sign_flip_has_a_column_where_it_can_be_made():
    table = TABLES["differences"](make(runs(rows(LOSSES))))
    assert table.rows[min(table.heads)][0] == "rows of the table (5 comparisons)"
    assert "p by sign flips" not in table.columns
    eight = {label: [loss + (seed * 7 % 5) / 1000 for seed in range(8)] for label, loss in (("MoPE", 1.5), ("baseline", 1.51))}
    table = TABLES["differences"](make(runs(rows(eight))))
    assert "p by sign flips" in table.columns
    assert ("MoPE − baseline", "−0.0100") in [row[:2] for row in table.rows]
    # the difference is the same for every seed: only two of the 256 patterns of signs reach it
    assert {row[-1] for row in cells(table) if row[0] == "MoPE − baseline"} == {"0.0078"}


def test_rows_have_as_many_cells_as_there_are_columns():
    with pytest.raises(ValueError, match="a row has 1 cells, there are 2 columns"):
        Table("x", "X", ("a", "b"), (("1",),))


def test_markdown_has_every_row_and_no_markup_from_the_cells():
    report = make(runs(rows({"MoPE": (1.5, 1.6), "baseline": (1.4, 1.45)})))
    found = markdown(report, {"losses": [("alt *text*", "Caption.", ["a.png", "b.png"])]})
    assert found.count("\n## ") == len(TABLES)
    for build in TABLES.values():
        table = build(report)
        assert f"## {table.title}" in found
        for row in cells(table):
            line = "| " + " | ".join(re.sub(r"([\\|*_\[\]<>`])", r"\\\1", cell) for cell in row) + " |"
            assert line in found
    assert "![alt \\*text\\*](a.png)\n![alt \\*text\\*](b.png)\n\nCaption." in found


def test_words_that_are_written_out_say_what_is_computed():
    report = make(runs([run("source of length 8", 1, 1.2, measures={"reach": 8.0})]))
    assert "95 % interval" in TABLES["losses"](report).columns
    assert float(LEVEL) == 0.95
    assert f"within which {100 * SHARE:.2f} % of the influence" in TABLES["reach"](report).notes[0]


@pytest.mark.parametrize(
    "shown, wanted",
    [
        (text.number(-0.00001), "0.0000"),
        (text.number(0.01234, sign=True), "+0.0123"),
        (text.number(-1.5, 1), "−1.5"),
        (text.significant(0.0123456), "0.0123"),
        (text.significant(-4.4e-7, 2), "−4.4·10⁻⁷"),
        (text.significant(0.0), "0"),
        (text.significant(128.4), "128"),
        (text.p_value(None), "–"),
        (text.p_value(0.00003), "< 0.0001"),
        (text.p_value(0.0312), "0.031"),
        (text.seeds(()), "none"),
        (text.seeds((1, 2, 3, 4, 5)), "1–5"),
        (text.seeds((5, 1, 2)), "1, 2, 5"),
        (text.seeds((1, 3, 4, 5, 9)), "1, 3–5, 9"),
        (text.interval(Estimate(1.0, 0.5, 1.5, (1, 2)), 2), "[0.50, 1.50]"),
        (text.interval(Estimate(1.0, None, None, (1,))), "–"),
        (text.with_ends(Estimate(0.0694, 0.0649, 0.074, (1, 2))), "0.0694 [0.0649, 0.0740]"),
        (text.with_ends(Estimate(0.0694, None, None, (1,))), "0.0694"),
        (text.percent(Estimate(0.866, None, None, (1,))), "86.6 %"),
        (text.thousands(4816640), "4\u202f816\u202f640"),
        (text.thousands(None), "–"),
        (text.duration(59.6), "60 s"),
        (text.duration(31680), "8.8 h"),
        (text.setting(True), "yes"),
        (text.setting(1e-3), "0.001"),
    ],
)
def test_numbers_are_set_as_text(shown, wanted):
    assert shown == wanted
