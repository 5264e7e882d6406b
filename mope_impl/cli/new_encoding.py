"""``mope new-encoding``: the files of a new encoding, and its lines in the registries; or take them away again."""
from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Annotated

import typer

from . import registries, skeleton
from .checkout import checkout
from .errors import UserError
from .output import console

SUFFIX = "_encoding"


def new_encoding(
    name: Annotated[str, typer.Argument(metavar="NAME", help="In small letters, as in chirp or damped_wave.")],
    undo: Annotated[bool, typer.Option("--undo", help="Take an encoding away that was begun so.")] = False,
    force: Annotated[bool, typer.Option("--force", help="With --undo: also files that you have edited.")] = False,
) -> None:
    """Begin a new encoding: write its claim, its specification and its test, and register them.

    They run as they are, on an example for you to replace; comments say where. All is written, or nothing.
    """
    root = checkout("mope new-encoding", "tests/mope_theory/test_registry.py")
    check_name(name)
    if force and not undo:
        raise UserError("--force goes with --undo")
    if undo:
        take_away(root, name, force)
    else:
        begin(root, name)


def check_name(name: str) -> None:
    """Raise UserError for what cannot name a module, a topic and a kernel."""
    if name.endswith(SUFFIX):
        raise UserError(f"leave {SUFFIX} out: mope new-encoding {name.removesuffix(SUFFIX) or 'NAME'} names the kernel so")
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise UserError(f"{name!r} names no encoding: small letters, digits and single _ only, a letter first, no Python keyword")


def begin(root: Path, name: str) -> None:
    """Write and register a new encoding. Raises UserError where anything of that name is there."""
    from mope_theory import claims

    files = skeleton.files(name)
    there = [path for path in (*files, skeleton.kernel(name)) if (root / path).exists()]
    if there:
        raise UserError(f"{there[0]} is there already: take another name, or look at mope new-encoding {name} --undo")
    topic = name.replace("_", "-")
    if topic in {claim.topic for claim in claims()}:
        raise UserError(f"there is a topic {topic} already: take another name")
    changes: dict[str, str] = dict(files)
    for entry in skeleton.entries(name):
        text = changes.get(entry.path) or (root / entry.path).read_text(encoding="utf-8")
        changes[entry.path] = registries.added(text, entry)
    registries.apply(root, changes)

    claim, spec, test = files
    registered = list(dict.fromkeys(entry.path for entry in skeleton.entries(name)))
    say(*(f"written     {path}" for path in files), *(f"registered  {path}" for path in registered), "")
    say(
        "Try it as it is, then put your own formula in its place (comments 1 to 5):",
        f"  mope verify {topic}",
        f"  mope generate {name}{SUFFIX}",
        f"  pytest {test}",
        f"  pytest tests/mope_theory/claims -k '{topic} or tried'",
        "",
        f"  edit  {claim}",
        f"        {spec}",
        f"        {test}",
        f"        {registered[-1]}, its line: points to try the claim at",
        "",
        "Before you commit: make mutants, whose record is of every claim; make test.",
        f"mope new-encoding {name} --undo takes it away again.",
    )


def take_away(root: Path, name: str, force: bool) -> None:
    """Remove the files of an encoding and its lines in the registries, and say what is left to be done by hand."""
    files = skeleton.files(name)
    there = [path for path in (*files, skeleton.kernel(name)) if (root / path).exists()]
    if next(iter(files)) not in there:
        raise UserError(f"there is no {next(iter(files))}: no encoding {name} was begun")
    edited = [path for path in there if path in files and (root / path).read_text(encoding="utf-8") != files[path]]
    if edited and not force:
        raise UserError(f"{', '.join(edited)}: edited since; --force takes it away all the same")
    changes: dict[str, str | None] = dict.fromkeys(there)
    for entry in skeleton.entries(name):
        text = changes.get(entry.path) or (root / entry.path).read_text(encoding="utf-8")
        changes[entry.path] = registries.removed(text, entry)
    registries.apply(root, changes)

    say(*(f"removed       {path}" for path in there))
    left = re.compile(rf"\b({name}|{name}{SUFFIX}|{name.replace('_', '-')}\.[\w-]+)\b")
    for path in dict.fromkeys(entry.path for entry in skeleton.entries(name)):
        found = left.search((root / path).read_text(encoding="utf-8"))
        say(f"unregistered  {path}" + (f"; still names {found[0]}: take that out by hand" if found else ""))


def say(*lines: str) -> None:
    """Print lines as they are."""
    for line in lines:
        console().print(line, markup=False, soft_wrap=True)
