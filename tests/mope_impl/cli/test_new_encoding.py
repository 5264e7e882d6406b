"""``mope new-encoding``: what it writes runs, what it cannot write it refuses, and what it has written it takes away.

The walk of CONTRIBUTING puts another formula in the place of the example; it is followed by the tests of the documents.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mope_impl.cli import new_encoding, registries, skeleton
from mope_impl.cli.errors import UserError

ROOT = Path(__file__).resolve().parents[3]
NAME = "bent_wave"
CLAIM, SPEC, TEST = skeleton.files(NAME)


@pytest.fixture
def tree(tmp_path, monkeypatch) -> Path:
    """A copy of what the command changes, in the place of the checkout."""
    for package in ("mope_theory", "mope_impl", "tests"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "book"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    monkeypatch.setattr(new_encoding, "checkout", lambda *_: tmp_path)
    return tmp_path


def contents(tree: Path) -> dict[str, str]:
    return {str(path.relative_to(tree)): path.read_text(encoding="utf-8") for path in sorted(tree.rglob("*.py*"))}


def test_what_it_writes_runs_at_once(mope, tree):
    before = contents(tree)
    result = mope("new-encoding", NAME)
    assert (result.code, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= 80
    commands = [line.strip() for line in result.out.splitlines() if re.match(r"  (mope|pytest) ", line)]
    assert len(commands) == 4
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    programs = {"mope": "mope_impl.cli", "pytest": "pytest", "ruff": "ruff"}
    lint = f"ruff check --quiet {' '.join(path for path, text in contents(tree).items() if before.get(path) != text)}"
    for line in [*commands, "mope generate --check bent_wave_encoding", lint]:
        name, _, arguments = line.partition(" ")
        call = f"'{sys.executable}' -m {programs[name]} {arguments}"
        done = subprocess.run(call, shell=True, cwd=tree, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if line.startswith("mope verify"):
            assert "verdict   proved (expected proved)" in done.stdout


def test_a_name_that_is_no_longer_there_is_one_line(mope, tree):
    """An author who takes a parameter out of the formula is told which file still asks for it."""
    mope("new-encoding", NAME)
    edit(tree / SPEC, "channels, chi", "channels, kappa")
    call = [sys.executable, "-m", "mope_impl.cli", "verify", "bent-wave"]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(call, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("mope: bent_wave_encoding.py: cannot import name 'kappa' from 'mope_theory.claims.bent_wave'")


def test_it_is_registered_wherever_the_tests_look(mope, tree):
    before = contents(tree)
    mope("new-encoding", NAME)
    after = contents(tree)
    assert set(after) - set(before) == {CLAIM, SPEC, TEST}
    added = {path: len(after[path].split("\n")) - len(text.split("\n")) for path, text in before.items()}
    assert {path: count for path, count in added.items() if count} == {
        "mope_theory/claims/__init__.py": 2,
        "mope_theory/claims/expected.py": 1,
        "mope_theory/specs/__init__.py": 2,
        "tests/mope_theory/claims/trials.py": 1,
        "tests/mope_theory/test_registry.py": 1,
    }


def test_it_is_taken_away_without_a_trace(mope, tree):
    before = contents(tree)
    mope("new-encoding", NAME)
    (tree / skeleton.kernel(NAME)).write_text("# generated\n", encoding="utf-8")
    result = mope("new-encoding", NAME, "--undo")
    assert (result.code, result.err) == (0, "")
    assert contents(tree) == before
    assert "by hand" not in result.out
    assert mope("new-encoding", NAME, "--undo").err == f"mope: there is no {CLAIM}: no encoding {NAME} was begun\n"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_what_was_edited_is_kept_unless_told_otherwise(mope, tree):
    before = contents(tree)
    mope("new-encoding", NAME)
    edit(tree / CLAIM, "Chirp rate", "Rate of the chirp")
    edit(tree / "mope_theory/claims/expected.py", '    "bent-wave.length": "proved",\n',
         '    "bent-wave.length": None,\n    "bent-wave.more": "open",\n')  # fmt: skip
    edited = contents(tree)
    assert mope("new-encoding", NAME, "--undo") == (2, "", f"mope: {CLAIM}: edited since; --force takes it away all the same\n")
    assert contents(tree) == edited
    assert mope("new-encoding", NAME, "--undo", "--force").code == 0
    assert contents(tree) == before


def test_what_cannot_be_taken_away_is_named(mope, tree):
    mope("new-encoding", NAME)
    trials = tree / "tests/mope_theory/claims/trials.py"
    edit(trials, 'Trial("bent-wave.length", points=tuple(', 'Trial("bent-wave.length",\n        points=tuple(')
    out = mope("new-encoding", NAME, "--undo").out
    assert "tests/mope_theory/claims/trials.py; still names bent-wave.length: take that out by hand\n" in out
    assert 'Trial("bent-wave.length"' in trials.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["", "Chirp", "2d", "a-b", "a__b", "_a", "a_", "class", "match", "../x", "a b", "é", "a.b"])
def test_a_name_that_names_nothing_is_refused(mope, tree, name):
    before = contents(tree)
    result = mope("new-encoding", name)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("mope: ")
    assert contents(tree) == before


@pytest.mark.parametrize(
    "name, says",
    [
        ("kernel", "mope_theory/claims/kernel.py is there already: take another name"),
        ("morlet", "mope_theory/specs/morlet_encoding.py is there already"),
        ("expected", "mope_theory/claims/expected.py is there already"),
        ("chirp_encoding", "leave _encoding out: mope new-encoding chirp names the kernel so"),
    ],
)
def test_a_name_that_is_taken_is_refused(mope, tree, name, says):
    before = contents(tree)
    result = mope("new-encoding", name)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert says in result.err
    assert contents(tree) == before


def test_force_alone_is_wrong_usage(mope, tree):
    assert mope("new-encoding", NAME, "--force") == (2, "", "mope: --force goes with --undo\n")


def test_a_registry_of_another_form_is_refused_and_nothing_is_written(mope, tree):
    edit(tree / "mope_theory/claims/__init__.py", "TOPICS = (", "THEMES = (")
    before = contents(tree)
    result = mope("new-encoding", NAME)
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "mope: mope_theory/claims/__init__.py has no line 'TOPICS = (', or several: put 'bent_wave,' in by hand\n"
    )
    assert contents(tree) == before


@pytest.mark.parametrize("number", range(8))
def test_all_is_written_or_nothing(mope, tree, monkeypatch, number):
    """Wherever the disk is full, what was there is there again."""
    before, real, written = contents(tree), registries.os.replace, []

    def full(source, target):
        written.append(target)
        if len(written) == number + 1:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(registries.os, "replace", full)
    result = mope("new-encoding", NAME)
    assert (result.code, result.out) == (2, "")
    assert re.fullmatch(r"mope: cannot write \S+: No space left on device; nothing was changed\n", result.err)
    assert contents(tree) == before


def test_a_line_keeps_a_list_in_order():
    entry = skeleton.Entry("file", "x = (", ")", "    beta,", " *beta,$", ordered=True)
    text = "x = (\n    alpha,\n    gamma,\n)\n"
    assert registries.added(text, entry) == "x = (\n    alpha,\n    beta,\n    gamma,\n)\n"
    assert registries.removed(registries.added(text, entry), entry) == text
    with pytest.raises(UserError, match="or several"):
        registries.added(text + text, entry)
