"""Times of several functions that take turns, so that what the machine does besides falls on all of them alike."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter


def measured(
    acts: Mapping[str, Callable[[], object]],
    rounds: int,
    calls: int = 1,
    *,
    clock: Callable[[], float] = perf_counter,
    wait: Callable[[], object] = lambda: None,
) -> dict[str, list[float]]:
    """Seconds of one call of each, by rounds; ``wait`` returns when the device has done what it was given.

    In each round each makes one call that is not timed, for what the others left in the caches is no one's, then ``calls`` that
    are. The order turns by one in each round and its direction changes, so that no one always follows the same other.
    """
    names = list(acts)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        for place in range(len(names)):
            name = names[(turn + place) % len(names)] if turn % 2 else names[(turn - place) % len(names)]
            act = acts[name]
            act()
            wait()
            start = clock()
            for _ in range(calls):
                act()
            wait()
            seconds[name].append((clock() - start) / calls)
    return seconds
