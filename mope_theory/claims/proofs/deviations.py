"""A standard deviation about a mean that is known."""
from __future__ import annotations

import sympy as sp
from sympy import Integral, S, sqrt

from ...derivation import Chain, Derivation, chain
from ...logic import Assume, Using, Weaken, instance
from ...rules import Known, Rewrite, Unfold
from ...statement import Equal, Not
from ...vocabulary.spectra import Deviation

_first, _mass = sp.Symbol("F", complex=True), sp.Symbol("M", complex=True, zero=False)


def root_mean_square(deviation: Deviation, mean: sp.Expr, equation: Derivation, positive: Derivation) -> Chain:
    """Δ[w] = √(∫(x − c)²w / ∫w), for ∫xw = c∫w and 0 < ∫w."""
    weight, domain = deviation.args
    (x,) = weight.variables

    def total(factor: sp.Expr) -> Integral:
        return Integral(factor * weight.expr, (x, domain.start, domain.end))

    def root(centre: sp.Expr, mass: sp.Expr) -> sp.Expr:
        return sqrt(total((x - centre) ** 2) / mass)

    general = chain(root(_first / _mass, _mass), (Rewrite(Assume(Equal(_first, mean * _mass))), root(mean, _mass)))
    mass = total(S.One)
    here = instance(general, {_first: total(x), _mass: mass}, Weaken(Not(Equal(mass, S.Zero)), positive))
    return chain(deviation, (Unfold(positive), deviation.definition()), (Known(Using(here, equation)), root(mean, mass)))
