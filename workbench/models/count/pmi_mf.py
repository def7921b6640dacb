"""Weighted factorisation of the PMI matrix over the observed pairs.

    J = Σ_{#(w,c) > 0} f(#(w, c)) (w·c + b_w + b_c − (PMI_α(w, c) − log k))²

SGNS implicitly factorises PMI − log k, most accurately for frequent pairs (Levy & Goldberg 2014,
sections 3 and 5); to second order it is this objective with the weight AB/(A + B), where A =
#(w, c) and B = k·#(w)·P_α(c). Weights are scaled to a mean of 1, so that the loss is Σ ½ f Δ² / Σ
f. Minimised by AdaGrad, one cell at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import Counts
from workbench.counts.expected_counts import effective_counts
from workbench.models.base import Estimate, LossFloor, Preset, RowObjective, TheoryTarget
from workbench.models.checkpointing import CONTEXTS, WORDS, ResumeState
from workbench.models.count.adagrad import (
    AdaGrad,
    AdaGradModel,
    AdaGradTrainer,
    adagrad_cells,
    plain_steps,
)
from workbench.models.count.cell_layout import CellLayout
from workbench.models.count.cell_trainer import visit_of
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.pmi_base import warm_counting
from workbench.models.count.pmi_start import start_factors
from workbench.models.params import FactorParams, SharedParams, glove_weight
from workbench.models.randomised_svd import Factors


@dataclass(frozen=True)
class PMIMFParams(FactorParams):
    """Hyperparameters of the weighted factorisation of PMI."""

    weighting: str = param(
        "AB/(A+B)",
        "Weight f of a pair. count: its count; glove: min(1, (x/x_max)^α); constant: the "
        "same for all; AB/(A + B): the second-order approximation of SGNS. Scaled to a "
        "mean of 1.",
        label="Weighting",
        choices=("count", "glove", "constant", "AB/(A+B)"),
        source="the expansion of the objective of Levy & Goldberg 2014, section 3.1, around its "
        "optimum",
        basic=True,
    )
    shift: float = redeclare(
        SharedParams,
        "shift",
        doc="Shift k: log k is subtracted from the PMI, as k negative samples do in SGNS.",
        low=0.001,
        grows="all scores decrease by log k",
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
        "Bias terms for every word and every context, added to the dot product as in GloVe.",
        label="Biases",
        source="Levy & Goldberg 2014: products alone",
        basic=True,
    )
    x_max: float = redeclare(
        SharedParams,
        "x_max",
        doc="Count from which a cell has the full weight 1, with weighting glove.",
        basic=False,
    )
    alpha: float = redeclare(
        SharedParams,
        "alpha",
        doc="Exponent α of the weight of rarer cells, with weighting glove.",
        symbol="",
        basic=False,
    )
    sample: float = redeclare(SharedParams, "sample")
    sample_formula: str = redeclare(SharedParams, "sample_formula")
    epochs: int = redeclare(FactorParams, "epochs", 25, "GloVe’s C code: -iter 25")
    learning_rate: float = redeclare(
        FactorParams, "learning_rate", 0.05, "as GloVe’s C code: -eta 0.05"
    )


class PMIMF(AdaGradModel):
    key = "pmi-mf"
    title = tr("Weighted factorisation of PMI")
    short = "PMI-MF"
    summary = tr(
        "Fits dot products of vectors to the PMI of observed pairs, each with its own weight."
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
    loss_floor = LossFloor("zero")
    row_objective = RowObjective("pmi")
    presets = (
        Preset(
            "SGNS to second order",
            {"weighting": "AB/(A+B)", "shift": 5.0, "context_smoothing": 0.75, "sample": 1e-3},
            tr(
                "word2vec.c’s defaults in the expansion of SGNS: five negative samples, "
                "noise exponent 3/4, sample 1e-3"
            ),
            tr("SGNS to second order"),
        ),
        Preset(
            "GloVe’s weights and biases",
            {
                "weighting": "glove",
                "biases": True,
                "window_weighting": "harmonic",
                "window": 15,
                "x_max": 100.0,
                "result": "w+c",
            },
            tr("GloVe’s C code, with PMI instead of log X: biases make the two objectives equal"),
            tr("GloVe’s weights and biases"),
        ),
        Preset(
            "classroom",
            {"dim": 100, "weighting": "count", "biases": True, "epochs": 50, "result": "w+c"},
            tr("Chosen for Small World: takes seconds, and analogies work"),
            tr("classroom"),
        ),
    )
    params: PMIMFParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        thinned = params.sample > 0
        return self.cell_estimate(CellCost(corpus, vocabulary, params.window, thinned=thinned))

    def count(self, corpus: Corpus, vocabulary: Vocabulary, run: JobControl) -> sp.csr_matrix:
        return effective_counts(corpus, vocabulary, self.params, run, threads=self.params.threads)

    @classmethod
    def warm(cls) -> None:
        warm_counting()
        super().warm()

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> PMIMFTrainer:
        return PMIMFTrainer(vocabulary, self.params, start)


class PMIMFTrainer(AdaGradTrainer):
    params: PMIMFParams

    @property
    def steps(self) -> AdaGrad:
        return plain_steps(self.params.learning_rate, self.params.biases)

    def factorise(self, counts: Counts, run: JobControl) -> Factors:
        params = self.params
        rank = params.dim - int(self._in_vectors)
        return start_factors(counts, rank, params, run, 1.0, params.context_smoothing)

    def set_start(self, factors: Factors, held: bool, run: JobControl) -> None:
        """A product is PMI_α, cut at 0, and −log k is added: to the biases, or else in the last
        dimension. AdaGrad’s sums start where a pass without steps would bring them; from 0, its
        first steps would undo the start.
        """
        super().set_start(factors, held, run)
        shift = np.log(self.params.shift)
        if self._in_vectors:
            self.tables[WORDS][:, -1] = -np.sign(shift) * np.sqrt(abs(shift))
            self.tables[CONTEXTS][:, -1] = np.sqrt(abs(shift))
        elif self.params.biases:
            for side in (self._words, self._contexts):
                side.biases[:, 0] = -shift / 2
        cells, still = self.layout.cells, self.steps._replace(outer=0.0)
        for chunk in range(len(cells.chunks) - 1):
            run.check()
            visit = visit_of(np.array([chunk]))
            adagrad_cells(cells, visit, self._words, self._contexts, still)

    @property
    def _in_vectors(self) -> bool:
        return self.params.shift != 1 and not self.params.biases

    def measure(self, counts: Counts) -> None:
        self._row_sums = counts.row_sums
        smoothed = counts.column_sums**self.params.context_smoothing
        self._probabilities = smoothed / smoothed.sum()

    def lay_out(self, counts: Counts, run: JobControl) -> CellLayout:
        layout = super().lay_out(counts, run)
        weights = layout.cells.weights
        np.divide(weights, weights.mean(dtype=np.float64), out=weights)
        return layout

    def weight_and_target(
        self, rows: Ids, columns: Ids, values: Doubles
    ) -> tuple[Doubles, Doubles]:
        """The target is PMI_α − log k."""
        params = self.params
        noise = params.shift * self._row_sums[rows] * self._probabilities[columns]
        if params.weighting == "count":
            weights = values
        elif params.weighting == "glove":
            weights = glove_weight(values, params.x_max, params.alpha)
        elif params.weighting == "constant":
            weights = np.ones_like(values)
        else:
            weights = values * noise / (values + noise)
        return weights, np.log(values) - np.log(noise)
