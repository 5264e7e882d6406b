"""``{hypotheses}``: what the rounding bounds of certified kernels assume of each platform, read off the table that they use."""
from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from mope_impl.certify.rounding import PLATFORMS, Hypothesis
from mope_impl.certify.rounding.primitives import IEEE, THROUGH_FLOAT32
from mope_impl.certify.torch.syntax import ALLOWED
from mope_impl.certify.triton.syntax import HOST, KERNEL

from .elements import element, prose, tag


class Hypotheses(SphinxDirective):
    """A table for each platform: the operation, the units in the last place that are assumed, the source."""

    def run(self) -> list[nodes.Node]:
        groups: list[tuple[str, list[Hypothesis]]] = [("every platform", [IEEE, THROUGH_FLOAT32])]
        groups += [(name, list(platform.table.values())) for name, platform in PLATFORMS.items()]
        heads = (tag("th", text, scope="col") for text in ("Operation", "Units", "Source"))
        rows = [row for name, group in groups for row in (_platform(name), *map(_row, group))]
        table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows), cls="inputs hypotheses")
        return [tag("div", table, cls="scroll", tabindex="0")]


def _platform(name: str) -> element:
    return tag("tr", tag("th", name, colspan="3", scope="colgroup"))


def _row(one: Hypothesis) -> element:
    units = sorted(set(one.ulps.values()))
    by_dtype = "; ".join(f"{' and '.join(d for d, u in one.ulps.items() if u == unit)}: {unit:g}" for unit in units)
    said = f"{units[0]:g}" if len(units) == 1 and len(one.ulps) == len(IEEE.ulps) else by_dtype
    source = one.source + ("; it may give 0 below the smallest normal number" if one.is_abrupt else "")
    return tag("tr", tag("th", tag("code", one.name), scope="row"), tag("td", *prose(said)), tag("td", *prose(source)))


GROUPS = {"Torch files": ALLOWED, "Triton files, within kernels": KERNEL, "Triton files, around them": HOST}


class Operations(SphinxDirective):
    """What a checked file may use of modules and tensors, as the checkers list it."""

    def run(self) -> list[nodes.Node]:
        entries: list[nodes.Node] = []
        for title, allowed in GROUPS.items():
            names = [f"{module}.{name}" for module, own in allowed.modules.items() for name in sorted(own)]
            names += [f".{name}" for name in sorted(allowed.members)]
            parts = [part for name in names for part in (tag("code", name), ", ")]
            entries += [tag("dt", title), tag("dd", *parts[:-1], ".")]
        return [tag("dl", *entries, cls="operations")]


def setup(app: Sphinx) -> None:
    app.add_directive("hypotheses", Hypotheses)
    app.add_directive("checked-operations", Operations)
