"""Curves of subsampling and of the noise distribution over the words of a corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.core.arrays import Doubles, Ints
from workbench.counts.sampling import keep_probabilities, noise_distribution


@dataclass(frozen=True, eq=False)
class Subsampling:
    """Kept shares over frequency at a threshold t.

    share : float64[V], f = n/N of every word
    program, paper : float64[V], the share of a word's tokens kept by word2vec.c's rule and by the
    paper's
    left, paper_left : the share of all tokens kept by the program's rule, and by the paper's
    touched : number of words that lose tokens (by the program's rule)
    """

    threshold: float
    share: Doubles
    program: Doubles
    paper: Doubles
    left: float
    paper_left: float
    touched: int


@dataclass(frozen=True, eq=False)
class Noise:
    """The noise distribution compared with the unigram distribution.

    share, noise : float64[V], n/N and n^α / Σ n^α
    favoured : number of words more frequent among negative samples than in the text
    """

    exponent: float
    share: Doubles
    noise: Doubles
    favoured: int


def subsampling(counts: Ints, threshold: float) -> Subsampling:
    """Subsampling curves. counts : int64[V], descending; threshold : t, 0 keeps everything (M13b,
    section 2.3; word2vec.c).
    """
    share = counts / max(int(counts.sum()), 1)
    program = keep_probabilities(counts, threshold, "word2vec")
    paper = keep_probabilities(counts, threshold, "paper")
    return Subsampling(
        threshold,
        share,
        program,
        paper,
        float(program @ share),
        float(paper @ share),
        int(np.count_nonzero(program < 1.0)),
    )


def noise(counts: Ints, exponent: float) -> Noise:
    """Noise curves. counts : int64[V], descending; exponent : α (M13b, section 2.2)."""
    share = counts / max(int(counts.sum()), 1)
    drawn = noise_distribution(counts, exponent)
    return Noise(exponent, share, drawn, int(np.count_nonzero(drawn > share * (1 + 1e-12))))
