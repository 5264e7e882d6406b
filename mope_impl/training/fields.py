"""Frozen dataclasses of plain values from untyped data: strict types, no unknown key, one clear line for whatever is wrong."""
from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from .errors import ConfigError

T = TypeVar("T")

WORDS: dict[Any, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "a text in quotes",
    type(None): "nothing",
}


def build(cls: type[T], data: Any, place: str, derived: Mapping[str, str] | None = None) -> T:
    """An instance of a dataclass, nested dataclasses included, from a mapping of plain values.

    Args:
        cls: the dataclass; keys that are left out take its defaults.
        data: the mapping.
        place: what a message names before a key, "" at the top.
        derived: keys that may not be given, each with what they follow from.

    Raises:
        ConfigError: for data that is no mapping, a key that is unknown (with the nearest known one), a key that is wanted, a
            value of another type, and whatever the dataclass itself refuses.
    """
    if not isinstance(data, Mapping):
        raise ConfigError(f"{place or 'configuration'}: got {data!r}, expected a table of keys")
    hints = get_type_hints(cls)
    known = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]
    faults: list[str] = []
    values: dict[str, Any] = {}
    for key, value in data.items():
        name = f"{place}.{key}" if place else str(key)
        if derived and name in derived:
            faults.append(f"{name}: cannot be set, it follows from {derived[name]}")
        elif key not in known:
            faults.append(unknown("key" if place else "section", name, [f"{place}.{one}" if place else one for one in known]))
        else:
            try:
                values[key] = checked(hints[key], value, name, derived)
            except ConfigError as fault:
                faults.append(str(fault))
    required = [name for name, field in known.items() if field.default is MISSING and field.default_factory is MISSING]
    faults += [f"{place}.{name}: is missing" for name in required if name not in data]
    if faults:
        raise ConfigError("; ".join(faults))
    try:
        return cls(**values)
    except ValueError as fault:  # of a range, which the dataclass checks
        text = " ".join(str(fault).split())
        raise ConfigError(text if not place or text.startswith(f"{place}.") else f"{place}.{text}") from None


def checked(hint: Any, value: Any, name: str, derived: Mapping[str, str] | None = None) -> Any:
    """The value, of the type that a field declares; ConfigError otherwise. A whole number is a number, a truth value is none."""
    if is_dataclass(hint) and isinstance(hint, type):
        return build(hint, value, name, derived)
    if isinstance(value, list) and tuple in (get_origin(one) for one in (hint, *get_args(hint))):
        value = tuple(value)  # TOML and JSON know lists only
    try:
        return TypeAdapter(hint).validate_python(value, strict=True)
    except ValidationError:
        message = f"{name}: got {value!r}, expected {described(hint)}"
    choices = [one for one in choices_of(hint) if isinstance(one, str)]
    raise ConfigError(message + (nearest(value, choices) if isinstance(value, str) else ""))


def described(hint: Any) -> str:
    """A type in words."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "one of " + ", ".join(map(repr, arguments)) if len(arguments) > 1 else repr(arguments[0])
    if origin in (types.UnionType, typing.Union):
        return " or ".join(described(one) for one in arguments if one is not type(None))
    if origin is tuple:
        return f"a list, each of it {described(arguments[0])}"
    return WORDS.get(hint, str(hint))


def choices_of(hint: Any) -> Iterable[Any]:
    """The values that a type of choices admits."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return [value for one in get_args(hint) for value in choices_of(one)]


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """What to say of a name that is not known, with the nearest one that is, or with all of them."""
    known = list(known)
    near = nearest(name, known)
    return f"unknown {kind} {name}{near or ': known are ' + ', '.join(known)}"


def nearest(name: str, known: Iterable[str]) -> str:
    """A question that offers the nearest known name; nothing where none is near."""
    found = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {found[0]}?)" if found else ""


def plain(value: Any) -> Any:
    """A dataclass as plain data, with keys in the order of its fields; a number is a float wherever its field says so."""
    hints = get_type_hints(type(value))
    found: dict[str, Any] = {}
    for field in fields(value):
        one, hint = getattr(value, field.name), hints[field.name]
        if is_dataclass(one):
            found[field.name] = plain(one)
        elif isinstance(one, tuple):
            found[field.name] = list(one)
        elif type(one) is int and float in (hint, *get_args(hint)) and int not in (hint, *get_args(hint)):
            found[field.name] = float(one)
        else:
            found[field.name] = one
    return found
