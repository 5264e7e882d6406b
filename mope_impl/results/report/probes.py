"""What was probed at the end of the runs: the leak of a gate, and how far back a model looks."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mope_theory.experiments import LENGTHS, of_length

from ..record import Record
from ..statistics import difference
from ..store import Runs
from .estimate import Estimate, estimate, some
from .models import SOURCES, order


@dataclass(frozen=True)
class Leak:
    """Loss at a sample of positions with the whole window in view and on each prefix alone, nats per token."""

    label: str
    gate: str
    """ "published" or "causal"."""
    whole: Estimate
    prefix: Estimate
    gain: Estimate
    """Prefix minus whole: what is gained from later tokens."""
    standard_errors: tuple[float, ...]
    """Of the gain within each run, by seed: windows are the units."""
    positions: int
    places: tuple[int, ...] = ()
    """Positions in a window, where the records tell the gain of each."""
    gains: tuple[Estimate, ...] = ()


def leaks(runs: Runs) -> tuple[Leak, ...]:
    """The leak of every model whose runs were probed for one."""
    return tuple(found for label in order(runs) if (found := _leak(runs, label)) is not None)


def _leak(runs: Runs, label: str) -> Leak | None:
    records = {seed: record for seed, record in runs.of(label).items() if "leak" in record.measures}
    if not records:
        return None
    found = {seed: record.measures["leak"] for seed, record in records.items()}
    whole, prefix = ({seed: float(one[name]) for seed, one in found.items()} for name in ("whole", "prefix"))
    gain = {seed: difference(prefix[seed], whole[seed]) for seed in found}
    first = next(iter(records.values()))
    places, gains = _by_position(found)
    return Leak(
        label,
        gate=str(first.config.get("model", {}).get("gate", "–")),
        whole=some(whole),
        prefix=some(prefix),
        gain=some(gain),
        standard_errors=tuple(float(found[seed]["standard_error"]) for seed in sorted(found)),
        positions=int(first.measures["leak"]["positions"]),
        places=places,
        gains=gains,
    )


def _by_position(found: dict[int, dict[str, Any]]) -> tuple[tuple[int, ...], tuple[Estimate, ...]]:
    """Positions and the gain at each, where every record tells them at the same ones."""
    every = {tuple(one.get("places", ())) for one in found.values()}
    if len(every) != 1 or not (places := every.pop()):
        return (), ()
    rows = {seed: one.get("gains", ()) for seed, one in found.items()}
    if any(len(row) != len(places) for row in rows.values()):
        return (), ()
    return places, tuple(some({seed: float(row[at]) for seed, row in rows.items()}) for at in range(len(places)))


@dataclass(frozen=True)
class Reach:
    """How far back a model looks, tokens; on a source of known correlation length, beside that and the best possible loss."""

    label: str
    length: int | None
    reach: Estimate
    attention: Estimate | None
    """Root mean square of the distance that attention looks at, tokens."""
    loss: Estimate | None
    best: Estimate | None
    """Loss of the best predictor of the source, nats per character."""

    @property
    def within(self) -> bool | None:
        """Whether the whole interval lies between ℓ/2 and 2ℓ; None without an interval or without a length."""
        if self.length is None or self.reach.lower is None or self.reach.upper is None:
            return None
        return self.length / 2 <= self.reach.lower and self.reach.upper <= 2 * self.length


def reaches(runs: Runs) -> tuple[Reach, ...]:
    """The reach on each source, from the shortest length, then that of every other model."""
    lengths = {of_length(length): length for length in LENGTHS}
    labels = [*lengths, *(label for label in order(runs) if label not in SOURCES)]
    return tuple(found for label in labels if (found := _reach(runs, label, lengths.get(label))) is not None)


def _reach(runs: Runs, label: str, length: int | None) -> Reach | None:
    def of(value: Callable[[Record], Any]) -> Estimate | None:
        found = {seed: value(record) for seed, record in runs.of(label).items()}
        return estimate({seed: float(one) for seed, one in found.items() if one is not None})

    reach = of(lambda record: record.measures.get("reach"))
    if reach is None:
        return None
    return Reach(
        label,
        length,
        reach,
        of(lambda record: record.measures.get("attention_distance")),
        of(lambda record: record.validation),
        of(lambda record: record.measures.get("best_loss")),
    )
