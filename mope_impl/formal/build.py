"""Coq at work: the theories copied to where they are built, what no file may hold, and coqc over what changed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .outcome import Fault, Missing
from .source import source

INSTALL = "apt-get install coq libcoq-coquelicot libcoq-interval libcoq-flocq libcoq-gappa gappa"
"""The one command that brings Coq and the libraries that the proofs use."""


def version() -> str:
    """The version of Coq. Raises Missing."""
    if shutil.which("coqc") is None or shutil.which("coq_makefile") is None:
        raise Missing(f"not checked on this machine: install Coq ({INSTALL})")
    done = run(["coqc", "--print-version"], Path.cwd())
    return done.stdout.split()[0] if done.returncode == 0 and done.stdout.split() else "unknown"


def run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@contextmanager
def alone(build: Path) -> Iterator[None]:
    """One check at a time in a folder: another process waits."""
    build.mkdir(parents=True, exist_ok=True)
    import fcntl  # where there is none there is no Coq either, and the package can still be imported

    with (build / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


PROJECT_LINE = re.compile(r"-Q theories Mope|-arg -w|-arg -ambiguous-paths|-arg -w -arg -ambiguous-paths|theories/\w+\.v|#.*|")
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|Variables?|Unset\s+\w+\s+Checking|bypass_check"
    r"|Declare\s+ML|Add\s+(Rec\s+)?LoadPath|Load|Redirect|Extraction|Cd)\b"
)
"""Commands that no file may hold: what is assumed instead of proved, what weakens the checker, what reaches outside. An audit of
axioms would see most of them; so it is said which file has them."""


def forbidden(proofs: Path) -> list[Fault]:
    faults = []
    for number, line in enumerate((proofs / "_CoqProject").read_text(encoding="utf-8").splitlines(), 1):
        if not PROJECT_LINE.fullmatch(line.strip()):
            faults.append(Fault("", f"_CoqProject:{number}: {line.strip()} is no option that is known"))
    for path in sorted((proofs / "theories").glob("*.v")):
        text = without_comments(path.read_text(encoding="utf-8"))
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


def without_comments(text: str) -> str:
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


def copied(proofs: Path, build: Path) -> list[Fault]:
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


def built(build: Path, jobs: int, modules: Sequence[str] | None) -> list[Fault]:
    """Run coqc over what changed, and what some files rest on. One fault for each file that Coq refuses."""
    made = run(["coq_makefile", "-f", "_CoqProject", "-o", "Makefile.coq"], build)
    if made.returncode:
        return [Fault(None, f"coq_makefile: {first(made.stderr)}")]
    targets = [f"theories/{module}.vo" for module in modules or ()]
    done = run(["make", "-f", "Makefile.coq", "-k", f"-j{jobs}", "TIMING=1", *targets], build)
    if done.returncode == 0:
        return []
    faults = []
    for match in REFUSED.finditer(done.stderr):
        faults.append(Fault(None, f"{match[1]}:{match[2]}: {' '.join(match[3].split())[:300]}"))
        (build / "theories" / match[1]).with_suffix(".vo").unlink(missing_ok=True)
    return faults or [Fault(None, f"the build failed: {first(done.stderr)}")]


def first(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "no message")
