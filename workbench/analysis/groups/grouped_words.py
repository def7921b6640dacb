"""Words in the groups of a corpus: cosines to chosen words with bands and a control, and contexts
gained and lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.groups.gained_contexts import ContextChange, context_changes, rows_of
from workbench.analysis.groups.params import SGNS, GroupedParams
from workbench.analysis.groups.series import Samples, Series, Units, sample_cosines, series_of
from workbench.analysis.groups.spaces import GroupSpace, open_space
from workbench.analysis.groups.trained import sample_trained
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase, split_progress
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE
from workbench.core.param_labels import quoted_param
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.documents import (
    DocumentParams,
    documents_of,
    with_short_sentences,
)
from workbench.corpus.groups import GroupParams, SentenceGroups, sentence_groups
from workbench.corpus.suggestions import unknown_words
from workbench.corpus.word_lookup import look_up
from workbench.counts.association import Margins, margins_of
from workbench.counts.contexts import context_totals
from workbench.counts.unit_contexts import contexts_by_unit, occurrences_by_unit
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class WordInGroups:
    """A word in G groups.

    occurrences : int64[G]
    gained, lost : for each group, the contexts with the most evidence
    """

    word: str
    occurrences: Ints
    gained: tuple[tuple[ContextChange, ...], ...]
    lost: tuple[tuple[ContextChange, ...], ...]


@dataclass(frozen=True, eq=False)
class GroupedWords:
    """Words in the groups of a corpus.

    groups : of its sentences; tokens : int64[G]; unit : what was drawn and shuffled; units : int64
    [G], their number in each group
    series : for each word, one with each of the chosen words
    """

    groups: SentenceGroups
    tokens: Ints
    unit: str
    units: Ints
    words: tuple[WordInGroups, ...]
    series: tuple[Series, ...]
    params: GroupedParams


@dataclass(frozen=True)
class Question:
    """What is asked: words in groups, and the words whose cosines with them are wanted.

    to : empty: each word’s own vector in the whole text
    contexts : number of contexts gained and lost in each group
    """

    words: tuple[str, ...]
    to: tuple[str, ...] = ()
    contexts: int = 10


def group_words(
    corpus: Corpus,
    question: Question,
    by: GroupParams,
    documents: DocumentParams,
    params: GroupedParams,
    run: JobControl | None = None,
    embeddings: Embeddings | None = None,
) -> GroupedWords:
    """Compare words between the groups of a corpus.

    embeddings : vectors for à-la-carte; None: SVD of the text

    Sentences without a group count as contexts, but in no group. The same seed gives the same
    result, with sgns only on one thread. Advances the progress. Raises UserError for unknown words,
    for groups as ``sentence_groups`` does, and if there are fewer than two; and Cancelled.
    """
    run = run or JobControl()
    corpus = with_short_sentences(corpus)
    groups = _several_groups(corpus, by)
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    words, to = _rows(vocabulary, question.words), _rows(vocabulary, question.to)
    drawn = documents_of(corpus, documents, groups.codes)
    units = Units.of(groups, drawn)
    numbers = np.bincount(units.groups[units.groups >= 0], minlength=len(groups))
    counted = [_count(corpus, vocabulary, word, units, params, run) for word in words]
    with BLAS_ALONE:
        if params.method == SGNS:
            samples = sample_trained(corpus, vocabulary, groups, drawn, words, to, params, run)
        else:
            space = open_space(corpus, vocabulary, params, run, embeddings)
            samples = _sample(space, counted, units, len(groups), words, to, params, run)
    totals = context_totals(corpus, len(vocabulary), params.window, params.window_weighting, run)
    sums = margins_of(totals, totals, params.context_smoothing)
    described = tuple(
        _describe(
            corpus,
            vocabulary,
            groups,
            word,
            rows_of(one, units.groups, len(groups)),
            question.contexts,
            sums,
            run,
        )
        for word, one in zip(words, counted, strict=True)
    )
    series = tuple(
        series_of(
            one.word,
            vocabulary.words[other],
            at,
            found,
            one.occurrences,
            numbers,
            groups.ordered,
        )
        for one, word, found in zip(described, words, samples, strict=True)
        for at, other in enumerate(to or [word])
    )
    return GroupedWords(
        groups, groups.tokens(corpus), drawn.unit, numbers, described, series, params
    )


def _several_groups(corpus: Corpus, by: GroupParams) -> SentenceGroups:
    """Raises UserError if all sentences are in one group."""
    groups = sentence_groups(corpus, by)
    if len(groups) < 2:
        raise UserError(
            tr(
                "All sentences of {corpus} are in one group, “{group}”.",
                corpus=corpus.name,
                group=groups.values[0],
            ),
            tr("Choose something else in {by}.", by=quoted_param("by")),
        )
    return groups


def _rows(vocabulary: Vocabulary, words: Sequence[str]) -> list[int]:
    """The ranks of words, each once. Raises UnknownWord."""
    found = [look_up(word, vocabulary.index, vocabulary.options) for word in words]
    unknown = [word for word, row in zip(words, found, strict=True) if row is None]
    if unknown:
        raise unknown_words(unknown, vocabulary.words, trained=False)
    return list(dict.fromkeys(row for row in found if row is not None))


def _count(
    corpus: Corpus,
    vocabulary: Vocabulary,
    word: int,
    units: Units,
    params: GroupedParams,
    run: JobControl,
) -> sp.csr_matrix:
    run.enter(Phase.COUNTING, tr("Counting the contexts of words"))
    return contexts_by_unit(
        corpus,
        len(vocabulary),
        word,
        units.of_sentences,
        len(units.groups),
        params.window,
        params.window_weighting,
        run,
    )


def _sample(
    space: GroupSpace,
    counted: Sequence[sp.csr_matrix],
    units: Units,
    size: int,
    words: Sequence[int],
    to: Sequence[int],
    params: GroupedParams,
    run: JobControl,
) -> list[Samples]:
    """The cosines of each word with the chosen words, or with itself in the whole text."""
    run.enter(Phase.TRAINING, tr("Drawing documents"))
    found = []
    parts = split_progress(run, len(words))
    for word, contexts, part in zip(words, counted, parts, strict=True):
        others = np.array(to or [word], dtype=np.int64)
        seed = [params.seed, word]
        found.append(sample_cosines(space, contexts, units, size, others, params, seed, part))
    return found


def _describe(
    corpus: Corpus,
    vocabulary: Vocabulary,
    groups: SentenceGroups,
    word: int,
    rows: Doubles,
    contexts: int,
    sums: Margins,
    run: JobControl,
) -> WordInGroups:
    """rows : float64[G, V], the counts of the word in each group"""
    changes = [
        context_changes(rows, group, sums, vocabulary.words, contexts)
        for group in range(len(groups))
    ]
    return WordInGroups(
        vocabulary.words[word],
        occurrences_by_unit(corpus, word, groups.codes, len(groups), run),
        tuple(gained for gained, _ in changes),
        tuple(lost for _, lost in changes),
    )
