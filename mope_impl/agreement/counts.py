"""Parameters of the modules against the numbers of the claims ``gate.parameters`` and ``report.parameters``."""
from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy as sp
from torch import nn

import mope_theory as mt
from mope_impl.nn import EnergyGate, LearnedEncoding, MorletEncoding
from mope_theory.statement import Equal, Statement
from mope_theory.vocabulary.recipe import GateParameters, MorletParameters, TableParameters

from .disagreement import require


def gate_parameters(gate: Callable[[int, int], nn.Module] = EnergyGate) -> str:
    """Gates of all layers, counted. The inert scalar of the reference enters no result, and our module has none."""
    said = []
    for (layers, heads, width, inert), number in _counts("gate.parameters", GateParameters):
        if inert == 0:
            what = f"{layers} gates of {heads} heads and {width} channels"
            said.append(_compared(what, layers * size(gate(width, heads)), number))
    return _joined(said)


def encoding_parameters(
    morlet: Callable[[int], nn.Module] = MorletEncoding, table: Callable[[int, int], nn.Module] = LearnedEncoding
) -> str:
    """The Morlet encoding and the table of the same width, counted."""
    said = [
        _compared(f"Morlet encoding of {width} channels", size(morlet(width)), number)
        for (width,), number in _counts("report.parameters", MorletParameters)
    ]
    said += [
        _compared(f"table of {length} positions and {width} channels", size(table(length, width)), number)
        for (length, width), number in _counts("report.parameters", TableParameters)
    ]
    return _joined(said)


def size(module: nn.Module) -> int:
    """Number of parameters."""
    return sum(parameter.numel() for parameter in module.parameters())


def _counts(claim: str, head: type[sp.Function]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Arguments and values of the equations head(…) = number in what we say."""
    ours = mt.claim(claim).ours
    members: tuple[Statement, ...] = () if ours is None else getattr(ours, "body", (ours,))
    for member in members:
        if isinstance(member, Equal) and isinstance(member.lhs, head):
            yield tuple(map(int, member.lhs.args)), int(member.rhs)


def _compared(what: str, counted: int, number: int) -> str:
    require(counted == number, f"{what}: {counted} parameters, where the claim has {number}")
    return f"{what}: {counted:,} parameters"


def _joined(said: list[str]) -> str:
    require(said, "the claim names no count")
    return "; ".join(said)
