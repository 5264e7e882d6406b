"""Planted faults in specifications, numerical forms, passes and generated text: each is killed, and by whom.

A mutant is data. It is built as the product is, and the first check that fails is its killer: ``proof`` for a symbolic
refusal of the generator, or one of the value checks. Comparison of bytes and hashes takes no part.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import sympy as sp
from sympy import conjugate, cos, exp, im, re, sin

from mope_impl.codegen.ir import Formula, Node, Program, literal
from mope_impl.codegen.passes import PASSES
from mope_theory.spec import Guard
from mope_theory.specs.morlet_encoding import SPEC, packet, theta, z
from mope_theory.symbols import b, center, omega, sigma
from tests.mope_impl.codegen.kernel_checks import CHECKS
from tests.mope_impl.codegen.mutants import Bench, Mutant, after, negate, rewritten, skipped

BENCH = Bench(SPEC, CHECKS)
build, formed, specified, with_input = BENCH.build, BENCH.formed, BENCH.specified, BENCH.with_input
channels, passed, adjoints, edited = BENCH.channels, BENCH.passed, BENCH.adjoints, BENCH.edited
FORM, GAUSS = SPEC.numerical, exp(-(z**2) / 2)


# ── specifications and numerical forms ───────────────────────────────────────────────────────────────────────────────


def either_sign() -> str:
    """σ real and not positive, in the formula too."""
    wide = sp.Symbol("sigma", real=True)
    given = tuple(replace(x, symbol=wide, domain=sp.S.Reals) if x.name == "sigma" else x for x in SPEC.inputs)
    form = replace(FORM, bindings={theta: omega * b, z: (b - center) / wide})
    plain = tuple(channel.xreplace(dict(form.bindings)) for channel in FORM.channels)
    return build(replace(SPEC, inputs=given, channels=plain, numerical=form))


THROUGH_SIGMA = {
    "bindings": {theta: omega * b / sigma, z: (b - center) / sigma},
    "channels": (cos(theta * sigma) * GAUSS, sin(theta * sigma) * GAUSS),
}

SPECIFICATIONS = (
    Mutant("form: sign of the exponent", formed(channels=(cos(theta) * exp(z**2 / 2), sin(theta) * GAUSS)), "proof"),
    Mutant("form: z for z²", formed(channels=(cos(theta) * exp(-z / 2), sin(theta) * exp(-z / 2))), "proof"),
    Mutant("form: no ½", formed(channels=(cos(theta) * exp(-(z**2)), sin(theta) * exp(-(z**2)))), "proof"),
    Mutant("form: cosine and sine swapped", formed(channels=(sin(theta) * GAUSS, cos(theta) * GAUSS)), "proof"),
    Mutant("form: sign of the sine", formed(channels=(cos(theta) * GAUSS, -sin(theta) * GAUSS)), "proof"),
    Mutant("form: b + b₀", formed(bindings={theta: omega * b, z: (b + center) / sigma}), "proof"),
    Mutant("form: σ² for σ", formed(bindings={theta: omega * b, z: (b - center) / sigma**2}), "proof"),
    Mutant("form: a carrier that moves", formed(bindings={theta: omega * (b - center), z: (b - center) / sigma}), "proof"),
    Mutant("form: factor 1 + 10⁻¹²", formed(channels=(cos(theta) * GAUSS * (1 + sp.Rational(1, 10**12)), sin(theta) * GAUSS)),
           "proof"),
    Mutant("form: guard at 3", formed(guard=Guard(z, 3)), "proof"),
    Mutant("form: guard at 38, too early for the gradients", formed(guard=Guard(z, 38)), "proof"),
    Mutant("form: guard on the phase", formed(guard=Guard(theta, 40)), "proof"),
    Mutant("formula: conjugated", specified(channels=(re(conjugate(packet)), im(conjugate(packet)))), "proof"),
    Mutant("formula: no ½", channels(cos(theta) * exp(-(z**2)), sin(theta) * exp(-(z**2))), "values"),
    Mutant("formula: channels swapped", channels(sin(theta) * GAUSS, cos(theta) * GAUSS), "values"),
    Mutant("formula: conjugated throughout", channels(cos(theta) * GAUSS, -sin(theta) * GAUSS), "values"),
    Mutant("no numerical form", specified(numerical=None), "edges"),
    Mutant("no guard", formed(guard=None), "edges"),
    Mutant("output: halves for interleaved", specified(output="*t (c n)"), "values"),
    Mutant("input: default centre 1", with_input("center", default=1), "values"),
    Mutant("input: σ of either sign", with_input("sigma", domain=sp.Interval(0, sp.oo)), "proof"),
    Mutant("input: σ of either sign, its symbol too", either_sign, "proof"),
    Mutant("form: the phase through σ, 0·∞ at σ = ∞", formed(**THROUGH_SIGMA), "proof"),
    Mutant("input: positions decide the dtype", with_input("positions", kind="float"), "phase"),
)  # fmt: skip


# ── passes ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def drop_phase_of_positions(formula: Formula, found: list[sp.Expr]) -> None:
    found[0] = found[0].subs(formula.adjoint_of(theta), 0)


def swap_sigma_and_center(formula: Formula, found: list[sp.Expr]) -> None:
    found[2], found[3] = found[3], found[2]


def doubled(formula: Formula) -> Formula:
    return replace(formula, channels=tuple(2 * channel for channel in formula.channels))


def unmasked(program: Program) -> Program:
    """Roots without their mask."""
    bare = {"outputs": tuple(root.args[2] for root in program.outputs)}
    return replace(program, **bare, gradients=tuple(root.args[2] for root in program.gradients))


def only_results_masked(program: Program) -> Program:
    """z and σ are not made safe beyond the guard."""

    def bare(root: Node) -> Node:
        inner = root.args[2].rewrite(lambda node: node.args[2] if node.op == "where" else node)
        return replace(root, args=(*root.args[:2], inner))

    return replace(program, outputs=tuple(map(bare, program.outputs)), gradients=tuple(map(bare, program.gradients)))


def cut_literal(node: Node) -> Node:
    return literal(node.data + 1e-10) if node.op == "literal" and node.data == -0.5 else node


def swapped(first: str, second: str) -> Callable[[Node], Node]:
    return lambda node: replace(node, op={first: second, second: first}.get(node.op, node.op))


PASS_MUTANTS = (
    Mutant("numerical: twice the formula, after its proof", passed(numerical=after(doubled)), "values"),
    Mutant("differentiate: term of ∂b dropped", adjoints(drop_phase_of_positions), "gradients"),
    Mutant("differentiate: sign of ∂ω", adjoints(negate(1)), "gradients"),
    Mutant("differentiate: sign of ∂σ", adjoints(negate(2)), "gradients"),
    Mutant("differentiate: sign of ∂b₀", adjoints(negate(3)), "gradients"),
    Mutant("differentiate: ∂σ and ∂b₀ swapped", adjoints(swap_sigma_and_center), "gradients"),
    Mutant("literals: −½ to nine digits", passed(literals=rewritten(cut_literal)), "values"),
    Mutant("order: quotient for product", passed(order=rewritten(swapped("mul", "div"))), "values"),
    Mutant("regular: skipped, the phase through σ", lambda: build(
        replace(SPEC, numerical=replace(FORM, **THROUGH_SIGMA)), tuple(one for one in PASSES if one.__name__ != "regular")),
        "values"),
    Mutant("domain: skipped", passed(domain=skipped), "invalid_widths"),
    Mutant("guard: results not masked", passed(guard=after(unmasked)), "far"),
    Mutant("guard: only results masked", passed(guard=after(only_results_masked)), "edges"),
    Mutant("reduce: skipped", passed(reduce=skipped), "gradients"),
    Mutant("layout: channels joined in the wrong order",
           passed(layout=after(lambda p: replace(p, outputs=(replace(p.outputs[0], args=p.outputs[0].args[::-1]),)))), "values"),
    Mutant("align: axes inserted at the front",
           passed(align=rewritten(lambda n: replace(n, data=(0,)) if n.op == "unsqueeze" else n)), "values"),
)  # fmt: skip


# ── generated text ───────────────────────────────────────────────────────────────────────────────────────────────────


TEXTS = (
    Mutant("text: sign of the exponent", edited("-0.5 * (z * z)", "0.5 * (z * z)", 2), "values"),
    Mutant("text: z for z²", edited("-0.5 * (z * z)", "-0.5 * z", 2), "values"),
    Mutant("text: no ½", edited("-0.5 * (z * z)", "-1.0 * (z * z)", 2), "values"),
    Mutant("text: cosine for sine", edited("torch.sin(theta)", "torch.cos(theta)", 2), "values"),
    Mutant("text: guard reversed", edited("> 40.0", "< 40.0", 2), "values"),
    Mutant("text: guard at 3", edited("> 40.0", "> 3.0", 2), "values"),
    Mutant("text: centre added", edited("z_numerator = b - b_0", "z_numerator = b + b_0", 2), "values"),
    Mutant("text: σ²", edited("sigma_ = sigma.to(torch.float64)", "sigma_ = sigma.to(torch.float64) ** 2", 2), "values"),
    Mutant("text: channels one after the other", edited(", -1).flatten(-2)", ", -2).flatten(-2)", 1), "values"),
    Mutant("text: ω through bfloat16", edited("omega.to(", "omega.to(torch.bfloat16).to(", 2), "values"),
    Mutant("text: output through float32", edited(".to(dtype, copy=True)", ".float().to(dtype, copy=True)", 1), "values"),
    Mutant("text: float32 phase", edited("theta = b * omega_", "theta = (b.float() * omega_.float()).double()", 2), "values"),
    Mutant("text: float32 phase of float32 ω",
           edited("theta = b * omega_", "theta = (b.to(omega.dtype) * omega).double()", 2), "phase"),
    Mutant("text: float32 cosine of float32 ω",
           edited("torch.cos(theta)", "torch.cos(theta.to(omega.dtype)).double()", 2), "phase"),
    Mutant("text: term of ∂b dropped", edited("grad_theta * omega_ + div_1", "grad_theta * omega_", 1), "gradients"),
    Mutant("text: sign of ∂σ", edited("-(grad_z * z / safe_sigma)", "grad_z * z / safe_sigma", 1), "gradients"),
    Mutant("text: z for z² in ∂σ", edited("-(grad_z * z / safe_sigma)", "-(grad_z / safe_sigma)", 1), "gradients"),
    Mutant("text: 1/σ missing in ∂σ", edited("-(grad_z * z / safe_sigma)", "-(grad_z * z)", 1), "gradients"),
    Mutant("text: channels of the gradient swapped", edited("grad[..., 1::2]", "grad[..., 0::2]", 1), "gradients"),
    Mutant("text: sum over the wrong axis", edited("d_positions.sum(-1)", "d_positions.sum(0)", 1), "gradients"),
    Mutant("text: gradient in float32", edited("grad_z / safe_sigma\n", "(grad_z / safe_sigma).float()\n", 1), "gradients"),
    Mutant("text: results in another order", edited("results[2] =", "results[1] =", 1), "gradients"),
    Mutant("text: twice counted", edited("d_omega.sum_to_size", "(d_omega + d_omega).sum_to_size", 1), "gradients"),
    Mutant("text: wrong needs_input_grad", edited("if ctx.needs_input_grad[2]:", "if ctx.needs_input_grad[1]:", 1), "needed"),
    Mutant("text: what two gradients share, for one of them alone",
           edited("if ctx.needs_input_grad[0] or ctx.needs_input_grad[1]:", "if ctx.needs_input_grad[0]:", 1), "needed"),
    Mutant("text: gradient of ω not masked",
           edited("torch.where(beyond_z, 0.0, grad_theta * b)", "grad_theta * b", 1), "far"),
    Mutant("text: value not masked",
           edited("channel_0 = torch.where(beyond_z, 0.0, exp_1 * torch.cos(theta))", "channel_0 = exp_1 * torch.cos(theta)", 1),
           "far"),
    Mutant("text: reciprocal squared",
           edited("div_1 = grad_z / safe_sigma", "div_1 = grad_z * safe_sigma / safe_sigma**2", 1), "gradients"),
    Mutant("text: NaN widths replaced", edited('float("nan")', "1.0", 2), "invalid_widths"),
    Mutant("text: guard that swallows NaN",
           edited("torch.abs(z_numerator / positive_sigma) > 40.0", "~(torch.abs(z_numerator / positive_sigma) <= 40.0)", 2),
           "invalid_widths"),
    Mutant("text: dtype of ω alone",
           edited("torch.promote_types(torch.promote_types(omega.dtype, sigma.dtype), center.dtype)", "omega.dtype", 1),
           "dtypes"),
    Mutant("text: integer ω let through", edited("if not omega.dtype.is_floating_point", "if False", 1), "refusals"),
    Mutant("text: integer centre let through",
           edited("if center is not None and not center.dtype.is_floating_point", "if False", 1), "refusals"),
    Mutant("text: dtype not looked at",
           edited("elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point)", "elif False", 1), "refusals"),
    Mutant("text: the message names another input", edited('f"sigma: got', 'f"omega: got', 1), "refusals"),
    Mutant("text: summands rounded before the sum",
           edited("d_omega.sum_to_size(omega.shape).to(omega.dtype)", "d_omega.to(omega.dtype).sum_to_size(omega.shape)", 1),
           "sums"),
    Mutant("text: second derivative cut", edited("exp_1 = torch.exp(-0.5 * (z * z))\n        if ctx",
           "exp_1 = torch.exp(-0.5 * (z * z)).detach()\n        if ctx", 1), "second_order"),
    Mutant("text: input written", edited("channel_0 =", "positions.mul_(2.0)\n        channel_0 =", 1), "inputs_kept"),
    Mutant("text: result is a view", edited(".to(dtype, copy=True)", ".to(dtype)", 1), "writable"),
    Mutant("text: no vmap rule", edited("generate_vmap_rule = True", "generate_vmap_rule = False", 1), "transforms"),
)  # fmt: skip

MUTANTS = (*SPECIFICATIONS, *PASS_MUTANTS, *TEXTS)


def test_the_product_itself_passes_every_check():
    assert BENCH.killer(build) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed_by_the_check_that_is_named(mutant):
    assert BENCH.killer(mutant.make) == mutant.killer


def test_every_check_kills_something():
    assert {mutant.killer for mutant in MUTANTS} == {"proof", *CHECKS}


def test_there_are_many_mutants_and_no_two_of_one_name():
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 30
