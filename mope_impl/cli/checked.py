"""The lines of a derivation, each with the reason why it is not proved, where it is not."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mope_theory.derivation import Chain, Derivation, Line, Step
from mope_theory.logic import NODES
from mope_theory.statement import Statement


@dataclass(frozen=True)
class CheckedLine(Line):
    """A line of an outline; ``failure`` is why it is not proved, empty where nothing is wrong with it."""

    failure: str = ""


def checked_outline(derivation: Derivation, reason: str = "") -> list[CheckedLine]:
    """The outline with each failure at the line that states what is inferred by the rule that fails.

    ``reason`` is why the derivation as a whole is no evidence, empty if it is: then nothing is checked again. A failure that
    no line states is put to the first one, as the reason is where nothing fails by itself, such as an open hypothesis.
    """
    lines = list(derivation.outline())
    failures = dict(_failures(derivation)) if reason else {}
    found = [failures.get((line.statement, line.rule), "") for line in lines]
    stated = {(line.statement, line.rule) for line in lines}
    if reason and (not failures or not failures.keys() <= stated):
        found[0] = found[0] or reason
    return [CheckedLine(x.depth, x.statement, x.rule, x.lemma, x.note, why) for x, why in zip(lines, found, strict=True)]


def _failures(derivation: Derivation) -> Iterator[tuple[tuple[Statement, str], str]]:
    """What is inferred by which rule, for each inference that is wrong by itself, and why."""
    wrong = False
    for premise in derivation.premises:
        yield from _failures(premise)
    for step in derivation.links if isinstance(derivation, Chain) else ():
        if reason := _reason(step):
            wrong = True
            yield (step.statement, step.rule.name), reason
    if not wrong and (reason := _reason(derivation)):  # that of a chain is the reason of its first wrong step
        yield (derivation.statement, derivation.rule_name), reason


def _reason(inference: Derivation | Step) -> str:
    if isinstance(inference, Derivation) and type(inference) not in NODES:
        return f"{type(inference).__name__} is not a rule of this calculus"
    try:
        outcome = inference.check()
    except Exception as error:  # as in the calculus: whatever goes wrong in a check, it is not a proof
        return f"{type(error).__name__}: {error}"
    return outcome.reason
