"""Small programs that rounding bounds are tried on: written ones, sharp where an engine may be wrong, and random ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np
import torch
from flint import arb, ctx

from mope_impl.certify.nodes import Node, Nodes
from mope_impl.certify.rounding.bounds import on_box
from mope_impl.certify.rounding.errors import Exact
from mope_impl.certify.rounding.formats import FORMATS
from mope_impl.certify.rounding.primitives import PLATFORMS
from mope_impl.certify.rounding.program import Unbounded
from mope_impl.certify.sampling.replay import DTYPES, below, replay


class Writer:
    """Nodes by the names of operations, in the dtype of their operands."""

    def __init__(self) -> None:
        self.nodes = Nodes()

    def leaf(self, name: str, dtype: str) -> Node:
        return self.nodes.make("leaf", dtype=dtype, value=name)

    def number(self, value: float | str, dtype: str) -> Node:
        return self.nodes.make("const", dtype=dtype, value=Fraction(value))

    def to(self, node: Node, dtype: str) -> Node:
        return self.nodes.make("cast", [node], dtype)

    def __getattr__(self, op: str) -> Callable[..., Node]:
        return lambda *args: self.nodes.make(op, args, args[0].dtype)


@dataclass(frozen=True)
class Case:
    """A program, the box of its leaves, points to try besides random ones, and how many cells it gets."""

    name: str
    node: Node
    box: dict[str, tuple[float, float]]
    points: tuple[dict[str, float], ...] = ()
    budget: int = 200

    def bound(self) -> float:
        exact = {}
        for node in below(self.node):
            if node.op == "leaf":
                form = FORMATS[node.dtype]
                exact[str(node.value)] = Exact(form.precision, form.least)
        try:
            return on_box(self.node, self.box, exact, PLATFORMS["torch"], self.budget).error
        except Unbounded:
            return inf

    def excess(self, generator: np.random.Generator, count: int) -> float:
        """The largest error ÷ bound of points of the box; 0 where there is no bound."""
        bound = self.bound()
        leaves = {str(node.value): node.dtype for node in below(self.node) if node.op == "leaf"}
        values = {name: self._values(name, dtype, generator, count) for name, dtype in leaves.items()}
        if bound == inf or not leaves:
            return 0.0
        computed = replay(self.node, values).double().tolist()
        worst = 0.0
        form = FORMATS[self.node.dtype]
        with ctx.workprec(1200):
            for k, value in enumerate(computed):
                true = exact_value(self.node, {name: float(v[k]) for name, v in values.items()})
                if not abs(true) <= form.largest * (1 - 2 * form.u):
                    continue  # of a quotient by 0, and of what the dtype does not hold, nothing is said
                off = float(abs(arb(value) - true).upper()) if np.isfinite(value) else inf
                if off > 0:
                    worst = max(worst, off / bound if bound else inf)
        return worst

    def _values(self, name: str, dtype: str, generator: np.random.Generator, count: int) -> torch.Tensor:
        low, high = self.box[name]
        drawn = low + (high - low) * generator.random(count)
        ends = generator.choice([low, high], count)
        own = torch.tensor(np.where(generator.random(count) < 0.2, ends, drawn)).to(DTYPES[dtype])
        own = torch.where((own.double() < low) | (own.double() > high), torch.tensor(low).to(DTYPES[dtype]), own)
        given = [point[name] for point in self.points]
        return torch.cat([own, torch.tensor(given, dtype=torch.float64).to(DTYPES[dtype])])


def exact_value(node: Node, values: dict[str, float]) -> arb:
    """The value of a node in real numbers."""
    known: dict[int, arb] = {}
    for one in below(node):
        args = [known[a.number] for a in one.args]
        known[one.number] = _exact(one, args, values)
    return known[node.number]


def _exact(node: Node, args: list[arb], values: dict[str, float]) -> arb:
    match node.op:
        case "leaf":
            return arb(values[str(node.value)])
        case "const":
            return arb(node.value.numerator) / arb(node.value.denominator)
        case "cast":
            return args[0]
        case "neg":
            return -args[0]
        case "abs":
            return abs(args[0])
        case "add":
            return args[0] + args[1]
        case "sub":
            return args[0] - args[1]
        case "mul":
            return args[0] * args[1]
        case "div":
            return args[0] / args[1]
        case "square":
            return args[0] * args[0]
        case "exp2":
            return arb(2) ** args[0]
        case "sigmoid":
            return 1 / (1 + (-args[0]).exp())
        case "exp" | "cos" | "sin":
            return getattr(args[0], node.op)()
    raise AssertionError(node.op)


def written() -> list[Case]:
    """Programs whose bounds are nearly reached, each in its own way."""
    w = Writer()
    x, y = w.leaf("x", "float32"), w.leaf("y", "float32")
    wide, narrow, other = w.leaf("x", "float64"), w.leaf("x", "bfloat16"), w.leaf("y", "bfloat16")
    half = w.leaf("x", "float16")
    one = w.number(1, "float32")
    tie = {"x": 1 + 2.0**-8 + 2.0**-40}
    far = w.sub(w.to(w.to(x, "bfloat16"), "float32"), w.number("99/100", "float32"))
    rounded = w.to(w.to(x, "bfloat16"), "float32")
    product = w.mul(w.to(x, "float64"), w.to(y, "float64"))
    return [
        Case("one rounding", w.to(x, "bfloat16"), {"x": (1.0, 1.45)}),
        Case("two roundings", w.to(wide, "bfloat16"), {"x": (1.0, 1.5)}, (tie,)),
        Case("a product below the exponents", w.mul(w.to(narrow, "float32"), w.to(other, "float32")),
             {"x": (2.0**-100, 2.0**-99), "y": (2.0**-100, 2.0**-99)}),
        Case("a subnormal result", w.to(x, "float16"), {"x": (2.0**-26, 2.0**-20)}, ({"x": 2.0**-25 * 1.5},)),
        Case("a square across 0", w.div(one, w.add(w.square(rounded), w.number("1/100", "float32"))), {"x": (-1.0, 0.75)},
             ({"x": 2.0**-6 * 1.003},), budget=0),
        Case("second order", w.div(one, far), {"x": (1.0, 1.01)}, ({"x": 1 + 2.0**-8 - 2.0**-20},)),
        Case("a divisor", w.div(one, rounded), {"x": (1.0, 2.0)}),
        Case("a difference", w.sub(rounded, w.to(w.to(y, "bfloat16"), "float32")), {"x": (1.0, 1.9), "y": (1.0, 1.9)}),
        Case("a large exponential", w.exp(rounded), {"x": (9.0, 9.9)}),
        Case("a power of two", w.exp2(rounded), {"x": (9.0, 9.9)}),
        Case("a sigmoid", w.sigmoid(rounded), {"x": (-0.25, 0.25)}),
        Case("a square", w.square(rounded), {"x": (1.2, 1.9)}),
        # 173.505 is rounded to 174
        Case("a quotient in an exponent", w.exp(w.sub(w.div(rounded, y), w.number(172, "float32"))),
             {"x": (170.0, 173.51), "y": (1.0, 1.0)}, ({"x": 173.505, "y": 1.0},)),
        Case("a wave", w.cos(rounded), {"x": (1.2, 1.9)}),
        Case("a wave of many turns", w.cos(product), {"x": (-50.0, 50.0), "y": (-3.0, 3.0)}),
        Case("a wave of any turn", w.cos(rounded), {"x": (-50.0, 50.0)}, budget=0),
        Case("waves of many turns", w.mul(w.add(w.sin(rounded), w.cos(rounded)), rounded), {"x": (-50.0, 50.0)}, budget=0),
        Case("overflow", w.to(w.to(x, "float16"), "float32"), {"x": (1.0, 70000.0)}),
        Case("an inexact number", w.mul(w.to(half, "float32"), w.number("1/10", "float32")), {"x": (1.0, 2.0)}),
        Case("a size above a power of two", w.to(x, "bfloat16"), {"x": (0.5, 1 + 2.0**-8)}, ({"x": 1 + 2.0**-8 - 2.0**-20},)),
    ]  # fmt: skip


OPERATIONS = "add sub mul mul div exp cos sin neg abs square sigmoid cast".split()


def at_random(generator: np.random.Generator, count: int) -> Iterator[Case]:
    """Straight-line programs of two to nine operations in one, two or three dtypes."""
    for number in range(count):
        dtype = str(generator.choice(["float16", "bfloat16", "float32", "float64"]))
        w, box = Writer(), {}
        pool = [w.number(str(generator.choice(["0.5", "3", "0.1", "-1.25"])), dtype)]
        for name in "xyz":
            low = float(generator.choice([0.25, -1.0, -3.0, 1.0, 2.0**-10]))
            box[name] = low, low + float(generator.choice([0.0, 2.0**-6, 1.0, 4.0]))
            pool.append(w.leaf(name, dtype))
        for _ in range(generator.integers(2, 10)):
            op = str(generator.choice(OPERATIONS))
            a, b = (pool[k] for k in generator.integers(len(pool), size=2))
            if op == "cast":
                to = str(generator.choice(["float32", "float64", dtype]))
                own = a if a.dtype == to else w.to(a, to)
            elif op in ("add", "sub", "mul", "div"):
                own = getattr(w, op)(a, b if b.dtype == a.dtype else w.to(b, a.dtype))
            else:
                own = getattr(w, op)(a)
            pool.append(own)
        used = {str(n.value) for n in below(pool[-1]) if n.op == "leaf"}
        if used:
            yield Case(f"random program {number}", pool[-1], {name: box[name] for name in used}, budget=60)
