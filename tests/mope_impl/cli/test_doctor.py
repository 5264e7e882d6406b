"""``mope doctor``: what is there, what is missing, and for what."""
from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mope_impl.cli import tools

NAMES = [
    "python", "torch", "make", "g++", "chromium", "coqc", "gappa", "jupyter-book", "pygraphviz", "node", "pdflatex",
    "training", "transformers", "ray", "triton", "pytest", "cuda",
]  # fmt: skip


@pytest.fixture
def without(monkeypatch):
    """A machine that lacks some tools."""

    def without(*names: str):
        table = tuple(replace(tool, find=lambda: None) if tool.name in names else tool for tool in tools._TOOLS)
        monkeypatch.setattr(tools, "_TOOLS", table)
        tools.found.cache_clear()

    yield without
    monkeypatch.undo()
    tools.found.cache_clear()


def test_each_tool_is_shown_within_80_columns(monkeypatch, mope):
    monkeypatch.setenv("MOPE_CACHE_DIR", "/tmp/evidence")  # the path of a process that shares the tests may be longer than a line
    result = mope("doctor")
    assert result.code == 0
    assert [line.split()[0] for line in result.out.splitlines()[1:] if re.match(r"\S+  ", line)] == NAMES
    assert max(map(len, result.out.splitlines())) <= 80


def test_a_missing_tool_is_named_with_its_package_and_its_use(mope, without):
    without("chromium", "g++")
    result = mope("doctor", "--json", "-")
    assert result.code == 0
    rows = {row["tool"]: row for row in json.loads(result.out)["tools"]}
    assert rows["chromium"]["found"] is None
    assert rows["chromium"]["source"] == "Debian: chromium"
    assert "browser" in rows["chromium"]["needed_for"]
    assert rows["python"]["found"] == sys.version.split()[0]
    assert re.search(r"\d missing: g\+\+, chromium", result.err)


@pytest.mark.parametrize("tool", ["cuda", "pdflatex"])
def test_what_not_every_machine_is_asked_for_is_not_counted_as_missing(mope, without, tool):
    without(tool)
    assert tool not in mope("doctor").out.splitlines()[-1]


def test_the_folder_of_the_cache_is_shown(mope, monkeypatch, tmp_path):
    monkeypatch.setenv("MOPE_CACHE_DIR", str(tmp_path))
    result = mope("doctor", "--json", "-")
    assert f"\nmope verify keeps evidence in {tmp_path}\n" in result.err
    assert json.loads(result.out)["cache"] == str(tmp_path)


def test_coq_is_missed_with_what_it_is_for(mope, without):
    without("coqc", "cuda")
    out = mope("doctor").out
    assert out.splitlines()[-1].endswith("missing: coqc")
    (line,) = (line for line in out.splitlines() if line.startswith("coqc"))
    assert line.split()[1] == "missing"


def test_a_program_that_is_there_but_does_not_run_is_missing(monkeypatch, tmp_path):
    shim = tmp_path / "coqc"
    shim.write_text("#!/bin/sh\necho 'no such version' >&2\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert tools.executable("coqc") is None
    shim.write_text("#!/bin/sh\necho 'The Coq Proof Assistant, version 8.16.1'\n")
    assert tools.executable("coqc") == str(shim)


def test_a_compiler_without_the_headers_of_python_does_not_count(monkeypatch, tmp_path):
    monkeypatch.setattr(tools, "executable", lambda *_: sys.executable)
    monkeypatch.setattr(tools.sysconfig, "get_path", lambda _: str(tmp_path))
    assert tools._compiler() is None
    (tmp_path / "Python.h").touch()
    assert tools._compiler() == sys.version.split()[0]


def test_jupyter_book_2_is_not_the_one_that_is_needed(monkeypatch):
    monkeypatch.setattr(tools, "version", lambda _: "2.1.7")
    assert tools._book() is None


def test_an_unknown_tool_is_a_key_error():
    with pytest.raises(KeyError, match="cromium"):
        tools.missing("cromium")


def test_asking_for_tools_does_not_load_torch():
    code = "from mope_impl.cli.tools import *; missing(*tools()); import sys; assert 'torch' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
