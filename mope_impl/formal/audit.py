"""What Coq says of a theorem when it is asked: whether it has the type that it should have, and which axioms it rests on."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .build import first, run
from .outcome import Fault, Theorem
from .wanted import Asked

ALLOWED = frozenset({
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
})  # fmt: skip
"""The axioms that a theorem may rest on: those of the real numbers of Coq's library, and of classical logic."""


def audited(build: Path, module: str, wanted: Sequence[Asked]) -> tuple[list[Theorem], list[Fault]]:
    """The theorems of one file that Coq accepts at the types asked for, with their axioms."""
    theorems: list[Theorem] = []
    faults: list[Fault] = []
    if not (build / "theories" / f"{module}.vo").is_file():
        return [], [Fault(one.claim, f"{module}.{one.name}: its file is not built") for one in wanted]
    times = _times(build / "theories" / f"{module}.v.timing")
    remaining = list(wanted)
    while remaining:
        done = _run_audit(build, module, remaining)
        if done.returncode == 0:
            break
        # Coq stops at the first that it refuses: that one is a fault, and the others are asked again.
        place = re.search(r'line (\d+)', done.stderr)
        number = int(place[1]) - AUDIT_HEAD if place else -1
        if not 0 <= number < len(remaining):
            return [], [Fault("", f"audit of {module}: {first(done.stderr)}")]
        one = remaining.pop(number)
        faults.append(Fault(one.claim, f"{module}.{one.name} does not prove what it is asked for"))
    groups = _by_claim(remaining)
    blocks = done.stdout.split("@@ ")[1:] if groups else []
    if len(blocks) != len(groups):
        return [], [*faults, Fault("", f"audit of {module}: Coq told of {len(blocks)} claims, of {len(groups)} asked for")]
    for (claim, own), block in zip(groups.items(), blocks, strict=True):
        axioms = _axioms(block.partition("\n")[2])
        if axioms is None or not set(axioms) <= ALLOWED:
            beyond = "what Coq did not list" if axioms is None else ", ".join(sorted(set(axioms) - ALLOWED)[:3])
            faults.append(Fault(claim, f"{', '.join(f'{module}.{one.name}' for one in own)}: rests on {beyond}"))
            continue
        theorems += [
            Theorem(f"{module}.{one.name}", claim, one.proposition, one.refutes, axioms, times.get(one.name, 0.0)) for one in own
        ]
    return theorems, faults


def _by_claim(wanted: Sequence[Asked]) -> dict[str, list[Asked]]:
    """The theorems of each claim: Coq takes a while to list axioms, so that it is asked once for a claim."""
    found: dict[str, list[Asked]] = {}
    for one in wanted:
        found.setdefault(one.claim, []).append(one)
    return found


AUDIT_HEAD = 7
"""The line of the first theorem in an audit."""


def _run_audit(build: Path, module: str, wanted: Sequence[Asked]) -> subprocess.CompletedProcess[str]:
    lines = [
        "From Coq Require Import Reals ZArith.",
        "From Coquelicot Require Import Coquelicot.",
        "From Mope Require Import Vocabulary Language.",
        f"From Mope Require Statements {module}.",
        f"Import {module}." if all(one.proposition is None for one in wanted) else "",
        "Open Scope R_scope.",
        *(f"Definition audit_{k} : {' '.join(one.type.split())} := @Mope.{module}.{one.name}." for k, one in enumerate(wanted)),
    ]
    for number, own in enumerate(_by_claim(wanted).values()):
        together = ", ".join(f"audit_{wanted.index(one)}" for one in own)
        lines += [
            f"Definition claim_{number} := ({together}).",
            f'Goal True. idtac "@@ {number}". exact I. Qed.',
            f"Print Assumptions claim_{number}.",
        ]
    path = build / f"Audit_{module}.v"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return run(["coqc", "-w", "none", "-Q", "theories", "Mope", path.name], build)


def _axioms(text: str) -> tuple[str, ...] | None:
    """The axioms of a listing of Coq's; None where it is not understood, or says that a check was switched off."""
    body = text.strip()
    if body == "Closed under the global context":
        return ()
    head, _, rest = body.partition("\n")
    if head != "Axioms:":
        return None
    names = []
    for line in rest.splitlines():
        if line[:1].isspace():
            continue  # the type of the axiom before
        match = re.match(r"([A-Za-z_][\w.']*)(?:\s*:|\s*$)", line)
        if match is None:
            return None
        names.append(match[1])
    return tuple(sorted(names))


def _times(path: Path) -> dict[str, float]:
    """Seconds of each theorem of a file, from its statement to the end of its proof."""
    if not path.is_file():
        return {}
    found: dict[str, float] = {}
    current = ""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        match = re.match(r"Chars \d+ - \d+ \[(.*)\] ([\d.]+) secs", line)
        if match is None:
            continue
        opened = re.match(r"(?:Theorem|Lemma)~(\w+)", match[1])
        current = opened[1] if opened else current
        if current:
            found[current] = found.get(current, 0.0) + float(match[2])
        if re.match(r"(Qed|Defined)\.", match[1]):
            current = ""
    return found
