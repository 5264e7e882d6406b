"""Translation validation: what a generated kernel computes is read from its text and proved to be the formula it is named for.

Nothing of a file is executed or imported, and nothing of the generator is used. What must be believed: this package, the
decision procedure and Arb, that torch's operations are what :mod:`.torch.operations` says, and Triton's what :mod:`.triton` says,
that ``torch`` is torch, and that autograd calls the three methods as it documents. It speaks of real numbers; how far results are
rounded is the matter of :mod:`.rounding`. Files of Triton are tried at shapes: what is found of them holds there.
"""

from .files import Report, check, kernels
from .proof import Finding, Semantics
from .torch.semantics import semantics

__all__ = ["Finding", "Report", "Semantics", "check", "kernels", "semantics"]
