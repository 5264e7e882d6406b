"""Which package may import what: the arrows between the parts go one way, and the symbols never touch torch."""
from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

ALLOWED: dict[str, set[str]] = {
    # The longest name that begins a module's own decides. Each part may import the standard library and itself too.
    "mope_theory": {"sympy", "mpmath", "flint", "numpy"},
    "mope_impl": set(),
    "mope_impl.codegen": {"sympy", "mope_theory"},
    "mope_impl.generated": {"torch"},
    "mope_impl.generated.triton": {"torch", "triton"},
    "mope_impl.functional": {"torch", "mope_impl.generated", "mope_impl.generated.triton"},
    "mope_impl.nn": {"torch", "mope_impl.functional"},
    "mope_impl.training": {
        "torch", "numpy", "safetensors", "tokenizers", "pydantic", "matplotlib", "mope_impl.functional", "mope_impl.nn",
    },
    "mope_impl.results": {"sympy", "numpy", "scipy", "matplotlib", "mope_theory"},
    "mope_impl.experiments": {
        "torch", "numpy", "ray", "mope_theory", "mope_impl.nn", "mope_impl.training", "mope_impl.results",
    },
    "mope_impl.integrations": {"torch", "transformers", "mope_impl.functional", "mope_impl.nn"},
    "mope_impl.bench": {
        "torch", "numpy", "rotary_embedding_torch", "transformers", "x_transformers", "liger_kernel", "flash_attn",
        "mope_impl.bench.statistics", "mope_impl.functional", "mope_impl.nn",
    },
    "mope_impl.bench.statistics": set(),
    "mope_impl.certify": {"sympy", "flint", "numpy", "mope_theory"},
    "mope_impl.certify.sampling": {"torch", "numpy", "sympy", "mope_impl.certify"},
    "mope_impl.formal": {"sympy", "mope_theory"},
    "mope_impl.agreement": {"torch", "sympy", "mope_theory", "mope_impl.functional", "mope_impl.nn"},
    "mope_impl.ledger": {
        "sympy", "mope_theory", "mope_impl.certify", "mope_impl.results", "mope_impl.formal", "mope_impl.agreement",
    },
    "mope_impl.book": {
        "sympy", "numpy", "pygraphviz", "matplotlib", "plotly", "IPython", "mope_theory", "mope_impl.ledger",
        "mope_impl.results", "mope_impl.formal", "mope_impl.bench.statistics",
    },
    "mope_impl.cli": {
        "typer", "rich", "sympy", "mope_theory", "mope_impl.codegen", "mope_impl.certify", "mope_impl.certify.sampling",
        "mope_impl.functional", "mope_impl.nn",
        "mope_impl.ledger", "mope_impl.book", "mope_impl.training", "mope_impl.results", "mope_impl.experiments",
        "mope_impl.bench", "mope_impl.formal",
    },
}  # fmt: skip


def part_of(module: str) -> str | None:
    """The row of the table that a module falls under; ``mope_impl`` alone stands for its own ``__init__`` only."""
    names = module.split(".")
    for length in range(len(names), 0, -1):
        name = ".".join(names[:length])
        if name in ALLOWED and (name != "mope_impl" or module == "mope_impl"):
            return name
    return None


def module_name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path, root: Path) -> Iterator[str]:
    """Absolute names of all that a file imports, at any depth, relative and by-name imports included."""
    package = list(path.relative_to(root).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=name, level=level, names=names):
                base = [*package[: len(package) - level + 1]] if level else []
                yield from (".".join([*base, *([name] if name else []), alias.name]) for alias in names)
            case ast.Call(func=ast.Name(id="__import__") | ast.Attribute(attr="import_module"), args=[first, *_]):
                yield first.value if isinstance(first, ast.Constant) else "<a name computed at run time>"


def faults(root: Path) -> list[str]:
    """Every import below ``root`` that the table does not allow."""
    found = []
    for top in ("mope_theory", "mope_impl"):
        for path in sorted((root / top).rglob("*.py")):
            module = module_name(path, root)
            part = part_of(module)
            if part is None:
                found.append(f"{module} falls under no row of the table")
                continue
            for name in imported(path, root):
                outer = name.partition(".")[0]
                target = part_of(name) if outer in ("mope_theory", "mope_impl") else outer
                if target != part and target not in ALLOWED[part] and outer not in sys.stdlib_module_names:
                    found.append(f"{module} imports {name}, which {part} may not")
    return found


def test_every_import_is_allowed():
    assert faults(ROOT) == []


def test_the_arrows_go_one_way():
    graph = {part: {target for target in allowed if target in ALLOWED} for part, allowed in ALLOWED.items()}
    order = list(TopologicalSorter(graph).static_order())
    assert set(order) == set(ALLOWED)


def test_each_part_of_the_table_exists():
    paths = [path for top in ("mope_theory", "mope_impl") for path in (ROOT / top).rglob("*.py")]
    assert {part_of(module_name(path, ROOT)) for path in paths} == set(ALLOWED)


@pytest.mark.parametrize(
    "place, line",
    [
        ("mope_theory/fault.py", "import torch"),
        ("mope_theory/fault.py", "from torch import nn"),
        ("mope_theory/claims/fault.py", "def f():\n    import torch.nn as nn"),
        ("mope_theory/fault.py", "__import__('torch')"),
        ("mope_theory/fault.py", "import importlib\nimportlib.import_module('torch')"),
        ("mope_theory/fault.py", "import importlib\nimportlib.import_module('tor' + 'ch')"),
        ("mope_theory/fault.py", "import mope_impl.ledger"),
        ("mope_impl/codegen/fault.py", "import torch"),
        ("mope_impl/codegen/fault.py", "from ..generated import torch"),
        ("mope_impl/generated/torch/fault.py", "from mope_theory import claims"),
        ("mope_impl/generated/torch/fault.py", "from ... import functional"),
        ("mope_impl/nn/fault.py", "import sympy"),
        ("mope_impl/nn/fault.py", "from mope_impl.generated.torch import morlet_encoding"),
        ("mope_impl/functional/fault.py", "from .. import nn"),
        ("mope_impl/integrations/fault.py", "from mope_impl.generated.torch import rotary"),
        ("mope_impl/nn/fault.py", "import transformers"),
        ("mope_impl/certify/fault.py", "import torch"),
        ("mope_impl/certify/fault.py", "from mope_impl.codegen import ir"),
        ("mope_impl/certify/fault.py", "from ..generated.torch import rotary"),
        ("mope_impl/ledger/fault.py", "from mope_impl import codegen"),
        ("mope_impl/ledger/fault.py", "from mope_impl.cli import main"),
        ("mope_impl/unknown/fault.py", "import math"),
    ],
)
def test_a_planted_import_is_caught(tmp_path, place, line):
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(line, encoding="utf-8")
    assert len(faults(tmp_path)) == 1


def test_an_allowed_import_is_let_through(tmp_path):
    path = tmp_path / "mope_impl/nn/fine.py"
    path.parent.mkdir(parents=True)
    path.write_text("import math\nimport torch\nfrom torch import nn\nfrom .. import functional as F\nfrom .x import y")
    assert faults(tmp_path) == []


@pytest.mark.parametrize("backend, needed", [("torch", {"torch"}), ("triton", {"torch", "triton"})])
def test_a_generated_kernel_imports_what_it_says_and_nothing_else(backend, needed):
    kernels = [path for path in (ROOT / "mope_impl/generated" / backend).glob("*.py") if path.name != "__init__.py"]
    assert kernels
    for path in kernels:
        assert {name.partition(".")[0] for name in imported(path, ROOT)} - set(sys.stdlib_module_names) == needed


@pytest.mark.parametrize("module", ["mope_theory", "mope_impl.cli", "mope_impl.ledger", "mope_impl.codegen", "mope_impl.certify"])
def test_torch_is_not_loaded(module):
    code = f"import {module}, sys; assert 'torch' not in sys.modules, 'torch was loaded'"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
