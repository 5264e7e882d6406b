"""The way in from outside: opaque quantities are made in here alone, for whoever made one could say of it what he likes."""
from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import sympy as sp

from ..bound_ranges import stray
from .field import Refused
from .quantity import Opaque

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def guarded(question: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """The question, refused where an expression that it is asked of has an opaque quantity in it, or a variable that strays."""

    @wraps(question)
    def asked(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        exprs = [x for x in (*args, *kwargs.values()) if isinstance(x, sp.Basic)]
        if any(x.has(Opaque) for x in exprs):
            raise Refused("an opaque quantity that was made elsewhere")
        for fault in filter(None, map(stray, exprs)):
            raise Refused(fault)
        return question(*args, **kwargs)

    return asked
