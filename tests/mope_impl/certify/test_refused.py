"""What is outside the allow-list is refused at its line, and never run."""

from __future__ import annotations

import pytest

from mope_impl.certify import check, semantics
from mope_theory.specs import spec
from tests.mope_impl.certify.edits import FORBIDDEN, GENERATED

TEXT = (GENERATED / "morlet_encoding.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FORBIDDEN)
def test_it_is_refused_unexecuted(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = FORBIDDEN[name](TEXT)
    assert text != TEXT
    result = semantics(text.encode(), spec("morlet_encoding"))
    assert result.refused
    assert not result.holds
    assert list(tmp_path.iterdir()) == []


def test_what_is_planted_would_have_been_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(FORBIDDEN["a statement outside"](TEXT), "planted", "exec"), {})
    assert (tmp_path / "PLANTED").exists()


def test_a_refusal_names_file_line_and_what(tmp_path):
    path = tmp_path / "morlet_encoding.py"
    path.write_text(FORBIDDEN["an unknown operation"](TEXT), encoding="utf-8")
    line = path.read_text(encoding="utf-8").split("torch.sinc")[0].count("\n") + 1
    assert check(path).complaints(strict=False) == [f"{path}:{line}: refused: torch.sinc"]


def test_the_generated_text_itself_is_not_refused():
    assert semantics(TEXT.encode(), spec("morlet_encoding")).refused == ""
