"""Base classes of algorithms: declaration, parameters and training. Each algorithm has its own
module.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import scipy.sparse as sp

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.core.registry import Registry
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.models.checkpointing import ResumeState
from workbench.models.params import ModelParams
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class Preset:
    """A named choice of values with its source; all other parameters keep their defaults.

    ``name`` identifies it on the command line, in lessons and in settings; ``title`` is shown to
    users, "" if it equals the name, such as that of a program or paper.
    """

    name: str
    values: Mapping[str, Value]
    source: str
    title: str = ""

    @property
    def display_title(self) -> str:
        return self.title or self.name


# Keys of the matrices, scores and weights of ``analysis/theory/targets.py``, a layer above;
# "" declares none.
THEORY_TARGETS = ("xstar", "pmi", "sppmi", "logp", "logx", "")
THEORY_SCORES = ("product", "biased", "softmax", "tree", "")
THEORY_WEIGHTS = ("AB/(A+B)", "glove", "swivel", "count", "constant", "")


def _check_known(what: str, value: str, known: Sequence[str]) -> None:
    """Raise ValueError for an unknown value; the registry stops and names the algorithm's
    module.
    """
    if value not in known:
        raise ValueError(f"unknown {what} “{value}”; known are {', '.join(known)}")


@dataclass(frozen=True)
class TheoryTarget:
    """Matrix that the products of an algorithm's vectors approximate (``analysis/theory``).

    target : key in ``TARGETS``
    score : "product" w·c; "biased" w·c + b_w + b_c; "softmax" and "tree" log Q(c|w)
    weight : key in ``WEIGHTS``, or "" for the value of the parameter ``weighting``
    note : a sentence if the algorithm minimises something else
    missing : reason if there is no such matrix, else ""
    """

    target: str = "xstar"
    score: str = "product"
    weight: str = "AB/(A+B)"
    note: str = ""
    missing: str = ""

    def __post_init__(self) -> None:
        _check_known("target", self.target, THEORY_TARGETS)
        _check_known("score", self.score, THEORY_SCORES)
        _check_known("weight", self.weight, THEORY_WEIGHTS)


UNDECLARED = TheoryTarget("", "", missing=tr("This algorithm doesn’t declare a target."))


# Keys of ``FORMULAS`` in ``analysis/theory/loss_floor.py``; "" declares none.
LOSS_FLOORS = ("negative sampling", "entropy", "cells", "zero", "")


@dataclass(frozen=True)
class LossFloor:
    """Lower bound of an algorithm's loss, for any vectors with any number of dimensions.

    formula : key in ``FORMULAS`` of ``analysis/theory/loss_floor.py``
    missing : reason if there is no floor, else ""
    """

    formula: str = ""
    missing: str = ""

    def __post_init__(self) -> None:
        _check_known("floor", self.formula, LOSS_FLOORS)
        if bool(self.formula) == bool(self.missing):
            raise ValueError("declare a formula of the floor, or why there is none")


FLOOR_UNDECLARED = LossFloor(missing=tr("This algorithm doesn’t declare a floor of its loss."))
NO_LOSS = LossFloor(
    missing=tr("None: the vectors are computed directly, without minimising a loss.")
)


# Keys of ``FORMS`` in ``analysis/rows/build.py``; "" declares none.
ROW_FORMULAS = (
    "negative sampling",
    "hierarchical softmax",
    "softmax",
    "log counts",
    "pmi",
    "drawn cells",
    "swivel",
    "projection",
    "cells",
    "documents",
    "",
)


@dataclass(frozen=True)
class RowObjective:
    """How a word's vector follows from the word's own counts while all other vectors stay as they
    are (``analysis/rows``).

    formula : key in ``FORMS`` of ``analysis/rows/build.py``
    missing : reason if counts of pairs don't determine a word's vector, else ""
    """

    formula: str = ""
    missing: str = ""

    def __post_init__(self) -> None:
        _check_known("row objective", self.formula, ROW_FORMULAS)
        if bool(self.formula) == bool(self.missing):
            raise ValueError("declare the objective of a row, or why there is none")


ROW_UNDECLARED = RowObjective(
    missing=tr("This algorithm doesn’t declare the objective of a single word.")
)


@dataclass(frozen=True)
class Architecture:
    """Published training method that an algorithm follows, so that other programs can repeat it.

    network : "skipgram", "cbow" or "glove"
    output : "ns" for negative sampling, "hs" for hierarchical softmax, "softmax"; "" for GloVe
    subwords : whether word vectors are composed of n-gram vectors
    steps : title in the Step panel, "" if the panel can't repeat its updates
    """

    network: str
    output: str = ""
    subwords: bool = False
    steps: str = ""

    def __post_init__(self) -> None:
        _check_known("network", self.network, ("skipgram", "cbow", "glove"))
        _check_known("output", self.output, ("ns", "hs", "softmax", ""))
        if self.steps and self.output == "softmax":
            raise ValueError("the Step panel repeats updates of “ns”, “hs” and GloVe only")


@dataclass(frozen=True)
class Estimate:
    """Estimated cost of a training. ``seconds`` is None if unknown, ``warning`` a sentence or "".

    most_seconds : the likely maximum on this machine, if known (``session/training/pacing.py``)
    """

    vocabulary: int
    kept_tokens: int
    memory_bytes: int
    seconds: float | None
    warning: str = ""
    most_seconds: float | None = None


class Model(ABC):
    """An algorithm: its declaration, an estimate of its cost, and ``fit``.

    ``short`` is the short name in names of runs ("SGNS"). ``family`` is "predict" or "count".
    ``loss_label`` describes a point of the loss trace (with its unit), "" for algorithms without
    iterations. ``passes`` names the parameter for the length of an iterative training;
    ``rate_falls`` says whether the learning rate falls towards 0 until the end. ``scans_tokens``
    says whether training makes epochs over tokens, so that tokens per second are meaningful;
    ``from_counts`` whether it needs only counts of pairs, so that ``fit`` and ``estimate`` also
    take a ``CountedCorpus``; ``own_contexts`` whether their contexts may have a vocabulary of
    their own; ``refits`` whether it has ``fit_counts``. ``theory_target`` is the
    matrix that the panels Theory and Matrix compare its products with, ``architecture`` the
    published method that exports and the Step panel repeat, ``loss_floor`` the lower bound of its
    loss, ``row_objective`` what a single word's vector minimises.

    With ``start``, the result of an earlier training of the same algorithm on the same words,
    ``fit`` continues that training for the number of passes in ``params``, starting with the
    learning rate in ``params``, which falls again if the algorithm's rate falls.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    short: ClassVar[str]
    family: ClassVar[str]
    summary: ClassVar[str]
    citation: ClassVar[str]
    loss_label: ClassVar[str] = ""
    passes: ClassVar[str] = "epochs"
    rate_falls: ClassVar[bool] = True
    scans_tokens: ClassVar[bool] = False
    # Whether the forecast of costs measures its epochs, as typical of its family.
    in_forecast: ClassVar[bool] = False
    from_counts: ClassVar[bool] = False
    own_contexts: ClassVar[bool] = False
    refits: ClassVar[bool] = False
    theory_target: ClassVar[TheoryTarget] = UNDECLARED
    architecture: ClassVar[Architecture | None] = None
    loss_floor: ClassVar[LossFloor] = FLOOR_UNDECLARED
    row_objective: ClassVar[RowObjective] = ROW_UNDECLARED
    order: ClassVar[int] = 100
    params_type: ClassVar[type[ModelParams]]
    presets: ClassVar[tuple[Preset, ...]] = ()

    def __init__(self, params: ModelParams, start: Embeddings | None = None) -> None:
        if start is not None and not self.loss_label:
            raise ValueError(f"{self.key} can’t continue: it has no iterations")
        self.params = params
        self.start = start

    def begin(self, vocabulary: Vocabulary) -> ResumeState:
        """Initial state of a training: fresh, or the final state of an earlier one. Raises
        UserError.
        """
        return ResumeState(self.start, vocabulary)

    @abstractmethod
    def estimate(self, corpus: Corpus) -> Estimate:
        """The cost of ``fit``; computing it takes milliseconds. Raises UserError for an empty
        vocabulary.
        """

    @abstractmethod
    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        """Train. Enters phases COUNTING, COMPILING and TRAINING in turn, calls ``run.check`` at
        least every 50 ms, records the loss and answers ``run.request_snapshot``.

        Raises UserError (empty vocabulary), Diverged and Cancelled. All published and returned
        numbers are finite; from time to time it publishes "kept", a
        :class:`~workbench.models.checkpointing.Checkpoint`. Words are returned most frequent first;
        ``metadata`` contains the algorithm's own entries (the caller adds the rest).
        """

    def fit_counts(
        self, counts: sp.csr_matrix, vocabulary: Vocabulary, run: JobControl
    ) -> Embeddings:
        """The vectors for given counts #(w, c), CSR float64[V, V] of the words of ``vocabulary``:
        the same as those of ``fit`` for the text with these counts. Fast enough to be repeated.
        Raises UserError and Cancelled.
        """
        raise NotImplementedError(f"{self.key} doesn’t make vectors of given counts")

    @classmethod
    @abstractmethod
    def warm(cls) -> None:
        """Compile the kernels (or load them from the cache) by running them on a few tokens."""


MODELS: Registry[Model] = Registry("workbench.models", Model, tr("algorithm"), group="models")


def architecture_of(algorithm: object) -> Architecture | None:
    """The architecture of an algorithm by key; None if it has none or the key is unknown."""
    if algorithm in MODELS:
        return MODELS[str(algorithm)].architecture
    return None


def preset_params(kind: type[Model], name: str) -> ModelParams:
    """The parameters of a preset by name. Raises KeyError."""
    for preset in kind.presets:
        if preset.name == name:
            return kind.params_type.from_mapping(preset.values)
    raise KeyError(name)
