"""Counting in a child process, for ``cache.py``."""

from __future__ import annotations

from typing import Any

from workbench.core.job_control import JobControl
from workbench.corpus.cache import Damaged, load
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.expected_counts import SampledWindow, effective_counts


def task(request: Any, run: JobControl) -> None:
    """Put counts of a corpus in the cache beside it, unless the corpus was removed meanwhile.

    request : the corpus’s ``digest``, and the cache ``key`` of ``cooccurrence`` or
    ``effective_counts``. Raises UserError and Cancelled.
    """
    try:
        corpus = load(request["digest"], run, check=False)
    except Damaged:
        return
    kind, size, window, weighting, *rest = request["key"]
    # Ids are ranks, so the counted words are the first ones.
    vocabulary = corpus.vocabulary(max_vocab=size)
    if kind == "cooccurrence":
        (symmetric,) = rest
        cooccurrence(corpus, vocabulary, window, weighting, symmetric, run=run)
    else:
        effective_counts(corpus, vocabulary, SampledWindow(window, weighting, *rest), run)
