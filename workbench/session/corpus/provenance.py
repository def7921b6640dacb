"""A corpus in the provenance of vectors and counts."""

from __future__ import annotations

from typing import Any

from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus


def describe_corpus(corpus: Corpus) -> dict[str, Any]:
    """A corpus in provenance and reports: name, files, tokens, types, digest, options, and
    ``counts`` if it consists of counts alone.
    """
    return {
        "name": corpus.name,
        "files": [file.path for file in corpus.files],
        "tokens": corpus.tokens,
        "types": corpus.types,
        "digest": corpus.digest,
        "options": corpus.options.to_dict(),
    } | ({"counts": corpus.describe()} if isinstance(corpus, CountedCorpus) else {})
