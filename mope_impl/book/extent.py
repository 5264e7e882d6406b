r"""How wide a formula is, estimated from its TeX: what it takes to decide where a line is broken.

The widths are those of the glyphs of TeX's roman and italic fonts, in em, with the spaces that TeX sets about relations and
operators. A slip of some percent costs a line that is broken early or late, and nothing else.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

SMALL = 0.71
"""Size of a sub- or superscript."""

_LETTER, _DIGIT, _BRACKET, _RELATION, _OPERATION, _PUNCTUATION = 0.53, 0.5, 0.4, 1.33, 1.22, 0.44
_WIDTHS = {
    **dict.fromkeys("()[]|", _BRACKET),
    **dict.fromkeys("=<>:", _RELATION),
    **dict.fromkeys("+-", _OPERATION),
    **dict.fromkeys(",;", _PUNCTUATION),
    **dict.fromkeys((r"\{", r"\}", r"\#"), 0.6),
    **dict.fromkeys((r"\le", r"\leq", r"\ge", r"\ne", r"\in", r"\to"), _RELATION),
    **dict.fromkeys((r"\wedge", r"\vee", r"\setminus", r"\cdot"), _OPERATION),
    **dict.fromkeys((r"\Rightarrow", r"\Leftrightarrow"), 1.56),
    **dict.fromkeys((r"\forall", r"\exists", r"\neg"), 0.6),
    **dict.fromkeys((r"\ldots", r"\infty", r"\qquad"), 1.1),
    **dict.fromkeys((r"\left", r"\right", r"\displaystyle", r"\limits", r"\xrightarrow", "&", " ", r"\!"), 0.0),
    **dict.fromkeys((r"\,", r"\:", r"\;", r"\ "), 0.22),
    r"\quad": 1.0,
    r"\int": 1.0,
    r"\sum": 1.44,
    r"\prod": 1.28,
    ".": 0.28,
    "m": 0.88,
    "w": 0.72,
    **dict.fromkeys((r"\Delta", r"\Pi", r"\omega", r"\pi", "M", "N", "D", "K", "X", "Y", "L"), 0.72),
    "i": 0.35,
    "j": 0.41,
    "l": 0.3,
}
_NAMES = frozenset(r"\ln \log \cos \sin \cosh \sinh \max \min \sup \inf".split())
_UPRIGHT = frozenset((r"\mathrm", r"\operatorname", r"\text", r"\mathbb"))
_LIMITS = frozenset((r"\sum", r"\prod", r"\int", r"\sup", r"\inf", r"\max", r"\min"))
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|.", re.DOTALL)


def extent(tex: str) -> float:
    """Width of a formula in em, about."""
    return _lines(iter(_TOKEN.findall(tex.replace("[t]", ""))))


def _lines(tokens: Iterator[str]) -> float:
    """Width of the widest line up to the end of the group or of the environment."""
    widest = width = last = 0.0
    before = ""
    for token in tokens:
        if token in ("}", r"\end"):
            if token == r"\end":
                _skip(tokens)
            break
        if token == r"\\":
            widest, width, last = max(widest, width), 0.0, 0.0
            continue
        if token in ("^", "_"):
            script = SMALL * _piece(next(tokens, ""), tokens)
            # A script below a sum widens it; two scripts of one symbol stand above each other.
            width += max(0.0, script - last)
            last = max(last, script) if before in _LIMITS or before in ("^", "_") else script
            before = before if before in _LIMITS else token
            continue
        piece = _piece(token, tokens)
        width += piece
        before, last = token, piece if token in _LIMITS else 0.0
    return max(widest, width)


def _piece(token: str, tokens: Iterator[str]) -> float:
    """Width of one token with its arguments."""
    if token == "{":
        return _lines(tokens)
    if token == r"\begin":
        _skip(tokens)
        return _lines(tokens)
    if token in (r"\frac", r"\tfrac"):
        above, below = (_piece(_next(tokens), tokens) for _ in range(2))
        return (SMALL if token == r"\tfrac" else 1.0) * max(above, below) + 0.24
    if token in _UPRIGHT:
        return 0.54 * len(_skip(tokens)) + (0.17 if token == r"\operatorname" else 0.0)
    if token == r"\sqrt":
        return _piece(_next(tokens), tokens) + 0.85
    if token == r"\substack":
        return _piece(_next(tokens), tokens)
    if token in _NAMES:
        return 0.5 * (len(token) - 1) + 0.17
    if token in (r"\overline", r"\underline"):
        return _piece(_next(tokens), tokens)
    if token in _WIDTHS:
        return _WIDTHS[token]
    return _DIGIT if token.isdigit() else _LETTER


def _next(tokens: Iterator[str]) -> str:
    """The next token that is not a space."""
    return next((token for token in tokens if token != " "), "")


def _skip(tokens: Iterator[str]) -> str:
    """The text of the next group."""
    depth, text = 0, ""
    for token in tokens:
        depth += (token == "{") - (token == "}")
        text += token
        if depth == 0:
            break
    return text.strip("{}")
