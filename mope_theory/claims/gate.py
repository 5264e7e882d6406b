"""Claims on the energy gate: its parameters, whether it is causal, a form that is, and what its threshold means."""
from __future__ import annotations

import sympy as sp
from sympy import Integral, Lambda, S, Sum, oo, sign

from ..claim import Claim, Later
from ..derivation import directly
from ..enclosure import Subdivision
from ..logic import conjunction
from ..rules import Decide
from ..statement import And, Equal, ForAll, Implies, LessEqual, Statement
from ..symbols import N, channel, dimension, k, m, sigma, t
from ..vocabulary.functions import Indices, Unknown
from ..vocabulary.gates import (
    PARAMETERS,
    PassShare,
    StandardScore,
    energies,
    head_size,
    others,
    output,
    query,
    threshold,
    tokens,
)
from ..vocabulary.numerals import Distance, decimal, rounds_to
from ..vocabulary.recipe import HEADS, LAYERS, WIDTH, GateParameters
from ..vocabulary.spectra import normal_density
from .forms import POSITIVE, REAL, for_all
from .proofs.causal import causal_form
from .proofs.causality import not_causal
from .proofs.threshold import meaning, not_any_energies
from .ratios import t_sigma

_counts = tuple(
    directly(Equal(GateParameters(*map(sp.Integer, (LAYERS, HEADS, WIDTH, inert))), sp.Integer(count)), Decide())
    for inert, count in ((0, 12432), (1, 12480))
)

PARAMETER_COUNT = Claim(
    id="gate.parameters",
    title="Parameters of the gate",
    place="–",
    box={},
    ours=And(*(count.statement for count in _counts)),
    requires=("derivation", "kernel"),
    derivations=(conjunction(*_counts),),
    reading="Arguments: layers, heads, channels, inert scalars a head.",
    reason="Each of the 6 × 8 heads has a projection of 256 weights with a bias, a sharpness and a threshold, 259 in all.",
)

_all_keys = Lambda(k, N)
_to_query = Lambda(k, query + 1)
_to_key = Lambda(k, k + 1)
_tokens_so_far = Indices(query + 1)


def _normalised(x: Unknown) -> Statement:
    """Every token has mean 0 and variance 1 over its channels, as layer normalisation leaves it."""
    channels = (channel, 0, dimension - 1)
    return ForAll(
        k,
        Indices(N),
        And(Equal(Sum(x(k, channel), channels), S.Zero), Equal(Sum(x(k, channel) ** 2, channels), dimension)),
    )


def _agree(x: Unknown, other: Unknown) -> Statement:
    """The tokens up to the query j are the same."""
    channels = Indices(dimension)
    return for_all((k, _tokens_so_far), for_all((channel, channels), Equal(x(k, channel), other(k, channel))))


def _causal(prefix: Lambda, *hypotheses: Statement) -> Statement:
    """∀ x, y, query j, channel: x and y agree up to j ⇒ their outputs at j agree."""
    same = for_all(
        (channel, Indices(head_size)),
        Equal(output(tokens, query, channel, prefix), output(others, query, channel, prefix)),
    )
    hypothesis = And(*hypotheses, _agree(tokens, others)) if hypotheses else _agree(tokens, others)
    return for_all(
        (tokens, tokens.space), (others, others.space), ForAll(query, Indices(N), Implies(hypothesis, same))
    )


_matrices, _vector, (_bias, _sharpness, _threshold) = PARAMETERS[:3], PARAMETERS[3], PARAMETERS[4:7]
_sizes = ((dimension, S.Naturals), (head_size, S.Naturals))


def _for_all_parameters(body: Statement) -> Statement:
    """∀ sizes, projections, gate: body."""
    gate = for_all((_bias, REAL), (_sharpness, REAL), (_threshold, REAL), body)
    projections = for_all(*((w, w.space) for w in _matrices), ForAll(_vector, _vector.space, gate))
    return for_all(*_sizes, projections)


_published_gate_is_causal = _for_all_parameters(_causal(_all_keys, _normalised(tokens), _normalised(others)))

CAUSALITY = Claim(
    id="gate.causality",
    title="The published gate is not causal",
    place="3 contributions",
    box={N: sp.Range(3, oo)},
    published=_published_gate_is_causal,
    requires=("derivation", "kernel"),
    derivations=Later(lambda: (not_causal(_published_gate_is_causal),)),
    reading=(
        "One head without dropout and output projection, three tokens or more. It is causal if two inputs that layer "
        "normalisation can give and that agree up to a token have the same output there, whatever the parameters."
    ),
    reason=(
        "The mean and the deviation of the energies run over the whole sequence, so a later token moves the gate of an "
        "earlier key: with four channels and three tokens the output at the second is 0.9351 or 0.6480 by the third, and any "
        "number of tokens from three on has such a pair of inputs."
    ),
)

_first_two = (StandardScore(energies, sp.Integer(i), sp.Integer(i + 1)) for i in (0, 1))
_zeroth, _first = _first_two

_causal_forms = And(
    _causal(_to_query),
    _causal(_to_key),
    Equal(_zeroth, S.Zero),
    Implies(
        LessEqual(decimal("2e-8"), Distance(energies(1), energies(0))), Equal(_first, sign(energies(1) - energies(0)))
    ),
)

CAUSAL_FORM = Claim(
    id="gate.causal-form",
    title="A causal form of the gate",
    place="–",
    box={N: S.Naturals, energies: energies.space}
    | {p: p.space if isinstance(p, Unknown) else REAL for p in PARAMETERS[:7]}
    | dict.fromkeys(PARAMETERS[7:], S.Naturals),
    ours=_causal_forms,
    requires=("derivation", "formal", "kernel"),
    derivations=Later(lambda: (causal_form(_causal_forms),)),
    reading=(
        "The superscript is the number of keys that mean and deviation run over: N for the published gate; j + 1, up to the "
        "query j, which is the published gate given the first j + 1 tokens alone; k + 1, up to the key k. That the second "
        "score is ±1 asks that the two energies differ by 2·10⁻⁸ or more, where the clamp of the deviation is not met."
    ),
    reason=(
        "Up to the query, nothing later enters. Up to the key neither, and a score once computed stays; but the first is 0, "
        "and the second, with two energies to compare, has size 1 whatever they are."
    ),
    uses=("gate.causality",),
)

_level = decimal("0.35")
_tail = Integral(normal_density(t, S.Zero, S.One), (t, _level, oo))
_any_tail = Integral(normal_density(t, m, sigma**2), (t, m + _level * sigma, oo))
_share = PassShare(energies, N, threshold)

_content_share = for_all(
    (N, S.Naturals), (energies, energies.space), rounds_to(PassShare(energies, N, _level), "0.36")
)
_normal_share = And(
    Equal(_any_tail, _tail),
    rounds_to(_tail, "0.363"),
    LessEqual(_share, 1 / (1 + threshold**2)),
    rounds_to(1 / (1 + _level**2), "0.891"),
)

_thirty_six = _content_share
_meaning = _normal_share

THRESHOLD = Claim(
    id="gate.threshold",
    title="What the threshold means",
    place="companion paper on the gate",
    box={N: S.Naturals, energies: energies.space, threshold: POSITIVE, m: REAL, sigma: POSITIVE},
    published=_thirty_six,
    ours=_meaning,
    requires=("derivation", "enclosure"),
    derivations=Later(lambda: (not_any_energies(_thirty_six), meaning(_meaning))),
    enclosures=(
        Subdivision(_content_share, at={N: sp.Integer(2), energies: Lambda(k, k**2)}),
        Subdivision(_normal_share.body[0], inside={t: m + sigma * t_sigma}, within=60, bits=96),
        Subdivision(_normal_share.body[1]),
        Subdivision(_normal_share.body[3]),
    ),
    reading=(
        "“τ ≈ 0.35 reflects the 36 % of content words”: a standard score above 0.35 picks out 36 % of the tokens, whatever "
        "their energies are."
    ),
    reason=(
        "Standardising fixes a mean and a deviation and no more: the share above τ can be anything up to 1/(1 + τ²). "
        "It is 36 % for every normal energy, so the figure speaks of the normal law, not of words."
    ),
)

CLAIMS = (PARAMETER_COUNT, CAUSALITY, CAUSAL_FORM, THRESHOLD)
