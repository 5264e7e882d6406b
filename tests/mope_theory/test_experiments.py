"""Experiments as data: every rule speaks of models that have a label, and families, scopes and seeds fit together."""
from __future__ import annotations

import pytest
from sympy.core.symbol import Str

import mope_theory as mt
from mope_theory import experiments as e
from mope_theory.statement import And, LessEqual
from mope_theory.vocabulary.measured import InteractionLower, Measured, Seeds, label
from mope_theory.vocabulary.recipe import REPORTED

RULES = [(claim, side, rule) for claim in mt.claims() for side, rule in claim.rules.items()]
IDS = [f"{claim.id}-{side}" for claim, side, _ in RULES]


def spoken_of(rule) -> set[str]:
    found = set()
    for expression in rule.expressions:
        for head in expression.atoms(Measured):
            found |= {str(argument) for argument in head.args if isinstance(argument, Str)}
    return found


@pytest.mark.parametrize("claim, side, rule", RULES, ids=IDS)
def test_a_rule_speaks_of_known_models(claim, side, rule):
    assert spoken_of(rule) <= set(e.MODELS)


@pytest.mark.parametrize("claim, side, rule", RULES, ids=IDS)
def test_a_rule_asks_for_seeds_first(claim, side, rule):
    assert isinstance(rule, And)
    first = rule.body[0]
    assert isinstance(first, LessEqual)
    assert first.rhs == Seeds()
    number = e.TABLE_SEEDS if claim.id in ("experiment.table", "experiment.leak") else e.SEEDS
    assert int(first.lhs) == number


def test_a_wrong_label_is_caught():
    rule = And(LessEqual(InteractionLower(label("EGA-2"), label("none")), 0))
    assert not spoken_of(rule) <= set(e.MODELS)


def test_what_runs_judge_is_what_asks_for_them():
    judged = {claim.id for claim, _, _ in RULES}
    assert judged == {claim.id for claim in mt.claims() if "experiment" in claim.requires}
    assert {claim.id for claim in mt.claims() if claim.measured is not None} == {"learning.multipliers"}


def test_every_gate_has_a_model_with_every_encoding_that_it_is_combined_with():
    for gate in e.GATES:
        for encoding in (*e.CONTROLS, "MoPE"):
            assert e.gated(gate, encoding) in e.MODELS
    assert e.gated("EGA-1", "baseline") == "EGA-1"
    assert e.gated("EGA-1", "MoPE") == "EGA + MoPE"
    assert e.gated("EGA-1, causal", "MoPE") == "EGA + MoPE, causal"
    assert len({e.gated(gate, encoding) for gate in e.GATES for encoding in (*e.CONTROLS, "MoPE")}) == 10
    with pytest.raises(KeyError):
        e.gated("EGA-2", "MoPE")
    with pytest.raises(KeyError):
        e.gated("EGA-1", "RoPE")


def test_the_order_is_that_of_the_reported_figures():
    assert sorted(e.ORDER, key=lambda model: float(REPORTED[model][0])) == list(e.ORDER)
    assert set(e.ORDER) == set(REPORTED) - {"EGA-1, companion paper"}


@pytest.mark.parametrize("family", e.FAMILIES)
def test_families_compare_known_models_once(family):
    pairs = e.FAMILIES[family]
    assert pairs
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    assert {model for pair in pairs for model in pair} <= set(e.MODELS)


def test_every_model_says_what_it_is():
    assert all(e.MODELS.values())
    assert len(set(e.MODELS.values())) == len(e.MODELS)


def test_every_model_is_spoken_of_by_a_rule_or_a_family():
    spoken = set().union(*(spoken_of(rule) for _, _, rule in RULES))
    spoken |= {model for pairs in e.FAMILIES.values() for pair in pairs for model in pair}
    spoken |= {e.of_length(length) for length in e.LENGTHS}
    assert set(e.MODELS) == spoken


def test_a_scope_has_presets_of_its_own():
    presets = [preset for presets in e.SCOPES.values() for preset in presets]
    assert len(set(presets)) == len(presets)
    assert "smoke" not in presets  # it says that everything works, and nothing of the claims
