"""The registry: every id of the ledger once, with the sides and the kinds of evidence it calls for, and sound statements."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.ledger import verify
from mope_theory.claim import KINDS, Claim
from mope_theory.claims import CLAIMS
from mope_theory.claims.expected import EXPECTED
from mope_theory.domains import uncovered, values_of
from mope_theory.statement import Equal, Exists, ForAll, Statement
from mope_theory.symbols import Head, N, b, factor, omega, psi, query_center, sigma
from mope_theory.vocabulary.functions import Functions, Partial, Unknown, Value
from mope_theory.vocabulary.measured import Measured

ROWS = """
definition.envelope         po DCF
phase.rope-angle            p  DFK
kernel.product              p  DFK
kernel.cross-correlation    p  DCFK
kernel.factorisation        o  DF
kernel.not-stationary       o  DF
kernel.rank-one             o  DF
kernel.rank                 o  D
kernel.tiling               o  DC
kernel.discrete             o  DC
kernel.positive-definite    o  DCF
kernel.frequency-mixture    o  DCF
limit.sinusoidal            po DCFK
limit.rope-kernel           po DCF
limit.rope-score            po DCFK
limit.indistinguishable     o  DCK
limit.alibi                 po DCF
limit.no-position           o  DF
uncertainty.bound           po DCF
uncertainty.equality        po DCF
admissibility.fourier       o  DCF
admissibility.dc            o  DCF
admissibility.strict        po DC
admissibility.one-sided     o  DC
alias.nyquist               o  DFK
alias.admissibility         po DC
locality.reach              o  DC
locality.centre             po DF
learning.gradients          o  DCFK
learning.clamp              o  DK
learning.start              p  D
learning.forced             o  D
learning.decay              o  DC
learning.multipliers        o  DE
gate.parameters             o  DK
gate.causality              p  DK
gate.causal-form            o  DFK
gate.threshold              po DC
report.arithmetic           o  D
report.units                po D
report.parameters           po DK
experiment.table            p  E
experiment.leak             po E
experiment.superadditive    po E
experiment.boundary         p  E
experiment.synthetic        o  E
experiment.extensions       p  E
"""
"""Id, statements that exist (p: published, o: ours), letters of the evidence, in the order of the ledger."""

TABLE = {id: (sides, letters) for id, sides, letters in (row.split() for row in ROWS.strip().splitlines())}
LETTERS = dict(zip("DCFKE", KINDS, strict=True))
SIDES = {"p": "published", "o": "ours"}


# --- checks: what is wrong with a tuple of claims, one line a fault ------------------------------------------------------


def wrong_ids(claims: Iterable[Claim]) -> list[str]:
    ids = [claim.id for claim in claims]
    faults = [f"{id} is registered {n} times" for id, n in Counter(ids).items() if n > 1]
    faults += [f"{id} is not in the table" for id in ids if id not in TABLE]
    faults += [f"{id} is not registered" for id in TABLE if id not in ids]
    return faults or ([] if ids == list(TABLE) else ["the order is not that of the ledger"])


def wrong_rows(claims: Iterable[Claim]) -> Iterator[str]:
    for claim in claims:
        sides, letters = TABLE[claim.id]
        if list(claim.statements) != [SIDES[side] for side in sides]:
            yield f"{claim.id} has the sides {', '.join(claim.statements)}"
        if claim.requires != tuple(LETTERS[letter] for letter in letters):
            yield f"{claim.id} requires {', '.join(claim.requires)}"
        if not (claim.title and claim.title[0].isupper() and not claim.title.endswith(".")):
            yield f"{claim.id} has the title {claim.title!r}"
        if not claim.reason.endswith("."):
            yield f"{claim.id} gives no reason"
        if (claim.place == "–") != ("published" not in claim.statements):
            yield f"{claim.id} has the place {claim.place!r}"


def wrong_boxes(claims: Iterable[Claim]) -> Iterator[str]:
    for claim in claims:
        yield from (f"{claim.id}: {fault}" for fault in uncovered(claim))
        free = set().union(*(s.free_symbols for s in claim.statements.values()))
        yield from (f"{claim.id}: {symbol} of the box is in neither statement" for symbol in set(claim.box) - free)


def wrong_uses(claims: Iterable[Claim]) -> list[str]:
    claims = tuple(claims)
    known = {claim.id for claim in claims}
    faults = [f"{c.id} uses {id}, which is not registered" for c in claims for id in c.uses if id not in known]
    try:
        TopologicalSorter({claim.id: claim.uses for claim in claims}).prepare()
    except CycleError as cycle:
        faults.append(f"a circle of uses: {' '.join(cycle.args[1])}")
    return faults


KNOWN_OPERATORS = {"re", "im", "sign", "dist", "ulp", "rd", "seeds"}
PYTHON = re.compile(r"Symbol\(|Lambda|Str\(|\\mapsto|Tuple|None|True|False|object at|_\{\}|\\text\{\w+\}\\left")


def unreadable(latex: str) -> Iterator[str]:
    """What shows that a formula was printed by a fallback, or is not balanced."""
    if not latex.strip():
        yield "it is empty"
    if found := PYTHON.search(latex):
        yield f"it shows Python: {found[0]}"
    yield from (f"it names {x}" for x in set(re.findall(r"\\operatorname\{(.*?)\}", latex)) - KNOWN_OPERATORS)
    if latex.count(r"\left") - latex.count(r"\leftrightarrow") != latex.count(r"\right") - latex.count(r"\rightarrow"):
        yield r"\left and \right do not match"
    depth = 0
    for mark in re.sub(r"\\[{}]", "", latex):
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            break
    if depth:
        yield "braces do not match"


def wrong_latex(claims: Iterable[Claim]) -> Iterator[str]:
    for claim in claims:
        for side, statement in claim.statements.items():
            yield from (f"{claim.id}, {side}: {fault}" for fault in unreadable(statement.latex()))
            own = {type(f) for e in statement.expressions for f in sp.preorder_traversal(e) if isinstance(f, OWN)}
            yield from (f"{claim.id}, {side}: {kind.__name__} prints itself by default" for kind in own if not printed(kind))


OWN = (Head, Measured, Value, Partial)


def printed(kind: type) -> bool:
    return "_latex" in {name for cls in kind.__mro__ if cls.__module__.startswith(("mope_theory", "tests")) for name in vars(cls)}


def symbols_of(claim: Claim) -> Iterator[sp.Symbol]:
    """Every symbol of a claim: of its box, free, bound by a quantifier, and inside the definitions of heads."""
    yield from claim.box
    for statement in claim.statements.values():
        yield from statement.free_symbols
        yield from _bound(statement)
        for expr in statement.expressions:
            yield from _symbols_in(expr)


def _symbols_in(expr: sp.Basic) -> Iterator[sp.Symbol]:
    for part in sp.preorder_traversal(expr):
        if isinstance(part, sp.Symbol):
            yield part
        elif isinstance(part, Head):
            yield from _symbols_in(part.definition())


def _bound(statement: Statement) -> Iterator[sp.Symbol]:
    yield from statement.bound_symbols
    for part in statement.parts():
        if isinstance(part, Statement):
            yield from _bound(part)


def shared_names(claims: Iterable[Claim]) -> list[str]:
    """Names that stand for two things: symbols with other assumptions, unknown functions between other sets."""
    meanings: dict[str, set[object]] = {}
    for claim in claims:
        for symbol in set(symbols_of(claim)):
            space = symbol.space if isinstance(symbol, Unknown) else None
            meanings.setdefault(symbol.name, set()).add((space, frozenset(symbol.assumptions0.items())))
    return [f"{name} stands for {len(kinds)} things" for name, kinds in meanings.items() if len(kinds) > 1]


CHECKS: dict[str, Callable[[Iterable[Claim]], Iterable[str]]] = {
    f.__name__: f for f in (wrong_ids, wrong_rows, wrong_boxes, wrong_uses, wrong_latex, shared_names)
}


@pytest.mark.parametrize("check", CHECKS)
def test_the_registry_is_sound(check: str) -> None:
    assert list(CHECKS[check](CLAIMS)) == []


def test_the_expected_verdicts_are_of_the_same_ids() -> None:
    assert list(EXPECTED) == list(TABLE)
    assert [id for id, verdict in EXPECTED.items() if verdict is None] == [i for i, (_, kinds) in TABLE.items() if kinds == "E"]


# --- each check is seen to fail ------------------------------------------------------------------------------------------


def changed(id: str, /, **fields: object) -> tuple[Claim, ...]:
    return tuple(replace(claim, **fields) if claim.id == id else claim for claim in CLAIMS)


class Bare(Head):
    """A head without LaTeX of its own."""

    nargs = 1


_naked = Equal(Bare(omega), sp.S.One)
_other_sigma = sp.Symbol("sigma", nonnegative=True)
_pd = mt.claim("kernel.rank")

FAULTS: list[tuple[str, Callable[[], tuple[Claim, ...]], str]] = [
    ("wrong_ids", lambda: CLAIMS[1:], "definition.envelope is not registered"),
    ("wrong_ids", lambda: (*CLAIMS, CLAIMS[0]), "definition.envelope is registered 2 times"),
    ("wrong_ids", lambda: changed("kernel.rank", id="kernel.rang"), "kernel.rang is not in the table"),
    ("wrong_ids", lambda: CLAIMS[::-1], "order"),
    ("wrong_rows", lambda: changed("learning.start", ours=mt.claim("learning.forced").ours), "learning.start has the sides"),
    ("wrong_rows", lambda: changed("limit.alibi", published=None), "limit.alibi has the sides"),
    ("wrong_rows", lambda: changed("limit.alibi", requires=("derivation",)), "limit.alibi requires"),
    ("wrong_rows", lambda: changed("limit.alibi", requires=("enclosure", "derivation", "formal")), "limit.alibi requires"),
    ("wrong_rows", lambda: changed("limit.alibi", reason=""), "no reason"),
    ("wrong_rows", lambda: changed("limit.alibi", title="alibi"), "title"),
    ("wrong_rows", lambda: changed("limit.alibi", place="–"), "place"),
    ("wrong_boxes", lambda: changed("phase.rope-angle", box={omega: sp.S.Reals, sigma: sp.S.Reals}), "no range for m"),
    ("wrong_boxes", lambda: changed("phase.rope-angle", box=mt.claim("phase.rope-angle").box | {sigma: sp.S.Reals}), "beyond"),
    ("wrong_boxes", lambda: changed("kernel.rank", box=_pd.box | {N: sp.S.Integers}), "beyond"),
    ("wrong_boxes", lambda: changed("kernel.rank", box=_pd.box | {b: sp.S.Reals}), "b of the box is in neither"),
    ("wrong_uses", lambda: changed("phase.rope-angle", uses=("kernel.prodct",)), "uses kernel.prodct"),
    ("wrong_uses", lambda: changed("kernel.product", uses=("phase.rope-angle",)), "circle"),
    ("wrong_latex", lambda: changed("learning.start", published=_naked), "Bare"),
    ("shared_names", lambda: changed("learning.start", published=Equal(_other_sigma, sp.S.One)), "sigma stands for 2"),
    (
        "shared_names",
        lambda: changed("learning.start", published=Exists(sp.Symbol("N"), sp.S.Naturals, Equal(omega, sp.S.One))),
        "N stands for 2",
    ),
    (
        "shared_names",
        lambda: changed("learning.start", published=Equal(Unknown("x", Functions(sp.S.Reals, sp.S.Reals))(b), sp.S.One)),
        "x stands for 2",
    ),
]  # fmt: skip


@pytest.mark.parametrize("check, plant, message", FAULTS, ids=[f"{check}-{n}" for n, (check, *_) in enumerate(FAULTS)])
def test_a_planted_fault_is_named(check: str, plant: Callable[[], tuple[Claim, ...]], message: str) -> None:
    faults = list(CHECKS[check](plant()))
    assert any(message in fault for fault in faults), faults


@pytest.mark.parametrize(
    "latex, message",
    [
        ("", "empty"),
        (r"Symbol('x') = 1", "Python"),
        (r"\left( x \mapsto x\right) = 1", "Python"),
        (r"\operatorname{psi}{\left(b \right)} = 1", "names psi"),
        (r"\left(x = 1", "do not match"),
        (r"\frac{1}{2 = x", "braces"),
        (r"x} + {1 = x", "braces"),
    ],
)
def test_an_unreadable_formula_is_named(latex: str, message: str) -> None:
    assert any(message in fault for fault in unreadable(latex))


# --- the ledger ----------------------------------------------------------------------------------------------------------


def test_a_claim_without_evidence_is_open_and_its_row_is_computed() -> None:
    ids = [claim.id for claim in CLAIMS if not claim.derivations and not claim.enclosures]
    assert ids
    rows = verify(ids).to_json()["claims"]
    assert [row["id"] for row in rows] == ids
    assert {row["verdict"] for row in rows} == {"open"}
    for row, claim in zip(rows, map(mt.claim, ids), strict=True):
        assert row["missing"] == list(claim.requires)
        assert row["evidence"] == []
        assert (row["published_latex"] is None) == (claim.published is None)
        assert (row["ours_latex"] is None) == (claim.ours is None)


def test_what_is_derived_is_decided_as_expected_and_the_rest_is_open() -> None:
    for row in verify(levels=["derive"]).rows:
        assert row.verdict == (row.expected if row.claim.derivations else "open"), row.claim.id
    assert {"kernel.product", "kernel.cross-correlation", "limit.sinusoidal"} <= {c.id for c in mt.claims() if c.derivations}


# --- unknown functions ---------------------------------------------------------------------------------------------------

_sequence = Unknown("x", Functions(sp.S.Naturals0, sp.S.Reals))


def test_an_unknown_function_is_a_symbol_of_its_space() -> None:
    assert values_of(_sequence) == _sequence.space
    assert _sequence == Unknown("x", Functions(sp.S.Naturals0, sp.S.Reals))
    assert _sequence != Unknown("x", Functions(sp.S.Naturals0, sp.S.Complexes))
    assert _sequence != sp.Symbol("x")
    assert _sequence(N).free_symbols == {_sequence, N}
    assert _sequence(0).is_real
    assert Unknown("a", Functions(sp.S.Naturals0, sp.S.Complexes))(0).is_real is None


def test_complex_symbols_range_over_the_plane() -> None:
    assert values_of(query_center) == sp.S.Complexes
    assert values_of(factor) == sp.S.Complexes - sp.FiniteSet(0)
    assert values_of(sp.Symbol("undeclared")) == sp.S.EmptySet


def test_a_lambda_in_the_place_of_an_unknown_is_evaluated() -> None:
    statement = ForAll(_sequence, _sequence.space, Equal(_sequence(2), sp.S.One))
    n = sp.Symbol("n", real=True)
    assert statement.body.substitute({_sequence: sp.Lambda(n, n**2)}) == Equal(sp.Integer(4), sp.S.One)
    loss = Unknown("L", Functions(sp.ProductSet(sp.S.Reals, sp.S.Reals), sp.S.Reals, "C^{1}"))
    x, y = sp.symbols("x y")
    assert Partial(loss, 2, 3, 5).xreplace({loss: sp.Lambda((x, y), x * y**2)}) == 30


@pytest.mark.parametrize(
    "part, whole, inside",
    [
        (Functions(sp.S.Reals, sp.S.Reals), Functions(sp.S.Reals, sp.S.Complexes), True),
        (Functions(sp.S.Reals, sp.S.Complexes), Functions(sp.S.Reals, sp.S.Reals), None),
        (Functions(sp.S.Reals, sp.S.Reals, "C^{1}"), Functions(sp.S.Reals, sp.S.Reals), True),
        (Functions(sp.S.Reals, sp.S.Reals), Functions(sp.S.Reals, sp.S.Reals, "C^{1}"), None),
        (Functions(sp.S.Integers, sp.S.Reals), Functions(sp.S.Reals, sp.S.Reals), None),
    ],
)
def test_a_set_of_functions_lies_in_another(part: Functions, whole: Functions, inside: bool | None) -> None:
    assert part.is_subset(whole) is inside


def test_a_kind_of_function_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="kind"):
        Functions(sp.S.Reals, sp.S.Reals, "smooth")


def test_the_packet_still_prints_as_one() -> None:
    assert psi(b, omega, sigma) in mt.claim("definition.envelope").published.body[0].rhs.args
