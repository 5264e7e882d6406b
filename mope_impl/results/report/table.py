"""A table as plain text in cells."""
from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """Cells of text under named columns.

    ``absent`` is what is said where there is no row. Raises ValueError where a row has another number of cells than columns.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    left: int = 1
    """Columns that are set from the left; the others hold numbers."""
    heads: frozenset[int] = field(default_factory=frozenset)
    """Rows that are headings of those below them."""
    absent: str = "Nothing has been run yet."

    def __post_init__(self) -> None:
        wrong = [row for row in self.rows if len(row) != len(self.columns)]
        if wrong:
            raise ValueError(f"table {self.name}: a row has {len(wrong[0])} cells, there are {len(self.columns)} columns")
