"""How each operation is written in torch."""
from __future__ import annotations

ATOM, SIGN, PRODUCT, SUM, COMPARISON, CHOICE = 4, 3, 2, 1, 0, -1
"""Precedence of a printed expression, from the tightest."""

INFIX = {"mul": ("*", PRODUCT), "div": ("/", PRODUCT), "add": ("+", SUM), "sub": ("-", SUM), "greater": (">", COMPARISON)}

CALLS = {
    "abs": "torch.abs",
    "cos": "torch.cos",
    "exp": "torch.exp",
    "log": "torch.log",
    "pow": "torch.pow",
    "sigmoid": "torch.sigmoid",
    "sign": "torch.sign",
    "sin": "torch.sin",
    "sqrt": "torch.sqrt",
    "where": "torch.where",
    "zeros_like": "torch.zeros_like",
    "full_like": "torch.full_like",
}

JOINED = {
    "interleaved": "torch.stack(({0}), -1).flatten(-2)",
    "halves": "torch.cat(({0}), -1)",
    "stacked": "torch.stack(({0}), -1)",
}
"""The channels {0} in one tensor, by their layout."""

TAKEN = {"interleaved": "{0}[..., {1}::{2}]", "halves": "{0}.chunk({2}, -1)[{1}]", "stacked": "{0}[..., {1}]"}
"""Channel {1} of {2} of the tensor {0}, by their layout."""

METHODS = {
    # The comparisons are such that a NaN stays NaN, and that a tie is decided here and not by the framework.
    "at_least": "torch.where({0} <= {1}, {1}, {0})",
    "above": "({0} > {1}).to({arithmetic})",
    "compute": "{0}.to({arithmetic})",
    "result": "{0}.to(dtype)",
    # A copy even where nothing is rounded: an output that is a view of an intermediate could not be written in place.
    "result_copied": "{0}.to(dtype, copy=True)",
    "like": "{0}.to({1}.dtype)",
    "sum_to": "{0}.sum_to_size({1}.shape)",
}
