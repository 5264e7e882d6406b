"""The source checkout, for the commands that need more than the installed packages."""
from __future__ import annotations

from pathlib import Path

from .errors import UserError


def checkout(command: str, needs: str) -> Path:
    """Root of the checkout that the running package belongs to.

    Raises UserError where ``needs``, a path below the root, is not there: mope was installed from a wheel.
    """
    root = Path(__file__).resolve().parents[2]
    if not (root / needs).exists():
        raise UserError(f"{command} needs the source checkout ({needs} is in no wheel): run it in a clone of mope")
    return root
