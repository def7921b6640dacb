"""Hyperspace Analogue to Language (Lund & Burgess 1996): counts before and after a word.

With a window of L words, a pair at distance δ counts L − δ + 1. Direction matters: a word's vector
is its row, the words before it, followed by its column, the words after it: 2V numbers, reduced to
the columns that vary most from word to word, at unit length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.param_labels import param_name
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence, estimate_bytes, expected_cells
from workbench.counts.likely_cells import likely_cells
from workbench.models.base import NO_LOSS, Estimate, Model, Preset, RowObjective, TheoryTarget
from workbench.models.count.pmi_base import PairParams, counting_seconds, warm_counting
from workbench.models.params import SharedParams, VectorParams
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import OFF, Postprocessing

# Rows processed at once, between two checks for cancellation.
_ROWS = 2048
# Seconds per cell, with and without selection of columns, on 2.6 GHz cores.
_PER_CHOSEN_CELL, _PER_CELL = 1e-7, 3e-7


@dataclass(frozen=True)
class HALParams(VectorParams):
    """Hyperparameters of HAL."""

    window: int = redeclare(PairParams, "window", 10, "Lund & Burgess 1996: 10 words")
    window_weighting: str = redeclare(
        PairParams, "window_weighting", "linear", "Lund & Burgess 1996: linear"
    )
    columns: int = param(
        200,
        "Number of the 2V columns to keep, by variance. 0 = all, as sparse vectors.",
        label="Columns",
        symbol="d",
        low=0,
        high=100_000,
        unit="columns",
        grows="contexts of rarer words count too; more memory",
        source="Lund & Burgess 1996: the 200 columns with the highest variance",
        basic=True,
    )
    normalise: bool = redeclare(
        VectorParams,
        "normalise",
        True,
        "Lund & Burgess 1996: vectors are normalised before distances are computed",
    )
    threads: int = redeclare(
        SharedParams, "threads", doc="Number of counting threads. 0 = one per core, at most 8."
    )

    def conflicts(self) -> dict[str, str]:
        if not self.columns and self.all_but_the_top != OFF:
            wrong = tr(
                "{name} would make the sparse vectors of all columns dense. Limit the "
                "columns, or set it to -1.",
                name=param_name("all_but_the_top"),
            )
            return {"all_but_the_top": wrong}
        return super().conflicts()

    def choice(self) -> Postprocessing:
        # The rows that ``fit`` returns have unit length already; removing directions changes that.
        return Postprocessing(
            "w", self.normalise and self.all_but_the_top != OFF, self.all_but_the_top
        )


class HAL(Model):
    key = "hal"
    title = tr("HAL, hyperspace analogue to language")
    short = "HAL"
    family = "count"
    summary = tr(
        "Counts the words before and after each word, nearer words more, and keeps the "
        "columns with the highest variance."
    )
    citation = (
        "Lund & Burgess 1996, Producing High-dimensional Semantic Spaces from Lexical "
        "Co-occurrence "
        "(Behavior Research Methods, Instruments & Computers 28)"
    )
    order = 40
    params_type = HALParams
    theory_target = TheoryTarget(
        missing=tr("HAL’s vectors are the rows of its count matrix: nothing is factorised.")
    )
    loss_floor = NO_LOSS
    row_objective = RowObjective(
        missing=tr("HAL counts the words before and after a word separately, not as pairs.")
    )
    presets = (
        Preset("Lund & Burgess", {}, tr("Lund & Burgess 1996: window 10, linear, 200 columns")),
        Preset(
            "all columns",
            {"columns": 0},
            tr("Lund & Burgess 1996, before columns are selected"),
            tr("all columns"),
        ),
        Preset(
            "classroom",
            {"columns": 0, "min_count": 1},
            tr(
                "Chosen for Small World: takes less than a second; all columns, because "
                "the vocabulary is small"
            ),
            tr("classroom"),
        ),
    )
    params: HALParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        size = len(vocabulary)
        cells = expected_cells(vocabulary, params.window)
        kept = min(params.columns, 2 * size)
        # Without selection, the matrix, its transpose and both side by side are in memory at once.
        beyond = int(72 * cells) if params.columns == 0 else int(20 * cells) + 32 * size * kept
        memory = max(estimate_bytes(corpus, vocabulary, params.window, False), beyond)
        pairs = PairParams(window=params.window)
        likely = likely_cells(corpus, vocabulary, params.window, False)
        arranging = likely * (_PER_CHOSEN_CELL if params.columns else _PER_CELL)
        counting = counting_seconds(vocabulary, pairs, 3 * likely, params.threads) / 2
        return Estimate(size, vocabulary.tokens, memory, counting + arranging)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the counting kernels"))
        self.warm()
        after = cooccurrence(
            corpus, vocabulary, params.window, params.window_weighting, False, params.threads, run
        )
        if after.nnz == 0:
            raise UserError(
                tr("No sentence contains two words."),
                tr("Choose a longer corpus, or split sentences differently."),
            )
        run.enter(Phase.TRAINING, tr("Finding the columns with the highest variance"))
        metadata: dict[str, object] = {"cells": 2 * int(after.nnz)}
        vectors: Singles | sp.csr_matrix
        if params.columns:
            chosen = most_variant(after, params.columns, run)
            dense = _columns(after, chosen)
            vectors = (dense / _lengths(dense) if params.normalise else dense).astype(np.float32)
            size = len(vocabulary)
            metadata["columns"] = [
                [vocabulary.words[column % size], "before" if column < size else "after"]
                for column in chosen.tolist()
            ]
        else:
            before = after.T.tocsr()
            run.check()
            both = sp.csr_matrix(sp.hstack([before, after], format="csr"))
            del before, after
            run.check()
            both.sort_indices()
            both.data = both.data.astype(np.float32)
            if params.normalise:
                both.data /= np.repeat(
                    _lengths(both).ravel().astype(np.float32), np.diff(both.indptr)
                )
            vectors = both
        return Embeddings(vocabulary.words, vectors, vocabulary.counts, metadata=metadata)

    @classmethod
    def warm(cls) -> None:
        warm_counting()


def most_variant(after: sp.csr_matrix, n: int, run: JobControl) -> npt.NDArray[np.int64]:
    """int64[n], the columns of highest variance over the rows, highest first, equal ones from the
    left.

    after : CSR float64[V, V], the words after each word. The columns are those of its transpose and
    then its own, but the joined matrix is never made. Cells that are not stored count as zeros.
    """
    size = after.shape[0]
    total, squares = np.zeros((2, size)), np.zeros((2, size))
    for first in range(0, size, _ROWS):
        run.check()
        rows = after[first : first + _ROWS]
        total[1] += np.bincount(rows.indices, weights=rows.data, minlength=size)
        squares[1] += np.bincount(rows.indices, weights=rows.data**2, minlength=size)
        # A column of the transpose is a row of the matrix.
        total[0, first : first + _ROWS] = rows.sum(axis=1).ravel()
        squares[0, first : first + _ROWS] = rows.multiply(rows).sum(axis=1).ravel()
    return np.argsort((total.ravel() / size) ** 2 - squares.ravel() / size, kind="stable")[:n]


def _columns(after: sp.csr_matrix, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """float64[V, n], the chosen columns of the transpose and the matrix side by side."""
    size = after.shape[0]
    dense = np.empty((size, len(chosen)))
    ahead = chosen < size
    dense[:, ahead] = after[chosen[ahead]].toarray().T
    dense[:, ~ahead] = after[:, chosen[~ahead] - size].toarray()
    return dense


def _lengths(matrix: npt.NDArray[np.float64] | sp.csr_matrix) -> npt.NDArray[np.float64]:
    """float64[V, 1], Euclidean lengths of the rows; 1 where a row is zero."""
    squares = matrix * matrix if isinstance(matrix, np.ndarray) else matrix.multiply(matrix)
    length = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64).reshape(-1, 1))
    return np.where(length > 0, length, 1.0)
