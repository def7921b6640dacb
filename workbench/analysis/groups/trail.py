"""Vectors of a word in each group, in the space of vectors that exist already: a trail on a map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.groups.gained_contexts import rows_of
from workbench.analysis.groups.params import A_LA_CARTE, GroupedParams
from workbench.analysis.groups.series import Units
from workbench.analysis.groups.spaces import cosines, open_space
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import DocumentParams, documents_of, with_short_sentences
from workbench.corpus.groups import GroupParams, sentence_groups
from workbench.corpus.suggestions import unknown_words
from workbench.corpus.word_lookup import look_up
from workbench.counts.unit_contexts import contexts_by_unit
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class Trail:
    """A word in the G groups in which it occurs, in their order, in the space of ``embeddings``.

    rows : float32[G, d], vectors of length 1
    agreement : cosine of the vector that the whole text gives in the same way with the word’s own
    vector: how far the trail can be trusted; NaN if the word has none
    """

    word: str
    groups: tuple[str, ...]
    rows: Singles
    embeddings: Embeddings
    agreement: float


def word_trail(
    corpus: Corpus,
    word: str,
    by: GroupParams,
    params: GroupedParams,
    embeddings: Embeddings,
    run: JobControl | None = None,
) -> Trail:
    """The à-la-carte vectors of a word in its groups (``ALaCarteSpace``), from ``embeddings`` of
    any training.

    Raises UnknownWord, UserError for groups as ``sentence_groups`` does and for a word without
    known contexts, and Cancelled.
    """
    run = run or JobControl()
    corpus = with_short_sentences(corpus)
    groups = sentence_groups(corpus, by)
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    row = look_up(word, vocabulary.index, vocabulary.options)
    if row is None:
        raise unknown_words([word], vocabulary.words, trained=False)
    settings = params.replace(method=A_LA_CARTE)
    with BLAS_ALONE:
        space = open_space(corpus, vocabulary, settings, run, embeddings)
        units = Units.of(groups, documents_of(corpus, DocumentParams(), groups.codes))
        contexts = contexts_by_unit(
            corpus,
            len(vocabulary),
            row,
            units.of_sentences,
            len(units.groups),
            params.window,
            params.window_weighting,
            run,
        )
        found = rows_of(contexts, units.groups, len(groups))
        rows = sp.csr_matrix(np.vstack([found, found.sum(axis=0)]))
        vectors = np.asarray(space.vectors(rows))
        agreement = float(cosines(vectors[-1:], space.words(np.array([row])))[0, 0])
    lengths = np.linalg.norm(vectors[:-1], axis=1)
    known = np.flatnonzero(lengths > 0)
    if not len(known):
        raise UserError(
            tr("No context of “{word}” has a vector.", word=vocabulary.words[row]),
            tr("Choose a run with more words, or a more frequent word."),
        )
    unit = (vectors[known] / lengths[known, None]).astype(np.float32)
    names = tuple(groups.values[at] for at in known.tolist())
    return Trail(vocabulary.words[row], names, unit, embeddings, agreement)
