"""The kernels, one file each. A new one is a file here that defines ``SPEC``, and its name in the import and the tuple below."""
from __future__ import annotations

from ..registry import UnknownName
from ..spec import KernelSpec
from . import (
    alibi_bias,
    energy_gate,
    gaussian_bias,
    morlet_encoding,
    morlet_rotary,
    relative_kernel,
    rotary,
    sinusoidal_encoding,
    turn,
    xpos_rotary,
)

_MODULES = (
    alibi_bias,
    energy_gate,
    gaussian_bias,
    morlet_encoding,
    morlet_rotary,
    relative_kernel,
    rotary,
    sinusoidal_encoding,
    turn,
    xpos_rotary,
)


def specs() -> tuple[KernelSpec, ...]:
    """Every kernel specification, sorted by name."""
    return tuple(sorted((module.SPEC for module in _MODULES), key=lambda spec: spec.name))


def spec(name: str) -> KernelSpec:
    """The specification of that name.

    Raises UnknownName, with suggestions, if there is none.
    """
    known = {x.name: x for x in specs()}
    if name not in known:
        raise UnknownName("spec", name, known)
    return known[name]
