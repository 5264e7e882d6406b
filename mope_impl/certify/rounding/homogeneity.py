"""How a program answers to a scale: whether inputs times 2^k give its result times 2^{dk}, rounding errors included.

Multiplication by a power of two is exact where nothing overflows and nothing is subnormal, and commutes with rounding to nearest.
So a bound for channels, or incoming gradients, up to 1 is 2^k times that for those up to 2^k, for each degree of the result.
"""

from __future__ import annotations

from collections.abc import Collection

from .program import Program

ANY = object()
"""The degree of 0, which is of each."""


def degree(program: Program, scaled: Collection[str]) -> int | None:
    """The degree of the result in the inputs that are named, None where it has none."""
    found: list[object] = []
    for step in program.steps:
        own = [found[a] for a in step.args]
        if None in own:
            return None
        match step.op:
            case "leaf":
                found.append(int(str(step.value) in scaled))
            case "const":
                found.append(ANY if step.value == 0 else 0)
            case "cast" | "neg" | "abs":
                found.append(own[0])
            case "mul" | "div" | "square":
                found.append(_product(own[0], own[-1], -1 if step.op == "div" else 1))
            case "add" | "sub":
                found.append(own[0] if own[1] in (own[0], ANY) else own[1] if own[0] is ANY else None)
            case _:  # of a function of anything else than a ratio nothing is known
                found.append(0 if own[0] in (0, ANY) else None)
    guard = None if program.guard is None else found[program.guard[0]]
    last = found[-1]
    return last if isinstance(last, int) and guard in (None, 0) else None


def _product(one: object, two: object, sign: int) -> object:
    return one + sign * two if isinstance(one, int) and isinstance(two, int) else ANY
