"""mope_theory: claims on Morlet positional encodings, as statements, derivations and enclosures. Never imports torch."""
from .claim import Claim
from .derivation import Derivation
from .registry import NoDerivation, UnknownName, claim, claims, derive

__all__ = ["Claim", "Derivation", "NoDerivation", "UnknownName", "claim", "claims", "derive"]
