"""Each operation on intervals: its values, and the chain rule backwards, for A and for R = A·step."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ..constants import literal
from . import intervals
from .intervals import Interval, point
from .program import Step, Unbounded

LOG2 = intervals.outward(np.asarray(np.log(2.0)), np.asarray(np.log(2.0)))
TWO = point(2.0)


def value(step: Step, args: Sequence[Interval]) -> Interval:
    """All values of an operation. Raises Unbounded."""
    match step.op:
        case "const" if isinstance(step.value, Fraction):
            near = np.asarray(float(step.value))
            known = literal(step.value)
            if known is not None:
                return point(near).wider(np.asarray(known.gap)).wider(np.asarray(0.0))
            return point(near) if Fraction(float(near)) == step.value else intervals.outward(near, near)
        case "cast":
            return args[0]
        case "neg":
            return -args[0]
        case "abs":
            return args[0].abs()
        case "sign":
            return Interval(np.sign(args[0].low), np.sign(args[0].high))
        case "add":
            return args[0] + args[1]
        case "sub":
            return args[0] - args[1]
        case "mul":
            return args[0] * args[1]
        case "square":
            return args[0].square()
        case "div":
            return args[0] / args[1]
        case "sqrt":
            return args[0].sqrt()
        case "exp" | "exp2":
            return intervals.increasing(step.op, args[0], 0.0, np.inf)
        case "sigmoid":
            return intervals.increasing(step.op, args[0], 0.0, 1.0)
    raise Unbounded(f"{step.op} has no rounding bound")


Pair = tuple[Interval, Interval]


def pull(step: Step, a: Interval, r: Interval, args: Sequence[Interval], own: Interval, slope: Interval | None) -> list[Pair]:
    """What a step hands on to its operands: their shares of A, and of R. ``r`` holds A times the step before it is rounded."""
    match step.op:
        case "leaf" | "const" | "sign":
            return [(point(0.0), point(0.0)) for _ in args]
        case "cast":
            return [(a, r)]
        case "neg":
            return [(-a, r)]
        case "abs":
            sign = Interval(np.where(args[0].low >= 0, 1.0, -1.0), np.where(args[0].high <= 0, -1.0, 1.0))
            return [(a * sign, r)]
        case "add":
            return [(a, a * args[0]), (a, a * args[1])]
        case "sub":
            return [(a, a * args[0]), (-a, -(a * args[1]))]
        case "mul":
            return [(a * args[1], r), (a * args[0], r)]
        case "square":
            return [(a * args[0] * TWO, r * TWO)]
        case "div":
            return [(a / args[1], r), (-(a * own / args[1]), -r)]
        case "sqrt":
            return [(a / (own * TWO), r / TWO)]
        case "exp":
            return [(a * own, r * args[0])]
        case "exp2":
            return [(a * own * LOG2, r * args[0] * LOG2)]
        case "sigmoid":
            rest = intervals.increasing("sigmoid", -args[0], 0.0, 1.0)
            return [(a * own * rest, r * rest * args[0])]
        case "cos" | "sin" if slope is not None:
            return [(a * slope, a * slope * args[0])]
    raise Unbounded(f"{step.op} has no rounding bound")
