"""Kernels written by ``mope generate --backend triton``; each file needs torch and triton and may be copied alone."""
