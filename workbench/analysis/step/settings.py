"""Settings of step-by-step training: algorithm, parameters, initial vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from workbench.analysis.step.step import CONTEXTS, NODES
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.models.base import ModelParams
from workbench.models.count.glove import GloVeParams
from workbench.models.predict.cbow import CBOWParams
from workbench.models.predict.cbow_base import WindowParams
from workbench.models.predict.cbow_hs import CBOWHSParams
from workbench.models.predict.sgns import SGNSParams
from workbench.models.predict.skipgram_hs import SkipGramHSParams
from workbench.vectors.embeddings import Embeddings

# The algorithm that goes over cells instead of windows.
GLOVE = "glove"


class SteppableAlgorithm(NamedTuple):
    """An algorithm that can be slowed down: its name, its parameters, and the table that its words
    meet.
    """

    title: str
    params: type[ModelParams]
    second: str


KINDS: dict[str, SteppableAlgorithm] = {
    "sgns": SteppableAlgorithm(tr("Skip-gram, negative sampling"), SGNSParams, CONTEXTS),
    "skipgram-hs": SteppableAlgorithm(
        tr("Skip-gram, hierarchical softmax"), SkipGramHSParams, NODES
    ),
    "cbow": SteppableAlgorithm(tr("CBOW, negative sampling"), CBOWParams, CONTEXTS),
    "cbow-hs": SteppableAlgorithm(tr("CBOW, hierarchical softmax"), CBOWHSParams, NODES),
    GLOVE: SteppableAlgorithm("GloVe", GloVeParams, GLOVE),
}


@dataclass(frozen=True)
class StepSettings:
    """Training step by step. ``params`` None: the algorithm's defaults, or those of the vectors it
    starts from.

    rate : η, 0 for the one that ``params`` begin with
    """

    algorithm: str
    params: ModelParams | None = None
    rate: float = 0.0
    seed: int = 1

    def params_in_force(self, embeddings: Embeddings | None) -> ModelParams:
        """The parameters in force. Raises UserError for ones that are not the algorithm's."""
        if self.params is not None:
            return self.params
        kind = KINDS[self.algorithm].params
        given = None
        if embeddings is not None:
            given = embeddings.metadata.get("parameters")
        if isinstance(given, Mapping):
            return kind.from_mapping(given)
        return kind()


def steps_of(embeddings: Embeddings | None) -> str:
    """The algorithm whose steps go on from these vectors, or "": they were made in another way."""
    algorithm = ""
    if embeddings is not None:
        algorithm = str(embeddings.metadata.get("algorithm", ""))
    if algorithm in KINDS:
        return algorithm
    return ""


def fresh_params(algorithm: str, corpus: Corpus, embeddings: Embeddings | None) -> ModelParams:
    """For fresh vectors: the parameters of a run of the algorithm, or its defaults; where no word
    of the corpus is seen often enough, every word takes part.
    """
    params = StepSettings(algorithm).params_in_force(
        embeddings if steps_of(embeddings) == algorithm else None
    )
    if len(corpus.counts) and int(corpus.counts[0]) < params.min_count:
        return params.replace(min_count=1)
    return params


def joint_weights(params: ModelParams, words: int) -> tuple[float, float]:
    """The weight of each of so many words in the hidden vector, and how much of its gradient each
    receives.
    """
    if not isinstance(params, WindowParams):
        return 1.0, 1.0
    scale = 1.0
    if params.hidden == "mean":
        scale = 1.0 / words
    return scale, scale if params.gradient == "corrected" else 1.0
