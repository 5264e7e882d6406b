"""Half a box for the whole: a program whose steps only change sign when some of its inputs do has one bound at both points.

Let v say which inputs change sign. A step is even or odd under v, or neither; a sum must have two terms that are alike, and what
an exponential is taken of must be even. These are linear equations over the field of two elements. Errors are bounded by sizes
alone, so that for each solution one of its inputs need only be taken from 0 on.
"""

from __future__ import annotations

from collections.abc import Mapping

from .program import Program

Range = tuple[float, float]


def halved(program: Program, ranges: Mapping[str, Range]) -> dict[str, Range]:
    """The ranges, those of free signs from 0 on."""
    names = list(ranges)
    equations = [1 << k for k, name in enumerate(names) if ranges[name][0] != -ranges[name][1]]
    parity: list[int] = []
    for step in program.steps:
        own = [parity[a] for a in step.args]
        match step.op:
            case "leaf":
                parity.append(1 << names.index(str(step.value)))
            case "cast" | "neg" | "sign" | "sin":
                parity.append(own[0])
            case "mul" | "div":
                parity.append(own[0] ^ own[1])
            case "const" | "abs" | "square" | "cos":
                parity.append(0)
            case "add" | "sub":
                equations.append(own[0] ^ own[1])
                parity.append(own[0])
            case _:
                equations.append(own[0])
                parity.append(0)
    bound = _solved(equations)
    return {name: own if k in bound else (0.0, own[1]) for k, (name, own) in enumerate(ranges.items())}


def _solved(equations: list[int]) -> set[int]:
    """The unknowns that the others decide: one for each equation that is independent of those before."""
    rows: dict[int, int] = {}
    for one in equations:
        for place, row in rows.items():
            if one >> place & 1:
                one ^= row
        if one:
            place = one.bit_length() - 1
            rows = {k: row ^ one if row >> place & 1 else row for k, row in rows.items()} | {place: one}
    return set(rows)
