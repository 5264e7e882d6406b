"""``mope generate``: what it writes is what is committed, and --check says where a file differs."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import mope_theory as mt
from mope_impl import codegen
from mope_impl.certify import certificate
from mope_impl.cli import checkout as place
from mope_impl.cli.generate import first_difference
from mope_impl.ledger.providers.kernel import judged
from mope_theory.spec import SpecError

ROOT = Path(__file__).resolve().parents[3]
BARE = ("--no-certificate",)
SPECS = {spec.name: spec for spec in mt.specs()}
COMMITTED = ROOT / "mope_impl/generated/torch/morlet_encoding.py"


def test_the_list_names_every_spec_and_backend(mope):
    result = mope("generate", "--list")
    assert result.code == 0
    assert all(spec.name in result.out for spec in mt.specs())
    assert "backends: torch" in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    assert "[n c]" in result.out  # read as markup, the brackets and what they hold are gone


def test_the_committed_kernels_are_current(mope):
    result = mope("generate", "--check")
    assert (result.code, result.err) == (0, "")
    assert result.out.count(": current\n") == len(mt.specs()) * len(codegen.BACKENDS)


def test_a_folder_of_ones_own_gets_the_same_bytes(mope, tmp_path):
    result = mope("generate", *BARE, "morlet_encoding", "--out", tmp_path / "new")
    path = tmp_path / "new/morlet_encoding.py"
    assert (result.code, result.out) == (0, f"{path}: written\n")
    assert path.read_bytes() == COMMITTED.read_bytes()
    assert mope("generate", *BARE, "morlet_encoding", "--out", tmp_path / "new").out == f"{path}: unchanged\n"


def test_two_hash_seeds_give_the_same_bytes(tmp_path):
    for seed in ("1", "2"):
        call = [sys.executable, "-m", "mope_impl.cli", "generate", *BARE, "--out", str(tmp_path / seed)]
        subprocess.run(call, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True)
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / seed).iterdir()} for seed in ("1", "2"))
    assert one == two
    assert set(one) == {f"{spec.name}.py" for spec in mt.specs()}


def test_check_names_the_first_line_that_differs(mope, tmp_path):
    mope("generate", *BARE, "morlet_encoding", "--out", tmp_path)
    path = tmp_path / "morlet_encoding.py"
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[20] += "  # by hand"
    path.write_text("\n".join(lines), encoding="utf-8")
    result = mope("generate", *BARE, "morlet_encoding", "--out", tmp_path, "--check")
    assert result.code == 1
    assert result.err.startswith(f"{path}:21: differs: ")
    assert result.out == ""
    assert "# by hand" in path.read_text(encoding="utf-8")


def test_check_names_a_kernel_that_nothing_generates(mope, monkeypatch, tmp_path):
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(place, "__file__", str(tmp_path / "mope_impl/cli/checkout.py"))
    for backend in codegen.BACKENDS:
        assert mope("generate", *BARE, "--backend", backend).code == 0
    assert mope("generate", *BARE, "--check").code == 0
    orphan = tmp_path / "mope_impl/generated/torch/old_encoding.py"
    orphan.touch()
    result = mope("generate", *BARE, "--check")
    assert (result.code, result.err) == (1, f"{orphan}: no specification generates it\n")


def test_a_bad_specification_is_one_line(mope, monkeypatch):
    def refuse():
        raise SpecError("specs/x.py defines the kernel y; file and kernel must have one name")

    monkeypatch.setattr(mt, "specs", refuse)
    result = mope("generate", "--check")
    assert (result.code, result.err) == (2, "mope: specs/x.py defines the kernel y; file and kernel must have one name\n")


BAD_SPEC = """
from ..spec import Input, KernelSpec
from ..symbols import b
SPEC = KernelSpec("bad", "A name that is none", "kernel.product", (Input("a b", b, "*t"),), (b,), "*t")
"""


@pytest.mark.parametrize("arguments", [["generate"], ["verify"], ["derive", "kernel.product"]], ids=" ".join)
def test_a_specification_that_is_wrong_when_it_is_imported_is_one_line(tmp_path, arguments):
    """It is built by the import of mope_theory, before any command of ours runs."""
    shutil.copytree(ROOT / "mope_theory", tmp_path / "mope_theory")
    specs = tmp_path / "mope_theory/specs"
    (specs / "bad.py").write_text(BAD_SPEC, encoding="utf-8")
    with (specs / "__init__.py").open("a", encoding="utf-8") as file:
        file.write("from . import bad\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    call = [sys.executable, "-m", "mope_impl.cli", *arguments]
    done = subprocess.run(call, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    message = "input name: got 'a b', expected an ASCII Python identifier that is not a keyword"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"mope: bad.py: {message}\n")


def test_a_value_error_of_another_kind_is_not_hidden(mope, monkeypatch):
    def broken():
        raise ValueError("a fault")

    monkeypatch.setattr(mt, "specs", broken)
    with pytest.raises(ValueError, match="a fault"):
        mope("generate")


@pytest.mark.parametrize("claims", [{"claim": "kernel.prodcut"}, {"also": ("learning.gradients", "kernel.prodcut")}])
@pytest.mark.parametrize("arguments", [[], ["--check"]])
def test_a_claim_that_is_not_registered_is_refused_by_name(mope, monkeypatch, tmp_path, arguments, claims):
    wrong = replace(mt.spec("morlet_encoding"), **claims)
    monkeypatch.setattr(mt, "specs", lambda: (wrong,))
    message = "mope: kernel morlet_encoding: unknown claim 'kernel.prodcut': did you mean kernel.product?\n"
    assert mope("generate", "--out", tmp_path, *arguments) == (2, "", message)
    assert list(tmp_path.iterdir()) == []


def test_check_misses_a_file(mope, tmp_path):
    result = mope("generate", *BARE, "morlet_encoding", "--out", tmp_path, "--check")
    assert result.code == 1
    assert result.err == f"{tmp_path / 'morlet_encoding.py'}: not there; mope generate writes it\n"


@pytest.mark.parametrize(
    "present, line",
    [(b"a\nb\n", None), (b"a\nc\n", 2), (b"a\n", 2), (b"a\nb\n\n", 3), (b"a\nb", 2), (b"a\r\nb\n", 1), (b"\xff", 1)],
)
def test_first_difference(tmp_path, present, line):
    path = tmp_path / "x.py"
    path.write_bytes(present)
    found = first_difference(path, "a\nb\n")
    assert found is None if line is None else found is not None and f"{path}:{line}: " in found


def test_the_empty_name_is_no_folder(mope, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in ("generate", "book"):
        assert mope(command, "--out", "") == (2, "", "mope: --out needs the name of a folder; the current one is .\n")
    assert list(tmp_path.iterdir()) == []
    assert mope("generate", *BARE, "morlet_encoding", "--out", ".").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["morlet_encoding.py"]


def test_a_folder_that_cannot_be_made_is_one_line(mope, tmp_path):
    (tmp_path / "file").write_text("")
    result = mope("generate", "--out", tmp_path / "file" / "x")
    assert result.code == 2
    assert result.err.startswith("mope: cannot write ")
    assert result.err.count("\n") == 1


def test_without_a_checkout_a_folder_must_be_named(mope, monkeypatch, tmp_path):
    monkeypatch.setattr(place, "__file__", str(tmp_path / "a/b/c.py"))
    result = mope("generate")
    assert result.code == 2
    assert result.err.startswith("mope: mope generate without --out needs the source checkout")


@pytest.mark.parametrize("backend", ["torch", "triton"])
def test_every_kernel_of_the_package_is_certified(backend):
    folder = ROOT / "mope_impl/generated" / backend
    found = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert len(found) >= 10
    assert {status: text for name in found for status, text in [judged(SPECS[name], folder / f"{name}.py")]}.keys() == {"holds"}


def test_check_names_a_certificate_that_is_not_there_or_out_of_date(mope, tmp_path):
    assert mope("generate", *BARE, "alibi_bias", "--out", tmp_path).code == 0
    path = tmp_path / "alibi_bias.py"
    result = mope("generate", "alibi_bias", "--out", tmp_path, "--check")
    assert (result.code, result.err) == (0, f"{path}: alibi_bias ({tmp_path.name}): no certificate\n")
    committed = ROOT / "mope_impl/generated/torch/alibi_bias.cert.json"
    shutil.copy(committed, certificate.path_of(path))
    assert mope("generate", "alibi_bias", "--out", tmp_path, "--check").code == 0
    held = {**json.loads(committed.read_text(encoding="ascii")), "source_sha256": "0" * 64}
    certificate.write({**held, "digest": certificate.digest(held)}, certificate.path_of(path))
    result = mope("generate", "alibi_bias", "--out", tmp_path, "--check")
    assert (result.code, result.err) == (1, f"{path}: alibi_bias ({tmp_path.name}): modified since certified\n")
