"""The three forms a kernel takes on its way to source text: formulas, a graph of operations, and a schedule of statements.

All are immutable, so a pass is a function from one to the next and can be tested alone.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from mope_theory.spec import KernelSpec

from .opaque import OPERATIONS

FUNCTIONS: dict[type, str] = {
    sp.exp: "exp", sp.log: "log", sp.cos: "cos", sp.sin: "sin", sp.Abs: "abs", sp.sign: "sign", **OPERATIONS,
}  # fmt: skip
"""Functions that have an operation in every backend. Any other is refused by name."""


RESERVED = (
    "torch", "Tensor", "ctx", "dtype", "grad", "grads", "results", "inputs", "output", "float", "list", "tuple", "isinstance",
    "ValueError", "layout", "str", "wide", "needs",
)  # fmt: skip
"""Names that generated files use themselves; no input may have one of them."""

CHOSEN = {"half": "halves", "interleaved": "interleaved"}
"""Values of the argument that leaves the layout to the caller, the default first."""


@dataclass(frozen=True)
class Formula:
    """Real SymPy expressions: channels in terms of inputs and bindings, and their vector-Jacobian product.

    With v_k the incoming gradient of channel k, ``binding_adjoints`` holds Σ_k v_k ∂c_k/∂z for each binding z, and
    ``adjoints`` holds for each variable x, that is each symbol of an input, the summand Σ_k v_k ∂c_k/∂x + Σ_z adjoint(z) ∂z/∂x,
    adjoint(z) being a symbol.
    """

    spec: KernelSpec
    channels: tuple[sp.Expr, ...] = ()
    bindings: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    binding_adjoints: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    adjoints: tuple[sp.Expr, ...] = ()

    @property
    def incoming(self) -> tuple[sp.Symbol, ...]:
        """The symbols v_k."""
        return tuple(sp.Dummy(f"grad_{k}", real=True, dummy_index=k) for k in range(len(self.spec.channels)))

    def adjoint_of(self, binding: sp.Symbol) -> sp.Symbol:
        """The symbol that stands for the gradient with respect to a binding."""
        place = list(self.bindings).index(binding)
        return sp.Dummy(f"grad_{binding.name}", real=True, dummy_index=len(self.spec.channels) + place)

    def in_inputs(self, expression: sp.Expr) -> sp.Expr:
        """The expression with every binding replaced by its value."""
        return expression.xreplace(dict(self.bindings))


@dataclass(frozen=True)
class Node:
    """One operation on tensors. ``label`` is a wish for a variable name and no part of the node's identity."""

    op: str
    args: tuple[Node, ...] = ()
    data: Any = None
    label: str = field(default="", compare=False)

    def walk(self) -> list[Node]:
        """Every node below and this one, each once, arguments first."""
        seen: dict[Node, None] = {}

        def visit(node: Node) -> None:
            if node not in seen:
                for arg in node.args:
                    visit(arg)
                seen[node] = None

        visit(self)
        return list(seen)

    def named(self, label: str) -> Node:
        """The same node with another wish for its name."""
        return replace(self, label=label)

    def rewrite(self, rule: Callable[[Node], Node]) -> Node:
        """The graph with the rule applied to every node, arguments first."""
        done: dict[Node, Node] = {}
        for node in self.walk():
            done[node] = rule(replace(node, args=tuple(done[arg] for arg in node.args)))
        return done[self]


@dataclass(frozen=True)
class Program:
    """Operations: graphs for the outputs of the kernel, and one for the gradient of each variable, from the reduce pass on
    of each input.

    Leaves are ``input`` (data: its index), ``part`` (index of an input and of a channel of it, until the layout pass),
    ``incoming`` (index of a channel) or ``gradient`` (index of an output), ``literal`` (a float), ``constant`` (a
    symbol-free expression, until the literals pass) and ``binding`` (its name, until the guard pass).
    """

    spec: KernelSpec
    outputs: tuple[Node, ...]
    gradients: tuple[Node, ...]
    bindings: Mapping[str, Node] = field(default_factory=dict)

    def rewrite(self, rule: Callable[[Node], Node]) -> Program:
        """The program with the rule applied to every node, arguments first."""
        return replace(
            self,
            outputs=tuple(root.rewrite(rule) for root in self.outputs),
            gradients=tuple(root.rewrite(rule) for root in self.gradients),
            bindings={name: root.rewrite(rule) for name, root in self.bindings.items()},
        )


@dataclass(frozen=True)
class Section:
    """Statements ``name = node`` in order, in which a leaf ``variable`` (data: its name) stands for an earlier one."""

    statements: tuple[tuple[str, Node], ...]
    results: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Schedule:
    """What a backend prints: the forward part, what several gradients share, and each gradient with its own statements.

    ``shared`` goes by the indices of the gradients that share a section; a section uses its own statements and those of
    earlier ones. ``readers`` says of each input which gradients its values are read for, and not its shape and dtype alone.
    """

    spec: KernelSpec
    forward: Section
    shared: tuple[tuple[tuple[int, ...], Section], ...]
    gradients: tuple[Section, ...]
    readers: tuple[tuple[int, ...], ...]


def literal(value: float) -> Node:
    """A float64 constant."""
    return Node("literal", data=float(value))


def leaves_of(spec: KernelSpec, index: int) -> tuple[Node, ...]:
    """The leaf of an input, or of each of its channels, with the name of its symbol as its label."""
    x = spec.inputs[index]
    if not x.has_channels:
        return (Node("input", data=index, label=x.symbols[0].name),)
    return tuple(Node("part", data=(index, place), label=symbol.name) for place, symbol in enumerate(x.symbols))


def input_index(leaf: Node) -> int | None:
    """The input that a node is a leaf of, if it is one."""
    if leaf.op == "part":
        return int(leaf.data[0])
    return int(leaf.data) if leaf.op == "input" else None


def absent_dims(spec: KernelSpec, index: int) -> tuple[int, ...]:
    """The axes that an input lacks, counted from the last one, from right to left.

    Axes before the input's first are left out: broadcasting supplies them by itself.
    """
    present = [axis in spec.inputs[index].own for axis in spec.axes]
    first = present.index(True) if any(present) else len(present)
    return tuple(k - len(present) for k in reversed(range(first, len(present))) if not present[k])
