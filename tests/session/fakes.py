"""A model that tests control, and waiting until a session reaches a state."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np
import pytest
from waiting import Calm

from workbench.core.errors import UserError
from workbench.core.job_control import OBJECTIVE, FinalLoss, JobControl, Phase
from workbench.core.params import param
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, Estimate, Model, TheoryTarget
from workbench.models.checkpointing import WORDS, Checkpoint, Checkpointer
from workbench.models.params import ModelParams
from workbench.session.runs.run_record import RunRecord, new_identifier, now
from workbench.session.runs.store import Store
from workbench.session.session import Session
from workbench.session.training.autosave import Guard
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class StepParams(ModelParams):
    """Parameters of a training of ``steps`` updates, each of which waits until the gate is open."""

    dim: int = param(4, "Columns.", label="dimension", low=1, high=100)
    epochs: int = param(1, "Passes.", low=1, high=100)
    steps: int = param(25, "Updates.", low=1, high=100_000)
    learning_rate: float = param(0.5, "Of nothing.", low=0.0, high=10.0)
    seed: int = param(1, "Of the vectors.", low=0)
    verbose: bool = param(False, "Nothing.")
    failing: str = param(
        "", "What goes wrong.", choices=("", "user", "defect", "memory", "diverge")
    )


@dataclass
class Gate:
    """Control of trainings: ``opened`` lets them run, ``steps`` counts their updates; ``fits``
    lists their seeds in order of start.
    """

    opened: threading.Event = field(default_factory=threading.Event)
    steps: int = 0
    fits: list[int] = field(default_factory=list)


class StepModel(Model):
    key = "step"
    title = "Step"
    short = "Step"
    family = "predict"
    summary = "Counts its steps."
    citation = "None."
    loss_label = "nats"
    scans_tokens = True
    theory_target = TheoryTarget()
    params_type = StepParams
    gate: ClassVar[Gate]

    def estimate(self, corpus: Corpus) -> Estimate:
        return Estimate(corpus.types, corpus.tokens, 0, None)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        assert isinstance(params, StepParams)
        gate = type(self).gate
        gate.fits.append(params.seed)
        vocabulary = corpus.vocabulary(params.min_count)
        if params.failing == "user":
            raise UserError("Step cannot.", "Do not ask it to.")
        if params.failing == "memory":
            raise MemoryError
        if params.failing == "defect":
            raise RuntimeError("a defect")
        start = self.begin(vocabulary)
        vectors = (
            np.random.default_rng(params.seed)
            .normal(size=(len(vocabulary), params.dim))
            .astype(np.float32)
        )
        start.fill(WORDS, vectors)
        embeddings = Embeddings(vocabulary.words, vectors, vocabulary.counts, contexts=-vectors)
        keeper = Checkpointer(run, start, params.epochs, params.learning_rate, lambda: embeddings)
        run.enter(Phase.TRAINING)
        for step in range(params.steps):
            run.check()
            while not gate.opened.wait(0.005):
                run.check()
                if run.stopping:
                    break
            if run.stopping:
                break
            gate.steps += 1
            if params.failing == "diverge" and step == 10:
                raise keeper.divergence_error((step + 1) / params.steps)
            keeper.record((step + 1) / params.steps, 1.0 / (step + 1))
            run.advance((step + 1) / params.steps)
            keeper.answer_requests((step + 1) / params.steps)
        trace = run.trace
        final = FinalLoss(float(trace.loss[-1]), OBJECTIVE, 0.0) if len(trace) else None
        return keeper.result(run.progress.fraction or 0.0, final)

    @classmethod
    def warm(cls) -> None:
        pass


class TableModel(StepModel):
    """A model without iterations."""

    key = "table"
    title = "Table"
    short = "Table"
    family = "count"
    loss_label = ""
    scans_tokens = False


def scripted(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Replace all algorithms by StepModel and TableModel, already compiled; the gate is open."""
    gate = Gate()
    gate.opened.set()
    StepModel.gate = gate
    monkeypatch.setattr(MODELS, "_classes", {"step": StepModel, "table": TableModel})
    monkeypatch.setattr("workbench.session.kernel_compiler.is_compiled", lambda name: True)
    return gate


def small_corpus(
    digest: str = "feed", text: str = "the cat saw the dog and the dog saw the cat"
) -> Corpus:
    """A corpus in memory, with words sorted by frequency."""
    tokens = text.split()
    counts: dict[str, int] = {}
    for token in tokens:
        counts[token] = counts.get(token, 0) + 1
    words = sorted(counts, key=lambda word: -counts[word])
    return Corpus(
        name="tiny",
        ids=np.array([words.index(token) for token in tokens], dtype=np.int32),
        sentences=np.array([0, len(tokens)], dtype=np.int64),
        words=words,
        counts=np.array([counts[word] for word in words], dtype=np.int64),
        digest=digest,
    )


def leave_interrupted(
    store: Store, name: str = "Step 7", progress: float = 0.4, **source: object
) -> RunRecord:
    """Files of a process that ended during a training of ten epochs on the small corpus."""
    corpus, params = small_corpus(), StepParams(min_count=1, epochs=10)
    vectors = np.random.default_rng(1).normal(size=(corpus.types, params.dim)).astype(np.float32)
    state = {"passes": np.array(10 * progress)}
    embeddings = Embeddings(corpus.words, vectors, corpus.counts, contexts=-vectors, state=state)
    record = RunRecord(
        new_identifier(), name, "step", params.to_dict(), corpus.name, corpus.digest, now()
    )
    run = JobControl()
    run.enter(Phase.TRAINING)
    run.record(progress, 1.5)
    with Guard(store.journal, record, corpus, params, run, {"source": source}) as guard:
        assert guard.write(Checkpoint(progress, embeddings))
    return record


class Pumped(Protocol):
    def pump(self) -> None: ...


def wait_until(pumped: Pumped, condition: Callable[[], object], seconds: float = 180.0) -> None:
    """Pump a session (or jobs) until ``condition`` holds; fail if nothing is running any more, or
    after ``seconds``, which only guard against hanging.
    """
    limit = time.monotonic() + seconds
    waiting, calm = threading.Event(), Calm(turns=50)
    while not condition():
        assert time.monotonic() < limit, "the condition was never met"
        assert not calm.turned(), "nothing is under way, and the condition was not met"
        pumped.pump()
        waiting.wait(0.002)


class Listener:
    """Receiver of all signals of a session, which records their arguments in order."""

    def __init__(self, session: Session) -> None:
        self.entries: list[tuple[object, ...]] = []
        signals = {
            "corpora.changed": session.corpora.changed,
            "runs.changed": session.runs.changed,
            "training.finished": session.training.finished,
            "active.changed": session.active.changed,
            "selection.changed": session.selection.changed,
            "message": session.message,
        }
        for name, signal in signals.items():
            signal.connect(lambda *arguments, name=name: self.entries.append((name, *arguments)))

    def names(self) -> list[str]:
        return [str(entry[0]) for entry in self.entries]

    def messages(self) -> list[str]:
        return [str(entry[1]) for entry in self.entries if entry[0] == "message"]
