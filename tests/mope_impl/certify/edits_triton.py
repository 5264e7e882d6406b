"""Edits of the generated Triton files: what changes the meaning, what keeps it, and what no file may hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mope_impl.certify import Semantics
from mope_impl.certify.triton.semantics import semantics
from mope_theory.specs import spec
from tests.mope_impl.certify.edits import Edit

GENERATED = Path(__file__).resolve().parents[3] / "mope_impl/generated/triton"


def found(edit: Edit) -> Semantics:
    return semantics(edit.apply(GENERATED), spec(edit.kernel))


BACK, HOST = "def _backward_kernel", "def _forward("
SI, RK, GA, AL, EG = "sinusoidal_encoding", "relative_kernel", "gaussian_bias", "alibi_bias", "energy_gate"
ME, MR, RO = "morlet_encoding", "morlet_rotary", "rotary"
R = "refused"
FLOOR = "tl.full((1, 1), 1e-08, tl.float64)"

MUTANTS = {
    # masks
    "no mask at a store": Edit(SI, "ty), mask=inside)", "ty))", R, "is written", 1),
    "a mask of one axis at a store": Edit(SI, "ty), mask=inside)", "ty), mask=in_t)", R, "is written", 1),
    "no mask at a load": Edit(SI, "positions + at_positions, mask=in_t, other=0", "positions + at_positions", R, "is read", 1),
    "the mask of another axis": Edit(SI, "omega + at_omega, mask=in_n", "omega + at_omega, mask=in_t", R, "fails", 1),
    "masks that are not joined": Edit(RK, "inside = in_t & in_n", "inside = in_t & in_t", R, "is written", 1),
    "a mask against the other size": Edit(SI, "in_n = at_n < size_n", "in_n = at_n < size_t", R, "is read", 1),
    "a mask too wide by one": Edit(SI, "in_t = at_t < size_t", "in_t = at_t <= size_t", R, "is read", 1),
    "other = 1 that reaches a sum": Edit(
        SI, "sum_omega = tl.where(inside, d_omega.to(tl.float64), 0.0)", "sum_omega = d_omega.to(tl.float64)", R, "masks off"
    ),
    "1 for 0 in a sum": Edit(SI, "d_omega.to(tl.float64), 0.0)", "d_omega.to(tl.float64), 1.0)", R, "different terms"),
    "a sum under the mask of one axis": Edit(SI, "tl.where(inside, d_omega.to", "tl.where(in_n, d_omega.to", R, "masks off"),
    # addresses
    "strides swapped": Edit(
        SI,
        "at_out = at_t * stride_out_t + at_n * stride_out_n",
        "at_out = at_t * stride_out_n + at_n * stride_out_t",
        R,
        "is written",
    ),
    "a stride for that of another tensor": Edit(
        RK, "at_omega = at_n * stride_omega_n", "at_omega = at_n * stride_sigma_n", R, "is read", 1
    ),
    "a stride forgotten": Edit(SI, "at_t * stride_positions_t", "at_t", R, "is read", 1),
    "the incoming gradient as if it were contiguous": Edit(
        SI, "at_t * stride_incoming_t + at_n * stride_incoming_n", "at_t * (size_n.to(tl.int64) * 2) + at_n * 2", R, "is read"
    ),
    "offsets of 32 bits": Edit(SI, "tl.program_id(0).to(tl.int64)", "tl.program_id(0)", R, "32 bits", 1),
    "rows multiplied in 32 bits": Edit(
        SI, "block_t * size_n + at_n", "(tl.arange(0, 1)[:, None] * size_n) + block_t * size_n + at_n", R, "32 bits"
    ),
    "a block further": Edit(SI, "block_t * ROWS + tl", "(block_t + 1) * ROWS + tl", R, "nothing has written", 1),
    "blocks that overlap": Edit(SI, "block_t * ROWS + tl", "block_t * 15 + tl", R, "twice", 1),
    "the size of the other block": Edit(SI, "block_n * COLUMNS + tl", "block_n * ROWS + tl", R, "twice", 1),
    "blocks of the other axis": Edit(SI, "program % blocks_n", "program % blocks_t", R, "", 1),
    "the other channel's stride forgotten": Edit(SI, "out + at_out + stride_out_c", "out + at_out", R, "twice"),
    "one channel read twice": Edit(MR, "x + at_x + stride_x_c", "x + at_x", "channel 0", "x_1", 1),
    "a size that is read beyond what is spread": Edit(
        RK, "*omega.expand(size_n).stride()", "*omega.stride()", R, "is read", 1, HOST
    ),
    # writes
    "written twice": Edit(
        RK,
        "    tl.store(out_1 + at_out_1,",
        "    tl.store(out_0 + at_out_0, channel_0, mask=inside)\n    tl.store(out_1 + at_out_1,",
        R,
        "twice",
        1,
    ),
    "not written": Edit(
        SI,
        "    tl.store(out + at_out + stride_out_c, channel_1.to(work).to(out.dtype.element_ty), mask=inside)\n",
        "",
        R,
        "nothing",
    ),
    "a grid that is one short": Edit(
        SI, "programs = blocks_t * blocks_n", "programs = blocks_t * blocks_n - 1", R, "nothing has", 1
    ),
    "blocks that are rounded down": Edit(SI, "triton.cdiv(size_t, ROWS)", "size_t // ROWS", R, "nothing has", 1),
    "a write to an input": Edit(SI, "tl.store(out + at_out,", "tl.store(omega + at_out,", R, "no new tensor", 1),
    "the loop over heads cut short": Edit(MR, "range(members", "range(1", R, "nothing has", 1),
    # sums
    "a sum over the wrong axis": Edit(SI, "tl.sum(sum_omega, axis=0", "tl.sum(sum_omega, axis=1", R, ""),
    "no sum within a block": Edit(SI, "tl.sum(sum_omega, axis=0, keep_dims=True)", "sum_omega", R, ""),
    "the buffer of another gradient": Edit(ME, "tl.store(gradient_sigma + block", "tl.store(gradient_center + block", R, ""),
    "buffers exchanged": Edit(
        RK,
        "_result(gradient_omega, omega, (1, omega.shape[0]), needs[1]),",
        "_result(gradient_sigma, omega, (1, omega.shape[0]), needs[1]),",
        "d omega",
        "",
    ),
    "no second stage": Edit(SI, "gradient.sum_to_size(shape).reshape(x.shape)", "gradient.reshape(x.shape)", R, "fails"),
    "partial sums one over the other": Edit(SI, "at_t * blocks_n + block_n", "at_t * blocks_n", R, "twice"),
    "partial sums rounded before they are added": Edit(
        SI, "size_n), dtype=torch.float64)", "size_n), dtype=torch.float16)", R, "rounded sums"
    ),
    "the last head alone": Edit(MR, "sum_omega += tl.where", "sum_omega = tl.where", "d omega", "other places"),
    "a sum twice": Edit(
        SI,
        "sum_positions, axis=1, keep_dims=True)",
        "sum_positions + sum_positions, axis=1, keep_dims=True)",
        "d positions",
        "",
        1,
    ),
    "atomics": Edit(SI, "tl.store(gradient_omega", "tl.atomic_add(gradient_omega", R, "tl.atomic_add"),
    # formulas
    "the sign of an exponent": Edit(RK, "tl.exp(-0.25", "tl.exp(0.25", "channel 0", "exp(", 1),
    "sigma squared for sigma": Edit(RK, "0.0, d) / safe_sigma", "0.0, d) / (safe_sigma * safe_sigma)", "channel 0", "sigma", 1),
    "exp2 for exp": Edit(RK, "tl.exp(", "tl.exp2(", "channel 0", "log(2)", 1),
    "cos and sin swapped": Edit(SI, "channel_0 = tl.sin(theta)", "channel_0 = tl.cos(theta)", "channel 0", "cos("),
    "a lower threshold": Edit(RK, "> 64.0", "> 40.0", "channel 0", "up to", 1),
    "no NaN for widths below 0": Edit(GA, 'tl.where(sigma_ > 0.0, sigma_, float("nan"))', "sigma_", "forward", "not NaN", 1),
    "a floor of 32 bits": Edit(
        EG,
        f"    z = (e - mu_e) / tl.where(sigma_e <= {FLOOR}, {FLOOR}, sigma_e)",
        "    floor = 1e-08\n    z = (e - mu_e) / tl.where(sigma_e <= floor, floor, sigma_e)",
        "forward",
        "",
        1,
    ),
    "inverse rotation": Edit(
        RO, "work_cos * x_0 - work_sin * x_1", "work_cos * x_0 + work_sin * x_1", "channel 0", "sin(b*omega)", 1
    ),
    "a gradient with a lost term": Edit(
        RK, "wide_grad_theta * omega_ + grad_z / safe_sigma", "wide_grad_theta * omega_", "d distance", "grad_0"
    ),
    "a sign that is lost": Edit(AL, "tl.where(d < 0.0, -1.0, 0.0)", "tl.where(d < 0.0, 1.0, 0.0)", "d distance", "m_h"),
    # host code
    "layouts exchanged": Edit(
        RO, 'if layout == "half" else', 'if layout == "interleaved" else', R, "masks off", 1, "def _chosen"
    ),
    "results in another order": Edit(RK, "return out_0.reshape(lead", "return out_1.reshape(lead", R, "returns something else"),
    "arguments in another order": Edit(
        SI, "_forward(positions, omega, dtype)", "_forward(omega, positions, dtype)", R, "", 1, "class "
    ),
    "an input let go that a gradient reads": Edit(
        RO, "x if needs[1] or needs[2] else", "x if needs[1] else", R, "nothing has written"
    ),
    "saved tensors permuted": Edit(SI, "save_for_backward(*inputs[:2])", "save_for_backward(inputs[1], inputs[0])", R, "is read"),
    "another needs_input_grad": Edit(
        SI, "NEEDS_POSITIONS=needs[0], NEEDS_OMEGA=needs[1]", "NEEDS_POSITIONS=needs[1], NEEDS_OMEGA=needs[0]", R, ""
    ),
    "the gradient of another class": Edit(
        SI,
        "_forward.register_autograd(_SinusoidalEncoding.backward, setup_context=_SinusoidalEncoding.setup_context)",
        "_forward.register_autograd(_SinusoidalEncodingGradients.backward)",
        R,
        "another class",
    ),
    "results announced in another dtype": Edit(
        SI, "omega.shape if needs[1] else 0)", "positions.shape if needs[1] else 0)", R, "announced"
    ),
    "the result in another dtype": Edit(MR, "return out.to(dtype)", "return out", R, "announced", 1),
    "a sum over spread heads forgotten": Edit(
        GA, "(1, sigma.shape[0], 1, 1), needs[1]", "(size_b, sigma.shape[0], 1, 1), needs[1]", R, "fails"
    ),
    "leading axes in another order": Edit(
        GA, "x.expand(lead + last).flatten(0, len(lead) - 1)", "x.expand(last + lead).flatten(0, 1)", R, "", 1
    ),
}

HARMLESS = {
    "an input kept that no gradient reads": Edit(RO, "x if needs[1] or needs[2] else x.new_empty(()).expand(x.shape)", "x"),
    "another name": Edit(SI, "theta", "phase"),
    "a commutative product": Edit(SI, "b * omega_", "omega_ * b  # the phase"),
    "another size of block": Edit(SI, "ROWS, COLUMNS = 16, 64", "ROWS, COLUMNS = 32, 64"),
    "lines in another order": Edit(
        SI,
        "    channel_0 = tl.sin(theta)\n    channel_1 = tl.cos(theta)\n",
        "    channel_1 = tl.cos(theta)\n    channel_0 = tl.sin(theta)\n",
    ),
    "a constant factored out": Edit(GA, "-0.25 * (z * z)", "-(0.5 * z) * (0.5 * z)"),
    "other values in lanes that are masked off": Edit(RK, "other=0", "other=7.5"),
    "a store that rounds by itself": Edit(SI, ".to(work).to(out.dtype.element_ty)", ""),
    "the sum before the sign": Edit(
        GA,
        "d_sigma = -(grad_z * z / positive_sigma)\n        sum_sigma = tl.where(inside, d_sigma.to(tl.float64), 0.0)",
        "d_sigma = grad_z * z / positive_sigma\n        sum_sigma = -tl.where(inside, d_sigma.to(tl.float64), 0.0)",
    ),
    "a factor of a sum": Edit(
        GA, "tl.sum(tl.sum(sum_sigma, axis=1), axis=0)", "-tl.sum(0.5 * tl.sum(-2.0 * sum_sigma, axis=1), axis=0)"
    ),
    "a higher threshold": Edit(RK, "64.0", "65.5"),
}

Planted = Callable[[str], str]


def line_in_kernel(line: str) -> Planted:
    """A statement put first into the forward kernel."""
    return lambda text: text.replace("    program = ", f"    {line}\n    program = ", 1)


def line_in_host(line: str) -> Planted:
    """A statement put first into the forward operator."""
    return lambda text: text.replace("    size_t, size_n = ", f"    {line}\n    size_t, size_n = ", 1)


def at_the_end(lines: str) -> Planted:
    return lambda text: f"{text}\n{lines}\n"


FORBIDDEN: dict[str, Planted] = {
    "import os": lambda text: text.replace("import triton\n", "import os\nimport triton\n", 1),
    "another triton": lambda text: text.replace("import triton\n", "import os as triton\n", 1),
    "libdevice": lambda text: text.replace("import torch\n", "import torch\nfrom triton.language.extra import libdevice\n", 1),
    "import within a kernel": line_in_kernel("import os"),
    "eval": line_in_host("eval('1')"),
    "open": line_in_host("open('PLANTED', 'w')"),
    "open in a kernel": line_in_kernel("open('PLANTED', 'w')"),
    "an operation in a branch that no run takes": line_in_host("if dtype is None:\n        open('PLANTED', 'w')"),
    "a statement outside": at_the_end("open('PLANTED', 'w')"),
    "a patch of triton.language": at_the_end("tl.cos = tl.sin"),
    "an unknown operation": lambda text: text.replace("tl.cos", "tl.erf", 1),
    "inline assembly": line_in_kernel('x = tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [], tl.int32, True, 1)'),
    "a device function": lambda text: text.replace(
        "@triton.jit\ndef _forward_kernel",
        "@triton.jit\ndef _phase(b, o):\n    return b * o\n\n\n@triton.jit\ndef _forward_kernel",
        1,
    ).replace("theta = b * omega_", "theta = _phase(b, omega_)", 1),
    "a kernel that is tuned": lambda text: text.replace("@triton.jit", "@triton.autotune([], [])\n@triton.jit", 1),
    "options of a kernel": lambda text: text.replace("@triton.jit", "@triton.jit(debug=True)", 1),
    "a loop until something": line_in_kernel("while True:\n        pass"),
    "a loop over something else": line_in_kernel("for x in (1, 2):\n        y = x"),
    "a branch on what is loaded": lambda text: text.replace(
        "\n    theta = ", "\n    if b > 0.0:\n        b = b\n    theta = ", 1
    ),
    "a mask that depends on data": lambda text: text.replace("ty), mask=inside)", "ty), mask=b > 0.0)", 1),
    "an address that depends on data": lambda text: text.replace("omega + at_omega", "omega + at_omega + b", 1),
    "a global of a kernel": lambda text: text.replace("block_t * ROWS", "block_t * SIZE", 1).replace(
        "ROWS, COLUMNS = 16", "SIZE, ROWS, COLUMNS = 16, 16", 1
    ),
    "an address that is loaded": lambda text: text.replace("\n    theta = b", "\n    theta = tl.load(tl.load(omega)) * b", 1),
    "an operation in place": line_in_host("omega.mul_(2.0)"),
    "a tensor made contiguous": lambda text: text.replace("*omega.expand(size_n)", "*omega.expand(size_n).contiguous()", 1),
    "memory that is filled": lambda text: text.replace(".new_empty(", ".new_zeros(", 1),
    "an operator that mutates": lambda text: text.replace("mutates_args=()", "mutates_args={'positions'}", 1),
    "an operator of another namespace": lambda text: text.replace('"mope::', '"aten::', 1),
    "an operator under a name that may be taken": lambda text: text.replace('_{_load}"', '_0"', 1),
    "an operator under the name of another": lambda text: text.replace("mope::sinusoidal_encoding_backward_", "mope::other_", 1),
    "a search that ends at a name in use": lambda text: text.replace("if not hasattr(", "if hasattr(", 1),
    "a search for other names": lambda text: text.replace('torch.ops.mope, f"', 'torch.ops.mope, f"x', 1),
    "another way to register": lambda text: text.replace("_operator = triton_op if", "_operator = custom_op if", 1),
    "an operator without a gradient": lambda text: text.replace(
        "\n_backward.register_autograd", "\n# _backward.register_autograd", 1
    ),
    "a second derivative": lambda text: text.replace(
        "        raise RuntimeError(", "        return ctx.saved_tensors\n        raise RuntimeError(", 1
    ),
    "a second definition": lambda text: text + text[text.index("def sinusoidal_encoding") :],
    "a constant bound to something else": line_in_host("ROWS = 8"),
    "a constant bound twice": at_the_end("ROWS, COLUMNS = 8, 64"),
    "a kernel that nothing launches": at_the_end("@triton.jit\ndef _other(x):\n    tl.store(x, 1.0)"),
    "a function that nothing calls": at_the_end("def other(x):\n    return x"),
    "a kernel bound to something else": line_in_host("_forward_kernel = dtype"),
    "an argument named tl": lambda text: text.replace("    positions, omega, out,\n", "    positions, tl, out,\n", 1),
    "a walrus": lambda text: text.replace("tl.cos(theta)", "tl.cos(phase := theta)", 1),
    "a lambda as a grid": lambda text: text.replace("[(programs,)]", "[lambda meta: (1,)]", 1),
    "a comprehension that filters": lambda text: text.replace(
        "in zip(found, needs, strict=True)", "in zip(found, needs, strict=True) if x", 1
    ),
    "a bare carriage return": line_in_kernel("# \r    x = open"),
    "a syntax error": at_the_end("def"),
}
