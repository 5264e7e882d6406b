"""The kernels: one file each, found here by its name. A file ``<name>.py`` defines ``SPEC``, whose name is ``<name>``."""
from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import lru_cache

from ..spec import KernelSpec, SpecError


@lru_cache(maxsize=1)
def specs() -> tuple[KernelSpec, ...]:
    """Every kernel specification, sorted by name."""
    found = []
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        spec = importlib.import_module(f"{__name__}.{name}").SPEC
        if spec.name != name:
            raise SpecError(f"specs/{name}.py defines the kernel {spec.name}; file and kernel must have one name")
        found.append(spec)
    return tuple(found)


def spec(name: str) -> KernelSpec:
    """The specification of that name.

    Raises KeyError, with the nearest names in its message, if there is none.
    """
    known = {x.name: x for x in specs()}
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else f"; known: {', '.join(known)}"
        raise KeyError(f"no kernel {name!r}{hint}")
    return known[name]
