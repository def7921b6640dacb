"""Sharded counts in place of a corpus, for algorithms that need nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr, trn
from workbench.core.machine.memory import free_memory
from workbench.corpus.corpus import Corpus, CorpusOptions, Vocabulary
from workbench.counts.cell_source import Counts, Held, Mapped
from workbench.counts.shards import ShardedCounts

# Key in the description of the text of counts: number of its words that hyphens at line ends cut
# elsewhere, where they count as two.
PARTED = "parted_words"
# Count settings of a training: the parameter, the name in the manifest, and the default.
_COUNTED = (
    ("window", "window", None),
    ("window_weighting", "weighting", None),
    ("symmetric", "symmetric", True),
    ("sample", "sample", 0.0),
    ("sample_formula", "sample_formula", None),
)
# Parameters that counts with a vocabulary of contexts fix: a word has no context vector to add, and
# no start from pairs of words.
_WITH_OWN_CONTEXTS = {"contexts": "words", "result": "w", "start": "random"}
# Memory of a cell while an algorithm reads it, in bytes, and the maximum share of the free memory.
_CELL_BYTES, _SHARE = 40, 0.5


@dataclass(frozen=True, eq=False)
class CountedCorpus(Corpus):
    """A corpus that consists of counts alone: words and their frequencies, no ids and no
    sentences.

    ``digest`` is the digest of the counts; ``folder`` is None, because counts have no cache.
    """

    shards: ShardedCounts = field(kw_only=True)

    @property
    def tokens(self) -> int:
        return int(self.counts.sum())

    @property
    def own_contexts(self) -> Sequence[str] | None:
        """The contexts, if they have a vocabulary of their own."""
        return self.shards.contexts

    @property
    def counting(self) -> dict[str, Any]:
        """Counting parameters by name, without those missing in the manifest."""
        metadata = self.shards.metadata
        values = {name: metadata.get(key, otherwise) for name, key, otherwise in _COUNTED}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def fixed(self) -> dict[str, Any]:
        """Parameters that the counts fix: those of counting, and what a vocabulary of contexts
        excludes.
        """
        if self.own_contexts is None:
            return {**self.counting, "contexts": "words"}
        return {**self.counting, **_WITH_OWN_CONTEXTS}

    def describe(self) -> dict[str, Any]:
        """Provenance of these counts: folder, digest, cells, shards, count settings, left-out
        words, and source. JSON-ready.
        """
        of, parameters = (self.shards.metadata.get(name) for name in ("corpus", "parameters"))
        least = parameters.get("min_count") if isinstance(parameters, Mapping) else None
        return {
            "folder": str(self.shards.folder.absolute()),
            "digest": self.digest,
            "cells": self.shards.nnz,
            "shards": len(self.shards.shards),
            **self.counting,
            **({"min_count": least} if isinstance(least, int) else {}),
            **({} if self.own_contexts is None else {"own_contexts": len(self.own_contexts)}),
        } | ({"corpus": dict(of)} if isinstance(of, Mapping) else {})


def counted_remarks(metadata: Mapping[str, Any]) -> list[str]:
    """What counting in parts couldn't do, as sentences, from the ``metadata`` of counts."""
    corpus = metadata.get("corpus")
    parted = corpus.get(PARTED, 0) if isinstance(corpus, Mapping) else 0
    if not isinstance(parted, int) or not parted:
        return []
    return [
        trn(
            "{number:,} word that hyphens at line ends cut wasn’t joined there, because a "
            "cluster reads the text in parts.",
            "{number:,} words that hyphens at line ends cut weren’t joined there, because a "
            "cluster reads the text in parts.",
            parted,
        )
    ]


def open_counts(path: str | Path) -> CountedCorpus:
    """Open a folder of sharded counts for training. Raises UserError."""
    shards = ShardedCounts.open(path)
    vocabulary = shards.vocabulary
    return CountedCorpus(
        name=str(shards.metadata.get("name") or shards.folder.absolute().name),
        ids=np.empty(0, dtype=np.int32),
        sentences=np.zeros(1, dtype=np.int64),
        words=vocabulary.words,
        counts=vocabulary.counts,
        digest=shards.digest,
        options=vocabulary.options or CorpusOptions(),
        shards=shards,
    )


def counts_of(
    corpus: Corpus,
    vocabulary: Vocabulary,
    count: Callable[[], sp.csr_matrix | Held],
    run: JobControl,
) -> Counts:
    """The counts of a corpus over ``vocabulary``: the result of ``count``, or the stored counts of
    a corpus of counts.

    Raises UserError and Cancelled.
    """
    if not isinstance(corpus, CountedCorpus):
        counted = count()
        return counted if isinstance(counted, Held) else Held(counted)
    run.enter(Phase.READING, tr("Scanning the counts"))
    if corpus.own_contexts is not None:
        return _read_rows(corpus, corpus.own_contexts, len(vocabulary))
    return Mapped(corpus.shards, len(vocabulary), run)


def _read_rows(corpus: CountedCorpus, contexts: Sequence[str], size: int) -> Held:
    """The first rows of counts whose contexts have a vocabulary of their own. Raises UserError."""
    shards = corpus.shards
    if _CELL_BYTES * shards.nnz > _SHARE * free_memory():
        raise UserError(
            tr(
                "{name} has {cells:,} cells, too many for this computer’s memory.",
                name=corpus.name,
                cells=shards.nnz,
            ),
            tr("Leave out rare words and contexts in the file."),
        )
    return Held(shards.to_csr()[:size], contexts)


def needs_one_vocabulary(corpus: Corpus) -> UserError | None:
    """Why pairs of two words can't be looked up in a corpus, or None: the contexts of its counts
    aren't words.
    """
    if isinstance(corpus, CountedCorpus) and corpus.own_contexts is not None:
        return UserError(
            tr(
                "The contexts of {name} aren’t words, so the counts contain no pairs of two words.",
                name=corpus.name,
            ),
            tr("Open a text, or counts of words with words."),
        )
    return None


def counted_values(
    corpus: CountedCorpus, names: Mapping[str, object], given: Mapping[str, object]
) -> dict[str, Any]:
    """Values that parameters ``names`` (with their own defaults) must have for these counts.

    given : values that were set explicitly. Raises UserError for a value that contradicts the
    counts, and if the algorithm lacks a parameter for a setting.
    """
    values = {}
    for name, counted in corpus.fixed.items():
        if name not in names:
            if name == "symmetric" and not counted:
                raise UserError(
                    tr(
                        "These counts contain contexts on one side only, but this "
                        "algorithm needs both sides."
                    ),
                    tr("Count symmetrically, or train glove, which accepts both."),
                )
            if name == "sample" and counted:
                raise UserError(
                    tr(
                        "These counts were made with subsampling, which this algorithm doesn’t "
                        "support. Count again without subsampling."
                    ),
                    tr("Count again."),
                )
            continue
        if (
            name in given
            and str(given[name]).lower() != str(counted).lower()
            and _differs(given[name], counted)
        ):
            raise _contradiction(corpus, name, counted, given[name])
        values[name] = counted
    return values


def _contradiction(corpus: CountedCorpus, name: str, counted: object, other: object) -> UserError:
    if corpus.own_contexts is not None and name in _WITH_OWN_CONTEXTS:
        return UserError(
            tr(
                "The contexts of {counts} aren’t words, so {name} must be {value}, not {other}.",
                counts=corpus.name,
                name=name,
                value=counted,
                other=other,
            ),
            tr("Leave {name} out.", name=name),
        )
    return UserError(
        tr(
            "{counts} was counted with {name} {value}, not {other}.",
            counts=corpus.name,
            name=name,
            value=counted,
            other=other,
        ),
        tr("Leave {name} out, or count again.", name=name),
    )


def _differs(one: object, two: object) -> bool:
    try:
        return float(str(one)) != float(str(two))
    except ValueError:
        return True
