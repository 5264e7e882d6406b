"""Try mutants, and keep the record that the book shows: python -m tests.mope_theory.mutants [--all].

Without --all a sample is tried, with one at least of each inference and of each kind; all of them take most of an hour.
"""
from __future__ import annotations

import sys
import time
from collections import Counter

import mope_theory as mt
from tests.mope_theory.mutants.constants import UNSEEN, end_of, flips
from tests.mope_theory.mutants.expressions import Pick
from tests.mope_theory.mutants.record import RECORD, save, written
from tests.mope_theory.mutants.survey import Survey, survey

NUMERALS, POINTS = 4, 12
"""Changed numerals a member of a statement, and points of each trial that they are looked at."""


def main() -> int:
    start, everything = time.process_time(), "--all" in sys.argv[1:]
    found, constants = Survey(), {}
    for claim in mt.claims():
        survey(found, (claim.id,), seed=None if everything else 1)
        ends = Counter(end_of(flip, most=POINTS) for flip in flips(claim, Pick(NUMERALS)))
        if ends:
            constants[claim.id] = ends
        sys.stderr.write(f"{claim.id}: {sum(found.claims.get(claim.id, {}).values())} mutants, {sum(ends.values())} numerals\n")
    save(written(found, constants, time.process_time() - start, everything))
    missed = sum(ends[UNSEEN] for ends in constants.values())
    sys.stdout.write(f"{sum(found.total.values())} mutants, {len(found.survivors)} survive; {missed} numerals unseen; {RECORD}\n")
    sys.stdout.writelines(f"SURVIVES {line}\n" for line in found.survivors)
    return 1 if found.survivors or missed else 0


if __name__ == "__main__":
    sys.exit(main())
