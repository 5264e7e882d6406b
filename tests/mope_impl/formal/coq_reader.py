"""A reader of Coq's terms that shares nothing with the printer: text in, the number that it stands for out.

Levels are those of Coq's grammar of numbers: application, ^ (to the right), prefix - and /, * and /, + and -.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from mpmath import mp, mpc, mpf

TOKEN = re.compile(r"\s*(=>|%\w+|[A-Za-z_]\w*(?:\.\w+)?|\d+|[-+*/^():])")

Value = Any
Environment = Mapping[str, Value]


def _total(count: Value, member: Callable[[Value], Value]) -> Value:
    return sum((member(mpf(k)) for k in range(int(count))), mpf(0))


WORDS: dict[str, Value] = {
    "PI": mp.pi,
    "Ci": mpc(0, 1),
    "RtoC": lambda x: x,
    "INR": lambda x: x,
    "IZR": lambda x: x,
    "Z.of_nat": lambda x: x,
    "exp": lambda x: mp.exp(x),
    "Cexp": lambda z: mp.exp(z),
    "cos": lambda x: mp.cos(x),
    "sin": lambda x: mp.sin(x),
    "ln": lambda x: mp.log(x),
    "sqrt": lambda x: mp.sqrt(x),
    "sign": lambda x: mp.sign(x),
    "Rabs": lambda x: abs(x),
    "Cmod": lambda z: abs(z),
    "Cconj": lambda z: mp.conj(z),
    "fst": lambda z: mp.re(z),
    "snd": lambda z: mp.im(z),
    "Rmax": lambda x: lambda y: max(x, y),
    "Rpower": lambda x: lambda y: mp.exp(y * mp.log(x)),
    "Cpow": lambda z: lambda n: z ** int(n),
    "Rsum": lambda n: lambda f: _total(n, f),
    "Csum": lambda n: lambda f: _total(n, f),
}


class Reader:
    """One text."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        place = 0
        while place < len(text.rstrip()):
            match = TOKEN.match(text, place)
            assert match, text[place:]
            self.tokens.append(match[1])
            place = match.end()
        self.place = 0

    @property
    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, token: str | None = None) -> str:
        found = self.next
        assert token in (None, found), f"{token} is expected, {found} stands there"
        self.place += 1
        return found

    def value(self, known: Environment) -> Value:
        result = self.sum(known)
        assert not self.next, self.next
        return result

    def sum(self, known: Environment) -> Value:
        result = self.product(known)
        while self.next in ("+", "-"):
            sign, other = self.take(), self.product(known)
            result = result + other if sign == "+" else result - other
        return result

    def product(self, known: Environment) -> Value:
        result = self.prefixed(known)
        while self.next in ("*", "/"):
            sign, other = self.take(), self.prefixed(known)
            result = result * other if sign == "*" else result / other
        return result

    def prefixed(self, known: Environment) -> Value:
        if self.next in ("-", "/"):
            return -self.prefixed(known) if self.take() == "-" else 1 / self.prefixed(known)
        return self.power(known)

    def power(self, known: Environment) -> Value:
        base = self.application(known)
        if self.next == "^":
            self.take()
            return base ** int(self.power(known).real)
        return base

    def application(self, known: Environment) -> Value:
        result = self.atom(known)
        while self.next == "(" or re.match(r"\w", self.next):
            result = result(self.atom(known))
        return result

    def atom(self, known: Environment) -> Value:
        token = self.take()
        if token == "(":
            result = self.function(known) if self.next == "fun" else self.sum(known)
            self.take(")")
        else:
            result = mpf(token) if token.isdecimal() else known[token]
        if self.next.startswith("%"):
            self.take()
        return result

    def function(self, known: Environment) -> Value:
        self.take("fun")
        variable = self.take()
        self.take(":")
        self.take()
        self.take("=>")
        start = self.place

        def applied(value: Value) -> Value:
            self.place = start
            return self.sum({**known, variable: value})

        # The body is read once to find its end; a variable in it stands for something that can be anything.
        depth = 0
        while depth or self.next != ")":
            depth += {"(": 1, ")": -1}.get(self.take(), 0)
        end = self.place

        def called(value: Value) -> Value:
            back = self.place
            result = applied(value)
            assert self.place == end, "a body that does not end with its function"
            self.place = back
            return result

        return called
