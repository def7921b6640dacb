"""GloVe, global vectors (Pennington, Socher & Manning 2014).

    J = Σ_{X_ij > 0} f(X_ij) (w_i·c_j + b_i + b_j − log X_ij)²   (eq. 8)
    f(x) = min(1, (x/x_max)^α)   (eq. 9)

Reported is ½ f Δ², the mean per cell, as GloVe's program does. The steps are those of its program
(version 1.2): AdaGrad with sums that begin at 1, gradients of vectors cut at ±100 and multiplied by
the learning rate, those of biases neither.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.params import redeclare
from workbench.core.threads import usable_threads
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import counts_of
from workbench.counts.params import CountWindowParams
from workbench.models.base import Architecture, Estimate, Model, Preset, TheoryTarget
from workbench.models.checkpointing import with_state
from workbench.models.count.cell_layout import Floats, Ids, Ints, arrange_cells
from workbench.models.count.cell_trainer import (
    Visitor,
    adagrad_cells,
    adagrad_sides,
    adagrad_state,
    chunk_cells,
    glove_steps,
    stripe_width,
    visit_cells,
    warm_cells,
    weigh_cells,
)
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.factorisation_base import FactorParams, compose, glove_weight, no_cells
from workbench.models.kernels.gemm import padded_dim
from workbench.models.shared_params import SharedParams
from workbench.vectors.embeddings import Embeddings

# Floats of a vector that one thread was seen to update in a second, for the estimate before
# training.
_SPEED = 5e8


@dataclass(frozen=True)
class GloVeParams(FactorParams):
    """Hyperparameters of GloVe."""

    dim: int = redeclare(
        FactorParams, "dim", 100, "as for the other algorithms; GloVe's program: -vector-size 50"
    )
    window: int = redeclare(FactorParams, "window", 15, "GloVe's program: -window-size 15")
    window_weighting: str = redeclare(
        FactorParams, "window_weighting", "harmonic", "Pennington et al. 2014, section 4.2: 1/δ"
    )
    symmetric: bool = redeclare(
        CountWindowParams,
        "symmetric",
        source="GloVe's program: -symmetric 1",
        doc="Count contexts on both sides; otherwise only the words before, so that w and c tell "
        "direction.",
        basic=False,
    )
    x_max: float = redeclare(SharedParams, "x_max")
    alpha: float = redeclare(SharedParams, "alpha")
    epochs: int = redeclare(FactorParams, "epochs", 25, "GloVe's program: -iter 25")
    learning_rate: float = redeclare(
        FactorParams,
        "learning_rate",
        0.05,
        "GloVe's program: -eta 0.05",
        doc="Size of the first steps of vectors. Biases don’t use it: with 0, they are still "
        "learned.",
    )
    result: str = redeclare(
        FactorParams, "result", "w+c", "Pennington et al. 2014, section 4.2: W + C"
    )


class GloVe(Model):
    key = "glove"
    title = "GloVe"
    short = "GloVe"
    family = "count"
    from_counts = True
    summary = tr(
        "Fits products of vectors, plus a bias for each word, to the logarithms of co-occurrence "
        "counts."
    )
    citation = (
        "Pennington, Socher & Manning 2014, GloVe: Global Vectors for Word Representation (EMNLP)"
    )
    loss_label = tr("weighted squared error ½ f Δ² per cell")
    rate_falls = False
    order = 40
    params_type = GloVeParams
    theory_target = TheoryTarget("logx", "biased", "glove")
    architecture = Architecture("glove", steps="GloVe")
    presets = (
        Preset(
            "GloVe demo",
            {"dim": 50, "window": 15, "x_max": 10.0, "epochs": 15, "min_count": 5},
            tr("demo.sh of GloVe's program, for corpora of the size of text8"),
        ),
        Preset(
            "GloVe paper",
            {"dim": 300, "window": 10, "x_max": 100.0, "epochs": 100},
            tr(
                "Pennington et al. 2014, section 4.2: x_max 100, η 0.05, window 10, 100 "
                "iterations from 300 dimensions"
            ),
            tr("GloVe paper"),
        ),
        Preset(
            "classroom",
            {
                "window": 10,
                "window_weighting": "fixed",
                "x_max": 10.0,
                "epochs": 15,
                "learning_rate": 0.01,
            },
            tr(
                "Chosen for Small World: done within seconds; on so small a vocabulary more steps "
                "only fit its noise"
            ),
            tr("classroom"),
        ),
    )
    params: GloVeParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        cost = CellCost(corpus, vocabulary, params.window, params.symmetric)
        rows = 2 * len(vocabulary) * 4 * (2 * padded_dim(params.dim) + 4 * params.dim + 6)
        seconds = cost.cells * params.epochs * padded_dim(params.dim) / _SPEED + cost.seconds
        return cost.estimate(seconds / usable_threads(params.threads), rows, 28)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the kernels"))
        self.warm()

        def count() -> sp.csr_matrix:
            return cooccurrence(
                corpus,
                vocabulary,
                params.window,
                params.window_weighting,
                params.symmetric,
                params.threads,
                run,
            )

        counts = counts_of(corpus, vocabulary, count, run)
        if counts.nnz == 0:
            raise no_cells()

        def meaning(rows: Ids, columns: Ids, values: Floats) -> tuple[Floats, Floats]:
            return glove_weight(values, params.x_max, params.alpha), np.log(values)

        run.enter(Phase.COUNTING, tr("Laying out the cells in blocks"))
        chunk = chunk_cells(counts.nnz)
        layout = arrange_cells(counts, meaning, stripe_width(params.dim), chunk, params.seed, run)
        del counts
        if not params.symmetric:
            # Rows are words and columns what stands before them, as in GloVe's program.
            layout = layout.transpose()
        cells = layout.cells
        dim = params.dim
        steps = glove_steps(params.learning_rate)
        words, contexts = adagrad_sides(len(vocabulary), dim, params.seed, steps)
        start, tables = self.begin(vocabulary), adagrad_state(words, contexts, dim)
        for name, table in tables.items():
            start.fill(name, table)

        def visit(
            visitor: Visitor, numbers: Ints, rate: float, losses: Floats, terms: Floats
        ) -> None:
            adagrad_cells(cells, numbers, words, contexts, steps, losses, terms)

        def look_at(
            visitor: Visitor, numbers: Ints, rate: float, losses: Floats, terms: Floats
        ) -> None:
            weigh_cells(cells, numbers, words, contexts, dim, losses, terms)

        def current_embeddings() -> Embeddings:
            biases = words.biases[:, 0], contexts.biases[:, 0]
            return compose(
                vocabulary, words.table[:, :dim], contexts.table[:, :dim], params.result, biases
            )

        return visit_cells(
            layout,
            params.epochs,
            params.threads,
            params.seed,
            lambda share: params.learning_rate,
            visit,
            start,
            lambda: with_state(current_embeddings(), tables),
            current_embeddings,
            run,
            params.learning_rate,
            look_at,
            float(dim) * len(cells.rows),
        )

    @classmethod
    def warm(cls) -> None:
        ids = np.array([0, 1, 0, 2, 1], dtype=np.int32)
        corpus = Corpus("", ids, np.array([0, 3, 5]), ("a", "b", "c"), np.array([2, 2, 1]), "")
        cooccurrence(corpus, corpus.vocabulary(), 2, threads=1)
        warm_cells()
