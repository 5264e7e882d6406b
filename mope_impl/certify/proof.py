"""The proof of one scalar: that the node of an output, or of a gradient, is the formula of its specification.

A node is taken on every cell of the specification's box, and there the decision procedure settles the equality. Beyond a
cut-off the difference is bounded instead. Nothing here knows in which language the file is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import sympy as sp

from mope_theory import decide
from mope_theory.spec import KernelSpec

from .constants import Literal
from .enclose import difference, literals
from .formulas import adjoint, channel, gradient_symbols, with_defaults
from .nodes import Node, Nodes, lines_below
from .nodes import leaves as leaves
from .regions import MOST_CELLS, Cell, Split, Undecided, is_outside, outside, whole
from .structure import Axes, Summand, Unfit, summand
from .tails import Unbounded, tail
from .translate import expression

LONGEST = 300
"""Characters of a difference that are shown."""


STATUSES = ("wrong", "undecided", "validated", "enclosed", "proved")
"""From the worst to the best."""
HOLDING = frozenset(STATUSES[2:])
"""Statuses of what was found to be the formula."""


@dataclass
class Finding:
    """What was found of one output, or of one gradient."""

    name: str
    status: str = "proved"
    """``proved``; ``enclosed`` where the difference is bounded; ``validated`` where that is so at the shapes that were tried;
    ``wrong`` where it differs from the formula; ``undecided``."""
    notes: list[str] = field(default_factory=list)
    """What the proof took beyond the decision procedure; or how it fails."""
    lines: frozenset[int] = frozenset()
    seconds: float = 0.0
    regions: int = 1
    difference: float = 0.0
    """Bound of what is enclosed and not proved."""
    proofs: int = 0
    """Scalars that were proved to be the formula; without one nothing is proved."""

    @property
    def holds(self) -> bool:
        return self.status in HOLDING

    def fail(self, status: str, note: str, lines: frozenset[int] = frozenset()) -> None:
        """A failure; the first one stands."""
        if self.holds:
            self.status, self.notes, self.lines = status, [note], lines

    def enclose(self, off: float, known: Iterable[Literal]) -> None:
        """It is the formula but for the digits of literals, which change it by no more than ``off``."""
        self.status, self.difference = "enclosed", max(self.difference, off)
        for one in known:
            note = f"{float(one.value)!r} stands for {one.constant}"
            self.notes += [note] if note not in self.notes else []


@dataclass(frozen=True)
class Semantics:
    """One file: a finding for each output and gradient, or the reason why it is refused."""

    findings: tuple[Finding, ...] = ()
    refused: str = ""
    line: int | None = None

    @property
    def holds(self) -> bool:
        return not self.refused and bool(self.findings) and all(f.holds for f in self.findings)


class Prover:
    """Proofs of the nodes of one table against one specification; equal nodes are proved once."""

    def __init__(self, nodes: Nodes, spec: KernelSpec) -> None:
        self.nodes, self.spec = nodes, spec
        self.symbols = {name: s for x in spec.inputs for name, s in zip(leaves(x.name, len(x.symbols)), x.symbols, strict=True)}
        self.symbols |= dict(zip(leaves("grad", len(spec.channels)), gradient_symbols(spec), strict=True))
        self.done: set[tuple[str, int, int, frozenset[str]]] = set()
        self.proved_lines: set[int] = set()

    def prove(
        self,
        finding: Finding,
        number: int,
        node: Node,
        axes: Axes,
        along: dict[str, Axes],
        memo: dict[int, Summand],
        missing: frozenset[str],
        symbol: sp.Symbol | None = None,
    ) -> None:
        """Prove one scalar; ``symbol`` is what the gradient is taken by."""
        if not finding.holds:
            return
        start = perf_counter()
        try:
            own = summand(self.nodes, node, along, memo)
            if own.axes != axes:
                over = [" and ".join(sorted(x)) or "nothing" for x in (own.axes, axes)]
                finding.fail("wrong", f"summed over {over[0]}, where {over[1]} is specified", frozenset(node.lines))
                return
            key = (finding.name, number, own.node.number, missing)
            if key not in self.done:
                self.done.add(key)
                self._equal_or_enclosed(finding, number, own.node, missing, symbol)
        except Unfit as fault:
            finding.fail("wrong", fault.what, fault.lines)
        finally:
            finding.seconds += perf_counter() - start
        if finding.status in HOLDING:
            finding.proofs += 1
            self.proved_lines |= lines_below(node)
        elif not finding.lines:
            finding.lines = lines_below(node)

    def _equal_or_enclosed(
        self, finding: Finding, number: int, node: Node, missing: frozenset[str], symbol: sp.Symbol | None
    ) -> None:
        """Prove it as it is written; or else with the constants that its literals stand for, whose effect is enclosed then."""
        tried = Finding(finding.name)
        self._on_every_cell(tried, number, node, missing, symbol, {})
        known = {} if tried.holds else literals(node)
        if known:
            other = Finding(finding.name)
            self._on_every_cell(other, number, node, missing, symbol, {k: one.constant for k, one in known.items()})
            off = difference(node, self.spec) if other.holds else None
            if off is not None:
                tried = other
                finding.enclose(off, known.values())
        finding.regions = max(finding.regions, tried.regions)
        if not tried.holds:
            finding.fail(tried.status, tried.notes[0], tried.lines)
        elif tried.notes and not any(note.startswith("|") for note in finding.notes):
            finding.notes += tried.notes

    def _on_every_cell(
        self,
        finding: Finding,
        number: int,
        node: Node,
        missing: frozenset[str],
        symbol: sp.Symbol | None,
        constants: Mapping[int, sp.Expr],
    ) -> None:
        values = with_defaults(self.spec, missing)
        names = {name: values.get(s, s) for name, s in self.symbols.items()}
        cells, seen = [*outside(self.spec), *reversed(whole(self.spec))], 0
        while cells and finding.holds:
            cell, seen = cells.pop(), seen + 1
            if seen > MOST_CELLS:
                finding.fail("undecided", f"more than {MOST_CELLS} regions")
                return
            try:
                got = expression(node, cell, names, dict(constants))
                if (got is sp.nan) != is_outside(cell, self.spec):
                    raise Unfit("NaN" if got is sp.nan else f"{_shown(got)} and not NaN", lines_below(node))
                if got is sp.nan:
                    continue
                wanted = [channel(self.spec, number, cell)] if symbol is None else adjoint(self.spec, symbol, cell)
                self._equal(finding, got, [one.subs(values) for one in wanted], cell)
            except Split as split:
                cells += reversed(split.cells)
                seen -= 1
            except Undecided as fault:
                finding.fail("undecided", _within(str(fault), cell))
            except Unfit as fault:
                finding.fail("wrong", _within(fault.what, cell), fault.lines)
        finding.regions = max(finding.regions, seen)

    def _equal(self, finding: Finding, got: sp.Expr, wanted: Sequence[sp.Expr], cell: Cell) -> None:
        for one in wanted:
            try:
                if decide.equal(cell.put(got), cell.put(one)):
                    return
                reason = ""
            except decide.Refused as fault:
                reason = f" ({fault})"
        difference = got - wanted[0]
        status = "undecided" if reason else "wrong"
        for guard in (g for g in cell.guarded if g.low > 0):
            try:
                bound = tail(difference, cell, guard)
            except (Unbounded, decide.Refused) as fault:
                reason += f"; no bound of it: {fault}"
                continue
            if bound.is_negligible:
                if not finding.notes:
                    finding.notes.append(f"|{guard.quantity}| > {guard.low}: off by {bound.text()}")
                return
            reason += f", up to {bound.total.str(3, radius=False)}"
        finding.fail(status, _within(f"differs by {_shown(difference)}{reason}", cell))


def _within(what: str, cell: Cell) -> str:
    return f"{what}, where {cell.text()}" if cell.text() else what


def _shown(difference: sp.Expr) -> str:
    text = sp.sstr(sp.factor_terms(sp.expand(difference)))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
