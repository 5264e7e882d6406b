"""Whom to cite: every encoding and claim has its entries, from the one file that the book reads too."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

import mope_theory as mt
from mope_theory import references
from mope_theory.references import BUILT_ON, OF_CLAIMS, OF_SPECS, entries

ROOT = Path(__file__).resolve().parents[2]


def keys(what: object) -> list[str]:
    return re.findall(r"^@\w+\{(\w+),$", mt.citation(what), re.MULTILINE)


def test_every_claim_and_specification_has_its_entries():
    for claim in mt.claims():
        assert keys(claim) == keys(claim.id)
        assert keys(claim)[0] == ("mope" if claim.place == "–" else "zeris2026")
    for spec in mt.specs():
        assert keys(spec) == keys(spec.name) == list(OF_SPECS[spec.name])


@pytest.mark.parametrize(
    "name, wanted",
    [
        ("rotary", ["su2024"]),
        ("morlet_rotary", ["zeris2026", "su2024"]),
        ("alibi_bias", ["press2022"]),
        ("xpos_rotary", ["sun2023", "su2024"]),
        ("sinusoidal_encoding", ["vaswani2017"]),
        ("limit.alibi", ["zeris2026", "press2022"]),
        ("gate.causality", ["zeris2026"]),
        ("kernel.rank", ["mope"]),
        ("MorletAttention", ["zeris2026", "su2024"]),
    ],
)
def test_what_is_cited(name, wanted):
    assert keys(name) == wanted


def test_objects_are_known_by_their_names():
    from mope_impl import functional as F
    from mope_impl import nn
    from mope_impl.generated.torch import rotary

    for thing in (F.rotary, rotary, rotary.rotary, nn.RotaryEncoding, nn.RotaryEncoding(4)):
        assert keys(thing) == ["su2024"]

    class Own(nn.MorletEncoding):
        """A class of a user."""

    assert keys(Own(4)) == keys("morlet_encoding")


def test_every_module_and_encoding_function_can_be_cited():
    import torch

    from mope_impl import functional as F
    from mope_impl import nn

    modules = [getattr(nn, name) for name in nn.__all__ if isinstance(getattr(nn, name), type)]
    modules = [one for one in modules if issubclass(one, torch.nn.Module) and one is not nn.Encoding]
    functions = [getattr(F, name) for name in F.__all__ if not name.startswith(("check_", "use_", "without_")) and name.islower()]
    assert len(modules) >= 8
    assert len(functions) >= 10
    for one in (*modules, *functions):
        assert keys(one), one


@pytest.mark.parametrize(
    "thing, says",
    [
        ("rotry", "nothing to cite for 'rotry': did you mean rotary"),
        ("kernel.prodct", "nothing to cite for 'kernel.prodct': did you mean kernel.product"),
        ("MorletRotory", "did you mean MorletRotary or morlet_rotary?"),
        ("", "nothing to cite for '': expected an encoding or a claim, or the name of one"),
        (3, "nothing to cite for 'int': expected an encoding"),
        (re.compile, "nothing to cite for 'function': expected an encoding"),
        (keys, "nothing to cite for 'function'"),
        (mt.claims, "nothing to cite for 'claims': "),
    ],
)
def test_what_is_unknown_is_refused_with_the_nearest_name(thing, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        mt.citation(thing)


def test_the_entries_are_well_formed_and_all_of_use():
    found = entries()
    for key, text in found.items():
        assert text.count("{") == text.count("}")
        fields = set(re.findall(r"^  (\w+) = \{", text, re.MULTILINE))
        assert {"author", "title"} <= fields
        assert key == "mope" or {"year"} <= fields
    named = {key for table in (OF_CLAIMS, OF_SPECS) for value in table.values() for key in value}
    assert named | {"mope", "zeris2026"} == set(found)
    assert {spec for value in BUILT_ON.values() for spec in value} <= set(OF_SPECS)
    assert set(OF_SPECS) == {spec.name for spec in mt.specs()}
    assert set(OF_CLAIMS) <= {claim.id for claim in mt.claims()}


def test_the_software_is_cited_by_its_version():
    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"Version {version[1]}" in entries()["mope"]
    assert re.search(r'^title: "(.*)"$', (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1] == (
        "mope: Morlet positional encodings, from symbols to kernels"
    )


def test_the_book_has_no_references_of_its_own(tmp_path):
    from mope_impl.book.pages import stage

    assert not (ROOT / "book/references.bib").exists()
    (tmp_path / "source").mkdir()
    (tmp_path / "source/_toc.yml").write_text("root: index\n")
    stage(tmp_path / "source", tmp_path / "staged")
    assert (tmp_path / "staged/references.bib").read_text(encoding="utf-8") == references.bibliography()
    cited = {key for page in (ROOT / "book").glob("*.md") for key in re.findall(r"\{cite:\w+\}`(\w+)`", page.read_text("utf-8"))}
    assert cited
    assert cited <= set(entries())


def test_a_planted_fault_in_the_file_is_seen(monkeypatch):
    text = references.bibliography()
    for broken in (text.replace("@misc{zeris2026gate,", "@misc{zeris2026,"), text.replace("\n}\n\n@article", "}\n\n@article")):
        monkeypatch.setattr(references, "bibliography", lambda broken=broken: broken)
        entries.cache_clear()
        with pytest.raises(ValueError, match="two entries of one key, or an entry that does not begin and end a line"):
            entries()
    entries.cache_clear()
