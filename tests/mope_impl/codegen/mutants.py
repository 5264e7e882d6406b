"""Planted faults as data, and the bench that builds a kernel with one and says which check fails first."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce

import sympy as sp

from mope_impl.codegen.backends import torch as backend
from mope_impl.codegen.ir import Formula, Node
from mope_impl.codegen.passes import PASSES
from mope_theory.spec import KernelSpec, SpecError
from tests.mope_impl.codegen.toys import load

Pass = Callable[..., object]
Make = Callable[[], str]


@dataclass(frozen=True)
class Mutant:
    name: str
    make: Make
    killer: str


def after(change: Callable[..., object]) -> Callable[[Pass], Pass]:
    """A pass with something done to its result."""
    return lambda one: lambda stage: change(one(stage))


def skipped(one: Pass) -> Pass:
    return lambda stage: stage


def rewritten(rule: Callable[[Node], Node]) -> Callable[[Pass], Pass]:
    return after(lambda program: program.rewrite(rule))


@dataclass(frozen=True)
class Bench:
    """A kernel and its value checks, in the order in which they are tried."""

    spec: KernelSpec
    checks: Mapping[str, Callable[[Callable[..., object]], None]]

    def build(self, spec: KernelSpec | None = None, passes: tuple[Pass, ...] = PASSES) -> str:
        return backend.emit(reduce(lambda stage, one: one(stage), passes, Formula(spec or self.spec)))

    def killer(self, make: Make) -> str:
        """Name of the first check that fails, ``proof`` for a symbolic refusal of the generator; "" if the mutant lives."""
        try:
            kernel = getattr(load(make()), self.spec.name)
        except SpecError:
            return "proof"
        for name, check in self.checks.items():
            try:
                check(kernel)
            except UnboundLocalError:  # a name that is bound in another branch: a fault of this call, not of the text
                return name
            except (NameError, AttributeError, ImportError, TypeError):
                raise  # a mutant that is no program proves nothing
            except Exception:
                return name
        return ""

    def formed(self, **change: object) -> Make:
        """Another numerical form."""
        return lambda: self.build(replace(self.spec, numerical=replace(self.spec.numerical, **change)))

    def specified(self, **change: object) -> Make:
        return lambda: self.build(replace(self.spec, **change))

    def with_input(self, name: str, **change: object) -> Make:
        return lambda: self.specified(
            inputs=tuple(replace(x, **change) if x.name == name else x for x in self.spec.inputs)
        )()

    def channels(self, *expressions: sp.Expr) -> Make:
        """The same wrong channels as formula and as numerical form, so that only values can tell."""
        form = self.spec.numerical
        plain = tuple(e.xreplace(dict(form.bindings)) for e in expressions)
        return self.specified(channels=plain, numerical=replace(form, channels=expressions))

    def passed(self, **changed: Callable[[Pass], Pass]) -> Make:
        """The pipeline with some passes replaced, by name."""
        return lambda: self.build(passes=tuple(changed.get(one.__name__, lambda same: same)(one) for one in PASSES))

    def adjoints(self, change: Callable[[Formula, list[sp.Expr]], None]) -> Make:
        """Faults that come after the proofs of the derivatives."""

        def changed(formula: Formula) -> Formula:
            found = list(formula.adjoints)
            change(formula, found)
            return replace(formula, adjoints=tuple(found))

        return self.passed(differentiate=after(changed))

    def edited(self, old: str, new: str, times: int) -> Make:
        """The text with every occurrence replaced; it must occur exactly so many times."""

        def make() -> str:
            text = self.build()
            assert text.count(old) == times, f"{old!r} occurs {text.count(old)} times"
            return text.replace(old, new)

        return make


def negate(k: int) -> Callable[[Formula, list[sp.Expr]], None]:
    """The gradient by variable k with the wrong sign."""

    def change(formula: Formula, found: list[sp.Expr]) -> None:
        found[k] = -found[k]

    return change
