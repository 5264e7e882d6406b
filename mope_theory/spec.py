"""What a kernel is: a map applied element by element over named axes, its inputs, and the claim it belongs to.

A specification is data. The code generator derives the kernel and its adjoint from it; nothing in it is ever evaluated
as code, so every name is checked here and every expression is a SymPy object built by the author of the specification.
"""
from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import sympy as sp

from .assumptions import admitted
from .axes import Layout, SpecError, checked_name, parse_axes, parse_layout

__all__ = ["POSITIVE_OR_INFINITE", "Guard", "Input", "KernelSpec", "Layout", "NumericalForm", "SpecError", "parse_axes"]

POSITIVE_OR_INFINITE = sp.Union(sp.Interval.open(0, sp.oo), sp.FiniteSet(sp.oo))
"""(0, ∞], for a parameter whose infinite value is legal and stands for the exact limit."""


@dataclass(frozen=True)
class Input:
    """One argument of the kernel.

    ``axes`` are written as :func:`mope_theory.axes.parse_layout` reads them. Where they name a channel axis, ``symbol`` is a
    tuple with one symbol for each channel, of one kind and range: a pair (x₀, x₁) that a rotation turns, say.

    ``domain`` is the set the proofs and bounds speak of; outside it nothing is promised. It lies within what the symbol's
    assumptions admit, for SymPy simplifies by them; ∞ may belong to it besides. A domain that excludes 0 and everything
    below it is enforced: other values, and NaN, give NaN.

    An input of kind ``"float"`` takes part in the dtype of the result; one of kind ``"parameter"`` is floating point and
    does not; one of kind ``"number"`` does not either, and may be an integer tensor, too. ``default`` is the value of every
    element if the argument is left out.
    """

    name: str
    symbol: sp.Symbol | tuple[sp.Symbol, ...]
    axes: str
    domain: sp.Set = sp.Reals
    doc: str = ""
    kind: Literal["float", "parameter", "number"] = "float"
    default: int | None = None
    own: tuple[str, ...] = field(init=False, compare=False)
    """The axes of one channel."""
    layout: Layout = field(init=False, compare=False)

    def __post_init__(self) -> None:
        checked_name(self.name, "input name")
        own, layout = parse_layout(self.axes, f"input {self.name}")
        object.__setattr__(self, "own", own)
        object.__setattr__(self, "layout", layout)
        if self.has_channels != (layout != "separate"):
            raise SpecError(f"input {self.name}: a tuple of symbols goes with a channel axis c, got the axes {self.axes!r}")
        if not self.symbols:
            raise SpecError(f"input {self.name}: needs at least one channel")
        for symbol in self.symbols:
            self._check_symbol(symbol)
        if self.kind not in ("float", "parameter", "number"):
            raise SpecError(f"input {self.name}: got kind {self.kind!r}, expected 'float', 'parameter' or 'number'")
        if "\n" in self.doc or '"""' in self.doc or "\\" in self.doc:
            raise SpecError(f"input {self.name}: its description must be one line without backslashes or triple quotes")
        self._check_domain()

    def _check_symbol(self, symbol: object) -> None:
        if not isinstance(symbol, sp.Symbol) or isinstance(symbol, sp.Dummy):
            raise SpecError(f"input {self.name}: got {symbol!r}, expected a plain SymPy symbol")
        checked_name(symbol.name, f"symbol of input {self.name}")
        if not symbol.is_real:
            raise SpecError(f"input {self.name}: its symbol {symbol} is not declared real")

    def _check_domain(self) -> None:
        """Nothing may be simplified away that matters somewhere in the domain, and what is enforced is known to the proofs."""
        if not isinstance(self.domain, sp.Set) or self.domain.is_empty is not False:
            raise SpecError(f"input {self.name}: got the domain {self.domain}, expected a SymPy set that is not empty")
        finite = self.domain - sp.FiniteSet(sp.oo) if self.may_be_infinite else self.domain
        for symbol in self.symbols:
            try:
                values = admitted(symbol)
            except ValueError as fault:
                raise SpecError(f"input {self.name}: {fault}") from fault
            if finite.is_subset(values) is not True:
                raise SpecError(f"input {self.name}: its domain {self.domain} is not within {values}, as {symbol} is")
            if self.is_positive and not symbol.is_positive:
                raise SpecError(f"input {self.name}: its domain is positive, its symbol {symbol} is not declared so")
        if self.has_channels and self.default is not None:
            raise SpecError(f"input {self.name}: an input with channels has no default")
        if self.has_channels and (self.is_positive or self.may_be_infinite):
            raise SpecError(f"input {self.name}: channels take values of either sign, finite ones; got the domain {self.domain}")

    @property
    def has_channels(self) -> bool:
        """Whether there is a channel axis."""
        return isinstance(self.symbol, tuple)

    @property
    def symbols(self) -> tuple[sp.Symbol, ...]:
        """The symbol, or that of each channel."""
        return self.symbol if isinstance(self.symbol, tuple) else (self.symbol,)

    @property
    def is_positive(self) -> bool:
        """Whether the domain excludes 0 and all below, which the kernel enforces."""
        return bool(self.domain.inf >= 0 and self.domain.contains(0) == sp.false)

    @property
    def may_be_infinite(self) -> bool:
        """Whether ∞ itself is a legal value."""
        return bool(self.domain.contains(sp.oo) == sp.true)

    @property
    def largest(self) -> sp.Expr:
        """max |x| over the domain, possibly ∞."""
        return sp.Max(abs(self.domain.inf), abs(self.domain.sup))


@dataclass(frozen=True)
class Guard:
    """|variable| > threshold: there the kernel and its gradients are set to 0, which the generator proves harmless."""

    variable: sp.Symbol
    threshold: int


@dataclass(frozen=True)
class NumericalForm:
    """How to compute what the formula means: named intermediate values, and the channels in terms of them.

    Derivatives are taken through the intermediate values: with z = (b − b₀)/σ the generator finds ∂z/∂σ = −z/σ and never
    forms σ². The generator proves the form equal to the formula, and bounds what a guard leaves out.

    A binding is a formula of the inputs alone: one that uses another binding is refused, write it out.
    """

    bindings: Mapping[sp.Symbol, sp.Expr]
    channels: tuple[sp.Expr, ...]
    guard: Guard | None = None


@dataclass(frozen=True)
class KernelSpec:
    """outputs = f(inputs), element by element over the union of the axes.

    ``claim`` is the id of the claim that the kernel belongs to; ``mope generate`` refuses one that is not registered.
    ``output`` gives the axes of the result, with ``c`` for the axis of channels, as
    :func:`mope_theory.axes.parse_layout` reads them; without ``c`` every channel is a result by itself. Where arrays leave
    their layout to the caller, as ``"*t [n c]"`` does, one argument of the kernel decides for all of them.
    """

    name: str
    title: str
    claim: str
    inputs: tuple[Input, ...]
    channels: tuple[sp.Expr, ...]
    output: str
    numerical: NumericalForm | None = None
    accuracy: str = ""
    """First-order bound on the error of a channel, for the header of the generated file."""
    arithmetic: Literal["float64", "inputs"] = "float64"
    """What it is computed in: float64 whatever the inputs are, or the promoted dtype of the inputs, float32 at least. The latter
    is for products and sums of what is accurate already; a phase formed so would be off by whole positions."""
    also: tuple[str, ...] = ()
    """Ids of further claims that a certificate of the kernel is evidence for, as one on its gradients."""
    axes: tuple[str, ...] = field(init=False, compare=False)
    layout: Layout = field(init=False, compare=False)

    def __post_init__(self) -> None:
        checked_name(self.name, "kernel name")
        if self.arithmetic not in ("float64", "inputs"):
            raise SpecError(f"kernel {self.name}: got the arithmetic {self.arithmetic!r}, expected 'float64' or 'inputs'")
        for text in (self.title, *self.claims, self.accuracy):
            if "\n" in text or '"""' in text or "\\" in text:
                raise SpecError(f"kernel {self.name}: {text!r} must be one line without backslashes or triple quotes")
        axes, layout = parse_layout(self.output, f"output of {self.name}")
        object.__setattr__(self, "axes", axes)
        object.__setattr__(self, "layout", layout)
        _check_inputs(self)
        _check_symbols(self.channels, {symbol for _, symbol in self.variables}, f"channels of {self.name}")
        if self.numerical is not None:
            _check_numerical(self, self.numerical)

    @property
    def claims(self) -> tuple[str, ...]:
        """Ids of all claims that the kernel speaks for, its own first."""
        return (self.claim, *self.also)

    def input(self, name: str) -> Input:
        """The input of that name; KeyError if there is none."""
        return {x.name: x for x in self.inputs}[name]

    @property
    def variables(self) -> tuple[tuple[Input, sp.Symbol], ...]:
        """Every symbol of every input, in order, with the input."""
        return tuple((x, symbol) for x in self.inputs for symbol in x.symbols)

    @property
    def box(self) -> dict[sp.Symbol, sp.Set]:
        """The set that each symbol ranges over."""
        return {symbol: x.domain for x, symbol in self.variables}

    @property
    def layout_is_chosen(self) -> bool:
        """Whether the caller says how channels lie."""
        return "chosen" in (self.layout, *(x.layout for x in self.inputs))

    @property
    def digest(self) -> str:
        """SHA-256 of everything that decides the kernel's meaning, the same under every hash seed."""
        parts = [self.name, self.claim, self.output]
        parts += [f"{x.name} {' '.join(map(sp.srepr, x.symbols))} {x.axes} {x.domain} {x.kind} {x.default}" for x in self.inputs]
        parts += [sp.srepr(c) for c in self.channels]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _check_inputs(spec: KernelSpec) -> None:
    if not spec.inputs or not spec.channels:
        raise SpecError(f"kernel {spec.name}: needs at least one input and one channel")
    for what, names in (("name", [x.name for x in spec.inputs]), ("symbol", [symbol.name for _, symbol in spec.variables])):
        if len(set(names)) < len(names):
            raise SpecError(f"kernel {spec.name}: two inputs have one {what}")
    union = [axis for axis in spec.axes if any(axis in x.own for x in spec.inputs)]
    if union != list(spec.axes):
        raise SpecError(f"output of {spec.name}: an axis of {spec.output!r} is an axis of no input")
    for x in spec.inputs:
        if [axis for axis in spec.axes if axis in x.own] != list(x.own):
            raise SpecError(f"input {x.name}: its axes {x.axes!r} are not axes of {spec.output!r} in that order")
        if x.default is not None and all(y is x or y.axes != x.axes or y.kind == "number" for y in spec.inputs):
            raise SpecError(f"input {x.name}: a default needs another floating-point input with the axes {x.axes!r}")
    if all(x.kind != "float" for x in spec.inputs):
        raise SpecError(f"kernel {spec.name}: no input of kind 'float' decides the dtype of the result")


def _check_symbols(expressions: Iterable[sp.Expr], known: set[sp.Symbol], part: str) -> None:
    for expression in expressions:
        if not isinstance(expression, sp.Expr):
            raise SpecError(f"{part}: got {expression!r}, expected a SymPy expression")
        unknown = sorted(map(str, expression.free_symbols - known))
        if unknown:
            raise SpecError(f"{part}: {', '.join(unknown)} belongs to no input")


def _check_numerical(spec: KernelSpec, form: NumericalForm) -> None:
    inputs = set(spec.box)
    for symbol, value in form.bindings.items():
        checked_name(symbol.name, f"numerical form of {spec.name}")
        if symbol.name in {x.name for x in inputs}:
            raise SpecError(f"numerical form of {spec.name}: {symbol} is the name of an input")
        others = sorted(str(other) for other in form.bindings if other in getattr(value, "free_symbols", ()))
        if others:
            raise SpecError(
                f"{symbol} in the numerical form of {spec.name}: {', '.join(others)} is bound there, too; "
                f"write {symbol} out in terms of the inputs"
            )
        _check_symbols((value,), inputs, f"{symbol} in the numerical form of {spec.name}")
    _check_symbols(form.channels, inputs | set(form.bindings), f"numerical form of {spec.name}")
    if len(form.channels) != len(spec.channels):
        raise SpecError(f"numerical form of {spec.name}: {len(form.channels)} channels for {len(spec.channels)}")
    if form.guard is not None:
        if form.guard.variable not in form.bindings:
            raise SpecError(f"guard of {spec.name}: {form.guard.variable} is not bound in the numerical form")
        if isinstance(form.guard.threshold, bool) or not isinstance(form.guard.threshold, int) or form.guard.threshold < 1:
            raise SpecError(f"guard of {spec.name}: got {form.guard.threshold!r}, expected a positive integer")
