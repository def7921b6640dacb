"""Measured runs over prefixes of a corpus, the data of a cost model."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.corpus.cost_model import CELL_BYTES, CountSetting, MeasuredRun
from workbench.analysis.corpus.frequency_law import Spectrum
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, CorpusOptions, Vocabulary
from workbench.corpus.tokenise.kernel_tokeniser import Tokeniser
from workbench.counts.cluster.partial_counts import sum_matrices
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.base import MODELS

_BLOCK = 100_000


def corpus_beginning(corpus: Corpus, tokens: int) -> Corpus:
    """The first ``tokens`` tokens of a corpus as a corpus of its own, in memory."""
    tokens = min(tokens, corpus.tokens)
    ids = np.asarray(corpus.ids[:tokens])
    counts = np.bincount(ids, minlength=corpus.types)
    order = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
    rank = np.zeros(corpus.types, dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    last = int(np.searchsorted(corpus.sentences, tokens))
    sentences = np.append(corpus.sentences[:last], tokens)
    words = tuple(corpus.words[row] for row in order)
    return replace(
        corpus,
        ids=rank[ids],
        sentences=sentences,
        words=words,
        counts=counts[order],
        digest="0" * 32,
        folder=None,
    )


def measure_runs(
    corpus: Corpus,
    sizes: Sequence[int],
    setting: CountSetting,
    run: JobControl,
    trained: Sequence[str] = (),
    dim: int = 100,
) -> Iterator[MeasuredRun]:
    """Measure one run for each size: read, count, count in parts and merge, and train one epoch of
    each of ``trained``.

    setting : its neighbours must be 2L, both sides of a window; trained : keys of
    algorithms. Raises Cancelled.
    """
    for number, size in enumerate(sizes):
        run.check()
        run.advance(number / len(sizes), f"Measuring {size:,} tokens")
        part = corpus_beginning(corpus, size)
        yield _measure_run(
            part, part.vocabulary(setting.least, setting.vocabulary), setting, run, trained, dim
        )


def _measure_run(
    corpus: Corpus,
    vocabulary: Vocabulary,
    setting: CountSetting,
    run: JobControl,
    trained: Sequence[str],
    dim: int,
) -> MeasuredRun:
    window = setting.neighbours // 2
    seconds = {"read": _time_reading(corpus, run)}
    quiet = JobControl()
    began = time.perf_counter()
    cells = cooccurrence(corpus, vocabulary, window, "fixed", run=quiet).nnz
    seconds["count"] = time.perf_counter() - began
    run.check()
    parts = list(_count_parts(corpus, vocabulary, window, setting.part, run))
    shuffled = CELL_BYTES * sum(part.nnz for part in parts)
    added: list[int] = []
    began = time.perf_counter()
    sum_matrices(iter(parts), added.append)
    seconds["merge"] = time.perf_counter() - began
    del parts
    for key in trained:
        run.check()
        seconds[key] = _time_pass(key, corpus, window, setting, dim)
    return MeasuredRun(
        Spectrum.of(corpus.counts),
        len(vocabulary),
        vocabulary.tokens,
        int(cells),
        int(shuffled),
        sum(added),
        seconds,
    )


def _time_pass(key: str, corpus: Corpus, window: int, setting: CountSetting, dim: int) -> float:
    """Seconds of the second of two epochs, after the tables are allocated and the first state is
    kept.
    """
    kind = MODELS[key]
    settings = {
        "dim": dim,
        "window": window,
        "min_count": setting.least,
        "max_vocab": setting.vocabulary,
        kind.passes: 2,
    }
    names = {spec.name for spec in kind.params_type.specs()}
    run = JobControl()
    kind(
        kind.params_type.from_mapping({name: settings[name] for name in settings if name in names})
    ).fit(corpus, run)
    half, whole = np.interp([0.5, 1.0], run.trace.progress, run.trace.seconds)
    return float(whole - half)


def _time_reading(corpus: Corpus, run: JobControl) -> float:
    """Seconds to convert text in memory to word numbers and a vocabulary."""
    words = np.array(corpus.words, dtype=object)
    tokeniser = Tokeniser(CorpusOptions(tokeniser="whitespace", lowercase=False))
    taken = 0.0
    for first in range(0, corpus.tokens, _BLOCK):
        run.check()
        block = (" ".join(words[corpus.ids[first : first + _BLOCK]]) + "\n").encode()
        began = time.perf_counter()
        tokeniser.feed(block)
        taken += time.perf_counter() - began
    began = time.perf_counter()
    tokeniser.words()
    return taken + time.perf_counter() - began


def _count_parts(
    corpus: Corpus, vocabulary: Vocabulary, window: int, size: int, run: JobControl
) -> Iterator[sp.csr_matrix]:
    """Yield separate counts of every ``size`` tokens."""
    for first in range(0, corpus.tokens, size):
        run.check()
        last = min(first + size, corpus.tokens)
        low, high = np.searchsorted(corpus.sentences, [first, last], side="right")
        inner: npt.NDArray[np.int64] = np.asarray(corpus.sentences[low:high]) - first
        sentences = np.unique(np.concatenate([[0], inner, [last - first]]))
        part = replace(corpus, ids=corpus.ids[first:last], sentences=sentences)
        yield cooccurrence(part, vocabulary, window, "fixed", run=JobControl())
