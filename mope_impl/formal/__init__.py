"""Formal proofs: the statements of the claims printed as propositions of Coq, and the check of the theorems that prove them."""
