"""Try every mutant, and keep the record that the book shows: python -m tests.mope_theory.mutants."""
from __future__ import annotations

import sys
import time
from collections import Counter

import mope_theory as mt
from tests.mope_theory.mutants.constants import UNSEEN, end_of, flips
from tests.mope_theory.mutants.expressions import Some
from tests.mope_theory.mutants.record import RECORD, save, written
from tests.mope_theory.mutants.survey import survey

NUMERALS = 6
"""Changed numerals a member of a statement."""


def main() -> int:
    start = time.process_time()
    found = survey()
    constants = {}
    for claim in mt.claims():
        ends = Counter(end_of(flip, most=24) for flip in flips(claim, Some(NUMERALS)))
        if ends:
            constants[claim.id] = ends
    save(written(found, constants, time.process_time() - start))
    missed = sum(ends[UNSEEN] for ends in constants.values())
    sys.stdout.write(f"{sum(found.total.values())} mutants, {len(found.survivors)} survive; {missed} numerals unseen; {RECORD}\n")
    sys.stdout.writelines(f"SURVIVES {line}\n" for line in found.survivors)
    return 1 if found.survivors or missed else 0


if __name__ == "__main__":
    sys.exit(main())
