"""Quadratic forms Σ a_j ā_k M_jk above c Σ |a_j|²: at given positions for every vector, by a factorisation in balls.

M is Hermitian, which is decided. The form exceeds the floor for every a ≠ 0 exactly if M − c·1 is positive definite, and that it
is if all pivots of its factorisation L D L* are positive. In balls that is a proof for the matrices that the balls hold, however
small the smallest eigenvalue is, if there are bits enough; in floating point it is none.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp
from flint import acb, arb

from ..decide import Refused, equal
from ..derivation import Outcome
from ..reference import to_acb
from ..statement import And, Equal, Exists, Implies, Less, Not, Statement
from ..substitution import put
from ..text import expression
from ..vocabulary.functions import Indices, Unknown, Value
from .base import Enclosure, precision
from .exchange import exchanged
from .real_walker import RealWalker
from .scaling import lies_in

Matrix = list[list[acb]]
_first, _second = sp.symbols("x_j x_k", real=True)


@dataclass(frozen=True)
class Section(Enclosure):
    """(a ≠ 0 and …) ⇒ floor < form, for each form of the conclusion, at given values of everything but the vector a."""

    statement: Statement
    vector: Unknown
    positions: Unknown
    size: sp.Symbol
    at: Mapping[sp.Symbol, sp.Expr]
    bits: int = 128

    def lies_within(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        return self.vector in box and all(s in box and lies_in(value, box[s]) for s, value in self.at.items())

    def covers(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        """False: one choice of positions is looked at."""
        return False

    def check(self) -> Outcome:
        try:
            with precision(self.bits):
                gaps = [self._gap(relation) for relation in self._relations()]
                definite = all(map(is_positive_definite, gaps))
        except Refused as refusal:
            return Outcome("refused", str(refusal))
        where = ", ".join(f"{expression(s)} = {expression(value)}" for s, value in self.at.items())
        if not definite:
            return Outcome("refused", f"a pivot is not shown to be positive at {where}")
        return Outcome("holds", f"{len(gaps)} factorisation{'s' * (len(gaps) > 1)} with positive pivots at {where}")

    def _relations(self) -> tuple[Less, ...]:
        """The inequalities of the conclusion, if the hypothesis says that the vector is not 0."""
        statement = self.statement
        if not isinstance(statement, Implies) or type(statement) is not Implies:
            raise Refused("not an implication")
        hypothesis, conclusion = (x.body if isinstance(x, And) else (x,) for x in (statement.hypothesis, statement.conclusion))
        if not any(self._is_nonzero(x) for x in hypothesis):
            raise Refused("the hypothesis does not say that the vector is not 0")
        if not all(type(x) is Less for x in conclusion):
            raise Refused("the conclusion is not made of strict inequalities")
        return tuple(x for x in conclusion if isinstance(x, Less))

    def _is_nonzero(self, x: Statement) -> bool:
        return isinstance(x, Exists) and x.domain == Indices(self.size) and x.body == Not(Equal(self.vector(x.var), sp.S.Zero))

    def _gap(self, relation: Less) -> Matrix:
        """The matrix of right side minus left side."""
        left, right = self._matrix(relation.lhs), self._matrix(relation.rhs)
        return [[x - y for x, y in zip(*rows, strict=True)] for rows in zip(right, left, strict=True)]

    def _matrix(self, side: sp.Expr) -> Matrix:
        """The Hermitian matrix of one side: 0, or a real factor times Σ a_j ā_k M_jk or Σ |a_j|²."""
        n = int(self.at[self.size])
        if side == 0:
            return [[acb(0)] * n for _ in range(n)]
        factor, form = side.as_independent(self.vector, as_Add=False)
        if not isinstance(form, sp.Sum) or any(limit[1:] != (0, self.size - 1) for limit in form.limits):
            raise Refused(f"not a quadratic form: {expression(side)}")
        scale = acb(RealWalker({}).value(put(factor, self.at)).ball())
        indices = [limit[0] for limit in form.limits]
        if len(indices) == 1 and form.function == sp.Abs(self.vector(indices[0])) ** 2:
            return [[scale if r == c else acb(0) for c in range(n)] for r in range(n)]
        j, k = indices
        kernel = form.function / (self.vector(j) * sp.conjugate(self.vector(k)))
        return [[scale * x for x in row] for row in self._kernel(kernel, j, k, n)]

    def _kernel(self, kernel: sp.Expr, j: sp.Symbol, k: sp.Symbol, n: int) -> Matrix:
        """The values of a kernel of two positions, decided to be Hermitian."""
        pair = kernel.xreplace({Value(self.positions, j): _first, Value(self.positions, k): _second})
        if {j, k, self.vector, self.positions} & pair.free_symbols:
            raise Refused("the kernel is not one of two positions")
        mirrored = pair.xreplace({_first: _second, _second: _first})
        if not equal(sp.conjugate(pair), mirrored):
            raise Refused("the matrix is not Hermitian")
        fixed = put(pair, {s: x for s, x in self.at.items() if s in pair.free_symbols})
        places = [self.at[self.positions].expr.xreplace({self.at[self.positions].variables[0]: sp.Integer(i)}) for i in range(n)]
        return [[to_acb(exchanged(fixed, {_first: x, _second: y}), {}) for y in places] for x in places]


def is_positive_definite(m: Matrix) -> bool:
    """Are all pivots of L D L* shown to be positive? Only the lower triangle of the Hermitian matrix is looked at."""
    pivots: list[arb] = []
    lower: Matrix = []
    for r in range(len(m)):
        row: list[acb] = []
        for c in range(r):
            rest = sum((row[i] * lower[c][i].conjugate() * pivots[i] for i in range(c)), acb(0))
            row.append((m[r][c] - rest) / pivots[c])
        pivot = m[r][r].real - sum(((x * x.conjugate()).real * d for x, d in zip(row, pivots, strict=True)), arb(0))
        if not pivot > 0:
            return False
        pivots.append(pivot)
        lower.append(row)
    return True
