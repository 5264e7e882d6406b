"""Committed output of the code generator, one package a backend: never edited by hand, only regenerated."""
