"""Benchmarks: what takes how long, beside what others take, in one run on one machine; they assert nothing."""
