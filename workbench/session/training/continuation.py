"""Continuation of a training: its parameters, its learning rate and the history of its parent.

A continuation is a separate run with the parameters of its parent except the number of epochs, the
initial learning rate, and threads. The learning rate then behaves as in any training of the
algorithm: it falls towards 0 over the further epochs, or stays constant.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.core.errors import UserError
from workbench.core.job_control import Trace
from workbench.core.language import tr
from workbench.core.params import Params, Spec, Value, redeclare
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, Model
from workbench.models.checkpointing import cannot_continue
from workbench.models.params import ModelParams
from workbench.session.runs.provenance import amount, ancestry

RATE, THREADS = "learning_rate", "threads"


@dataclass(frozen=True)
class Parent:
    """The run to continue, according to its provenance (see ``training.provenance``).

    kind, params : the algorithm and the parameters it was trained with
    passes : total number of epochs, with those of its ancestors; own : its own epochs
    origin : entry about this run in the continuation's provenance, JSON-ready
    """

    kind: type[Model]
    params: ModelParams
    corpus_digest: str
    passes: float
    own: float
    origin: Mapping[str, Any]

    @property
    def changeable(self) -> tuple[str, ...]:
        """Names of the parameters that a continuation may change."""
        names = (self.kind.passes, RATE, THREADS)
        return tuple(spec.name for spec in self.kind.params_type.specs() if spec.name in names)

    def further(
        self, passes: int, learning_rate: float | None = None, **more: Value
    ) -> ModelParams:
        """The parameters of a continuation. Raises ParameterError."""
        rate = self.rate_after(passes) if learning_rate is None else learning_rate
        return self.kind.params_type.from_mapping(
            {**self.params.to_dict(), self.kind.passes: passes, RATE: rate, **more}
        )

    def rate_after(self, passes: float) -> float:
        """The learning rate that a training planned with ``passes`` more epochs from the beginning
        would have now: η·m/(n + m) after n epochs of n + m if it falls linearly, η if it is
        constant.
        """
        rate = float(getattr(self.params, RATE))
        if not self.kind.rate_falls or passes <= 0:
            return rate
        # Three digits, because users read and type the number.
        return float(f"{rate * passes / (self.own + passes):.3g}")

    def check(self, corpus: Corpus) -> None:
        """Raise UserError if ``corpus`` is not the one that the run was trained on."""
        if corpus.digest != self.corpus_digest:
            raise UserError(
                tr("Can’t continue training: the open corpus isn’t the corpus of the run."),
                tr(
                    "Open the corpus of the run ({corpus}) with the same reading options.",
                    corpus=self.origin.get("corpus") or tr("unknown"),
                ),
            )

    def declaration(self) -> type[Params]:
        """Parameters that a continuation chooses itself: epochs and learning rate."""
        chosen = (
            (self.kind.passes, int, tr("as many as before")),
            (RATE, float, tr("value of the run to continue")),
        )
        fields = [
            (
                name,
                kind,
                redeclare(
                    self.kind.params_type, name, getattr(self.params, name), source, basic=True
                ),
            )
            for name, kind, source in chosen
        ]
        return dataclasses.make_dataclass("FurtherParams", fields, bases=(Params,), frozen=True)

    def spec(self, name: str) -> Spec:
        """The declaration of a parameter that a continuation chooses."""
        return self.kind.params_type.spec(name)


def parent_of(known: Mapping[str, Any], trace: Trace | None = None, **names: str) -> Parent:
    """The parent described by a provenance (``Embeddings.metadata`` or a record's summary).

    trace : its loss; None: the loss in the provenance
    names : its identity: ``name`` and ``identifier`` of a run, or ``file``
    Raises UserError if its training cannot be continued.
    """
    key = known.get("algorithm")
    if not isinstance(key, str) or key not in MODELS:
        raise cannot_continue()
    kind = MODELS[key]
    if not kind.loss_label:
        raise UserError(
            tr(
                "{title} is solved directly, so its training can’t be continued.",
                title=kind.title,
            ),
            tr("Train again with other settings."),
        )
    parameters, corpus = known.get("parameters"), known.get("corpus")
    if not isinstance(parameters, Mapping) or not isinstance(corpus, Mapping):
        raise cannot_continue()
    params = kind.params_type.from_mapping(parameters)
    before = ancestry(known)
    passes_wanted = float(getattr(params, kind.passes))
    passes = amount(known.get("passes"), before.get("passes", 0.0) + passes_wanted)
    share = float(trace.progress[-1]) if trace is not None and len(trace) else 1.0
    timed = known.get("seconds")
    spent = amount(timed.get("training"), 0.0) if isinstance(timed, Mapping) else 0.0
    if trace is not None and len(trace):
        spent = float(trace.seconds[-1])
    origin = {
        **names,
        "corpus": str(corpus.get("name", "")),
        "created": str(known.get("created", "")),
        "passes": passes,
        "epochs": before.get("epochs", 0.0)
        + (passes_wanted if kind.passes == "epochs" else 1.0) * share,
        "seconds": before.get("seconds", 0.0) + spent,
    }
    own = max(passes - before.get("passes", 0.0), 0.0)
    return Parent(kind, params, str(corpus.get("digest", "")), passes, own, origin)


def name_of(parent: str, passes: int) -> str:
    """Name of a continuation: "SGNS 3 +5"."""
    return f"{parent} +{passes:,}"
