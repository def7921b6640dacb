"""Reading of a text in a child process, for ``loader.py`` and the samples."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.corpus.samples import open_sample


def task(request: Any, run: JobControl) -> dict[str, Any]:
    """Read ``paths`` with ``options`` as a corpus called ``name``, or a bundled ``sample``, into
    the cache.

    Raises UserError and Cancelled.
    """
    options = CorpusOptions.from_mapping(request["options"])
    if "sample" in request:
        corpus = open_sample(request["sample"], run, options)
    else:
        corpus = open_corpus(request["paths"], options, run, request["name"])
    return {
        "digest": corpus.digest,
        "files": [asdict(file) for file in corpus.files],
        "metadata": dict(corpus.metadata),
    }
