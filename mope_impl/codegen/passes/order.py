"""From SymPy expressions to operations in one fixed order of evaluation."""
from __future__ import annotations

from functools import reduce

import sympy as sp

from mope_theory.spec import SpecError

from ..ir import FUNCTIONS, Formula, Node, Program, leaves_of


def order(formula: Formula) -> Program:
    """Guarantees: the same operations in the same order under every hash seed.

    In a product the sums come first, then the functions, then the symbols, and one division last: products that share
    their first factors share the operation, and no reciprocal of an input is ever formed alone.
    """
    inputs = (leaf for k in range(len(formula.spec.inputs)) for leaf in leaves_of(formula.spec, k))
    leaves = {symbol: leaf for (_, symbol), leaf in zip(formula.spec.variables, inputs, strict=True)}
    leaves |= {v: Node("incoming", data=k, label=v.name) for k, v in enumerate(formula.incoming)}
    leaves |= {z: Node("binding", data=z.name, label=z.name) for z in formula.bindings}
    bindings = {z.name: graph(value, leaves).named(z.name) for z, value in formula.bindings.items()}
    for z, value in formula.binding_adjoints.items():
        symbol = formula.adjoint_of(z)
        leaves[symbol] = graph(value, leaves).named(symbol.name)
    return Program(
        spec=formula.spec,
        outputs=tuple(graph(c, leaves) for c in formula.channels),
        gradients=tuple(graph(a, leaves) for a in formula.adjoints),
        bindings=bindings,
    )


def graph(expression: sp.Expr, leaves: dict[sp.Symbol, Node]) -> Node:
    """Operations for one expression."""
    if not expression.free_symbols:
        return Node("constant", data=expression)
    if expression.is_Symbol:
        return leaves[expression]
    if expression.is_Add:
        return _sum(expression, leaves)
    if expression.is_Mul:
        return _product(expression, leaves)
    if type(expression) in FUNCTIONS:
        return Node(FUNCTIONS[type(expression)], tuple(graph(arg, leaves) for arg in expression.args))
    if expression.is_Pow:
        return _power(expression, leaves)
    raise SpecError(f"{type(expression).__name__} cannot be lowered, in {sp.sstr(expression)}")


def _sum(expression: sp.Add, leaves: dict[sp.Symbol, Node]) -> Node:
    """Positive terms first; what has no symbol is one constant, added last."""
    constant, rest = expression.as_independent(*expression.free_symbols, as_Add=True)
    terms = sorted(sp.Add.make_args(rest), key=sp.default_sort_key)
    plus = [t for t in terms if not t.could_extract_minus_sign()]
    minus = [-t for t in terms if t.could_extract_minus_sign()]
    if not plus and constant == 0:
        return Node("neg", (reduce(_plus, [graph(t, leaves) for t in minus]),))
    nodes = [graph(t, leaves) for t in plus] or [Node("constant", data=constant)]
    total = reduce(_minus, [graph(t, leaves) for t in minus], reduce(_plus, nodes))
    if not plus or constant == 0:
        return total
    return Node("add", (total, Node("constant", data=constant)))


def _product(expression: sp.Mul, leaves: dict[sp.Symbol, Node]) -> Node:
    """constant · (sums, functions, symbols) / (sums, functions, symbols), a bare sign in front of it all."""
    constant, rest = expression.as_independent(*expression.free_symbols, as_Add=False)
    factors = sorted(sp.Mul.make_args(rest), key=_rank)
    above = [graph(f, leaves) for f in factors if not _is_divisor(f)]
    below = [graph(1 / f, leaves) for f in factors if _is_divisor(f)]
    if constant.is_Rational and constant.q & (constant.q - 1):  # no float: multiply and divide by whole numbers instead
        below.append(Node("constant", data=sp.Integer(constant.q)))
        constant = sp.Integer(constant.p)
    negative = constant == -1
    constant = sp.Integer(1) if negative else constant
    if constant != 1 or not above:
        above = [Node("constant", data=constant), *([reduce(_times, above)] if above else [])]
    quotient = Node("div", (reduce(_times, above), reduce(_times, below))) if below else reduce(_times, above)
    return Node("neg", (quotient,)) if negative else quotient


def _rank(factor: sp.Expr) -> tuple[int, object]:
    base = factor.as_base_exp()[0]
    kind = 0 if base.is_Add else 1 if isinstance(factor, sp.Function) or not base.is_Symbol else 2
    return kind, sp.default_sort_key(factor)


def _is_divisor(factor: sp.Expr) -> bool:
    return bool(factor.is_Pow and factor.exp.is_Rational and factor.exp < 0)


def _power(expression: sp.Pow, leaves: dict[sp.Symbol, Node]) -> Node:
    """Whole powers by multiplication, halves by a root, any other exponent by the power operation."""
    base, exponent = expression.as_base_exp()
    if exponent.is_Rational and exponent < 0:
        return Node("div", (Node("constant", data=sp.Integer(1)), graph(1 / expression, leaves)))
    if exponent.is_Integer and exponent <= 8:
        return reduce(_times, [graph(base, leaves)] * int(exponent))
    if exponent == sp.Rational(1, 2):
        return Node("sqrt", (graph(base, leaves),))
    return Node("pow", (graph(base, leaves), graph(exponent, leaves)))


def _plus(left: Node, right: Node) -> Node:
    return Node("add", (left, right))


def _minus(left: Node, right: Node) -> Node:
    return Node("sub", (left, right))


def _times(left: Node, right: Node) -> Node:
    return Node("mul", (left, right))
