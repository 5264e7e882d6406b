"""The certificate of a file, ``NAME.cert.json`` beside ``NAME.py``: what was proved of it, how it rounds, and what was observed.

Whoever has the file computes all of it again, and :func:`differences` names each field that is not what it should be. Most fields
must be equal: they follow from the text, and from arithmetic that is the same everywhere. What was observed may differ from
machine to machine, for exponentials and waves do so in the last place. It is kept as a witness, therefore: a point of the box and
the value that was computed there; the error there follows from the formula. The versions of the tools, and the machine, are for
the reader.

``digest`` is over all the other fields, so that no byte changes unseen; it is against damage, and protects from nobody.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from math import frexp, inf, isfinite, ldexp
from pathlib import Path
from typing import Any

from mope_theory.spec import KernelSpec

from .exact import error_at
from .proof import HOLDING, Finding
from .rounding.formats import FORMATS
from .scalars import Scalar
from .table import Row

SCHEMA = 1
TOOLS = ("mope", "numpy", "python-flint", "sympy", "torch")
WITNESS = ("observed", "ratio", "at", "computed")
"""Fields of a row that may differ from machine to machine, and are held against the formula."""
LARGEST = 1 << 24
"""Bytes of a certificate that are read."""


class Unreadable(ValueError):
    """A file that is no certificate."""


def path_of(source: Path) -> Path:
    """Where the certificate of a file lies."""
    return source.with_suffix(".cert.json")


def certificate(
    source: bytes, spec: KernelSpec, backend: str, findings: Sequence[Finding], rows: Sequence[Row]
) -> dict[str, Any]:
    """All that is certified of a file, as plain types."""
    errors: dict[str, dict[str, Any]] = {}
    for row in rows:
        errors.setdefault(row.name, {})[row.dtype] = row.to_json()
    made = {
        "schema": SCHEMA,
        "spec": spec.name,
        "claims": list(spec.claims),
        "backend": backend,
        "source_sha256": hashlib.sha256(source).hexdigest(),
        "formula_sha256": spec.digest,
        "verdicts": {f.name: {"method": f.status, "regions": f.regions, "remarks": list(f.notes)} for f in findings},
        "box": {name: list(ends) for row in rows for name, ends in row.bound.box.items()},
        "primitives": sorted({name for row in rows for name in row.bound.primitives}),
        "errors": errors,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in TOOLS}},
        "machine": platform.machine(),
    }
    plain: dict[str, Any] = _plain(made)
    return {**plain, "digest": digest(plain)}


def digest(body: Mapping[str, Any]) -> str:
    """SHA-256 of all fields but the digest itself."""
    return hashlib.sha256(text({key: value for key, value in body.items() if key != "digest"}).encode()).hexdigest()


def text(body: Mapping[str, Any]) -> str:
    """The one way in which a certificate is written."""
    return json.dumps(body, indent=1, sort_keys=True) + "\n"


def _plain(value: Any) -> Any:
    """A value as JSON gives it back; JSON has no ∞, which becomes a string."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def write(body: Mapping[str, Any], path: Path) -> None:
    """Write a certificate, so that it is there as a whole or not at all."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".new", encoding="ascii", newline="\n", delete=False) as file:
        try:
            file.write(text(body))
            file.close()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def read(path: Path) -> dict[str, Any] | None:
    """The certificate at a path, None if there is no file. Raises Unreadable."""
    try:
        with path.open("rb") as file:
            written = file.read(LARGEST)
        held = json.loads(written)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as problem:
        raise Unreadable("a certificate that cannot be read") from problem
    if not isinstance(held, dict):
        raise Unreadable("a certificate that is no mapping")
    if text(held).encode() != written:
        raise Unreadable("a certificate that was changed: it is not as certificates are written")
    return held


def unsound(held: Mapping[str, Any]) -> str:
    """What can be seen to be wrong with a certificate by itself; empty if nothing is."""
    if held.get("schema") != SCHEMA:
        return f"a certificate of schema {_short(held.get('schema'))}, where {SCHEMA} is known"
    if held.get("digest") != digest(held):
        return "a certificate that was changed: its digest is not that of the other fields"
    verdicts = held.get("verdicts")
    if not isinstance(verdicts, Mapping) or not verdicts:
        return "a certificate without verdicts"
    for name, verdict in verdicts.items():
        if not isinstance(verdict, Mapping) or verdict.get("method") not in HOLDING:
            return f"a certificate whose verdict on {name} is {_short(verdict)}"
    return ""


def worst_ratio(held: Mapping[str, Any]) -> str:
    """The largest bound ÷ observed error of a certificate, in words."""
    ratios = [row["ratio"] for own in held["errors"].values() for row in own.values() if row["ratio"] is not None]
    return f"bounds at most {max(ratios):.2f} times what was observed" if ratios else "no error observed"


def differences(held: Mapping[str, Any], made: Mapping[str, Any], scalars: Sequence[Scalar]) -> list[str]:
    """One line for each field of a certificate that is not what it should be.

    made: the certificate that is computed from the same file here and now; scalars: what its errors speak of.
    """
    found = [*_unequal("", _strict(held), _strict(made)), *_versions(held, made)]
    if held.get("digest") != digest(held):
        found.append("digest: not that of the other fields")
    for scalar in scalars:
        row = _row(held, scalar)
        if isinstance(row, Mapping):
            try:
                problem = _witness(row, made["errors"][scalar.name][scalar.dtype], scalar, made["box"])
            except (KeyError, TypeError, ValueError, OverflowError) as fault:
                problem = f"no witness: {type(fault).__name__} {fault}"
            if problem:
                found.append(f"errors.{scalar.name}.{scalar.dtype}.{problem}")
    return found


def _row(body: Mapping[str, Any], scalar: Scalar) -> Any:
    errors = body.get("errors")
    own = errors.get(scalar.name) if isinstance(errors, Mapping) else None
    return own.get(scalar.dtype) if isinstance(own, Mapping) else None


def _strict(body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that must be equal; of the others, that they are there."""
    kept: dict[str, Any] = {key: value for key, value in body.items() if key not in ("digest", "versions", "machine")}
    kept |= {key: "present" for key in ("digest", "versions", "machine") if key in body}
    errors = kept.get("errors")
    if isinstance(errors, Mapping):
        kept["errors"] = {
            name: {
                dtype: {k: "present" if k in WITNESS else v for k, v in row.items()} if isinstance(row, Mapping) else row
                for dtype, row in own.items()
            }
            if isinstance(own, Mapping)
            else own
            for name, own in errors.items()
        }
    return kept


def _unequal(place: str, held: Any, made: Any) -> Iterator[str]:
    """The fields, by their places, that differ; 1 and 1.0 and True are three things."""
    if isinstance(held, Mapping) and isinstance(made, Mapping):
        for key in sorted({*held, *made}, key=str):
            inner = f"{place}.{key}" if place else str(key)
            if key not in held or key not in made:
                yield f"{inner}: {'missing' if key not in held else 'of no meaning'}"
            else:
                yield from _unequal(inner, held[key], made[key])
    elif type(held) is not type(made) or (isinstance(held, list) and len(held) != len(made)):
        yield f"{place}: {_short(held)} is certified, {_short(made)} is found"
    elif isinstance(held, list):
        for number, (one, two) in enumerate(zip(held, made, strict=True)):
            yield from _unequal(f"{place}[{number}]", one, two)
    elif held != made:
        yield f"{place}: {_short(held)} is certified, {_short(made)} is found"


def _short(value: Any) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 80 else f"{shown[:80]} ..."


def _versions(held: Mapping[str, Any], made: Mapping[str, Any]) -> Iterator[str]:
    """What a certificate was made with is any version, and any machine; but it must say."""
    versions = held.get("versions")
    if not isinstance(versions, Mapping) or set(versions) != set(made["versions"]):
        yield f"versions: {_short(versions)} does not name {', '.join(sorted(made['versions']))}"
    else:
        for name, said in versions.items():
            if not isinstance(said, str) or not re.fullmatch(r"\d+(\.\w+)*(\+[\w.]+)?", said):
                yield f"versions.{name}: {_short(said)} is no version"
    machine = held.get("machine")
    if not isinstance(machine, str) or not re.fullmatch(r"\w+", machine):
        yield f"machine: {_short(machine)} is no machine"


def _witness(held: Mapping[str, Any], made: Mapping[str, Any], scalar: Scalar, box: Mapping[str, Any]) -> str:
    """What is wrong with the largest error that a row tells of; empty if it is one, at a point of the box."""
    if set(held["at"]) != set(made["at"]):
        return f"at: {', '.join(sorted(held['at']))} where {', '.join(sorted(made['at']))} are given"
    point = {name: float(value) for name, value in held["at"].items()}
    for name, value in point.items():
        low, high = map(float, box[name])
        if not low <= value <= high:
            return f"at.{name}: {value!r} is outside of {low!r} ... {high!r}"
        whole = value.is_integer() and name in {x.name for x in scalar.spec.inputs if x.kind == "number"}
        if not whole and not fits(value, scalar.dtype):
            return f"at.{name}: {value!r} is no {scalar.dtype}"
    computed = float(held["computed"])
    if not fits(computed, scalar.dtype):
        return f"computed: {computed!r} is no {scalar.dtype}"
    error = error_at(scalar, point, computed)
    if error is None or held["observed"] != error:
        return f"observed: {_short(held['observed'])} is certified, {error!r} is what is off at that point"
    if not error <= float(made["bound"]):
        return f"observed: {error!r} is above the bound {made['bound']!r}"
    ratio = float(made["bound"]) / error if error else None
    return "" if held["ratio"] == ratio else f"ratio: {_short(held['ratio'])} is certified, {ratio!r} is bound / observed"


def fits(value: float, dtype: str) -> bool:
    """Whether a dtype holds a number."""
    form = FORMATS[dtype]
    if value in (0.0, inf, -inf):
        return True
    last = max(frexp(value)[1] - form.precision, form.least)
    return abs(value) <= form.largest and ldexp(value, -last).is_integer()
