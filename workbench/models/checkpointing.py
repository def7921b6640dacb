"""Continuation of a training, its snapshots, and its last good state.

A result contains everything that its trainer needs to continue: W (``inputs``) and C (``contexts``)
as they were trained, and in ``state`` further tables (node vectors, sums of AdaGrad, ...), with the
number of completed passes. :class:`ResumeState` restores it; :class:`Checkpointer` adds it to the
results of a training.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.core.arrays import Array
from workbench.core.errors import Diverged, UserError
from workbench.core.job_control import FinalLoss, JobControl
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.corpus.corpus import Vocabulary
from workbench.vectors.embeddings import Embeddings

# Key in ``Embeddings.state``: passes made so far, a float64 scalar.
PASSES = "passes"
# Names of the fields with W and C.
WORDS, CONTEXTS = "inputs", "contexts"
# Numbers in a normal training are far smaller; products of vectors with such numbers stay finite in
# float32.
_LARGEST = 1e6
# Maximum interval between kept states, as a share of the training (shorter at its start), and in
# seconds.
_KEEP = 0.05
_SECONDS = 20.0
# Maximum ratio of the loss to its minimum for a good state.
_RISE = 2.0
# Maximum ratio of the loss of a result to the initial loss: above it, the training has diverged
# although every number is finite; the latter for trainings that start with the loss of guessing.
_ASTRAY, _WORSE = 10.0, 1.5
# Maximum cost of keeping states, as a share of one thread's time.
_COST = 0.05


class ResumeState:
    """Initial state of a training; without ``embeddings`` a fresh one that restores nothing.

    passes : passes made before; begun : the same with an interrupted pass counted as a whole one,
    so that random numbers differ from those of an earlier pass

    Raises UserError if the vectors belong to other words.
    """

    def __init__(
        self, embeddings: Embeddings | None = None, vocabulary: Vocabulary | None = None
    ) -> None:
        self._embeddings = embeddings
        if embeddings is not None:
            self.passes = passes_made(embeddings)
        else:
            self.passes = 0.0
        self.begun = math.ceil(self.passes)
        if (
            embeddings is not None
            and vocabulary is not None
            and list(embeddings.words) != list(vocabulary.words)
        ):
            raise UserError(
                tr("Can’t continue: the vectors and the corpus have different vocabularies."),
                tr(
                    "Use the corpus, {min_count} and {max_vocab} that the vectors were "
                    "trained with.",
                    min_count=quoted_param("min_count"),
                    max_vocab=quoted_param("max_vocab"),
                ),
            )

    @property
    def fresh(self) -> bool:
        return self._embeddings is None

    def check_contexts(self, contexts: Sequence[str] | None) -> None:
        """Raise UserError if the earlier training had other contexts; None: they are the words."""
        if self._embeddings is None:
            return
        own = self._embeddings.own_contexts
        before = None if own is None else list(own.words)
        if before != (None if contexts is None else list(contexts)):
            raise UserError(
                tr("Can’t continue: the vectors and the corpus have different contexts."),
                tr("Use the corpus or the counts that the vectors were trained with."),
            )

    def entropy(self, seed: int, *more: int) -> list[int]:
        """Seed of random numbers: equal for equal starts, different after more passes."""
        if self.begun == 0:
            return [seed, *more]
        return [seed, *more, self.begun]

    def fill(self, name: str, table: Array) -> None:
        """Restore a table of the trainer, in place; a training from the beginning keeps its
        initial values.

        Raises UserError if the earlier result does not contain the table.
        """
        embeddings = self._embeddings
        if embeddings is None:
            return
        value = embeddings.state.get(name)
        if value is None:
            value = getattr(embeddings, name, None)
        if name == CONTEXTS and embeddings.own_contexts is not None:
            value = embeddings.own_contexts.vectors
        if not isinstance(value, np.ndarray) or value.shape != table.shape:
            raise cannot_continue()
        table[...] = value


def with_state(embeddings: Embeddings, tables: Mapping[str, Array]) -> Embeddings:
    """``embeddings`` with copies, in float32, of the tables besides W and C that its training needs
    to continue.
    """
    sums = {
        name: np.array(table, np.float32)
        for name, table in tables.items()
        if name not in (WORDS, CONTEXTS)
    }
    return dataclasses.replace(embeddings, state=sums)


def passes_made(embeddings: Embeddings) -> float:
    """Number of passes that these vectors were trained for; the requested number if none was
    saved.
    """
    kept = embeddings.state.get(PASSES)
    if kept is not None:
        if kept.size != 1 or float(kept.ravel()[0]) < 0:
            raise cannot_continue()
        return float(kept.ravel()[0])
    parameters = embeddings.metadata.get("parameters")
    values: Mapping[str, Any] = parameters if isinstance(parameters, Mapping) else {}
    passes = values.get("epochs", values.get("iterations", 0))
    if isinstance(passes, (int, float)):
        return float(passes)
    return 0.0


def cannot_continue() -> UserError:
    """The error for a result without the state that its training needs to continue."""
    return UserError(
        tr("Can’t continue this run: its training state wasn’t saved."),
        tr("Train again and save as .npz; other formats contain only the vectors."),
    )


def is_finite(embeddings: Embeddings) -> bool:
    """Whether every number is finite, and vectors are short enough for finite products."""
    fields = (
        "vectors",
        "raw",
        "contexts",
        "biases",
        "context_biases",
        "ngram_vectors",
        "word_rows",
    )
    tables = [getattr(embeddings, name) for name in fields]
    if embeddings.own_contexts is not None:
        tables += [embeddings.own_contexts.vectors, embeddings.own_contexts.biases]
    short = all(
        table.max() <= _LARGEST and table.min() >= -_LARGEST
        for table in tables
        if table is not None and table.size
    )
    return bool(short and all(np.isfinite(value).all() for value in embeddings.state.values()))


@dataclass(frozen=True)
class Checkpoint:
    """The last good state of a training, and its progress in 0..1."""

    progress: float
    embeddings: Embeddings


class Checkpointer:
    """Report the progress of a training: loss, snapshots, and the last good state.

    passes : requested number of passes; learning_rate : as the user set it
    whole : returns a copy of the current result, with everything needed to continue
    snapshot : returns a copy for display only; None: ``whole``, if that costs no more
    count_passes : returns the passes made in this training; None: the share of ``passes``

    A state is good while the loss is within twice its minimum and all numbers are within bounds.
    The last good one is published as "kept": at the first point of the loss, then at growing
    intervals of at most a twentieth of the training and 20 seconds, or less often if it would cost
    more than a twentieth of a thread's time. So a training that diverges or is interrupted keeps
    its vectors.
    """

    def __init__(
        self,
        run: JobControl,
        start: ResumeState,
        passes: int,
        learning_rate: float,
        whole: Callable[[], Embeddings],
        snapshot: Callable[[], Embeddings] | None = None,
        count_passes: Callable[[], float] | None = None,
    ) -> None:
        self._run = run
        self._start = start
        self._passes = passes
        self._learning_rate = learning_rate
        self._whole = whole
        self._snapshot = snapshot or whole
        self._made = count_passes
        self._least = self._last = math.inf
        self._first = self._most = 0.0
        self._due = 0.0
        # Times: no state is kept before the first; after the second, a state is due however little
        # of the training was done.
        self._not_before = 0.0
        self._overdue = math.inf
        # A consumer that waits for a snapshot also sees the initial state.
        self.answer_requests(0.0)

    def set_initial_loss(self, loss: float, certain: bool = False) -> None:
        """Set the loss before the first step, the reference at the end; without it, the first point
        is the reference.

        certain : it is the loss of guessing; a training that ends above it has learned nothing
        """
        self._first, self._most = loss, (_WORSE if certain else _ASTRAY) * loss

    def record(self, progress: float, loss: float, error: float = 0.0) -> None:
        """Record a point of the loss, as ``JobControl.record``, and keep the state from time to
        time. Raises Diverged.
        """
        if not math.isfinite(loss):
            raise self.divergence_error(progress)
        self._run.record(progress, loss, error if math.isfinite(error) else 0.0)
        if not self._first:
            self.set_initial_loss(loss)
        self._last = loss
        self._least = min(self._least, loss)
        if progress >= self._due:
            self._publish_state(progress)

    def answer_requests(self, progress: float) -> None:
        """Publish a snapshot if one was requested, and keep a state that is due by time. Raises
        Diverged.
        """
        if time.perf_counter() >= self._overdue:
            self._publish_state(progress)
        if self._run.take_snapshot_request():
            seen = self._snapshot()
            if not is_finite(seen):
                raise self.divergence_error(progress)
            self._run.publish("embeddings", seen)

    def result(self, progress: float, final: FinalLoss | None = None) -> Embeddings:
        """The result after any progress; ``final`` is its loss, None without a step. Raises
        Diverged, also if the loss is far above the initial loss.
        """
        embeddings = self._result_with_passes(progress)
        if not is_finite(embeddings) or (final is not None and not math.isfinite(final.value)):
            raise self.divergence_error(progress)
        if final is not None:
            if final.value - 3 * (final.error or 0.0) > self._most > 0:
                raise self._worsening_error(progress, final.value)
            self._run.conclude(final)
        self._run.publish("kept", None)
        return embeddings

    def _publish_state(self, progress: float) -> None:
        """Publish the state if it is good, unless the cost of the last one forbids it. Raises
        Diverged.
        """
        began = time.perf_counter()
        if began < self._not_before or self._last > min(
            _RISE * self._least, self._most or math.inf
        ):
            return
        state = self._result_with_passes(progress)
        if not is_finite(state):
            raise self.divergence_error(progress)
        self._run.publish("kept", Checkpoint(progress, state))
        self._due = progress + min(_KEEP, 0.5 * progress)
        now = time.perf_counter()
        self._not_before = now + (now - began) / _COST
        self._overdue = now + _SECONDS

    def divergence_error(self, progress: float) -> Diverged:
        """The error for a training whose numbers overflowed."""
        return Diverged(
            tr(
                "Training diverged at {share:.3g}%: the loss isn’t finite.",
                share=100 * progress,
            ),
            self._remedy(),
            progress,
        )

    def _worsening_error(self, progress: float, loss: float) -> Diverged:
        """The error for a training that ended with a higher loss than it started with."""
        return Diverged(
            tr(
                "Training diverged: the loss rose from {first:.4g} to {last:.4g}.",
                first=self._first,
                last=loss,
            ),
            self._remedy(),
            progress,
        )

    def _remedy(self) -> str:
        return tr(
            "Lower {name} (now {learning_rate:g}) and train again.",
            name=quoted_param("learning_rate"),
            learning_rate=self._learning_rate,
        )

    def _result_with_passes(self, progress: float) -> Embeddings:
        whole = self._whole()
        passes = progress * self._passes if self._made is None else self._made()
        return dataclasses.replace(
            whole, state={**whole.state, PASSES: np.array(self._start.passes + passes)}
        )
