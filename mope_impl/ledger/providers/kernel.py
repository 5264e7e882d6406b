"""Evidence by code: every kernel that is generated for a claim has a certificate, of the file and the formula as they are.

Certificates are read, not made: ``mope check`` computes all of them again. What one proves is that code computes the formula of a
specification; of the statements of the claim it decides none. A claim about what no formula of a kernel says, such as the number
of parameters of a module, has a trial instead, which is run.
"""
from __future__ import annotations

import hashlib
from pathlib import Path
from time import perf_counter

import mope_theory as mt
from mope_theory.claim import Claim
from mope_theory.spec import KernelSpec

from ..evidence import Evidence, Status

GENERATED = Path(__file__).resolve().parents[2] / "generated"
WORST: tuple[Status, ...] = ("fails", "stale", "missing", "holds")
"""A claim's kernels stand as the worst of them does."""


def kernels(claim: Claim, folder: Path = GENERATED) -> tuple[Evidence, ...]:
    """One piece of evidence for all kernels of the claim, or for its trial; none if it has neither."""
    start = perf_counter()
    found = [judged(spec, path) for spec in mt.specs() if claim.id in spec.claims for path in files(spec, folder)]
    found += tried(claim)
    if not found:
        return ()
    status = next(one for one in WORST if one in {kind for kind, _ in found})
    detail = "; ".join(text for kind, text in found if kind == status)
    return (Evidence("kernel", "ours" if claim.ours else "published", None, status, detail, perf_counter() - start),)


def tried(claim: Claim) -> list[tuple[Status, str]]:
    """How the trial of the claim ends, if it has one."""
    if "kernel" not in claim.requires:  # nothing to try, and no torch to load for it
        return []
    from mope_impl.agreement import TRIALS, Disagreement

    if claim.id not in TRIALS:
        return []
    try:
        return [("holds", TRIALS[claim.id]())]
    except Disagreement as found:
        return [("fails", str(found))]


def files(spec: KernelSpec, folder: Path) -> list[Path]:
    """Where the kernel lies, or should lie, for each backend."""
    return [backend / f"{spec.name}.py" for backend in sorted(folder.iterdir()) if (backend / "__init__.py").is_file()]


def judged(spec: KernelSpec, path: Path) -> tuple[Status, str]:
    """How the kernel at a path stands, and what to say of it."""
    from mope_impl.certify import certificate

    name = f"{spec.name} ({path.parent.name})"
    try:
        held = certificate.read(certificate.path_of(path))
        source = path.read_bytes()
    except certificate.Unreadable as fault:
        return "fails", f"{name}: {fault}"
    except OSError as problem:
        return "missing", f"{name}: {problem.strerror}"
    if held is None:
        return "missing", f"{name}: no certificate"
    wrong = certificate.unsound(held)
    if wrong:
        return "fails", f"{name}: {wrong}"
    if held["formula_sha256"] != spec.digest:
        return "stale", f"{name}: certified for another formula"
    if held["source_sha256"] != hashlib.sha256(source).hexdigest():
        return "stale", f"{name}: modified since certified"
    methods = ", ".join(sorted({verdict["method"] for verdict in held["verdicts"].values()}))
    return "holds", f"{name}: {methods}, {certificate.worst_ratio(held)}"
