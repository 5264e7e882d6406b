"""Edits of the generated files: what changes the meaning, what keeps it, and what no file may hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mope_impl.certify import Semantics, semantics
from mope_theory.specs import spec

GENERATED = Path(__file__).resolve().parents[3] / "mope_impl/generated/torch"


class Edit(NamedTuple):
    """Text put for another, in all places or in the first ones; ``after`` is where to begin."""

    kernel: str
    old: str
    new: str
    where: str = ""
    """The finding that must fail; "refused" for a refusal."""
    says: str = ""
    """What the message must hold."""
    count: int = -1
    after: str = ""

    def apply(self, folder: Path = GENERATED) -> bytes:
        text = (folder / f"{self.kernel}.py").read_text(encoding="utf-8")
        start = text.index(self.after)
        assert self.old in text[start:], f"{self.kernel} holds no {self.old!r}"
        return (text[:start] + text[start:].replace(self.old, self.new, self.count)).encode()


def found(edit: Edit) -> Semantics:
    return semantics(edit.apply(), spec(edit.kernel))


BACK = "def backward"
ME, MR, RK, RO, XP = "morlet_encoding", "morlet_rotary", "relative_kernel", "rotary", "xpos_rotary"
AL, GA, EG, SI = "alibi_bias", "gaussian_bias", "energy_gate", "sinusoidal_encoding"

MUTANTS = {
    "sign of the exponent": Edit(ME, "torch.exp(-0.5 *", "torch.exp(0.5 *", "channel 0", "exp(", 1),
    "factor 1 for 1/2": Edit(ME, "-0.5 * (z * z)", "-1.0 * (z * z)", "channel 0", "exp(", 1),
    "z for z**2 in the exponent": Edit(ME, "-0.5 * (z * z)", "-0.5 * z", "channel 0", "exp(", 1),
    "cube for square": Edit(GA, "-0.25 * (z * z)", "-0.25 * (z * z * z)", "forward", "d**2"),
    "sigma**2 for sigma": Edit(RK, "0.0, d) / safe_sigma", "0.0, d) / (safe_sigma * safe_sigma)", "channel 0", "sigma", 1),
    "sum for difference": Edit(ME, "z_numerator = b - b_0", "z_numerator = b + b_0", "channel 0", "b_0", 1),
    "exp2 for exp": Edit(ME, "torch.exp(", "torch.exp2(", "channel 0", "log(2)", 1),
    "cos and sin swapped": Edit(ME, "(channel_0, channel_1)", "(channel_1, channel_0)", "channel 0", "sin(b*omega)"),
    "cos for sin": Edit(SI, "torch.sin(theta)", "torch.cos(theta)", "channel 0", "cos(b*omega)", 1),
    "lower threshold": Edit(ME, "> 40.0", "> 30.0", "channel 0", "up to", 1),
    "threshold low for the gradient": Edit(MR, "> 56.0", "> 38.0", "d omega", "up to", 1, BACK),
    "guard reversed": Edit(RK, ") > 64.0", ") < 64.0", "channel 0", "differs by", 1),
    "lost where": Edit(
        ME, "torch.where(beyond_z, 0.0, exp_1 * torch.cos(theta))", "exp_1 * torch.cos(theta)", "channel 0", "differs by"
    ),
    "where with its branches swapped": Edit(
        ME,
        "torch.where(beyond_z, 0.0, exp_1 * torch.cos(theta))",
        "torch.where(beyond_z, exp_1 * torch.cos(theta), 0.0)",
        "channel 0",
        "differs by",
    ),
    "NaN for positive widths": Edit(GA, "sigma_ > 0.0, sigma_,", "sigma_ <= 0.0, sigma_,", "forward", "NaN", 1),
    "no NaN for widths below 0": Edit(GA, 'torch.where(sigma_ > 0.0, sigma_, float("nan"))', "sigma_", "forward", "not NaN", 1),
    "no NaN for a width of 0": Edit(GA, "sigma_ > 0.0", "sigma_ >= 0.0", "forward", "", 1),
    "interleaved for half": Edit(
        RO,
        'if layout == "half":\n            return',
        'if layout == "interleaved":\n            return',
        "channel 0",
        "axes",
    ),
    "halves swapped": Edit(RO, "x.chunk(2, -1)[0]", "x.chunk(2, -1)[1]", "channel 0", "x_1", 1),
    "stride begins at the other channel": Edit(RO, "x[..., 0::2]", "x[..., 1::2]", "channel 0", "x_1", 1),
    "inverse rotation": Edit(RO, "cos_1 * x_0 - sin_1 * x_1", "cos_1 * x_0 + sin_1 * x_1", "channel 0", "sin(b*omega)", 1),
    "adjoint that is not transposed": Edit(
        RO, "cos_1 * grad_0 + sin_1 * grad_1", "cos_1 * grad_0 - sin_1 * grad_1", "d x", "grad_1*sin(b*omega)"
    ),
    "gradient of the other channel": Edit(ME, "grad[..., 0::2]", "grad[..., 1::2]", "d omega", "grad_0"),
    "gradient with a lost term": Edit(
        MR, "grad_theta * omega_ + grad_z / safe_sigma", "grad_theta * omega_", "d positions", "grad_0"
    ),
    "gradient with a wrong sign": Edit(GA, "d_sigma = -(grad_z", "d_sigma = (grad_z", "d sigma", "grad_0"),
    "gradient with 1/sigma forgotten": Edit(RK, "-(grad_z * z / safe_sigma)", "-(grad_z * z)", "d sigma", "grad_0"),
    "gradient of another input": Edit(XP, "d_rate = grad_w * b", "d_rate = grad_w * kappa", "d rate", "kappa"),
    "sum over the wrong axis": Edit(MR, "d_omega.sum(-2)", "d_omega.sum(-1)", "refused", "meets|sum_to_size"),
    "sum over another axis": Edit(AL, "d_slope.sum((-1, -2))", "d_slope.sum((-1, -3))", "refused", "sum_to_size"),
    "no sum over heads": Edit(RO, "d_positions.sum((-1, -3))", "d_positions.sum(-1)", "refused", "sum_to_size"),
    "no sum_to_size": Edit(GA, ".sum_to_size(sigma.shape)", "", "d sigma", "axes"),
    "square of a sum for a sum of squares": Edit(
        GA,
        "d_sigma.sum((-1, -2)).sum_to_size(sigma.shape)",
        "(grad_0.sum((-1, -2)).sum_to_size(sigma.shape) * d_sigma.sum((-1, -2)).sum_to_size(sigma.shape))",
        "d sigma",
        "sum over",
    ),
    "a sum of products for a product of sums": Edit(
        GA,
        "d_sigma.sum((-1, -2)).sum_to_size(sigma.shape)",
        "(d_sigma.sum((-1, -2)).sum_to_size(sigma.shape) * (z * 0.0 + 1.0).sum((-1, -2)).sum_to_size(sigma.shape))",
        "d sigma",
        "sum over",
    ),
    "another needs_input_grad": Edit(AL, "if ctx.needs_input_grad[1]:", "if ctx.needs_input_grad[0]:", "d slope", "no gradient"),
    "a shared term for too few": Edit(
        XP, "if ctx.needs_input_grad[1] or ctx.needs_input_grad[3]:", "if ctx.needs_input_grad[1]:", "refused", "grad_w"
    ),
    "an input let go that a gradient reads": Edit(
        RO, "x if needs[1] or needs[2] else", "x if needs[1] else", "d omega", "nothing has written"
    ),
    "results in another order": Edit(ME, "results[2] =", "results[1] =", "d sigma", "no gradient"),
    "saved tensors permuted": Edit(
        ME, "positions, omega, sigma, center = ctx", "positions, sigma, omega, center = ctx", "d positions", "NaN"
    ),
    "arguments of apply permuted": Edit(
        ME, "apply(positions, omega, sigma", "apply(positions, sigma, omega", "channel 0", "omega"
    ),
    "cast before a product of integers": Edit(
        RK, "d = distance.to(torch.float64)", "d = (distance * distance).to(torch.float64)", "refused", "int64", 1
    ),
    "square before the cast": Edit(
        RK, "omega_ = omega.to(torch.float64)", "omega_ = (omega * omega).to(torch.float64)", "channel 0", "omega**2", 1
    ),
    "another dtype of the result": Edit(ME, ".to(dtype, copy=True)", ".to(torch.float32)", "channel 0", "dtype float32"),
    "another dtype of a gradient": Edit(ME, ".to(sigma.dtype)", ".to(omega.dtype)", "d sigma", "dtype"),
    "another default": Edit(ME, "torch.full_like(omega, 0.0)", "torch.full_like(omega, 1.0)", "channel 0", "b"),
    "strict for slack at a tie": Edit(EG, "(sigma_e > 1e-08)", "(sigma_e < 1e-08)", "d deviation", "sigma_e"),
    "another floor": Edit(EG, "sigma_e <= 1e-08, 1e-08", "sigma_e <= 1e-07, 1e-07", "forward", "sigma_e", 1),
    "sigmoid of the wrong sign": Edit(
        EG, "torch.sigmoid((z - tau) * alpha)", "torch.sigmoid((tau - z) * alpha)", "forward", "exp("
    ),
    "a sign that is lost": Edit(AL, "torch.sign(d) * grad_0", "grad_0", "d distance", "m_h"),
    "a growth that decays": Edit(XP, "torch.exp(w)", "torch.exp(-w)", "channel 0", "kappa", 1),
}

HARMLESS = {
    "a comment, a rename": Edit(ME, "exp_1", "envelope"),
    "a commutative product": Edit(ME, "b * omega_", "omega_ * b  # the phase"),
    "a statement split in two": Edit(
        RK, "exp_1 = torch.exp(-0.25 * (z * z))", "e = -0.25 * (z * z)\n        exp_1 = torch.exp(e)"
    ),
    "a constant factored out": Edit(RK, "-0.25 * (z * z)", "-(0.5 * z) * (0.5 * z)"),
    "a quotient for a product": Edit(GA, "-0.25 * (z * z)", "-(z ** 2) / 4.0"),
    "an input kept that no gradient reads": Edit(RO, "x if needs[1] or needs[2] else x.new_empty(()).expand(x.shape)", "x"),
    "square": Edit(ME, "(z * z)", "torch.square(z)"),
    "the sum before the factor": Edit(
        AL,
        "-(torch.abs(d) * grad_0)\n            results[1] = d_slope",
        "torch.abs(d) * grad_0\n            results[1] = -d_slope",
    ),
    "new axes by an index": Edit(SI, "positions.to(torch.float64).unsqueeze(-1)", "positions.to(torch.float64)[..., None]"),
    "a higher threshold": Edit(ME, "40.0", "41.5"),
    "the envelope of differences": Edit(ME, "exp_1 = torch.exp(-0.5 * (z * z))", "exp_1 = torch.exp(-(z * z) / 2)"),
    "an inlined name": Edit(
        RO, "theta = b * omega_\n        cos_1 = torch.cos(theta)", "cos_1 = torch.cos(b * omega_)\n        theta = omega_ * b"
    ),
}

Planted = Callable[[str], str]


def line_in_forward(line: str) -> Planted:
    """A statement put first into the forward pass."""
    return lambda text: text.replace("        b = positions", f"        {line}\n        b = positions", 1)


def at_the_end(lines: str) -> Planted:
    return lambda text: f"{text}\n{lines}\n"


FORBIDDEN: dict[str, Planted] = {
    "import os": lambda text: text.replace("import torch\n", "import torch\nimport os\n", 1),
    "import of a name": lambda text: text.replace("import torch\n", "import torch\nfrom os import system\n", 1),
    "import numpy": lambda text: text.replace("import torch\n", "import torch\nimport numpy\n", 1),
    "relative import": lambda text: text.replace("import torch\n", "import torch\nfrom . import rotary\n", 1),
    "star import": lambda text: text.replace("from torch import Tensor", "from torch import *", 1),
    "import under another name": lambda text: text.replace("import torch\n", "import os as torch\n", 1),
    "import within a function": line_in_forward("import os"),
    "eval": line_in_forward("eval('1')"),
    "exec": line_in_forward("exec('1')"),
    "open": line_in_forward("open('PLANTED', 'w')"),
    "getattr": line_in_forward("getattr(torch, 'cos')"),
    "__class__": line_in_forward("x = positions.__class__"),
    "__import__": line_in_forward("x = __import__"),
    "__builtins__": line_in_forward("x = __builtins__"),
    "an unknown operation": lambda text: text.replace("torch.cos", "torch.sinc", 1),
    "an operation in a branch that no run takes": lambda text: text.replace(
        "    if dtype is None:",
        "    if not torch.float64.is_floating_point:\n        open('PLANTED', 'w')\n    if dtype is None:",
        1,
    ),
    "an operation in place": lambda text: text.replace("b * omega_", "b.mul_(omega_)", 1),
    "an assignment in place": line_in_forward("positions[..., 0] = 1.0"),
    "an augmented assignment": line_in_forward("positions *= 2.0"),
    "out=": lambda text: text.replace("torch.cos(theta)", "torch.cos(theta, out=theta)", 1),
    "global": line_in_forward("global b"),
    "lambda": line_in_forward("f = lambda x: x"),
    "comprehension": line_in_forward("f = [x for x in (1, 2)]"),
    "while": line_in_forward("while True:\n            pass"),
    "for": line_in_forward("for x in (1, 2):\n            pass"),
    "with": line_in_forward("with torch:\n            pass"),
    "try": line_in_forward("try:\n            pass\n        finally:\n            pass"),
    "assert": line_in_forward("assert positions"),
    "del": line_in_forward("del positions"),
    "walrus": lambda text: text.replace("torch.cos(theta)", "torch.cos(phase := theta)", 1),
    "yield": line_in_forward("yield positions"),
    "a function within a function": line_in_forward("def f(): return 1"),
    "a decorator": lambda text: text.replace("def morlet_encoding", "@torch.compile\ndef morlet_encoding", 1),
    "another decorator of a method": lambda text: text.replace("    @staticmethod", "    @classmethod", 1),
    "a default that is evaluated": lambda text: text.replace(
        "center: Tensor | None = None", "center: Tensor | None = open('PLANTED', 'w')", 1
    ),
    "an annotation that is evaluated": lambda text: text.replace("omega: Tensor", "omega: open('PLANTED', 'w')", 1),
    "annotations without the import that leaves them": lambda text: text.replace("from __future__ import annotations\n", "", 1),
    "a patch of torch": at_the_end("torch.cos = torch.sin"),
    "a statement outside": at_the_end("open('PLANTED', 'w')"),
    "a second class": lambda text: text + text[text.index("class _") : text.index("def morlet_encoding")],
    "a function that no specification names": at_the_end("def other(x):\n    return x"),
    "a second definition": lambda text: text + text[text.index("def morlet_encoding") :],
    "a method more": lambda text: text.replace(
        "    @staticmethod", "    @staticmethod\n    def jvp(ctx):\n        return None\n\n    @staticmethod", 1
    ),
    "another base": lambda text: text.replace("(torch.autograd.Function)", "(torch.nn.Module)", 1),
    "a keyword of the class": lambda text: text.replace(
        "(torch.autograd.Function)", "(torch.autograd.Function, metaclass=open)", 1
    ),
    "torch bound to something else": line_in_forward("torch = positions"),
    "an argument named torch": lambda text: text.replace("ctx, grad: Tensor", "torch, grad: Tensor", 1),
    "a second apply": lambda text: text.replace(
        "    return _Mor", "    x = _MorletEncoding.apply(positions, omega, sigma, center, dtype)\n    return _Mor", 1
    ),
    "work after apply": lambda text: text.replace(
        "return _MorletEncoding.apply(positions, omega, sigma, center, dtype)",
        "return -_MorletEncoding.apply(positions, omega, sigma, center, dtype)",
    ),
    "an intermediate saved": lambda text: text.replace(
        "save_for_backward(*inputs[:4])", "save_for_backward(output, *inputs[:4])"
    ),
    "a branch on data": line_in_forward("if positions > 0.0:\n            b = positions"),
    "a coding cookie": lambda text: f"# coding: utf-7\n{text}",
    "a letter beyond ASCII": lambda text: text.replace("exp_1", "ехр_1"),
    "a form feed": lambda text: text.replace("import torch\n", "\fimport torch\n", 1),
    "a bare carriage return": lambda text: text.replace(
        "        b = positions", "        # \r        x = open\n        b = positions", 1
    ),
    "deep nesting": line_in_forward(f"x = {'-' * 150}positions.to(torch.float64)"),
    "nesting beyond the parser": line_in_forward(f"x = {'(' * 5000}1{')' * 5000}"),
    "a chain of squares": line_in_forward("w = positions.to(torch.float64)\n" + "        w = w * w + w\n" * 30_000),
    "a short chain that doubles": lambda text: text.replace(
        "        channel_0 =", "        exp_1 = exp_1 + exp_1 * exp_1\n" * 30 + "        channel_0 =", 1
    ),
    "the class bound to something else": line_in_forward("_MorletEncoding = positions"),
    "the class bound in a branch that no run takes": lambda text: text.replace(
        "    if dtype is None:",
        "    if not torch.float64.is_floating_point:\n        _MorletEncoding = dtype\n    if dtype is None:",
        1,
    ),
    "a syntax error": at_the_end("def"),
}
