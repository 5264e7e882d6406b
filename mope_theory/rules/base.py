"""What every rule has: the relation that it proves between the two ends of a step, and what it rests on."""
from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from ..judgement import Derivation
from ..lemmas import Inequality, IntegralLemma
from ..statement import Equal, Less, LessEqual, Statement

Relation = Equal | LessEqual | Less
Relations = type[Equal] | type[LessEqual] | type[Less]


def sum_of_products(pairs: Iterable[tuple[sp.Expr, sp.Expr]]) -> sp.Expr:
    """Σ a·b as it is written: SymPy would cancel x in x·1/x, where x may be 0."""
    return sp.Add(*(sp.Mul(a, b, evaluate=False) for a, b in pairs), evaluate=False)


class Rule:
    """Base of the rules."""

    name: str

    @property
    def relation(self) -> Relations:
        """The relation that the rule proves between the two ends of a step."""
        raise NotImplementedError

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        """True if proved, False if the step is wrong; raises Refused if neither."""
        raise NotImplementedError

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        """Lemmas that the rule closes a step with."""
        return ()

    @property
    def premises(self) -> tuple[Derivation, ...]:
        """Derivations that the rule uses; they are checked with the chain that the step belongs to."""
        return ()

    @property
    def assumed(self) -> frozenset[Statement]:
        """What the rule assumes itself, beside what its premises assume."""
        return frozenset()

    @property
    def assumptions(self) -> frozenset[Statement]:
        """All that a step by this rule rests on."""
        return self.assumed.union(*(premise.assumptions for premise in self.premises))
