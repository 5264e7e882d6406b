"""The folder of ``mope generate --package``: written whole or not at all, and never over what somebody else has put there."""
from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import UserError
from .output import console

if TYPE_CHECKING:
    from mope_theory.spec import KernelSpec


def write_package(specs: Sequence[KernelSpec], backends: Sequence[str], folder: Path) -> None:
    """Write the kernels as a folder of their own, with the certificates that come with mope."""
    from mope_impl import codegen

    version, licence = own_licence()
    files = codegen.package(
        specs,
        backends,
        folder=folder.resolve().name,
        version=version,
        licence=licence,
        certificates={(one.name, backend): shipped(one.name, backend) for one in specs for backend in backends},
    )
    put(files, folder, codegen.MANIFEST)
    kernels, certified = len(specs) * len(backends), sum(name.endswith(".cert.json") for name in files)
    text = f"{folder}: {kernels} kernel{'s' if kernels > 1 else ''}, {certified} of them with a certificate"
    console().print(text, markup=False, soft_wrap=True)


def put(files: Mapping[str, str], folder: Path, manifest: str) -> None:
    """Write a folder in place of none, of an empty one, or of one that was written so and not changed since.

    All of it is written beside the folder and moved there at once. Raises UserError where anything would be lost.
    """
    target = folder.resolve()
    if target == Path.cwd():
        raise UserError("--package replaces a folder as a whole; the current one is in use, name another")
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise UserError(f"{folder} is no folder; take another name")
        kept = changed(target, manifest) if folder.is_dir() else []
        if kept:
            raise UserError(f"{folder} holds {kept[0]}, which mope has not written so; move it away, or take another folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as beside:
            new, old = Path(beside) / "new", Path(beside) / "old"
            new.mkdir()
            for name, text in files.items():
                (new / name).write_bytes(text.encode("utf-8"))
            if target.exists():
                target.replace(old)
            try:
                new.replace(target)
            except OSError:
                if old.exists():
                    old.replace(target)
                raise
    except OSError as problem:
        raise UserError(f"cannot write {folder}: {problem.strerror}") from problem


def changed(folder: Path, manifest: str) -> list[str]:
    """What a folder holds that its list of what was written does not, or not so; caches of Python do not count."""
    try:
        held = json.loads((folder / manifest).read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, LookupError, TypeError):
        held = {}
    known = held if isinstance(held, dict) else {}
    names = sorted(path.name for path in folder.iterdir() if path.name != "__pycache__")
    return [name for name in names if name != manifest and not _is_same(folder / name, known.get(name))] or (
        [manifest] if manifest in names and not known else []
    )


def _is_same(path: Path, digest: object) -> bool:
    return path.is_file() and not path.is_symlink() and sha256(path.read_bytes()).hexdigest() == digest


def shipped(name: str, backend: str) -> str:
    """The certificate that comes with mope, or nothing."""
    path = Path(__file__).resolve().parents[1] / "generated" / backend / f"{name}.cert.json"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def own_licence() -> tuple[str, str]:
    """The version of mope and the text of its licence, from the checkout or from what is installed."""
    try:
        own = distribution("mope")
    except PackageNotFoundError:
        raise UserError("mope generate --package needs an installed mope: pip install -e .") from None
    beside = Path(__file__).resolve().parents[2] / "LICENSE"
    text = beside.read_text(encoding="utf-8") if beside.is_file() else own.read_text("licenses/LICENSE")
    if text is None:
        raise UserError("mope is installed without its licence, which the kernels go with: install it again")
    return own.version, text
