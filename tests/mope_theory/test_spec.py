"""Specifications: what a name may be, how axes are read, and what is refused, each with the part at fault."""
from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
import sympy as sp

from mope_theory.registry import UnknownName
from mope_theory.spec import POSITIVE_OR_INFINITE, Guard, Input, KernelSpec, NumericalForm, SpecError, parse_axes
from mope_theory.specs import spec, specs

x, y, z = sp.symbols("x y z", real=True)
p = sp.Symbol("p", positive=True)
X, Y = Input("x", x, "*t"), Input("y", y, "n")
TOY = KernelSpec("toy", "A toy", "none", (X, Y), (x * y, x + y), "*t (n c)")


@pytest.mark.parametrize("name", ["beta", "gamma", "N", "S", "E", "I", "Q", "zeta", "pi_", "x1"])
def test_names_that_sympy_reads_as_functions_are_ordinary_names(name):
    """Through sympify, beta, gamma, N, S and E are functions and constants."""
    one = Input(name, sp.Symbol(name, real=True), "t")
    made = KernelSpec(name, "A toy", "none", (one,), (one.symbol**2,), "t")
    assert made.inputs[0].symbol.is_Symbol
    assert made.channels[0].free_symbols == {one.symbol}


@pytest.mark.parametrize(
    "name", ['__import__("os").getpid()', "lambda", "class", "None", "", "1x", "a b", "a.b", "a\nb", "ω", None, 3]
)
def test_anything_else_than_an_identifier_is_refused_as_a_name(name):
    """A symbol named '__import__("os").getpid()' is executed by printers that trust it."""
    with pytest.raises(SpecError, match="input name"):
        Input(name, x, "t")
    with pytest.raises(SpecError, match="kernel name"):
        replace(TOY, name=name)
    if isinstance(name, str):
        with pytest.raises(SpecError, match="symbol of input x"):
            Input("x", sp.Symbol(name, real=True), "t")


def test_text_that_could_leave_its_quotes_is_refused():
    for text in ('"""\nimport os', "two\nlines", "back\\slash"):
        with pytest.raises(SpecError, match="one line"):
            Input("x", x, "t", doc=text)
        for part in ("title", "claim", "accuracy"):
            with pytest.raises(SpecError, match="one line"):
                replace(TOY, **{part: text})


def test_a_string_is_never_read_as_a_formula():
    with pytest.raises(SpecError, match="expected a SymPy expression"):
        replace(TOY, channels=("x*y", "x+y"))


@pytest.mark.parametrize(
    "text, axes", [("", ()), ("n", ("n",)), ("t n", ("t", "n")), ("*t n", ("*t", "n")), ("  h   d ", ("h", "d"))]
)
def test_axes_are_read_as_einops_and_jaxtyping_write_them(text, axes):
    assert parse_axes(text, "here") == axes


@pytest.mark.parametrize("text", ["t t", "n *t", "*t t", "t-n", "(t n)", "2", "*", "lambda"])
def test_malformed_axes_are_refused(text):
    with pytest.raises(SpecError, match="here, axes"):
        parse_axes(text, "here")


@pytest.mark.parametrize(
    "output, axes, layout",
    [
        ("*t (n c)", ("*t", "n"), "interleaved"),
        ("*t (c n)", ("*t", "n"), "halves"),
        ("*t n c", ("*t", "n"), "stacked"),
        ("*t n", ("*t", "n"), "separate"),
    ],
)
def test_the_output_says_where_the_channels_go(output, axes, layout):
    made = replace(TOY, output=output)
    assert (made.axes, made.layout) == (axes, layout)


@pytest.mark.parametrize("output", ["(*t c) n", "*t (n t)", "*t (c c)", "*t c (n c)", "c *t n", "*t (n c) n", "*t n)", "*t c n"])
def test_a_malformed_output_is_refused(output):
    with pytest.raises(SpecError, match="output of toy"):
        replace(TOY, output=output)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"inputs": ()}, "at least one input"),
        ({"channels": ()}, "at least one input and one channel"),
        ({"inputs": (X, replace(Y, name="x"))}, "two inputs have one name"),
        ({"inputs": (X, replace(Y, symbol=x))}, "two inputs have one symbol"),
        ({"inputs": (X, Input("y", sp.Symbol("x", positive=True), "n", POSITIVE_OR_INFINITE))}, "two inputs have one symbol"),
        ({"channels": (x * z, x)}, "z belongs to no input"),
        ({"inputs": (X, replace(Y, axes="m"))}, "an axis of no input"),
        ({"inputs": (X, replace(Y, axes="n m"))}, "its axes 'n m' are not axes of"),
        ({"inputs": (X, replace(Y, default=0))}, "a default needs another floating-point input"),
        ({"inputs": (replace(X, kind="number"), replace(Y, kind="number"))}, "decides the dtype"),
    ],
)
def test_inconsistent_parts_are_refused(change, message):
    with pytest.raises(SpecError, match=message):
        replace(TOY, **change)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"symbol": sp.Symbol("x")}, "not declared real"),
        ({"symbol": sp.Dummy("x", real=True)}, "expected a plain SymPy symbol"),
        ({"symbol": "x"}, "expected a plain SymPy symbol"),
        ({"kind": "integer"}, "expected 'float', 'parameter' or 'number'"),
        ({"symbol": sp.Symbol("x", extended_real=True)}, "not declared real"),
        ({"domain": POSITIVE_OR_INFINITE}, "its symbol x is not declared so"),
        ({"domain": (0, 1)}, r"got the domain \(0, 1\), expected a SymPy set that is not empty"),
        ({"domain": sp.S.EmptySet}, "got the domain EmptySet, expected a SymPy set that is not empty"),
    ],
)
def test_an_inconsistent_input_is_refused(change, message):
    with pytest.raises(SpecError, match=message):
        replace(X, **change)


@pytest.mark.parametrize(
    "given, domain",
    [
        ({"integer": True}, sp.Reals),
        ({"nonnegative": True}, sp.Reals),
        ({"positive": True}, sp.Reals),
        ({"positive": True}, sp.Interval(0, 1)),
        ({"integer": True, "positive": True}, sp.S.Naturals0),
        ({"integer": True}, sp.Interval(0, 1)),
        ({"real": True, "zero": False}, sp.Reals),
        ({"real": True}, sp.Interval(-sp.oo, sp.oo) + sp.FiniteSet(-sp.oo)),
    ],
)
def test_a_domain_beyond_the_assumptions_of_the_symbol_is_refused(given, domain):
    """cos((ω + 2π)k) is cos(ωk) for whole k, |u| is u for u ≥ 0: what SymPy simplifies away must not matter in the domain."""
    with pytest.raises(SpecError, match=r"input x: its domain .* is not within .*, as x is"):
        Input("x", sp.Symbol("x", **given), "*t", domain)


@pytest.mark.parametrize("given", [{"negative": True}, {"even": True}, {"rational": True}, {"irrational": True}])
def test_a_symbol_whose_assumptions_have_no_known_set_is_refused(given):
    """A negative symbol turns |u| into −u, an even one cos(πu) into 1."""
    with pytest.raises(SpecError, match=r"input x: the symbol x .* is of no accepted kind"):
        Input("x", sp.Symbol("x", **given), "*t")


@pytest.mark.parametrize(
    "given, domain",
    [
        ({"integer": True}, sp.S.Integers),
        ({"integer": True}, sp.Range(-4, 5)),
        ({"integer": True, "nonnegative": True}, sp.S.Naturals0),
        ({"nonnegative": True}, sp.Interval(0, sp.oo)),
        ({"positive": True}, sp.Interval.open(0, 1)),
        ({"positive": True}, POSITIVE_OR_INFINITE),
        ({"real": True}, sp.Interval(-(2**53), 2**53)),
        ({"real": True, "zero": False}, sp.Reals - sp.FiniteSet(0)),
    ],
)
def test_a_domain_within_the_assumptions_is_accepted(given, domain):
    assert Input("x", sp.Symbol("x", **given), "*t", domain).domain == domain


FORM = NumericalForm({z: x * y}, (z, x + y), Guard(z, 40))


@pytest.mark.parametrize(
    "form, message",
    [
        (replace(FORM, channels=(z,)), "1 channels for 2"),
        (replace(FORM, channels=(p, x)), "p belongs to no input"),
        (replace(FORM, bindings={z: p}), "p belongs to no input"),
        (replace(FORM, bindings={p: x, z: p}), "z in the numerical form of toy: p is bound there, too; write z out in terms of"),
        (replace(FORM, bindings={z: x, sp.Symbol("x"): y}), "x is the name of an input"),
        (replace(FORM, bindings={sp.Symbol("lambda", real=True): y}), "numerical form of toy: got 'lambda'"),
        (replace(FORM, guard=Guard(x, 40)), "x is not bound"),
        (replace(FORM, guard=Guard(z, 0)), "expected a positive integer"),
        (replace(FORM, guard=Guard(z, True)), "expected a positive integer"),
        (replace(FORM, guard=Guard(z, 40.0)), "expected a positive integer"),
    ],
)
def test_an_inconsistent_numerical_form_is_refused(form, message):
    with pytest.raises(SpecError, match=message):
        replace(TOY, numerical=form)


def test_domains_say_whether_infinity_is_legal_and_what_is_enforced():
    sigma = spec("morlet_encoding").input("sigma")
    assert sp.oo in sigma.domain
    assert 0 not in sigma.domain
    assert sigma.is_positive
    omega = spec("morlet_encoding").input("omega")
    assert sp.oo not in omega.domain
    assert not omega.is_positive
    assert omega.largest == 8192
    assert spec("morlet_encoding").box[omega.symbol] == omega.domain


def test_the_digest_follows_the_meaning_and_no_hash_seed():
    base = TOY.digest
    assert replace(TOY, title="Another title").digest == base
    changed = [
        replace(TOY, channels=(x * y, x - y)),
        replace(TOY, output="*t (c n)"),
        replace(TOY, inputs=(replace(X, kind="number"), Y)),
        replace(TOY, inputs=(replace(X, domain=sp.Interval(0, 1)), Y)),
        replace(TOY, claim="other"),
    ]
    assert len({base, *(one.digest for one in changed)}) == 6
    code = "from mope_theory.specs import spec; print(spec('morlet_encoding').digest)"
    printed = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for seed in ("0", "1", "2")
    }
    assert printed == {spec("morlet_encoding").digest}


def test_specifications_are_found_by_name():
    assert [one.name for one in specs()] == sorted(one.name for one in specs())
    assert spec("morlet_encoding") in specs()
    with pytest.raises(UnknownName, match="unknown spec 'morlet_encodin': did you mean morlet_encoding"):
        spec("morlet_encodin")


def test_every_specification_belongs_to_a_registered_claim():
    from mope_theory import claim

    for one in specs():
        assert claim(one.claim).id == one.claim


PAIRS = Input("u", (x, z), "*t [n c]")
TURN = KernelSpec("turn", "A toy", "none", (PAIRS, Y), (x * y, z * y), "*t [n c]")


@pytest.mark.parametrize(
    "axes, own, layout",
    [
        ("*t [n c]", ("*t", "n"), "chosen"),
        ("*t (n c)", ("*t", "n"), "interleaved"),
        ("(c n)", ("n",), "halves"),
        ("*t c", ("*t",), "stacked"),
    ],
)
def test_an_input_may_have_channels(axes, own, layout):
    one = replace(PAIRS, axes=axes)
    assert (one.own, one.layout, one.symbols, one.has_channels) == (own, layout, (x, z), True)
    assert (X.own, X.layout, X.symbols, X.has_channels) == (("*t",), "separate", (x,), False)


def test_variables_are_the_symbols_of_all_channels():
    assert [(one.name, symbol) for one, symbol in TURN.variables] == [("u", x), ("u", z), ("y", y)]
    assert TURN.box == {x: sp.Reals, z: sp.Reals, y: sp.Reals}
    assert TURN.layout_is_chosen
    assert not replace(TURN, inputs=(replace(PAIRS, axes="*t (n c)"), Y), output="*t (c n)").layout_is_chosen
    assert replace(TURN, inputs=(replace(PAIRS, axes="*t (n c)"), Y)).layout_is_chosen


@pytest.mark.parametrize("axes", ["*t [c n]", "[n c] *t", "*t [n m]", "*t [n c", "*t [n c)", "*t (n c]", "*t [n] c", "c [n c]"])
def test_a_malformed_group_is_refused(axes):
    with pytest.raises(SpecError, match="input u"):
        replace(PAIRS, axes=axes)
    with pytest.raises(SpecError, match="output of turn"):
        replace(TURN, output=axes)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"axes": "*t n"}, "a tuple of symbols goes with a channel axis c, got the axes"),
        ({"symbol": x}, "a tuple of symbols goes with a channel axis c, got the axes"),
        ({"symbol": ()}, "needs at least one channel"),
        ({"symbol": (x, sp.Symbol("q"))}, "its symbol q is not declared real"),
        ({"symbol": (x, "q")}, "expected a plain SymPy symbol"),
        ({"symbol": (x, sp.Symbol("a b", real=True))}, "symbol of input u: got 'a b'"),
        ({"symbol": (x, p)}, "its domain .* is not within"),
        ({"symbol": (p, sp.Symbol("q", positive=True)), "domain": sp.Interval.open(0, 1)}, "channels take values of either sign"),
        ({"default": 0}, "an input with channels has no default"),
    ],
)
def test_inconsistent_channels_are_refused(change, message):
    with pytest.raises(SpecError, match=message):
        replace(PAIRS, **change)


def test_two_channels_of_one_symbol_are_refused():
    with pytest.raises(SpecError, match="two inputs have one symbol"):
        replace(TURN, inputs=(replace(PAIRS, symbol=(x, x)), Y))
    with pytest.raises(SpecError, match="two inputs have one symbol"):
        replace(TURN, inputs=(replace(PAIRS, symbol=(x, y)), Y))


def test_a_parameter_does_not_decide_the_dtype():
    with pytest.raises(SpecError, match="decides the dtype"):
        replace(TURN, inputs=(replace(PAIRS, kind="parameter"), replace(Y, kind="number")))


def test_the_digest_tells_channels_apart():
    other = replace(TURN, inputs=(replace(PAIRS, symbol=(z, x)), Y))
    assert len({TURN.digest, other.digest, replace(TURN, inputs=(replace(PAIRS, axes="*t (n c)"), Y)).digest}) == 3
