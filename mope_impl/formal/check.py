"""The check of the formal proofs: build the theories with Coq, then ask Coq, theorem by theorem, what each proves and assumes.

A theorem counts if Coq accepts it at the type that is asked for: the printed statement of a claim, its negation for a theorem
whose name ends in ``_false``, or the proposition pinned in ``proofs/claims.json``. What its file says of it is not believed.
Nothing is built in the sources: theories are copied, and built only where they changed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

from .audit import ALLOWED, audited
from .build import alone, built, copied, first, forbidden, run, version, without_comments
from .outcome import Fault, Missing, Outcome, Theorem
from .wanted import wanted

ROOT = Path(__file__).resolve().parents[2]
PROOFS = ROOT / "proofs"
"""The proofs of the checkout; a wheel has none."""
BUILD = ROOT / "build" / "proofs"


def check(
    proofs: Path = PROOFS, build: Path = BUILD, jobs: int | None = None, modules: Sequence[str] | None = None
) -> Outcome:
    """Build and audit the proofs, all of them or those of some files. Raises Missing where Coq or the proofs are not there."""
    start = perf_counter()
    coq = version()
    if not (proofs / "_CoqProject").is_file():
        raise Missing("formal proofs need the source checkout (proofs/ is in no wheel): run this in a clone of mope")
    jobs = jobs or os.cpu_count() or 1
    with alone(build):
        return _checked(proofs, build, jobs, modules, coq, start)


def _checked(
    proofs: Path, build: Path, jobs: int, modules: Sequence[str] | None, coq: str, start: float
) -> Outcome:
    faults = [*forbidden(proofs), *copied(proofs, build)]
    faults += built(build, jobs, modules)
    expected, stray = wanted(proofs)
    faults += stray
    chosen = [module for module in dict.fromkeys(one.module for one in expected) if modules is None or module in modules]
    with ThreadPoolExecutor(jobs) as pool:
        parts = pool.map(lambda module: audited(build, module, [one for one in expected if one.module == module]), chosen)
    theorems: list[Theorem] = []
    for found, wrong in parts:
        theorems += found
        faults += wrong
    return Outcome(tuple(theorems), tuple(faults), coq, perf_counter() - start)


HEAVY = frozenset({"Interval", "Flocq", "Gappa", "Bignums"})
"""Libraries that the independent checker does not get through in minutes; what rests on them is left out of it."""


def core(proofs: Path = PROOFS) -> tuple[str, ...]:
    """The theories that rest on none of the heavy libraries, themselves or through another theory."""
    needs: dict[str, set[str]] = {}
    for path in (proofs / "theories").glob("*.v"):
        text = without_comments(path.read_text(encoding="utf-8"))
        found = re.findall(r"\bFrom\s+(\w+)\s+Require\s+(?:Import\s+|Export\s+)?([\w\s.]*?)\.(?=\s|\Z)", text)
        needs[path.stem] = {name for origin, names in found for name in (names.split() if origin == "Mope" else [origin])}
    heavy = set(HEAVY)
    while more := {name for name, own in needs.items() if own & heavy} - heavy:
        heavy |= more
    return tuple(sorted(set(needs) - heavy))


def recheck(proofs: Path = PROOFS, build: Path = BUILD) -> Outcome:
    """Have ``coqchk``, a checker apart from Coq's own, go through the compiled core. Raises Missing."""
    start = perf_counter()
    coq = version()
    done = run(["coqchk", "-silent", "-o", "-Q", "theories", "Mope", *(f"Mope.{name}" for name in core(proofs))], build)
    faults = []
    if done.returncode:
        faults.append(Fault(None, f"coqchk: {first(done.stderr or done.stdout)}"))
    else:
        summary = f"{done.stdout}\n{done.stderr}\n\n"
        listed = re.search(r"\* Axioms:\n(.*?)\n\s*\n", summary, re.S)
        names = [line.strip() for line in listed[1].splitlines()] if listed else []
        beyond = [name for name in names if name and name != "<none>" and not name.endswith(tuple(ALLOWED))]
        if listed is None or beyond:
            faults.append(Fault(None, f"coqchk: axioms {', '.join(beyond) or 'that are not told'}"))
        for title in ("relying on type-in-type", "relying on unsafe", "whose positivity is assumed"):
            if not re.search(rf"{title}[^\n]*:\s*<none>", summary):
                faults.append(Fault(None, f"coqchk: something {title}"))
    return Outcome((), tuple(faults), coq, perf_counter() - start)
