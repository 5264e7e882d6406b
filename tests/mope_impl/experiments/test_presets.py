"""The declared grids: what the claims ask for is run, comparisons are fair, committed grids are those of the code."""
from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from mope_impl.experiments.grid import declared, tasks
from mope_impl.experiments.presets import CPU, FULL, PAPER, PRESETS, ROWS, SMOKE, Preset, merged
from mope_impl.experiments.variants import VARIANTS
from mope_impl.nn import GPT
from mope_impl.results.grid import Grid
from mope_impl.training import Config
from mope_theory.experiments import (
    EXTENSIONS,
    FAMILIES,
    LENGTHS,
    MODELS,
    ORDER,
    PUBLISHED_PARAMETERS,
    SEEDS,
    TABLE_SEEDS,
    of_length,
)

RESULTS = Path(__file__).resolve().parents[3] / "results"
LABELS = {variant.label: variant.id for variant in VARIANTS.values()}


def config(preset: Preset, variant: str, seed: int = 1) -> Config:
    return Config.from_dict(preset.configuration(variant, seed))


def differences(preset: Preset, one: str, other: str) -> set[str]:
    """The keys in which the configurations of two variants differ."""
    first, second = (config(preset, name).to_dict() for name in (one, other))
    return {f"{section}.{key}" for section in first for key in first[section] if first[section][key] != second[section][key]}


def test_every_label_has_one_variant():
    assert len(LABELS) == len(VARIANTS)
    assert set(LABELS) == set(MODELS)
    assert all(re.fullmatch(r"[a-z0-9-]+", id) for id in VARIANTS)


@pytest.mark.parametrize("preset", [CPU, FULL], ids=lambda one: one.name)
def test_a_grid_has_every_model_that_a_rule_speaks_of(preset):
    assert {VARIANTS[id].label for id in preset.seeds} == set(MODELS)
    table = {*ORDER, "EGA-1, causal", *(of_length(length) for length in LENGTHS)}
    for label, id in LABELS.items():
        assert preset.seeds[id] == (TABLE_SEEDS if label in table else preset.seeds[id]) >= SEEDS


def test_the_paper_has_the_six_rows():
    assert tuple(sorted(VARIANTS[id].label for id in ROWS)) == tuple(sorted(ORDER))
    assert all(PAPER.seeds[id] == TABLE_SEEDS for id in ROWS)


def test_a_missing_model_would_show():
    fewer = replace(CPU, seeds={id: number for id, number in CPU.seeds.items() if id != "bounded"})
    with pytest.raises(AssertionError):
        test_a_grid_has_every_model_that_a_rule_speaks_of(fewer)


def test_seed_one_of_every_variant_comes_first():
    for preset in PRESETS.values():
        runs = list(preset.runs())
        assert [seed for _, seed in runs] == sorted(seed for _, seed in runs)
        assert Counter(variant for variant, _ in runs) == preset.seeds


def test_the_published_baseline_has_its_parameters():
    sizes = {}
    for id in ("learned", "gate-learned"):
        model = GPT(config(PAPER, id).with_vocabulary(65).model)
        sizes[id] = sum(parameter.numel() for parameter in model.parameters())
    assert sizes == {"learned": PUBLISHED_PARAMETERS, "gate-learned": PUBLISHED_PARAMETERS + 12_432}


def test_the_published_recipe():
    one = config(PAPER, "morlet")
    optimizer = one.optimizer
    assert (optimizer.rate, optimizer.final_rate, optimizer.warmup, optimizer.clip) == (3e-4, 0.0, 300, 1.0)
    assert (optimizer.beta1, optimizer.beta2, optimizer.weight_decay, optimizer.decay_all) == (0.9, 0.95, 0.1, True)
    assert (one.training.steps, one.training.batch, one.model.dropout) == (5000, 64, 0.1)
    assert (one.model.constraint, one.model.product, one.model.center) == ("reference", 5.0, "origin")


@pytest.mark.parametrize("preset", [CPU, FULL], ids=lambda one: one.name)
def test_compared_models_differ_in_what_is_compared(preset):
    about = {"model.encoding", "model.gate", "model.center"}
    for family in FAMILIES.values():
        for first, second in family:
            apart = differences(preset, LABELS[first], LABELS[second])
            # The widths of rotary encodings are ours, and spared by the decay; rotary alone has none.
            spared = {"optimizer.decay_all", "model.sigma"} if first.startswith("Morlet-RoPE") else set()
            assert apart <= about | spared, (first, second)
            assert apart


def test_arms_differ_from_the_reference_in_one_thing():
    arms = {
        "interior-10": {"model.product"},
        "interior-20": {"model.product"},
        "no-decay": {"optimizer.decay_all"},
        "no-constraint": {"model.constraint"},
        "bounded": {"model.constraint", "model.product"},
        "learned-centre": {"model.center"},
    }
    for preset in (CPU, FULL):
        assert {arm: differences(preset, arm, "morlet") for arm in arms} == arms


def test_sources_differ_in_their_length_alone():
    for length in LENGTHS[1:]:
        assert differences(CPU, f"source-{length}", "source-4") == {"data.length"}
    assert config(CPU, "source-8", 3).data.seed == 3
    assert config(CPU, "source-8", 3).to_dict() == config(FULL, "source-8", 3).to_dict()  # of no size but their own


def test_extensions_are_compared_within_their_kind():
    for first, second in EXTENSIONS:
        one, other = (config(CPU, LABELS[label]) for label in (first, second))
        assert (one.data, one.model.context, one.training) == (other.data, other.model.context, other.training)


def test_a_longer_context_has_as_many_tokens_a_step():
    for preset in (CPU, FULL):
        short, long = config(preset, "learned"), config(preset, "long-learned")
        assert long.model.context > short.model.context
        assert long.training.batch * long.model.context == short.training.batch * short.model.context


def test_smoke_needs_neither_network_nor_compiler():
    for one in tasks(SMOKE):
        assert (one.config.data.source, one.config.training.compile) == ("synthetic", False)


def test_hashes_tell_all_runs_apart():
    for preset in PRESETS.values():
        every = [one.digest for one in tasks(preset)]
        assert len(set(every)) == len(every)


def test_tasks_are_chosen():
    names = [(one.variant, one.seed) for one in tasks(SMOKE, ["morlet", "learned"], [2])]
    assert names == [("learned", 2), ("morlet", 2)]


@pytest.mark.parametrize("name", PRESETS)
def test_the_committed_grid_is_the_declared_one(name):
    """After a change of a preset: ``mope reproduce --preset NAME --declare`` writes it."""
    assert Grid.read(RESULTS / "grids" / f"{name}.json") == declared(PRESETS[name])


def test_a_changed_preset_is_not_the_committed_one():
    changed = replace(SMOKE, base=merged(SMOKE.base, {"optimizer": {"rate": 2e-3}}))
    assert Grid.read(RESULTS / "grids" / "smoke.json") != declared(changed)


def test_a_grid_is_small_and_plain():
    path = RESULTS / "grids" / "cpu.json"
    assert path.stat().st_size < 20_000
    assert json.loads(path.read_text(encoding="utf-8"))["preset"] == "cpu"


def test_the_package_alone_loads_no_torch():
    code = "import mope_impl.experiments, mope_impl.experiments.worker, sys; assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
