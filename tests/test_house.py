"""The house is in order: dependencies pinned, the wheel complete, make's errors clear, no trace of where it was written."""
from __future__ import annotations

import ast
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
NOT_OURS = {".git", ".venv", "build", "dist", "__pycache__", "_build", "node_modules"}


def files() -> Iterator[Path]:
    """Every file of the tree that is meant to be kept."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:  # an unpacked archive
        paths = [path for path in ROOT.rglob("*") if not NOT_OURS & set(path.relative_to(ROOT).parts)]
    return (path for path in paths if path.is_file())


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {normal(name): version for name, version in pairs}


REQUIREMENTS = [*PROJECT["project"]["dependencies"], *(one for extra in EXTRAS.values() for one in extra)]


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_each_dependency_has_a_range_and_a_pin_within_it(requirement):
    from packaging.requirements import Requirement

    wanted = Requirement(requirement)
    assert wanted.specifier, "a range is wanted"
    assert normal(wanted.name) in pins()
    assert wanted.specifier.contains(pins()[normal(wanted.name)])


def test_pins_carry_no_local_suffix():
    assert [version for version in pins().values() if "+" in version] == []


def test_the_pins_are_installed_and_admit_the_oldest_python():
    # A package may ask for a later patch release (>=3.11.5, say) than a distribution's Python 3.11 has.
    from packaging.specifiers import SpecifierSet

    oldest = PROJECT["project"]["requires-python"].removeprefix(">=") + ".0"
    # Another Python may need fewer packages; those that are here must be the pinned ones.
    here = {normal(one.name): one for one in distributions(path=[sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])}
    pinned = {name: here[name] for name in pins() if name in here}
    assert "torch" in pinned
    assert {name: one.version.partition("+")[0] for name, one in pinned.items()} == {name: pins()[name] for name in pinned}
    ranges = {name: SpecifierSet(one.metadata["Requires-Python"] or "") for name, one in pinned.items()}
    assert [name for name, wanted in ranges.items() if not wanted.contains(oldest)] == []


def test_the_book_builder_is_one_release():
    """The next major one fetches its theme from the network when it builds."""
    assert [one for one in REQUIREMENTS if normal(re.split(r"[<>=]", one)[0]) == "jupyter-book"] == ["jupyter-book==1.0.4.post1"]


def test_each_dependency_of_the_core_is_imported_by_the_code():
    imported = set()
    for path in (path for top in ("mope_theory", "mope_impl") for path in (ROOT / top).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.partition(".")[0])
    names = {re.split(r"[<>=]", one)[0] for one in PROJECT["project"]["dependencies"]}
    assert {"flint" if name == "python-flint" else name for name in names} <= imported


FORBIDDEN = {
    "a path of the machine it was written on": r"(?<![\w.])/" + r"work/|/ro" + r"ot/|\.lib" + r"rary/|\.\./sha" + r"red",
    "a document that is not in the tree": r"\b(CLA" + r"IMS|CAS" + r"ES|DES" + r"IGN|FAC" + r"TS|PL" + r"AN)\.md\b",
    "the host of a registry": r"py" + r"pi\.org|python" + r"hosted|npm" + r"js\.|deb\.deb" + r"ian|download\.py" + r"torch",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_tree_names_nothing_outside_it(what):
    found = []
    for path in files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        lines = enumerate(text.splitlines(), 1)
        found += [f"{path.relative_to(ROOT)}:{number}" for number, line in lines if re.search(FORBIDDEN[what], line)]
    assert found == []


def test_modules_are_small():
    long = {}
    for path in (path for top in ("mope_theory", "mope_impl") for path in (ROOT / top).rglob("*.py")):
        length = len(path.read_text(encoding="utf-8").splitlines())
        if length > 350 and "generated" not in path.parts:
            long[path.name] = length
    assert long == {}


def test_every_module_says_what_it_is():
    modules = [path for top in ("mope_theory", "mope_impl", "tests") for path in (ROOT / top).rglob("*.py")]
    silent = [str(path) for path in modules if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    generated = [str(path) for path in modules if path.parent.parent == ROOT / "mope_impl/generated"]
    assert [path for path in silent if path not in generated] == []


def test_every_pattern_of_package_data_names_a_file():
    patterns = [pattern for found in PROJECT["tool"]["setuptools"]["package-data"].values() for pattern in found]
    here = [path for top in ("mope_theory", "mope_impl") for path in (ROOT / top).rglob("*")]
    assert [pattern for pattern in patterns if not any(path.match(pattern) for path in here)] == []


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from a copy so that the build leaves nothing in the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    for path in files():
        name = path.relative_to(ROOT)
        if name.parts[0] in ("mope_theory", "mope_impl") or len(name.parts) == 1:
            (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "source" / name).write_bytes(path.read_bytes())
    call = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(folder / "source")]
    subprocess.run([sys.executable, "-m", *call], check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_packages_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"mope_theory", "mope_impl"}
    files_of_each = ("mope_theory/py.typed", "mope_impl/py.typed", "mope_impl/generated/torch/morlet_encoding.py")
    for name in (*files_of_each, "mope_theory/references.bib"):
        assert name in names
    modules = {str(path.relative_to(ROOT)) for top in tops for path in (ROOT / top).rglob("*.py")}
    assert modules <= set(names)


@pytest.mark.parametrize(
    "arguments, code, says",
    [
        (["verify", "kernel.product"], 0, "proved"),
        (["generate", "--list"], 0, "morlet_encoding"),
        (["generate"], 2, "mope generate without --out needs the source checkout"),
        (["book"], 2, "mope book needs the source checkout"),
        (["new-encoding", "chirp"], 2, "mope new-encoding needs the source checkout"),
    ],
)
def test_the_wheel_works_alone(wheel, tmp_path, arguments, code, says):
    folder = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(folder)
    start = f"import sys; sys.path.insert(0, {str(folder)!r}); from mope_impl.cli import main; sys.exit(main({arguments!r}))"
    done = subprocess.run([sys.executable, "-c", start], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, says in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr


def make(tmp_path: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    """``make env`` into another folder."""
    call = ["make", "--no-print-directory", "-C", str(ROOT), f"VENV={tmp_path / 'venv'}", *settings, "env"]
    return subprocess.run(call, capture_output=True, text=True, check=False)


@pytest.mark.requires("make")
def test_make_says_in_one_line_that_there_is_no_python(tmp_path):
    done = make(tmp_path, "PYTHONS=no-such-python")
    assert done.returncode != 0
    assert done.stderr.startswith("make: no Python >= 3.11 found (tried:  no-such-python); install one, or say make PYTHON=")
    assert not (tmp_path / "venv").exists()


@pytest.mark.requires("make")
@pytest.mark.parametrize(
    "script, says",
    [
        ("exit 127", "no Python >= 3.11 found"),  # a shim that does not run
        ("case $2 in *version_info*) exit 1;; esac", "no Python >= 3.11 found"),  # too old
        ("case $2 in *ensurepip*) exit 1;; esac", "cannot create environments; install its venv module (Debian: python3-venv)"),
    ],
)
def test_make_looks_at_a_python_before_it_uses_it(tmp_path, script, says):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    done = make(tmp_path, f"PYTHONS={python}")
    assert done.returncode != 0
    assert says in done.stderr.splitlines()[0]


@pytest.mark.requires("make")
def test_make_alone_lists_its_targets():
    done = subprocess.run(["make", "-C", str(ROOT)], capture_output=True, text=True, check=True)
    for target in ("env", "run", "test", "lint", "book", "clean"):
        assert f"make {target} " in done.stdout


def test_the_ci_script_is_sound_and_strict():
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert subprocess.run(["bash", "-n", str(ROOT / ".ci/run")], check=False).returncode == 0
    assert "set -euo pipefail" in script
    assert "export MOPE_STRICT_TOOLS=1" in script
    assert script.rstrip().endswith("make test\nmake proofs\nmake run")
