"""One style for what is cited: the list of references is labelled as the text cites, by author and year."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style as Unsorted
from pybtex.style.labels import BaseLabelStyle
from sphinx.application import Sphinx


def label(entry: Any) -> str:
    """Author and year as the text cites them: "A, 2000", "A and B, 2000", "A et al., 2000"; without an author the title."""
    names = [" ".join((*person.prelast_names, *person.last_names)) for person in entry.persons.get("author", ())]
    who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names) or entry.fields.get("title", entry.key)
    return ", ".join(filter(None, (who, entry.fields.get("year", ""))))


class Labels(BaseLabelStyle):  # type: ignore[misc]
    def format_labels(self, sorted_entries: Iterable[Any]) -> Iterator[str]:
        return (label(entry) for entry in sorted_entries)


class Style(Unsorted):  # type: ignore[misc]
    default_label_style = Labels
    default_sorting_style = "author_year_title"


def setup(app: Sphinx) -> None:
    register_plugin("pybtex.style.formatting", "mope", Style)
    app.config.bibtex_default_style = "mope"
