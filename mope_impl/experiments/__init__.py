"""Experiments: the declared grids of variants and seeds, and how they are run. The modules load torch, the package does not."""
