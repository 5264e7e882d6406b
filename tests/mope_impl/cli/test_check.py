"""``mope check``: what it shows, what it writes, and its exit codes."""
from __future__ import annotations

import hashlib
import json
from pathlib import Path

import mope_theory as mt
from mope_impl.certify import certificate, kernels
from mope_theory.specs import spec

GENERATED = Path(__file__).resolve().parents[3] / "mope_impl/generated/torch"
TEXT = (GENERATED / "gaussian_bias.py").read_text(encoding="utf-8")


def test_a_folder_of_kernels_of_both_backends(mope, tmp_path):
    for backend in ("torch", "triton"):
        (tmp_path / backend).mkdir()
        for name in ("gaussian_bias", "sinusoidal_encoding"):
            text = (GENERATED.parent / backend / f"{name}.py").read_bytes()
            (tmp_path / backend / f"{name}.py").write_bytes(text)
    result = mope("check", tmp_path, "--json", tmp_path / "found.json", "--strict", "--proofs-only")
    assert (result.code, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= 80
    data = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert data["schema"] == 1
    assert [one["spec"] for one in data["files"]] == ["gaussian_bias", "sinusoidal_encoding"] * 2
    for backend, status in (("torch", "proved"), ("triton", "validated")):
        files = [one for one in data["files"] if Path(one["path"]).parent.name == backend]
        assert {one["semantics"] for one in files} == {status}
        assert {row["status"] for one in files for row in one["results"]} == {status}


def test_the_generated_folder_holds_every_kernel_in_both_backends():
    names = [spec.name for spec in mt.specs()]
    assert [path.stem for path in kernels(GENERATED.parent)] == names * 2


def test_a_wrong_file_fails_with_its_line_and_the_difference(mope, tmp_path):
    path = tmp_path / "edited.py"
    path.write_text(TEXT.replace("-0.25 * (z * z)", "-0.5 * (z * z)"), encoding="utf-8")
    result = mope("check", path)
    line = TEXT.split("-0.25 * (z * z)")[0].count("\n") + 1
    assert result.code == 1
    assert result.err.startswith(f"{path}:{line}: forward: wrong: differs by -d**2/(4*sigma**2)")
    assert "see below" in result.out


def test_a_refused_file_fails(mope, tmp_path):
    path = tmp_path / "edited.py"
    path.write_text(TEXT.replace("import torch\n", "import torch\nimport os\n", 1), encoding="utf-8")
    line = TEXT.split("import torch\n")[0].count("\n") + 2
    result = mope("check", path)
    assert (result.code, result.err) == (1, f"{path}:{line}: refused: import os\n")


def test_bounds_and_what_was_observed_are_shown_and_held_against_the_certificate(mope, tmp_path):
    """One file with its certificate: made, checked, and changed in one field."""
    assert mope("generate", "alibi_bias", "--out", tmp_path).code == 0
    path = tmp_path / "alibi_bias.py"
    held = json.loads(certificate.path_of(path).read_text(encoding="ascii"))
    row = held["errors"]["forward"]["float32"]
    row["bound"] *= 2
    certificate.write({**held, "digest": certificate.digest(held)}, certificate.path_of(path))
    result = mope("check", path, "--json", tmp_path / "found.json")
    assert result.code == 1
    assert result.err.splitlines()[0].startswith(
        f"{path}: certificate: errors.forward.float32.bound: {row['bound']} is certified"
    )
    assert max(map(len, result.out.splitlines())) <= 80
    assert "float32   9.77e-04  9.77e-04  1.00" in result.out
    (found,) = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["files"]
    assert {(one["name"], one["dtype"]) for one in found["errors"]} == {
        (name, dtype) for name in ("forward", "d distance", "d slope") for dtype in ("float64", "float32", "bfloat16", "float16")
    }
    assert found["faults"]


def test_files_are_checked_side_by_side_with_one_result(mope, tmp_path):
    for name in ("alibi_bias", "gaussian_bias"):
        (tmp_path / f"{name}.py").write_bytes((GENERATED / f"{name}.py").read_bytes())
    one, two = (mope("check", tmp_path, "--proofs-only", "--jobs", jobs, "--json", "-") for jobs in ("1", "2"))
    assert (one.code, two.code) == (0, 0)
    found = [json.loads(result.out)["files"] for result in (one, two)]
    assert [[(file["path"], file["semantics"]) for file in files] for files in found] == 2 * [
        [(str(tmp_path / f"{name}.py"), "proved") for name in ("alibi_bias", "gaussian_bias")]
    ]


def test_provenance_fails_under_strict_alone(mope, tmp_path):
    path = tmp_path / "gaussian_bias.py"
    path.write_text(TEXT, encoding="utf-8")
    held = {
        "spec": "gaussian_bias",
        "source_sha256": hashlib.sha256(TEXT.encode()).hexdigest(),
        "formula_sha256": spec("gaussian_bias").digest,
    }
    certificate.write(held, certificate.path_of(path))
    assert "as certified" in mope("check", path, "--strict", "--proofs-only").out
    path.write_text(TEXT.replace("exp_1", "e_1") + "# a comment\n", encoding="utf-8")
    result = mope("check", path, "--proofs-only")
    assert result.code == 0
    assert "modified since" in " ".join(result.out.split())
    result = mope("check", path, "--strict", "--proofs-only")
    assert (result.code, result.err) == (1, f"{path}: modified since certified\n")


def test_a_header_of_another_formula_fails_under_strict(mope, tmp_path):
    path = tmp_path / "gaussian_bias.py"
    path.write_text(TEXT.replace(spec("gaussian_bias").digest, "0" * 64), encoding="utf-8")
    assert mope("check", path, "--proofs-only").code == 0
    result = mope("check", path, "--strict", "--proofs-only")
    assert (result.code, result.err) == (1, f"{path}: generated from another formula\n")


def test_a_file_that_names_no_specification_is_refused(mope, tmp_path):
    path = tmp_path / "other.py"
    path.write_text("x = 1\n", encoding="utf-8")
    assert mope("check", path).err == f"{path}:1: refused: no header that names a specification\n"
    path.write_text("# Specification  nothing\n", encoding="utf-8")
    assert "names nothing, which is no specification" in mope("check", tmp_path).err
    path.write_text("# Specification  rotary\n# Specification  alibi_bias\n", encoding="utf-8")
    assert mope("check", tmp_path).code == 1


def test_wrong_usage_is_one_line(mope, tmp_path):
    assert mope("check").code == 2
    result = mope("check", tmp_path / "nothing.py")
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    (tmp_path / "__init__.py").write_text('"""Nothing."""\n', encoding="utf-8")
    result = mope("check", tmp_path)
    assert (result.code, result.err) == (2, f"mope: no kernel in {tmp_path}\n")
    (tmp_path / "__init__.py").write_text("import os\n", encoding="utf-8")
    assert mope("check", tmp_path).code == 1
