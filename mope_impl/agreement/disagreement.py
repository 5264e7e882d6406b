"""What a trial raises."""
from __future__ import annotations


class Disagreement(AssertionError):
    """Code does something else than a claim says; the text tells what."""


def require(agrees: object, text: str) -> None:
    """Raise Disagreement with the text unless it agrees; written out, since ``python -O`` would drop an assert."""
    if not agrees:
        raise Disagreement(text)
