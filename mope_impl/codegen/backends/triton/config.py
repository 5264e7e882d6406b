"""How each operation is written in Triton."""
from __future__ import annotations

ATOM, SIGN, PRODUCT, SUM, COMPARISON, CHOICE = 4, 3, 2, 1, 0, -1
"""Precedence of a printed expression, from the tightest."""

INFIX = {"mul": ("*", PRODUCT), "div": ("/", PRODUCT), "add": ("+", SUM), "sub": ("-", SUM), "greater": (">", COMPARISON)}

CALLS = {
    "abs": "tl.abs",
    "cos": "tl.cos",
    "exp": "tl.exp",
    "log": "tl.log",
    "sigmoid": "tl.sigmoid",
    "sin": "tl.sin",
    "where": "tl.where",
}
"""All of these are taken of float64 alone, where none has a fast form of lower accuracy."""

METHODS = {
    # The comparisons are such that a NaN stays NaN, and that a tie is decided here and not by the framework.
    "at_least": "tl.where({0} <= {1}, {1}, {0})",
    "above": "({0} > {1}).to(tl.float64)",
    "positive": 'tl.where({0} > 0.0, {0}, float("nan"))',
    "sign": "tl.where({0} > 0.0, 1.0, tl.where({0} < 0.0, -1.0, 0.0))",
    "wide": "{0}.to(tl.float64)",
    "work": "{0}.to(work)",
}

ROWS, COLUMNS = 16, 64
"""Elements of a block: of the last axis but one, and at most of the last one. Each of 128 threads then has 8: few enough for
float64 values to stay in registers, and enough in one row for whole cache lines."""

STAGES = 4
"""Passes of the loop over heads that are under way at a time. Coefficients in float64 take many registers, so that few programs
fit on a processor, and loads that wait for each other would leave its memory idle. For float64: 96 KiB of shared memory."""

RESERVED = (
    "tl", "triton", "count", "work", "inside", "program", "groups", "members", "member", "at_group", "incoming", "out",
)  # fmt: skip
"""Names that a kernel uses itself, beside those of :data:`mope_impl.codegen.ir.RESERVED`."""

PREFIXES = ("at_", "block_", "blocks_", "gradient_", "in_", "size_", "sum_", "NEEDS_")
"""What it puts before the name of an axis or a tensor to name something of its own."""
