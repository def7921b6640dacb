"""Shared contexts of two words, and the part of each in their cosine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from workbench.analysis.neighbours.context_tables import ContextCounts, context_table
from workbench.core.arrays import Doubles
from workbench.core.errors import UnknownWord, UserError, shorten_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.contexts import ContextRow
from workbench.counts.counts_corpus import CountedCorpus
from workbench.vectors.embeddings import Embeddings

SIDES = ("", "before", "after")


@dataclass(frozen=True)
class ContextSettings:
    """Settings of the counting of contexts; names and meanings are those of the algorithms'
    parameters.
    """

    window: int = 5
    window_weighting: str = "dynamic"
    min_count: int = 1
    max_vocab: int = 0

    def as_counted(self, embeddings: Embeddings | None) -> ContextSettings:
        """Settings with which the embeddings' algorithm counted, if known."""
        parameters = None if embeddings is None else embeddings.metadata.get("parameters")
        known: Mapping[str, Any] = parameters if isinstance(parameters, Mapping) else {}
        changes: dict[str, Any] = {}
        for item in fields(self):
            value = known.get(item.name)
            if isinstance(value, type(getattr(self, item.name))) and not isinstance(value, bool):
                changes[item.name] = value
        return replace(self, **changes)

    @property
    def as_pair(self) -> tuple[int, str]:
        """The window and its weighting."""
        return self.window, self.window_weighting

    def for_corpus(self, corpus: Corpus) -> ContextSettings:
        """These settings; if the corpus consists of counts, with the window and weighting of the
        counts, which can't be changed.
        """
        counting = corpus.counting if isinstance(corpus, CountedCorpus) else {}
        return replace(
            self,
            **{name: counting[name] for name in ("window", "window_weighting") if name in counting},
        )


@dataclass(frozen=True)
class WordContext:
    """A context of one word. ``times``: number of pairs of positions in the text, or its lower
    bound if only counts are known; ``count``: #(w, c), weighted by the window; ``pmi`` in nats.
    """

    word: str
    times: int
    count: float
    pmi: float


@dataclass(frozen=True)
class Contexts:
    """The ``shown`` contexts of a word, best first; ``number`` of all contexts it co-occurs with;
    ``counted``: there was no text, only counts.
    """

    word: str
    shown: tuple[WordContext, ...]
    number: int
    counting: ContextSettings
    least: int
    counted: bool = False


@dataclass(frozen=True)
class SharedContext:
    """One context of both words.

    word, side : the context; "before" or "after" if the model distinguishes them
    part : its part of ``total``
    left, right : the two words' cells, in the model's (or the corpus's) own units
    """

    word: str
    side: str
    part: float
    left: float
    right: float


@dataclass(frozen=True)
class SharedContexts:
    """Shared contexts of two words.

    cosine : of the model
    total : the sum of all parts; the cosine itself if ``exact``, else the cosine of the words'
    smoothed PPMI rows in the corpus
    shown : the contexts with the largest parts, best first, of ``number`` shared ones
    counting, least : how the corpus was counted, and how often a pair must co-occur; None and 1 if
    ``exact``
    """

    word: str
    other: str
    cosine: float
    total: float
    exact: bool
    shown: tuple[SharedContext, ...]
    number: int
    counting: ContextSettings | None = None
    least: int = 1


def column_names(embeddings: Embeddings) -> tuple[tuple[str, str], ...] | None:
    """Meaning of every column of the vectors, as (context word, side); None if columns aren't
    contexts.

    The columns of an association matrix are the vocabulary itself; those of HAL are the words
    before and then the words after (LB96), or the selection of these that ``metadata`` names.
    """
    chosen = embeddings.metadata.get("columns")
    if isinstance(chosen, list) and len(chosen) == embeddings.dim:
        pairs = [tuple(one) for one in chosen if isinstance(one, (list, tuple)) and len(one) == 2]
        if len(pairs) == embeddings.dim and all(side in SIDES for _, side in pairs):
            return tuple((str(word), str(side)) for word, side in pairs)
    if not embeddings.sparse:
        return None
    if embeddings.own_contexts is not None:
        return tuple((context, "") for context in embeddings.own_contexts.words)
    words = embeddings.words
    if embeddings.dim == len(words):
        return tuple((word, "") for word in words)
    if embeddings.dim == 2 * len(words):
        return (*((word, "before") for word in words), *((word, "after") for word in words))
    return None


def shared_contexts(
    embeddings: Embeddings, word: str, other: str, n: int = 100
) -> SharedContexts | None:
    """The columns that two words share, by the product of the unit vectors' cells: exact, the parts
    sum to the cosine. None if the columns of the vectors aren’t contexts.

    Raises UnknownWord.
    """
    names = column_names(embeddings)
    if names is None:
        return None
    one, two = embeddings.row(word), embeddings.row(other)
    left, right = _dense(embeddings, one), _dense(embeddings, two)
    lengths = _length(left), _length(right)
    parts = (left / lengths[0]) * (right / lengths[1])
    columns = np.flatnonzero(parts)
    order = columns[np.argsort(-parts[columns], kind="stable")[:n]]
    shown = tuple(
        SharedContext(
            names[column][0],
            names[column][1],
            float(parts[column]),
            float(left[column]),
            float(right[column]),
        )
        for column in order.tolist()
    )
    cosine = float(parts.sum())
    return SharedContexts(
        embeddings.words[one], embeddings.words[two], cosine, cosine, True, shown, len(columns)
    )


def shared_in_text(
    corpus: Corpus,
    embeddings: Embeddings,
    word: str,
    other: str,
    n: int = 100,
    smoothing: float = 0.75,
    least: int = 3,
    run: JobControl | None = None,
) -> SharedContexts:
    """The contexts that two words share in the corpus, by the product of the cells of their unit
    rows of PPMI_α, counted with the model's window: the input of a dense model, not its
    computation.

    smoothing : α of the context distribution; below 1, rare contexts weigh less (LGD15, section
    3.2)
    least : pairs that co-occur fewer times are ignored: their PMI is high but says little

    Raises UnknownWord if the model or the corpus lacks one of the words, and Cancelled.
    """
    counting = ContextSettings().as_counted(embeddings).for_corpus(corpus)
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    one, two = embeddings.row(word), embeddings.row(other)
    unit = [_dense(embeddings, row) / _length(_dense(embeddings, row)) for row in (one, two)]
    names = embeddings.words[one], embeddings.words[two]
    table = context_table(corpus, vocabulary, counting.as_pair, embeddings, run)
    rows = []
    for name in names:
        cells, pmi = _row_and_pmi(table, _known_row(vocabulary, name), smoothing)
        row = np.zeros(len(table.names))
        row[cells.columns] = np.where(cells.times >= least, np.maximum(pmi, 0.0), 0.0)
        rows.append(row)
    parts = (rows[0] / _length(rows[0])) * (rows[1] / _length(rows[1]))
    columns = np.flatnonzero(parts)
    order = columns[np.argsort(-parts[columns], kind="stable")[:n]]
    shown = tuple(
        SharedContext(table.names[c], "", float(parts[c]), float(rows[0][c]), float(rows[1][c]))
        for c in order.tolist()
    )
    return SharedContexts(
        *names,
        float(unit[0] @ unit[1]),
        float(parts.sum()),
        False,
        shown,
        len(columns),
        counting,
        least,
    )


def contexts_in_text(
    corpus: Corpus,
    word: str,
    counting: ContextSettings | None = None,
    n: int = 20,
    order: str = "pmi",
    least: int = 5,
    run: JobControl | None = None,
) -> Contexts:
    """The contexts of a word by PMI or by count, highest first.

    order : "pmi" or "count"
    least : contexts with lower counts are left out of an order by PMI, which favours rare words;
    if too few remain, the limit is lowered to 2 and 1

    Raises UnknownWord, UserError for an unknown order, and Cancelled.
    """
    if order not in ("pmi", "count"):
        raise UserError(
            tr("Unknown order of contexts “{order}”.", order=order),
            tr("Choose one of: pmi, count."),
        )
    counting = (counting or ContextSettings()).for_corpus(corpus)
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    table = context_table(corpus, vocabulary, counting.as_pair, None, run)
    cells, pmi = _row_and_pmi(table, _known_row(vocabulary, word), 1.0)
    scores = pmi if order == "pmi" else cells.counts
    limit = next((limit for limit in (least, 2) if np.count_nonzero(cells.times >= limit) >= n), 1)
    limit = min(limit, least) if order == "pmi" else 1
    usable = np.flatnonzero(cells.times >= limit)
    best = usable[np.argsort(-scores[usable], kind="stable")[:n]]
    shown = tuple(
        WordContext(
            table.names[cells.columns[i]],
            int(cells.times[i]),
            float(cells.counts[i]),
            float(pmi[i]),
        )
        for i in best.tolist()
    )
    return Contexts(
        word, shown, len(cells.columns), counting, limit, isinstance(corpus, CountedCorpus)
    )


class NotCounted(UnknownWord):
    """A word that the model may contain, but that is missing or too rare in the text in which
    contexts are counted.
    """

    def __init__(self, word: str) -> None:
        super().__init__(
            word,
            tr("The word is too rare in that corpus, or the model was trained on another corpus."),
        )
        self.message = tr(
            "“{word}” isn’t in the vocabulary of the open corpus.", word=shorten_text(word)
        )


def _known_row(vocabulary: Vocabulary, word: str) -> int:
    # For a single lookup, building an index of all words would take longer.
    try:
        return vocabulary.words.index(word)
    except ValueError:
        raise NotCounted(word) from None


def _row_and_pmi(table: ContextCounts, row: int, smoothing: float) -> tuple[ContextRow, Doubles]:
    """The contexts of a word, and log #(w, c) − log #(w) − log P_α(c), P_α(c) = #(c)^α / Σ #^α
    (LGD15, equation 3), of each.
    """
    cells = table.row(row)
    smoothed = table.totals**smoothing
    expected = table.total(row, cells) * smoothed[cells.columns] / smoothed.sum()
    return cells, np.asarray(np.log(cells.counts) - np.log(expected))


def _dense(embeddings: Embeddings, row: int) -> Doubles:
    vectors = embeddings.vectors
    chosen = vectors[row] if isinstance(vectors, np.ndarray) else vectors[[row]].toarray().ravel()
    return np.asarray(chosen, dtype=np.float64)


def _length(vector: Doubles) -> float:
    """Euclidean length, or 1 for a zero vector, which then stays zero."""
    return float(np.sqrt(vector @ vector)) or 1.0
