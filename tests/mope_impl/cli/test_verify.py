"""``mope verify``: what it asks the ledger for, what it shows, and what its exit code says."""
from __future__ import annotations

import json
import os
import re
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import mope_theory as mt
from mope_impl import ledger
from mope_impl.cli import ledger_view
from mope_impl.cli import verify as command
from mope_impl.ledger import Evidence, Ledger, Row, providers
from mope_impl.ledger.cache import entries
from tests.mope_impl.results.planted import all_hold, edit, write


def piece(establishes: bool | None = True, status: str = "holds", side: str = "published", kind: str = "derivation"):
    return Evidence(kind, side, establishes, status, "by hand", 0.0)


def row(*evidence: Evidence, expected: str | None = "proved", id: str = "kernel.product") -> Row:
    return Row(mt.claim(id), evidence, expected)


@pytest.fixture
def limits():
    """The limits that the ledger is given."""
    return []


@pytest.fixture
def stub(monkeypatch, limits):
    """Put rows in place of the ledger's, and record what it is asked for."""
    calls = []

    def put(*rows: Row):
        def verify(ids=None, levels=(), jobs=1, progress=None, *, limit=None, cache=None, results=None):
            calls.append((ids, tuple(levels), jobs))
            limits.append(limit)
            for number, one in enumerate(rows, 1):
                progress(one.claim.id, number, len(rows))
            return Ledger(tuple(rows))

        monkeypatch.setattr(ledger, "verify", verify)
        return calls

    return put


@pytest.mark.parametrize(
    "rows, plain, strict",
    [
        ([row(piece())], 0, 1),  # F and K are missing
        ([row()], 0, 1),  # open
        ([row(piece(False))], 1, 1),  # refuted, though proved is expected
        ([row(piece(), piece(False))], 1, 1),  # conflict
        ([row(piece(status="fails"))], 1, 1),
        ([row(piece(), expected=None)], 0, 1),
        ([row(piece()), row(piece(False), id="kernel.cross-correlation")], 1, 1),
    ],
    ids=["missing kinds", "open", "contradicts", "conflict", "fails", "nothing expected", "one of two"],
)
def test_exit_codes(mope, stub, rows, plain, strict):
    stub(*rows)
    assert mope("verify").code == plain
    assert mope("verify", "--strict").code == strict


def test_a_complete_row_passes_under_strict(mope, stub):
    stub(row(piece(), piece(kind="formal"), piece(None, kind="kernel")))
    assert mope("verify", "--strict").code == 0


def test_strict_says_what_is_open_and_what_is_missing(mope, stub):
    stub(row(id="kernel.product"))
    result = mope("verify", "--strict")
    assert result.code == 1
    assert "kernel.product: open; missing derivation, formal, kernel\n" in result.err


def test_a_contradiction_is_said_in_words(mope, stub):
    stub(row(piece(False)))
    assert "kernel.product: verdict refuted, expected proved\n" in mope("verify").err


@pytest.mark.parametrize(
    "arguments, asked",
    [
        ([], (None, ("derive", "enclose"), command.processors())),
        (["--level", "all"], (None, ("derive", "enclose", "formal", "kernel", "experiment"), command.processors())),
        (["--level", "kernel", "--level", "derive", "--jobs", "2"], (None, ("derive", "kernel"), 2)),
        (["kernel.product", "limit.sinusoidal", "kernel.product"], (["kernel.product", "limit.sinusoidal"],
                                                                    ("derive", "enclose"), command.processors())),
    ],
)  # fmt: skip
def test_what_the_ledger_is_asked_for(mope, stub, arguments, asked):
    calls = stub(row(piece()))
    assert mope("verify", *arguments).code == 0
    assert calls == [asked]


def test_every_processor_that_may_be_used_is():
    assert 1 <= command.processors() <= os.cpu_count()


def test_the_levels_are_those_of_the_ledger():
    assert f"{', '.join(ledger.LEVELS)} or all" == command.LEVELS_IN_WORDS
    assert set(ledger_view.LETTER) == set(ledger.LEVELS.values())
    assert command.TIMEOUT == ledger.LIMIT


def test_what_is_undecided_is_said_and_is_no_failure(mope, stub):
    stub(row(piece(status="unknown"), piece()))
    assert mope("verify")[::2] == (0, "kernel.product: derivation undecided: by hand\n")
    assert mope("verify", "--strict").err == (
        "kernel.product: derivation undecided: by hand\nkernel.product: missing formal, kernel\n"
    )


@pytest.mark.parametrize(
    "levels, said",
    [
        ((), ""),
        (("derive", "enclose"), ""),
        (("formal",), "no check of level formal yet: nothing was computed for it\n"),
        (("derive", "kernel"), "no check of level kernel yet: nothing was computed for it\n"),
        (("all",), "no check of levels formal, kernel yet: nothing was computed for them\n"),
    ],
)
def test_a_level_that_nothing_computes_is_said(mope, stub, monkeypatch, levels, said):
    stub(row(piece()))
    monkeypatch.setattr(providers, "PROVIDERS", {"derivation": None, "enclosure": None, "experiment": None})
    result = mope("verify", *(word for level in levels for word in ("--level", level)))
    assert (result.code, result.err) == (0, said)
    monkeypatch.setattr(providers, "PROVIDERS", dict.fromkeys(ledger.LEVELS.values()))
    assert mope("verify", "--level", "all").err == ""


def test_a_topic_stands_for_its_claims(mope, stub):
    calls = stub(row(piece()))
    assert mope("verify", "kernel.rank", "kernel", "limit.alibi").code == 0
    ((ids, *_),) = calls
    kernel = [claim.id for claim in mt.claims() if claim.id.startswith("kernel.")]
    assert ids == ["kernel.rank", *(id for id in kernel if id != "kernel.rank"), "limit.alibi"]
    assert mope("verify", "kernle") == (2, "", "mope: unknown claim 'kernle': did you mean kernel?\n")


def test_json_on_stdout_stands_alone(mope, stub, tmp_path):
    stub(row(piece()), row(id="kernel.cross-correlation"))
    screen, file = mope("verify", "--json", "-"), tmp_path / "ledger.json"
    data = json.loads(screen.out)
    assert data["schema"] == 1
    assert [claim["id"] for claim in data["claims"]] == ["kernel.product", "kernel.cross-correlation"]
    keys = {"id", "title", "published_latex", "ours_latex", "expected", "verdict", "missing", "evidence", "scopes"}
    assert set(data["claims"][0]) == keys
    assert {"kind", "side", "status", "detail", "seconds"} <= set(data["claims"][0]["evidence"][0])
    assert "kernel.product" in screen.err

    written = mope("verify", "--json", file)
    assert json.loads(file.read_text(encoding="utf-8")) == data
    assert "kernel.product" in written.out


def test_json_is_written_though_a_check_failed(mope, stub):
    stub(row(piece(False)))
    result = mope("verify", "--json", "-")
    assert result.code == 1
    assert json.loads(result.out)["claims"][0]["verdict"] == "refuted"


@pytest.mark.parametrize("target", ["no/such/folder/x.json", "."])
def test_a_target_that_cannot_be_written_is_refused_before_the_work(mope, stub, target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calls = stub(row(piece()))
    result = mope("verify", "--json", target)
    assert result.code == 2
    assert result.err.startswith(f"mope: cannot write {target}: ")
    assert calls == []


@pytest.mark.parametrize(
    "target, message",
    [
        ("", "--json needs the name of a file; - is stdout"),
        ("/proc/x", "cannot write /proc/x: No such file or directory"),
        ("x" * 300, f"cannot write {'x' * 300}: File name too long"),
    ],
    ids=["empty", "proc", "long"],
)
def test_a_target_that_only_the_system_refuses_is_refused_before_the_work(mope, stub, target, message):
    calls = stub(row(piece()))
    assert mope("verify", "--json", target) == (2, "", f"mope: {message}\n")
    assert calls == []


def test_trying_a_target_leaves_no_trace(mope, stub, tmp_path, monkeypatch):
    """What is there stays as it is until the end, and a file that was not there is not left behind by a failure."""
    stub(row(piece()))
    kept, new, link = tmp_path / "kept.json", tmp_path / "new.json", tmp_path / "link.json"
    kept.write_text("before", encoding="utf-8")
    link.symlink_to(new)

    def broken(*_, **__):
        raise SystemError("a fault")

    with monkeypatch.context() as patch:
        patch.setattr(ledger, "verify", broken)
        for target in (kept, new, link):
            with pytest.raises(SystemError):
                mope("verify", "--json", target)
    assert kept.read_text(encoding="utf-8") == "before"
    assert not new.exists()
    assert link.is_symlink()
    for target in (kept, link):
        assert mope("verify", "--json", target).code == 0
    assert json.loads(kept.read_bytes()) == json.loads(new.read_bytes())


def test_a_pipe_is_opened_once(mope, stub, tmp_path):
    """Opened and closed by a trial, it would end for its reader before anything is written."""
    stub(row(piece()))
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    assert mope("verify", "--json", pipe).code == 0
    reader.join(timeout=60)
    assert json.loads(read[0])["schema"] == 1


def test_the_table_fits_80_columns_and_keeps_ids_whole(mope, stub):
    ids = [claim.id for claim in mt.claims()]
    stub(*(row(piece(status="unknown"), expected="not-reproduced", id=id) for id in ids))
    result = mope("verify")
    assert all(re.search(rf"^  {re.escape(id)} ", result.out, re.M) for id in ids)
    assert max(len(line) for line in result.out.splitlines()) <= 80
    assert "\x1b" not in result.out
    assert not any(line.endswith(" ") for line in result.out.splitlines())


def test_each_topic_is_named_once_above_its_claims(mope, stub):
    stub(*(row(piece(), id=claim.id) for claim in mt.claims()))
    lines = mope("verify").out.splitlines()
    topics = list(dict.fromkeys(claim.topic for claim in mt.claims()))
    assert [line for line in lines if line in topics] == topics
    above = ""
    for line in lines[1 : 1 + len(topics) + len(mt.claims())]:
        above = line if line in topics else above
        assert line == above or line.startswith(f"  {above}.")


def test_the_time_is_that_of_all_pieces_and_what_is_cached_is_marked(mope, stub):
    slow = [replace(piece(), seconds=1.25), replace(piece(kind="enclosure"), seconds=0.5)]
    stub(row(*slow), row(*(replace(one, cached=True) for one in slow), id="kernel.rank"), row(id="kernel.tiling"))
    out = mope("verify").out
    times = {line.split()[0]: re.search(r"([\d.]+ c|[\d.]+|)$", line)[0] for line in out.splitlines() if line.startswith("  ")}
    assert times == {"kernel.product": "1.75", "kernel.rank": "1.75 c", "kernel.tiling": ""}
    assert "\ntime in seconds; c: cached by an earlier call\n" in out
    stub(row(*slow))
    assert "cached" not in mope("verify").out


def test_what_is_stale_is_said_in_the_table_and_on_stderr_and_is_no_failure(mope, stub):
    stub(row(piece(), replace(piece(kind="enclosure", status="stale"), seconds=9.0, cached=True)))
    result = mope("verify")
    assert (result.code, result.err) == (0, "kernel.product: enclosure stale: by hand\n")
    assert re.search(r"^  kernel\.product +proved +proved +D C stale +F K +0\.00$", result.out, re.M)


def test_a_contradiction_has_a_sign_besides_the_colour(mope, stub):
    stub(row(piece(False)))
    assert re.search(r"^  kernel\.product +refuted ≠ +proved ", mope("verify").out, re.M)


@pytest.mark.parametrize(
    "arguments, in_full",
    [
        (["kernel.product"], True),
        (["kernel.product", "--table"], False),
        ([], False),
        (["--statements"], True),
        (["kernel"], False),
        (["kernel.product", "kernel.rank", "kernel.tiling"], True),
    ],
)
def test_few_claims_are_shown_in_full_without_being_asked_for(mope, stub, arguments, in_full):
    count = 10 if arguments == ["kernel"] else 3 if len(arguments) == 3 else 1
    stub(*[row(piece())] * count)
    assert (f"\n  published  {START}" in mope("verify", *arguments).out) is in_full


START = "conj(ψ(n, ω, σ))*ψ(m, ω, σ) = "


def test_a_claim_in_full_says_what_and_why_and_how_long(mope, stub):
    found = [replace(piece(False), seconds=1.25, cached=True), piece(side="ours", status="unknown", kind="enclosure")]
    stub(row(*found, expected="corrected", id="limit.sinusoidal"))
    out = mope("verify", "limit.sinusoidal").out
    assert max(map(len, out.splitlines())) <= 80
    flat = " ".join(out.split())
    claim = mt.claim("limit.sinusoidal")
    assert claim.published.text() in flat
    assert all(f"({number}) {part.text()}" in flat for number, part in enumerate(claim.ours.body, 1))
    assert flat.index("published for all") < flat.index("ours (1)")
    assert f"reason {claim.reason}" in flat
    assert f"({claim.place})" in flat
    assert "verdict open (expected corrected)" in flat
    assert "evidence derivation against the published statement holds, 1.25 s (cached): by hand" in flat
    assert "enclosure of our statement unknown, 0.00 s: by hand" in flat
    assert "missing derivation, enclosure, formal proof, kernels" in flat


def test_the_statements_stand_side_by_side_where_there_is_room(mope, stub, monkeypatch):
    stub(row(piece(), id="limit.sinusoidal"))
    monkeypatch.setenv("COLUMNS", "140")
    lines = mope("verify", "limit.sinusoidal").out.splitlines()
    assert any(line.split() == ["statements", "published", "ours"] for line in lines)
    assert any("for all b ∈ ℤ" in line and "(1) ψ(b, ω, σ)" in line for line in lines)
    assert max(map(len, lines)) <= 140


@pytest.mark.parametrize("arguments, limit", [([], 60.0), (["--timeout", "2.5"], 2.5), (["--timeout", "0"], None)])
def test_the_limit_of_a_claim(mope, stub, limits, arguments, limit):
    stub(row(piece()))
    assert mope("verify", *arguments).code == 0
    assert limits == [limit]


def test_a_limit_that_is_negative_is_refused(mope, stub):
    calls = stub(row(piece()))
    assert mope("verify", "--timeout", "-1").code == 2
    assert calls == []


def test_evidence_is_kept_from_call_to_call_unless_told_otherwise(mope):
    def cached(*arguments):
        (row,) = json.loads(mope("verify", "kernel.product", "--json", "-", *arguments).out)["claims"]
        return [one["cached"] for one in row["evidence"]]

    assert cached("--no-cache") == cached("--no-cache") == cached() == [False]
    assert cached() == [True]
    assert cached("--no-cache") == [False]


def test_a_damaged_cache_is_one_line_and_no_failure(mope):
    assert mope("verify", "kernel.product").err == ""
    folder = Path(os.environ["MOPE_CACHE_DIR"])
    (entry,) = entries(folder)
    entry.write_text("{", encoding="utf-8")
    result = mope("verify", "kernel.product")
    assert (result.code, result.err) == (0, f"ignored an entry of the cache in {folder} that cannot be read\n")
    assert "proved" in result.out


def test_the_real_ledger(mope):
    result = mope("verify", "--json", "-", "kernel.product", "limit.sinusoidal")
    assert result.code == 0
    verdicts = {claim["id"]: claim["verdict"] for claim in json.loads(result.out)["claims"]}
    assert verdicts == {"kernel.product": "proved", "limit.sinusoidal": "corrected"}


# --- experiments -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Records at the size of the cpu preset under which every rule holds."""
    folder = tmp_path_factory.mktemp("results")
    write(folder, all_hold())
    return str(folder)


def test_a_verdict_at_a_preset_computes_it(mope, results):
    result = mope("verify", "experiment.table@cpu", "--results", results, "--table")
    assert result.code == 0
    assert re.search(r"^  experiment\.table@cpu  reproduced  –", result.out, re.MULTILINE)
    assert "@paper" not in result.out


def test_both_presets_stand_below_a_claim(mope, results):
    result = mope("verify", "experiment.table", "--level", "experiment", "--results", results, "--table")
    lines = [line.split() for line in result.out.splitlines()]
    place = next(number for number, line in enumerate(lines) if line[:1] == ["experiment.table"])
    assert [line[:3] for line in lines[place : place + 3]] == [
        ["experiment.table", "open", "–"],
        ["@cpu", "reproduced", "E"],
        ["@paper", "open", "E"],
    ]


def test_a_judged_claim_in_full_has_its_intervals(mope, results):
    out = mope("verify", "learning.multipliers", "--level", "experiment", "--results", results).out
    text = " ".join(out.split())
    assert "@cpu reproduced" in text
    assert "measured (1) 3 ≤ seeds (2) 0 ≤ μ_lower(MoPE)" in text
    assert "experiment@cpu of what is measured beside the statements holds" in text
    assert re.search(r"✓ multiplier of MoPE = 0\.2 \[0\.2, 0\.2\]", text)
    assert "experiment@paper of what is measured beside the statements missing" in text


def test_a_topic_at_a_preset_is_its_judged_claims(mope, stub):
    calls = stub(row(piece()))
    assert mope("verify", "learning@cpu", "experiment.leak@paper").code == 0
    assert calls[0][:2] == (["learning.multipliers@cpu", "experiment.leak@paper"], ("experiment",))


def test_a_preset_beside_claims_without_one_adds_the_level(mope, stub):
    calls = stub(row(piece()))
    mope("verify", "experiment.leak@paper", "kernel.product")
    mope("verify", "experiment.leak@paper", "--level", "derive")
    assert [asked[1] for asked in calls] == [("derive", "enclose", "experiment"), ("derive",)]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["experiment.table@cpuu"], "mope: unknown preset 'cpuu': did you mean cpu?\n"),
        (["experiment.table@smoke"], "mope: unknown preset 'smoke': one of cpu, paper\n"),
        (["experiment.table@"], "mope: unknown preset '': one of cpu, paper\n"),
        (["experiment.tabel@cpu"], "mope: unknown claim 'experiment.tabel': did you mean experiment.table?\n"),
        (["kernel.product@cpu"], "mope: no run speaks of kernel.product: it has no verdict at preset cpu\n"),
        (["--results", "nowhere"], "mope: --results: nowhere is no folder\n"),
        (["--results", ""], "mope: --results needs the name of a folder; the current one is .\n"),
    ],
)
def test_a_wrong_preset_or_folder_is_one_line(mope, stub, arguments, said):
    calls = stub(row(piece()))
    result = mope("verify", *arguments)
    assert (result.code, result.err, calls) == (2, said, [])


def test_an_edited_record_fails(mope, tmp_path):
    first, *_ = write(tmp_path, all_hold())
    edit(first, lambda data: data.update(validation=1.0))
    result = mope("verify", "experiment", "--level", "experiment", "--results", str(tmp_path))
    assert result.code == 1
    assert "experiment.table: experiment@cpu fails: refused: " in result.err
    assert "check sum" in result.err
