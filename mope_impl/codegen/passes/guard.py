"""Bindings put in place, and cut off beyond the guard."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy as sp

from mope_theory.spec import Guard, KernelSpec, SpecError

from ..ir import Node, Program, input_index, literal

ZERO = literal(0.0)


def guard(program: Program) -> Program:
    """Guarantees: beyond the guard outputs and gradients are 0, and everything they are made of is finite there.

    The guarded quotient z = N/D becomes 0/D(1, …, 1) beyond the guard and the inputs of D become 1, in every use: a mask on
    the result alone would leave 0·∞ = NaN in the derivatives. The comparison is such that a NaN is not beyond the guard.
    """
    spec, form = program.spec, program.spec.numerical
    if form is None or form.guard is None:
        return replace(_bound(program, program.bindings), bindings={})
    name = form.guard.variable.name
    value = program.bindings[name]
    above, *divisor = value.args if value.op == "div" else (value,)
    if input_index(above) is None:
        above = above.named(f"{name}_numerator")
    size = Node("abs", (Node("div", (above, *divisor)) if divisor else above,))
    beyond = Node("greater", (size, literal(form.guard.threshold)), label=f"beyond_{name}")
    safe: dict[Node, Node] = {}
    inside = Node("where", (beyond, ZERO, above))
    if divisor:
        _require_regular(spec, form.guard)
        for leaf in _leaves(divisor[0]):
            safe[leaf] = Node("where", (beyond, literal(1.0), leaf), label=f"safe_{(leaf.args[0] if leaf.args else leaf).label}")
        inside = Node("div", (inside, _swap(divisor[0], safe)))
    bindings = {other: _swap(value, safe) for other, value in program.bindings.items()} | {name: inside.named(name)}
    cut = _bound(program, bindings, safe)
    return replace(
        cut,
        outputs=tuple(_masked(root, beyond) for root in cut.outputs),
        gradients=tuple(_masked(root, beyond) for root in cut.gradients),
        bindings={},
    )


def _bound(program: Program, bindings: Mapping[str, Node], safe: dict[Node, Node] | None = None) -> Program:
    """The program with its bindings and its safe inputs in place."""

    def rule(node: Node) -> Node:
        return bindings[node.data] if node.op == "binding" else (safe or {}).get(node, node)

    return program.rewrite(rule)


def _swap(root: Node, safe: dict[Node, Node]) -> Node:
    return root.rewrite(lambda node: safe.get(node, node))


def _masked(root: Node, beyond: Node) -> Node:
    return root if root == ZERO else Node("where", (beyond, ZERO, root))


def _leaves(root: Node) -> list[Node]:
    """Inputs below a node, with the check of their domain if they have one."""
    checked = [node for node in root.walk() if node.op == "positive"]
    inner = {node.args[0] for node in checked}
    return checked + [node for node in root.walk() if input_index(node) is not None and node not in inner]


def _require_regular(spec: KernelSpec, limit: Guard) -> None:
    assert spec.numerical is not None
    below = sp.fraction(spec.numerical.bindings[limit.variable])[1]
    value = below.subs(dict.fromkeys(below.free_symbols, 1))
    if value.is_zero is not False or not value.is_finite:
        raise SpecError(f"guard of {spec.name}: {sp.sstr(below)}, which divides, is not regular where its inputs are 1")
