"""Dimensionless variables: what enclosures range over, so that they hold for every width."""
from __future__ import annotations

from itertools import pairwise

import sympy as sp


def _real(name: str, **also: bool) -> sp.Symbol:
    return sp.Symbol(name, real=True, **also)


b_sigma, d_sigma, t_sigma = (_real(f"{name}_sigma") for name in "bdt")
"""Position, distance and integration variable in units of the width σ."""
xi_sigma = _real("xi_sigma")
"""Distance from the frequency ω in units of 1/σ."""
from_omega = _real("xi_omega")
"""Distance from the frequency ω."""
product = _real("tau")
"""ωσ."""
density = sp.Symbol("rho_delta", positive=True)
"""Spacing of centres in units of σ."""
midpoint = _real("x")
"""(m + n)/2 in units of the spacing of centres."""
n_sigma = _real("n_sigma", zero=False)
"""A position other than 0 in units of σ."""
b_T = _real("b_T")
sigma_T = sp.Symbol("sigma_T", positive=True)
"""Position and width in units of the half-width T of a range."""
ratio = _real("r")
share = sp.Symbol("s", real=True)
"""One variable over another, or over the value at which something turns."""
positive_share = sp.Symbol("s_+", positive=True)
positive_distance, stretch, quarter_slope = (sp.Symbol(name, positive=True) for name in ("d_+", "r_+", "kappa_+"))
"""A distance in units of σ, one distance over another, and four times a slope over such a distance."""
signs = tuple(_real(f"s_{number}") for number in (1, 2))
"""Signs of two distances."""


def around(*bounds: sp.Expr) -> tuple[sp.Set, ...]:
    """All real numbers, in the pieces that lie between ± the bounds, which rise."""
    ends = [-sp.oo, *(-x for x in reversed(bounds)), *bounds, sp.oo]
    return tuple(sp.Interval(low, high) for low, high in pairwise(ends))


def beyond(bound: sp.Expr) -> tuple[sp.Set, ...]:
    """All x with |x| ≥ bound."""
    return sp.Interval(-sp.oo, -bound), sp.Interval(bound, sp.oo)


def parted(bound: sp.Expr | int) -> tuple[sp.Set, ...]:
    """All real numbers, those with |x| ≤ bound apart from the others."""
    return sp.Interval(-bound, bound), sp.Interval.open(bound, sp.oo), sp.Interval.open(-sp.oo, -bound)


EITHER_SIGN = sp.FiniteSet(-1, 1)
ANY_BUT_ZERO = (sp.Interval.open(0, sp.oo), sp.Interval.open(-sp.oo, 0))
BELOW_ONE = sp.Interval.open(-1, 1)
