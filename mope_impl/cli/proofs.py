"""``mope proofs``: have Coq check the formal proofs, against the statements that are printed from the claims."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from .checkout import checkout
from .errors import FAILED, UserError
from .output import STDOUT, check_json_target, console, plain_table, show, write_json

if TYPE_CHECKING:
    from mope_impl.formal.outcome import Outcome


def proofs(
    write: Annotated[
        bool, typer.Option("--write", help="First write proofs/theories/Statements.v anew from the claims.")
    ] = False,
    recheck: Annotated[
        bool, typer.Option("--recheck", help="Also have coqchk, a second checker, go through the compiled core.")
    ] = False,
    json_target: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the theorems as JSON; '-' is stdout.")
    ] = None,
) -> None:
    """Build the formal proofs and ask Coq of each theorem what it proves and which axioms it rests on.

    A theorem has to prove the statement of its claim as it is printed from the symbols: where a coefficient is changed on
    either side, the check fails. Exits 1 on any fault, 2 where Coq is not installed.
    """
    check_json_target(json_target)
    root = checkout("mope proofs", "proofs/_CoqProject")

    from mope_impl.formal import check
    from mope_impl.formal.outcome import Missing
    from mope_impl.formal.source import source

    if write:
        path = root / "proofs" / "theories" / "Statements.v"
        temporary = path.with_suffix(".tmp")
        temporary.write_text(source(), encoding="utf-8")
        os.replace(temporary, path)
    try:
        outcome = check.check()
        faults = [*outcome.faults, *(check.recheck().faults if recheck else ())]
    except Missing as missing:
        raise UserError(str(missing)) from missing
    _show(outcome, json_target == STDOUT)
    if json_target is not None:
        write_json(_json(outcome), json_target)
    notes = console(stderr=True)
    for fault in faults:
        notes.print(f"{fault.claim or 'proofs'}: {fault.what}", markup=False, soft_wrap=True)
    if faults:
        raise typer.Exit(FAILED)


def _show(outcome: Outcome, stderr: bool) -> None:
    from mope_impl.formal.source import asked

    table = plain_table("claim", "printed", "proved", "refuted", "other", "axioms", "time")
    members = asked()
    for claim in dict.fromkeys(p.claim for p in members):
        own = outcome.of(claim)
        printed = [t for t in own if t.proposition is not None]
        table.add_row(
            claim,
            f"{sum(not p.reason for p in members if p.claim == claim)} of {sum(p.claim == claim for p in members)}",
            str(sum(not t.refutes for t in printed)),
            str(sum(t.refutes for t in printed)),
            str(len(own) - len(printed)),
            str(len({name for t in own for name in t.axioms})),
            f"{sum(t.seconds for t in own):.2f}",
        )
    screen = console(stderr=stderr)
    show(screen, table)
    screen.print(f"Coq {outcome.coq}: {len(outcome.theorems)} theorems in {outcome.seconds:.0f} s", highlight=False)


def _json(outcome: Outcome) -> dict[str, object]:
    return {
        "schema": 1,
        "coq": outcome.coq,
        "theorems": [
            {
                "theorem": t.name,
                "claim": t.claim,
                "side": t.proposition.side if t.proposition else None,
                "member": t.proposition.member if t.proposition else None,
                "refutes": t.refutes,
                "axioms": list(t.axioms),
                "seconds": round(t.seconds, 3),
            }
            for t in outcome.theorems
        ],
        "faults": [{"claim": f.claim, "what": f.what} for f in outcome.faults],
    }
