"""Where a claim is stated: the module of its topic, the line in it, and what the module says of itself."""
from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import mope_theory
from mope_theory.claim import Claim
from mope_theory.claims import TOPICS

ROOT = Path(mope_theory.__file__).resolve().parents[1]


@dataclass(frozen=True)
class Source:
    """A file of the package: its path from the root of the tree, and its text."""

    path: str
    text: str

    @property
    def anchor(self) -> str:
        """What the anchors of its lines begin with."""
        return "src-" + self.path.removesuffix(".py").replace("/", "-")


@cache
def source(module: ModuleType) -> Source:
    """The file of a module."""
    return _read(Path(str(module.__file__)).resolve())


def _read(path: Path) -> Source:
    return Source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))


def kernel_files(name: str) -> tuple[Source, ...]:
    """The generated files of a kernel, one for each backend that has it."""
    return tuple(_read(path) for path in sorted((ROOT / "mope_impl" / "generated").glob(f"*/{name}.py")))


def modules(topic: str) -> tuple[ModuleType, ...]:
    """The modules that hold the claims of a topic."""
    return tuple(module for module in TOPICS if any(claim.topic == topic for claim in module.CLAIMS))


def summary(documented: object) -> str:
    """The first paragraph of the own docstring of a module or a class, as one line."""
    return " ".join(inspect.cleandoc(documented.__doc__ or "").partition("\n\n")[0].split())


def stated(claim: Claim) -> tuple[Source, int] | None:
    """The file that states a claim and the line where that begins; None for a claim of no registered module."""
    for module in modules(claim.topic):
        if any(own.id == claim.id for own in module.CLAIMS):
            return source(module), _line(source(module).text, claim.id)
    return None


def _line(text: str, id: str) -> int:
    """The line of the top-level statement that gives a claim this id; 1 where the id is put together otherwise."""
    for statement in ast.parse(text).body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and any(_names(node, id) for node in ast.walk(statement)):
            return statement.lineno
    return 1


def _names(node: ast.AST, id: str) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "id" and isinstance(node.value, ast.Constant) and node.value.value == id
