"""What one result is computed by, a list of steps in order: the branches of one region taken, sums taken of one term.

A comparison is decided by the region. One of a single input with a number must hold, or fail, on all of the box. One of |q| with
a number, for any other quantity q, is a guard: a region lies on either side of it. There a step for q is known to be in a range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..nodes import Node

COMPARED = ("lt", "le", "gt", "ge")
MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
OPERATIONS = frozenset(
    "leaf const cast neg abs sign add sub mul square div sqrt exp exp2 sigmoid cos sin".split()
)  # fmt: skip
Range = tuple[float, float]


class Unbounded(ValueError):
    """No rounding bound is known of what is computed."""


@dataclass(frozen=True)
class Step:
    """One operation, the places of its operands, and the dtype that its result is rounded to."""

    op: str
    args: tuple[int, ...]
    dtype: str
    value: str | Fraction | None = None


@dataclass
class Program:
    """Steps in order, the last one the result."""

    steps: list[Step] = field(default_factory=list)
    summand: int = 0
    """The step that is summed; the last one where nothing is."""
    summed: frozenset[str] = frozenset()
    """The axes that are summed over."""
    accumulated: tuple[str, ...] = ()
    """The dtypes that sums are formed in."""
    after: tuple[str, ...] = ()
    """The dtypes that a sum is converted to, in order."""
    guard: tuple[int, float, bool] | None = None
    """The step of a guarded quantity, its threshold, and whether the region lies beyond it."""

    def __post_init__(self) -> None:
        self._known: dict[Step, int] = {step: k for k, step in enumerate(self.steps)}

    def put(self, step: Step) -> int:
        if step not in self._known:
            self._known[step] = len(self.steps)
            self.steps.append(step)
        return self._known[step]

    @property
    def is_zero(self) -> bool:
        """Whether the result is 0, whatever is given."""
        last = self.steps[-1]
        while last.op in ("cast", "neg"):
            last = self.steps[last.args[0]]
        return last.op == "const" and last.value == 0

    def input_of(self, place: int) -> str:
        """The input that a step is a conversion of, empty where it is of none."""
        while self.steps[place].op == "cast":
            place = self.steps[place].args[0]
        return str(self.steps[place].value) if self.steps[place].op == "leaf" else ""

    def below(self, place: int) -> list[int]:
        """The steps that a step depends on, in order, itself the last."""
        wanted = {place}
        for k in range(place, -1, -1):
            if k in wanted:
                wanted.update(self.steps[k].args)
        return sorted(wanted)


def programs(node: Node, box: Mapping[str, Range]) -> list[Program]:
    """The program of each region. Raises Unbounded."""
    found, open_ones = [], [dict[int, bool]()]
    while open_ones:
        chosen = open_ones.pop()
        maker = _Maker(box, chosen)
        try:
            place = maker.place(node)
        except _Guard as met:
            if len(chosen) > 1:
                raise Unbounded("more than two guards") from None
            open_ones += [{**chosen, met.number: False}, {**chosen, met.number: True}]
            continue
        found.append(maker.finished(place))
    return found


class _Guard(Exception):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class _Maker:
    def __init__(self, box: Mapping[str, Range], chosen: Mapping[int, bool]) -> None:
        self.box, self.chosen = box, chosen
        self.program, self.memo = Program(), dict[int, int]()
        self.sums: list[Node] = []

    def finished(self, place: int) -> Program:
        """The program, without the steps that the result does not depend on."""
        own = self.program
        kept = sorted({*own.below(place), *(own.below(own.guard[0]) if own.guard else ())} - {place}) + [place]
        new = {old: k for k, old in enumerate(kept)}
        steps = [Step(s.op, tuple(new[a] for a in s.args), s.dtype, s.value) for s in (own.steps[k] for k in kept)]
        summand, after = len(steps) - 1, list[str]()
        first = new.get(self.memo[self.sums[0].number], -1) if self.sums else summand
        while summand != first and steps[summand].op in ("cast", "neg"):
            if steps[summand].op == "cast":
                after.insert(0, steps[summand].dtype)
            summand = steps[summand].args[0]
        if summand != first:
            raise Unbounded("an operation on a sum")
        axes = frozenset(axis for one in self.sums if isinstance(one.value, tuple) for axis in one.value)
        guard = None if own.guard is None else (new[own.guard[0]], *own.guard[1:])
        return Program(steps, summand, axes, tuple(one.dtype for one in self.sums), tuple(after), guard)

    def place(self, node: Node) -> int:
        if node.number not in self.memo:
            self.memo[node.number] = self._place(node)
        return self.memo[node.number]

    def _place(self, node: Node) -> int:
        if node.op == "where":
            signed = signed_by(node)
            if signed is not None:
                return self.program.put(Step("sign", (self.place(signed),), node.dtype, None))
            return self.place(node.args[1 if self.holds(node.args[0]) else 2])
        if node.op == "indicator":
            return self.program.put(Step("const", (), node.dtype, Fraction(int(self.holds(node.args[0])))))
        if node.op == "sum":
            place = self.place(node.args[0])
            self.sums.append(node)
            return place
        if node.op not in OPERATIONS:
            raise Unbounded(f"{node.op} has no rounding bound")
        args = tuple(self.place(arg) for arg in node.args)
        op = "square" if node.op == "mul" and args[0] == args[1] else node.op
        if isinstance(node.value, tuple):
            raise Unbounded(f"{node.op} of {node.value}")
        return self.program.put(Step(op, args[:1] if op == "square" else args, node.dtype, node.value))

    def holds(self, condition: Node) -> bool:
        """Whether a comparison holds in this region."""
        if condition.op not in COMPARED:
            raise Unbounded(f"{condition.op} as a condition")
        left, right, op = *condition.args, condition.op
        if left.op == "const":
            left, right, op = right, left, MIRRORED[op]
        if right.op != "const" or not isinstance(right.value, Fraction):
            raise Unbounded("a comparison of two quantities")
        leaf = left
        while leaf.op == "cast":
            leaf = leaf.args[0]
        if leaf.op == "leaf":
            return self._decided(str(leaf.value), op, right.value)
        if left.op != "abs" or right.value <= 0:
            raise Unbounded("a branch on what is neither an input nor a modulus")
        if condition.number not in self.chosen:
            raise _Guard(condition.number)
        beyond = self.chosen[condition.number]
        guard = (self.place(left.args[0]), float(right.value), beyond)
        if self.program.guard not in (None, guard):
            raise Unbounded("two guards")
        self.program.guard = guard
        return beyond == (op in ("gt", "ge"))

    def _decided(self, name: str, op: str, threshold: Fraction) -> bool:
        low, high = self.box[name]
        if high < threshold or (high == threshold and op in ("le", "gt")):
            return op in ("lt", "le")
        if low > threshold or (low == threshold and op in ("lt", "ge")):
            return op in ("gt", "ge")
        raise Unbounded(f"the box does not decide whether {name} exceeds {threshold}")


def inputs(program: Program) -> list[str]:
    """Names of the inputs that the result depends on."""
    return [str(step.value) for step in program.steps if step.op == "leaf"]


def scale(place: int, steps: Sequence[Step]) -> int:
    """The step that another is a multiple, a power or a conversion of."""
    while steps[place].op in ("neg", "square", "cast", "abs") or _times_number(steps[place], steps) is not None:
        step = steps[place]
        other = _times_number(step, steps)
        place = step.args[0] if other is None else other
    return place


def _times_number(step: Step, steps: Sequence[Step]) -> int | None:
    if step.op == "mul":
        for one, two in (step.args, step.args[::-1]):
            if steps[one].op == "const":
                return two
    if step.op == "div" and steps[step.args[1]].op == "const":
        return step.args[0]
    return None


def signed_by(node: Node) -> Node | None:
    """x, where a branch is its sign: 1 for x > 0, −1 for x < 0, else 0."""
    if node.op != "where" or node.args[2].op != "where":
        return None
    above, below = node.args[0], node.args[2].args[0]
    values = [one.value for one in (node.args[1], *node.args[2].args[1:]) if one.op == "const"]
    if (above.op, below.op) != ("gt", "lt") or above.args != below.args or values != [1, -1, 0]:
        return None
    return above.args[0] if above.args[1].op == "const" and above.args[1].value == 0 else None
