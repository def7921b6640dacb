"""Truncated SVD of the shifted positive PMI matrix (Levy & Goldberg 2014; Levy, Goldberg & Dagan
2015).

With M_wc = max(PMI_α(w, c) − log k, 0) and M ≈ U_d Σ_d V_dᵀ, its best approximation of rank d, the
word vectors are U_d Σ_d^p and the context vectors V_d Σ_d^(1−p): their products are that
approximation for every p.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import plural, tr
from workbench.core.machine.threads import usable_threads
from workbench.core.param_labels import param_name
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cluster.params import ClusterParams, wrong_address
from workbench.counts.counts_corpus import CountedCorpus, needs_one_vocabulary
from workbench.models.base import NO_LOSS, Estimate, Model, Preset, RowObjective, TheoryTarget
from workbench.models.count.clustered_svd import LOCAL, open_cluster_matrix
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.pmi_base import (
    PMIParams,
    counting_seconds,
    no_positive_pmi,
    positive_cells,
    positive_pmi_of,
    warm_counting,
)
from workbench.models.count.streamed_svd import WIDTH, Streamed, block_bytes, warm_streaming
from workbench.models.count.truncated_svd import (
    Operator,
    Truncated,
    truncated_svd,
    warm_products,
    work_bytes,
)
from workbench.models.params import ResultParams, SharedParams
from workbench.vectors.embeddings import Embeddings, OwnContexts
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing

# Measured seconds of a thread to multiply a cell with a vector.
_PER_PRODUCT = 4e-10


@dataclass(frozen=True)
class SVDParams(ResultParams, PMIParams):
    """Hyperparameters of the SVD."""

    dim: int = redeclare(
        SharedParams,
        "dim",
        source="word2vec.c -size 100, for comparable vectors; hyperwords uses 500",
        doc=(
            "Number of dimensions of each vector: the number of singular values to keep, at "
            "most the rank of the matrix."
        ),
        grows=(
            "closer approximation of the matrix, including its sampling error; more memory, slower"
        ),
    )
    eig: float = param(
        0.5,
        "Exponent p of the singular values in the word vectors; the context vectors get 1 − p.",
        label="Singular value exponent",
        symbol="p",
        low=0.0,
        high=1.0,
        grows="the largest components weigh more",
        source="Levy, Goldberg & Dagan 2015: 0.5 or 0, never 1",
        basic=True,
    )
    result: str = redeclare(
        ResultParams,
        "result",
        "w",
        "hyperwords: w",
        doc=(
            "Vectors to keep: the word vectors, the sum of word and context vectors, or both "
            "concatenated; both with exponent p."
        ),
    )
    threads: int = redeclare(
        SharedParams,
        "threads",
        doc="Number of threads for counting and multiplication. 0 = one per core, at most 8.",
    )
    scheduler: str = redeclare(
        ClusterParams,
        "scheduler",
        doc=(
            "Address of a Dask scheduler that you trust, such as tls://host:8786. Its workers "
            "store and multiply the matrix. local = workers on this machine, empty = no "
            "cluster. Needs counts in a folder; the vectors are the same."
        ),
        basic=False,
    )
    seed: int = redeclare(
        SharedParams,
        "seed",
        doc="Random seed of the SVD iteration. Has almost no effect on the result.",
    )

    def conflicts(self) -> dict[str, str]:
        if self.scheduler == LOCAL or not wrong_address(self.scheduler):
            return super().conflicts()
        wrong = tr(
            "{name} must be local or an address such as tcp://host:8786, not {scheduler!r}.",
            name=param_name("scheduler"),
            scheduler=self.scheduler,
        )
        return {"scheduler": wrong, **super().conflicts()}


class SVD(Model):
    key = "svd"
    title = tr("SVD of shifted PPMI")
    short = "SVD"
    family = "count"
    from_counts = True
    own_contexts = True
    refits = True
    summary = tr(
        "Counts co-occurrences, computes their shifted positive PMI, and keeps its d "
        "largest singular vectors."
    )
    citation = (
        "Levy & Goldberg 2014, Neural Word Embedding as Implicit Matrix Factorization (NIPS 27); "
        "Levy, Goldberg & Dagan 2015, Improving Distributional Similarity with Lessons Learned "
        "from Word "
        "Embeddings (TACL 3)"
    )
    order = 20
    params_type = SVDParams
    theory_target = TheoryTarget("sppmi", "product", "constant")
    loss_floor = NO_LOSS
    row_objective = RowObjective("projection")
    presets = (
        Preset(
            "hyperwords",
            {
                "dim": 500,
                "window": 2,
                "window_weighting": "fixed",
                "min_count": 100,
                "shift": 1.0,
                "context_smoothing": 1.0,
                "eig": 0.5,
                "result": "w",
                "sample": 0.0,
            },
            tr("Defaults of the hyperwords programs of Levy, Goldberg & Dagan 2015"),
        ),
        Preset(
            "LGD15 recommended",
            {"window": 2, "shift": 1.0, "context_smoothing": 0.75, "eig": 0.5},
            tr(
                "Recommended by Levy, Goldberg & Dagan 2015 for SVD: smoothed contexts, "
                "short windows, p = 0.5 or 0, no shift"
            ),
            tr("LGD15 recommended"),
        ),
        Preset(
            "classroom",
            {"dim": 100, "window": 5, "min_count": 1},
            tr("Chosen for Small World: takes seconds, and analogies work"),
            tr("classroom"),
        ),
    )
    params: SVDParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        size = len(vocabulary)
        cost = CellCost(corpus, vocabulary, params.window, kind=params.contexts)
        if params.scheduler:
            _require_stored(corpus)
        dim = min(params.dim, size)
        steps = 7 * dim
        multiplying = 2 * cost.likely_cells * steps * _PER_PRODUCT + 4 * size * steps**2 / 1.5e10
        results, work = 24 * size * dim, work_bytes(size, dim)
        if cost.is_stored:
            seconds = (multiplying + cost.seconds * (1 + steps / WIDTH)) / usable_threads(
                params.threads
            )
            # The vectors of the iteration are on disk, one block and the results in memory. The
            # speed of a cluster is unknown beforehand.
            estimate = cost.estimate(
                None if params.scheduler else seconds,
                results + block_bytes(size),
                0,
                scratch_bytes=work,
            )
        else:
            seconds = counting_seconds(vocabulary, params, cost.likely_cells, params.threads)
            seconds += multiplying / usable_threads(params.threads)
            # The matrix and its transpose are in memory with the vectors of the iteration and the
            # results.
            estimate = cost.estimate(seconds, results + work, 24, beside=8)
        if params.dim > size:
            warning = tr(
                "The vocabulary has only {words}, so the vectors will have at most {dimensions}.",
                words=plural(size, "word"),
                dimensions=plural(size, "dimension"),
            )
            return replace(estimate, warning=warning)
        return estimate

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the kernels for counting and multiplication"))
        self.warm()
        with self._matrix(corpus, vocabulary, run) as (matrix, cells, contexts):
            run.enter(Phase.TRAINING, tr("Finding the largest singular values"))
            return self._factorise(matrix, cells, vocabulary, run, contexts)

    def fit_counts(
        self, counts: sp.csr_matrix, vocabulary: Vocabulary, run: JobControl
    ) -> Embeddings:
        matrix = positive_pmi_of(counts, self.params, run)
        return self._factorise(matrix, int(matrix.nnz), vocabulary, run)

    def _factorise(
        self,
        matrix: sp.csr_matrix | Operator,
        cells: int,
        vocabulary: Vocabulary,
        run: JobControl,
        contexts: Sequence[str] | None = None,
    ) -> Embeddings:
        """contexts : those of the columns if they aren't the words"""
        params = self.params
        found = _largest(matrix, params, run)
        power = found.values**params.eig
        metadata = {
            "singular_values": found.values.tolist(),
            "cells": cells,
            "residual": found.residual,
        }
        if params.eig != 0.5:
            # Contexts have the remaining power; to be combined with words, they need the same
            # power.
            metadata["context_scale"] = (power * power / found.values).tolist()
        right = (found.right * (found.values / power)).astype(np.float32)
        trained = Embeddings(
            words=vocabulary.words,
            vectors=(found.left * power).astype(np.float32),
            counts=vocabulary.counts,
            contexts=right if contexts is None else None,
            metadata=metadata,
            own_contexts=None if contexts is None else OwnContexts(contexts, right),
        )
        return apply_postprocessing(trained, Postprocessing(params.result))

    @contextmanager
    def _matrix(
        self, corpus: Corpus, vocabulary: Vocabulary, run: JobControl
    ) -> Iterator[tuple[sp.csr_matrix | Operator, int, Sequence[str] | None]]:
        """The PMI matrix, in memory, on disk or on a cluster, its number of cells, and the contexts
        of its columns if they aren't the words.
        """
        params = self.params
        if params.scheduler:
            with open_cluster_matrix(
                _require_stored(corpus),
                len(vocabulary),
                params.shift,
                params.context_smoothing,
                params.scheduler,
                params.threads,
                run,
            ) as there:
                if there.nnz == 0:
                    raise no_positive_pmi()
                yield there, there.nnz, None
            return
        cells = positive_cells(corpus, vocabulary, params, params.threads, run)
        yield (
            cells.csr() if cells.held else Streamed(cells, usable_threads(params.threads), run),
            int(cells.nnz),
            cells.own_contexts,
        )

    @classmethod
    def warm(cls) -> None:
        warm_counting()
        warm_products()
        warm_streaming()


def _largest(matrix: sp.csr_matrix | Operator, params: SVDParams, run: JobControl) -> Truncated:
    """The singular triplets; with more contexts than words, those of the transpose."""
    turned = sp.issparse(matrix) and matrix.shape[1] > matrix.shape[0]
    if turned:
        cells: Any = matrix
        matrix = cells.T.tocsr()
    found = truncated_svd(matrix, params.dim, seed=params.seed, threads=params.threads, run=run)
    if not turned:
        return found
    largest = np.abs(found.right).argmax(axis=0)
    sign = np.where(found.right[largest, np.arange(len(found.values))] < 0, -1.0, 1.0)
    return Truncated(found.right * sign, found.values, found.left * sign, found.residual)


def _require_stored(corpus: Corpus) -> CountedCorpus:
    """The stored counts. Raises UserError for a text, whose counts are in this machine's memory."""
    if isinstance(corpus, CountedCorpus):
        several = needs_one_vocabulary(corpus)
        if several is not None:
            raise several
        return corpus
    raise UserError(
        tr("A cluster can only factorise counts in a folder, and this corpus is a text."),
        tr(
            "Count the text on a cluster first and open the folder of counts, or leave "
            "{name} empty.",
            name=param_name("scheduler"),
        ),
    )
