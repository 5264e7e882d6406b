"""README and CONTRIBUTING do what they say: their code is run, their links resolve."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mope_impl.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted(ROOT.glob("*.md"))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [body for kind, body in FENCE.findall(text) if kind == language]


@pytest.mark.parametrize("number", range(len(blocks("README.md", "python"))))
def test_the_python_of_the_readme_runs(number):
    code = blocks("README.md", "python")[number]
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


README_COMMANDS = re.findall(r"^\$ mope (.*)$", "\n".join(blocks("README.md", "console")), re.M)


def test_the_readme_shows_commands():
    assert len(README_COMMANDS) >= 3


@pytest.mark.parametrize("line", [line for line in README_COMMANDS if not line.startswith("book")])
def test_the_commands_of_the_readme_run(line, capsys):
    # The book is left out: its own test builds it.
    assert main(shlex.split(line)) == 0
    assert capsys.readouterr().out


def steps() -> list[tuple[str, str, str]]:
    """The walk through CONTRIBUTING: each block with the file that the text before it names, in order."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = text[text.index("## A new encoding") : text.index("## A claim")]
    found, done = [], 0
    for block in FENCE.finditer(text):
        paths = re.findall(r"`([\w/]+\.py)`", text[done : block.start()])
        found.append((block[1], paths[0] if paths else "", block[2]))
        done = block.end()
    return found


def patched(text: str, diff: str) -> str:
    """The text after a diff whose hunks are parted by empty lines, and in which … stands for the rest of what is there."""
    for hunk in diff.strip("\n").split("\n\n"):
        lines = hunk.split("\n")
        old, new = ("\n".join(line[1:] for line in lines if line[0] in kinds) for kinds in (" -", " +"))
        pattern = re.compile("^" + re.escape(old).replace("…", "(.+)") + "$", re.M)
        matches = list(pattern.finditer(text))
        assert len(matches) == 1, f"CONTRIBUTING.md: these lines do not fit the file:\n{hunk}"
        (match,) = matches
        for group in match.groups():
            new = new.replace("…", group, 1)
        text = text[: match.start()] + new + text[match.end() :]
    return text


def test_a_toy_encoding_is_added_by_following_contributing(tmp_path):
    for package in ("mope_theory", "mope_impl"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests/mope_impl").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    programs = {"mope": ["-m", "mope_impl.cli"], "pytest": ["-m", "pytest", "-q", "-p", "no:cacheprovider"]}
    outputs = {}
    for language, place, body in steps():
        if language == "diff":
            path = tmp_path / place
            path.write_text(patched(path.read_text(encoding="utf-8"), body), encoding="utf-8")
            continue
        if language == "python":
            path = tmp_path / place
            assert place, body
            path.write_text(body, encoding="utf-8")
            continue
        for line in body.splitlines():
            name, *arguments = shlex.split(line.removeprefix("$ "))
            call = [sys.executable, *programs[name], *arguments]
            done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            outputs[line] = done.stdout
    assert re.search(r"chirp\.energy +proved +proved +D", outputs["$ mope verify chirp.energy"])
    assert (tmp_path / "mope_impl/generated/torch/chirp_encoding.py").is_file()
    assert "2 passed" in outputs["$ pytest tests/mope_impl/test_chirp.py"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_named_paths_exist(document):
    text = FENCE.sub("", document.read_text(encoding="utf-8"))
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    toy = {place for _, place, _ in steps()}
    named = [path for path in re.findall(r"`([\w./-]+/[\w./-]*)`", text) if path not in toy and "NAME" not in path]
    missing = [path for path in links + named if not (ROOT / path).exists() and not path.startswith((".venv/", "build/"))]
    assert missing == []
    assert document.name in ("CHANGELOG.md", "CONTRIBUTING.md") or links
