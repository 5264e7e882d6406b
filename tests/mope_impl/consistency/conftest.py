"""Every reference here is computed in ball arithmetic of one precision."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
from flint import ctx

PREC = 220
"""53 bits of the result, 53 of a phase up to 2⁵³ radians, and a hundred to spare."""


@pytest.fixture(autouse=True)
def working_precision() -> Iterator[None]:
    old, ctx.prec = ctx.prec, PREC
    yield
    ctx.prec = old
