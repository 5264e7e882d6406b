"""The numbers of training stay what they are until RECIPE says otherwise: the losses of little runs, kept in golden.json.

``python -m tests.mope_impl.training.test_golden`` writes them anew. Whoever does that raises RECIPE in the same change: records
of experiments are told by it from those that another arithmetic made.
"""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mope_impl.training import RECIPE, train
from tests.mope_impl.training.tiny import tiny

GOLDEN = Path(__file__).with_name("golden.json")
VARIANTS: dict[str, dict[str, Any]] = {
    "learned": {"model": {"encoding": "learned", "dropout": 0.0}},
    "rotary, dropout": {"model": {"encoding": "rotary+learned", "dropout": 0.2}},
    "morlet, everything decays": {"model": {"encoding": "morlet", "dropout": 0.0}, "optimizer": {"decay_all": True}},
    "morlet, causal gate, in parts": {
        "model": {"encoding": "morlet", "gate": "causal", "dropout": 0.0},
        "training": {"accumulate": 2},
    },
    "relative": {"model": {"encoding": "morlet-relative", "sigma": 4.0, "dropout": 0.0}},
}
DIGITS = 9
"""Runs of six steps in float64: their losses differ between machines by their roundings, a few hundred of 2⁻⁵³ in a loss, which
AdamW magnifies by up to 10⁴ a step for the smallest gradients, and reach 10⁻¹¹; a change of the recipe shows far above."""


def losses(variant: str, folder: Path) -> list[float]:
    """Training losses, and the validation loss of the last step."""
    sections = VARIANTS[variant]
    training = {"precision": "float64", "steps": 6, **sections.get("training", {})}
    result = train(tiny(**{**sections, "training": training}), folder, tensorboard=False, pictures=False)
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [*(line["loss"] for line in lines if "loss" in line), result.validation]


@pytest.mark.parametrize("variant", VARIANTS)
def test_training_gives_the_numbers_of_its_recipe(tmp_path, variant):
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert golden["recipe"] == RECIPE, "RECIPE was raised: write golden.json anew"
    found = losses(variant, tmp_path / "run")
    assert found == pytest.approx(golden["losses"][variant], rel=10.0**-DIGITS), "training gives other numbers: raise RECIPE"


def test_another_recipe_is_seen(tmp_path, monkeypatch):
    """A learning rate that is one part in a thousand higher: what nobody would notice by eye."""
    import mope_impl.training.trainer as module

    rate = module.rate
    monkeypatch.setattr(module, "rate", lambda *rest: rate(*rest) * 1.001)
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["losses"]["learned"]
    assert losses("learned", tmp_path / "run") != pytest.approx(golden, rel=10.0**-DIGITS)


def test_seeds_are_part_of_the_recipe(tmp_path, monkeypatch):
    monkeypatch.setattr("mope_impl.training.initial.seed_of", lambda *parts: 1)
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["losses"]["learned"]
    assert losses("learned", tmp_path / "run") != pytest.approx(golden, rel=10.0**-DIGITS)


def main() -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        found = {name: losses(name, Path(folder) / str(number)) for number, name in enumerate(VARIANTS)}
    rounded = {name: [float(f"{loss:.{DIGITS + 3}g}") for loss in values] for name, values in found.items()}
    GOLDEN.write_text(json.dumps({"recipe": RECIPE, "losses": rounded}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
