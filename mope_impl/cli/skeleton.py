"""What a new encoding starts as: a chirp, with comments that say what to put in its place, and its lines in the registries."""
from __future__ import annotations

from dataclasses import dataclass
from string import Template

CLAIM = Template('''\
"""Claims on the $words encoding."""
from __future__ import annotations

import sympy as sp

from ..claim import Claim
from ..derivation import chain
from ..rules import Decide
from ..statement import Equal
from ..symbols import b, omega

# 1. Parameters. Those that encodings share (b, omega, sigma, ...) are in mope_theory/symbols.py; its own are named here.
chi = sp.Symbol("chi", real=True)
"""Chirp rate, radians per token squared."""

# 2. The formula: one expression a channel.
phase = omega * b + chi * b**2
channels = (sp.cos(phase), sp.sin(phase))

# 3. What makes it worth having, as a statement, and its proof: a chain of expressions, each step with the rule that closes it.
length = channels[0] ** 2 + channels[1] ** 2

LENGTH = Claim(
    id="$slug.length",
    title="The pair of channels has the same length at every position",
    place="–",
    box={omega: sp.S.Reals, chi: sp.S.Reals, b: sp.S.Reals},
    ours=Equal(length, sp.S.One),
    requires=("derivation",),
    reason="The two channels are a point on the unit circle.",
    derivations=(chain(length, (Decide(), sp.S.One)),),
)

CLAIMS = (LENGTH,)
''')

SPEC = Template('''\
"""The $words encoding: the channels of $module, with the parameters of each pair."""
from __future__ import annotations

from ..claims.$module import channels, chi
from ..spec import Input, KernelSpec
from ..symbols import b, omega

SPEC = KernelSpec(
    name="${module}_encoding",
    title="The $words encoding",
    claim="$slug.length",
    # 4. The arguments of the kernel, each with its axes: "*t" is any number of leading axes, "n" the pairs.
    #    A domain follows the axes where it is not the real line; inputs of kind "number" may be integers.
    inputs=(
        Input("positions", b, "*t", doc="positions in tokens, integer or float", kind="number"),
        Input("omega", omega, "n", doc="frequencies at position 0 in radians per token"),
        Input("chi", chi, "n", doc="chirp rates in radians per token squared"),
    ),
    channels=channels,
    output="*t (n c)",  # the channels of a pair side by side; "*t (c n)" is one after the other
)
''')

TEST = Template('''\
"""The $words encoding: the generated kernel against its formula."""
import torch

import mope_theory as mt
from mope_impl.generated.torch.${module}_encoding import ${module}_encoding
from tests.mope_impl.generated.against_formula import worst

# 5. Values of each input at which the kernel is tried; those of one axis go together.
SAMPLES = {"positions": [-2, 0, 1, 7], "omega": [1.5, 0.25], "chi": [0.125, -0.5]}


def test_values():
    assert worst(mt.spec("${module}_encoding"), ${module}_encoding, SAMPLES) <= 1


def test_gradients():
    positions, *parameters = (torch.tensor(values, dtype=torch.float64, requires_grad=True) for values in SAMPLES.values())
    assert torch.autograd.gradcheck(${module}_encoding, (positions, *parameters))
''')

TRIAL = Template('Trial("$slug.length", points=tuple(grid(omega=(1, F(1, 3)), chi=(0, F(1, 7)), b=(-2, F(5, 2))))),')

EXPECTED, TRIALS = "EXPECTED: dict[str, str | None] = {", "TRIALS: tuple[Trial, ...] = ("


@dataclass(frozen=True)
class Entry:
    """A line of a registry, and the list that it belongs to."""

    path: str
    opening: str
    closing: str
    line: str
    own: str
    """What the lines of this encoding begin with, as a regular expression: there may be more, and they may have been edited."""
    ordered: bool = False


def files(module: str) -> dict[str, str]:
    """The files of a new encoding by their paths in the checkout."""
    names = _names(module)
    return {
        f"mope_theory/claims/{module}.py": CLAIM.substitute(names),
        f"mope_theory/specs/{module}_encoding.py": SPEC.substitute(names),
        f"tests/mope_impl/generated/test_{module}_encoding.py": TEST.substitute(names),
    }


def kernel(module: str) -> str:
    """The file that ``mope generate`` will write."""
    return f"mope_impl/generated/torch/{module}_encoding.py"


def entries(module: str) -> tuple[Entry, ...]:
    """Its lines in the registries: of the claims, the specifications, what is expected, and what the tests should find."""
    names = _names(module)
    id = f"{names['slug']}.length"
    ids = rf"{names['slug']}\.[\w-]+"
    claims, specs = "mope_theory/claims/__init__.py", "mope_theory/specs/__init__.py"
    tests = "tests/mope_theory"

    def imported(path: str, opening: str, name: str, ordered: bool) -> Entry:
        return Entry(path, opening, ")", f"    {name},", f" *{name},$", ordered)

    return (
        imported(claims, "from . import (", module, ordered=True),
        imported(claims, "TOPICS = (", module, ordered=False),
        imported(specs, "from . import (", f"{module}_encoding", ordered=True),
        imported(specs, "_MODULES = (", f"{module}_encoding", ordered=True),
        Entry("mope_theory/claims/expected.py", EXPECTED, "}", f'    "{id}": "proved",', rf' *"{ids}":'),
        Entry(f"{tests}/test_registry.py", 'ROWS = """', '"""', f"{id:<27} o  D", f"{ids} "),
        Entry(f"{tests}/claims/trials.py", TRIALS, ")", f"    {TRIAL.substitute(names)}", rf' *Trial\("{ids}"'),
    )


def _names(module: str) -> dict[str, str]:
    return {"module": module, "slug": module.replace("_", "-"), "words": module.replace("_", " ")}
