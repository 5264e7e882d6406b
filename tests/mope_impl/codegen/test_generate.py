"""The driver: the committed file is what the generator writes, on any machine, and it works alone."""
from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp
import torch

from mope_impl import codegen, generated
from mope_theory.spec import Input, KernelSpec, SpecError
from mope_theory.specs import spec, specs
from tests.mope_impl.codegen import toys

COMMITTED = Path(generated.__file__).parent
x = sp.Symbol("x", real=True)


@pytest.mark.parametrize("backend", sorted(codegen.BACKENDS))
@pytest.mark.parametrize("name", [one.name for one in specs()])
def test_the_committed_file_is_what_the_generator_writes(name, backend):
    committed = (COMMITTED / backend / f"{name}.py").read_bytes()
    assert committed == codegen.generate(spec(name), backend).encode()


@pytest.mark.parametrize("backend", sorted(codegen.BACKENDS))
def test_no_committed_file_is_without_a_specification(backend):
    files = {path.stem for path in (COMMITTED / backend).glob("*.py")} - {"__init__"}
    assert files == {one.name for one in specs()}


def test_the_bytes_do_not_depend_on_the_hash_seed():
    """SymPy's sets follow PYTHONHASHSEED; elsewhere the same source comes out in another order."""
    code = (
        "import sys; from mope_impl.codegen import generate; from mope_theory.specs import specs;"
        "from tests.mope_impl.codegen.toys import TOYS;"
        "sys.stdout.reconfigure(newline='\\n', encoding='utf-8');"
        "[print(generate(spec)) for spec in (*specs(), *TOYS)];"
        "[print(generate(spec, 'triton')) for spec in specs()]"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(texts) == 1
    text = texts.pop().decode()
    assert text.startswith(codegen.generate(specs()[0]))
    assert codegen.generate(specs()[0], "triton") in text


def test_literals_are_shortest_round_trip_and_not_cut():
    """Cut to nine digits, a float64 kernel has a floor of 1e-10."""
    text = codegen.generate(toys.SCALED)
    for value in (2**0.5, 1.772453850905516, 9.210340371976184, 1.522997974471263e-08):
        assert repr(value) in text


def test_one_file_alone_in_an_empty_folder_works(tmp_path):
    """Copied by itself into another code base, with nothing of this project importable."""
    codegen.write(spec("morlet_encoding"), "torch", tmp_path)
    code = (
        "import sys, math, torch\n"
        "from morlet_encoding import morlet_encoding\n"
        "assert not any(name.startswith(('mope', 'sympy')) for name in sys.modules)\n"
        "w = torch.tensor([0.5], requires_grad=True)\n"
        "out = morlet_encoding(torch.tensor([3]), w, torch.tensor([2.0]))\n"
        "g = math.exp(-9 / 8)\n"
        "assert abs(out[0, 0].item() - g * math.cos(1.5)) < 2**-24\n"
        "assert abs(out[0, 1].item() - g * math.sin(1.5)) < 2**-24\n"
        "out[0, 1].backward()\n"
        "assert abs(w.grad.item() - 3 * g * math.cos(1.5)) < 2**-22\n"
        "print('right')\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{code}"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "right\n", done.stderr


@pytest.mark.parametrize("name", ["beta", "gamma", "N", "S", "E", "I", "zeta", "sin", "exp", "sum_1", "cos_1", "x_"])
def test_any_identifier_works_as_a_name(name):
    """beta, gamma, N, S and E are read as functions by sympify; sum_1 and cos_1 could clash with temporaries."""
    symbol = sp.Symbol(name, real=True)
    toy = KernelSpec("toy", "A toy", "none", (Input(name, symbol, "t"), Input("other", x, "t")),
                     (sp.cos(symbol) * symbol + sp.cos(symbol) * x,), "t")  # fmt: skip
    value = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    out = toys.kernel(toy)(value, torch.ones(2))
    noise = 2 * 6 * 4 * 2.0**-53  # two sides, at most six roundings each, of quantities below 4
    assert torch.allclose(out, torch.cos(value) * (value + 1), rtol=0, atol=noise)
    (gradient,) = torch.autograd.grad(out.sum(), value)
    assert torch.allclose(gradient, torch.cos(value) - torch.sin(value) * (value + 1), rtol=0, atol=noise)


@pytest.mark.parametrize("name", ["torch", "ctx", "dtype", "grad", "float", "tuple", "isinstance", "ValueError"])
def test_a_name_that_the_file_uses_itself_is_refused(name):
    for one in (Input(name, x, "t"), Input("x", sp.Symbol(name, real=True), "t")):
        with pytest.raises(SpecError, match="names that the generated file uses"):
            codegen.generate(KernelSpec("toy", "A toy", "none", (one,), (one.symbol,), "t"))


def test_an_unknown_backend_is_refused():
    with pytest.raises(KeyError, match="no backend 'cuda'; known: torch, triton"):
        codegen.generate(specs()[0], "cuda")


def test_write_makes_the_folder_and_replaces_the_file_whole(tmp_path):
    folder = tmp_path / "new" / "folder"
    path = codegen.write(toys.PAIR, "torch", folder)
    assert path == folder / "pair.py"
    path.write_text("older")
    assert codegen.write(toys.PAIR, "torch", folder) == path
    assert path.read_bytes() == codegen.generate(toys.PAIR).encode()
    assert [file.name for file in folder.iterdir()] == ["pair.py"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = codegen.write(toys.PAIR, "torch", tmp_path)
    before = path.read_bytes()
    with pytest.raises(SpecError):
        codegen.write(replace(toys.PAIR, channels=(sp.erfc(toys.x), toys.x)), "torch", tmp_path)

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        codegen.write(replace(toys.PAIR, title="Another"), "torch", tmp_path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["pair.py"]


def test_the_header_says_what_the_file_is():
    one = spec("morlet_encoding")
    header = codegen.generate(one).partition("from __future__")[0]
    for part in (one.title, one.name, one.claim, one.digest, "re(psi(b, omega, sigma, b_0))", "|z| > 40",
                 "mope generate morlet_encoding --backend torch", "2**-53"):  # fmt: skip
        assert part in header
    assert all(line.startswith("#") for line in header.splitlines())


def test_the_file_says_for_which_inputs_it_is_made_and_what_is_cut_off():
    one = spec("morlet_encoding")
    text = " ".join(codegen.generate(one).replace("#", " ").split())
    assert "gradient summands up to the powers of those inputs that they are divided by" in text
    for name, limit in (("positions", 2**53), ("omega", 8192), ("center", 2**53)):
        assert one.input(name).domain == sp.Interval(-limit, limit)
    said_of_checks = "It checks dtypes and no more: whatever shapes broadcast are taken", "validated by mope_impl/functional"
    for said in ("|b| <= 2**53", "|omega| <= 8192", "(0, inf]", "|b_0| <= 2**53", *said_of_checks):
        assert said in text
