"""``mope doctor``: what this machine has, what it lacks, and which command needs it."""
from __future__ import annotations

from typing import Annotated

import typer

from .output import STDOUT, check_json_target, console, plain_table, write_json
from .tools import found, tools


def doctor(
    json_target: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the findings as JSON; '-' is stdout.")
    ] = None,
) -> None:
    """Say which tools this machine has, and for what those it lacks are needed; and where evidence is cached.

    Always exits 0: a tool that is missing only takes the commands beside it away.
    """
    check_json_target(json_target)

    from mope_impl.ledger import cache_folder

    cache = cache_folder()
    rows = [(tool, found(tool.name)) for tool in tools().values()]
    table = plain_table("tool", "found", "needed for", "where from")
    for tool, version in rows:
        state = version if version is not None else "[yellow]missing[/]" if tool.everywhere else "none"
        table.add_row(tool.name, state, tool.purpose, tool.source if version is None else "")
    screen = console(stderr=json_target == STDOUT)
    screen.print(table)
    kept = f"evidence in {cache}" if cache else "no evidence: there is no home folder"
    screen.print(f"\nmope verify keeps {kept}", markup=False, soft_wrap=True)
    lacking = [tool.name for tool, version in rows if version is None and tool.everywhere]
    screen.print(f"{len(lacking)} missing: {', '.join(lacking)}" if lacking else "nothing is missing")
    if json_target is not None:
        data = [
            {"tool": tool.name, "found": version, "needed_for": tool.purpose, "source": tool.source}
            for tool, version in rows
        ]
        write_json({"schema": 1, "tools": data, "cache": str(cache) if cache else None}, json_target)
