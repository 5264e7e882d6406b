"""The relative kernel has full rank, because its form is positive."""
from __future__ import annotations

from sympy import Lambda, S, Sum, conjugate

from ...derivation import Derivation, chain, directly
from ...lemmas.algebra import UNDERDETERMINED, matrix
from ...logic import Assume, Cite, Contradiction, Generalise, Suppose, Using, Weaken, conjunction, instance
from ...rules import Combine, Decide, Exchanged, Rewrite, Termwise
from ...statement import Equal, Not
from ...symbols import N, channel, dimension, ell, j, k
from ...vocabulary.functions import Unknown
from ...vocabulary.sequences import nonzero
from .places import within
from .quadratic_forms import MORLET, QuadraticForm
from .shorthand import Form, at, detach, given, witness

_rows, _columns = (j, 0, N - 1), (k, 0, N - 1)


def full_rank(statement: Form, vector: Unknown, positions: Unknown, left: Unknown, right: Unknown) -> Suppose:
    """Both members, where the positions are distinct."""
    trivial, features = statement.conclusion.body
    kernel = _trivial_kernel(trivial, vector, positions)
    return Suppose(statement, conjunction(kernel, _no_features(features, kernel, vector, left, right)))


def _trivial_kernel(statement: Form, vector: Unknown, positions: Unknown) -> Suppose:
    """Σ_k K_{jk} a_k = 0 for every j makes the form of ā zero, which is positive if an a_j is not zero."""
    form = QuadraticForm(MORLET, vector, positions)
    conjugated = {vector: Lambda(j, conjugate(vector(j)))}
    zero = Equal(vector(j), S.Zero)
    product = form.value.xreplace(conjugated)
    row: Form = _conjugate_row(Assume(statement.hypothesis), vector)
    inner = directly(Equal(Sum(product.function, _rows), S.Zero), Combine((vector(k), instance(row, {ell: k}))))
    vanishes = chain(product, (Termwise(inner, k, S.Zero, N - 1), S.Zero))
    positive = Using(instance(form.positive, conjugated), _nonzero_conjugate(nonzero(vector).substitute(conjugated), vector))
    contradiction = Contradiction(zero, vanishes, Weaken(Not(vanishes.statement), positive))
    return Suppose(statement, Generalise(statement.conclusion, contradiction))


def _conjugate_row(rows: Derivation, vector: Unknown) -> Derivation:
    """Σ_j ā_j K(x_j − x_l) = 0, the conjugate of row l."""
    row = at(rows, ell, facts=within(ell))
    total: Form = row.statement
    product = conjugate(total.lhs.function).xreplace({k: j})
    return chain(
        Sum(product, _rows), (Decide(), conjugate(total.lhs, evaluate=False)), (Rewrite(row), S.Zero)
    )


def _nonzero_conjugate(statement: Form, vector: Unknown) -> Derivation:
    """One of the ā_j is not zero, for if a_j is not, ā_j is not."""
    value = vector(j)
    vanishing = Assume(Equal(conjugate(value), S.Zero))
    back = conjugate(conjugate(value), evaluate=False)
    zero = chain(value, (Decide(), back), (Rewrite(vanishing), S.Zero))
    different = Contradiction(Not(vanishing.statement), zero, Assume(Not(zero.statement)))
    return witness(statement, j, different, *within(j))


def _no_features(statement: Form, kernel: Derivation, vector: Unknown, left: Unknown, right: Unknown) -> Suppose:
    """Fewer features than positions: some a ≠ 0 has Σ_k V_{ki} a_k = 0 for every i, so that Σ_k K_{jk} a_k = 0."""
    features = statement.conclusion.body
    solvable = detach(instance(Cite(UNDERDETERMINED), {matrix: right}), Assume(statement.hypothesis))
    solution: Form = solvable.statement
    somewhere, equations = solution.body.body
    term = left(j, channel) * right(k, channel) * vector(k)
    known: Form = kernel.statement
    rows = known.hypothesis
    entry = at(Assume(features.body.body), j, k, facts=(*within(j), *within(k)))
    expanded = directly(
        Equal(rows.body.lhs.function, Sum(term, (channel, 0, dimension - 1))), Combine((-vector(k), entry))
    )
    column = at(Assume(equations), channel, facts=within(channel, dimension))
    cancelled = directly(Equal(Sum(term, _columns), S.Zero), Combine((left(j, channel), column)))
    row = chain(
        rows.body.lhs,
        (Termwise(expanded, k, S.Zero, N - 1), Sum(term, (channel, 0, dimension - 1), _columns)),
        (Exchanged(), Sum(term, _columns, (channel, 0, dimension - 1))),
        (Termwise(cancelled, channel, S.Zero, dimension - 1), S.Zero),
    )
    zeros = detach(kernel, Generalise(rows, row))
    zero = at(zeros, j, facts=within(j))
    found: Derivation = Contradiction(statement.conclusion, zero, Assume(Not(zero.statement)))
    for existence in (Assume(somewhere), solvable, Assume(features.body), Assume(features)):
        found = given(existence, found)
    return Suppose(statement, Contradiction(statement.conclusion, Assume(features), found))
