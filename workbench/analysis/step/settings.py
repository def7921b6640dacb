"""Settings of step-by-step training: algorithm, parameters, initial vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from workbench.analysis.step.step import CONTEXTS, NODES
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, architecture_of
from workbench.models.params import ModelParams
from workbench.models.predict.cbow_base import WindowParams
from workbench.vectors.embeddings import Embeddings

# The algorithm that iterates over cells instead of windows.
GLOVE = "glove"


# The second table, which word vectors are multiplied with, by the output of the architecture.
_SECOND = {"ns": CONTEXTS, "hs": NODES, "": GLOVE}


class SteppableAlgorithm(NamedTuple):
    """An algorithm whose updates can be made one at a time: its title, its parameters, and its
    second table.
    """

    title: str
    params: type[ModelParams]
    second: str


def steppable_algorithms() -> dict[str, SteppableAlgorithm]:
    """Algorithms that declare a title for their steps, by key."""
    return {
        kind.key: SteppableAlgorithm(
            kind.architecture.steps, kind.params_type, _SECOND[kind.architecture.output]
        )
        for kind in MODELS
        if kind.architecture is not None and kind.architecture.steps
    }


@dataclass(frozen=True)
class StepSettings:
    """Settings of step-by-step training. ``params`` None: the algorithm's defaults, or those of the
    initial vectors.

    rate : η, 0 for the initial rate of ``params``
    """

    algorithm: str
    params: ModelParams | None = None
    rate: float = 0.0
    seed: int = 1

    def params_in_force(self, embeddings: Embeddings | None) -> ModelParams:
        """The effective parameters. Raises UserError if they belong to another algorithm."""
        if self.params is not None:
            return self.params
        kind = MODELS[self.algorithm].params_type
        given = None if embeddings is None else embeddings.metadata.get("parameters")
        if isinstance(given, Mapping):
            return kind.from_mapping(given)
        return kind()


def steps_of(embeddings: Embeddings | None) -> str:
    """Algorithm whose steps can continue these vectors, or "" if there is none."""
    algorithm = str(embeddings.metadata.get("algorithm", "")) if embeddings is not None else ""
    architecture = architecture_of(algorithm)
    if architecture is not None and architecture.steps:
        return algorithm
    return ""


def fresh_params(algorithm: str, corpus: Corpus, embeddings: Embeddings | None) -> ModelParams:
    """Parameters for fresh vectors: those of a run of the algorithm, or its defaults; if no word of
    the corpus is frequent enough, all words are included.
    """
    params = StepSettings(algorithm).params_in_force(
        embeddings if steps_of(embeddings) == algorithm else None
    )
    if len(corpus.counts) and int(corpus.counts[0]) < params.min_count:
        return params.replace(min_count=1)
    return params


def joint_weights(params: ModelParams, words: int) -> tuple[float, float]:
    """The weight of each of ``words`` words in the hidden vector, and the share of its gradient
    that each receives.
    """
    if not isinstance(params, WindowParams):
        return 1.0, 1.0
    scale = 1.0 / words if params.hidden == "mean" else 1.0
    return scale, scale if params.gradient == "corrected" else 1.0
