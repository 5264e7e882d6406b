"""The record of a finished run: one small JSON file, and what makes it one that can be trusted to be what was written.

A record lies at ``<folder>/<preset>/<variant>/seed-<seed>.json``. Beside what was measured it holds the whole configuration with
its hash, and a check sum over everything: a record that was edited, cut off or put in another's place is refused by name.
The check sum is against damage and slips; it protects from nobody.
"""
from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any

SCHEMA = 1
DIGITS = 7
"""Significant digits that measured numbers keep; a float32 has as many. The configuration is never rounded."""

_EVALUATION = {"train", "validation", "estimate"}
_SHAPE = ("omega", "sigma", "omega_effective", "sigma_effective")
_LEAK = ("whole", "prefix", "standard_error")


class RecordError(ValueError):
    """What is read is no record of a run; the message is one line that names the file and the fault."""


def config_hash(config: Mapping[str, Any], recipe: int) -> str:
    """SHA-256, in hexadecimal digits, of the canonical JSON of {"config": config, "recipe": recipe}: keys sorted, no spaces."""
    return _sha({"recipe": recipe, "config": config})


@dataclass(frozen=True)
class Record:
    """A finished run.

    Losses are mean cross-entropies in nats; None stands for one that is no finite number: the run diverged. Measured numbers
    are cut to 7 digits. Raises ValueError for anything that cannot be a run of that seed and configuration.
    """

    preset: str
    """Of what size the run is: cpu, paper, …"""
    variant: str
    """Id of the variant; also the name of a folder."""
    label: str
    """What the claims call it; see ``mope_theory.experiments``."""
    seed: int
    """Equals config["training"]["seed"]."""
    config: dict[str, Any]
    """The whole configuration as plain types, the seed included."""
    config_hash: str
    """``config_hash(config, recipe)``."""
    recipe: int
    """Number of the training code's generation: another one would give other numbers for the same configuration."""
    source: dict[str, Any]
    """{"commit": hexadecimal digits or "", "modified": bool}: the tree that the run was made with."""
    versions: dict[str, str]
    """Name → version of what it ran on: python, torch, …"""
    device: dict[str, Any]
    """{"name": text, "threads": int}; further keys are free."""
    finished: str
    """When it ended, ISO 8601 with its time zone."""
    seconds: float
    """What training took, evaluations included and interruptions left out."""
    parameters: int
    """Number of trained parameters."""
    evaluations: tuple[dict[str, Any], ...]
    """{"step", "train", "validation", "estimate"} in nats per token: training loss, the whole validation split, and the estimate
    from random batches; steps rise, and each of the three may be None."""
    validation: float | None
    """Loss at the last step on the whole validation split, nats per character: what the claims speak of."""
    validation_per_token: float | None
    """The same in nats per token."""
    tokens: int
    """Tokens of the validation split that are predicted."""
    characters: int
    """Characters that these tokens stand for."""
    measures: dict[str, Any]
    """What else was measured at the end. Known keys, each left out where it means nothing:

    shape: [{"step", "omega", "sigma", "omega_effective", "sigma_effective"}, …], lists over pairs: stored, and as the forward
        pass uses them; the last entry is of the last step.
    gradients: {"omega", "sigma", "loss"}: ∂L/∂ω_eff and ∂L/∂σ_eff over pairs, and L, at the end on fixed training windows.
    leak: {"whole", "prefix", "positions", "standard_error"}: mean loss at a sample of positions with the whole window visible,
        and on each prefix alone, their number, and the standard error of the mean difference; "places" and "gains", where
        they are there, are positions in a window and the mean difference at each.
    reach: distance, in tokens, within which 68.27 % of the influence of a token on the predictions after it lies.
    best_loss: the loss of a synthetic source's own predictor in the evaluated windows, nats per character.

    Others are plain finite numbers, texts, and lists and mappings of them. A run that diverged leaves out what it has no
        finite numbers for.
    """

    def __post_init__(self) -> None:
        for name in ("evaluations", "validation", "validation_per_token", "seconds", "measures"):
            object.__setattr__(self, name, _cut(getattr(self, name)))
        evaluations: Any = self.evaluations
        object.__setattr__(self, "evaluations", tuple(evaluations) if isinstance(evaluations, list) else evaluations)
        for fault in _faults(self):
            raise ValueError(fault)

    @property
    def place(self) -> Path:
        """Its path below a folder of records."""
        return place(self.preset, self.variant, self.seed)

    def to_json(self) -> dict[str, Any]:
        """The record as plain types, with the schema and the check sum."""
        body = {"schema": SCHEMA, **asdict(self), "evaluations": list(self.evaluations)}
        return {**body, "sum": _sha(body)}

    @classmethod
    def from_json(cls, data: Any) -> Record:
        """The record that ``to_json`` made these plain types of. Raises RecordError for any others."""
        if not isinstance(data, Mapping):
            raise RecordError("not the record of a run")
        if data.get("schema") != SCHEMA:
            raise RecordError(f"schema {data.get('schema')!r}, expected {SCHEMA}")
        names = [field.name for field in fields(cls)]
        wrong = sorted({"schema", "sum", *names} ^ set(data))
        if wrong:
            raise RecordError(f"unknown or missing: {', '.join(wrong)}")
        body = {key: value for key, value in data.items() if key != "sum"}
        try:
            if data["sum"] != _sha(body):
                raise RecordError("its check sum is another: it was edited or damaged")
            return cls(**{name: data[name] for name in names})
        except ValueError as problem:
            raise RecordError(str(problem)) from None

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record in a file whose place is that of the run. Raises RecordError, which names the file."""
        try:
            record = cls.from_json(json.loads(path.read_text(encoding="utf-8")))
            if path.parts[-3:] != record.place.parts:
                raise RecordError(f"it is the record of {record.place}")
        except OSError as problem:
            raise RecordError(f"{path}: {problem.strerror}") from None
        except RecordError as problem:
            raise RecordError(f"{path}: {problem}") from None
        except (ValueError, RecursionError):  # no UTF-8, no JSON, or a whole number of thousands of digits
            raise RecordError(f"{path}: not JSON: cut off or damaged") from None
        return record

    def write(self, folder: Path) -> Path:
        """Write it to its place below a folder of records, as a whole or not at all; what was there before is replaced."""
        path = folder / self.place
        write_json(path, self.to_json())
        return path


def place(preset: str, variant: str, seed: int) -> Path:
    """Where the record of a run lies, below a folder of records."""
    return Path(preset, variant, f"seed-{seed}.json")


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write plain types so that the file is there as a whole or not at all: one line a key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in data.items())
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".new", encoding="utf-8", delete=False) as file:
        try:
            file.write("{\n" + lines + "\n}\n")
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o644)  # a temporary file is its maker's alone
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _sha(data: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError("a record and its configuration are plain types with finite numbers") from None
    return hashlib.sha256(text.encode()).hexdigest()


def _cut(value: Any) -> Any:
    """Numbers to seven digits, in whatever lists and mappings they stand; a loss that is no finite number to None."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _cut(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cut(one) for one in value]
    return value


# --- what is wrong with a record -----------------------------------------------------------------------------------------


def _faults(record: Record) -> list[str]:
    found = [f"{name} is {value!r}, expected text" for name in ("preset", "variant", "label", "finished", "config_hash")
             if not (isinstance(value := getattr(record, name), str) and value)]  # fmt: skip
    found += [f"{name} is {value!r}, expected a name of a folder" for name in ("preset", "variant")
              if not set(str(value := getattr(record, name))) <= _NAME or str(value).startswith(".")]  # fmt: skip
    found += [f"{name} is {value!r}, expected a whole number from {least} on"
              for name, least in (("seed", 0), ("recipe", 0), ("parameters", 0), ("tokens", 1), ("characters", 1))
              if not _whole(value := getattr(record, name), least)]  # fmt: skip
    found += [f"{name} is {value!r}, expected a mapping" for name in ("config", "source", "versions", "device", "measures")
              if not isinstance(value := getattr(record, name), Mapping)]  # fmt: skip
    found += [f"{name} is {value!r}, expected a list" for name in ("evaluations",)
              if not isinstance(value := getattr(record, name), tuple)]  # fmt: skip
    if not _number(record.seconds):
        found.append(f"seconds is {record.seconds!r}, expected a finite number")
    found += [f"{name} is {value!r}, expected a number or None" for name in ("validation", "validation_per_token")
              if not _loss(value := getattr(record, name))]  # fmt: skip
    return found or [*_config_faults(record), *_evaluation_faults(record.evaluations), *_measure_faults(record.measures)]


_NAME = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+")


def _config_faults(record: Record) -> list[str]:
    own = config_hash(record.config, record.recipe)
    found = [] if record.config_hash == own else [f"config_hash is {record.config_hash!r}, that of its configuration is {own!r}"]
    training = record.config.get("training")
    seed = training.get("seed") if isinstance(training, Mapping) else None
    if seed != record.seed:
        found.append(f"seed is {record.seed}, that of its configuration is {seed!r}")
    if set(record.source) != {"commit", "modified"}:
        found.append("source is not a commit and whether it was modified")
    if not {"name", "threads"} <= set(record.device):
        found.append("device has no name or no number of threads")
    return found


def _evaluation_faults(evaluations: Sequence[Any]) -> list[str]:
    for one in evaluations:
        if not (isinstance(one, Mapping) and set(one) == {"step", *_EVALUATION} and _whole(one["step"], 0)):
            return [f"an evaluation is {one!r}, expected step, {', '.join(sorted(_EVALUATION))}"]
        if not all(_loss(one[name]) for name in _EVALUATION):
            return [f"a loss at step {one['step']} is neither a number nor None"]
    steps = [one["step"] for one in evaluations]
    return [] if steps and steps == sorted(set(steps)) else ["the steps of the evaluations do not rise, or there are none"]


def _measure_faults(measures: Mapping[str, Any]) -> list[str]:
    shape, gradients, leak = measures.get("shape"), measures.get("gradients"), measures.get("leak")
    found, pairs = [], None
    if shape is not None:
        pairs = _pairs(shape)
        if pairs is None:
            found.append(f"the measure shape is no list over rising steps of {', '.join(_SHAPE)}, each over the same pairs")
    if gradients is not None:
        own = gradients if isinstance(gradients, Mapping) else {}
        sizes = {len(own[name]) if _numbers(own.get(name)) else 0 for name in ("omega", "sigma")}
        if len(sizes) != 1 or 0 in sizes or (pairs is not None and sizes != {pairs}) or not _number(own.get("loss")):
            found.append("the measure gradients is not omega and sigma over the pairs, and loss")
    if leak is not None and not (
        isinstance(leak, Mapping) and all(_number(leak.get(name)) for name in _LEAK) and _whole(leak.get("positions"), 1)
    ):
        found.append(f"the measure leak is not {', '.join(_LEAK)} and a number of positions")
    found += [f"the measure {name} is {measures[name]!r}, expected a number" for name in ("reach", "best_loss")
              if name in measures and not _number(measures[name])]  # fmt: skip
    return found


def _pairs(shape: Any) -> int | None:
    """Number of pairs that a trajectory of shapes is over; None where it is no trajectory."""
    if not (isinstance(shape, list) and shape):
        return None
    steps, sizes = [], set()
    for one in shape:
        if not (isinstance(one, Mapping) and _whole(one.get("step"), 0) and all(_numbers(one.get(name)) for name in _SHAPE)):
            return None
        steps.append(one["step"])
        sizes |= {len(one[name]) for name in _SHAPE}
    return sizes.pop() if len(sizes) == 1 and steps == sorted(set(steps)) else None


def _whole(value: object, least: int) -> bool:
    return type(value) is int and value >= least


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _loss(value: object) -> bool:
    return value is None or _number(value)


def _numbers(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_number, value))
