"""Common subexpressions, found jointly, as statements."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..ir import RESERVED, Node, Program, Schedule, Section

LEAVES = ("input", "gradient", "literal", "variable")
LOADS = ("input", "gradient", "compute", "wide", "work", "unsqueeze")
NAMED_ARGUMENTS = ("positive", "at_least", "sign")
"""Operations whose printed form uses their argument twice."""
MODELS = {"sum_to": 1, "like": 1, "zeros_like": 0, "full_like": 0}
"""The argument of an operation that gives its shape or its dtype, and no values."""


def schedule(program: Program) -> Schedule:
    """Guarantees: nothing is computed twice, and a gradient that is not asked for costs nothing.

    Statements are in one fixed order: reading of inputs, then arguments before what uses them.
    """
    taken = [*RESERVED, program.spec.name, *(x.name for x in program.spec.inputs)]
    forward = _Scope(program.outputs, taken)
    backward = _Scope(program.gradients, taken)
    users: dict[Node, tuple[int, ...]] = dict.fromkeys(backward.nodes, ())
    for k, root in enumerate(program.gradients):
        users |= {node: (*users[node], k) for node in root.walk()}
    # what an operation is made of has all of its users and perhaps more, so that larger groups come first
    groups = sorted({group for group in users.values() if len(group) > 1}, key=lambda group: (-len(group), group))
    return Schedule(
        spec=program.spec,
        forward=forward.section(forward.nodes, program.outputs),
        shared=tuple(
            (group, backward.section([node for node in backward.nodes if users[node] == group], ())) for group in groups
        ),
        gradients=tuple(
            backward.section([node for node in backward.nodes if users[node] == (k,)], (root,))
            for k, root in enumerate(program.gradients)
        ),
        readers=tuple(
            tuple(j for j, root in enumerate(program.gradients) if Node("input", data=k) in _values(root))
            for k in range(len(program.spec.inputs))
        ),
    )


def _values(root: Node) -> set[Node]:
    """The nodes whose values a node is made of."""
    found: set[Node] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += [arg for place, arg in enumerate(node.args) if MODELS.get(node.op) != place]
    return found


class _Scope:
    """Names within one function body."""

    def __init__(self, roots: Sequence[Node], taken: Iterable[str]) -> None:
        nodes = {node: None for root in roots for node in root.walk()}
        self.nodes = sorted(nodes, key=_loads_first)
        uses = Counter(arg for node in self.nodes for arg in node.args)
        sections = Counter(node for root in roots for node in root.walk())
        twice = {arg for node in self.nodes if node.op in NAMED_ARGUMENTS for arg in node.args}
        border = {
            arg for node in self.nodes for arg in node.args if sections[arg] > 1 and sections[node] == 1
        }
        labels = {node: node.label for root in roots for node in _all(root) if node.label}
        counts: Counter[str] = Counter()
        self.names: dict[Node, str] = {}
        used = set(taken)
        for node in self.nodes:
            if node.op in LEAVES or node in roots:
                continue
            label = labels.get(node, "")
            if not label and uses[node] < 2 and node not in twice and node not in border:
                continue
            if not label:
                counts[node.op] += 1
                label = f"{node.op}_{counts[node.op]}"
            while label in used:
                label += "_"
            used.add(label)
            self.names[node] = label

    def section(self, nodes: Iterable[Node], results: Sequence[Node]) -> Section:
        statements = tuple((self.names[node], self._inlined(node)) for node in nodes if node in self.names)
        return Section(statements, tuple(self._inlined(root) for root in results))

    def _inlined(self, node: Node) -> Node:
        """The node in terms of variables that are already there."""
        return Node(node.op, tuple(self._read(arg) for arg in node.args), node.data)

    def _read(self, node: Node) -> Node:
        return Node("variable", data=self.names[node]) if node in self.names else self._inlined(node)


def _loads_first(node: Node) -> tuple[int, ...]:
    """Inputs are read first, in their order, then the channels of the gradient; the sort is stable for the rest."""
    below = node.walk()
    if not all(part.op in LOADS or part.op.startswith("take_") for part in below):
        return (2,)
    if below[0].op == "input":
        return 0, below[0].data
    return 1, max(part.data[0] if part.op.startswith("take_") else part.data for part in below if part.data is not None)


def _all(root: Node) -> Iterable[Node]:
    """Every occurrence of every node: equal nodes may differ in their label."""
    yield root
    for arg in root.args:
        yield from _all(arg)
