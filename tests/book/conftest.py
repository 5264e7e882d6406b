"""Books for the tests: the real one, built once with the network cut, and small ones made of a few pages."""
from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from filelock import FileLock

from mope_impl.book import BookError, build

ROOT = Path(__file__).resolve().parents[2]

NOTEBOOK = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {name: python3, display_name: Python 3, language: python}
---

"""
"""The head of a page with cells."""


@cache
def without_network() -> tuple[str, ...] | None:
    """A command that runs another one without a network, even without the loopback; None where none works."""
    for cut in (("unshare", "-n"), ("unshare", "-r", "-n")):
        try:
            if subprocess.run([*cut, "true"], capture_output=True, check=False, timeout=30).returncode == 0:
                return cut
        except (OSError, subprocess.SubprocessError):
            continue
    return None


@dataclass(frozen=True)
class Book:
    """A built book: the folder of its pages, and what the build printed."""

    pages: Path
    log: str
    cut: bool
    """Whether it was built without a network."""


@pytest.fixture(scope="session")
def real_book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The book of the repository, built once for all tests, whichever of several processes comes first."""
    shared = tmp_path_factory.getbasetemp()
    folder = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "book-of-all-tests"
    cut = without_network()
    with FileLock(f"{folder}.lock"):
        if not (folder / "pages").is_dir():
            folder.mkdir(exist_ok=True)
            build(ROOT / "book", folder / "pages", within=cut or (), log=folder / "log")
    return Book(folder / "pages", (folder / "log").read_text(encoding="utf-8"), cut is not None)


QUICK_LEDGER = '''
"""A ledger of the real claims without evidence, for a quick build; ``rows`` may be changed by the page under test."""
from dataclasses import replace
from mope_impl import ledger

def setup(app):
    return {}

def rows():
    return ledger.verify(levels=()).rows

def use(uses):
    """The rows with other uses: {id: (ids, …)}, and none for the claims that are not named."""
    return tuple(replace(row, claim=replace(row.claim, uses=uses.get(row.claim.id, ()))) for row in rows())

def cyclic():
    return use({"kernel.product": ("limit.sinusoidal",), "limit.sinusoidal": ("kernel.product",)})

def unknown():
    return use({"kernel.product": ("kernel.prodct",)})

def unprintable():
    """The rows with a claim whose statement has a symbol that TeX does not know."""
    import sympy as sp
    from mope_theory.statement import Equal
    bad = Equal(sp.Symbol(r"\\nosuchmacro"), sp.S.Zero)
    good = {row.claim.id: row for row in rows()}
    phase = good["phase.rope-angle"]
    return tuple((good | {phase.claim.id: replace(phase, claim=replace(phase.claim, ours=bad))}).values())
'''


def reading(results: Path) -> dict[str, str]:
    """The files of a small book whose records are those of a folder."""
    given = f"""def setup(app):
    app.connect("config-inited", lambda app, config: setattr(config, "mope_results", {str(results)!r}))"""
    return {"quick_ledger.py": QUICK_LEDGER.replace("def setup(app):", given, 1)}


SmallBook = Callable[..., Book]


@pytest.fixture
def small_book(tmp_path: Path) -> Iterator[SmallBook]:
    """Build a book of a few pages with the extension and the configuration of the real one.

    ``small_book({"index": "# Title"}, ledger="rows")``: pages by name, the function of the ledger, files beside them, kinds
    of page that are to be generated. Raises BookError if it does not build.
    """
    source = tmp_path / "source"

    def make(
        pages: Mapping[str, str], ledger: str = "rows", files: Mapping[str, str] | None = None, generated: Sequence[str] = ()
    ) -> Book:
        source.mkdir(exist_ok=True)
        config = yaml.safe_load((ROOT / "book/_config.yml").read_text(encoding="utf-8"))
        config["sphinx"]["local_extensions"] = {"mope_book": str(ROOT / "book/_ext"), "quick_ledger": str(source)}
        config["sphinx"]["config"]["mope_ledger"] = f"quick_ledger:{ledger}"
        config["exclude_patterns"] = ["_build", "**.py"]
        others = [{"file": name} for name in pages if name not in ("index", "orphan")] + [{"generated": x} for x in generated]
        contents = {"format": "jb-book", "root": "index", **({"chapters": others} if others else {})}
        texts = {
            "_config.yml": yaml.safe_dump(config),
            "_toc.yml": yaml.safe_dump(contents),
            "references.bib": "@book{known, author={A. Author}, title={Title}, year={2000}, publisher={Press}}",
            "quick_ledger.py": QUICK_LEDGER,
            **{f"{name}.md": text for name, text in pages.items()},
            **(files or {}),
        }
        for name, text in texts.items():
            (source / name).write_text(text, encoding="utf-8")
        shutil.copytree(ROOT / "book/_static", source / "_static", dirs_exist_ok=True)
        build(source, tmp_path / "pages", log=tmp_path / "log")
        return Book(tmp_path / "pages", (tmp_path / "log").read_text(encoding="utf-8"), False)

    yield make
    shutil.rmtree(source, ignore_errors=True)


__all__ = ["NOTEBOOK", "ROOT", "Book", "BookError", "SmallBook", "reading"]
