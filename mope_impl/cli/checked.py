"""The lines of a derivation, each with the reason why it is not proved, where it is not."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mope_theory.derivation import Chain, Derivation, Line, Step
from mope_theory.logic import NODES
from mope_theory.rules import Known


@dataclass(frozen=True)
class CheckedLine(Line):
    """A line of an outline; ``failure`` is why it is not proved, empty where nothing is wrong with it."""

    failure: str = ""


def checked_outline(derivation: Derivation, reason: str = "") -> list[CheckedLine]:
    """The outline with each failure at the line where it arises.

    ``reason`` is why the derivation as a whole is no evidence, empty if it is: then nothing is checked again. A reason that
    lies in no line, such as an open hypothesis, is put to the first one.
    """
    lines = list(derivation.outline())
    failures = list(_failures(derivation)) if reason else []
    if len(failures) != len(lines):  # nothing to look for, or an outline of a foreign kind
        failures = [""] * len(lines)
    if not any(failures):
        failures[0] = reason
    return [
        CheckedLine(line.depth, line.statement, line.rule, line.lemma, line.note, failure)
        for line, failure in zip(lines, failures, strict=True)
    ]


def _failures(derivation: Derivation) -> Iterator[str]:
    """One entry for each line of the outline, in its order: what is wrong with that inference by itself."""
    if not isinstance(derivation, Chain):
        yield _reason(derivation)
        for premise in derivation.premises:
            yield from _failures(premise)
        return
    below: list[str] = []
    for step in derivation.links:
        above = [reason for premise in step.rule.premises for reason in _failures(premise)]
        own = _reason(step)
        if type(step.rule) is not Known:
            above.append(own)
        elif own and not any(above):  # such a step has no line of its own
            above[0] = own
        below += above
    yield "" if any(below) else _reason(derivation)
    yield from below


def _reason(inference: Derivation | Step) -> str:
    if isinstance(inference, Derivation) and type(inference) not in NODES:
        return f"{type(inference).__name__} is not a rule of this calculus"
    try:
        outcome = inference.check()
    except Exception as error:  # as in the calculus: whatever goes wrong in a check, it is not a proof
        return f"{type(error).__name__}: {error}"
    return outcome.reason
