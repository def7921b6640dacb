"""Parameters of the input window, shared by algorithms that predict a word from the words around
it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.core.arrays import Singles
from workbench.core.language import tr
from workbench.core.param_labels import param_name
from workbench.core.params import param, redeclare
from workbench.models.base import LossFloor, RowObjective
from workbench.models.kernels.gemm import aligned_rows
from workbench.models.predict.stream_trainer import StreamParams

SKIPGRAM_TARGET = tr(
    "CBOW predicts from the mean of a window, so a pair has no target of its own. "
    "Skip-gram’s target is shown instead."
)

WINDOW_FLOOR = LossFloor(
    missing=tr(
        "CBOW predicts from a whole window, and almost every window occurs only once, so counts "
        "of pairs give no floor."
    )
)

WINDOW_ROWS = RowObjective(
    missing=tr(
        "CBOW predicts from the mean of a window, so a word’s vector depends on the other words of "
        "each window, not only on counts of pairs."
    )
)


@dataclass(frozen=True)
class WindowParams(StreamParams):
    """Hyperparameters of every algorithm that predicts a word from its window (CBOW)."""

    hidden: str = param(
        "mean",
        "Combination of the context vectors of a window: mean or sum.",
        label="Hidden vector",
        choices=("mean", "sum"),
        source="word2vec.c, gensim cbow_mean=1: mean",
    )
    gradient: str = param(
        "word2vec",
        "Gradient that each context vector receives. word2vec: the full gradient, as in "
        "word2vec.c, gensim and fastText; corrected: 1/m of it, which needs a higher "
        "learning rate.",
        label="Gradient",
        choices=("word2vec", "corrected"),
        source="word2vec.c; corrected: İrsoy, Benton & Stratos 2021",
    )
    learning_rate: float = redeclare(
        StreamParams, "learning_rate", 0.05, "word2vec.c -cbow 1: -alpha 0.05"
    )

    def conflicts(self) -> dict[str, str]:
        if self.hidden == "sum" and self.gradient == "corrected":
            return {
                "gradient": tr(
                    "{name} can be corrected only for a mean: the gradient of a sum needs "
                    "no correction.",
                    name=param_name("gradient"),
                )
            }
        return {}


def window_scales(params: WindowParams) -> Singles:
    """float32[2L + 1, padded]; for a window of m words, [m, 0] is the share of the hidden vector's
    gradient that each word receives, [m, 1] the weight of each word in the hidden vector.
    """
    words = np.arange(2 * params.window + 1)
    share = 1.0 / np.maximum(words, 1)
    scales = aligned_rows(len(words), 2)
    if params.hidden == "mean":
        scales[:, 1] = share
    else:
        scales[:, 1] = 1.0
    scales[:, 0] = scales[:, 1] if params.gradient == "corrected" else 1.0
    return scales
