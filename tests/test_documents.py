"""README and CONTRIBUTING do what they say: their code is run, their links resolve."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import sympy as sp

from mope_impl.cli import main, new_encoding, skeleton
from mope_theory.decide import Refused, equal
from mope_theory.symbols import N, b, j, k, omega, psi, query_center, sigma

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


LONG = ("book", "train", "reproduce")
"""Commands that take a minute or more: each has tests of its own, which run it on something small."""


@pytest.mark.parametrize("line", [line for line in README_COMMANDS if not line.startswith(LONG)])
def test_the_commands_of_the_readme_run(line, capsys):
    assert main(shlex.split(line)) == 0
    assert capsys.readouterr().out


def steps() -> list[tuple[str, str, str]]:
    """The walk through CONTRIBUTING: each block with the file that was named last before it, in order."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = text[text.index("## A new encoding") : text.index("## A claim")]
    found, done = [], 0
    for block in FENCE.finditer(text):
        paths = re.findall(r"`([\w/]+\.py)`", text[done : block.start()])
        found.append((block[1], paths[-1] if paths else "", block[2]))
        done = block.end()
    return found


LINES = r"((?:(?![)}\"]).+\n)*)"
"""Lines of a list, or of a table in quotes."""


def patched(text: str, diff: str) -> str:
    """The text after a diff.

    Hunks are parted by empty lines. … stands for what is there: where it stands alone for lines up to the end of the list, as
    many as will do, else for the rest of a line.
    """
    for hunk in re.split(r"\n(?= *\n)\n", diff.strip("\n")):
        lines = hunk.split("\n")
        old, new = ([line[1:] for line in lines if line[0] in kind] for kind in (" -", " +"))
        pattern = "".join(LINES if x.strip() == "…" else re.escape(x).replace("…", "(.+)") + r"\n" for x in old)
        matches = list(re.finditer(f"^{pattern}", text, re.M))
        assert len(matches) == 1, f"CONTRIBUTING.md: these lines do not fit the file:\n{hunk}"
        (match,) = matches
        filled = "".join("…" if x.strip() == "…" else f"{x}\n" for x in new)
        for group in match.groups():
            filled = filled.replace("…", group, 1)
        text = text[: match.start()] + filled + text[match.end() :]
    return text


NAME = "lorentz"
TOY = [*skeleton.files(NAME), skeleton.kernel(NAME)]
"""The files of the walk."""


def copied(folder: Path) -> Path:
    """A copy of what the walk needs of the tree, without what a reader who follows it has added."""
    for package in ("mope_theory", "mope_impl"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__", "book"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    if (folder / TOY[0]).exists():
        warnings.warn("the walk of CONTRIBUTING.md is in the tree and is tested without it", stacklevel=2)
        new_encoding.take_away(folder, NAME, force=True)
    return folder


def walk(folder: Path) -> dict[str, str]:
    """Follow CONTRIBUTING in a copy of the tree; what each command printed at last."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    programs = {
        "mope": ["-m", "mope_impl.cli"],
        "pytest": ["-m", "pytest", "-q", "-p", "no:cacheprovider"],
        "ruff": ["-m", "ruff", "--quiet"],
    }
    outputs = {}
    for step in steps():
        follow(folder, [step])
        for line in step[2].splitlines() if step[0] == "console" else ():
            name, *arguments = shlex.split(line.removeprefix("$ "))
            call = [sys.executable, *programs[name], *arguments]
            done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            outputs[line] = done.stdout
    return outputs


def follow(folder: Path, walked: list[tuple[str, str, str]]) -> None:
    """Edit the files as the blocks say; the commands are another matter."""
    for language, place, body in walked:
        path = folder / place
        if language == "diff":
            path.write_text(patched(path.read_text(encoding="utf-8"), body), encoding="utf-8")
        elif language == "python":
            assert path.is_file(), place
            path.write_text(body, encoding="utf-8")


def contents(folder: Path) -> dict[str, str]:
    """Path → text of every source file."""
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}


def test_an_encoding_is_added_and_taken_away_by_following_contributing(tmp_path):
    before = contents(copied(tmp_path))
    outputs = walk(tmp_path)
    for asked, id in (("lorentz", "lorentz.length"), ("lorentz.wide", "lorentz.wide")):
        shown = outputs[f"$ mope verify {asked}"]
        assert re.search(rf"^{re.escape(id)} .*\n  verdict +proved \(expected proved\)$", shown, re.M)
    assert outputs["$ pytest tests/mope_impl/generated/test_lorentz_encoding.py"].startswith("..")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("steps_done", [0, 3, len(steps()) - 1])
def test_one_who_is_on_the_walk_keeps_a_green_suite(tmp_path, monkeypatch, capsys, steps_done):
    """The copy that is tested is the tree without what is there of the walk."""
    here, fresh = tmp_path / "here", tmp_path / "fresh"
    before = contents(copied(here))
    new_encoding.begin(here, NAME)
    follow(here, steps()[:steps_done])
    monkeypatch.setattr(sys.modules[__name__], "ROOT", here)
    (here / "tests/book").mkdir(parents=True)
    with pytest.warns(UserWarning, match="walk"):
        assert contents(copied(fresh)) == before


LIST = "from . import (\n    alias,\n    gate,\n)\n\nTOPICS = (\n    gate,\n    alias,\n)\n"
ADD = " from . import (\n     …\n+    chirp,\n     …\n )\n\n TOPICS = (\n     …\n+    chirp,\n     …\n )"


@pytest.mark.parametrize("others", ["", "    beta,\n", "    zeta,\n    eta,\n"])
def test_a_diff_fits_whatever_topics_there_are(others):
    text = LIST.replace("    alias,\n", f"    alias,\n{others}")
    changed = patched(text, ADD)
    assert changed.count("    chirp,\n") == 2
    assert changed.replace("    chirp,\n", "") == text


@pytest.mark.parametrize("text", ["", LIST.replace("TOPICS", "OTHERS"), LIST + LIST])
def test_a_diff_that_does_not_fit_is_told(text):
    with pytest.raises(AssertionError, match="these lines do not fit"):
        patched(text, ADD)


INSIDE = [
    (sp.sqrt(sigma) ** 2, sigma, True),
    (sp.Abs(sigma), sigma, True),
    (sp.Abs(psi(b, omega, sigma)), sp.exp(-(b**2) / (2 * sigma**2)), True),
    (sp.Abs(b) ** 2, b**2, True),
    (sp.sqrt(5) * sp.sqrt(7), sp.sqrt(35), True),
    (sp.cosh(b) ** 2 - sp.sinh(b) ** 2, sp.S.One, True),
    (sp.re(sp.exp(sp.I * b)), sp.cos(b), True),
    (sp.Derivative(sp.sin(b), b), sp.cos(b), True),
    (sp.exp(b / sigma), sp.exp(b), False),
    (b**2 / (1 + b**2), 1 - 1 / (1 + b**2), True),
    (sp.sqrt(1 + b**2) ** 2, 1 + b**2, True),
    (1 / (1 + sp.exp(b)), 1 - 1 / (1 + sp.exp(-b)), True),
    (1 / sp.cosh(b), sp.S.One, False),
    (sp.log(2 * sigma), sp.log(2) + sp.log(sigma), True),
    (query_center * sp.conjugate(query_center), sp.Abs(query_center) ** 2, True),
    (sp.Sum(b * sp.floor(sigma * j), (j, 0, N)), b * sp.Sum(sp.floor(sigma * k), (k, 0, N)), True),
]
OUTSIDE = [
    sp.Abs(b),
    sp.sqrt(1 + b**2),
    1 / (1 + b),
    sp.log(sigma),
    sp.Max(b, 0),
    sp.tan(b),
    sp.exp(sp.exp(b)),
    sp.cbrt(sigma),
    sp.Symbol("z", complex=True),
    sp.Integral(sp.exp(-(b**2)), (b, 0, sp.oo)),
]


@pytest.mark.parametrize("left, right, same", INSIDE)
def test_what_contributing_says_is_decided_is_decided(left, right, same):
    assert equal(left, right) is same


@pytest.mark.parametrize("value", OUTSIDE)
def test_what_contributing_says_is_outside_is_refused(value):
    with pytest.raises(Refused):
        equal(value, sp.S.One)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_named_paths_exist(document):
    text = FENCE.sub("", document.read_text(encoding="utf-8"))
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    named = [path for path in re.findall(r"`([\w./-]+/[\w./-]*)`", text) if path not in TOY and "NAME" not in path]
    missing = [path for path in links + named if not (ROOT / path).exists() and not path.startswith((".venv/", "build/"))]
    assert missing == []
    assert document.name in ("CHANGELOG.md", "CONTRIBUTING.md") or links
