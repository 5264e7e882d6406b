"""The configuration: types, ranges and names are checked, one line says what is wrong, and a hash tells runs apart."""
from __future__ import annotations

import json
import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mope_impl.nn import GPTConfig
from mope_impl.results.record import config_hash
from mope_impl.training import RECIPE, Config, ConfigError, DataConfig, OptimizerConfig, TrainingConfig, read
from tests.mope_impl.training.tiny import tiny


def test_the_defaults_are_the_published_recipe():
    config = Config()
    assert config.model == GPTConfig()
    assert config.optimizer == OptimizerConfig(3e-4, 0.0, 300, 0.9, 0.95, 0.1, False, 1.0)
    assert (config.training.steps, config.training.batch, config.training.accumulate) == (5000, 64, 1)
    assert (config.training.evaluate_every, config.training.estimate_batches) == (500, 50)


@pytest.mark.parametrize("config", [Config(), tiny(), tiny(training={"precision": "bfloat16"}, optimizer={"rate": 1e-7})])
def test_a_file_reads_back_as_what_was_written(tmp_path, config):
    path = tmp_path / "config.toml"
    path.write_text(config.to_toml(), encoding="utf-8")
    assert read(path) == config
    assert read(path).digest() == config.digest()
    assert Config.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_survives_the_file(text):
    config = replace(Config(), data=DataConfig(source=text))
    assert tomllib.loads(config.to_toml())["data"]["source"] == text


@pytest.mark.parametrize(
    "change, message",
    [
        ({"trainin": {}}, "unknown section trainin (did you mean training?)"),
        ({"training": {"step": 5}}, "unknown key training.step (did you mean training.steps?)"),
        ({"optimizer": {"wieght_decay": 0.1}}, "unknown key optimizer.wieght_decay (did you mean optimizer.weight_decay?)"),
        ({"model": {"head": 2}}, "unknown key model.head (did you mean model.heads?)"),
        ({"data": {"lenght": 2.0}}, "unknown key data.lenght (did you mean data.length?)"),
        ({"model": {"vocabulary": 65}}, "model.vocabulary: cannot be set, it follows from the data"),
        ({"training": {"steps": "many"}}, "training.steps: got 'many', expected an integer"),
        ({"training": {"steps": 5.0}}, "training.steps: got 5.0, expected an integer"),
        ({"training": {"steps": True}}, "training.steps: got True, expected an integer"),
        ({"training": {"compile": 1}}, "training.compile: got 1, expected true or false"),
        ({"optimizer": {"rate": "3e-4"}}, "optimizer.rate: got '3e-4', expected a number"),
        ({"optimizer": {"rate": True}}, "optimizer.rate: got True, expected a number"),
        ({"optimizer": {"rate": -1.0}}, "optimizer.rate: got -1.0, expected a finite number ≥ 0"),
        ({"optimizer": {"rate": float("nan")}}, "optimizer.rate: got nan, expected a finite number ≥ 0"),
        ({"optimizer": {"beta2": 1.0}}, "optimizer.beta2: got 1.0, expected a number in [0, 1)"),
        ({"training": {"steps": 0}}, "training.steps: got 0, expected an integer ≥ 1"),
        ({"training": {"seed": -1}}, "training.seed: got -1, expected an integer from 0 to 2⁶³ − 1"),
        ({"training": {"batch": 10, "accumulate": 4}}, "training.accumulate: got 4, which does not divide training.batch = 10"),
        ({"training": {"precision": "bfloat61"}}, "'float64' (did you mean bfloat16?)"),
        ({"model": {"encoding": "morlett"}}, "model.encoding: got 'morlett', expected one of "),
        ({"model": {"heads": 3}}, "model.heads: got 3, expected a divisor of the width, 256"),
        ({"data": {"length": -1.0}}, "data.length: got -1.0, expected "),
        ({"training": 5}, "training: got 5, expected a table of keys"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(change, message):
    with pytest.raises(ConfigError) as caught:
        Config.from_dict(change)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_fault_is_named():
    with pytest.raises(ConfigError) as caught:
        Config.from_dict({"training": {"step": 1, "batch": "x"}, "modle": {}})
    for name in ("training.step", "training.batch", "modle"):
        assert name in str(caught.value)


def test_settings_are_put_over_the_file_and_the_file_over_the_base(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("[training]\nsteps = 7\nbatch = 8\n[model]\nencoding = 'rotary'\n", encoding="utf-8")
    overrides = ["training.steps=9", "optimizer.rate=1", "data.source=2024-01-01", "model.encoding = alibi"]
    config = read(path, [*overrides, "training.compile=true"], {"training": {"batch": 16, "seed": 3}})
    assert (config.training.steps, config.training.batch, config.training.seed) == (9, 8, 3)
    assert (config.optimizer.rate, config.data.source) == (1.0, "2024-01-01")
    assert (config.model.encoding, config.training.compile) == ("alibi", True)


@pytest.mark.parametrize("text", ["training.steps", "steps=5", "=5", ".=5", "training.=5"])
def test_a_setting_that_is_none_is_refused(text):
    with pytest.raises(ConfigError, match=r"expected SECTION\.KEY=VALUE"):
        read(None, [text])


def test_a_setting_of_an_unknown_section_is_refused():
    with pytest.raises(ConfigError, match=r"unknown section optimiser \(did you mean optimizer\?\)"):
        read(None, ["optimiser.rate=1"])


@pytest.mark.parametrize(
    "content, message", [(b"\xff", "is not UTF-8"), (b"a = ", "is no TOML"), (b"training = 3", "a table of keys")]
)
def test_a_file_that_is_no_configuration_is_refused(tmp_path, content, message):
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        read(path, ["training.steps=3"])
    with pytest.raises(ConfigError, match="cannot read"):
        read(tmp_path / "missing.toml")


def test_the_hash_is_that_of_the_records():
    """Records compute it by code of their own."""
    assert tiny().digest() == config_hash(tiny().to_dict(), RECIPE)


def test_the_hash_does_not_mind_how_a_number_is_written_or_where_the_vocabulary_comes_from():
    whole = replace(Config(), optimizer=OptimizerConfig(weight_decay=0))
    assert whole.digest() == read(None, ["optimizer.weight_decay=0.0"]).digest()
    assert Config().with_vocabulary(99).digest() == Config().digest()


OTHER = {
    "model": {
        "context": 16, "layers": 2, "heads": 1, "width": 16, "dropout": 0.2, "attention_dropout": 0.1, "encoding": "learned",
        "layout": "half", "base": 5000.0, "constraint": "free", "center": "learned", "frequencies": "geometric", "product": 10.0,
        "sigma": 3.0, "gate": "causal", "projections": 2,
    },
    "data": {
        "source": "x", "tokens": "bytes", "vocabulary": 512, "validation": 0.2, "length": 3.0, "size": 601, "symbols": 9,
        "copies": 0.5, "seed": 2,
    },
    "optimizer": {
        "rate": 0.02, "final_rate": 0.1, "warmup": 4, "beta1": 0.8, "beta2": 0.9, "weight_decay": 0.2, "decay_all": True,
        "clip": 2.0,
    },
    "training": {
        "steps": 13, "batch": 8, "accumulate": 2, "precision": "float64", "compile": True, "seed": 2, "evaluate_every": 6,
        "estimate_batches": 3, "checkpoint_every": 4, "device": "auto", "deterministic": True,
    },
}  # fmt: skip
"""Another value for every setting."""


def test_the_hash_minds_everything_else(monkeypatch):
    """Each setting by itself, and RECIPE, gives another hash."""
    base = tiny(model={"gate": "published"}).to_dict()
    assert {section: set(keys) for section, keys in OTHER.items()} == {section: set(keys) for section, keys in base.items()}
    changes = [{**base, section: {**base[section], key: value}} for section, keys in OTHER.items() for key, value in keys.items()]
    hashes = [Config.from_dict(change).digest() for change in [base, *changes]]
    assert len(set(hashes)) == len(hashes)
    monkeypatch.setattr("mope_impl.training.config.RECIPE", RECIPE + 1)
    assert Config.from_dict(base).digest() not in hashes


def test_settings_are_frozen():
    with pytest.raises(AttributeError):
        TrainingConfig().steps = 3  # type: ignore[misc]
