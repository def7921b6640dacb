"""Hyperparameters that several algorithms have: the selection of the vocabulary, post-processing of
trained vectors, and declarations that algorithms adapt by ``redeclare``.

``session.training`` applies the post-processing when a training ends; earlier snapshots show the
raw trained vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np

from workbench.core.arrays import Doubles
from workbench.core.language import tr
from workbench.core.param_labels import param_name, quoted_param
from workbench.core.params import Params, param, redeclare
from workbench.counts.context_kinds import CONTEXT_KINDS, WORDS
from workbench.counts.params import CountWindowParams, VocabularyParams
from workbench.vectors.postprocessing import OFF, RESULTS, Postprocessing


@dataclass(frozen=True)
class ModelParams(VocabularyParams):
    """Hyperparameters of every algorithm: the selection of the vocabulary."""


@dataclass(frozen=True)
class _Result(ModelParams):
    """Hyperparameter of the result; a separate base class, so that it is declared before the
    post-processing.
    """

    result: str = param(
        "w",
        "Vectors to keep: the word vectors, the sum of word and context vectors, or both "
        "concatenated.",
        label="Result",
        choices=RESULTS,
        source="word2vec.c, gensim and fastText: w; Levy, Goldberg & Dagan 2015 find w+c worth "
        "trying",
    )


@dataclass(frozen=True)
class VectorParams(ModelParams):
    """Hyperparameters of the post-processing of every dense algorithm."""

    all_but_the_top: int = param(
        OFF,
        "Number D of leading principal components to remove after subtracting the mean "
        "vector; they encode frequency more than meaning. 0 = subtract only the mean; −1 = "
        "off.",
        label="All but the top",
        symbol="D",
        low=OFF,
        high=200,
        unit="directions",
        grows="less frequency information; too high a value removes meaning as well",
        source="−1: as trained; Mu & Viswanath 2018 recommend one component per hundred dimensions",
    )
    normalise: bool = param(
        False,
        "Scaling of every vector to unit length (L2) after training. Cosines don’t change; "
        "norms, which correlate with frequency, are lost.",
        label="Normalise",
        source="word2vec.c and GloVe write vectors as trained",
    )

    def conflicts(self) -> dict[str, str]:
        dim = getattr(self, "dim", None)
        if isinstance(dim, int) and self.all_but_the_top >= dim:
            wrong = tr(
                "{name} must be below {other} ({dim:,}), not {all_but_the_top:,}.",
                name=param_name("all_but_the_top"),
                other=quoted_param("dim"),
                dim=dim,
                all_but_the_top=self.all_but_the_top,
            )
            return {"all_but_the_top": wrong, **super().conflicts()}
        return super().conflicts()

    def choice(self) -> Postprocessing:
        """The post-processing of the vectors that ``fit`` returns."""
        return Postprocessing("w", self.normalise, self.all_but_the_top)


@dataclass(frozen=True)
class ResultParams(VectorParams, _Result):
    """Hyperparameters of the post-processing of algorithms with context vectors of words."""

    def choice(self) -> Postprocessing:
        return Postprocessing(self.result, self.normalise, self.all_but_the_top)


@dataclass(frozen=True)
class SharedParams(Params):
    """Hyperparameters with names, symbols and bounds that all algorithms share."""

    dim: int = param(
        100,
        "Number of dimensions of each vector.",
        label="Dimensions",
        symbol="d",
        low=1,
        high=2000,
        grows="finer distinctions, more memory, slower; no better beyond what the corpus supports",
        source="word2vec.c -size 100",
        basic=True,
    )
    window: int = redeclare(
        CountWindowParams,
        "window",
        doc="Number of words on each side of a word that count as its contexts.",
        high=100,
        unit="words",
        grows="more topical, less syntactic similarity; more cells",
    )
    window_weighting: str = redeclare(
        CountWindowParams,
        "window_weighting",
        source="word2vec.c: dynamic, in expectation",
        doc=(
            "Weight of a pair at distance δ. dynamic: (L − δ + 1)/L; fixed: 1; harmonic: 1/δ; "
            "linear: L − δ + 1."
        ),
        basic=False,
    )
    sample: float = param(
        0.0,
        "Subsampling threshold t. Counts are those expected when words well above this "
        "relative frequency (above 2.62 t with word2vec’s formula) are randomly dropped. 0 "
        "= no subsampling.",
        label="Subsampling",
        symbol="t",
        low=0.0,
        high=1.0,
        grows="more occurrences of frequent words are kept",
        source="hyperwords: off",
    )
    sample_formula: str = param(
        "word2vec",
        "Subsampling formula. word2vec: (sqrt(f/t) + 1)·t/f, as in the C code; paper: "
        "sqrt(t/f), as in Mikolov et al. 2013b.",
        label="Subsampling rule",
        choices=("word2vec", "paper"),
        source="word2vec.c; Mikolov et al. 2013b, section 2.3",
    )
    epochs: int = param(
        5,
        "Number of times the whole corpus is read.",
        label="Epochs",
        low=1,
        high=10_000,
        grows="better fit, proportionally longer",
        source="word2vec.c -iter 5",
        basic=True,
    )
    learning_rate: float = param(
        0.025,
        "Initial learning rate; decays linearly to a ten-thousandth.",
        label="Learning rate",
        symbol="η",
        low=0.0,
        high=10.0,
        grows="faster learning, until it diverges",
        source="word2vec.c -alpha 0.025",
    )
    negative: int = param(
        5,
        "Negative samples drawn for each observed pair.",
        label="Negative samples",
        symbol="k",
        low=1,
        high=64,
        grows="the factorised matrix shifts down by log k; slower",
        source="word2vec.c -negative 5",
        basic=True,
    )
    ns_exponent: float = param(
        0.75,
        "Exponent α of the noise distribution: negative samples are drawn in proportion to "
        "count^α.",
        label="Noise exponent",
        symbol="α",
        low=-2.0,
        high=2.0,
        grows="frequent words are drawn more often as negative samples",
        source="Mikolov et al. 2013b, section 2.2: 3/4",
    )
    shift: float = param(
        1.0,
        "Shift k: log k is subtracted from the PMI before negative values are set to 0. "
        "Corresponds to k negative samples in SGNS.",
        label="Shift",
        symbol="k",
        low=1.0,
        high=1000.0,
        grows="fewer cells above 0, only strong associations",
        source="hyperwords: neg 1",
        basic=True,
    )
    context_smoothing: float = param(
        0.75,
        "Exponent of context distribution smoothing: context counts are raised to this "
        "power before probabilities are computed. 1 = no smoothing.",
        label="Context smoothing",
        symbol="α",
        low=0.0,
        high=1.0,
        grows="rare contexts weigh more",
        source="Levy, Goldberg & Dagan 2015: always smooth, with 0.75",
        basic=True,
    )
    x_max: float = param(
        100.0,
        "Count from which a cell has the full weight 1.",
        label="Weight cutoff",
        low=0.0,
        low_open=True,
        high=1e9,
        grows="frequent pairs weigh more against rare ones",
        source="Pennington et al. 2014, section 3: 100",
        basic=True,
    )
    alpha: float = param(
        0.75,
        "Exponent α of the weight of rarer cells: (x/x_max)^α.",
        label="Weight exponent",
        symbol="α",
        low=0.0,
        high=2.0,
        grows="rare cells weigh less",
        source="Pennington et al. 2014, section 3: 3/4",
        basic=True,
    )
    l2: float = param(
        0.02,
        "L2 penalty on the squared norms of both vectors at each step.",
        label="L2",
        symbol="λ",
        low=0.0,
        high=100.0,
        grows="smaller norms, less overfitting",
        source="Koren, Bell & Volinsky 2009: depends on the data; 0.02 is common for recommenders",
        basic=True,
    )
    start: str = param(
        "random",
        "Source of the initial vectors. random: small random numbers, as in the original "
        "programs; counts: a factorisation of the counts, close to where training ends, after "
        "which one epoch can do the work of several. No effect when you continue a training.",
        label="Initial vectors",
        choices=("random", "counts"),
        source="random: word2vec.c; counts: Levy & Goldberg 2014, who derive the matrix",
        basic=True,
    )
    init_scale: float = param(
        1.0,
        "Factor applied to random initial vectors. Well below 1, the modes of W·Cᵀ appear one "
        "after another, the strongest first (Theory ▸ Modes). No effect when you continue a "
        "training.",
        label="Initial scale",
        symbol="ε",
        low=0.0,
        low_open=True,
        high=100.0,
        grows="the vectors start farther from zero, and random directions stay visible longer",
        source="1: as in the original programs; Karkada et al. 2025 analyse small initial vectors",
    )
    threads: int = param(
        0,
        "Number of training threads. 0 = one per core, at most 8. Only one thread gives "
        "the same vectors for the same seed.",
        label="Threads",
        low=0,
        high=64,
        source="0: every core",
    )
    seed: int = param(
        1,
        "Seed of the random number generator.",
        label="Random seed",
        low=0,
        high=2**31 - 1,
        source="as for the other algorithms",
    )


@dataclass(frozen=True)
class ContextParams(ModelParams):
    """Hyperparameter of the contexts in a text."""

    contexts: str = param(
        "words",
        "Contexts of a word. words: the words around it; side: the same word before and after it "
        "is two contexts, such as dog_- and dog_+; position: one context for each distance, such "
        "as dog_-2.",
        label="Contexts",
        choices=CONTEXT_KINDS,
        source="word2vec.c, GloVe and hyperwords: words; Levy & Goldberg 2014 (CoNLL): position",
    )

    def conflicts(self) -> dict[str, str]:
        if self.contexts != WORDS:
            # Expected counts under subsampling don't distinguish sides, and a word has no context
            # vector to add or to start from.
            needed = {"sample": 0.0, "symmetric": True, "result": "w", "start": "random"}
            for name, value in needed.items():
                if getattr(self, name, value) != value:
                    wrong = tr(
                        "{name} must be {value} unless {contexts} is {words}.",
                        name=param_name(name),
                        value=str(value).lower() if isinstance(value, bool) else value,
                        contexts=quoted_param("contexts"),
                        words=WORDS,
                    )
                    return {name: wrong, **super().conflicts()}
        return super().conflicts()


@dataclass(frozen=True)
class FactorParams(ResultParams):
    """Hyperparameters of every factorisation of co-occurrence counts that trains in epochs."""

    dim: int = redeclare(
        SharedParams,
        "dim",
        source="word2vec.c -size 100, for comparable vectors",
        doc=(
            "Number of dimensions of each vector: the rank of the product that approximates "
            "the matrix."
        ),
        grows=(
            "closer approximation of the matrix, including its sampling error; more memory, slower"
        ),
    )
    window: int = redeclare(
        SharedParams, "window", source="word2vec.c -window 5, for comparable vectors"
    )
    window_weighting: str = redeclare(SharedParams, "window_weighting")
    epochs: int = redeclare(
        SharedParams,
        "epochs",
        15,
        "GloVe’s demo: -iter 15",
        doc="Number of times every cell is visited.",
        high=1_000_000,
    )
    learning_rate: float = redeclare(
        SharedParams,
        "learning_rate",
        0.05,
        "GloVe’s C code: -eta 0.05",
        doc="Initial step size of AdaGrad.",
        high=100.0,
    )
    start: str = redeclare(SharedParams, "start", source="random: GloVe’s and Swivel’s code")
    result: str = redeclare(ResultParams, "result", "w", "hyperwords: w")
    init_scale: float = redeclare(SharedParams, "init_scale")
    threads: int = redeclare(SharedParams, "threads")
    seed: int = redeclare(SharedParams, "seed")


@overload
def glove_weight(counts: float, x_max: float, alpha: float) -> float: ...


@overload
def glove_weight(counts: Doubles, x_max: float, alpha: float) -> Doubles: ...


def glove_weight(counts: float | Doubles, x_max: float, alpha: float) -> float | Doubles:
    """f(x) = min(1, (x/x_max)^α), GloVe's weight of a cell (Pennington et al. 2014, eq. 9)."""
    weight: float | Doubles = np.minimum(1.0, (counts / x_max) ** alpha)
    return weight
