"""Training: data, configuration, optimiser, loop, checkpoints and measures."""
