"""Evidence by experiment: verdicts scoped by preset, from records in a folder; faults planted in the records."""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import mope_theory as mt
from mope_impl.ledger import Evidence, Ledger, Row, verify
from mope_impl.ledger import ledger as module
from mope_impl.ledger.providers.experiment import experiments
from mope_impl.results.store import load
from mope_theory.claims.expected import EXPECTED
from mope_theory.experiments import DECIDING, SCOPES
from mope_theory.statement import And, Less
from tests.mope_impl.results.planted import BASE, all_hold, edit, record, scatter, variant, write

JUDGED = tuple(claim.id for claim in mt.claims() if claim.rules)


@pytest.fixture(scope="module")
def holding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results at the size of the cpu preset under which every rule holds; not to be written to."""
    folder = tmp_path_factory.mktemp("results")
    write(folder, all_hold())
    return folder


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """The same, for a test to spoil."""
    write(tmp_path, all_hold())
    return tmp_path


def verdicts(folder: Path, *ids: str) -> dict[str, str]:
    found = verify(ids or JUDGED, ["experiment"], results=folder)
    return {scope.id: scope.verdict for row in found for scope in row.scopes}


def path(folder: Path, label: str, seed: int, preset: str = "cpu") -> Path:
    return folder / "runs" / preset / variant(label) / f"seed-{seed}.json"


# --- verdicts ------------------------------------------------------------------------------------------------------------


def test_every_judged_claim_has_a_verdict_at_each_preset(holding: Path):
    found = verdicts(holding)
    assert {id for id, verdict in found.items() if verdict == "reproduced"} == {f"{id}@cpu" for id in JUDGED}
    assert {id for id, verdict in found.items() if verdict == "open"} == {f"{id}@paper" for id in JUDGED}


def test_a_small_model_decides_nothing_that_the_paper_says(holding: Path):
    rows = {row.claim.id: row for row in verify(JUDGED, ["experiment"], results=holding)}
    assert {id: row.verdict for id, row in rows.items()} == {
        **dict.fromkeys(JUDGED, "open"),
        "experiment.synthetic": "reproduced",  # ours alone
    }
    assert rows["experiment.table"].missing == ("experiment",)
    assert rows["experiment.synthetic"].missing == ()
    assert not any(row.contradicts for row in rows.values())


def test_runs_at_the_size_of_the_paper_decide(tmp_path: Path):
    write(tmp_path, all_hold(preset="full"), "full")
    (row,) = verify(["experiment.extensions"], ["experiment"], results=tmp_path)
    assert (row.verdict, row.missing) == ("reproduced", ())
    assert [(one.id, one.verdict) for one in row.scopes] == [
        ("experiment.extensions@cpu", "open"),
        ("experiment.extensions@paper", "reproduced"),
    ]


def test_what_is_measured_beside_a_proof_changes_no_verdict(holding: Path):
    (row,) = verify(["learning.multipliers"], ["derive", "experiment"], results=holding)
    assert (row.verdict, row.missing) == ("proved", ())
    assert (row.scopes[0].id, row.scopes[0].verdict) == ("learning.multipliers@cpu", "reproduced")
    against = tuple(replace(piece, establishes=False) if piece.kind == "experiment" else piece for piece in row.evidence)
    assert replace(row, evidence=against).verdict == "proved"
    assert replace(row, evidence=against).scopes[0].verdict == "not-reproduced"
    alone = tuple(piece for piece in row.evidence if piece.kind == "experiment")
    assert replace(row, evidence=alone).verdict == "open"


def test_nothing_run_is_open_and_never_a_pass(tmp_path: Path):
    found = verify(JUDGED, ["experiment"], results=tmp_path)
    assert {row.verdict for row in found} == {"open"}
    assert {piece.status for row in found for piece in row.evidence} == {"missing"}
    assert found.exit_code() == 0
    assert found.exit_code(strict=True) == 1
    assert "experiment.table: open; missing experiment" in found.complaints(strict=True)


def test_verdicts_do_not_look_at_what_is_expected(holding: Path, monkeypatch: pytest.MonkeyPatch):
    honest = verdicts(holding)
    monkeypatch.setattr(module, "EXPECTED", dict.fromkeys(EXPECTED, "sentinel"))
    assert verdicts(holding) == honest


def test_our_statement_does_not_stand_in_for_the_paper_s():
    claim = mt.claim("experiment.leak")

    def piece(side: str, truth: bool | None, status: str = "holds") -> Evidence:
        return Evidence("experiment", side, truth, status, "", 0.0, preset="paper")

    assert Row(claim, (piece("published", None, "unknown"), piece("ours", True)), None).verdict == "open"
    assert Row(claim, (piece("published", None, "missing"), piece("ours", False)), None).verdict == "open"
    assert Row(claim, (piece("published", True), piece("ours", False)), None).verdict == "reproduced"
    assert Row(claim, (piece("published", True), piece("published", False)), None).verdict == "conflict"


def test_a_rule_with_its_sign_turned_flips_the_verdict(holding: Path):
    own = mt.claim("experiment.extensions")
    first = own.published.body[1]
    turned = And(own.published.body[0], Less(first.rhs, first.lhs), *own.published.body[2:])
    pieces = experiments(replace(own, published=turned), load(holding))
    assert [(piece.preset, piece.establishes) for piece in pieces] == [("cpu", False), ("paper", None)]
    assert Row(own, pieces, None).scopes[0].verdict == "not-reproduced"


# --- one verdict at one preset -------------------------------------------------------------------------------------------


def test_a_preset_may_be_asked_for(holding: Path):
    (row,) = verify(["experiment.table@cpu"], ["experiment"], results=holding)
    assert (row.id, row.verdict, row.expected) == ("experiment.table@cpu", "reproduced", None)
    assert {piece.preset for piece in row.evidence} == {"cpu"}
    assert verify(["experiment.table@paper"], ["experiment"], results=holding).rows[0].verdict == "open"


def test_a_claim_and_its_presets_may_be_asked_for_together(holding: Path):
    ids = ["experiment.table", "experiment.table@cpu", "experiment.table@paper"]
    assert [row.id for row in verify(ids, ["experiment"], results=holding)] == ids


def test_wrong_presets_are_refused():
    with pytest.raises(mt.UnknownName, match=r"unknown preset 'cpuu': did you mean cpu\?"):
        verify(["experiment.table@cpuu"])
    with pytest.raises(mt.UnknownName, match=r"did you mean experiment\.table\?"):
        verify(["experiment.tabel@cpu"])
    with pytest.raises(ValueError, match=r"no run speaks of kernel\.product"):
        verify(["kernel.product@cpu"])


def test_json_tells_both_presets(holding: Path):
    data = json.loads(json.dumps(verify(["experiment.leak"], ["experiment"], results=holding).to_json()))
    (claim,) = data["claims"]
    assert data["schema"] == 1
    assert [(scope["id"], scope["verdict"]) for scope in claim["scopes"]] == [
        ("experiment.leak@cpu", "reproduced"),
        ("experiment.leak@paper", "open"),
    ]
    assert all(set(scope) == {"id", "verdict", "detail"} for scope in claim["scopes"])
    assert [(piece["preset"], piece["side"], piece["establishes"]) for piece in claim["evidence"]] == [
        ("cpu", "published", "true"),
        ("cpu", "ours", "true"),
        ("paper", "published", None),
        ("paper", "ours", None),
    ]
    again = [Evidence.from_json(piece) for piece in claim["evidence"]]
    assert [piece.to_json() for piece in again] == claim["evidence"]


def test_the_detail_has_intervals_and_what_is_not_shown(results: Path):
    for seed in range(1, 6):  # RoPE is now as good as the baseline, on average
        loss = BASE["baseline"] + scatter(seed) + (0.002, -0.001, -0.003, 0.003, 0.0005)[seed - 1]
        record("RoPE", seed, loss).write(results / "runs")
    piece = experiments(mt.claim("experiment.table"), load(results))[0]
    assert piece.establishes is False
    assert piece.detail.startswith("5 paired seeds, 30 of 30 runs: ✓ L(EGA + MoPE) − L(EGA-1) = −0.")
    (line,) = (part for part in piece.detail.split("; ") if part.startswith("✗"))
    assert line.startswith("✗ L(RoPE) − L(baseline) = ")
    assert line.endswith("(not shown)")


def test_the_detail_says_where_the_opposite_is_shown(results: Path):
    for seed in range(1, 6):
        record("RoPE", seed, 1.8 + scatter(seed)).write(results / "runs")
    detail = experiments(mt.claim("experiment.table"), load(results))[0].detail
    (line,) = (part for part in detail.split("; ") if part.endswith("(the opposite is shown)"))
    assert line.startswith("✗ L(RoPE) − L(baseline) = ")


# --- planted faults ------------------------------------------------------------------------------------------------------

SPOILED: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "an edited loss": (
        lambda folder: edit(path(folder, "RoPE", 2), lambda data: data.update(validation=1.0)),
        "fails",
        "check sum",
    ),
    "an edited configuration": (
        lambda folder: edit(path(folder, "RoPE", 2), lambda data: data["config"]["training"].update(steps=9), resum=True),
        "fails",
        "config_hash",
    ),
    "a swapped seed": (
        lambda folder: path(folder, "RoPE", 2).replace(path(folder, "RoPE", 3)),
        "fails",
        "it is the record of",
    ),
    "half a file": (
        lambda folder: path(folder, "RoPE", 2).write_text(path(folder, "RoPE", 2).read_text()[:200]),
        "fails",
        "cut off or damaged",
    ),
    "a missing pair": (lambda folder: path(folder, "RoPE", 2).unlink(), "unknown", "RoPE has 4 seeds of 5"),
    "a diverged run": (
        lambda folder: record("RoPE", 2, None).write(folder / "runs"),
        "unknown",
        "RoPE diverged with seed 2",
    ),
    "a wrong recipe": (
        lambda folder: edit(folder / "grids/cpu.json", lambda data: data.update(recipe=8)),
        "stale",
        "it was made by recipe 7, the grid is of recipe 8",
    ),
    "no grid": (lambda folder: (folder / "grids/cpu.json").unlink(), "stale", "no grid of preset cpu is declared"),
    "two sizes of one model": (
        lambda folder: replace(record("baseline", 2, 1.5), parameters=1001).write(folder / "runs"),
        "fails",
        "1000 and 1001 parameters",
    ),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_wrong_with_a_record_is_seen(results: Path, name: str):
    spoil, status, said = SPOILED[name]
    assert verdicts(results, "experiment.table")["experiment.table@cpu"] == "reproduced"
    spoil(results)
    found = verify(["experiment.table"], ["experiment"], results=results)
    (row,) = found
    piece = next(one for one in row.evidence if one.preset == "cpu")
    assert (piece.status, piece.establishes) == (status, None)
    assert said in piece.detail
    assert row.scopes[0].verdict == "open"
    assert found.exit_code() == (status == "fails")
    word, shown = {
        "fails": ("fails", found.complaints()),
        "unknown": ("undecided", found.remarks()),
        "stale": ("stale", found.remarks()),
    }[status]
    assert any(line.startswith(f"experiment.table: experiment@cpu {word}: ") for line in shown)


def test_a_fault_in_one_model_leaves_other_claims_alone(results: Path):
    edit(path(results, "MoPE, learned centre", 1), lambda data: data.update(validation=1.0))
    found = verdicts(results)
    assert found["experiment.extensions@cpu"] == "open"
    assert found["experiment.table@cpu"] == "reproduced"


def test_a_stale_record_is_shown_beside_those_that_count(results: Path):
    record("RoPE", 9, 1.0).write(results / "runs")
    piece = experiments(mt.claim("experiment.table"), load(results))[0]
    assert piece.establishes is True
    name = variant("RoPE")
    assert piece.detail.endswith(f"; out of date, not counted: cpu/{name}/seed-9.json: the grid has no seed 9 for {name}")


def test_a_statement_that_is_no_rule_fails(holding: Path):
    own = mt.claim("experiment.extensions")
    pieces = experiments(replace(own, published=And(*own.published.body[1:])), load(holding))
    assert {piece.status for piece in pieces} == {"fails"}
    assert "asks for a number of seeds" in pieces[0].detail


# --- what the ledger rests on --------------------------------------------------------------------------------------------


def test_the_deciding_preset_is_a_scope():
    assert set(DECIDING.values()) <= set(SCOPES)


def test_claims_without_runs_have_no_evidence_by_experiment(holding: Path):
    assert experiments(mt.claim("kernel.product"), load(holding)) == ()
    assert verify(["kernel.product"], ["experiment"], results=holding).rows[0].evidence == ()


def test_experiments_are_judged_here_even_with_several_processes(holding: Path):
    found: Ledger = verify(["experiment.table", "kernel.product"], ["derive", "experiment"], jobs=2, limit=60, results=holding)
    assert [(row.claim.id, len(row.scopes)) for row in found] == [("experiment.table", 2), ("kernel.product", 0)]
    assert found.rows[1].verdict == "proved"


def test_reading_results_loads_no_torch():
    code = (
        "from mope_impl.ledger import verify; verify(['experiment.table'], ['experiment'])\n"
        "import sys; heavy = {'torch', 'scipy.stats', 'matplotlib'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_committed_results_can_all_be_read():
    """What is committed is neither refused nor out of date."""
    for runs in load().values():
        assert [str(one) for one in (*runs.refused, *runs.stale)] == []


def test_statistics_are_loaded_after_the_last_process_was_begun():
    """A process with threads cannot be copied safely, and SciPy starts some."""
    code = (
        "import sys\nfrom mope_impl.ledger import gather, processes, verify\n"
        "seen = []\nhonest = processes._context\n"
        "def context():\n    seen.append('scipy' in sys.modules or 'numpy' in sys.modules)\n    return honest()\n"
        "processes._context = context\n"
        "found = verify(['experiment.table', 'report.units'], ['derive', 'experiment'], jobs=2)\n"
        "assert seen == [False], seen\nassert [len(row.scopes) for row in found] == [2, 0]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
