"""An equation between analytic functions, on a box of real variables: values at Chebyshev points, and interpolation between them.

What is enclosed is the gap D of the two sides, divided by a unit that never vanishes, in variables of which nothing else is left:
dimensional analysis goes first, and is decided. At the points of a grid D is enclosed by sums and quadratures with their tails.
Between them, D is analytic in each variable. With |D| ≤ M on the ellipse whose foci are the ends of the range of a variable and
whose semi-axes add up to r times half of it, the polynomial that interpolates D at n + 1 Chebyshev points is within
4M r^{−n}/(r − 1) of D (Trefethen, Approximation Theory and Approximation Practice, Theorem 8.2), and is itself at most Λ times
the largest value at the points, Λ ≤ 1 + (2/π) log(n + 1) (Theorem 15.2). Several variables are taken one after the other.

That D is analytic there is seen from how it is built. Its sums and integrals have terms c·x^k·e^{a₂x² + a₁x + a₀} with
coefficients that are analytic too; what bounds |c| and the real parts of the a's on the boundary of an ellipse bounds them
inside, so that they converge uniformly, and |D| itself is largest on the boundary.

An equation can be enclosed to a tolerance only, so that this never covers a box.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp
from flint import acb, arb, fmpq

from ..assumptions import admitted
from ..decide import Refused, positive, unfold
from ..derivation import Outcome
from ..reference import Unresolved
from ..statement import Equal, Statement
from ..substitution import bound_symbols, put
from ..text import expression
from .analytic import is_analytic
from .base import Enclosure, precision
from .bound_variables import combined, opened, real_sums, rescaled
from .interval import exactly
from .real_walker import RealWalker
from .scaling import kept
from .size import Size

Ends = tuple[sp.Expr, sp.Expr]
ARCS = 64
"""Arcs that an ellipse is covered by."""


@dataclass(frozen=True)
class Interpolation(Enclosure):
    """lhs = rhs to 2^{−bits} of the unit, on the box, for every value of the symbols that drop out."""

    statement: Statement
    box: Mapping[sp.Symbol, Ends | sp.FiniteSet]
    """A pair of rational ends for each variable; a finite set where it is to take these values only."""
    scaling: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    inside: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    """New variables of integration, x ↦ λy + μ."""
    unit: sp.Expr = sp.S.One
    degree: int = 48
    ellipse: int | sp.Rational = 2
    """r, the sum of the semi-axes over half of the range."""
    bits: int = 48

    def lies_within(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        plain = all(self._range(s).is_subset(box[s]) is True for s in self.box if s in box)
        return plain and kept(self.scaling, box) and set(self.box) <= set(box) | self._ratios()

    def covers(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        """False: an equation is enclosed to a tolerance only."""
        return False

    def _ratios(self) -> set[sp.Symbol]:
        return {s for value in self.scaling.values() for s in value.free_symbols}

    def _range(self, symbol: sp.Symbol) -> sp.Set:
        ends = self.box[symbol]
        return ends if isinstance(ends, sp.FiniteSet) else sp.Interval(*ends)

    def check(self) -> Outcome:
        try:
            gap = self._gap()
            with precision(2 * self.bits):
                return self._enclose(gap)
        except (Refused, Unresolved) as refusal:
            return Outcome("refused", str(refusal))

    def _gap(self) -> sp.Expr:
        """(lhs − rhs)/unit in the variables of the box."""
        statement = self.statement
        if not isinstance(statement, Equal) or type(statement) is not Equal:
            raise Refused(f"interpolation does not enclose {type(statement).__name__}")
        if not (self.ellipse > 1 and self.degree > 0):
            raise Refused("no ellipse around the range, or no polynomial")
        if not positive(self.unit * sp.conjugate(self.unit)):
            raise Refused("the unit is not shown to be other than 0")
        for symbol in self.box:
            if self._range(symbol).is_empty or self._range(symbol).is_subset(admitted(symbol)) is not True:
                raise Refused(f"{symbol} does not admit every value of its range")
        if bound_symbols(sp.Tuple(statement.lhs, statement.rhs)) & self.unit.free_symbols:
            raise Refused("the unit depends on a variable of a sum or an integral")
        gap = self._side(statement.lhs) - self._side(statement.rhs)
        if gap.free_symbols - set(self.box):
            raise Refused(f"after scaling there is still {', '.join(sorted(map(expression, gap.free_symbols - set(self.box))))}")
        return gap

    def _side(self, side: sp.Expr) -> sp.Expr:
        """One side over the unit; a sum or an integral is divided term by term."""
        side = real_sums(opened(side))
        node = isinstance(side, (sp.Sum, sp.Integral))
        divided = side.func(side.function / self.unit, *side.limits) if node else side / self.unit
        scaled = rescaled(put(divided, self.scaling), self.inside)
        sums = {s: s.func(combined(unfold(s.function)), *s.limits) for s in scaled.atoms(sp.Sum)}
        return unfold(scaled.xreplace(sums))

    def _enclose(self, gap: sp.Expr) -> Outcome:
        free = sorted((s for s in self.box if s in gap.free_symbols), key=lambda s: not self._is_finite(s))
        error, place = self._largest(gap, free, {}, {})
        if place is not None:
            return Outcome("fails", f"false at {place}: off by {error.str(3)} of {expression(self.unit)}")
        if not error < arb(2) ** (-self.bits):
            return Outcome("refused", f"enclosed to {error.str(3)} only")
        ranges = " × ".join(f"{expression(s)} ∈ {expression(self._range(s))}" for s in free)
        unit = "" if self.unit == 1 else f" times {expression(self.unit)}"
        values = ", ".join(f"{expression(s)} = {expression(v)}" for s, v in self.scaling.items())
        where = f" where {values}" if values else ""
        return Outcome("holds", f"equal within {error.str(2, radius=False)}{unit} on {ranges}{where}")

    def _largest(
        self, gap: sp.Expr, free: list[sp.Symbol], at: dict[sp.Symbol, arb], sizes: dict[sp.Symbol, arb]
    ) -> tuple[arb, str | None]:
        """A bound for |D| over the variables that are free, and a point where D is not 0, if one is met.

        ``sizes`` keeps the bounds on ellipses, which depend on the finite sets alone.
        """
        if not free:
            value = RealWalker({s: exactly(x) for s, x in at.items()}).complex_value(gap)
            if value.contains(0):
                return arb(abs(value).upper()), None
            return abs(value), ", ".join(f"{expression(s)} = {x.str(6, radius=False)}" for s, x in at.items())
        symbol, *others = free
        worst = arb(0)
        for node in self._nodes(symbol):
            error, place = self._largest(gap, others, {**at, symbol: node}, {} if self._is_finite(symbol) else sizes)
            if place is not None:
                return error, place
            worst = worst.max(error)
        if self._is_finite(symbol):
            return worst, None
        if symbol not in sizes:
            sizes[symbol] = self._size(gap, symbol, {s: x for s, x in at.items() if self._is_finite(s)})
        lebesgue = 1 + 2 / arb.pi() * arb(self.degree + 1).log()
        r = _arb(self.ellipse)
        return (lebesgue * worst + 4 * sizes[symbol] * r ** (-self.degree) / (r - 1)).upper(), None

    def _nodes(self, symbol: sp.Symbol) -> list[arb]:
        ends = self.box[symbol]
        if self._is_finite(symbol):
            return [_arb(x) for x in ends]
        middle, half = self._middle(ends)
        return [middle + half * (arb.pi() * fmpq(j, self.degree)).cos() for j in range(self.degree + 1)]

    @staticmethod
    def _middle(ends: Ends) -> tuple[arb, arb]:
        low, high = map(_arb, ends)
        return (low + high) / 2, (high - low) / 2

    def _is_finite(self, symbol: sp.Symbol) -> bool:
        return isinstance(self.box[symbol], sp.FiniteSet)

    def _size(self, gap: sp.Expr, complexified: sp.Symbol, points: Mapping[sp.Symbol, arb]) -> arb:
        """A bound for |D| where one variable is in its ellipse, others are at points, and the rest in their real ranges.

        The boundary is covered by arcs, in boxes.
        """
        real = {s: acb(_arb(self._range(s).inf).union(_arb(self._range(s).sup))) for s in gap.free_symbols}
        real |= {s: acb(x) for s, x in points.items()}
        (middle, half), r = self._middle(self.box[complexified]), _arb(self.ellipse)
        across, up = half * (r + 1 / r) / 2, half * (r - 1 / r) / 2
        if not is_analytic(gap, complexified, right_half_plane=bool(middle > across)):
            raise Refused(f"{expression(complexified)} ↦ the gap is not shown to be analytic on its ellipse")
        largest = arb(0)
        for k in range(ARCS):
            turn = arb(fmpq(2 * k, ARCS)).union(arb(fmpq(2 * k + 2, ARCS))) * arb.pi()
            arc = acb(middle + across * turn.cos(), up * turn.sin())
            largest = largest.max(Size({**real, complexified: arc}).of(gap))
        return largest.upper()


def _arb(value: sp.Expr) -> arb:
    value = sp.Rational(value)
    return arb(fmpq(int(value.p), int(value.q)))
