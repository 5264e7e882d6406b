"""Run by a process of its own, without the interpreter: what Triton's compiler makes of the kernels, no GPU needed.

    python compiled.py ARCHITECTURE FILE [FILE …]

For each kernel of each generated file it prints one JSON line: the file, the kernel, the integer widths of its addresses and
products, and the instructions of its PTX.
"""
from __future__ import annotations

import importlib.util
import json
import re
import sys
import warnings
from typing import Any

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

INTEGERS = re.compile(r"stride_|size_|blocks_|groups$|members$")


def pointer(name: str) -> str:
    """The element type of an argument in a training step: bfloat16 data, float32 parameters, int64 positions."""
    if name in ("positions", "distance"):
        return "*i64"
    if name.startswith("gradient_") and name != "gradient_x":
        return "*fp64"
    data = name in ("x", "gradient_x") or name.startswith(("out", "incoming"))
    return "*bf16" if data else "*fp32"


def compiled(kernel: Any, architecture: int) -> Any:
    """A kernel for all gradients, compiled for an NVIDIA GPU of that compute capability."""
    constants = {"WIDE": False, "ROWS": 16, "COLUMNS": 64}
    signature, values = {}, {}
    for place, name in enumerate(kernel.arg_names):
        if name.isupper():
            signature[name], values[(place,)] = "constexpr", constants.get(name, True)
        else:
            signature[name] = "i32" if INTEGERS.match(name) else pointer(name)
    source = ASTSource(fn=kernel, signature=signature, constexprs=values)
    return triton.compile(source, target=GPUTarget("cuda", architecture, 32))


def facts(kernel: Any, architecture: int) -> dict[str, Any]:
    """What the tests look at."""
    texts = compiled(kernel, architecture).asm
    ttir, ptx = texts["ttir"], texts["ptx"]
    instructions = sorted(set(re.findall(r"^\s*(?:@%p\d+ )?([a-z]+[a-z0-9_.:]*)\s", ptx, re.MULTILINE)))
    return {
        "kernel": kernel.__name__,
        "cubin": len(texts["cubin"]),
        "addresses": sorted(set(re.findall(r"tt\.addptr .*, (?:tensor<[^>]*x)?(i\d+)>?(?: loc|$|\s)", ttir))),
        "products": sorted(set(re.findall(r"arith\.muli .* : (?:tensor<[^>]*x)?(i\d+)", ttir))),
        "instructions": instructions,
    }


def main(architecture: str, *paths: str) -> None:
    warnings.simplefilter("ignore")
    for number, path in enumerate(paths):
        spec = importlib.util.spec_from_file_location(f"kernels_{number}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for kernel in (module._forward_kernel, module._backward_kernel):
            sys.stdout.write(json.dumps({"file": path, **facts(kernel, int(architecture))}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
