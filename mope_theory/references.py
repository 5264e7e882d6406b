"""Whom to cite: the references in BibTeX, and which of them belong to an encoding, a claim or what is built on them.

``references.bib`` beside this file holds the entries, for the book too. A claim that the paper makes cites the paper, one of ours
this software; what a specification, a module or a function goes back to beside that is said here.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

from .claim import Claim
from .registry import claims, nearest
from .spec import KernelSpec
from .specs import specs

PAPER, OURS = "zeris2026", "mope"
NOWHERE = "–"
"""The place in the paper of a claim of ours."""

OF_CLAIMS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "phase.rope-angle": ("su2024",),
    "kernel.rank-one": ("su2024", "sun2023"),
    "limit.sinusoidal": ("vaswani2017",),
    "limit.rope-kernel": ("su2024",),
    "limit.rope-score": ("su2024",),
    "limit.alibi": ("press2022",),
    "gate.threshold": ("zeris2026gate",),
})  # fmt: skip
"""What claims speak of, beside the paper."""

OF_SPECS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "alibi_bias": ("press2022",),
    "energy_gate": ("zeris2026gate", PAPER),
    "gaussian_bias": (PAPER,),
    "morlet_encoding": (PAPER,),
    "morlet_rotary": (PAPER, "su2024"),
    "relative_kernel": (PAPER,),
    "rotary": ("su2024",),
    "sinusoidal_encoding": ("vaswani2017",),
    "turn": ("su2024",),
    "xpos_rotary": ("sun2023", "su2024"),
})  # fmt: skip
"""What specifications are taken from; one that is not here is ours, or a user's."""

BUILT_ON: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "ALiBi": ("alibi_bias",),
    "EnergyGate": ("energy_gate",),
    "GPT": ("morlet_encoding", "energy_gate"),
    "LearnedEncoding": ("sinusoidal_encoding",),
    "MorletAttention": ("relative_kernel", "rotary"),
    "MorletEncoding": ("morlet_encoding",),
    "MorletRotary": ("morlet_rotary",),
    "MorletRotaryEmbedding": ("morlet_rotary",),
    "RotaryEncoding": ("rotary",),
    "SelfAttention": ("sinusoidal_encoding", "energy_gate"),
    "SinusoidalEncoding": ("sinusoidal_encoding",),
    "_Morlet": ("morlet_rotary",),
    "alibi_score_mod": ("alibi_bias",),
    "causal_attention": ("sinusoidal_encoding", "energy_gate"),
    "gaussian_score_mod": ("gaussian_bias",),
    "morlet_attention": ("relative_kernel", "rotary"),
    "morlet_score_mod": ("relative_kernel",),
    "morlet_scores": ("relative_kernel", "rotary"),
    "rotary_table": ("morlet_rotary",),
    "rotate": ("rotary",),
    "use_morlet_rotary": ("morlet_rotary",),
})  # fmt: skip
"""Names of classes and functions, and the specifications that they go back to; the Transformer itself came with the sinusoids."""


def citation(what: object) -> str:
    r"""The BibTeX entries to cite for an encoding, a claim, or the code of one.

    Args:
        what: a claim or its id; a specification or its name; a function or a class of mope, its name, or an instance.

    Returns:
        One or more entries, a blank line between them; those of this software for what goes back to no paper.

    Raises:
        ValueError: for what is unknown, with the nearest name that is known.

    Source: ``references.bib``.
    """
    names = _names(what)
    for name in names:
        if name in _known():
            return "\n\n".join(entries()[key] for key in _known()[name])
    shown = what if isinstance(what, str) else names[0] if names else type(what).__name__
    spelt = {name.lower(): name for name in _known()}
    near = [spelt[name] for name in nearest(str(shown), spelt)]
    hint = f"did you mean {' or '.join(near)}?" if near else "expected an encoding or a claim, or the name of one"
    raise ValueError(f"nothing to cite for {shown!r}: {hint}")


@cache
def entries() -> dict[str, str]:
    """The entries of ``references.bib`` by their keys."""
    text = bibliography()
    found = {match[1]: match[0] for match in re.finditer(r"^@\w+\{(\w+),.*?^\}$", text, re.MULTILINE | re.DOTALL)}
    if len(found) != text.count("\n@") + 1:
        raise ValueError("references.bib: two entries of one key, or an entry that does not begin and end a line")
    return found


def bibliography() -> str:
    """The text of ``references.bib``."""
    return (files(__package__) / "references.bib").read_text(encoding="utf-8")


@cache
def _known() -> dict[str, tuple[str, ...]]:
    """Every name that can be asked for, and the keys of its entries."""
    known = {one.id: ((OURS if one.place == NOWHERE else PAPER), *OF_CLAIMS.get(one.id, ())) for one in claims()}
    known |= {one.name: OF_SPECS.get(one.name, (OURS,)) for one in specs()}
    for name, built_on in BUILT_ON.items():
        known[name] = tuple(dict.fromkeys(key for spec in built_on for key in OF_SPECS[spec]))
    return known


def _names(what: object) -> list[str]:
    """The names that something may be known by, the nearest first."""
    match what:
        case str():
            return [what]
        case Claim():
            return [what.id]
        case KernelSpec():
            return [what.name]
        case ModuleType():
            return [what.__name__.rpartition(".")[2]] if _is_ours(what.__name__) else []
        case FunctionType():
            return [what.__name__] if _is_ours(what.__module__) else []
    lineage: tuple[Any, ...] = (what if isinstance(what, type) else type(what)).__mro__
    return [one.__name__ for one in lineage if _is_ours(one.__module__)]


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("mope_theory", "mope_impl")
