"""Word vectors with their words and provenance, independent of any trainer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Bools, Singles
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.suggestions import unknown_words
from workbench.corpus.word_lookup import look_up, options_of, twin_key, twins_of
from workbench.vectors.codes import CODED_FROM, Codes, coded
from workbench.vectors.lengths import lengths, unit_rows, without_dust

# The last used words with their rows: the snapshots of one training share their words.
_indexed: tuple[Sequence[str], dict[str, int]] = ((), {})


@dataclass(frozen=True, eq=False)
class OwnContexts:
    """Contexts with a vocabulary of their own, such as “dog_-1” or “dog/nsubj”.

    words : C distinct strings
    vectors : float32[C, d], None if the contexts are the columns of sparse word vectors
    biases : float32[C]
    """

    words: Sequence[str]
    vectors: Singles | None = None
    biases: Singles | None = None

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Vectors of V words, most frequent first if frequencies are known. Immutable.

    words : V distinct strings
    vectors : float32[V, d], or a scipy CSR matrix float32[V, columns] for sparse models
    counts : int64[V], corpus frequencies, or None if they are unknown
    contexts : float32[V, d], the context (output) side if the algorithm has one, and its contexts
    are the words
    own_contexts : the contexts if they have a vocabulary of their own; ``contexts`` and
    ``context_biases`` are then None
    biases, context_biases : float32[V]
    ngram_vectors : float32[n, d], vectors of buckets of character n-grams
    ngram_buckets : int64[n], ascending: the bucket of each row of ``ngram_vectors``; None: row i is
    bucket i. A bucket without a row has a zero vector
    word_rows : float32[V, d], a word's own part of its vector if n-grams make up the rest
    (see :mod:`workbench.vectors.subwords`)
    raw : float32[V, d], the trained word side W if ``vectors`` are derived from it, such as W + C
    or unit rows (see :mod:`workbench.vectors.postprocessing`); None: ``vectors`` are W
    removed : float32[1 + D, columns], the mean and the principal directions that were removed from
    ``vectors``
    state : further data that the trainer needs to continue: finite arrays of numbers by name (see
    :mod:`workbench.models.checkpointing`). Empty if the training cannot be continued
    metadata : JSON-ready provenance: ``algorithm``, ``parameters``, ``corpus`` {name, digest,
    tokens, types, files}, ``seed``, ``version``, ``seconds``, ...
    """

    words: Sequence[str]
    vectors: Singles | sp.csr_matrix
    counts: npt.NDArray[np.int64] | None = None
    contexts: Singles | None = None
    biases: Singles | None = None
    context_biases: Singles | None = None
    ngram_vectors: Singles | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    ngram_buckets: npt.NDArray[np.int64] | None = None
    word_rows: Singles | None = None
    raw: Singles | None = None
    removed: Singles | None = None
    state: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    own_contexts: OwnContexts | None = None

    def __post_init__(self) -> None:
        if self.vectors.shape[0] != len(self.words):
            raise ValueError(f"{len(self.words)} words but {self.vectors.shape[0]} vectors")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    @property
    def dim(self) -> int:
        return int(self.vectors.shape[1])

    @property
    def inputs(self) -> Singles | sp.csr_matrix:
        """W as it was trained: theory is about its products with ``contexts``."""
        if self.raw is None:
            return self.vectors
        return self.raw

    @property
    def sparse(self) -> bool:
        return not isinstance(self.vectors, np.ndarray)

    @cached_property
    def index(self) -> dict[str, int]:
        """Row of every word; for a word that occurs twice, its first row. Read-only."""
        global _indexed
        words, index = _indexed
        if words is not self.words:
            index = dict(zip(reversed(self.words), range(len(self.words) - 1, -1, -1), strict=True))
            _indexed = (self.words, index)
        return index

    @cached_property
    def options(self) -> CorpusOptions | None:
        """Reading options of the training corpus, None if unknown."""
        return options_of(self.metadata)

    @cached_property
    def _twins(self) -> dict[str, int]:
        return twins_of(self.words, self._dotless)

    @property
    def _dotless(self) -> bool:
        return self.options is not None and self.options.dotless

    def find(self, word: str) -> int | None:
        """Row of ``word``, as given or in the spelling of its corpus (case, accents, normal form,
        numbers), or else of the only word that differs from it in case, or in “_” for a space;
        None if unknown.
        """
        row = look_up(word, self.index, self.options)
        if row is None:
            key = twin_key(word, self._dotless)
            row = self._twins.get(key, self.index.get(key))
        return row

    @cached_property
    def bracketed(self) -> str:
        """All words with a vector between < and >, a text in which known n-grams are searched:
        those of other words were never trained.
        """
        return "".join(
            f"<{word}>\n" for word, known in zip(self.words, self.has_vector, strict=True) if known
        )

    def row(self, word: str) -> int:
        """Row of ``word``, as ``find`` does. Raises UnknownWord."""
        row = self.find(word)
        if row is None:
            raise unknown_words([word], self.words)
        return row

    @cached_property
    def norms(self) -> npt.NDArray[np.float64]:
        """float64[V], Euclidean length of each vector; 0 for one that consists of rounding
        errors.
        """
        found = lengths(self.vectors)
        if self.sparse:
            return found
        return without_dust(found)

    @cached_property
    def codes(self) -> Codes | None:
        """The unit vectors rounded to int8, with which the nearest words of a large dense table
        are searched; None for other tables.
        """
        if isinstance(self.vectors, np.ndarray) and self._large:
            return coded(self.vectors, self.norms)
        return None

    @cached_property
    def has_vector(self) -> Bools:
        """bool[V]: whether a word has a vector. A vector of zeros has no direction: it means that
        there are no data for the word.
        """
        return self.norms > 0

    def rows_with_vector(self, limit: int = 0) -> npt.NDArray[np.intp]:
        """Rows of the words that have a vector among the first ``limit`` words (0: all)."""
        return np.flatnonzero(self.has_vector[: limit or None])

    @cached_property
    def unit(self) -> Singles | sp.csr_matrix:
        """The vectors at unit length (zero vectors stay zero), in the type and shape of
        ``vectors``.
        """
        unit: Singles | sp.csr_matrix = unit_rows(self.vectors, self.norms)
        return unit

    def unit_of(self, rows: Any) -> Singles | sp.csr_matrix:
        """Rows of ``unit``, chosen by an index; those of a large table are computed alone."""
        if "unit" in vars(self) or not self._large:
            whole: Singles | sp.csr_matrix = self.unit[rows]
            return whole
        chosen: Singles | sp.csr_matrix = unit_rows(self.vectors[rows], self.norms[rows])
        return chosen

    def prepare_lists(self) -> None:
        """Compute now what the first list of nearest words of a large table would wait for."""
        if self.codes is not None:
            _ = self.index

    @property
    def _large(self) -> bool:
        return isinstance(self.vectors, np.ndarray) and self.vectors.nbytes >= CODED_FROM
