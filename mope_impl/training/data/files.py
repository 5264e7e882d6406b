"""Texts from files: any UTF-8 file, and TinyShakespeare from a folder, the cache, or its public home, its content pinned."""
from __future__ import annotations

import hashlib
import http.client
import os
import tempfile
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from .config import SYNTHETIC, TINY_SHAKESPEARE, DataError

FOLDER = "MOPE_DATA"
"""The variable that names a folder of texts."""

NAME = "tinyshakespeare.txt"
SIZE = 1_115_394
SHA256 = "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed"
HOME = "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt"

_PIECE = 1 << 16
_PATIENCE = 30.0  # seconds without a byte


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where downloads are kept: data in MOPE_CACHE_DIR, else in mope of XDG_CACHE_HOME or ~/.cache; None without a home."""
    if own := environment.get("MOPE_CACHE_DIR"):
        return Path(own).absolute() / "data"
    shared = Path(environment.get("XDG_CACHE_HOME", ""))
    if shared.is_absolute():
        return shared / "mope" / "data"
    try:
        return Path.home() / ".cache" / "mope" / "data"
    except RuntimeError:
        return None


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, every character as it stands. Raises DataError where it cannot be read or is no UTF-8."""
    return _decoded(_read(path), path)


def tiny_shakespeare(cache: Path | None, *, url: str = HOME, environment: Mapping[str, str] = os.environ) -> str:
    """The text of TinyShakespeare: from ``cache``, from the folder that MOPE_DATA names, else downloaded into ``cache``.

    Its SHA-256 is pinned: a file with another one is refused by its name, and a download with another one is not kept.
    Raises DataError.
    """
    places = [cache / NAME] if cache else []
    if folder := environment.get(FOLDER):
        if not Path(folder).is_dir():
            raise DataError(f"{FOLDER}: got {folder!r}, expected a folder")
        places.append(Path(folder) / NAME)
    for path in places:
        if path.is_file():
            content = _read(path)
            if (found := hashlib.sha256(content).hexdigest()) != SHA256:
                raise DataError(f"{path}: SHA-256 {found} is not that of {TINY_SHAKESPEARE}, {SHA256}; take the file away")
            return _decoded(content, path)
    if cache is None:
        raise DataError(f"{TINY_SHAKESPEARE}: no folder for a download; set MOPE_CACHE_DIR, or {FOLDER} to one that has {NAME}")
    path = cache / NAME
    download(url, path, size=SIZE, sha256=SHA256)
    return read_text(path)


def download(url: str, path: Path, *, size: int, sha256: str) -> None:
    """Fetch a file whose size and SHA-256 are known; it is at ``path`` as a whole and right, or not at all.

    Raises DataError where it cannot be fetched or written or is another file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
            try:
                digest, received = hashlib.sha256(), 0
                with urllib.request.urlopen(url, timeout=_PATIENCE) as answer:
                    while received <= size and (piece := answer.read(_PIECE)):
                        file.write(piece)
                        digest.update(piece)
                        received += len(piece)
                if received != size or digest.hexdigest() != sha256:
                    length = f"{received} bytes" if received <= size else f"more than {size} bytes"
                    raise DataError(
                        f"{url}: got {length}, SHA-256 {digest.hexdigest()}; expected {size} bytes, {sha256}; nothing was kept"
                    )
                file.flush()
                os.fsync(file.fileno())
                os.replace(file.name, path)
            except BaseException:  # an interrupt too must leave nothing behind
                with suppress(OSError):
                    os.unlink(file.name)
                raise
    except (OSError, http.client.HTTPException) as problem:  # URLError is an OSError
        reason = getattr(problem, "reason", None) or getattr(problem, "strerror", None) or problem
        raise DataError(
            f"cannot download {url} to {path}: {reason}; get the file otherwise and set {FOLDER} to the folder of {path.name}"
        ) from problem


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise DataError(
            f"{path}: no such file (a source is {SYNTHETIC}, {TINY_SHAKESPEARE} or the path of a text file)"
        ) from None
    except (OSError, ValueError) as problem:  # a ValueError for a name with a null character
        raise DataError(f"{str(path)!r}: {getattr(problem, 'strerror', None) or problem}") from problem


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise DataError(f"{path}: not UTF-8: {problem.reason} at byte {problem.start}") from None
