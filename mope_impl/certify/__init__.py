"""Translation validation: what a generated kernel computes is read from its text and proved to be the formula it is named for.

Nothing of a file is executed or imported, and nothing of the generator is used. What must be believed: this package, the
decision procedure and Arb, that torch's operations are what :mod:`.torch.operations` says, that ``torch`` is torch, and that
autograd calls the three methods as it documents; for bounds of rounding errors also IEEE 754, and the hypotheses that
:mod:`.rounding.primitives` names. A certificate (:mod:`.certificate`) holds all that is found, to be found again.
"""

from .files import Report, check, kernels
from .proof import Finding, Semantics
from .torch.semantics import semantics

__all__ = ["Finding", "Report", "Semantics", "check", "kernels", "semantics"]
