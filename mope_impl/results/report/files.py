"""A report as files: Markdown, JSON, and a PNG for each panel; each is there as a whole or not at all."""
from __future__ import annotations

import io
import json
import os
import tempfile
from pathlib import Path

from ..store import Runs
from .markdown import markdown
from .whole import Report

DPI = 160


def write(report: Report, runs: Runs, folder: Path) -> list[Path]:
    """Write ``report.md``, ``report.json`` and the pictures into a folder, which is made; what is replaced is named alike."""
    from matplotlib import rc_context

    from .figures import drawings
    from .figures.drawing import STYLE

    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    pictures: dict[str, list[tuple[str, str, list[str]]]] = {}
    with rc_context(STYLE):
        for table, drawing in drawings(report, runs):
            names = [f"{drawing.name}.png" if len(drawing.panels) == 1 else f"{drawing.name}-{number}.png"
                     for number in range(1, len(drawing.panels) + 1)]  # fmt: skip
            for name, figure in zip(names, drawing.panels, strict=True):
                content = io.BytesIO()
                figure.savefig(content, format="png", dpi=DPI, metadata={"Software": None})
                written.append(whole(folder / name, content.getvalue()))
            pictures.setdefault(table, []).append((drawing.alt, drawing.caption, names))
    written.append(whole(folder / "report.md", markdown(report, pictures).encode()))
    text = json.dumps(report.to_json(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    written.append(whole(folder / "report.json", text.encode()))
    return written


def whole(path: Path, content: bytes) -> Path:
    """Write a file so that it is there as a whole or not at all."""
    with tempfile.NamedTemporaryFile("wb", dir=path.parent, suffix=".new", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.chmod(file.name, 0o644)  # a temporary file is its maker's alone
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
    return path
