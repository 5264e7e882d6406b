"""The logic above chains: natural deduction, limits, refutations.

Each node proves one form of statement from its premises, and the set of nodes is sealed: `check` refuses any other.
"""
from __future__ import annotations

from ..bound_ranges import stray
from ..decide import Refused
from ..derivation import Chain, Step
from ..judgement import Derivation, Outcome
from ..lemmas import Inequality, IntegralLemma
from ..lemmas.axiom import Axiom
from ..plain import is_well_formed, stranger
from ..rules import RULES, Given, Part
from ..statement import (
    STATEMENTS,
    And,
    Equal,
    Exists,
    ForAll,
    Implies,
    Less,
    LessEqual,
    Not,
    Or,
    Statement,
    TendsTo,
    UniformlyTendsTo,
)
from .axioms import Cite
from .continuity import LimitByContinuity, SameLimit
from .equality import Rearrange, Replace
from .growth import LogarithmicGrowth
from .limits import LimitByRate, NotUniform, OtherLimit, UniformLimitByRate, WrongLimit
from .propositional import (
    Alternative,
    Assume,
    Cases,
    Conjunction,
    Contradiction,
    Detach,
    Order,
    Select,
    Suppose,
    Using,
    Weaken,
    conjunction,
)
from .quantifiers import Choose, Each, Generalise, Induction, Instance, Specialise, Witness, instance
from .refutation import Counterexample, Nonzero, NotBelow, RefutedMember

Classes = tuple[type[Statement], ...]
FORMS: dict[type[Derivation], tuple[Classes, Classes]] = {
    Chain: ((Equal, LessEqual, Less), ()),
    Assume: (STATEMENTS, ()),
    Cite: (STATEMENTS, ()),
    Suppose: ((Implies,), ()),
    Detach: (STATEMENTS, ()),
    Using: (STATEMENTS, ()),
    Conjunction: ((And,), ()),
    Select: (STATEMENTS, ()),
    Alternative: ((Or,), ()),
    Cases: (STATEMENTS, ()),
    Order: ((Or,), ()),
    Contradiction: (STATEMENTS, ()),
    Weaken: ((LessEqual, Not), ()),
    Generalise: ((ForAll,), ()),
    Each: ((ForAll,), ()),
    Specialise: (STATEMENTS, ()),
    Witness: ((Exists,), ()),
    Choose: (STATEMENTS, ()),
    Instance: (STATEMENTS, ()),
    Replace: (STATEMENTS, ()),
    Rearrange: ((Equal, LessEqual, Less, Not), ()),
    Induction: ((ForAll,), ()),
    LimitByRate: ((TendsTo,), ()),
    UniformLimitByRate: ((UniformlyTendsTo,), ()),
    LimitByContinuity: ((TendsTo,), ()),
    LogarithmicGrowth: ((TendsTo,), ()),
    SameLimit: ((Equal,), ()),
    Nonzero: ((Implies,), ()),
    NotUniform: ((Not,), (UniformlyTendsTo,)),
    NotBelow: ((Not,), (Equal, LessEqual)),
    WrongLimit: ((Not,), (TendsTo,)),
    OtherLimit: ((Not,), (TendsTo,)),
    RefutedMember: ((Not,), (And,)),
    Counterexample: ((Not,), (ForAll,)),
}
"""Node → classes of statement that it proves and, where those are negations, classes of what is negated."""

NODES: tuple[type[Derivation], ...] = tuple(FORMS)

PARTS = frozenset({*NODES, *RULES, *STATEMENTS, Step, Part, Given})
"""Classes of what a node is made of, beside terms."""
APART = frozenset({*NODES, Axiom, Inequality, IntegralLemma})
"""What is looked at on its own: premises, axioms and lemmas."""


Checked = dict[int, tuple[Derivation, Outcome]]
"""What has been looked at already, by identity; each derivation is kept, so that no other takes its place."""


def check(derivation: Derivation, checked: Checked | None = None) -> Outcome:
    """Check a derivation and, recursively, its premises; a node that is not of this calculus is refused.

    A premise that is used twice is looked at once; ``checked`` carries that over from one derivation to the next.
    """
    known = {} if checked is None else checked
    if id(derivation) not in known:
        known[id(derivation)] = derivation, _with_premises(derivation, known)
    return known[id(derivation)][1]


def _with_premises(derivation: Derivation, checked: Checked) -> Outcome:
    if type(derivation) not in NODES:
        return Outcome("refused", f"{type(derivation).__name__} is not a rule of this calculus")
    try:
        fault = stranger(derivation, PARTS, apart=APART)
        if fault:
            return Outcome("refused", fault)
        if not _has_the_form(derivation):
            return Outcome("refused", f"{type(derivation).__name__} does not prove a statement of this form")
        for fault in filter(None, map(stray, derivation.statement.expressions)):
            return Outcome("refused", fault)
        for premise in derivation.premises:
            outcome = check(premise, checked)
            if not outcome:
                return outcome
        return derivation.check()
    except Refused as refusal:
        return Outcome("refused", str(refusal))
    except Exception as error:  # whatever goes wrong in a check, it is not a proof
        return Outcome("refused", f"{type(error).__name__}: {error}")


def _has_the_form(derivation: Derivation) -> bool:
    """Is the statement exactly of the class that the node proves, and, for a negation, of what it negates?"""
    whole, negated = FORMS[type(derivation)]
    statement = derivation.statement
    if type(statement) not in whole or not is_well_formed(statement):
        return False
    return not negated or (type(statement) is Not and type(statement.body) in negated)


def proves(
    derivation: Derivation, granted: frozenset[Statement] = frozenset(), checked: Checked | None = None
) -> Outcome:
    """Check a derivation that stands alone: it holds, and under no assumption but those that are granted."""
    outcome = check(derivation, checked)
    if not outcome:
        return outcome
    open_ones = derivation.assumptions - granted
    if open_ones:
        assumed = " and ".join(sorted(statement.text() for statement in open_ones))
        return Outcome("fails", f"it holds only under an assumption that the statement does not make: {assumed}")
    return outcome


__all__ = [
    "NODES",
    "Alternative",
    "Assume",
    "Cases",
    "Checked",
    "Choose",
    "Cite",
    "Conjunction",
    "Contradiction",
    "Counterexample",
    "Detach",
    "Each",
    "Generalise",
    "Induction",
    "Instance",
    "LimitByContinuity",
    "LimitByRate",
    "LogarithmicGrowth",
    "Nonzero",
    "NotBelow",
    "NotUniform",
    "Order",
    "OtherLimit",
    "Rearrange",
    "RefutedMember",
    "Replace",
    "SameLimit",
    "Select",
    "Specialise",
    "Suppose",
    "UniformLimitByRate",
    "Using",
    "Weaken",
    "Witness",
    "WrongLimit",
    "check",
    "conjunction",
    "instance",
    "proves",
]
