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
        "Words seen less often than this are left out before anything else is done.",
        label="Minimum count",
        low=1,
        high=1_000_000_000,
        unit="occurrences",
        grows="fewer, better attested words; less memory",
        source="word2vec.c -min-count 5",
    )
    max_vocab: int = param(
        0,
        "Keep at most this many of the most frequent words; 0 keeps all.",
        label="Largest vocabulary",
        low=0,
        high=100_000_000,
        unit="words",
        grows="more rare words; more memory",
        source="0: no limit",
    )


@dataclass(frozen=True)
class CountWindowParams(VocabularyParams):
    """The same, and what counts as standing together."""

    min_count: int = redeclare(
        VocabularyParams, "min_count", 5, "word2vec.c -min-count 5", basic=True
    )
    max_vocab: int = redeclare(VocabularyParams, "max_vocab", 0, "0: no limit", basic=True)
    window: int = param(
        5,
        "Words on each side that count as context.",
        label="Window",
        symbol="L",
        low=1,
        high=1000,
        source="word2vec.c -window 5",
        basic=True,
    )
    window_weighting: str = param(
        "dynamic",
        "What a context at distance δ counts: (L − δ + 1)/L, 1, 1/δ, or L − δ + 1.",
        label="Window weighting",
        choices=WEIGHTINGS,
        source="word2vec.c",
        basic=True,
    )
    symmetric: bool = param(
        True,
        "Count contexts on both sides; else only the words after a word.",
        label="Symmetric",
        basic=True,
    )
