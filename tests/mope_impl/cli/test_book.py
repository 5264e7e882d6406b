"""``mope book``: what it asks for, and what becomes of the pages. The real build is tested with the book."""
from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from mope_impl.cli import book as command
from mope_impl.cli import checkout as place
from mope_impl.cli.errors import UserError

WRITES = "import pathlib, sys; p = pathlib.Path(sys.argv[1], '_build/html'); p.mkdir(parents=True); "
PAGES = WRITES + "(p / 'index.html').write_text('new'); (p / '.buildinfo').touch()"


@pytest.fixture
def builds(monkeypatch, tmp_path):
    """A checkout with a book, whose build is a line of Python that gets the folder to write to."""
    (tmp_path / "book").mkdir()
    (tmp_path / "book/_config.yml").touch()
    (tmp_path / "book/_toc.yml").write_text("format: jb-book\nroot: index\n")
    monkeypatch.setattr(place, "__file__", str(tmp_path / "mope_impl/cli/checkout.py"))
    monkeypatch.setattr(command, "missing", lambda *_: ())

    def builds(code: str) -> Path:
        builder = import_module("mope_impl.book.build")  # its package has a function of the same name
        monkeypatch.setattr(builder, "command", lambda source, out: [sys.executable, "-c", code, str(out)])
        return tmp_path

    return builds


def test_the_pages_come_to_build_book(mope, builds):
    root = builds(PAGES)
    result = mope("book")
    assert result.code == 0
    assert result.out == f"built {root / 'build/book/index.html'}\n"
    assert (root / "build/book/index.html").read_text() == "new"
    assert [path.name for path in (root / "build").iterdir()] == ["book"]


def test_a_new_build_replaces_the_old_one_whole(mope, builds, tmp_path):
    builds(PAGES)
    out = tmp_path / "pages"
    assert mope("book", "--out", out).code == 0
    (out / "stale.html").touch()
    assert mope("book", "--out", out).code == 0
    assert sorted(path.name for path in out.iterdir()) == [".buildinfo", "index.html"]


def test_a_failed_build_exits_1_and_leaves_the_old_pages(mope, builds, tmp_path):
    builds(PAGES)
    out = tmp_path / "pages"
    mope("book", "--out", out)
    builds(PAGES + "; sys.exit(1)")
    result = mope("book", "--out", out)
    assert result.code == 1
    assert result.err.startswith("mope book: the book did not build (exit code 1)")
    assert (out / "index.html").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".book-")] == []


def test_a_build_without_pages_is_a_failure(mope, builds):
    builds("pass")
    assert mope("book").code == 1


def test_nothing_but_a_book_is_replaced(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UserError, match="holds something else"):
        command.check_target(tmp_path)
    with pytest.raises(UserError, match="it is a file"):
        command.check_target(tmp_path / "thesis.tex")
    assert command.check_target(tmp_path / "new") is None


def test_a_wheel_has_no_book(mope, monkeypatch, tmp_path):
    monkeypatch.setattr(place, "__file__", str(tmp_path / "a/b/c.py"))
    result = mope("book")
    assert result.code == 2
    assert result.err.startswith("mope: mope book needs the source checkout (book/_config.yml")
    assert result.err.count("\n") == 1


def test_what_the_book_lacks_is_named(mope, builds, monkeypatch):
    builds(PAGES)
    from mope_impl.cli.tools import tools

    monkeypatch.setattr(command, "missing", lambda *_: (tools()["jupyter-book"],))
    result = mope("book")
    assert (result.code, result.err) == (2, "mope: mope book needs jupyter-book (pip: mope[book], which pins 1.x)\n")
