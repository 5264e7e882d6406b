"""What the runs of a preset say, computed from their records alone: numbers, tables of text, Markdown, figures."""
from .whole import Report, Source, make, source

__all__ = ["Report", "Source", "make", "source"]
