"""GloVe, global vectors (Pennington, Socher & Manning 2014).

    J = Σ_{X_ij > 0} f(X_ij) (w_i·c_j + b_i + b_j − log X_ij)²   (eq. 8)
    f(x) = min(1, (x/x_max)^α)   (eq. 9)

The reported loss is the mean of ½ f Δ² per cell, as in GloVe's program. The steps are those of the
program (version 1.2): AdaGrad with sums that start at 1; gradients of vectors are clipped at ±100
and multiplied by the learning rate, those of biases are not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.core.params import redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import Counts, Held
from workbench.counts.context_kinds import WORDS, context_counts
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.params import CountWindowParams
from workbench.models.base import (
    Architecture,
    Estimate,
    LossFloor,
    Preset,
    RowObjective,
    TheoryTarget,
)
from workbench.models.checkpointing import ResumeState
from workbench.models.count.adagrad import AdaGrad, AdaGradModel, AdaGradTrainer, glove_steps
from workbench.models.count.cell_layout import CellLayout
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.glove_start import fit_biases, warm_biases
from workbench.models.params import ContextParams, FactorParams, SharedParams, glove_weight
from workbench.models.randomised_svd import Factors

# Learning rate times visits of a word, below which vectors were observed to stay on one line, and
# above which they had separated. With x_max 10, window 10 and 15 epochs at 0.01, two frequent words
# of a novel of 196,000 tokens (38) have a mean cosine of 0.94, and two of Small World (164) one of
# 0.18. At 0.05, two of the novel (189) have 0.19. Fewer than 50 words get no forecast.
_CROWDED, _PARTED, _FEW_WORDS = 45.0, 130.0, 50
_LARGEST_RATE = 0.2


@dataclass(frozen=True)
class GloVeParams(FactorParams, ContextParams):
    """Hyperparameters of GloVe."""

    dim: int = redeclare(
        FactorParams, "dim", 100, "as for the other algorithms; GloVe’s C code: -vector-size 50"
    )
    window: int = redeclare(FactorParams, "window", 15, "GloVe’s C code: -window-size 15")
    window_weighting: str = redeclare(
        FactorParams, "window_weighting", "harmonic", "Pennington et al. 2014, section 4.2: 1/δ"
    )
    symmetric: bool = redeclare(
        CountWindowParams,
        "symmetric",
        source="GloVe’s C code: -symmetric 1",
        doc=(
            "Contexts on both sides of a word. Off = only the words before it, so that w and c "
            "distinguish direction."
        ),
        basic=False,
    )
    x_max: float = redeclare(SharedParams, "x_max")
    alpha: float = redeclare(SharedParams, "alpha")
    epochs: int = redeclare(FactorParams, "epochs", 25, "GloVe’s C code: -iter 25")
    learning_rate: float = redeclare(
        FactorParams,
        "learning_rate",
        0.05,
        "GloVe’s C code: -eta 0.05",
        doc=(
            "Initial step size of AdaGrad for vectors. Biases don’t use it: 0 still trains the "
            "biases."
        ),
    )
    result: str = redeclare(
        FactorParams, "result", "w+c", "Pennington et al. 2014, section 4.2: W + C"
    )


class GloVe(AdaGradModel):
    key = "glove"
    title = "GloVe"
    short = "GloVe"
    summary = tr(
        "Fits dot products of vectors, plus a bias for each word, to the logarithms of "
        "co-occurrence counts."
    )
    citation = (
        "Pennington, Socher & Manning 2014, GloVe: Global Vectors for Word Representation (EMNLP)"
    )
    loss_label = tr("weighted squared error ½ f Δ² per cell")
    rate_falls = False
    order = 40
    own_contexts = True
    params_type = GloVeParams
    theory_target = TheoryTarget("logx", "biased", "glove")
    loss_floor = LossFloor("zero")
    row_objective = RowObjective("log counts")
    in_forecast = True
    architecture = Architecture("glove", steps="GloVe")
    presets = (
        Preset(
            "GloVe demo",
            {"dim": 50, "window": 15, "x_max": 10.0, "epochs": 15, "min_count": 5},
            tr("demo.sh of GloVe’s C code, for corpora of the size of text8"),
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
                "Chosen for Small World: takes seconds; on so small a vocabulary, more "
                "steps only fit sampling error"
            ),
            tr("classroom"),
        ),
    )
    params: GloVeParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        cost = CellCost(corpus, vocabulary, params.window, params.symmetric, kind=params.contexts)
        estimate = self.cell_estimate(cost)
        warnings = (estimate.warning, _crowding_forecast(params, cost))
        return replace(estimate, warning=" ".join(filter(None, warnings)))

    def count(
        self, corpus: Corpus, vocabulary: Vocabulary, run: JobControl
    ) -> sp.csr_matrix | Held:
        params = self.params
        if params.contexts != WORDS:
            return context_counts(
                corpus,
                vocabulary,
                params.contexts,
                params.window,
                params.window_weighting,
                params.threads,
                run,
            )
        return cooccurrence(
            corpus,
            vocabulary,
            params.window,
            params.window_weighting,
            params.symmetric,
            params.threads,
            run,
        )

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> GloVeTrainer:
        return GloVeTrainer(vocabulary, self.params, start)


def _crowding_forecast(params: GloVeParams, cost: CellCost) -> str:
    """Advice if steps are too few or too small for the vectors to separate, else ""."""
    words, rate = len(cost.vocabulary), params.learning_rate
    visits = params.epochs * cost.cells / words
    if words < _FEW_WORDS or params.dim < 3 or not 0 < rate * visits < _CROWDED:
        return ""
    name, value = "learning_rate", _PARTED / visits
    if value > _LARGEST_RATE:
        name, value = "epochs", params.epochs * _PARTED / (rate * visits)
    digit = 10.0 ** math.floor(math.log10(value))
    sentence = tr("With so little text, these settings leave nearly all cosines close to 1.")
    remedy = tr(
        "Set {name} to {value:g}.", name=quoted_param(name), value=math.ceil(value / digit) * digit
    )
    if 15 * 0.05 * cost.cells / words >= _PARTED:
        remedy = tr(
            "Use the preset “GloVe demo”, or set {name} to {value:g}.",
            name=quoted_param(name),
            value=math.ceil(value / digit) * digit,
        )
    return f"{sentence} {remedy}"


class GloVeTrainer(AdaGradTrainer):
    params: GloVeParams

    @property
    def steps(self) -> AdaGrad:
        return glove_steps(self.params.learning_rate)

    def lay_out(self, counts: Counts, run: JobControl) -> CellLayout:
        layout = super().lay_out(counts, run)
        if self.params.symmetric:
            return layout
        # Rows are words and columns the words before them, as in GloVe's program.
        return layout.transpose()

    def factorise(self, counts: Counts, run: JobControl) -> Factors:
        rows, columns = super().factorise(counts, run)
        return Factors(rows, columns) if self.params.symmetric else Factors(columns, rows)

    def set_start(self, factors: Factors, held: bool, run: JobControl) -> None:
        super().set_start(factors, held, run)
        warm_biases()
        sides, params = (self._words, self._contexts), self.params
        tables = sides[0].table, sides[1].table
        fitted = fit_biases(self.layout.cells, tables, params.dim, held, params.threads, run)
        for side, (biases, squares) in zip(sides, fitted, strict=True):
            side.biases[:, 0] = biases
            side.biases[:, 1] += squares

    def weight_and_target(
        self, rows: Ids, columns: Ids, values: Doubles
    ) -> tuple[Doubles, Doubles]:
        return glove_weight(values, self.params.x_max, self.params.alpha), np.log(values)
