"""Plain aten code in a ``torch.autograd.Function``."""
from .template import emit

__all__ = ["emit"]
