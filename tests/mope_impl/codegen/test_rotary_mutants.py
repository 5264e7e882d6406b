"""Planted faults in the Morlet rotary encoding, whose input has channels and whose layout is chosen: each killed, and by whom."""
from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from sympy import cos, exp, sin

from mope_impl.codegen.ir import Node, Program, Schedule, literal
from mope_theory.spec import Guard
from mope_theory.specs.morlet_rotary import SPEC, z
from mope_theory.specs.rotation import first, second, theta, turned
from mope_theory.symbols import b, omega, sigma
from tests.mope_impl.codegen.mutants import Bench, Mutant, after, negate, rewritten, skipped
from tests.mope_impl.codegen.rotary_checks import CHECKS

BENCH = Bench(SPEC, CHECKS)
formed, with_input, channels, passed, edited = BENCH.formed, BENCH.with_input, BENCH.channels, BENCH.passed, BENCH.edited
GAUSS = exp(-(z**2) / 2)
REAL, IMAGINARY = turned(GAUSS)
CLOCKWISE = ((first * cos(theta) + second * sin(theta)) * GAUSS, (second * cos(theta) - first * sin(theta)) * GAUSS)

SPECIFICATIONS = (
    Mutant("form: turned the other way", formed(channels=CLOCKWISE), "proof"),
    Mutant("form: the channels swapped", formed(channels=(IMAGINARY, REAL)), "proof"),
    Mutant("form: one channel without the envelope", formed(channels=(REAL, IMAGINARY / GAUSS)), "proof"),
    Mutant("form: a factor 1 + 10⁻¹²", formed(channels=(REAL * (1 + sp.Rational(1, 10**12)), IMAGINARY)), "proof"),
    Mutant("form: σ² for σ", formed(bindings={theta: omega * b, z: b / sigma**2}), "proof"),
    Mutant("form: guard at 40, too early for the largest x", formed(guard=Guard(z, 40)), "proof"),
    Mutant("form: guard on the phase", formed(guard=Guard(theta, 56)), "proof"),
    Mutant("input: x unbounded under the guard", with_input("x", domain=sp.Reals), "proof"),
    Mutant("input: an infinite frequency", with_input("omega", domain=sp.Interval(0, sp.oo)), "proof"),
    Mutant("formula: turned the other way", channels(*CLOCKWISE), "values"),
    Mutant("formula: no ½", channels(*turned(exp(-(z**2)))), "values"),
    Mutant("formula: the channels swapped", channels(IMAGINARY, REAL), "values"),
    Mutant("formula: no rotation", channels(first * GAUSS, second * GAUSS), "values"),
    Mutant("input: the symbols of the pair swapped", with_input("x", symbol=(second, first)), "values"),
    Mutant("input: side by side whatever is asked for", with_input("x", axes="*b h t (n c)"), "values"),
    Mutant("output: halves whatever is asked for", BENCH.specified(output="*b h t (c n)"), "values"),
    Mutant("input: the frequencies decide the dtype", with_input("omega", kind="float"), "dtypes"),
    Mutant("input: the positions decide the dtype", with_input("positions", kind="float"), "dtypes"),
    Mutant("no guard", formed(guard=None), "edges"),
)


# ── passes ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def other_part(node: Node) -> Node:
    return replace(node, data=(node.data[0], 1 - node.data[1])) if node.op == "part" else node


def joined_in_the_wrong_order(program: Program) -> Program:
    return replace(program, outputs=(replace(program.outputs[0], args=program.outputs[0].args[::-1]),))


def gradient_joined_in_the_wrong_order(program: Program) -> Program:
    return program.rewrite(lambda node: replace(node, args=node.args[::-1]) if node.op == "join" else node)


def second_channel_without_gradient(program: Program) -> Program:
    def cut(node: Node) -> Node:
        if node.op != "join":
            return node
        return replace(node, args=(node.args[0], Node("full_like", (node.args[0], literal(0.0)))))

    return program.rewrite(cut)


def unmasked(program: Program) -> Program:
    return replace(program, outputs=tuple(root.args[2] for root in program.outputs))


def unread(schedule: Schedule) -> Schedule:
    return replace(schedule, readers=((), *schedule.readers[1:]))


def fixed(node: Node) -> Node:
    return replace(node, op="join_halves") if node.op == "join_chosen" else node


PASS_MUTANTS = (
    Mutant("order: the other channel of x", passed(order=rewritten(other_part)), "values"),
    Mutant("layout: channels joined in the wrong order", passed(layout=after(joined_in_the_wrong_order)), "values"),
    Mutant("layout: halves whatever is asked for", passed(layout=rewritten(fixed)), "values"),
    Mutant("reduce: gradient joined in the wrong order", passed(reduce=after(gradient_joined_in_the_wrong_order)), "gradients"),
    Mutant("reduce: a channel without its gradient", passed(reduce=after(second_channel_without_gradient)), "gradients"),
    Mutant("differentiate: sign of ∂x₀", BENCH.adjoints(negate(0)), "gradients"),
    Mutant("differentiate: sign of ∂x₁", BENCH.adjoints(negate(1)), "gradients"),
    Mutant("differentiate: sign of ∂b", BENCH.adjoints(negate(2)), "gradients"),
    Mutant("differentiate: sign of ∂ω", BENCH.adjoints(negate(3)), "gradients"),
    Mutant("differentiate: sign of ∂σ", BENCH.adjoints(negate(4)), "gradients"),
    Mutant("align: axes inserted at the front",
           passed(align=rewritten(lambda n: replace(n, data=(0,)) if n.op == "unsqueeze" else n)), "values"),
    Mutant("domain: skipped", passed(domain=skipped), "invalid_widths"),
    Mutant("schedule: x taken for one that no gradient reads", passed(schedule=after(unread)), "gradients"),
    Mutant("guard: values not masked", passed(guard=after(unmasked)), "edges"),
)  # fmt: skip


# ── generated text ───────────────────────────────────────────────────────────────────────────────────────────────────────

TEXTS = (
    Mutant("text: the other half", edited("x.chunk(2, -1)[0]", "x.chunk(2, -1)[1]", 2), "values"),
    Mutant("text: the other side", edited("x[..., 0::2]", "x[..., 1::2]", 2), "values"),
    Mutant("text: joined side by side for halves",
           edited('if layout == "half":\n            return', 'if layout != "half":\n            return', 1), "values"),
    Mutant("text: x through float32", edited("x.chunk(2, -1)[0] if", "x.float().chunk(2, -1)[0] if", 2), "values"),
    Mutant("text: float32 phase", edited("theta = b * omega_", "theta = (b.float() * omega_.float()).double()", 2), "values"),
    Mutant("text: float32 tables", edited("torch.cos(theta)", "torch.cos(theta).float().double()", 2), "values"),
    Mutant("text: output through float32", edited("channel_0.to(dtype)", "channel_0.float().to(dtype)", 1), "values"),
    Mutant("text: another default", edited('layout: str = "half"', 'layout: str = "interleaved"', 1), "layouts"),
    Mutant("text: the layout is forgotten", edited("ctx.layout = inputs[-2]", 'ctx.layout = "half"', 1), "gradients"),
    Mutant("text: the other half of the gradient", edited("grad.chunk(2, -1)[1]", "grad.chunk(2, -1)[0]", 1), "gradients"),
    Mutant("text: the other side of the gradient", edited("grad[..., 1::2]", "grad[..., 0::2]", 1), "gradients"),
    Mutant("text: sign of ∂x₁", edited("(cos_1 * grad_1 - sin_1 * grad_0)", "(sin_1 * grad_0 - cos_1 * grad_1)", 1), "gradients"),
    Mutant("text: ∂b of one head", edited("d_positions.sum((-1, -3))", "d_positions.sum(-1)[:, 0]", 1), "gradients"),
    Mutant("text: ∂ω summed over heads", edited("d_omega.sum(-2)", "d_omega.sum(-3).sum(-2, keepdim=True)", 1), "gradients"),
    Mutant("text: term of ∂b dropped",
           edited("grad_theta * omega_ + grad_z / safe_sigma", "grad_theta * omega_", 1), "gradients"),
    Mutant("text: z for z² in ∂σ", edited("-(grad_z * z / safe_sigma)", "-(grad_z / safe_sigma)", 1), "gradients"),
    Mutant("text: gradients of x for those of σ alone",
           edited("if ctx.needs_input_grad[1] or ctx.needs_input_grad[3]:", "if ctx.needs_input_grad[1]:", 1), "needed"),
    Mutant("text: what three share, for two of them",
           edited("if ctx.needs_input_grad[1] or ctx.needs_input_grad[2] or ctx.needs_input_grad[3]:",
                  "if ctx.needs_input_grad[1] or ctx.needs_input_grad[3]:", 1), "needed"),
    Mutant("text: x let go that ∂ω reads",
           edited("x if needs[1] or needs[2] or needs[3] else", "x if needs[1] or needs[3] else", 1), "needed"),
    Mutant("text: x kept that nothing reads",
           edited("x if needs[1] or needs[2] or needs[3] else x.new_empty(()).expand(x.shape)", "x", 1), "saved"),
    Mutant("text: σ capped at 10⁶",
           edited("sigma_ = sigma.to(torch.float64)", "sigma_ = sigma.to(torch.float64).clamp(max=1e6)", 2), "values"),
    Mutant("text: a narrow σ lifted", edited("safe_sigma = torch.where(", "safe_sigma = 1e-9 + torch.where(", 2), "values"),
    Mutant("text: envelope off by a rounding at σ = ∞",
           edited("exp_1 = torch.exp(-0.5 * (z * z))", "exp_1 = torch.exp(-0.5 * (z * z) - 2e-16)", 2), "limit"),
    Mutant("text: NaN widths replaced", edited('float("nan")', "1.0", 2), "invalid_widths"),
    Mutant("text: dtype of ω", edited("dtype = x.dtype", "dtype = omega.dtype", 1), "dtypes"),
    Mutant("text: any layout let through", edited('if layout not in ("half", "interleaved"):', "if False:", 1), "refusals"),
    Mutant("text: integer x let through", edited("if not x.dtype.is_floating_point", "if False", 1), "refusals"),
    Mutant("text: second derivative cut", edited("exp_1 = torch.exp(-0.5 * (z * z))\n        if ctx",
           "exp_1 = torch.exp(-0.5 * (z * z)).detach()\n        if ctx", 1), "second_order"),
    Mutant("text: input written", edited("channel_0.to(dtype)", "(channel_0, x.mul_(2.0))[0].to(dtype)", 1), "inputs_kept"),
    Mutant("text: result is a view", edited(".to(dtype, copy=True)", ".to(dtype)", 1), "writable"),
    Mutant("text: no vmap rule", edited("generate_vmap_rule = True", "generate_vmap_rule = False", 1), "transforms"),
)  # fmt: skip

MUTANTS = (*SPECIFICATIONS, *PASS_MUTANTS, *TEXTS)


def test_the_product_itself_passes_every_check():
    assert BENCH.killer(BENCH.build) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed_by_the_check_that_is_named(mutant):
    assert BENCH.killer(mutant.make) == mutant.killer


def test_every_check_kills_something():
    assert {mutant.killer for mutant in MUTANTS} == {"proof", *CHECKS}


def test_there_are_many_mutants_and_no_two_of_one_name():
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 30
