"""One instance of a quantified statement: it can disprove what is said of all, and prove what is said of some."""
from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from ..decide import Refused
from ..derivation import Outcome
from ..statement import Exists, ForAll, Statement
from ..text import expression
from .scaling import lies_in


class Instance:
    """The statement under leading quantifiers of one kind, with values put for their variables."""

    def __init__(self, statement: Statement, at: Mapping[sp.Symbol, sp.Expr]) -> None:
        self.at, self.kind = at, type(statement) if at else None
        chosen = dict(at)
        while chosen:
            if not isinstance(statement, (ForAll, Exists)) or type(statement) is not self.kind or statement.var not in chosen:
                raise Refused("values are given for variables that no leading quantifier binds")
            value = chosen.pop(statement.var)
            if not lies_in(value, statement.domain):
                raise Refused(f"{expression(value)} is not shown to lie in {expression(statement.domain)}")
            statement = statement.body.substitute({statement.var: value})
        self.body = statement

    def judged(self, outcome: Outcome) -> Outcome:
        """What the outcome at the instance says of the quantified statement."""
        if self.kind is None or outcome.status == "refused":
            return outcome
        where = ", ".join(f"{expression(x)} = {expression(value)}" for x, value in self.at.items())
        if outcome.status == ("holds" if self.kind is ForAll else "fails"):
            return Outcome("refused", f"so at {where}, which says nothing of other values")
        return Outcome(outcome.status, f"{outcome.reason} at {where}")
