"""Spaces in which the rows of a word in several groups are comparable (temporal referencing).

A word that is asked for has a row of counts for each group; the contexts, and so the columns, are
those of the whole text. So nothing has to be aligned (Dubossarsky, Hengchen, Tahmasebi &
Schlechtweg 2019, Time-Out: Temporal Referencing for Robust Modeling of Lexical Semantic Change,
ACL).

With SVD, the rows of groups are folded into the factorisation of the whole text, M ≈ U Σ Vᵀ: the
row m of a group becomes m V Σ^(p−1), as a row of M becomes its own vector. A joint factorisation of
M with the rows of the groups would depend on which words are asked for, bend towards the noise of
these short rows, and be needed again for each shuffle and each resampled text. Where groups are few
and the vocabulary is large, both agree: for four words in five parts of five novels (10,264 words,
100 dimensions), 4,000 cosines correlate by 0.992 and differ by 0.022 on average.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import scipy.sparse as sp

from workbench.analysis.groups.params import A_LA_CARTE, PPMI, GroupedParams
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.association import associate, margins
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.count.pmi_base import no_positive_pmi
from workbench.models.count.truncated_svd import Truncated, truncated_svd
from workbench.vectors.embeddings import Embeddings

# Ridge of the regression, as a share of the mean variance of its inputs.
_RIDGE = 1e-6


class GroupSpace(ABC):
    """Vectors of rows of counts, and of the V words of the text themselves."""

    @abstractmethod
    def vectors(self, counts: sp.csr_matrix) -> Doubles | sp.csr_matrix:
        """The vectors of rows of #(w, c): CSR float64[n, V] → [n, d]; 0 for a row without pairs."""

    @abstractmethod
    def words(self, rows: Ints) -> Doubles | sp.csr_matrix:
        """The vectors of words of the whole text, by rank: [n, d]."""

    def cosines(self, counts: sp.csr_matrix, others: Ints) -> Doubles:
        """float64[n, k], cosines of rows of counts with words of the whole text; NaN for rows and
        words without a vector.
        """
        return cosines(self.vectors(counts), self.words(others))


class PpmiSpace(GroupSpace):
    """Rows of max(PMI_α − log k, 0) with the context distribution of the whole text."""

    def __init__(self, counts: sp.csr_matrix, params: GroupedParams, run: JobControl) -> None:
        self._log_contexts = margins(counts, params.context_smoothing).log_contexts
        self._log_shift = float(np.log(params.shift))
        self.matrix = associate(counts, "sppmi", params.shift, params.context_smoothing, run)
        if not self.matrix.nnz:
            raise no_positive_pmi()

    def vectors(self, counts: sp.csr_matrix) -> sp.csr_matrix:
        rows = sp.csr_matrix(counts, dtype=np.float64, copy=True)
        rows.eliminate_zeros()
        sums = np.asarray(rows.sum(axis=1)).ravel()
        with np.errstate(divide="ignore"):
            log_sums = np.repeat(np.log(sums), np.diff(rows.indptr))
        chance = log_sums + self._log_contexts[rows.indices] + self._log_shift
        rows.data = np.maximum(np.log(rows.data) - chance, 0.0)
        rows.eliminate_zeros()
        return rows

    def words(self, rows: Ints) -> sp.csr_matrix:
        return self.matrix[rows]


class SvdSpace(GroupSpace):
    """PPMI rows folded into the SVD of the whole text."""

    def __init__(self, counts: sp.csr_matrix, params: GroupedParams, run: JobControl) -> None:
        self._rows = PpmiSpace(counts, params, run)
        run.enter(Phase.TRAINING, tr("Finding the largest singular values"))
        found: Truncated = truncated_svd(
            self._rows.matrix, params.dim, seed=params.seed, threads=params.threads, run=run
        )
        self._fold: Doubles = found.right * found.values ** (params.eig - 1.0)
        self.table: Doubles = found.left * found.values**params.eig

    def vectors(self, counts: sp.csr_matrix) -> Doubles:
        return np.asarray(self._rows.vectors(counts) @ self._fold)

    def words(self, rows: Ints) -> Doubles:
        return self.table[rows]


class ALaCarteSpace(GroupSpace):
    """A · mean of the vectors of the contexts, where the matrix A makes such means of words of the
    whole text like their vectors (Khodak, Saunshi, Liang, Ma, Stewart & Arora 2018, A La Carte
    Embedding, ACL, equation 5, each word weighted by the logarithm of its count).

    table : float64[V, d], vectors of the words, 0 for unknown ones

    Raises UserError if no two neighbouring words of the text have vectors.
    """

    def __init__(self, counts: sp.csr_matrix, table: Doubles, frequencies: Ints) -> None:
        self.table = table
        known = np.linalg.norm(table, axis=1) > 0
        means = _means(counts, table)
        used = known & (np.linalg.norm(means, axis=1) > 0)
        if not used.any():
            raise UserError(
                tr("The vectors have no words of this text that occur beside each other."),
                tr("Choose vectors that were trained on this text, or on a similar one."),
            )
        weights = np.log(np.maximum(frequencies, 1))[used] + 1e-9
        left = means[used] * weights[:, None]
        square = left.T @ means[used]
        ridge = _RIDGE * float(np.trace(square)) / len(square)
        square += ridge * np.eye(len(square))
        self._matrix: Doubles = np.linalg.solve(square, left.T @ table[used])

    def vectors(self, counts: sp.csr_matrix) -> Doubles:
        return np.asarray(_means(counts, self.table) @ self._matrix)

    def words(self, rows: Ints) -> Doubles:
        return self.table[rows]


def _means(counts: sp.csr_matrix, table: Doubles) -> Doubles:
    """float64[n, d], the mean of the vectors of the contexts, weighted by counts; words without a
    vector are left out.
    """
    known = (np.linalg.norm(table, axis=1) > 0).astype(np.float64)
    sums = np.asarray(counts @ known).ravel()
    return np.asarray(np.asarray(counts @ table) / np.maximum(sums, 1e-300)[:, None])


def open_space(
    corpus: Corpus,
    vocabulary: Vocabulary,
    params: GroupedParams,
    run: JobControl,
    embeddings: Embeddings | None = None,
) -> GroupSpace:
    """The space of ``params.method`` (not sgns), from the counts of the whole text.

    embeddings : vectors for à-la-carte, of any training, None: SVD of the text

    Enters phases COUNTING and TRAINING. Raises UserError and Cancelled.
    """
    counts = cooccurrence(
        corpus, vocabulary, params.window, params.window_weighting, True, params.threads, run
    )
    if params.method == PPMI:
        return PpmiSpace(counts, params, run)
    if params.method != A_LA_CARTE:
        return SvdSpace(counts, params, run)
    if embeddings is None:
        table = SvdSpace(counts, params, run).table
    else:
        table = table_of(embeddings, vocabulary)
    return ALaCarteSpace(counts, table, vocabulary.counts)


def table_of(embeddings: Embeddings, vocabulary: Vocabulary) -> Doubles:
    """float64[V, d], the vectors of the words of a vocabulary, 0 for words without one."""
    rows = [embeddings.find(word) for word in vocabulary.words]
    known = np.array([row is not None for row in rows])
    found = embeddings.vectors[[row for row in rows if row is not None]]
    table = np.zeros((len(vocabulary), embeddings.dim))
    table[known] = found.toarray() if sp.issparse(found) else found
    return table


def cosines(left: Doubles | sp.csr_matrix, right: Doubles | sp.csr_matrix) -> Doubles:
    """float64[n, k], the cosines of rows [n, d] and rows [k, d]; NaN where one is 0."""
    products = left @ right.T
    table: Doubles = products.toarray() if sp.issparse(products) else np.asarray(products)
    lengths = np.outer(row_lengths(left), row_lengths(right))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(lengths > 0, np.clip(table / lengths, -1.0, 1.0), np.nan)


def row_lengths(table: Doubles | sp.csr_matrix) -> Doubles:
    """float64[n], the Euclidean length of each row."""
    if sp.issparse(table):
        return np.sqrt(np.asarray(table.multiply(table).sum(axis=1), dtype=np.float64).ravel())
    return np.asarray(np.linalg.norm(table, axis=1))
