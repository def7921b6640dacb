"""Inputs of counts on a cluster: paths, addresses or the key of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions
from workbench.session.corpus.reading import options_for_entry, public_entry, sample_key


def cluster_texts(
    paths: Sequence[str | Path], options: CorpusOptions | None = None, run: JobControl | None = None
) -> tuple[list[str | Path], CorpusOptions]:
    """What ``counts.cluster`` is given for what a person names: files, folders, addresses, or one
    corpus by its key.

    A bundled corpus is written into the cache where it is not there yet. Raises UserError and
    Cancelled.
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
            if not entry.here:
                raise UserError(
                    tr("{title} was not downloaded yet.", title=entry.title),
                    tr("Download it with: workbench corpora get {key}.", key=entry.key),
                )
            return [entry.place], options_for_entry(entry, options)
    return list(paths), options
