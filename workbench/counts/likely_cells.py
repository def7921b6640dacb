"""Nonzero cells of a corpus, estimated from samples of its text."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cooccurrence import expected_cells
from workbench.counts.counts_corpus import CountedCorpus

_SAMPLES, _STRETCHES = (25_000, 100_000), 8
# Lower bound, because the share falls more slowly at the end than between samples.
_LOWEST = 0.125
_shares: WeakKeyDictionary[Corpus, dict[int, tuple[float, float]]] = WeakKeyDictionary()


def likely_cells(
    corpus: Corpus, vocabulary: Vocabulary, window: int, symmetric: bool = True
) -> float:
    """Nonzero cells of the co-occurrence table of a corpus, usually accurate within a fifth.

    ``expected_cells`` assumes independent words, but texts repeat themselves and sentences end:
    Small World has a quarter of those cells. The actual share falls linearly with the logarithm of
    the number of tokens, so it is counted in two samples and extrapolated.
    """
    independent = expected_cells(vocabulary, window * (2 if symmetric else 1))
    if isinstance(corpus, CountedCorpus) or not len(corpus.ids):
        return independent
    shares = _shares.setdefault(corpus, {})
    if window not in shares:
        small, large = (_share(corpus, window, tokens) for tokens in _SAMPLES)
        shares[window] = small, large
    small, large = shares[window]
    doublings = np.log2(_SAMPLES[1] / _SAMPLES[0])
    beyond = max(float(np.log2(len(corpus.ids) / _SAMPLES[1])), 0.0)
    share = large - beyond * max(small - large, 0.0) / doublings
    return independent * float(max(share, large * _LOWEST))


def _share(corpus: Corpus, window: int, tokens: int) -> float:
    """Distinct pairs of a sample, as a share of those of independent words."""
    stretch = max(min(tokens, len(corpus.ids)) // _STRETCHES, 1)
    starts = np.linspace(0, len(corpus.ids) - stretch, _STRETCHES).astype(np.int64)
    places = np.unique((starts[:, None] + np.arange(stretch)).ravel())
    ids = corpus.ids[places].astype(np.int64)
    sentence = np.searchsorted(corpus.sentences, places, side="right")
    pairs = []
    for distance in range(1, min(window, len(ids) - 1) + 1):
        near = sentence[:-distance] == sentence[distance:]
        near &= places[distance:] - places[:-distance] == distance
        left, right = ids[:-distance][near], ids[distance:][near]
        pairs += [left * corpus.types + right, right * corpus.types + left]
    found = len(np.unique(np.concatenate(pairs))) if pairs else 0
    counts = np.sort(np.bincount(ids))[::-1]
    counts = counts[counts > 0]
    words = Vocabulary(corpus.words[: len(counts)], counts, corpus.options)
    return min(found / max(expected_cells(words, 2 * window), 1.0), 1.0)
