"""The kernels as functions: arguments are validated here, the arithmetic is in :mod:`mope_impl.generated`.

Each error is one ``ValueError`` that names the argument, what was given and what was expected.
"""
from __future__ import annotations

from .encodings import morlet_encoding
from .validation import DTYPES, INTEGERS, WITHOUT_FLOAT64, check_dtype, check_tensor

__all__ = ["DTYPES", "INTEGERS", "WITHOUT_FLOAT64", "check_dtype", "check_tensor", "morlet_encoding"]
