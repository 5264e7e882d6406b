"""Claims that are about code as it runs: each has a trial that runs ours and compares it with the statement of the claim.

A certificate says that a kernel computes a formula. How many parameters a module has, which gradient a clamp passes, and from
which width on two results agree in every bit, no formula of a kernel says: there the code is run. A trial decides no claim.

One file a topic; a trial takes the code that it runs as arguments, so that a test can hand it code that is wrong.
"""
from __future__ import annotations

from collections.abc import Callable

from .clamp import gradients_pass_as_claimed
from .counts import encoding_parameters, gate_parameters
from .disagreement import Disagreement
from .gate import published_gate_leaks
from .widths import far_widths_change_nothing

TRIALS: dict[str, Callable[[], str]] = {
    "gate.causality": published_gate_leaks,
    "gate.parameters": gate_parameters,
    "learning.clamp": gradients_pass_as_claimed,
    "limit.indistinguishable": far_widths_change_nothing,
    "report.parameters": encoding_parameters,
}
"""Claim → its trial, which returns what it saw, in a line, or raises Disagreement."""

__all__ = ["TRIALS", "Disagreement"]
