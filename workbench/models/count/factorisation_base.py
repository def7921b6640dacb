"""Parameters and results shared by the factorisations of a table of counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.core.params import redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cooccurrence import expected_cells
from workbench.models.postprocessing_params import ResultParams
from workbench.models.shared_params import SharedParams
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing

Rows = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

# Seconds a thread was seen to take while counting: for a pair of tokens, and for a cell.
_PER_PAIR = 4e-9
_PER_CELL = 6e-8


@dataclass(frozen=True)
class FactorParams(ResultParams):
    """Hyperparameters of every factorisation of co-occurrence counts that goes in passes."""

    dim: int = redeclare(
        SharedParams,
        "dim",
        source="word2vec.c -size 100, so that vectors compare",
        doc="Length of the vectors: the rank of the product that approximates the table.",
        grows="a closer approximation of the table, more of its noise, more memory, slower",
    )
    window: int = redeclare(
        SharedParams, "window", source="word2vec.c -window 5, so that vectors compare"
    )
    window_weighting: str = redeclare(SharedParams, "window_weighting")
    epochs: int = redeclare(
        SharedParams,
        "epochs",
        15,
        "GloVe's demo: -iter 15",
        doc="How often every cell is visited.",
        high=1_000_000,
    )
    learning_rate: float = redeclare(
        SharedParams,
        "learning_rate",
        0.05,
        "GloVe's program: -eta 0.05",
        doc="Size of the first steps.",
        high=100.0,
    )
    result: str = redeclare(ResultParams, "result", "w", "hyperwords: w")
    threads: int = redeclare(SharedParams, "threads")
    seed: int = redeclare(SharedParams, "seed")


def counting_seconds(corpus: Corpus, vocabulary: Vocabulary, window: int, thinned: bool) -> float:
    """Expected seconds of counting on one thread; ``thinned`` takes subsampling into account."""
    pairs = 2 * window * vocabulary.tokens * _PER_PAIR * (12 if thinned else 1)
    return pairs + expected_cells(vocabulary, 2 * window) * _PER_CELL


@overload
def glove_weight(counts: float, x_max: float, alpha: float) -> float: ...


@overload
def glove_weight(counts: Floats, x_max: float, alpha: float) -> Floats: ...


def glove_weight(counts: float | Floats, x_max: float, alpha: float) -> float | Floats:
    """f(x) = min(1, (x/x_max)^α), GloVe's weight of a cell (Pennington et al. 2014, eq. 9)."""
    weight: float | Floats = np.minimum(1.0, (counts / x_max) ** alpha)
    return weight


def no_cells() -> UserError:
    """Error for a text in which no two words co-occur."""
    return UserError(
        tr("No two words of the vocabulary stand together, so that there is nothing to factorise."),
        tr(
            "Choose a longer text, a larger window, or a lower {min_count}.",
            min_count=quoted_param("min_count"),
        ),
    )


def compose(
    vocabulary: Vocabulary,
    words: Rows,
    contexts: Rows,
    result: str,
    biases: tuple[Rows, Rows] | None = None,
) -> Embeddings:
    """The embeddings that ``result`` asks for, copied.

    words, contexts : float32[V, d]; biases : of words and contexts, float32[V] each
    """
    trained = Embeddings(
        words=vocabulary.words,
        vectors=np.array(words, dtype=np.float32, order="C"),
        counts=vocabulary.counts,
        contexts=np.array(contexts, dtype=np.float32, order="C"),
        biases=biases[0].copy() if biases else None,
        context_biases=biases[1].copy() if biases else None,
    )
    return apply_postprocessing(trained, Postprocessing(result))
