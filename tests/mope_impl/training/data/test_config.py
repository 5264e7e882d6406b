"""The settings of the data: one clear line for whatever is out of range, and equal settings are equal data."""
from __future__ import annotations

import pytest

from mope_impl.training.data import DataConfig, DataError


@pytest.mark.parametrize(
    "field, value",
    [
        ("source", ""),
        ("source", 3),
        ("tokens", "words"),
        ("tokens", None),
        ("vocabulary", 255),
        ("vocabulary", 512.0),
        ("vocabulary", True),
        ("validation", 0.0),
        ("validation", 1.0),
        ("validation", "0.1"),
        ("length", 0.0),
        ("length", -1.0),
        ("length", float("nan")),
        ("length", float("inf")),
        ("length", 4097.0),
        ("size", 1),
        ("size", 1e6),
        ("symbols", 1),
        ("symbols", 65),
        ("copies", 1.0),
        ("copies", -0.1),
        ("seed", -1),
        ("seed", 2**63),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(field, value):
    with pytest.raises(DataError) as caught:
        DataConfig(**{field: value})
    message = str(caught.value)
    assert message.startswith(f"data.{field}: got {value!r}, expected ")
    assert "\n" not in message
    assert isinstance(caught.value, ValueError)


def test_the_ends_of_the_ranges_are_in_them():
    for field, values in {
        "vocabulary": (256, 2**20), "length": (1e-3, 4096), "size": (2, 2**30), "symbols": (2, 64), "copies": (0, 0.99),
        "seed": (0, 2**63 - 1),
    }.items():  # fmt: skip
        for value in values:
            assert getattr(DataConfig(**{field: value}), field) == value


def test_a_whole_length_is_the_same_setting():
    assert DataConfig(length=8).to_dict() == DataConfig(length=8.0).to_dict()
    assert repr(DataConfig(length=8).length) == "8.0"
    assert DataConfig(**DataConfig(length=3, source="a.txt").to_dict()) == DataConfig(length=3, source="a.txt")
