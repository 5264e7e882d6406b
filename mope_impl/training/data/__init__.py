"""Texts to train on: where they come from, how they become tokens, which windows of them a step sees.

``load(DataConfig())`` is a text of the synthetic source, whose law, correlation length and best possible loss are known, so that
a first run needs no network; other sources are TinyShakespeare and any UTF-8 file.
"""
from __future__ import annotations

from .config import DataConfig, DataError
from .corpus import Corpus, load
from .synthetic import CopySource
from .vocabulary import ByteVocabulary, CharacterVocabulary, Vocabulary, vocabulary_from_json

__all__ = [
    "ByteVocabulary",
    "CharacterVocabulary",
    "CopySource",
    "Corpus",
    "DataConfig",
    "DataError",
    "Vocabulary",
    "load",
    "vocabulary_from_json",
]
