r"""The error of a program on cells of its inputs: first order exact, second order enclosed.

A step computes fl(f(a)) = f(a) + e, or f(a)(1 + δ) + e. Along the path t ↦ (te, tδ) from the exact value to the computed one,
the mean value theorem gives computed − exact = Σ A e + Σ A f δ at one t, with the adjoint A = ∂result/∂step. A, and R = A·step,
lie in what the reverse sweep gives on intervals that hold every value along the path. So each step counts min(|A| E, |R| u): the
first is sharp where its value is bounded, the second where it is not. R passes ×, ÷ and conversions as it is, so that nothing is
divided and multiplied back.

A cell bounds inputs and, besides, any step: that its exact value lies in a range, or an angle in a part of a turn. What is
computed lies as near to that as the errors accumulated so far allow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..constants import literal
from . import intervals
from .accumulated import Accumulated, carried
from .formats import FORMATS, UP, Array, half_ulp, nearest
from .intervals import Interval, point
from .operations import pull, value
from .primitives import Platform
from .program import Program, Step, Unbounded

Cells = Mapping[str, Interval]
"""Intervals by the name of an input, ``"step 7"`` for a step, ``"turn 7"`` for an angle in turns."""
ELEMENTARY = ("exp", "exp2", "sigmoid", "cos", "sin")


@dataclass(frozen=True)
class Exact:
    """A value that is a whole multiple of 2^least and has no more than so many significant bits."""

    bits: int
    least: int

    def fits(self, dtype: str) -> bool:
        form = FORMATS[dtype]
        return self.bits <= form.precision and self.least >= form.least


def dyadic(number: Fraction) -> Exact | None:
    """A number that is a whole multiple of a power of two."""
    top, below = abs(number.numerator), number.denominator
    if below & (below - 1):
        return None
    zeros = (top & -top).bit_length() - 1 if top else 0
    return Exact((top >> zeros).bit_length(), zeros - below.bit_length() + 1)


@dataclass(frozen=True)
class Local:
    """The error of one operation: |e| ≤ error, or |δ|/(1 − |δ|) ≤ delta with |e| ≤ rest besides."""

    error: Array
    delta: Any
    rest: float

    def most(self, size: Array) -> Array:
        """Either way of writing it moves a value of that size by no more than this."""
        other = self.delta * size if np.any(self.delta) else np.zeros_like(size)
        return np.maximum(self.error, (other + self.rest) * UP)


@dataclass
class Found:
    """Bounds, one for each cell."""

    error: Array
    """|computed − exact| of the result."""
    size: Array
    """|result|, computed or exact."""
    summand_error: Array
    """The same of what is summed, before it is."""
    summand_size: Array
    last: Accumulated
    """The same error, carried forward: |computed − exact| ≤ ratio·|exact| + floor."""


class Model:
    """A program with the exactness of its values, and the hypotheses that its operations rest on."""

    def __init__(self, program: Program, leaves: Mapping[str, Exact], platform: Platform) -> None:
        self.program, self.platform = program, platform
        self.last = len(program.steps) - 1
        self.limit = np.inf
        """Nothing is said where the exact result is larger."""
        self.box: Cells = {}
        """The ranges of the inputs, of which cells are parts."""
        self.is_ideal = False
        """Whether operations are taken as exact, all of them."""
        self.exact: list[Exact | None] = []
        for step in program.steps:
            self.exact.append(self._exact(step, leaves))
        self.quotients: list[tuple[int, str, str]] = []
        """Steps that are quotients of two inputs, and these."""
        for place, step in enumerate(program.steps):
            parts = [program.input_of(a) for a in step.args]
            if step.op == "div" and parts[0] and parts[1]:
                self.quotients.append((place, parts[0], parts[1]))

    def _exact(self, step: Step, leaves: Mapping[str, Exact]) -> Exact | None:
        """What is known of a step whose value needs no rounding, nor that of its operands."""
        if step.op == "leaf":
            return leaves[str(step.value)]
        if step.op == "const" and isinstance(step.value, Fraction):
            own = dyadic(step.value) if literal(step.value) is None else None
            return own if own is not None and own.fits(step.dtype) else None
        args = [own for own in (self.exact[a] for a in step.args) if own is not None]
        if step.op == "sign":
            if not args:
                raise Unbounded("the sign of a value with errors")
            return Exact(1, 0)
        if len(args) < len(step.args) or step.op not in ("cast", "neg", "abs", "mul", "square"):
            return None
        one, two = args[0], args[-1]
        own = Exact(one.bits + two.bits, one.least + two.least) if step.op in ("mul", "square") else one
        return own if own.fits(step.dtype) else None

    def local(self, place: int, own: Interval) -> Local:
        """The error of a step, where its exact value of what it is given lies in an interval."""
        step, size = self.program.steps[place], own.size
        form = FORMATS[step.dtype]
        if step.op in ("leaf", "neg", "abs", "sign") or self._is_widened(step) or self.is_ideal:
            return Local(np.zeros_like(size), 0.0, 0.0)
        overflow = np.where(size < form.largest * (1 + form.u / 2), 0.0, np.inf)
        if self.exact[place] is not None:
            return Local(overflow, 0.0, 0.0)
        if step.op in ELEMENTARY:
            ulps, least = self._assumed(step)
            delta: Any = 2 * ulps * form.u
            within = self.platform.table[step.op].of_exp
            if within and form.precision >= FORMATS["float32"].precision:
                # (1 − s)2ku of e^{−x} by k units, u of the sum and of the quotient; second order below 2⁻²⁰ of that
                delta = (2 * within * (1 - np.maximum(own.low, 0.0)) + 2) * form.u * (1 + 2.0**-20)
            return Local(np.maximum(delta * size * UP, least) + overflow, delta / (1 - delta) * UP, least)
        if step.op == "const" and isinstance(step.value, Fraction):
            known = literal(step.value)
            return Local(half_ulp(size, form) + (known.gap if known else 0.0), 0.0, 0.0)
        if (step.op, step.dtype) in self.platform.inexact:
            raise Unbounded(f"nothing is known of the error of {step.op} in {step.dtype}")
        rest = 0.0 if step.op in ("add", "sub", "sqrt") else form.eta / 2
        if self._is_narrowed_twice(step):
            between = FORMATS["float32"]
            first = half_ulp(size, between)
            return Local(first + half_ulp(size + first, form), form.u + 2 * between.u, rest + between.eta)
        return Local(half_ulp(size, form), form.u * UP, rest)

    def rounded(self, step: Step, own: Interval, local: Local) -> Interval:
        """The computed values of a step, whose exact value of what it is given lies in an interval.

        A product may be fused with a sum, and not rounded at all.
        """
        if step.op in ELEMENTARY or step.op == "const":
            return own.wider(local.most(own.size))
        between = own
        if self._is_narrowed_twice(step):
            between = own.through(lambda x: nearest(x, FORMATS["float32"]))
        found = between.through(lambda x: nearest(x, FORMATS[step.dtype]))
        return found.hull(own) if step.op in ("mul", "square") else found

    def _assumed(self, step: Step) -> tuple[float, float]:
        """The error of an elementary function in units, and that of its smallest values. Raises Unbounded."""
        own, form = self.platform.table.get(step.op), FORMATS[step.dtype]
        if own is None or step.dtype not in own.ulps:
            raise Unbounded(f"nothing is known of the error of {step.op} in {step.dtype}")
        ulps = own.ulps[step.dtype]
        return ulps, form.normal if own.is_abrupt else ulps * form.eta

    def _is_widened(self, step: Step) -> bool:
        """A conversion to a format that holds every value of the other, infinite ones too."""
        if step.op != "cast" or self.program.steps[step.args[0]].dtype not in FORMATS:
            return False
        one, two = FORMATS[self.program.steps[step.args[0]].dtype], FORMATS[step.dtype]
        return one.precision <= two.precision and one.least >= two.least and one.largest <= two.largest

    def _is_narrowed_twice(self, step: Step) -> bool:
        """Whether a result of 16 bits is rounded to float32 first: a conversion of float64, or arithmetic in 16 bits."""
        if not self.platform.through_float32 or FORMATS[step.dtype].precision >= FORMATS["float32"].precision:
            return False
        return step.op in ("add", "sub", "div", "sqrt") or (
            step.op == "cast" and self.program.steps[step.args[0]].dtype == "float64"
        )

    def error(self, cells: Cells, probe: bool = False) -> Array:
        """The bound on each cell; of a probe also where no inputs within the cell take its steps into their ranges."""
        marks = [int(name.rpartition(" ")[2]) for name in cells if name.startswith(("step ", "turn "))]
        carry = {k for mark in marks for k in self.program.below(mark)}
        with np.errstate(all="ignore"):
            own = Sweep(self, cells, carry if np.isinf(self.limit) else range(self.last + 1), probe)
            return own.backward(self.last)

    def found(self, cells: Cells) -> Found:
        """All that is known of each cell."""
        last, summand = self.last, self.program.summand
        with np.errstate(all="ignore"):
            sweep = Sweep(self, cells, range(last + 1))
            error = sweep.backward(last)
            return Found(
                error,
                np.where(sweep.is_filled, sweep.reach[last].size, 0.0),
                error if summand == last else sweep.backward(summand),
                np.where(sweep.is_filled, sweep.reach[summand].size, 0.0),
                sweep.forward[last],
            )


class Sweep:
    """One evaluation on many cells: forwards, then backwards. Errors are carried forward for the steps in ``carry``."""

    def __init__(self, model: Model, cells: Cells, carry: Collection[int], probe: bool = False) -> None:
        self.model, self.cells, self.carry, self.steps = model, cells, carry, model.program.steps
        self.shape = np.broadcast_shapes(*(np.shape(own.low) for own in cells.values()))
        self.is_filled = np.ones(self.shape, dtype=bool)
        self.cells = self._narrowed(probe)
        self.reach: list[Interval] = []
        """Of each step, all values along the path."""
        self.computed: list[Interval] = []
        """Of each step, what is computed at its end: rounding is monotonic, so that this may be narrower."""
        self.forward: dict[int, Accumulated] = {}
        self.locals: list[Local] = []
        self.waves: dict[tuple[str, int], Interval] = {}
        for place in range(len(self.steps)):
            self._step(place, probe)

    def _narrowed(self, probe: bool) -> Cells:
        """The cells, with inputs b and s held to what a range of b/s leaves of them."""
        cells = dict(self.cells)
        for place, above, below in self.model.quotients:
            known = cells.get(f"step {place}")
            if known is not None:
                # a probe goes where its quotient is, anywhere in the box
                own, top = self.model.box.get(above, cells[above]) if probe else cells[above], known * cells[below]
                self.is_filled = self.is_filled & (top.low <= own.high) & (top.high >= own.low)
                cells[above] = top.meet(own)
                cells[below] = (cells[above] / known).meet(cells[below])
        return cells

    def _step(self, place: int, probe: bool) -> None:
        step, far = self.steps[place], None
        own = last = self._value(step, self.reach)
        if any(self.computed[a] is not self.reach[a] for a in step.args):
            last = self._value(step, self.computed)
        if place in self.carry:
            far = carried(step, [(self.reach[a], self.forward[a]) for a in step.args], own)
        pinned = self.cells.get(f"step {place}")
        if place == self.model.last and np.isfinite(self.model.limit):
            pinned = Interval(np.asarray(-self.model.limit), np.asarray(self.model.limit))
        if pinned is not None and far is not None:
            if not probe:
                self.is_filled &= (own.low <= pinned.high) & (own.high >= pinned.low)
            far = far.within(pinned.size)
            own, last = own.meet(pinned.wider(far.off)), last.meet(pinned.wider(far.off))
        local = self.model.local(place, last)
        most = local.most(own.size)
        if far is not None:
            self.forward[place] = far.rounded(most, local.delta, local.rest)
        is_exact = not np.any(most > 0)
        self.reach.append(own if is_exact else own.wider(most))
        self.computed.append(self.reach[-1] if is_exact else self.model.rounded(step, last, local))
        self.locals.append(local)

    def _value(self, step: Step, values: list[Interval]) -> Interval:
        """The values of a step before it is rounded, of all that its operands may be."""
        if step.op in ("cos", "sin"):
            own = self.wave(step.op, step.args[0])
        else:
            own = self.cells[str(step.value)] if step.op == "leaf" else value(step, [values[a] for a in step.args])
        return Interval(np.broadcast_to(own.low, self.shape), np.broadcast_to(own.high, self.shape))

    def wave(self, name: str, place: int) -> Interval:
        """Cosine or sine of an angle, computed or exact."""
        key = name, place
        if key not in self.waves:
            turns = self.cells.get(f"turn {place}")
            if turns is None:
                self.waves[key] = intervals.wave(name, self.reach[place])
            else:
                found = intervals.turned(name, turns).wider(self.forward[place].off)
                self.waves[key] = Interval(np.maximum(found.low, -1.0), np.minimum(found.high, 1.0))
        return self.waves[key]

    def backward(self, root: int) -> Array:
        """Σ min(|A| E, |R| u) over the steps below the root."""
        total = np.zeros(self.shape)
        one = point(total + 1.0)
        sums = {root: (one, self.reach[root])}
        for place in range(root, -1, -1):
            if place not in sums:
                continue
            step, (a, r), local = self.steps[place], sums[place], self.locals[place]
            counted = _counted(a.size, r.size, local)
            total = (total + counted) * UP
            # what is handed on is A·f, and the step is f + e
            own = r.wider(counted) if np.any(counted > 0) else r
            args = [self.reach[k] for k in step.args]
            shares = pull(step, a, own, args, self.reach[place], self._slope(step))
            for arg, (da, dr) in zip(step.args, shares, strict=True):
                sums[arg] = (sums[arg][0] + da, sums[arg][1] + dr) if arg in sums else (da, dr)
        return np.where(self.is_filled, np.where(np.isnan(total), np.inf, total), 0.0)

    def _slope(self, step: Step) -> Interval | None:
        """The derivative of a wave."""
        if step.op == "cos":
            return -self.wave("sin", step.args[0])
        return self.wave("cos", step.args[0]) if step.op == "sin" else None


def _counted(adjoint: Array, scaled: Array, local: Local) -> Array:
    """min(|A| E, |R| u), 0·∞ = 0 for what the result does not depend on."""
    one = adjoint * local.error
    one = np.where(np.isnan(one), local.error, one)  # 0·∞: nothing where there is no error, ∞ where a value may overflow
    rest = adjoint * local.rest * (1 + 2 * local.delta) if local.rest else 0.0
    two = scaled * local.delta + rest
    if not np.any(local.delta):
        return one
    return np.fmin(one, np.where(np.isinf(local.error), np.inf, two))
