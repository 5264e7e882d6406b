"""Rules: how one step of a derivation is closed, by the decision procedure, a certificate or what is derived already.

The set of rules is sealed: a step whose rule is not one of ``RULES`` is refused, so that a file of claims cannot bring its own
way of being right.
"""
from .agreement import Agreement
from .almost_everywhere import AlmostEqual, Dominated, PositiveIntegral
from .base import Relation, Rule
from .branches import Branch
from .certificate import Bound, Given, Modulus, Part, Strict
from .combination import Combine
from .decision import Decide, Numbers, Unfold
from .derivatives import ChainRule, NearBy
from .ends import First, Last
from .extrema import BySign, Extremum, WithinExtrema
from .integrals import Integrable, Integrands
from .premises import Known, Monotone, Rewrite, rewrite
from .sums import Exchanged, OneTerm, Reindexed, Termwise, Triangle

RULES: tuple[type[Rule], ...] = (
    Decide, Numbers, Unfold, Bound, Strict, Modulus, Known, Rewrite, Monotone, Extremum, WithinExtrema, Combine,
    Termwise, Exchanged, Reindexed, Triangle, OneTerm, First, Last, ChainRule, NearBy, Branch, Agreement, BySign,
    Integrands, Integrable, AlmostEqual, Dominated, PositiveIntegral,
)  # fmt: skip

__all__ = [
    "RULES",
    "Agreement",
    "AlmostEqual",
    "Bound",
    "Branch",
    "BySign",
    "ChainRule",
    "Combine",
    "Decide",
    "Dominated",
    "Exchanged",
    "Extremum",
    "First",
    "Given",
    "Integrable",
    "Integrands",
    "Known",
    "Last",
    "Modulus",
    "Monotone",
    "NearBy",
    "Numbers",
    "OneTerm",
    "Part",
    "PositiveIntegral",
    "Reindexed",
    "Relation",
    "Rewrite",
    "Rule",
    "Strict",
    "Termwise",
    "Triangle",
    "Unfold",
    "WithinExtrema",
    "rewrite",
]
