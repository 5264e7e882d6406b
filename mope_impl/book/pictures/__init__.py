"""The pictures of the topics: drawn from the formulas of the claims, one module a topic, each with a tuple PICTURES."""
from __future__ import annotations

from mope_theory.registry import UnknownName

from .picture import Picture

__all__ = ["Picture", "picture", "pictures"]


def pictures() -> tuple[Picture, ...]:
    """Every picture, in the order of the topics and, on a page, of their module."""
    from . import admissibility, alias, definition, gate, kernel, learning, limit, locality, phase, report, uncertainty

    modules = (definition, phase, kernel, limit, uncertainty, admissibility, alias, locality, learning, gate, report)
    return tuple(one for module in modules for one in module.PICTURES)


def picture(name: str) -> Picture:
    """The picture of that name.

    Raises UnknownName, with suggestions, if there is none.
    """
    known = {one.name: one for one in pictures()}
    if name not in known:
        raise UnknownName("picture", name, known)
    return known[name]
