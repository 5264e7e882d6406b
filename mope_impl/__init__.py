"""From formulas to running code: the generator, its committed kernels, and the functions and modules built on them."""
