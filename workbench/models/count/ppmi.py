"""Rows of the shifted positive PMI matrix as word vectors (Levy, Goldberg & Dagan 2015, section
2.1).

    M_wc = max(PMI_α(w, c) − log k, 0)

A word's vector is its row: one column for every context word, almost all of them 0. The rows stay
sparse; a dense matrix would need V² numbers. k = 1 is PPMI, k > 1 its shifted form (Levy & Goldberg
2014, section 4.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.params import redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cooccurrence import estimate_bytes
from workbench.models.base import NO_LOSS, Estimate, Model, Preset, RowObjective, TheoryTarget
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.pmi_base import (
    PMIParams,
    counting_seconds,
    positive_cells,
    positive_pmi_of,
    warm_counting,
)
from workbench.models.params import SharedParams
from workbench.vectors.embeddings import Embeddings, OwnContexts


@dataclass(frozen=True)
class PPMIParams(PMIParams):
    """Hyperparameters of PPMI."""

    threads: int = redeclare(
        SharedParams, "threads", doc="Number of counting threads. 0 = one per core, at most 8."
    )


class PPMI(Model):
    key = "ppmi"
    title = tr("Rows of shifted PPMI")
    short = "PPMI"
    family = "count"
    summary = tr(
        "Uses a word’s row of shifted positive PMI as its vector: long, sparse, and interpretable."
    )
    citation = (
        "Bullinaria & Levy 2007, Extracting Semantic Representations from Word Co-occurrence "
        "Statistics; "
        "Levy & Goldberg 2014, Neural Word Embedding as Implicit Matrix Factorization (NIPS 27); "
        "Levy, Goldberg & Dagan 2015, Improving Distributional Similarity with Lessons Learned "
        "from Word "
        "Embeddings (TACL 3)"
    )
    order = 15
    own_contexts = True
    refits = True
    params_type = PPMIParams
    theory_target = TheoryTarget(
        missing=tr("PPMI’s vectors are the rows of the matrix: nothing is factorised.")
    )
    loss_floor = NO_LOSS
    row_objective = RowObjective("cells")
    presets = (
        Preset(
            "hyperwords",
            {
                "window": 2,
                "window_weighting": "fixed",
                "min_count": 100,
                "shift": 1.0,
                "context_smoothing": 1.0,
                "sample": 0.0,
            },
            tr("Defaults of the hyperwords programs of Levy, Goldberg & Dagan 2015"),
        ),
        Preset(
            "LGD15 recommended",
            {"window": 2, "shift": 1.0, "context_smoothing": 0.75},
            tr(
                "Recommended by Levy, Goldberg & Dagan 2015: smoothed contexts and, for "
                "PPMI, short windows and no shift"
            ),
            tr("LGD15 recommended"),
        ),
        Preset(
            "classroom",
            {"window": 10, "min_count": 1},
            tr("Chosen for Small World: takes less than a second, and analogies work"),
            tr("classroom"),
        ),
    )
    params: PPMIParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        cost = CellCost(corpus, vocabulary, params.window, kind=params.contexts)
        if cost.is_stored:
            return cost.estimate(cost.seconds, int(24 * cost.cells), 0)
        cells = cost.cells
        # Counts and PMI are in memory at the same time, then the result and its unit vectors.
        memory = max(estimate_bytes(corpus, vocabulary, params.window), int(12 * cells)) + int(
            12 * cells
        )
        seconds = counting_seconds(vocabulary, params, cost.likely_cells, params.threads)
        return Estimate(len(vocabulary), vocabulary.tokens, memory, seconds)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the counting kernels"))
        self.warm()
        cells = positive_cells(corpus, vocabulary, params, params.threads, run)
        return _rows(cells.csr(), vocabulary, cells.own_contexts)

    def fit_counts(
        self, counts: sp.csr_matrix, vocabulary: Vocabulary, run: JobControl
    ) -> Embeddings:
        return _rows(positive_pmi_of(counts, self.params, run), vocabulary)

    @classmethod
    def warm(cls) -> None:
        warm_counting()


def _rows(
    matrix: sp.csr_matrix, vocabulary: Vocabulary, contexts: Sequence[str] | None = None
) -> Embeddings:
    return Embeddings(
        words=vocabulary.words,
        vectors=matrix.astype(np.float32),
        counts=vocabulary.counts,
        metadata={"cells": int(matrix.nnz)},
        own_contexts=None if contexts is None else OwnContexts(contexts),
    )
