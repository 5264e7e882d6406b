"""Gradients as summands, one for each element of the output: a backend that adds up by itself begins here, not at ``reduce``."""
from __future__ import annotations

from dataclasses import replace

from ..ir import Node, Program


def summands(program: Program) -> Program:
    """Guarantees: one gradient an input, its channels joined; what is summed over an axis that the input lacks is not added up
    yet."""
    parts, gradients = iter(program.gradients), []
    for k, x in enumerate(program.spec.inputs):
        own = tuple(next(parts).named(f"d_{symbol.name if x.has_channels else x.name}") for symbol in x.symbols)
        gradients.append(Node("join", own, k) if x.has_channels else Node("summand", own))
    return replace(program, gradients=tuple(gradients))
