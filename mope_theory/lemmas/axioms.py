"""Axioms: theorems of analysis that the calculus does not derive, each stated in full, with a reference.

An axiom is a statement; its free symbols range over all that they admit, and a derivation puts values for them. What is used
here is taken on trust, and is listed with every claim that rests on it. An integral stands for Lebesgue's; ∫ f < ∞ says that
f is integrable, and ∫ f is no real number where f is not: a < ∞ holds for every real a, so that equals may be put for equals.
"""
from __future__ import annotations

from .algebra import INDEPENDENT, POLAR, UNDERDETERMINED
from .axiom import Axiom
from .circular import ARCHIMEDES, PRINCIPAL_ANGLE, SAME_COSINE
from .extremum import FERMAT
from .half_line import GAUSSIANS_MIXED, HARMONIC
from .integer_part import INTEGER_PART
from .integration import COMPARISON, FOLDED, FUNDAMENTAL, LINEAR, MEAN, PARSEVAL, POSITIVE, SYMMETRIC
from .jacobi import COSINE, JACOBI, ORDER_OF_LIMITS
from .normal import NORMAL_TAIL
from .poisson import POISSON, decay, shift, turn
from .square_integrable import BY_PARTS, ENERGY, FIRST_ORDER, INNER_PRODUCT, MOMENTS, PLANCHEREL, SOBOLEV

AXIOMS: tuple[Axiom, ...] = (
    POISSON,
    POLAR,
    FERMAT,
    INDEPENDENT,
    UNDERDETERMINED,
    LINEAR,
    POSITIVE,
    GAUSSIANS_MIXED,
    HARMONIC,
    SAME_COSINE,
    PRINCIPAL_ANGLE,
    ARCHIMEDES,
    COSINE,
    JACOBI,
    ORDER_OF_LIMITS,
    FOLDED,
    PARSEVAL,
    MEAN,
    FUNDAMENTAL,
    COMPARISON,
    SYMMETRIC,
    NORMAL_TAIL,
    ENERGY,
    INNER_PRODUCT,
    MOMENTS,
    PLANCHEREL,
    SOBOLEV,
    BY_PARTS,
    FIRST_ORDER,
    INTEGER_PART,
)
"""Every axiom; a derivation that cites one that is not listed here is refused."""

__all__ = ["AXIOMS", "GAUSSIANS_MIXED", "HARMONIC", "POISSON", "Axiom", "decay", "shift", "turn"]
