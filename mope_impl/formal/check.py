"""The check of the formal proofs: build the theories with Coq, then ask Coq, theorem by theorem, what each proves and assumes.

A theorem counts if Coq accepts it at the type that is asked for: the printed statement of a claim, its negation for a theorem
whose name ends in ``_false``, or the proposition pinned in ``proofs/claims.json``. What its file says of it is not believed.
Nothing is built in the sources: theories are copied, and built only where they changed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from .source import asked, source
from .statements import Proposition

ROOT = Path(__file__).resolve().parents[2]
PROOFS = ROOT / "proofs"
"""The proofs of the checkout; a wheel has none."""
BUILD = ROOT / "build" / "proofs"

ALLOWED = frozenset({
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
})  # fmt: skip
"""The axioms that a theorem may rest on: those of the real numbers of Coq's library, and of classical logic."""

INSTALL = "apt-get install coq libcoq-coquelicot libcoq-interval libcoq-flocq libcoq-gappa gappa"
"""The one command that brings Coq and the libraries that the proofs use."""


@dataclass(frozen=True)
class Theorem:
    """A theorem that Coq accepts: of which statement of a claim, and what it rests on."""

    name: str
    """``Module.theorem``."""
    claim: str
    proposition: Proposition | None
    """The printed statement; None for one in words of its own."""
    refutes: bool
    axioms: tuple[str, ...]
    """Those of all theorems of its claim in its file."""
    seconds: float
    """What its proof took to check."""


@dataclass(frozen=True)
class Fault:
    """Something that does not hold."""

    claim: str | None
    """The claim that is not proved for it; "" for every claim, None for none by itself."""
    what: str


@dataclass(frozen=True)
class Outcome:
    """What the check found."""

    theorems: tuple[Theorem, ...]
    faults: tuple[Fault, ...]
    coq: str
    seconds: float

    def of(self, claim: str) -> tuple[Theorem, ...]:
        """The theorems of a claim."""
        return tuple(t for t in self.theorems if t.claim == claim)


class Missing(Exception):
    """Coq, or the proofs, are not on this machine; the message says how to get them."""


@dataclass(frozen=True)
class _Asked:
    """A theorem of a file, at the type that it has to have."""

    module: str
    name: str
    type: str
    claim: str
    proposition: Proposition | None
    refutes: bool


def check(
    proofs: Path = PROOFS, build: Path = BUILD, jobs: int | None = None, modules: Sequence[str] | None = None
) -> Outcome:
    """Build and audit the proofs, all of them or those of some files. Raises Missing where Coq or the proofs are not there."""
    start = perf_counter()
    coq = version()
    if not (proofs / "_CoqProject").is_file():
        raise Missing("formal proofs need the source checkout (proofs/ is in no wheel): run this in a clone of mope")
    jobs = jobs or os.cpu_count() or 1
    faults = [*_forbidden(proofs), *_copied(proofs, build)]
    faults += _built(build, jobs, modules)
    wanted, stray = _wanted(proofs)
    faults += stray
    audited = [module for module in dict.fromkeys(one.module for one in wanted) if modules is None or module in modules]
    with ThreadPoolExecutor(jobs) as pool:
        parts = pool.map(lambda module: _audited(build, module, [one for one in wanted if one.module == module]), audited)
    theorems: list[Theorem] = []
    for found, wrong in parts:
        theorems += found
        faults += wrong
    return Outcome(tuple(theorems), tuple(faults), coq, perf_counter() - start)


def version() -> str:
    """The version of Coq. Raises Missing."""
    if shutil.which("coqc") is None or shutil.which("coq_makefile") is None:
        raise Missing(f"not checked on this machine: install Coq ({INSTALL})")
    done = _run(["coqc", "--print-version"], ROOT)
    return done.stdout.split()[0] if done.returncode == 0 and done.stdout.split() else "unknown"


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


PROJECT_LINE = re.compile(r"-Q theories Mope|-arg -w|-arg -ambiguous-paths|-arg -w -arg -ambiguous-paths|theories/\w+\.v|#.*|")
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|Variables?|Unset\s+\w+\s+Checking|bypass_check"
    r"|Declare\s+ML|Add\s+(Rec\s+)?LoadPath|Load|Redirect|Extraction|Cd)\b"
)
"""Commands that no file may hold: what is assumed instead of proved, what weakens the checker, what reaches outside. An audit of
axioms would see most of them; so it is said which file has them."""


def _forbidden(proofs: Path) -> list[Fault]:
    faults = []
    for number, line in enumerate((proofs / "_CoqProject").read_text(encoding="utf-8").splitlines(), 1):
        if not PROJECT_LINE.fullmatch(line.strip()):
            faults.append(Fault("", f"_CoqProject:{number}: {line.strip()} is no option that is known"))
    for path in sorted((proofs / "theories").glob("*.v")):
        text = _without_comments(path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), 1):
            found = FORBIDDEN.search(line)
            if found and not _in_section(text, number, found.group()):
                faults.append(Fault("", f"{path.name}:{number}: {found.group()}"))
    return faults


def _in_section(text: str, number: int, word: str) -> bool:
    """Whether a hypothesis stands in a section, which turns it into a premise of each theorem."""
    if not re.fullmatch(r"Hypothes[ie]s|Variables?", word):
        return False
    before = text.splitlines()[: number - 1]
    opened = sum(bool(re.match(r"\s*Section\s+\w+\.", line)) for line in before)
    closed = sum(bool(re.match(r"\s*End\s+\w+\.", line)) for line in before)
    return opened > closed


def _without_comments(text: str) -> str:
    """The text with its comments, which nest, blanked out; lines stay where they are."""
    out, depth, place = [], 0, 0
    while place < len(text):
        pair = text[place : place + 2]
        if pair in ("(*", "*)") and (depth or pair == "(*"):
            depth += 1 if pair == "(*" else -1
            out.append("  ")
            place += 2
        else:
            out.append(text[place] if not depth or text[place] == "\n" else " ")
            place += 1
    return "".join(out)


def _copied(proofs: Path, build: Path) -> list[Fault]:
    """Bring the copy up to date, the printed statements anew; what is compiled of a file that changed is removed."""
    theories = build / "theories"
    theories.mkdir(parents=True, exist_ok=True)
    texts = {path.name: path.read_text(encoding="utf-8") for path in (proofs / "theories").glob("*.v")}
    faults = []
    if texts.get("Statements.v") != source():
        faults.append(Fault(None, "theories/Statements.v is not what the claims say; mope proofs --write writes it anew"))
    texts["Statements.v"] = source()
    for path in theories.glob("*.v"):
        if path.name not in texts:
            path.unlink()
            path.with_suffix(".vo").unlink(missing_ok=True)
    for name, text in texts.items():
        path = theories / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            path.with_suffix(".vo").unlink(missing_ok=True)
    listed = (proofs / "_CoqProject").read_text(encoding="utf-8")
    (build / "_CoqProject").write_text(listed, encoding="utf-8")
    unlisted = [name for name in sorted(texts) if f"theories/{name}" not in listed.split()]
    return faults + [Fault(None, f"_CoqProject does not list theories/{name}") for name in unlisted]


REFUSED = re.compile(r'File "\./theories/(\w+\.v)", line (\d+), [^\n]*\n(Error:.*?)(?=\nFile |\nmake|\Z)', re.S)
"""What coqc says of a file that it refuses: the file, the line, and why."""


def _built(build: Path, jobs: int, modules: Sequence[str] | None) -> list[Fault]:
    """Run coqc over what changed, and what some files rest on. One fault for each file that Coq refuses."""
    made = _run(["coq_makefile", "-f", "_CoqProject", "-o", "Makefile.coq"], build)
    if made.returncode:
        return [Fault(None, f"coq_makefile: {_first(made.stderr)}")]
    targets = [f"theories/{module}.vo" for module in modules or ()]
    done = _run(["make", "-f", "Makefile.coq", "-k", f"-j{jobs}", "TIMING=1", *targets], build)
    if done.returncode == 0:
        return []
    faults = []
    for match in REFUSED.finditer(done.stderr):
        faults.append(Fault(None, f"{match[1]}:{match[2]}: {' '.join(match[3].split())[:300]}"))
        (build / "theories" / match[1]).with_suffix(".vo").unlink(missing_ok=True)
    return faults or [Fault(None, f"the build failed: {_first(done.stderr)}")]


def _first(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "no message")


def _wanted(proofs: Path) -> tuple[list[_Asked], list[Fault]]:
    """The theorems that the files say to have, and what they say that cannot be."""
    known = {p.name: p for p in asked()}
    found: list[_Asked] = []
    faults: list[Fault] = []
    for path in sorted((proofs / "theories").glob("Claims*.v")):
        text = _without_comments(path.read_text(encoding="utf-8"))
        for match in re.finditer(r"^\s*Theorem\s+(\w+)\s*:\s*(~\s*)?Statements\.(\w+)\s*\.", text, re.M):
            name, own = match[1], known.get(match[3])
            if own is None or own.reason or name != match[3] + "_false" * bool(match[2]):
                faults.append(Fault("", f"{path.name}: theorem {name} is of no printed statement of its name"))
                continue
            kind = f"~ Mope.Statements.{own.name}" if match[2] else f"Mope.Statements.{own.name}"
            found.append(_Asked(path.stem, name, kind, own.claim, own, bool(match[2])))
    return found + _pinned(proofs, faults), faults


def _pinned(proofs: Path, faults: list[Fault]) -> list[_Asked]:
    """The theorems of claims.json, each at the proposition that is pinned there."""
    path = proofs / "claims.json"
    if not path.is_file():
        return []
    pinned: Mapping[str, Iterable[Mapping[str, str]]] = json.loads(path.read_text(encoding="utf-8"))
    claims = {p.claim for p in asked()}
    found = []
    for claim, entries in pinned.items():
        if claim not in claims:
            faults.append(Fault("", f"claims.json: {claim} is no claim that asks for a formal proof"))
            continue
        for entry in entries:
            module, _, name = entry["theorem"].rpartition(".")
            found.append(_Asked(module, name, entry["statement"], claim, None, False))
    return found


def _audited(build: Path, module: str, wanted: Sequence[_Asked]) -> tuple[list[Theorem], list[Fault]]:
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
            return [], [Fault("", f"audit of {module}: {_first(done.stderr)}")]
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


def _by_claim(wanted: Sequence[_Asked]) -> dict[str, list[_Asked]]:
    """The theorems of each claim: Coq takes a while to list axioms, so that it is asked once for a claim."""
    found: dict[str, list[_Asked]] = {}
    for one in wanted:
        found.setdefault(one.claim, []).append(one)
    return found


AUDIT_HEAD = 7
"""The line of the first theorem in an audit."""


def _run_audit(build: Path, module: str, wanted: Sequence[_Asked]) -> subprocess.CompletedProcess[str]:
    lines = [
        "From Coq Require Import Reals ZArith.",
        "From Coquelicot Require Import Coquelicot.",
        "From Mope Require Import Vocabulary Language.",
        f"From Mope Require Statements {module}.",
        "Open Scope R_scope.",
        "",
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
    return _run(["coqc", "-w", "none", "-Q", "theories", "Mope", path.name], build)


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


HEAVY = frozenset({"Interval", "Flocq", "Gappa", "Bignums"})
"""Libraries that the independent checker does not get through in minutes; what rests on them is left out of it."""


def core(proofs: Path = PROOFS) -> tuple[str, ...]:
    """The theories that rest on none of the heavy libraries, themselves or through another theory."""
    needs: dict[str, set[str]] = {}
    for path in (proofs / "theories").glob("*.v"):
        text = _without_comments(path.read_text(encoding="utf-8"))
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
    done = _run(["coqchk", "-silent", "-o", "-Q", "theories", "Mope", *(f"Mope.{name}" for name in core(proofs))], build)
    faults = []
    if done.returncode:
        faults.append(Fault(None, f"coqchk: {_first(done.stderr or done.stdout)}"))
    else:
        listed = re.search(r"\* Axioms:\n(.*?)\n\s*\n", done.stdout + "\n\n", re.S)
        names = [line.strip() for line in listed[1].splitlines()] if listed else []
        beyond = [name for name in names if name and name != "<none>" and not name.endswith(tuple(ALLOWED))]
        if listed is None or beyond:
            faults.append(Fault(None, f"coqchk: axioms {', '.join(beyond) or 'that are not told'}"))
        for title in ("relying on type-in-type", "relying on unsafe", "whose positivity is assumed"):
            if not re.search(rf"{title}[^\n]*:\s*<none>", done.stdout):
                faults.append(Fault(None, f"coqchk: something {title}"))
    return Outcome((), tuple(faults), coq, perf_counter() - start)
