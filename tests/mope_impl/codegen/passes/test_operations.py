"""The passes on operations, each alone: order, literals, domain, guard, align, reduce, layout, typify, schedule."""
from __future__ import annotations

import sys
from dataclasses import replace

import pytest
import sympy as sp

from mope_impl.codegen.backends.torch.printer import Printer
from mope_impl.codegen.ir import Formula, Node, Program, Section, absent_dims, input_index, leaves_of, literal
from mope_impl.codegen.passes import (
    PASSES,
    align,
    differentiate,
    domain,
    guard,
    layout,
    literals,
    lower,
    order,
    reduce,
    schedule,
    typify,
)  # fmt: skip
from mope_impl.codegen.passes.literals import nearest
from mope_theory.spec import POSITIVE_OR_INFINITE, Guard, Input, KernelSpec, NumericalForm, SpecError
from tests.mope_impl.codegen import toys

x, y, z = sp.symbols("x y z", real=True)
p = sp.Symbol("p", positive=True)
X, Y, P = Input("x", x, "*t"), Input("y", y, "n"), Input("p", p, "n", POSITIVE_OR_INFINITE)
GRAPH = sys.modules["mope_impl.codegen.passes.order"].graph


def text(expression: sp.Expr) -> str:
    """Torch text of one expression, with symbol-free parts as literals."""
    leaves = {s: Node("variable", data=s.name) for s in (x, y, p)}
    node = GRAPH(expression, leaves)
    return Printer([]).text(node.rewrite(lambda n: literal(nearest(n.data)) if n.op == "constant" else n))


def program(spec: KernelSpec) -> Program:
    return literals(order(differentiate(lower(Formula(spec)))))


@pytest.mark.parametrize(
    "expression, written",
    [
        (-x, "-x"),
        (x - y, "x - y"),
        (y - x + 2, "y - x + 2.0"),
        (-x - y, "-(x + y)"),
        (1 - x, "1.0 - x"),
        (-(x**2) / 2, "-0.5 * (x * x)"),
        (x / 3, "x / 3.0"),
        (-2 * x / 3, "-2.0 * x / 3.0"),
        (-x / 3, "-(x / 3.0)"),
        (2 / p, "2.0 / p"),
        (-1 / p, "-(1.0 / p)"),
        (x * y / p, "x * y / p"),
        (x / p**2, "x / (p * p)"),
        (x / sp.sqrt(p), "x / torch.sqrt(p)"),
        (p ** sp.Rational(3, 2), "torch.pow(p, 1.5)"),
        (p**y, "torch.pow(p, y)"),
        (x**4, "x * x * x * x"),
        (sp.exp(-2) * x, "0.1353352832366127 * x"),
        (x * (y + 1) * sp.cos(x), "(y + 1.0) * torch.cos(x) * x"),
        (sp.exp(-(x**2) / 2), "torch.exp(-0.5 * (x * x))"),
        (x * (x - y), "(x - y) * x"),
        (sp.sqrt(2) / 3 * x, "0.4714045207910317 * x"),
    ],
)
def test_order_of_evaluation(expression, written):
    """No reciprocal of an input is formed alone, a sign stands in front, 1/3 divides."""
    assert text(expression) == written


@pytest.mark.parametrize(
    "layout, written",
    [
        ("interleaved", "x[..., 1::2]"),
        ("halves", "x.chunk(2, -1)[1]"),
        ("stacked", "x[..., 1]"),
        ("chosen", 'x.chunk(2, -1)[1] if layout == "half" else x[..., 1::2]'),
    ],
)
def test_a_channel_is_taken_in_its_layout_and_a_choice_stands_in_parentheses(layout, written):
    a, b = (Node("variable", data=name) for name in "xy")
    take, printer = Node(f"take_{layout}", (a,), (1, 2)), Printer([])
    assert printer.text(take) == written
    inner = f"({written})" if layout == "chosen" else written
    assert printer.text(Node("mul", (take, b))) == f"{inner} * y"
    assert printer.text(Node("compute", (take,))) == f"{inner}.to(torch.float64)"


@pytest.mark.parametrize(
    "layout, written",
    [
        ("interleaved", "torch.stack(({}), -1).flatten(-2)"),
        ("halves", "torch.cat(({}), -1)"),
        ("stacked", "torch.stack(({}), -1)"),
    ],
)
def test_channels_are_joined_in_their_layout(layout, written):
    a, b = (Node("variable", data=name) for name in "xy")
    assert Printer([]).text(Node(f"join_{layout}", (a, b))) == written.format("x, y")
    assert Printer([]).text(Node(f"join_{layout}", (a,))) == written.format("x,")


@pytest.mark.parametrize("expression", [sp.oo, sp.zoo, sp.nan, sp.log(-1), sp.exp(1000) ** 10])
def test_a_constant_that_is_no_finite_real_number_is_refused(expression):
    with pytest.raises(SpecError, match="is no finite real number"):
        nearest(expression)


@pytest.mark.parametrize("expression", [sp.sqrt(2), sp.pi, sp.Rational(1, 10), sp.exp(-18), sp.Integer(2**53 + 1)])
def test_a_literal_is_the_nearest_float64(expression):
    """float(sympy.Float) truncates; a literal has to be within half a unit."""
    value = nearest(expression)
    step = sp.Rational(value) * sp.Rational(1, 2**52)
    assert abs(expression - sp.Rational(value)).evalf(40) <= (step / 2).evalf(40)


def test_domain_checks_positive_inputs_only():
    spec = KernelSpec("toy", "A toy", "none", (X, P), (x / p,), "*t n")
    (root,) = domain(program(spec)).outputs
    assert [node.args[0].data for node in root.walk() if node.op == "positive"] == [1]


def guarded(below: sp.Expr) -> KernelSpec:
    form = NumericalForm({z: x / below}, (sp.exp(-(z**2)),), Guard(z, 40))
    return KernelSpec("toy", "A toy", "none", (X, P), (sp.exp(-((x / below) ** 2)),), "*t n", numerical=form)


def test_guard_masks_roots_and_what_they_are_made_of():
    spec = guarded(p)
    formula = Formula(spec, channels=spec.numerical.channels, bindings=dict(spec.numerical.bindings))
    done = guard(domain(literals(order(differentiate(formula)))))
    for root in (*done.outputs, *done.gradients):
        assert root.op == "where"
        assert root.args[1] == literal(0.0)
        inputs = {node for node in root.args[2].walk() if node.op == "positive"}
        used = [node for node in root.args[2].walk() for arg in node.args if arg in inputs]
        assert used
        assert all(node.op in ("where", "div") for node in used)
        divisors = [node.args[1] for node in root.args[2].walk() if node.op == "div" and "where" in node.args[0].op]
        assert all(divisor.op == "where" and divisor.args[1] == literal(1.0) for divisor in divisors)


def test_guard_refuses_a_divisor_that_vanishes_where_its_inputs_are_1():
    spec = guarded(sp.log(p))
    formula = Formula(spec, channels=spec.numerical.channels, bindings=dict(spec.numerical.bindings))
    with pytest.raises(SpecError, match="is not regular where its inputs are 1"):
        guard(literals(order(replace(formula, adjoints=(sp.Integer(0), sp.Integer(0))))))


def test_align_inserts_axes_by_name():
    assert absent_dims(toys.HEADS, 0) == (-1,)  # t of "h t d": h comes by broadcasting
    assert absent_dims(toys.HEADS, 1) == (-2,)
    assert absent_dims(toys.HEADS, 2) == (-1, -2)
    (root,) = align(program(toys.HEADS)).outputs
    assert sorted(node.data for node in root.walk() if node.op == "unsqueeze") == [(-2,), (-1,), (-1, -2)]


def test_an_input_with_channels_has_a_leaf_for_each_until_the_layout_pass():
    x, t = leaves_of(toys.TURNED, 0), leaves_of(toys.TURNED, 1)
    assert [(leaf.op, leaf.data, leaf.label) for leaf in (*x, *t)] == [
        ("part", (0, 0), "u"), ("part", (0, 1), "v"), ("input", 1, "t")]  # fmt: skip
    assert [input_index(leaf) for leaf in (*x, *t, literal(1.0))] == [0, 0, 1, None]
    (root,) = layout(reduce(align(program(toys.TURNED)))).outputs
    assert {node.op for node in root.walk()} >= {"take_chosen", "join_chosen"}
    assert not {node.op for node in root.walk()} & {"part", "join"}


def test_a_channel_is_taken_before_axes_are_inserted():
    """An axis that is inserted beside the group of channels would be taken for it."""
    pairs, positions, frequencies = toys.TURNED.inputs
    inputs = (replace(pairs, axes="[n c]"), positions, replace(frequencies, axes="n m"))
    spec = replace(toys.TURNED, inputs=inputs, output="*t n m", channels=toys.TURNED.channels[:1])
    (root,) = layout(align(program(spec))).outputs
    taken = [node for node in root.walk() if node.op == "unsqueeze" and node.args[0].op.startswith("take_")]
    assert {node.data for node in taken} == {(-1,)}
    assert all(node.args[0].args[0].op == "input" for node in taken)


def test_align_expands_what_is_constant_along_an_axis():
    (root,) = align(program(toys.UNUSED)).outputs
    assert root.op == "expand"
    (root,) = align(program(toys.PAIR)).outputs[:1]
    assert root.op == "cos"


def test_reduce_sums_the_absent_axes_and_gives_zeros_for_an_unused_input():
    d_x, d_y = reduce(align(program(toys.UNUSED))).gradients
    assert d_y == Node("zeros_like", (Node("input", data=1),))
    assert (d_x.op, d_x.args[0].op, d_x.args[0].data) == ("sum_to", "sum", (-1,))


def test_reduce_joins_the_gradients_of_channels_and_fills_in_zeros():
    """One gradient for the input, in its shape; a channel that does not matter gets zeros of the shape of the others."""
    d_x, *_ = reduce(align(program(toys.TURNED))).gradients
    assert (d_x.op, d_x.data, [part.label for part in d_x.args]) == ("join", 0, ["d_u", "d_v"])
    assert [(part.op, part.args[1]) for part in d_x.args] == [("sum_to", Node("part", data=(0, 0)))] * 2
    first = replace(toys.TURNED, channels=tuple(channel.subs(toys.v, 0) for channel in toys.TURNED.channels))
    d_x, *_ = reduce(align(program(first))).gradients
    live, filled = (part.args[0] for part in d_x.args)
    assert filled == Node("full_like", (live, literal(0.0)))
    none = replace(toys.TURNED, channels=(toys.t, toys.w))
    assert reduce(align(program(none))).gradients[0] == Node("zeros_like", (Node("input", data=0),))


@pytest.mark.parametrize("how", ["interleaved", "halves"])
def test_layout_joins_and_splits_alike(how):
    spec = {"interleaved": toys.INTERLEAVED, "halves": toys.HALVES}[how]
    done = layout(program(spec))
    (root,) = done.outputs
    assert root.op == f"join_{how}"
    taken = {node.data for gradient in done.gradients for node in gradient.walk() if node.op == f"take_{how}"}
    assert taken == {(0, 2), (1, 2)}


def casts(node: Node) -> set[int]:
    """How often a number is rounded on the ways from the leaves to a node."""
    own = node.op in ("result", "result_copied", "like")
    return {own + below for arg in node.args for below in casts(arg)} or {int(own)}


@pytest.mark.parametrize("toy", [toys.INTERLEAVED, toys.HALVES, toys.TURNED], ids=lambda toy: toy.name)
def test_typify_reads_float64_and_rounds_once(toy):
    done = typify(layout(reduce(align(program(toy)))))
    for root in (*done.outputs, *done.gradients):
        assert casts(root) == {1}
        for node in root.walk():
            for arg in node.args:
                if arg.op in ("input", "gradient"):
                    assert node.op in ("compute", "sum_to", "like") or node.op.startswith("take_")


def test_typify_rounds_what_is_copied_one_after_the_other_before_it_is_joined():
    (root,) = typify(layout(reduce(align(program(toys.TURNED))))).outputs
    half, interleaved = root.args
    assert (root.op, half.op, [channel.op for channel in half.args]) == ("by_layout", "join_halves", ["result", "result"])
    assert (interleaved.op, interleaved.args[0].op) == ("result_copied", "join_interleaved")


def test_schedule_computes_nothing_twice():
    done = schedule(typify(layout(reduce(align(program(toys.HEADS))))))
    for sections in ((done.forward,), (*(section for _, section in done.shared), *done.gradients)):
        names = [name for section in sections for name, _ in section.statements]
        assert len(set(names)) == len(names)
        nodes = [node for section in sections for _, root in section.statements for node in root.walk()]
        calls = [node for node in nodes if node.op in ("cos", "sin", "mul")]
        assert len(set(calls)) == len(calls)


def operations(*sections: Section) -> set[str]:
    return {node.op for section in sections for _, root in section.statements for node in root.walk()}


def test_schedule_shares_between_gradients_only_what_two_of_them_use():
    done = schedule(typify(layout(reduce(align(program(toys.HEADS))))))
    shared = operations(*(section for _, section in done.shared))
    assert "sin" in shared
    assert "cos" not in shared  # only the gradient by s needs it


def test_schedule_computes_for_a_gradient_only_what_it_needs():
    """What is shared by some gradients is computed for these alone, after what it is made of."""
    done = schedule(typify(layout(reduce(align(domain(program(toys.TURNED)))))))
    x, t, w = range(3)
    groups = [group for group, _ in done.shared]
    assert groups == sorted(groups, key=len, reverse=True)
    assert set(groups) == {(x, t, w), (t, w)}
    everyone, angular = (operations(dict(done.shared)[group]) for group in ((x, t, w), (t, w)))
    assert {"cos", "sin"} <= everyone
    assert {"take_chosen", "sub"} <= angular
    known: set[str] = set()
    for _, section in done.shared:
        for name, root in section.statements:
            assert {node.data for node in root.walk() if node.op == "variable"} <= known
            known.add(name)


def test_schedule_knows_which_gradients_read_the_values_of_an_input():
    """That of x has the shape and the dtype of x, and reads the others alone."""
    done = schedule(typify(layout(reduce(align(domain(program(toys.TURNED)))))))
    x, t, w = range(3)
    assert done.readers == ((t, w), (x, t, w), (x, t, w))


def test_the_passes_are_small_pure_functions():
    assert [one.__name__ for one in PASSES] == [
        "lower", "numerical", "differentiate", "regular", "bound", "order", "literals", "domain", "guard", "align",
        "reduce", "layout", "typify", "schedule",
    ]  # fmt: skip
    assert all("Guarantees:" in one.__doc__ for one in PASSES)
