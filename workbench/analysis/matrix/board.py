"""Several matrices over the same rows and columns, with their words, order, measures and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.analysis.matrix.content_words import candidate_number, content_words
from workbench.analysis.matrix.picture import (
    compare_with_picture,
    corpus_picture_size,
    describe_figures,
)
from workbench.analysis.matrix.seriation import OPTIMAL_UP_TO, cosine_distances, seriate
from workbench.analysis.matrix.values import KINDS, MatrixRequest, MatrixResult, compute, top_words
from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.neighbours.query_resolution import left_out_message
from workbench.analysis.neighbours.ranking import dense_rows
from workbench.core.arrays import Ints
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.pictures.picture import column_words, row_words
from workbench.corpus.word_lookup import look_up
from workbench.vectors.embeddings import Embeddings

ORDERS = {
    "listed": tr("As listed"),
    "frequency": tr("By frequency"),
    "alphabet": tr("Alphabetical"),
    "rows": tr("Clusters: rows"),
    "vectors": tr("Clusters: vectors"),
}
# The names of more words than this can’t be read; 30,000 words would take tens of gigabytes.
MOST_WORDS = 2000
_NEAR, _CONTEXTS = 20, 24
# Contexts are chosen among this many most frequent words: rare ones say little.
_FREQUENT = 2000
# A corpus with more tokens isn’t counted merely to choose words.
_LONG_TO_COUNT = 2_000_000


@dataclass(frozen=True, eq=False)
class Pane:
    """One matrix: its kind, and the run that it shows and whose settings are used for counting
    (None: default settings).
    """

    kind: str
    embeddings: Embeddings | None = None
    name: str = ""


@dataclass(frozen=True, eq=False)
class BoardRequest:
    """Request for a board.

    words : rows and columns as typed or selected, the first MOST_WORDS of them; if empty, the
    ``top`` most frequent words, or with ``content`` as many content words, in groups
    near : the words are followed by their neighbours, and columns are their shared contexts
    extra_rows, extra_columns : further words; order : key in ORDERS; negative : k of SPPMI and x*
    counting : settings that replace the defaults, as for counts that were made before
    met_only : show products of a model only for pairs observed in the first counted pane, because
    for all other pairs a logarithm of counts has no value
    picture : in place of words, the rows and columns of the picture that the corpus was made from
    """

    panes: tuple[Pane, ...]
    words: tuple[str, ...] = ()
    near: bool = False
    top: int = 40
    extra_rows: tuple[str, ...] = ()
    extra_columns: tuple[str, ...] = ()
    order: str = "listed"
    negative: int | None = None
    counting: Mapping[str, Any] = field(default_factory=dict)
    met_only: bool = False
    content: bool = False
    picture: bool = False

    def request(self, pane: Pane) -> MatrixRequest:
        """The request of a pane, without its words."""
        matrix_request = MatrixRequest(kind=pane.kind, top=self.top)
        if pane.embeddings is not None:
            matrix_request = matrix_request.as_counted(pane.embeddings)
        else:
            matrix_request = replace(
                matrix_request,
                **{
                    name: value
                    for name, value in self.counting.items()
                    if hasattr(matrix_request, name)
                },
            )
        if self.negative is None:
            return matrix_request
        return replace(matrix_request, negative=self.negative)


@dataclass(frozen=True, eq=False)
class Board:
    """Result of a request. panes : each pane's matrix, or why it has none; note : sentences about
    words and order, or ""
    left_out : sentences about requested words that are not shown, or ""
    picture : whether rows and columns are those of a picture
    """

    words: tuple[str, ...]
    columns: tuple[str, ...]
    panes: tuple[MatrixResult | UserError, ...]
    note: str = ""
    left_out: str = ""
    picture: bool = False

    @property
    def results(self) -> list[MatrixResult]:
        return [pane for pane in self.panes if isinstance(pane, MatrixResult)]


def memory_needed(rows: int, columns: int, panes: int) -> int:
    """Approximate bytes: values and counts in float64, their picture, and the distances for an
    order.
    """
    return rows * columns * (panes * (8 + 8 + 6) + 16)


def compute_board(corpus: Corpus | None, request: BoardRequest, run: JobControl) -> Board:
    """Compute all panes over the same words. A pane that cannot be made contains its UserError; if
    no pane can be made, the first error is raised. Unknown words are left out. Raises UnknownWord
    if no word is left, and Cancelled.
    """
    left_out = len(request.words) - MOST_WORDS
    if left_out > 0:
        request = replace(request, words=request.words[:MOST_WORDS])
    request, missing = _known_words(corpus, request)
    words, columns = _axes(corpus, request, run)
    results: list[MatrixResult | UserError] = []
    for at, pane in enumerate(request.panes):
        run.advance(at / len(request.panes))
        try:
            matrix_request = replace(request.request(pane), words=words, columns=columns)
            results.append(compute(corpus, matrix_request, pane.embeddings, run))
        except UserError as error:
            results.append(error)
        run.check()
    good = [pane for pane in results if isinstance(pane, MatrixResult)]
    if not good:
        problem = results[0]
        assert isinstance(problem, UserError)
        raise problem
    if request.met_only:
        results = _met_only(results)
    rows, across, note = _order(corpus, request, words, columns, good[0], run)
    if request.picture:
        note = f"{_picture_note(corpus, request, run)} {note}".strip()
    if left_out > 0:
        first = tr(
            "The first {most:,} words; {number:,} more are left out.",
            most=MOST_WORDS,
            number=left_out,
        )
        note = f"{first} {note}".rstrip()
    if rows is None:
        return Board(words, columns, tuple(results), note, missing, request.picture)
    assert across is not None
    panes = tuple(
        pane.select(rows, across) if isinstance(pane, MatrixResult) else pane for pane in results
    )
    return Board(
        tuple(words[at] for at in rows),
        tuple(columns[at] for at in across),
        panes,
        note,
        missing,
        request.picture,
    )


def _met_only(panes: list[MatrixResult | UserError]) -> list[MatrixResult | UserError]:
    """Set scores of models to NaN if the first pane with counts knows both words but never observed
    the pair.
    """
    counted = next(
        (pane for pane in panes if isinstance(pane, MatrixResult) and pane.counts is not None), None
    )
    if counted is None or counted.counts is None:
        return panes
    unmet = ~(counted.counts > 0) & counted.rows_known[:, None] & counted.columns_known[None, :]
    return [
        replace(pane, values=np.where(unmet, np.nan, pane.values))
        if isinstance(pane, MatrixResult) and (pane.counts is None or pane.kind == "score")
        else pane
        for pane in panes
    ]


# -- which words


def _axes(
    corpus: Corpus | None, request: BoardRequest, run: JobControl
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    size = corpus_picture_size(corpus)
    if request.picture and size:
        return row_words(size), column_words(size)
    lead = request.panes[0]
    matrix_request = request.request(lead)
    models = [pane.embeddings for pane in request.panes if pane.embeddings is not None]
    needed = [
        pane.embeddings
        for pane in request.panes
        if pane.embeddings is not None and "model" in KINDS[pane.kind].needs
    ]
    if not request.words:
        if corpus is None:
            words = top_words(None, matrix_request, models)
        elif request.content:
            words = _content_words(corpus, request, needed, run)
        else:
            words = top_words(corpus, matrix_request, needed)
        if not words:
            raise UserError(
                tr("No words of this corpus are in the run’s vocabulary."),
                tr("Open the corpus that the run was trained on."),
            )
        columns = words
    else:
        words = columns = request.words
        if request.near:
            words, columns = _neighbour_axes(corpus, matrix_request, words, lead.embeddings, run)
    square = columns == words
    rows = [*words, *request.extra_rows, *(request.extra_columns if square else ())]
    across = rows if square else [*columns, *request.extra_columns]
    return tuple(dict.fromkeys(rows)), tuple(dict.fromkeys(across))


def _picture_note(corpus: Corpus | None, request: BoardRequest, run: JobControl) -> str:
    """How well the first model shown reproduces the picture; "" without one."""
    shown = (
        pane.embeddings
        for pane in request.panes
        if pane.embeddings is not None and "model" in KINDS[pane.kind].needs
    )
    embeddings = next(shown, None)
    if corpus is None or embeddings is None:
        return ""
    try:
        return describe_figures(compare_with_picture(corpus, embeddings, run))
    except UserError as error:
        return str(error)


def _content_words(
    corpus: Corpus, request: BoardRequest, models: list[Embeddings], run: JobControl
) -> tuple[str, ...]:
    """Content words by the counts of the first pane; the most frequent words if only models are
    shown and counting would take long.
    """
    matrix_request = request.request(request.panes[0])
    counted = any("corpus" in KINDS[pane.kind].needs for pane in request.panes)
    if not counted and corpus.tokens > _LONG_TO_COUNT:
        return top_words(corpus, matrix_request, models)
    number = candidate_number(request.top)
    words = top_words(corpus, replace(matrix_request, top=number), models)
    if not words:
        return ()
    counts = compute(corpus, replace(matrix_request, kind="count", words=words), None, run).values
    return tuple(words[row] for row in content_words(np.nan_to_num(counts), request.top))


def _known_words(corpus: Corpus | None, request: BoardRequest) -> tuple[BoardRequest, str]:
    """Requested words in the spelling of the vocabulary, and a sentence about the unknown ones."""
    if not request.words:
        return request, ""
    matrix_request = request.request(request.panes[0])
    places: list[Vocabulary | Embeddings] = [
        pane.embeddings for pane in request.panes if pane.embeddings is not None
    ]
    if corpus is not None:
        places.insert(0, corpus.vocabulary(matrix_request.min_count, matrix_request.max_vocab))
    found = {word: _known_spelling(word, places) for word in request.words}
    words = tuple(dict.fromkeys(word for word in found.values() if word is not None))
    unknown = [word for word, known in found.items() if known is None]
    if not unknown:
        return replace(request, words=words), ""
    whole = [corpus.vocabulary()] if corpus is not None else []
    rare = [word for word in unknown if _known_spelling(word, whole) is not None]
    note = left_out_message(unknown, places[0].words if places else (), rare)
    if not words:
        # The hint depends on the problem; a lower count doesn’t help if the text lacks the word.
        raise UnknownWord(
            unknown[0], note if rare or "?" in note else tr("Check the spelling."), unknown[1:]
        )
    return replace(request, words=words), note


def _known_spelling(word: str, places: Sequence[Vocabulary | Embeddings]) -> str | None:
    """The spelling of a word in the first of ``places`` that contains it, or None."""
    for place in places:
        row = look_up(word, place.index, place.options)
        if row is not None:
            return place.words[row]
    return None


def _neighbour_axes(
    corpus: Corpus | None,
    request: MatrixRequest,
    words: tuple[str, ...],
    embeddings: Embeddings | None,
    run: JobControl,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words and their neighbours against the contexts of highest PPMI with them all.

    Words with similar meanings rarely co-occur; they share the words around them.
    """
    rows = list(words)
    if embeddings is not None:
        each = max(2, _NEAR // len(words))
        rows += [
            found.word
            for word in words
            if word in embeddings
            for found in nearest(embeddings, word, each)
        ]
    if corpus is None:
        rows = list(dict.fromkeys(rows))
        return tuple(rows), tuple(rows)
    known = corpus.vocabulary(request.min_count, request.max_vocab)
    rows = [*words, *(word for word in rows[len(words) :] if word in known.index)]
    frequent = tuple(
        word for word in known.words[:_FREQUENT] if embeddings is None or word in embeddings
    )
    request = replace(request, kind="ppmi", words=tuple(dict.fromkeys(rows)), columns=frequent)
    shared = np.nan_to_num(compute(corpus, request, None, run).values).sum(axis=0)
    best = np.argsort(-shared, kind="stable")[:_CONTEXTS]
    columns = tuple(frequent[place] for place in best if shared[place] > 0)
    return request.words, columns or request.words


# -- in which order


def _order(
    corpus: Corpus | None,
    request: BoardRequest,
    words: tuple[str, ...],
    columns: tuple[str, ...],
    lead: MatrixResult,
    run: JobControl,
) -> tuple[Ints | None, Ints | None, str]:
    """Orders of rows and columns (None: unchanged) and a note. If rows and columns are the same
    words, both have the same order.
    """
    if request.order in ("frequency", "alphabet"):
        return _row_order(corpus, request, words), _row_order(corpus, request, columns), ""
    if request.order not in ("rows", "vectors"):
        return None, None, ""
    tables: list[npt.NDArray[Any]] = [lead.values, lead.values.T]
    if request.order == "vectors":
        model = next(
            (pane.embeddings for pane in request.panes if pane.embeddings is not None), None
        )
        if model is None:
            raise UserError(
                tr("Ordering by vectors needs a model."),
                tr("Train a model, or choose another order."),
            )
        tables = [_vectors(model, words, False), _vectors(model, columns, True)]
    orders: list[Ints] = []
    for table, names in zip(tables, (words, columns), strict=True):
        if orders and columns == words:
            orders.append(orders[0])
            break
        run.check()
        run.advance(0.0, tr("Clustering {number:,} words", number=len(names)))
        orders.append(seriate(cosine_distances(table), run).order)
    larger = max(len(words), len(columns))
    note = ""
    if larger > OPTIMAL_UP_TO:
        note = tr(
            "More than {optimal_up_to:,} words: clustered without optimal leaf ordering.",
            optimal_up_to=OPTIMAL_UP_TO,
        )
    return orders[0], orders[1], note


def _row_order(corpus: Corpus | None, request: BoardRequest, words: tuple[str, ...]) -> Ints:
    if request.order == "alphabet":
        return np.array(
            sorted(range(len(words)), key=lambda at: (words[at].casefold(), words[at])),
            dtype=np.int64,
        )
    lead = request.panes[0]
    if corpus is not None:
        ranks = corpus.vocabulary().index
    elif lead.embeddings:
        ranks = lead.embeddings.index
    else:
        ranks = {}
    return np.argsort([ranks.get(word, len(ranks)) for word in words], kind="stable").astype(
        np.int64
    )


def _vectors(model: Embeddings, words: tuple[str, ...], contexts: bool) -> npt.NDArray[np.floating]:
    """float32[n, d] of these words, or of contexts if the model has them; 0 for unknown words."""
    known = [at for at, word in enumerate(words) if word in model]
    rows = [model.index[words[at]] for at in known]
    found = (
        model.contexts[rows]
        if contexts and model.contexts is not None
        else dense_rows(model.inputs, rows)
    )
    table = np.zeros((len(words), found.shape[1]), dtype=np.float32)
    table[known] = found
    return table
