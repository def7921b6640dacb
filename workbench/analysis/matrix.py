"""The numbers of the heatmap: counts, their associations, the model's products, for chosen words."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.ranking import dense_rows
from workbench.core.errors import UnknownWord, UserError
from workbench.core.run import Run
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.association import associate, submatrix
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.effective import effective_counts, target
from workbench.vectors.embeddings import Embeddings, Floats

Doubles = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
_Key = tuple[object, ...]

_OF_EXPECTED_COUNTS = ("xstar", "residual")
# In a corpus of so many tokens, words that make up a small share of it are counted by themselves.
_LARGE = 2_000_000
_FEW = 0.2
_KEPT_BYTES = 768 * 1024 * 1024


@dataclass(frozen=True)
class Kind:
    """What one view of the matrix shows. ``centre0``: 0 is the middle of its colours.

    ``needs`` names what it is made from: "corpus", "model" or both.
    """

    title: str
    label: str
    centre0: bool
    needs: frozenset[str]


_CORPUS, _MODEL = frozenset({"corpus"}), frozenset({"model"})

KINDS: Mapping[str, Kind] = {
    "count": Kind("Counts", "#(w, c), weighted by the window", False, _CORPUS),
    "pmi": Kind("PMI", "PMI(w, c), nats", True, _CORPUS),
    "ppmi": Kind("PPMI", "max(PMI(w, c), 0), nats", False, _CORPUS),
    "sppmi": Kind("SPPMI", "max(PMI(w, c) − log k, 0), nats", False, _CORPUS),
    "npmi": Kind("NPMI", "NPMI(w, c), −1 to 1", True, _CORPUS),
    "xstar": Kind("Target x*", "x*(w, c), where SGNS has its optimum, nats", True, _CORPUS),
    "model": Kind("Model w·c", "w·c, word times context vector", True, _MODEL),
    "residual": Kind("Residual", "w·c − x*(w, c)", True, _CORPUS | _MODEL),
}


@dataclass(frozen=True)
class MatrixRequest:
    """Which numbers, for which words, counted how.

    ``words`` are the rows, ``columns`` the columns (none: the rows again); without words the ``top``
    most frequent ones are taken. ``negative`` is k of SPPMI and x*. The other names are those of the
    algorithms' parameters and mean the same.
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

    def like(self, embeddings: Embeddings) -> MatrixRequest:
        """The same view, counted as the embeddings' algorithm counted: its parameters by name."""
        known = {field.name: field.type for field in fields(self)}
        chosen = {"kind", "words", "columns", "top"}
        parameters = embeddings.metadata.get("parameters", {})
        changes: dict[str, Any] = {
            name: value for name, value in parameters.items() if name in known and name not in chosen
        }
        if "shift" in parameters and "negative" not in parameters:
            changes["negative"] = parameters["shift"]
        return replace(self, **changes)


@dataclass(frozen=True, eq=False)
class MatrixResult:
    """One picture of the matrix.

    words, columns : names of r rows and c columns
    values : float64[r, c], NaN where a pair was never observed (its PMI and x* are −∞)
    counts : float64[r, c], what the pair was counted (NaN: never); under subsampling, in expectation,
        for x* and the residual; None for the model alone
    """

    kind: str
    words: tuple[str, ...]
    columns: tuple[str, ...]
    values: Doubles
    counts: Doubles | None
    label: str
    centre0: bool


def compute(
    corpus: Corpus | None, request: MatrixRequest, embeddings: Embeddings | None = None, run: Run | None = None
) -> MatrixResult:
    """The numbers of one request.

    Counting enters phase COUNTING and is done once for a corpus and its settings; what was counted
    last is kept in memory. Raises UserError where the kind needs a corpus, or vectors with contexts,
    that are not there; UnknownWord; Cancelled.
    """
    kind = KINDS.get(request.kind)
    if kind is None:
        raise UserError(f"There is no matrix “{request.kind}”.", f"Choose one of: {', '.join(KINDS)}.")
    if "model" in kind.needs and embeddings is None:
        raise UserError(f"“{kind.title}” needs a trained model.", "Train one, or choose one under runs.")
    if "corpus" in kind.needs and corpus is None:
        raise UserError(f"“{kind.title}” needs the corpus.", "Open the corpus that the model was trained on.")
    vocabulary = corpus.vocabulary(request.min_count, request.max_vocab) if corpus and "corpus" in kind.needs else None
    words, columns = _words(request, vocabulary, embeddings)
    values: Doubles
    counted: Doubles | None = None
    if kind.needs == _MODEL:
        assert embeddings is not None
        values = _products(embeddings, words, columns)
    else:
        assert corpus is not None
        assert vocabulary is not None
        rows, across = _rows(vocabulary, words), _rows(vocabulary, columns)
        counts, key = _counts(corpus, vocabulary, request, rows, run)
        counted = submatrix(counts, rows, across)
        if request.kind == "count":
            values = counted
        else:
            values = submatrix(_transformed(counts, key, vocabulary, request, run), rows, across)
        if request.kind in ("ppmi", "sppmi"):
            # These hold only what is above 0; an observed pair below it is 0, not unobserved.
            values = np.where(np.isnan(values) & ~np.isnan(counted), 0.0, values)
        if request.kind == "residual":
            assert embeddings is not None
            values = _products(embeddings, words, columns) - values
    return MatrixResult(request.kind, words, columns, values, counted, kind.label, kind.centre0)


def _words(
    request: MatrixRequest, vocabulary: Vocabulary | None, embeddings: Embeddings | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = request.words
    if not words:
        source = vocabulary.words if vocabulary is not None else embeddings.words if embeddings is not None else ()
        if request.kind == "residual" and embeddings is not None:
            source = [word for word in source[: 2 * request.top] if word in embeddings]
        words = tuple(source[: request.top])
    return words, request.columns or words


def _rows(vocabulary: Vocabulary, words: tuple[str, ...]) -> Rows:
    index = vocabulary.index
    rows = []
    for word in words:
        row = index.get(word, index.get(word.lower()))
        if row is None:
            raise UnknownWord(word)
        rows.append(row)
    return np.array(rows, dtype=np.int64)


def _products(embeddings: Embeddings, words: tuple[str, ...], columns: tuple[str, ...]) -> Doubles:
    contexts: Floats | None = embeddings.contexts
    if contexts is None:
        raise UserError(
            "These vectors come without context vectors, so there is no w·c to show.",
            "Train sgns or svd here, or open an .npz that holds “contexts”.",
        )
    left = dense_rows(embeddings.inputs, [embeddings.row(word) for word in words])
    right = contexts[[embeddings.row(word) for word in columns]]
    return np.asarray(left.astype(np.float64) @ right.T.astype(np.float64))


def _counts(
    corpus: Corpus, vocabulary: Vocabulary, request: MatrixRequest, rows: Rows, run: Run | None
) -> tuple[sp.csr_matrix, _Key]:
    """The counts under a kind, and the key they are kept under."""
    key: _Key = (corpus.digest, len(vocabulary), request.window, request.window_weighting)
    window = (request.window, request.window_weighting)
    if request.kind not in _OF_EXPECTED_COUNTS:
        key = ("count", *key)
        return _KEPT.get(key, lambda: cooccurrence(corpus, vocabulary, *window, run=run)), key
    sampling = (request.sample, request.sample_formula)
    key = ("effective", *key, *sampling)
    share = float(vocabulary.counts[np.unique(rows)].sum()) / vocabulary.tokens
    if corpus.tokens < _LARGE or share > _FEW or key in _KEPT:
        return _KEPT.get(key, lambda: effective_counts(corpus, vocabulary, *window, *sampling, run)), key
    # Expected counts take long, and a row needs no other row.
    key = (*key, tuple(np.unique(rows).tolist()))
    return _KEPT.get(
        key, lambda: effective_counts(corpus, vocabulary, *window, *sampling, run, words=np.unique(rows))
    ), key


def _transformed(
    counts: sp.csr_matrix, key: _Key, vocabulary: Vocabulary, request: MatrixRequest, run: Run | None
) -> sp.csr_matrix:
    k = request.negative
    if request.kind in _OF_EXPECTED_COUNTS:
        return _KEPT.get(
            ("xstar", k, request.ns_exponent, *key), lambda: target(counts, vocabulary, k, request.ns_exponent)
        )
    shift = float(k) if request.kind == "sppmi" else 1.0
    smoothing = request.context_smoothing
    return _KEPT.get(
        (request.kind, shift, smoothing, *key), lambda: associate(counts, request.kind, shift, smoothing, run)
    )


class _Kept:
    """The matrices used last, up to some number of bytes (the newest is kept whatever its size)."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._matrices: OrderedDict[_Key, sp.csr_matrix] = OrderedDict()

    def __contains__(self, key: _Key) -> bool:
        with self._lock:
            return key in self._matrices

    def get(self, key: _Key, make: Callable[[], sp.csr_matrix]) -> sp.csr_matrix:
        with self._lock:
            found = self._matrices.get(key)
            if found is not None:
                self._matrices.move_to_end(key)
                return found
        made = make()
        with self._lock:
            self._matrices[key] = made
            while len(self._matrices) > 1 and sum(map(_bytes, self._matrices.values())) > self._limit:
                self._matrices.popitem(last=False)
        return made

    def clear(self) -> None:
        with self._lock:
            self._matrices.clear()


def _bytes(matrix: sp.csr_matrix) -> int:
    return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)


_KEPT = _Kept(_KEPT_BYTES)
