"""Parameters and results shared by the factorisations of a table of counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cooccurrence import expected_cells
from workbench.models.postprocessing_params import ResultParams
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

    dim: int = param(
        100,
        "Length of the vectors: the rank of the product that approximates the table.",
        symbol="d",
        low=1,
        high=2000,
        grows="a closer approximation of the table, more of its noise, more memory, slower",
        source="word2vec.c -size 100, so that vectors compare",
        basic=True,
    )
    window: int = param(
        5,
        "How many words on each side of a word count as its contexts.",
        symbol="L",
        low=1,
        high=100,
        unit="words",
        grows="more about topics, less about grammar; more cells",
        source="word2vec.c -window 5, so that vectors compare",
        basic=True,
    )
    window_weighting: str = param(
        "dynamic",
        "What a pair at distance δ counts: dynamic (L − δ + 1)/L, fixed 1, harmonic 1/δ, linear "
        "L − δ + 1.",
        choices=("dynamic", "fixed", "harmonic", "linear"),
        source="word2vec.c: dynamic, in expectation",
    )
    epochs: int = param(
        15,
        "How often every cell is visited.",
        low=1,
        high=1_000_000,
        unit="passes",
        grows="better fit, proportionally longer",
        source="GloVe's demo: -iter 15",
        basic=True,
    )
    learning_rate: float = param(
        0.05,
        "Size of the first steps.",
        symbol="η",
        low=0.0,
        high=100.0,
        grows="faster learning, until it diverges",
        source="GloVe's program: -eta 0.05",
    )
    result: str = redeclare(ResultParams, "result", "w", "hyperwords: w")
    threads: int = param(
        0,
        "How many threads train at once; 0 uses every core, at most 8. One thread with a seed "
        "gives the same "
        "vectors every time, several do not.",
        low=0,
        high=64,
        source="0: every core",
    )
    seed: int = param(
        1,
        "Start of the random numbers.",
        low=0,
        high=2**31 - 1,
        source="as for the other algorithms",
    )


def sample_param() -> float:
    """Declares ``sample`` for algorithms that take expected counts: off by default."""
    declared: float = param(
        0.0,
        "Subsampling threshold: count as if words well above this share of the corpus (with "
        "word2vec’s formula, above "
        "2.62 t) were dropped at random (in expectation); 0 keeps every token.",
        symbol="t",
        low=0.0,
        high=1.0,
        grows="more of the frequent words kept",
        source="hyperwords: off",
    )
    return declared


def sample_formula_param() -> str:
    """Declares ``sample_formula``, which goes with ``sample``."""
    declared: str = param(
        "word2vec",
        "Which published form of subsampling: the program's (sqrt(f/t) + 1)·t/f or the paper's "
        "sqrt(t/f).",
        choices=("word2vec", "paper"),
        source="word2vec.c; Mikolov et al. 2013b, section 2.3",
    )
    return declared


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
