"""A text as training reads it once, and the counts of pairs in it, for a start from the counts.

Training reads tokens at random: subsampling drops frequent words, and gaps close. Counts of one
such reading estimate the expected counts (``counts/expected_counts.py``) in a seventh of the time,
because a pair is added once instead of for every distance that it may have. Random radii of windows
are taken in expectation. A short text is read several times, so that its counts are exact enough.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.readahead import Readahead
from workbench.counts.cooccurrence import window_scanner, window_weights
from workbench.counts.cooccurrence_kernel import Take, block_count, pass_rows
from workbench.counts.expected_counts import WindowSettings
from workbench.counts.sampling import keep_probabilities

# A text is read again until this many tokens are read, at most that often.
_ENOUGH, _READINGS = 4_000_000, 4
# Tokens handled at a time: some milliseconds.
_CHUNK = 1 << 17
# Maximum cells that are counted at a time, before most of their rows are known to have fewer.
_PIECE = 6_000_000
# Pairs for the fit of a constant, and negative samples of each.
_PAIRS, _SAMPLES = 1 << 14, 4

# Makes an array of a size and a type: in memory, or mapped from disk.
Room = Callable[[int, npt.DTypeLike], npt.NDArray[Any]]


class Pairs(NamedTuple):
    """Pairs drawn as training draws them.

    words, contexts : int64[n], drawn by #(w, c); noise : int64[n, m], drawn by P_n(c)
    """

    words: Ints
    contexts: Ints
    noise: Ints


def readings_of(corpus: Corpus, settings: WindowSettings) -> int:
    """How often ``read_text`` reads a text."""
    if settings.sample <= 0:
        return 1
    return int(np.clip(-(-_ENOUGH // max(corpus.tokens, 1)), 1, _READINGS))


def read_text(
    corpus: Corpus,
    vocabulary: Vocabulary,
    settings: WindowSettings,
    draws: np.random.Generator,
    run: JobControl,
    room: Room = np.empty,
) -> Corpus:
    """The tokens of the vocabulary that subsampling keeps in one reading of a text; a short text is
    read up to four times if subsampling makes a difference. Raises Cancelled.
    """
    keep = np.zeros(corpus.types, dtype=np.float32)
    keep[: len(vocabulary)] = keep_probabilities(
        vocabulary.counts, settings.sample, settings.sample_formula
    )
    times = readings_of(corpus, settings)
    ids, ends = room(times * corpus.tokens, np.int32), [np.zeros(1, dtype=np.int64)]
    filled, pages = 0, Readahead(corpus.ids)
    for _, begin in itertools.product(range(times), range(0, corpus.tokens, _CHUNK)):
        run.check()
        end = min(begin + _CHUNK, corpus.tokens)
        words = np.asarray(corpus.ids[begin:end])
        kept = draws.random(len(words), dtype=np.float32) < keep.take(words)
        first, last = np.searchsorted(corpus.sentences, (begin, end), side="right")
        inner = np.asarray(corpus.sentences[first:last]) - begin
        ends.append(filled + np.append(0, np.cumsum(kept))[inner])
        words = words.compress(kept)
        pages.let_go(begin, end)
        ids[filled : filled + len(words)] = words
        filled += len(words)
    borders = np.concatenate(ends)
    # They ascend, so this is np.unique, which takes a hundred times as long.
    borders = borders[np.append(True, np.diff(borders) > 0)]
    return replace(corpus, ids=ids[:filled], sentences=borders, folder=None)


def count_frequent(
    text: Corpus,
    vocabulary: Vocabulary,
    frequent: int,
    settings: WindowSettings,
    take: Take,
    run: JobControl,
    threads: int = 0,
) -> None:
    """Pass #(w, c) in a reading to ``take``, in units of ``window_weights``, some rows at a time,
    up to those of the ``frequent`` first words. Counts are symmetric, so these rows are also
    columns. A text of several blocks is counted in stretches of rows, because the sums of its first
    blocks are in memory. Raises Cancelled.
    """
    size, bounds = len(vocabulary), np.array([0, frequent])
    if block_count(text) > 1:
        most = np.minimum(2 * settings.window * vocabulary.counts[:frequent], size)
        marks = np.arange(_PIECE, int(most.sum()), _PIECE)
        inner = np.searchsorted(np.cumsum(most), marks, side="right")
        bounds = np.unique(np.concatenate(([0], inner, [frequent])))
    scanner = window_scanner(settings.window, settings.window_weighting)
    for first, last in pairwise(bounds.tolist()):
        rows = np.zeros(size, dtype=np.bool_)
        rows[first:last] = True
        pass_rows(text, size, scanner, take, threads=threads, run=run, rows=rows)


def word_sums(
    text: Corpus, vocabulary: Vocabulary, settings: WindowSettings, run: JobControl
) -> Doubles:
    """#(w), the sums of all rows, in float64[V], without counting pairs: a token's share is the
    weight of the positions in its window that are in its sentence. Raises Cancelled.
    """
    weights, divisor = window_weights(settings.window, settings.window_weighting)
    reached = np.concatenate(([0.0], np.cumsum(weights / divisor)))
    size = len(vocabulary)
    sums = np.zeros(size)
    for begin in range(0, text.tokens, _CHUNK):
        run.check()
        sums += 2 * reached[-1] * np.bincount(text.ids[begin : begin + _CHUNK], minlength=size)
    starts, ends = text.sentences[:-1], text.sentences[1:]
    for step, missing in enumerate(reached[-1] - reached[:-1]):
        run.check()
        inside = starts + step < ends
        for edge in (starts[inside] + step, ends[inside] - 1 - step):
            sums -= missing * np.bincount(text.ids[edge], minlength=size)
    return sums


def draw_pairs(
    text: Corpus, settings: WindowSettings, noise: Doubles, draws: np.random.Generator
) -> Pairs:
    """Pairs of a reading: words at equal steps, with contexts drawn by the window's weights."""
    weights, _ = window_weights(settings.window, settings.window_weighting)
    places = ((np.arange(_PAIRS) + 0.5) / _PAIRS * text.tokens).astype(np.int64)
    distances = 1 + draws.choice(len(weights), _PAIRS, p=weights / weights.sum())
    others = places + distances * draws.choice((-1, 1), _PAIRS)
    after = np.searchsorted(text.sentences, places, side="right")
    inside = (others >= text.sentences[after - 1]) & (others < text.sentences[after])
    places, others = places[inside], others[inside]
    drawn = np.searchsorted(np.cumsum(noise), draws.random((len(places), _SAMPLES)), side="right")
    return Pairs(
        text.ids[places].astype(np.int64),
        text.ids[others].astype(np.int64),
        np.minimum(drawn, len(noise) - 1),
    )
