"""Which checker reads a file: that of the language which it is written in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mope_theory.spec import KernelSpec

from .proof import Semantics
from .scalars import Scalar
from .torch.recover import scalars
from .torch.semantics import semantics
from .triton.recover import scalars as scalars_of_triton
from .triton.semantics import semantics as semantics_of_triton


@dataclass(frozen=True)
class Reader:
    """What reads the files of one backend."""

    backend: str
    semantics: Callable[[bytes, KernelSpec], Semantics]
    scalars: Callable[[bytes, KernelSpec, str], list[Scalar]]


READERS = {
    "torch": Reader("torch", semantics, scalars),
    "triton": Reader("triton", semantics_of_triton, scalars_of_triton),
}


def backend(source: bytes) -> str:
    """The backend of a file: that of Triton where it imports it."""
    return "triton" if re.search(rb"^import triton$", source, re.MULTILINE) else "torch"
