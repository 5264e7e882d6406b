"""The driver: a specification through the passes to a backend's source text."""
from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mope_theory.spec import KernelSpec, SpecError

from .backends import torch, triton
from .ir import RESERVED, Formula, Schedule
from .passes import BLOCK_PASSES, PASSES

BACKENDS: Mapping[str, Callable[[KernelSpec], str]] = MappingProxyType(
    {
        "torch": lambda spec: torch.emit(compile_spec(spec)),
        "triton": lambda spec: triton.emit(compile_spec(spec, BLOCK_PASSES)),
    }
)
"""Name of each backend, and the function that writes its source text."""


def generate(spec: KernelSpec, backend: str = "torch") -> str:
    """Source text of a kernel and its adjoint, the same bytes on every machine and under every hash seed.

    Raises SpecError if the specification cannot be lowered, or if its numerical form is not proved right;
    KeyError for an unknown backend.
    """
    if backend not in BACKENDS:
        raise KeyError(f"no backend {backend!r}; known: {', '.join(BACKENDS)}")
    for x, symbol in spec.variables:
        if x.name in RESERVED or symbol.name in RESERVED:
            raise SpecError(f"input {x.name}: {', '.join(RESERVED)} are names that the generated file uses")
    return BACKENDS[backend](spec)


def compile_spec(spec: KernelSpec, passes: tuple[Callable[[Any], Any], ...] = PASSES) -> Schedule:
    """The specification after every pass."""
    stage: object = reduce(lambda done, one: one(done), passes, Formula(spec))
    assert isinstance(stage, Schedule)
    return stage


def write(spec: KernelSpec, backend: str, out_dir: Path | str) -> Path:
    """Write ``<name>.py`` into a folder, whole or not at all, and return its path."""
    text, folder = generate(spec, backend), Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{spec.name}.py"
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{spec.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return path
