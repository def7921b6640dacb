"""Weighted factorisation of the PMI matrix over the observed pairs.

    J = Σ_{#(w,c) > 0} f(#(w, c)) (w·c + b_w + b_c − (PMI_α(w, c) − log k))²

SGNS implicitly factorises PMI − log k, most faithfully where pairs are frequent (Levy & Goldberg
2014, sections 3 and 5); to second order it is this objective with the weight AB/(A + B), where A =
#(w, c) and B = k·#(w)·P_α(c). Weights are scaled to a mean of 1, so that the loss is Σ ½ f Δ² / Σ
f. Minimised by AdaGrad, one cell at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.params import param, redeclare
from workbench.core.threads import usable_threads
from workbench.corpus.corpus import Corpus
from workbench.counts.cell_source import Counts
from workbench.counts.counts_corpus import counts_of
from workbench.counts.expected_counts import effective_counts
from workbench.models.base import Estimate, Model, Preset, TheoryTarget
from workbench.models.checkpointing import with_state
from workbench.models.count.cell_layout import Floats, Ids, Ints, Meaning, arrange_cells
from workbench.models.count.cell_trainer import (
    Visitor,
    adagrad_cells,
    adagrad_sides,
    adagrad_state,
    chunk_cells,
    plain_steps,
    stripe_width,
    visit_cells,
    warm_cells,
    weigh_cells,
)
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.factorisation_base import (
    FactorParams,
    compose,
    glove_weight,
    no_cells,
)
from workbench.models.kernels.gemm import padded_dim
from workbench.models.shared_params import SharedParams
from workbench.vectors.embeddings import Embeddings

# Floats of a vector that one thread was seen to update in a second, for the estimate before
# training.
_SPEED = 5e8


@dataclass(frozen=True)
class PMIMFParams(FactorParams):
    """Hyperparameters of the weighted factorisation of PMI."""

    weighting: str = param(
        "AB/(A+B)",
        "The weight f of a pair: its count, GloVe's min(1, (x/x_max)^α), the same for all, or "
        "AB/(A + B), which "
        "makes it the second-order approximation of SGNS. Scaled to a mean of 1.",
        label="Weighting",
        choices=("count", "glove", "constant", "AB/(A+B)"),
        source="the expansion of the objective of Levy & Goldberg 2014, section 3.1, around its "
        "optimum",
        basic=True,
    )
    shift: float = redeclare(
        SharedParams,
        "shift",
        doc="Log k is taken from the PMI; it is what k negative samples do in SGNS.",
        low=0.001,
        grows="all products become smaller by its logarithm",
    )
    context_smoothing: float = redeclare(
        SharedParams,
        "context_smoothing",
        1.0,
        "hyperwords: cds 1; Levy, Goldberg & Dagan 2015 advise 0.75",
        basic=False,
    )
    biases: bool = param(
        False,
        "Learn a number for every word and every context that is added to the product, as GloVe "
        "does.",
        label="Biases",
        source="Levy & Goldberg 2014: products alone",
        basic=True,
    )
    x_max: float = redeclare(
        SharedParams,
        "x_max",
        doc="With GloVe's weights: cells counted this often or more have the full weight 1.",
        basic=False,
    )
    alpha: float = redeclare(
        SharedParams,
        "alpha",
        doc="With GloVe's weights: the power with which the weight of rarer cells falls.",
        symbol="",
        basic=False,
    )
    sample: float = redeclare(SharedParams, "sample")
    sample_formula: str = redeclare(SharedParams, "sample_formula")
    epochs: int = redeclare(FactorParams, "epochs", 25, "GloVe's program: -iter 25")
    learning_rate: float = redeclare(
        FactorParams, "learning_rate", 0.05, "as GloVe's program: -eta 0.05"
    )


class PMIMF(Model):
    key = "pmi-mf"
    title = tr("Weighted factorisation of PMI")
    short = "PMI-MF"
    family = "count"
    from_counts = True
    summary = tr(
        "Fits products of vectors to the PMI of the pairs that were seen, each as heavy as its "
        "weight says."
    )
    citation = (
        "Levy & Goldberg 2014, Neural Word Embedding as Implicit Matrix Factorization (NIPS 27); "
        "Pennington, Socher "
        "& Manning 2014, GloVe: Global Vectors for Word Representation (EMNLP)"
    )
    loss_label = tr("weighted squared error ½ f Δ² per cell, mean weight 1")
    rate_falls = False
    order = 60
    params_type = PMIMFParams
    theory_target = TheoryTarget("pmi", "biased", "")
    presets = (
        Preset(
            "SGNS to second order",
            {"weighting": "AB/(A+B)", "shift": 5.0, "context_smoothing": 0.75, "sample": 1e-3},
            tr(
                "word2vec.c's defaults in the expansion of SGNS: five negatives, noise to the "
                "power 3/4, sample 1e-3"
            ),
            tr("SGNS to second order"),
        ),
        Preset(
            "GloVe's weights and biases",
            {
                "weighting": "glove",
                "biases": True,
                "window_weighting": "harmonic",
                "window": 15,
                "x_max": 100.0,
                "result": "w+c",
            },
            tr(
                "GloVe's program, with PMI in the place of log X: biases make the two objectives "
                "the same"
            ),
            tr("GloVe's weights and biases"),
        ),
        Preset(
            "classroom",
            {"dim": 100, "weighting": "count", "biases": True, "epochs": 50, "result": "w+c"},
            tr("Chosen for Small World: done within seconds, with analogies that work"),
            tr("classroom"),
        ),
    )
    params: PMIMFParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        cost = CellCost(corpus, vocabulary, params.window, thinned=params.sample > 0)
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
            return effective_counts(
                corpus,
                vocabulary,
                params.window,
                params.window_weighting,
                params.sample,
                params.sample_formula,
                run,
                threads=params.threads,
            )

        counts = counts_of(corpus, vocabulary, count, run)
        if counts.nnz == 0:
            raise no_cells()
        run.enter(Phase.COUNTING, tr("Laying out the cells in blocks"))
        chunk = chunk_cells(counts.nnz)
        meaning = _weight_and_target(counts, params)
        layout = arrange_cells(counts, meaning, stripe_width(params.dim), chunk, params.seed, run)
        del counts, meaning
        cells = layout.cells
        np.divide(cells.weights, cells.weights.mean(dtype=np.float64), out=cells.weights)
        dim, biased = params.dim, params.biases
        steps = plain_steps(params.learning_rate, biased)
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
            biases = None
            if biased:
                biases = (words.biases[:, 0], contexts.biases[:, 0])
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
        for sample in (0.0, 0.1):
            effective_counts(corpus, corpus.vocabulary(), 2, sample=sample, threads=1)
        warm_cells()


def _weight_and_target(counts: Counts, params: PMIMFParams) -> Meaning:
    """Weight and target, PMI_α − log k, of cells: both follow from the count and its row's and
    column's sum.
    """
    row_sums = counts.row_sums
    smoothed = counts.column_sums**params.context_smoothing
    probabilities = smoothed / smoothed.sum()

    def meaning(rows: Ids, columns: Ids, values: Floats) -> tuple[Floats, Floats]:
        noise = params.shift * row_sums[rows] * probabilities[columns]
        if params.weighting == "count":
            weights = values
        elif params.weighting == "glove":
            weights = glove_weight(values, params.x_max, params.alpha)
        elif params.weighting == "constant":
            weights = np.ones_like(values)
        else:
            weights = values * noise / (values + noise)
        return weights, np.log(values) - np.log(noise)

    return meaning
