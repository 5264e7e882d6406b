"""mope_theory: claims on Morlet positional encodings, as statements, derivations and enclosures. Never imports torch."""
from .claim import Claim
from .derivation import Derivation
from .references import citation
from .registry import NoDerivation, UnknownName, claim, claims, derive
from .spec import KernelSpec, SpecError
from .specs import spec, specs

__all__ = [
    "Claim",
    "Derivation",
    "KernelSpec",
    "NoDerivation",
    "SpecError",
    "UnknownName",
    "citation",
    "claim",
    "claims",
    "derive",
    "spec",
    "specs",
]
