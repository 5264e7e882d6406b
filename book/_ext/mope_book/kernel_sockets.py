"""Cells run in a kernel that is spoken to over Unix sockets: no port is opened, and not even the loopback is needed.

By default Jupyter opens TCP ports on 127.0.0.1, unencrypted, to which every user of the machine can connect.
"""
from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from sphinx.application import Sphinx


def _short_folder() -> Path:
    """A folder of a short name, since the address of a socket may have about a hundred characters."""
    folder = tempfile.mkdtemp(prefix="mope-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def setup(app: Sphinx) -> None:
    if os.name == "nt" or getattr(NotebookClient.create_kernel_manager, "over_sockets", False):
        return
    plain = NotebookClient.create_kernel_manager

    def create_kernel_manager(client: NotebookClient) -> KernelManager:
        manager = plain(client)
        manager.connection_file = str(_short_folder() / "k.json")
        manager.transport = "ipc"
        return manager

    create_kernel_manager.over_sockets = True  # type: ignore[attr-defined]
    NotebookClient.create_kernel_manager = create_kernel_manager  # type: ignore[method-assign]
