"""The way in from outside: opaque quantities are made in here alone, for whoever made one could say of it what he likes."""
from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import sympy as sp

from .field import Refused
from .quantity import Opaque

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def guarded(question: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """The question, refused where an expression that it is asked of has an opaque quantity in it."""

    @wraps(question)
    def asked(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        if any(isinstance(x, sp.Basic) and x.has(Opaque) for x in (*args, *kwargs.values())):
            raise Refused("an opaque quantity that was made elsewhere")
        return question(*args, **kwargs)

    return asked
