"""Kernels written by ``mope generate --backend torch``; each file needs nothing but torch and may be copied alone."""
