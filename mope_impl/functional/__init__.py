"""The kernels as functions: arguments are validated here, the arithmetic is in :mod:`mope_impl.generated`.

Each error is one ``ValueError`` that names the argument, what was given and what was expected.
"""
from __future__ import annotations

from .attention import morlet_attention, morlet_scores
from .backend import BACKENDS, use_backend
from .causal import SMALLEST, causal_attention
from .distances import alibi_bias, gaussian_bias, relative_kernel
from .encodings import morlet_encoding, sinusoidal_encoding
from .gate import energy_gate
from .rotations import morlet_rotary, rotary, xpos_rotary
from .score_mods import alibi_score_mod, gaussian_score_mod, morlet_score_mod
from .tables import rotary_table, rotate
from .validation import DTYPES, INTEGERS, WITHOUT_FLOAT64, check_dtype, check_tensor, without_autocast

__all__ = [
    "BACKENDS",
    "DTYPES",
    "INTEGERS",
    "SMALLEST",
    "WITHOUT_FLOAT64",
    "alibi_bias",
    "alibi_score_mod",
    "causal_attention",
    "check_dtype",
    "check_tensor",
    "energy_gate",
    "gaussian_bias",
    "gaussian_score_mod",
    "morlet_attention",
    "morlet_encoding",
    "morlet_rotary",
    "morlet_score_mod",
    "morlet_scores",
    "relative_kernel",
    "rotary",
    "rotary_table",
    "rotate",
    "sinusoidal_encoding",
    "use_backend",
    "without_autocast",
    "xpos_rotary",
]
