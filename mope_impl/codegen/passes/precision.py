r"""Number formats of a backend that multiplies data in float32.

**Data** are the channels of inputs and the incoming gradients: there are many of them, and each is used a few times.
**Coefficients** are what is made of the other inputs alone. They are formed in float64: a phase ωb loses whole turns in float32,
b − b₀ cancels, and the boxes of the specifications are such that nothing overflows in float64, which it would in float32.
Data are multiplied by a coefficient in float32 where that costs one rounding and can neither overflow nor lose the coefficient:
where it is at most 1 in magnitude, as a sine is. Everything else is float64, and so are sums over axes. In a kernel whose
arithmetic is that of its inputs, all inputs count as data.
"""
from __future__ import annotations

from dataclasses import replace

from ..ir import Node, Program, literal

ZERO = literal(0.0)
LINEAR = ("add", "sub", "neg")


def precision(program: Program) -> Program:
    """Guarantees: each operation has one format. Data, their linear combinations, and their products with each other and with
    what is at most 1 have the format ``work``; all else is float64; a cast stands where one meets the other."""
    own = "work" if program.spec.arithmetic == "inputs" else "wide"
    ready = program.rewrite(lambda node: _formatted(node, own))
    return replace(
        ready,
        outputs=tuple(root if root.op.startswith("join_") else Node("result", (root,)) for root in ready.outputs),
    )


def is_work(node: Node) -> bool:
    """Whether a node that has its format is in ``work``."""
    return node.op == "work" or (node.op in (*LINEAR, "mul", "where") and any(map(is_work, node.args)))


def roundings(node: Node) -> int:
    """How often a node in ``work`` is rounded, at most, in units of half an ulp of the sum of its terms' magnitudes."""
    if node.op == "work":
        return 0 if node.args[0].op in ("input", "gradient") or node.args[0].op.startswith("take_") else 1
    if not is_work(node):
        return max(map(roundings, node.args), default=0)
    if node.op == "mul":
        return sum(map(roundings, node.args)) + 1
    return max(map(roundings, node.args)) + (node.op in ("add", "sub"))


def _formatted(node: Node, coefficients: str) -> Node:
    if node.op in ("input", "gradient"):
        return Node(coefficients if node.op == "input" else "work", (node.named(""),), label=node.label)
    if node.op.startswith("take_"):  # of data: the parts are cast, not the whole
        return Node("work", (replace(node, args=node.args[0].args, label=""),), label=node.label)
    if node.op.startswith("join_") or node.op == "summand" or not any(map(is_work, node.args)):
        return node
    if node.op in LINEAR and all(map(is_work, node.args)):
        return node
    if node.op == "mul" and all(is_work(arg) or _is_small(arg) for arg in node.args):
        return replace(node, args=tuple(arg if is_work(arg) or arg.op == "literal" else _cast("work", arg) for arg in node.args))
    if node.op == "where" and all(is_work(arg) or arg == ZERO for arg in node.args[1:]):
        return node
    return replace(node, args=tuple(_cast("wide", arg) if is_work(arg) else arg for arg in node.args))


def _cast(kind: str, node: Node) -> Node:
    return Node(kind, (node,), label=f"{kind}_{node.label or node.op}")


def _is_small(node: Node) -> bool:
    """Whether a coefficient is at most 1 in magnitude, by its form."""
    if node.op == "literal":
        return bool(abs(node.data) <= 1.0)
    return node.op in ("cos", "sin", "sigmoid") or (node.op == "exp" and _is_minus_square(node.args[0]))


def _is_minus_square(node: Node) -> bool:
    """−c·z², written as the ``order`` pass does."""
    if node.op != "mul" or node.args[0].op != "literal" or node.args[0].data > 0.0:
        return False
    square = node.args[1]
    return square.op == "mul" and square.args[0] == square.args[1]
