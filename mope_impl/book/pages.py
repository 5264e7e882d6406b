"""The pages that nobody writes: one for each topic of the registry and for each kernel, from a template each.

A table of contents says where they go, by an entry ``generated: topics`` or ``generated: kernels``. They are made anew in
every build, beside a copy of the written pages, so that none can be out of date and a new topic has its page at once.
"""
from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import mope_theory as mt
from mope_theory.references import bibliography
from mope_theory.spec import KernelSpec

from .pictures import Picture, pictures

Pages = dict[str, str]
"""Address of a page in the book, without suffix → its text."""

TOPIC = """\
---
html_theme.sidebar_secondary.remove: true
---

# {title}

```{{topic}} {topic}
```

{claims}
```{{topic-source}} {topic}
```
"""

CLAIM = """\
````{{claim}} {id}
:steps:

{pictures}````

"""

PICTURE = """\
```{{picture}} {name}
{caption}
```

"""

KERNEL = """\
---
html_theme.sidebar_secondary.remove: true
---

# {title}

```{{kernel-spec}} {name}
```

```{{kernel-source}} {name}
```
"""

_PLACE = re.compile(r"^( *)- generated: *(\w+) *$", re.MULTILINE)


class PageError(Exception):
    """The generated pages and the written ones do not go together."""


def topic_pages() -> Pages:
    """A page for each topic, in the order of the registry."""
    topics = dict.fromkeys(claim.topic for claim in mt.claims())
    return {f"topics/{topic}": _topic(topic) for topic in topics}


def _topic(topic: str) -> str:
    blocks = (CLAIM.format(id=claim.id, pictures=_pictures(claim.id)) for claim in mt.claims() if claim.topic == topic)
    return TOPIC.format(title=topic.capitalize(), topic=topic, claims="".join(blocks))


def _pictures(claim: str) -> str:
    return "".join(_picture(picture) for picture in pictures() if picture.claim == claim)


def _picture(picture: Picture) -> str:
    return PICTURE.format(name=picture.name, caption=picture.caption)


def kernel_pages() -> Pages:
    """A page for each kernel specification."""
    return {f"kernels/{spec.name}": KERNEL.format(title=short_title(spec), name=spec.name) for spec in mt.specs()}


def short_title(spec: KernelSpec) -> str:
    """The title of a specification up to its first comma."""
    return spec.title.partition(",")[0]


GENERATED: dict[str, Callable[[], Pages]] = {"topics": topic_pages, "kernels": kernel_pages}
"""Kind of page → what makes the pages."""


def stage(source: Path, folder: Path) -> None:
    """Copy a book to ``folder``, with the pages that its table of contents wants generated and the references of the theory.

    Raises PageError for a kind of page that there is none of, and for a written page where one is generated.
    """
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    contents, references = folder / "_toc.yml", folder / "references.bib"
    if not references.exists():
        references.write_text(bibliography(), encoding="utf-8")
    wanted: Pages = {}

    def entries(match: re.Match[str]) -> str:
        indent, kind = match.groups()
        if kind not in GENERATED:
            raise PageError(f"_toc.yml: no pages {kind!r} can be generated, only {', '.join(GENERATED)}")
        made = GENERATED[kind]()
        wanted.update(made)
        return "\n".join(f"{indent}- file: {name}" for name in made)

    contents.write_text(_PLACE.sub(entries, contents.read_text(encoding="utf-8")), encoding="utf-8")
    for fault in _written_by_hand(folder):
        raise PageError(fault)
    for name, text in wanted.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _written_by_hand(folder: Path) -> Iterator[str]:
    for kind in GENERATED:
        for path in sorted((folder / kind).glob("**/*")):
            yield f"{path.relative_to(folder)}: pages of this folder are generated, and none is written by hand"
