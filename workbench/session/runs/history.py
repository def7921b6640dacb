"""Snapshots of a training, copied at intervals within a memory limit.

The trainer publishes a state when one is due, at ever longer intervals: at first after every 0.2 %
of the training, then after a quarter of the progress so far, and after 5 % at the latest. Each
state contains the most frequent words, as many as fit into ``BUDGET``. Fewer and smaller states are
saved with the run (:mod:`workbench.session.runs.snapshot_file`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from workbench.analysis.history.trajectory import TrainingFrame
from workbench.core.job_control import JobControl, Phase
from workbench.counts.huffman import NODES
from workbench.models.base import Model
from workbench.models.params import ModelParams, VectorParams
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing, choice_of

# Maximum bytes of the states of one run, and of all runs together.
BUDGET = 96_000_000
ALL = 288_000_000
_MOST = 40
# Measured bytes of the buffers of the writing thread and of the archive.
_WRITING = 20_000_000
_WORDS = 5000
# Steps of the progress between two states: the minimum, as a share of the progress so far, the
# maximum.
_FIRST, _SHARE, _LAST = 0.002, 0.25, 0.05
# Number of states that remain when memory is short.
_FEWEST = 10
# Entries of the provenance that postprocessing of the vectors needs.
KNOWN = ("vectors", "context_scale")


class TrainingHistory:
    """The states of one training, in order. One thread adds states, any thread may read: ``frames``
    is replaced, never changed.

    choice : postprocessing of the result, also applied to each state
    saved : the run is in the store, with its states if there are any; unread : they aren't in
    memory
    """

    def __init__(self, choice: Postprocessing | None = None, unread: bool = False) -> None:
        self.unread = self.saved = unread
        self.frames: tuple[TrainingFrame, ...] = ()
        self._choice = choice or Postprocessing()
        self._due = 0.0

    def restore(self, frames: tuple[TrainingFrame, ...]) -> None:
        """Take over the states that were saved with the run."""
        self.unread = False
        if not self.frames:
            self.frames = frames

    def due(self, progress: float) -> bool:
        """Whether to keep a state at this point, a share of the training in 0..1."""
        return progress >= self._due

    def add(
        self,
        progress: float,
        seconds: float,
        loss: float,
        embeddings: Embeddings,
        last: bool = False,
    ) -> None:
        """Keep a copy of a state, unless it is sparse. It replaces states at or after its progress.

        ``last`` : the vectors are those of the result, already postprocessed
        """
        if embeddings.sparse or not len(embeddings):
            return
        self._due = progress + min(max(_SHARE * progress, _FIRST), _LAST)
        before = tuple(frame for frame in self.frames if frame.progress < progress)
        if before:
            words = before[0].embeddings.words
        else:
            words = list(embeddings.words[: self._room(embeddings)])
        kept = reduce_embeddings(embeddings, words, choice_of(embeddings) if last else self._choice)
        self.frames = thin_frames(
            (*before, TrainingFrame(progress, seconds, loss, kept, len(embeddings))), _MOST
        )

    def _room(self, embeddings: Embeddings) -> int:
        """Number of words in each state."""
        tables = 1 + (embeddings.contexts is not None or NODES in embeddings.state)
        row = _row_bytes(tables, int(embeddings.inputs.shape[1]), self._choice)
        return min(len(embeddings), _WORDS, max(BUDGET // (_MOST * row), 2))

    def finish(self, embeddings: Embeddings, run: JobControl) -> None:
        """Keep the result as the last state. The history of a training that diverged ends with its
        last good state.
        """
        trace = run.trace
        divergence = embeddings.metadata.get("diverged")
        progress = 1.0
        if isinstance(divergence, dict):
            progress = float(divergence.get("kept", 1.0))
        elif embeddings.metadata.get("stopped") and len(trace):
            progress = max(
                float(trace.progress[-1]), self.frames[-1].progress if self.frames else 0.0
            )
        if len(trace):
            seconds = float(np.interp(progress, trace.progress, trace.seconds))
        else:
            seconds = run.phase_seconds()
        if len(trace):
            loss = float(np.interp(progress, trace.progress, trace.loss))
        else:
            loss = float("nan")
        self.add(progress, seconds, loss, embeddings, last=True)

    def thin(self, most: int) -> None:
        """Keep at most ``most`` states, 0 for none, to free memory."""
        if most:
            self.frames = thin_frames(self.frames, most)
        else:
            self.frames = ()
            self.unread = self.saved

    @property
    def bytes(self) -> int:
        return sum(size_of(frame.embeddings) for frame in self.frames)


def recorded_bytes(kind: type[Model], params: ModelParams, size: int) -> int:
    """Maximum memory for recording a training on ``size`` words, beside the training.

    Includes the states and, for iterative algorithms, the last and the next complete snapshot, and
    the memory for writing them.
    """
    states = states_bytes(params, size)
    if not states or not kind.loss_label:
        return states // _MOST
    return (
        states
        + 2 * size * _row_bytes(2, int(getattr(params, "dim", 0)), Postprocessing())
        + _WRITING
    )


def states_bytes(params: ModelParams, size: int) -> int:
    """Maximum memory for all states of a training on ``size`` words."""
    if not isinstance(params, VectorParams):
        return 0
    row = _row_bytes(2, int(getattr(params, "dim", 0)), params.choice())
    return _MOST * min(size, _WORDS, max(BUDGET // (_MOST * max(row, 1)), 2)) * row


def _row_bytes(tables: int, dim: int, choice: Postprocessing) -> int:
    """Bytes of one word in one state, for a trainer with one table or two."""
    if not choice.plain:
        tables += 2 if choice.result == "concatenation" else 1
    return 4 * tables * dim


class RecordedRun(JobControl):
    """A run that asks its trainer for states when they are due, and keeps them."""

    def __init__(self, history: TrainingHistory) -> None:
        super().__init__()
        self._history = history
        self._wanted = False

    @property
    def _share(self) -> float:
        """Completed share of the training, 0 before it starts, when the weights are initial."""
        seen = self.progress
        if seen.phase is Phase.TRAINING:
            return seen.fraction or 0.0
        return 0.0

    def take_snapshot_request(self) -> bool:
        self._wanted = self._history.due(self._share)
        return super().take_snapshot_request() or self._wanted

    def publish(self, name: str, value: Any) -> None:
        super().publish(name, value)
        if name == "embeddings" and self._wanted and isinstance(value, Embeddings):
            self._wanted = False
            trace = self.trace
            loss = float(trace.loss[-1]) if len(trace) else float("nan")
            seconds = self.phase_seconds() if self.progress.phase is Phase.TRAINING else 0.0
            self._history.add(self._share, seconds, loss, value)


def thin_frames(frames: tuple[TrainingFrame, ...], most: int) -> tuple[TrainingFrame, ...]:
    """At most ``most`` states (at least two), including the first and the last.

    Repeatedly drops the state whose neighbours are closest to each other in the square root of
    progress.
    """
    left = list(frames)
    while len(left) > max(most, 2):
        at = np.sqrt([frame.progress for frame in left])
        left.pop(1 + int(np.argmin(at[2:] - at[:-2])))
    return tuple(left)


def give_room(histories: Sequence[TrainingHistory], most: int = ALL) -> None:
    """Keep the states of all runs within ``most`` bytes: thin out the states of the earliest runs,
    then drop them.
    """
    for fewest in (_FEWEST, 0):
        for history in histories[:-1]:
            if sum(one.bytes for one in histories) <= most:
                return
            if len(history.frames) > fewest:
                history.thin(fewest)


def reduce_embeddings(
    embeddings: Embeddings, words: Sequence[str], choice: Postprocessing
) -> Embeddings:
    """A copy of the first words, with vectors postprocessed by ``choice``; with the nodes of a
    Huffman tree if no word is left out.
    """
    size = len(words)

    def first(table: Any) -> Any:
        if table is None:
            return None
        return np.array(table[:size], dtype=np.float32)

    nodes = embeddings.state.get(NODES) if size == len(embeddings) else None
    kept = Embeddings(
        words,
        first(embeddings.vectors),
        None if embeddings.counts is None else np.array(embeddings.counts[:size]),
        contexts=first(embeddings.contexts),
        biases=first(embeddings.biases),
        context_biases=first(embeddings.context_biases),
        raw=first(embeddings.raw),
        state={} if nodes is None else {NODES: np.array(nodes)},
        metadata={name: embeddings.metadata[name] for name in KNOWN if name in embeddings.metadata},
    )
    if choice == choice_of(embeddings):
        return kept
    return apply_postprocessing(kept, choice)


def size_of(embeddings: Embeddings) -> int:
    """Bytes of the dense tables of embeddings."""
    tables = (getattr(embeddings, field.name) for field in dataclasses.fields(embeddings))
    held = sum(table.nbytes for table in tables if isinstance(table, np.ndarray))
    return held + sum(table.nbytes for table in embeddings.state.values())
