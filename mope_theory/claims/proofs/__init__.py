"""Derivations that are too long to stand beside their statements, one module a claim."""
