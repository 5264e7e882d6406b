"""What Triton's compiler makes of the kernels: it needs no GPU, and shows what the interpreter cannot.

Addresses are of 64 bits, nothing is added up in memory by atomics, 16 bits are rounded to nearest, and no fast form of a function
is used. And a tracer for torch.compile finds the kernels, and that they write their results alone.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from mope_impl.generated import triton as folder

from .harness import source

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[4]
COMMITTED = [path for path in sorted(Path(folder.__file__).parent.glob("*.py")) if path.name != "__init__.py"]
FAST = ("ex2.approx", "sin.approx", "cos.approx", "div.full", "div.approx", "sqrt.approx", "rcp.approx.ftz.f32")
ENVIRONMENT = {**os.environ, "TRITON_INTERPRET": "0", "PYTHONPATH": str(ROOT)}


def compiled(paths: list[Path], architecture: int = 90) -> list[dict[str, Any]]:
    """The facts of every kernel of some files."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, str(HERE / "compiled.py"), str(architecture), *map(str, paths)],
            env={**ENVIRONMENT, "TRITON_CACHE_DIR": cache}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    kernels = [json.loads(line) for line in done.stdout.splitlines()]
    names = ["_forward_kernel", "_backward_kernel"]
    assert [(one["file"], one["kernel"]) for one in kernels] == [(str(path), name) for path in paths for name in names]
    return kernels


def faults(facts: dict[str, Any]) -> list[str]:
    """What is wrong with one kernel."""
    found = [] if facts["products"] == ["i64"] else ["a product of indices or strides of 32 bits"]
    instructions = facts["instructions"]
    found += [f"{one}: sums in an order that changes" for one in instructions if one.startswith(("atom", "red."))]
    found += [f"{one}: a fast form" for one in instructions if one.startswith(FAST)]
    return found + [f"{one}: not to nearest" for one in instructions if one.startswith(("cvt.rz.f", "cvt.rz.bf"))]


def test_every_kernel_compiles_to_what_it_says():
    for one in compiled(COMMITTED):
        assert faults(one) == [], one["file"]
        assert one["cubin"] > 0
        if one["kernel"] == "_forward_kernel":
            assert "cvt.rn.bf16.f32" in one["instructions"]


def test_another_generation_of_gpus():
    assert all(faults(one) == [] for one in compiled([path for path in COMMITTED if path.stem == "gaussian_bias"], 80))


FAULTS = {
    "of 32 bits": ("program = tl.program_id(0).to(tl.int64)", "program = tl.program_id(0)"),
    "order that changes": ("tl.store(gradient_sigma +", "tl.atomic_add(gradient_sigma +"),
    "fast form": ("z = d / positive_sigma", "z = (d.to(tl.float32) / positive_sigma.to(tl.float32)).to(tl.float64)"),
}


def test_planted_faults_are_caught(tmp_path):
    text, paths = source("gaussian_bias"), []
    for number, (old, new) in enumerate(FAULTS.values()):
        assert old in text
        paths.append(tmp_path / f"fault_{number}.py")
        paths[-1].write_text(text.replace(old, new).replace("gaussian_bias_", f"gaussian_bias_{number}"), encoding="utf-8")
    kernels = compiled(paths)
    for path, message in zip(paths, FAULTS, strict=True):
        assert any(message in fault for one in kernels if one["file"] == str(path) for fault in faults(one))


TRACED = """
import sys, warnings
warnings.simplefilter("ignore")
import torch, triton
from torch._functorch.aot_autograd import aot_export_module
from torch._subclasses.fake_tensor import FakeTensorMode
from triton.backends.compiler import GPUTarget
from mope_impl.generated.triton.morlet_rotary import _operator, morlet_rotary

class Driver:
    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

triton.runtime.driver.set_active(Driver())
assert _operator is torch.library.triton_op

class Model(torch.nn.Module):
    def forward(self, x, positions, omega, sigma):
        return (morlet_rotary(x, positions, omega, sigma).sum(),)

with FakeTensorMode(allow_non_fake_inputs=True):
    given = [torch.empty(2, 2, 5, 8), torch.empty(5), torch.empty(4), torch.empty(4)]
    given = [one.requires_grad_(k != 1) for k, one in enumerate(given)]
    graph, _ = aot_export_module(Model(), given, trace_joint=True, output_loss_index=0)
kernels = [node for node in graph.graph.nodes if "triton_kernel_wrapper" in str(node.target)]
print([sorted(node.kwargs["tensors_to_clone"]) for node in kernels])
"""


def test_a_tracer_sees_both_kernels_and_what_they_write():
    """With a driver that stands for an H200, as no GPU is asked to run anything."""
    done = subprocess.run([sys.executable, "-c", TRACED], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    written = ["gradient_omega", "gradient_sigma", "gradient_x"]
    assert done.stdout.splitlines()[-1] == str([["out"], written])
