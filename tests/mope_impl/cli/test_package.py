"""``mope generate --package``: a folder that works without mope, bit for bit, and that overwrites nothing of anybody's."""
from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mope_theory as mt
from mope_impl import certify, codegen
from mope_impl.cli import package

ROOT = Path(__file__).resolve().parents[3]
GENERATED = ROOT / "mope_impl/generated"
LICENCE = (ROOT / "LICENSE").read_text(encoding="utf-8")

ALONE = """
import importlib.abc, sys

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("mope_impl", "mope_theory", "sympy"):
            raise ImportError(f"the package asks for {name}")

sys.meta_path.insert(0, Blocked())
sys.path.insert(0, sys.argv[1])
import torch
given = torch.load(sys.argv[2])
from vendored.morlet_rotary import morlet_rotary
from vendored.gaussian_bias import gaussian_bias
x, sigma = given["x"].requires_grad_(), given["sigma"].requires_grad_()
turned = morlet_rotary(x, given["positions"], given["omega"], sigma)
bias = gaussian_bias(given["distance"], sigma)
(turned.square().sum() + bias.sum()).backward()
for name, found in {"turned": turned, "bias": bias, "d x": x.grad, "d sigma": sigma.grad}.items():
    assert torch.equal(found, given[name]), name
assert not [name for name in sys.modules if name.startswith("mope")]
"""


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def written(mope, tmp_path) -> Path:
    result = mope("generate", "morlet_rotary", "gaussian_bias", "--package", tmp_path / "vendored")
    assert (result.code, result.err) == (0, "")
    return tmp_path / "vendored"


def test_it_computes_the_same_bits_where_mope_is_not(written, tmp_path):
    import torch

    from mope_impl.generated.torch.gaussian_bias import gaussian_bias
    from mope_impl.generated.torch.morlet_rotary import morlet_rotary

    generator = torch.Generator().manual_seed(2)
    x = torch.randn(2, 3, 5, 8, generator=generator).requires_grad_()
    sigma = torch.tensor([3.0, 9.0, 27.0, 81.0]).requires_grad_()
    positions, omega = torch.arange(5), torch.tensor([1.0, 0.1, 0.01, 0.001])
    distance = torch.arange(5)[:, None] - torch.arange(5)
    given = {"x": x.detach(), "sigma": sigma.detach(), "positions": positions, "omega": omega, "distance": distance}
    given = {name: value.clone() for name, value in given.items()}
    turned, bias = morlet_rotary(x, positions, omega, sigma), gaussian_bias(distance, sigma)
    (turned.square().sum() + bias.sum()).backward()
    given |= {"turned": turned.detach(), "bias": bias.detach(), "d x": x.grad, "d sigma": sigma.grad}
    torch.save(given, tmp_path / "given.pt")
    call = [sys.executable, "-I", "-c", ALONE, str(tmp_path), str(tmp_path / "given.pt")]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    kernel = written / "morlet_rotary.py"
    kernel.write_text(kernel.read_text().replace("exp(-0.5 *", "exp(-0.25 *"), encoding="utf-8")
    assert subprocess.run(call, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_its_files_are_the_committed_ones_and_pass_the_check(written):
    for name in ("morlet_rotary", "gaussian_bias"):
        assert (written / f"{name}.py").read_bytes() == (GENERATED / "torch" / f"{name}.py").read_bytes()
        own, shipped = (folder / f"{name}.cert.json" for folder in (written, GENERATED / "torch"))
        assert own.exists() == shipped.exists()
        assert not own.exists() or own.read_bytes() == shipped.read_bytes()
    kernel = written / "gaussian_bias.py"
    assert certify.kernels(written) == [kernel, written / "morlet_rotary.py"]
    assert certify.check(kernel).passes(strict=True)
    kernel.write_text(kernel.read_text().replace("-0.25 * (z * z)", "-0.5 * (z * z)"), encoding="utf-8")
    assert not certify.check(kernel).passes(strict=False)


def test_the_manifest_says_what_was_written(written):
    held = json.loads((written / "manifest.json").read_text(encoding="utf-8"))
    there = hashes(written)
    there.pop("manifest.json")
    assert held["sha256"] == there
    assert {"README.md", "LICENSE", "__init__.py", "morlet_rotary.py", "gaussian_bias.py"} <= set(there)
    assert (written / "LICENSE").read_text(encoding="utf-8") == LICENCE


def test_the_readme_says_how_to_call_each(written):
    text = (written / "README.md").read_text(encoding="utf-8")
    assert "from vendored.morlet_rotary import morlet_rotary" in text
    assert "mope check vendored" in text
    assert "Copyright (c) 2026 The mope developers" in text
    for name in ("morlet_rotary", "gaussian_bias"):
        spec = mt.spec(name)
        assert f"def {name}(" in text
        assert spec.accuracy in text
        for x in spec.inputs:
            assert f"| `{x.name}` | (" in text
            assert x.doc.replace("|", "\\|") in text
    assert "(*b, h, t, 2n)" in text


def test_every_backend_has_files_of_its_own(mope, tmp_path):
    arguments = [part for name in codegen.BACKENDS for part in ("--backend", name)]
    assert mope("generate", "gaussian_bias", *arguments, "--package", tmp_path / "both").code == 0
    for backend in codegen.BACKENDS:
        name = "gaussian_bias.py" if backend == "torch" else f"gaussian_bias_{backend}.py"
        assert (tmp_path / "both" / name).read_bytes() == (GENERATED / backend / "gaussian_bias.py").read_bytes()


def test_a_certificate_of_another_text_is_left_out():
    spec = mt.spec("gaussian_bias")
    text = codegen.generate(spec)
    for digest, there in ((hashlib.sha256(text.encode()).hexdigest(), True), ("0" * 64, False)):
        held = {("gaussian_bias", "torch"): json.dumps({"source_sha256": digest})}
        files = codegen.package([spec], ["torch"], folder="k-1", version="1", licence=LICENCE, certificates=held)
        assert ("gaussian_bias.cert.json" in files) is there
        assert ("is the certificate of" in files["README.md"]) is there
        assert "from kernels.gaussian_bias import gaussian_bias" in files["README.md"]


def test_a_package_is_written_again_but_never_over_something_else(mope, written):
    call = ("generate", "rotary", "--package", written)
    (written / "__pycache__").mkdir()
    assert mope(*call).code == 0
    assert {path.name for path in written.iterdir()} == {"LICENSE", "README.md", "__init__.py", "manifest.json", "rotary.py"} | {
        path.name for path in written.glob("*.cert.json")}  # fmt: skip
    for plant in ("notes.txt", "rotary.py", "manifest.json"):
        before = (written / plant).read_bytes() if (written / plant).exists() else None
        (written / plant).write_text("mine", encoding="utf-8")
        held = hashes(written)
        result = mope(*call)
        assert result.code == 2
        assert "which mope has not written so; move it away, or take another folder" in result.err
        assert len(result.err.splitlines()) == 1
        assert hashes(written) == held
        if before is None:
            (written / plant).unlink()
        else:
            (written / plant).write_bytes(before)
    (written / "sub").mkdir()
    assert mope(*call).code == 2


def test_a_folder_of_somebody_else_and_a_file_are_refused(mope, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    assert mope("generate", "rotary", "--package", tmp_path / "empty").code == 0
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    for name in ("file", "link"):
        result = mope("generate", "rotary", "--package", tmp_path / name)
        assert (result.code, "is no folder; take another name" in result.err) == (2, True)
    monkeypatch.chdir(tmp_path)
    assert mope("generate", "rotary", "--package", ".").code == 2
    assert mope("generate", "rotary", "--package", "").code == 2
    for other in (("--out", "x"), ("--check",)):
        result = mope("generate", "rotary", "--package", "new", *other)
        assert (result.code, "--package goes with neither --out nor --check" in result.err) == (2, True)
    assert not (tmp_path / "new").exists()


def test_a_write_that_fails_leaves_what_was_there(mope, written, monkeypatch):
    held, replace = hashes(written), Path.replace

    def fail(self, target):
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    result = mope("generate", "rotary", "--package", written)
    assert (result.code, result.err) == (2, f"mope: cannot write {written}: No space left on device\n")
    assert hashes(written) == held
    assert [path.name for path in written.parent.iterdir() if path.name.startswith(".")] == []


def test_another_hash_seed_writes_the_same_bytes(mope, tmp_path):
    call = ["generate", "rotary", "relative_kernel", "--package"]
    other = [sys.executable, "-m", "mope_impl.cli", *call, str(tmp_path / "other/kernels")]
    subprocess.run(other, env={**os.environ, "PYTHONHASHSEED": "1"}, check=True, capture_output=True)
    assert mope(*call, tmp_path / "kernels").code == 0
    assert hashes(tmp_path / "kernels") == hashes(tmp_path / "other/kernels")


def test_a_mope_without_its_licence_writes_nothing(mope, monkeypatch, tmp_path):
    class Bare:
        version = "1"

        def read_text(self, name):
            return None

    monkeypatch.setattr(package, "__file__", str(tmp_path / "mope_impl/cli/package.py"))
    monkeypatch.setattr(package, "distribution", lambda name: Bare())
    result = mope("generate", "rotary", "--package", tmp_path / "new")
    assert (result.code, "installed without its licence" in result.err) == (2, True)
    assert not (tmp_path / "new").exists()
