"""Values of the heatmap for chosen words: counts, association measures, targets and model
scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from workbench.analysis.matrix.counts import (
    cached_association,
    expected_counts,
    plain_counts,
    xstar_of,
)
from workbench.analysis.matrix.model_vs_target import own_values
from workbench.analysis.matrix.pair_products import shift_of
from workbench.analysis.neighbours.ranking import dense_rows
from workbench.core.arrays import Bools, Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.corpus.suggestions import unknown_words
from workbench.corpus.word_lookup import look_up
from workbench.counts.association import submatrix
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.own_contexts import no_product_of_words


@dataclass(frozen=True)
class MatrixMeasure:
    """One measure that the matrix shows. ``centre0``: 0 is the middle of its colour scale.

    ``needs`` names its sources: "corpus", "model" or both. ``unit``: unit of its values, "" for
    none.
    """

    title: str
    label: str
    centre0: bool
    needs: frozenset[str]
    unit: str = "nats"


_CORPUS, _MODEL = frozenset({"corpus"}), frozenset({"model"})
_BOTH = _CORPUS | _MODEL

KINDS: Mapping[str, MatrixMeasure] = {
    "count": MatrixMeasure(
        tr("Counts"), tr("#(w, c), weighted by the window"), False, _CORPUS, "count"
    ),
    "logcount": MatrixMeasure(tr("Log counts"), tr("log #(w, c), nats"), True, _CORPUS),
    "pmi": MatrixMeasure("PMI", tr("PMI(w, c), nats"), True, _CORPUS),
    "ppmi": MatrixMeasure("PPMI", tr("max(PMI(w, c), 0), nats"), False, _CORPUS),
    "sppmi": MatrixMeasure("SPPMI", tr("max(PMI(w, c) − log k, 0), nats"), False, _CORPUS),
    "npmi": MatrixMeasure("NPMI", tr("NPMI(w, c), −1 to 1"), True, _CORPUS, tr("no unit")),
    "xstar": MatrixMeasure(
        tr("x* of SGNS"), tr("x*(w, c), the optimum of SGNS, nats"), True, _CORPUS
    ),
    "target": MatrixMeasure(
        tr("Own target"), tr("target value of the run’s scores, nats"), True, _BOTH
    ),
    "model": MatrixMeasure(
        tr("Model W·Cᵀ"), tr("w·c, dot product of word and context vector"), True, _MODEL
    ),
    "shifted": MatrixMeasure(
        tr("W·Cᵀ + log k"),
        tr("w·c + log k, dot product on the scale of PMI (k of the run), nats"),
        True,
        _MODEL,
    ),
    "score": MatrixMeasure(
        tr("Fitted model"), tr("score of the run on the scale of its target, nats"), True, _BOTH
    ),
    "residual": MatrixMeasure(
        tr("Residual"), tr("score of the run − its own target, nats"), True, _BOTH
    ),
}
_OWN = ("target", "score", "residual")


@dataclass(frozen=True)
class MatrixRequest:
    """Measure, words and counting settings of a matrix.

    ``words`` are the rows, ``columns`` the columns (empty: the same words as the rows); without
    words, the ``top`` most frequent ones. ``negative`` is k of SPPMI and x*. All other fields have
    the names and meanings of the algorithms' parameters.
    """

    kind: str = "ppmi"
    words: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    top: int = 40
    window: int = 5
    window_weighting: str = "dynamic"
    sample: float = 1e-3
    sample_formula: str = "word2vec"
    negative: int = 5
    ns_exponent: float = 0.75
    context_smoothing: float = 1.0
    min_count: int = 1
    max_vocab: int = 0

    def as_counted(self, embeddings: Embeddings) -> MatrixRequest:
        """The same request with the count settings of the embeddings' algorithm."""
        known = {field.name: field.type for field in fields(self)}
        chosen = {"kind", "words", "columns", "top"}
        parameters = embeddings.metadata.get("parameters", {})
        changes: dict[str, Any] = {
            name: value
            for name, value in parameters.items()
            if name in known and name not in chosen
        }
        if "shift" in parameters and "negative" not in parameters:
            changes["negative"] = parameters["shift"]
        return replace(self, **changes)


@dataclass(frozen=True, eq=False)
class MatrixResult:
    """One computed matrix.

    words, columns : names of r rows and c columns
    values : float64[r, c], NaN if a pair was never observed (its PMI and x* are −∞) or a word is
    unknown
    counts : float64[r, c], the count of each pair (NaN: never observed); expected under subsampling
    for x*, target and residual; None for the model alone
    row_sums, column_sums : float64[r], float64[c], #(w) and #(c) of the same counts, NaN if not
    counted, or None
    rows_known, columns_known : bool[r], bool[c], whether the word is known
    """

    kind: str
    words: tuple[str, ...]
    columns: tuple[str, ...]
    values: Doubles
    counts: Doubles | None
    label: str
    centre0: bool
    rows_known: Bools
    columns_known: Bools
    title: str = ""
    unit: str = "nats"
    row_sums: Doubles | None = None
    column_sums: Doubles | None = None

    def select(self, rows: Ints, columns: Ints) -> MatrixResult:
        """Reorder rows and columns, or select some of them."""
        square = np.ix_(rows, columns)
        return replace(
            self,
            words=tuple(self.words[row] for row in rows),
            columns=tuple(self.columns[column] for column in columns),
            values=self.values[square],
            counts=None if self.counts is None else self.counts[square],
            rows_known=self.rows_known[rows],
            columns_known=self.columns_known[columns],
            row_sums=None if self.row_sums is None else self.row_sums[rows],
            column_sums=None if self.column_sums is None else self.column_sums[columns],
        )


def compute(
    corpus: Corpus | None,
    request: MatrixRequest,
    embeddings: Embeddings | None = None,
    run: JobControl | None = None,
) -> MatrixResult:
    """The values of one request, NaN for unknown words.

    Counting enters phase COUNTING and is done once for a corpus and its settings; the last counts
    are cached in memory. Raises UserError if the kind needs a corpus, or vectors with contexts, and
    has none; UnknownWord if no word is known; and Cancelled.
    """
    kind = KINDS.get(request.kind)
    if kind is None:
        raise UserError(
            tr("Unknown matrix “{kind}”.", kind=request.kind),
            tr("Choose one of: {names}.", names=", ".join(KINDS)),
        )
    if "model" in kind.needs and embeddings is None:
        raise UserError(
            tr("“{title}” needs a trained model.", title=kind.title),
            tr("Train a model, or choose a run."),
        )
    if "corpus" in kind.needs and corpus is None:
        raise UserError(
            tr("“{title}” needs the corpus of the model.", title=kind.title),
            tr("Open the corpus that the model was trained on."),
        )
    words = request.words or top_words(
        corpus, request, [embeddings] if embeddings and "model" in kind.needs else []
    )
    columns = request.columns or words
    if kind.needs == _MODEL:
        assert embeddings is not None
        return _products(embeddings, request.kind, words, columns)
    assert corpus is not None
    if request.kind not in _OWN:
        return _of_counts(corpus, request, words, columns, run)
    assert embeddings is not None
    own = own_values(corpus, embeddings, request.kind, words, columns, run)
    return MatrixResult(
        request.kind,
        words,
        columns,
        own.values,
        own.counts,
        own.label,
        kind.centre0,
        own.rows_known,
        own.columns_known,
        own.title,
        kind.unit,
        own.row_sums,
        own.column_sums,
    )


def top_words(
    corpus: Corpus | None, request: MatrixRequest, models: list[Embeddings]
) -> tuple[str, ...]:
    """The ``top`` most frequent words of the corpus (without one, of the first model) that all
    models know, too.
    """
    if corpus is not None:
        source = corpus.vocabulary(request.min_count, request.max_vocab).words
    else:
        source = models[0].words if models else ()
    found = []
    for word in source:
        if all(word in model for model in models):
            found.append(word)
            if len(found) == request.top:
                break
    return tuple(found)


def _of_counts(
    corpus: Corpus,
    request: MatrixRequest,
    words: tuple[str, ...],
    columns: tuple[str, ...],
    run: JobControl | None,
) -> MatrixResult:
    kind, vocabulary = KINDS[request.kind], corpus.vocabulary(request.min_count, request.max_vocab)
    down, across = _places(vocabulary, words), _places(vocabulary, columns)
    rows, cols = np.flatnonzero(down >= 0), np.flatnonzero(across >= 0)
    window = (request.window, request.window_weighting)
    if request.kind == "xstar":
        counts, key = expected_counts(corpus, vocabulary, request, down[rows], run)
        table = xstar_of(counts, key, vocabulary, request.negative, request.ns_exponent)
    else:
        counts, key = plain_counts(corpus, vocabulary, *window, run)
        table = counts
        if request.kind not in ("count", "logcount"):
            shift = float(request.negative) if request.kind == "sppmi" else 1.0
            table = cached_association(
                counts, key, request.kind, shift, request.context_smoothing, run
            )
    if run is not None:
        run.check()
    counted = submatrix(counts, down[rows], across[cols])
    values = submatrix(table, down[rows], across[cols]) if table is not counts else counted
    if request.kind == "logcount":
        values = np.log(counted)
    if request.kind in ("ppmi", "sppmi"):
        # These matrices store only positive values; an observed pair below 0 is 0, not unobserved.
        values = np.where(np.isnan(values) & ~np.isnan(counted), 0.0, values)
    sums = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    # Counts are symmetric, but perhaps only some rows were counted.
    column_sums = np.where((across >= 0) & (sums[across] > 0), sums[across], np.nan)
    shape = (len(words), len(columns))
    return MatrixResult(
        request.kind,
        words,
        columns,
        _scatter(values, rows, cols, shape),
        _scatter(counted, rows, cols, shape),
        kind.label,
        kind.centre0,
        down >= 0,
        across >= 0,
        kind.title,
        kind.unit,
        np.where(down >= 0, sums[down], np.nan),
        column_sums,
    )


def _products(
    embeddings: Embeddings, key: str, words: tuple[str, ...], columns: tuple[str, ...]
) -> MatrixResult:
    kind, contexts = KINDS[key], embeddings.contexts
    missing = no_product_of_words(embeddings)
    if missing is not None:
        raise missing
    if contexts is None:
        raise UserError(
            tr("These vectors have no context vectors."),
            tr("Train sgns or svd here, or open an .npz file that contains “contexts”."),
        )
    down, across = _places(embeddings, words), _places(embeddings, columns)
    rows, cols = np.flatnonzero(down >= 0), np.flatnonzero(across >= 0)
    left = dense_rows(embeddings.inputs, down[rows].tolist()).astype(np.float64)
    values = left @ contexts[across[cols]].T.astype(np.float64)
    if key == "shifted":
        values += np.log(shift_of(embeddings))
    values = _scatter(np.asarray(values), rows, cols, (len(words), len(columns)))
    return MatrixResult(
        key,
        words,
        columns,
        values,
        None,
        kind.label,
        kind.centre0,
        down >= 0,
        across >= 0,
        kind.title,
        kind.unit,
    )


def _places(known: Vocabulary | Embeddings, words: tuple[str, ...]) -> Ints:
    """int64[n], the index of each word in its known spelling; −1 if it is unknown. Raises
    UnknownWord if all are.
    """
    rows = (look_up(word, known.index, known.options) for word in words)
    places = np.array([-1 if row is None else row for row in rows], dtype=np.int64)
    if len(places) and places.max() < 0:
        raise unknown_words(words[:1], known.words)
    return places


def _scatter(values: Doubles, rows: Ints, columns: Ints, shape: tuple[int, int]) -> Doubles:
    """``values`` at these rows and columns of a matrix that is NaN elsewhere."""
    if values.shape == shape:
        return values
    found = np.full(shape, np.nan)
    found[np.ix_(rows, columns)] = values
    return found
