"""The second ring of mutants: python -m tests.mope_impl.certify.ring prints what ``mope check`` kills each by.

Every mutant is checked as a user would check it: a file in a folder, by itself, or by a certificate whose digest is made anew.
The first kinds compute another formula, or are refused; those of rounding compute the right one and are seen by their errors
alone; then come the fields of a certificate, and the table of what is assumed of the platform.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from mope_impl.certify import Report, certificate, check
from mope_impl.certify.rounding import Bound
from mope_impl.certify.rounding import primitives as table
from mope_impl.certify.sampling import Sampler, one_thread, search
from mope_impl.certify.scalars import Scalar
from mope_impl.certify.table import Observed
from tests.mope_impl.certify import edits, edits_triton
from tests.mope_impl.certify.edits import BACK, Edit

FOLDERS = {"torch": edits.GENERATED, "triton": edits_triton.GENERATED}
SI, GA, AL, RO, EG, RK = "sinusoidal_encoding", "gaussian_bias", "alibi_bias", "rotary", "energy_gate", "relative_kernel"

TORCH = {
    "phase in float32": Edit(
        SI, "theta = b * omega_", "theta = (b.to(torch.float32) * omega_.to(torch.float32)).to(torch.float64)"
    ),
    "all in float32": Edit(SI, "torch.float64", "torch.float32"),
    "all in bfloat16": Edit(AL, "torch.float64", "torch.bfloat16"),
    "sine of a phase in float32": Edit(SI, "torch.sin(theta)", "torch.sin(theta.to(torch.float32)).to(torch.float64)", count=1),
    "frequency by way of bfloat16": Edit(SI, "omega.to(torch.float64)", "omega.to(torch.bfloat16).to(torch.float64)", count=1),
    "position by way of float32": Edit(
        SI, "positions.to(torch.float64)", "positions.to(torch.float32).to(torch.float64)", count=1
    ),
    "distance by way of float16": Edit(GA, "distance.to(torch.float64)", "distance.to(torch.float16).to(torch.float64)", count=1),
    "square in float32": Edit(GA, "z * z", "z.to(torch.float32) * z.to(torch.float32)", count=1),
    "result by way of float16": Edit(AL, "channel_0.to(dtype", "channel_0.to(torch.float16).to(dtype"),
    "product of a gradient in float32": Edit(
        AL, "-(torch.abs(d) * grad_0)", "-(torch.abs(d).to(torch.float32) * grad_0.to(torch.float32)).to(torch.float64)"
    ),
    "gradient by way of bfloat16": Edit(
        SI, "d_omega = grad_theta * b", "d_omega = grad_theta.to(torch.bfloat16).to(torch.float64) * b"
    ),
    "phase of the gradient in float32": Edit(
        SI, "theta = b * omega_", "theta = (b.to(torch.float32) * omega_.to(torch.float32)).to(torch.float64)", after=BACK
    ),
    "sigmoid in float32": Edit(
        EG, "torch.sigmoid((z - tau) * alpha)", "torch.sigmoid(((z - tau) * alpha).to(torch.float32)).to(torch.float64)"
    ),
    "cosine rounded before it is used": Edit(
        RO, "cos_1 = torch.cos(theta)", "cos_1 = torch.cos(theta).to(torch.float32).to(torch.float64)", count=1
    ),
    "envelope in float32": Edit(
        RK,
        "exp_1 = torch.exp(-0.25 * (z * z))",
        "exp_1 = torch.exp((-0.25 * (z * z)).to(torch.float32)).to(torch.float64)",
        count=1,
    ),
}
"""Files of the right formula that round too much."""
TRITON = {
    "phase in float32": Edit(SI, "theta = b * omega_", "theta = (b.to(tl.float32) * omega_.to(tl.float32)).to(tl.float64)"),
    "phase of the gradient in float32": Edit(
        SI,
        "theta = b * omega_",
        "theta = (b.to(tl.float32) * omega_.to(tl.float32)).to(tl.float64)",
        after="def _backward_kernel",
    ),
    "frequency read to float32": Edit(
        SI, "other=0).to(tl.float64)\n    theta", "other=0).to(tl.float32).to(tl.float64)\n    theta", count=1
    ),
    "sine in float32": Edit(SI, "tl.sin(theta)", "tl.sin(theta.to(tl.float32))", count=1),
    "square in float32": Edit(GA, "(z * z)", "(z.to(tl.float32) * z.to(tl.float32)).to(tl.float64)", count=1),
    "double rounding of a wide result": Edit(SI, "channel_0.to(work)", "channel_0.to(tl.float32)", count=1),
}

Change = Callable[[dict[str, Any]], None]


class Case(NamedTuple):
    """One mutant: what is put into a folder, and what is planted in the checker."""

    kind: str
    name: str
    backend: str
    edit: Edit
    change: Change | None = None
    """Of a certificate, which is that of the file otherwise."""
    planted: tuple[tuple[str, Any], ...] = ()
    """Entries of the table of hypotheses."""

    @property
    def source(self) -> bytes:
        return self.edit.apply(FOLDERS[self.backend])


def cases() -> Iterator[Case]:
    """All mutants."""
    for backend, first, rounding in (("torch", edits.MUTANTS, TORCH), ("triton", edits_triton.MUTANTS, TRITON)):
        for kind, group in ((backend, first), (f"{backend}, rounding", rounding)):
            for name, edit in group.items():
                yield Case(kind, name, backend, edit)
    for name, change in FIELDS.items():
        yield Case("certificate", name, "torch", Edit(AL, "", ""), change)
    for name, op, other, change in HYPOTHESES:
        one = table.PLATFORMS["torch"].table[op]
        yield Case("error model", name, "torch", Edit(KERNEL_OF[op], "", ""), change, ((op, other(one)),))


def row(held: dict[str, Any]) -> dict[str, Any]:
    """The row of a certificate that its mutants are about."""
    found: dict[str, Any] = held["errors"]["forward"]["float32"]
    return found


def put(*place: Any) -> Change:
    """Set a field, by its place, to the last argument."""

    def change(held: dict[str, Any]) -> None:
        *way, last, value = place
        for key in way:
            held = held[key]
        held[last] = value

    return change


def scaled(name: str, factor: float) -> Change:
    return lambda held: row(held).__setitem__(name, row(held)[name] * factor)


def drop(*place: str) -> Change:
    def change(held: dict[str, Any]) -> None:
        *way, last = place
        for key in way:
            held = held[key]
        del held[last]

    return change


ROW = ("errors", "forward", "float32")
FIELDS: dict[str, Change] = {
    "schema": put("schema", 2),
    "schema as a float": put("schema", 1.0),
    "spec": put("spec", "gaussian_bias"),
    "claims": put("claims", ["kernel.product"]),
    "no claim": put("claims", []),
    "backend": put("backend", "triton"),
    "source_sha256": put("source_sha256", "0" * 64),
    "formula_sha256": put("formula_sha256", "0" * 64),
    "verdict": put("verdicts", "forward", "method", "enclosed"),
    "regions": put("verdicts", "forward", "regions", 1),
    "remarks": put("verdicts", "forward", "remarks", ["all is well"]),
    "a verdict missing": drop("verdicts", "d slope"),
    "box": put("box", "slope", [-1.0, 1.0]),
    "an input without box": drop("box", "slope"),
    "primitives": put("primitives", []),
    "a smaller bound": scaled("bound", 0.5),
    "a larger bound": scaled("bound", 2.0),
    "growth": lambda held: row(held)["growth"][1].__setitem__(1, 0.0),
    "relative": scaled("relative", 0.5),
    "floor": put(*ROW, "floor", 0.0),
    "primitives of a row": put(*ROW, "primitives", ["ieee754", "aten.cpu.exp"]),
    "observed too small": scaled("observed", 0.5),
    "observed too large": scaled("observed", 1.0000001),
    "ratio": put(*ROW, "ratio", 1.0),
    "a point outside of the box": put(*ROW, "at", "slope", 5.0),
    "a point that is no value of the dtype": put(*ROW, "at", "slope", 0.1),
    "another point": put(*ROW, "at", "distance", 3.0),
    "a point of other inputs": put(*ROW, "at", "width", 1.0),
    "a computed value": lambda held: row(held).__setitem__("computed", -row(held)["computed"]),
    "a computed value that is none of the dtype": lambda held: row(held).__setitem__(
        "computed", row(held)["computed"] * (1 + 2.0**-40)
    ),
    "samples": put(*ROW, "samples", 10**9),
    "seed": put(*ROW, "seed", 1),
    "the bound of a sum": put("errors", "d slope", "float32", "sum", "bound", 0.0),
    "terms of a sum": put("errors", "d slope", "float32", "sum", "terms", 2),
    "axes of a sum": put("errors", "d slope", "float32", "sum", "axes", ["q"]),
    "a dtype missing": drop("errors", "forward", "float64"),
    "a result missing": drop("errors", "d slope"),
    "a field more": put("signed_by", "somebody"),
    "versions": put("versions", "torch", "newest"),
    "versions missing": drop("versions", "torch"),
    "no versions": drop("versions"),
    "machine": put("machine", ""),
    "a digest that is not renewed": lambda held: held.update(digest="0" * 64),
    "a version, the digest not renewed": lambda held: (put("versions", "torch", "1.0")(held), held.update(digest=held["digest"])),  # type: ignore[func-returns-value]
}
"""What is changed in a certificate; the digest is made anew unless the change is of the digest."""
KEPT = ("a digest that is not renewed", "a version, the digest not renewed")


def ulps(factor: float) -> Callable[[table.Hypothesis], table.Hypothesis]:
    return lambda one: replace(one, ulps={dtype: units * factor for dtype, units in one.ulps.items()})


def renamed(one: table.Hypothesis) -> table.Hypothesis:
    return replace(one, name="aten.cpu.anything")


KERNEL_OF = {"sin": SI, "cos": SI, "exp": RK, "sigmoid": EG}


def as_it_is(held: dict[str, Any]) -> None:
    """The certificate is that of the file and of the table as they were."""


HYPOTHESES: tuple[tuple[str, str, Callable[[table.Hypothesis], table.Hypothesis], Change | None], ...] = (
    ("sine taken for exact, no certificate", "sin", ulps(0.0), None),
    ("a quarter of a unit for sine, no certificate", "sin", ulps(0.25), None),
    ("a quarter of a unit for exp, no certificate", "exp", ulps(0.25), None),
    ("eight units for cosine, no certificate", "cos", ulps(8.0), None),
    ("half of what is assumed of sigmoid, no certificate", "sigmoid", ulps(0.5), None),
    ("half a unit for sine", "sin", ulps(0.5), as_it_is),
    ("two units for sine", "sin", ulps(2.0), as_it_is),
    ("another name", "sin", renamed, as_it_is),
)


class Remembered(Sampler):
    """A sampler that gives what it found before of the same scalar and bound: the search is the same twice."""

    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], Observed] = {}

    def search(self, scalar: Scalar, bound: Bound) -> Observed:  # type: ignore[override]
        key = (scalar.spec.name, scalar.name, scalar.dtype, repr(bound))
        if key not in self.known:
            self.known[key] = search(scalar, bound)
        return self.known[key]


REMEMBERED = Remembered()


@cache
def certified(kernel: str) -> dict[str, Any]:
    """The certificate of a generated torch file as it is. Raises ValueError where it deserves none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{kernel}.py"
        path.write_bytes((FOLDERS["torch"] / path.name).read_bytes())
        report = check(path, REMEMBERED)
    if report.made is None:
        raise ValueError(f"{kernel}: {'; '.join(report.complaints(strict=True))}")
    return dict(report.made)


def checked(case: Case) -> Report:
    """What ``mope check`` finds of a mutant."""
    held = None
    if case.change is not None:
        held = deepcopy(certified(case.edit.kernel))
        before = held["digest"]
        case.change(held)
        if case.name not in KEPT:
            held["digest"] = certificate.digest(held)
        elif held["digest"] == before and case.name == KEPT[0]:
            raise ValueError("the digest is as it was")
    is_other = case.kind not in ("certificate", "error model")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = Path(folder) / f"{case.edit.kernel}.py"
        path.write_bytes(case.source)
        if held is not None:
            certificate.write(held, certificate.path_of(path))
        if case.planted:
            own = {**table.PLATFORMS["torch"].table, **dict(case.planted)}
            platform = replace(table.PLATFORMS["torch"], table=own)
            stack.enter_context(patch.dict(table.PLATFORMS, {"torch": platform}))
        return check(path, Sampler() if is_other else REMEMBERED)


SIGNS = {
    "no bound": "no bound",
    "certificate: ": "certificate",
    "units are assumed": "hypothesis",
    "units were observed": "hypothesis",
    "above the bound": "sample",
    "what one rounding to the dtype costs": "promise",
    "times the largest error observed": "looseness",
}


def killers(report: Report) -> list[str]:
    """The checks that fail, the first of them first; provenance fails under --strict alone."""
    if report.semantics.refused:
        return ["refusal"]
    if not report.semantics.holds:
        return ["semantics"]
    found = dict.fromkeys(next(name for sign, name in SIGNS.items() if sign in fault) for fault in report.faults)
    return list(found) or ([] if report.provenance.is_known else ["provenance"])


def main() -> int:
    """Print the table; 1 if a mutant survives, or one of rounding is killed by its formula."""
    one_thread()
    alive, counts = 0, Counter[tuple[str, str]]()
    for case in cases():
        report = checked(case)
        found = killers(report)
        complaint = next(iter(report.complaints(strict=False)), "").partition(f"{case.edit.kernel}.py:")[2].strip()
        wrong = not found or ("rounding" in case.kind and found[0] in ("semantics", "refusal"))
        alive += wrong
        counts[case.kind, found[0] if found else "SURVIVES"] += 1
        end = ", ".join(found) or "SURVIVES"
        sys.stdout.write(f"{case.kind:18} {case.edit.kernel:20} {case.name:52} {end:28} {complaint[:110]}\n")
        sys.stdout.flush()
    for (kind, end), number in sorted(counts.items()):
        sys.stdout.write(f"{kind:18} {end:12} {number:4}\n")
    sys.stdout.write(f"{sum(counts.values())} mutants, {alive} survive\n")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
