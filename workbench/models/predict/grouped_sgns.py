"""SGNS on a text in which some words are another word in each group (temporal referencing).

As the word of a pair, a marked token is the word of its group; as the context of a pair, it stays
the word that it is. So all rows of words, of groups or not, are trained against the same contexts
(Dubossarsky, Hengchen, Tahmasebi & Schlechtweg 2019, section 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbench.core.arrays import Ids, Ints
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.corpus.context_iterator import places_of
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.sampling import alias_table, noise_distribution
from workbench.models.checkpointing import ResumeState
from workbench.models.predict.sgns import (
    SGNS,
    SGNSParams,
    SgnsScratch,
    SgnsTrainer,
    make_scratch,
)
from workbench.models.predict.window_trainer import train_windows
from workbench.vectors.embeddings import Embeddings


def train_groups(
    corpus: Corpus,
    vocabulary: Vocabulary,
    words: Sequence[int],
    codes: Ids,
    groups: int,
    params: SGNSParams,
    run: JobControl,
) -> Embeddings:
    """Train SGNS with a row for each of ``words`` in each group.

    words : ranks of T words of the vocabulary; codes : int32[S], the group of each sentence, −1
    without one, where words stay themselves

    Returns the vectors of the V words of the vocabulary, then of word 0 in groups 0 to G − 1, of
    word 1, and so on; a word itself has those tokens that have no group. Raises UserError, Diverged
    and Cancelled.
    """
    run.enter(Phase.COMPILING, tr("Preparing the kernels"))
    SGNS.warm()
    size = len(vocabulary)
    ids = np.array(corpus.ids, dtype=np.int32)
    ids[ids >= size] = size + len(words) * groups
    for number, word in enumerate(words):
        places = places_of(corpus, word, run)
        group = codes[np.searchsorted(corpus.sentences, places, side="right") - 1]
        ids[places[group >= 0]] = size + number * groups + group[group >= 0]
    counts = np.bincount(ids, minlength=size + len(words) * groups)
    counts = counts[: size + len(words) * groups].astype(np.int64)
    marked = replace(corpus, ids=ids, folder=None, counts=counts)
    names = [*vocabulary.words]
    names += [f"{vocabulary.words[word]}@{group}" for word in words for group in range(groups)]
    shared = np.repeat(np.array(words, dtype=np.int32), groups)
    trainer = _GroupTrainer(Vocabulary(names, counts), params, vocabulary.counts, shared)
    return train_windows(trainer, marked, run)


class _GroupTrainer(SgnsTrainer):
    """Rows of words in groups share the context rows, and the noise, of the words themselves."""

    def __init__(
        self, vocabulary: Vocabulary, params: SGNSParams, own_counts: Ints, shared: Ids
    ) -> None:
        super().__init__(vocabulary, params, ResumeState())
        noise = np.zeros(len(vocabulary))
        noise[: len(own_counts)] = noise_distribution(own_counts, params.ns_exponent)
        self.noise = alias_table(noise)
        self._shared = shared

    def make_scratch(self, worker: int) -> SgnsScratch:
        return make_scratch(self.params, self._shared)
