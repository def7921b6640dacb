"""Parameters of every count: vocabulary and window."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.params import Params, param, redeclare
from workbench.counts.cooccurrence import WEIGHTINGS


@dataclass(frozen=True)
class VocabularyParams(Params):
    """Parameters of the vocabulary."""

    min_count: int = param(
        5,
        "Minimum number of times a word must occur. Rarer words are removed before anything else.",
        label="Minimum count",
        low=1,
        high=1_000_000_000,
        unit="occurrences",
        grows="fewer, more reliable words; less memory",
        source="word2vec.c -min-count 5",
    )
    max_vocab: int = param(
        0,
        "Maximum number of words, the most frequent first. 0 = no limit.",
        label="Largest vocabulary",
        low=0,
        high=100_000_000,
        unit="words",
        grows="more rare words; more memory",
        source="0 = no limit",
    )


@dataclass(frozen=True)
class CountWindowParams(VocabularyParams):
    """Parameters of the vocabulary, and settings of co-occurrence."""

    min_count: int = redeclare(
        VocabularyParams, "min_count", 5, "word2vec.c -min-count 5", basic=True
    )
    max_vocab: int = redeclare(VocabularyParams, "max_vocab", 0, "0 = no limit", basic=True)
    window: int = param(
        5,
        "Number of words on each side that count as contexts.",
        label="Window",
        symbol="L",
        low=1,
        high=1000,
        source="word2vec.c -window 5",
        basic=True,
    )
    window_weighting: str = param(
        "dynamic",
        "Weight of a context at distance δ. dynamic: (L − δ + 1)/L; fixed: 1; harmonic: "
        "1/δ; linear: L − δ + 1.",
        label="Window weighting",
        choices=WEIGHTINGS,
        source="word2vec.c",
        basic=True,
    )
    symmetric: bool = param(
        True,
        "Contexts on both sides of a word. Off = only the words after it.",
        label="Symmetric",
        basic=True,
    )
