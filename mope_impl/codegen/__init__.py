"""From a kernel specification to source text.

``generate(spec, backend)`` runs the passes of :mod:`.passes` in order and hands the schedule to a backend.
"""
from .checks import require_claim
from .generate import BACKENDS, generate, write
from .package import MANIFEST, package

__all__ = ["BACKENDS", "MANIFEST", "generate", "package", "require_claim", "write"]
