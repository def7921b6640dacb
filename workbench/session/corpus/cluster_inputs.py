"""Inputs of counts on a cluster: paths, addresses or the key of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.core.job_control import JobControl
from workbench.corpus.catalogue import options_for_entry, public_entry, sample_key
from workbench.corpus.corpus import CorpusOptions


def cluster_texts(
    paths: Sequence[str | Path], options: CorpusOptions | None = None, run: JobControl | None = None
) -> tuple[list[str | Path], CorpusOptions]:
    """Inputs of ``counts.cluster`` for the names that a user typed: files, folders, addresses, or
    one corpus by its key.

    Writes a bundled corpus into the cache if it isn't there yet. Raises UserError and Cancelled.
    """
    options = options or CorpusOptions()
    given = [str(path) for path in paths]
    if len(given) == 1 and "://" not in given[0]:
        key = sample_key(given)
        if key:
            from workbench.corpus.samples import sample_text

            return [sample_text(key, run)], options.lasting()
        entry = public_entry(given)
        if entry is not None:
            entry.prove_here()
            return [entry.place], options_for_entry(entry, options)
    return list(paths), options
