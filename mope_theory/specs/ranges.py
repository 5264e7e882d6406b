"""Ranges that several kernels share."""
from __future__ import annotations

import sympy as sp

REACH = sp.Interval(-(2**53), 2**53)
"""Positions and distances, in tokens: up to there every whole number is a float64."""
TURN = sp.Interval(-8192, 8192)
"""Frequencies, in radians per token."""
