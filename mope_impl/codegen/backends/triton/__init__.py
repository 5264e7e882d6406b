"""Fused Triton kernels behind operators of torch."""
from .template import emit

__all__ = ["emit"]
