"""Training one step at a time over the real corpus, forward and back.

stepper = open_stepper(corpus, StepSettings("sgns"), None, Run())
stepper.forward(); stepper.forward(100); stepper.back()
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections import deque

import numpy as np
import scipy.sparse as sp

from workbench.analysis.step.rules import Output, VisitedCell, Weighting, decide_updates, fit_cell
from workbench.analysis.step.settings import StepSettings, joint_weights, steppable_algorithms
from workbench.analysis.step.step import CONTEXTS, NODES, TrainingStep
from workbench.analysis.step.tables import StepTables, fresh_tables, tables_of
from workbench.analysis.step.text import NoiseDraws, StepReader
from workbench.analysis.theory.targets import TargetSettings
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.huffman import huffman_tree
from workbench.models.params import FactorParams
from workbench.models.predict.cbow_base import WindowParams
from workbench.models.predict.negative_sampling import NoiseParams
from workbench.models.predict.stream_trainer import StreamParams
from workbench.vectors.embeddings import Embeddings

# Number of steps that can be undone.
_MEMORY = 500
_GOLDEN = (math.sqrt(5) - 1) / 2


class Stepper(ABC):
    """Steps one after another. Methods may be called from any thread, one at a time.

    losses : losses of the steps so far, each the mean over its terms
    term : name of a term of the loss
    place_unit : name of a place
    """

    term: str
    place_unit: str

    def __init__(self, vocabulary: Vocabulary, tables: StepTables, rate: float) -> None:
        self.vocabulary = vocabulary
        self.rate = rate
        self._tables = tables
        self._made: deque[tuple[TrainingStep, tuple[int, int]]] = deque(maxlen=_MEMORY)
        self._numbered = 0
        # Start of the search for the next step: a place, and the epoch.
        self._next = (0, 0)
        self._lock = threading.Lock()
        self.losses: tuple[float, ...] = ()

    # -- methods of algorithms

    @property
    @abstractmethod
    def place_count(self) -> int:
        """Number of places: tokens, or cells."""

    @abstractmethod
    def _step(
        self, place: tuple[int, int], number: int, run: JobControl
    ) -> tuple[TrainingStep, tuple[int, int]]:
        """The step at or after a place, and where to look for the next one."""

    @abstractmethod
    def _place_of(self, row: int, after: int) -> int | None:
        """The next place of a word after a place, wrapping at the end; None if the word has no
        place.
        """

    # -- steps

    @property
    def dim(self) -> int:
        return self._tables.dim

    @property
    def current(self) -> TrainingStep | None:
        if self._made:
            return self._made[-1][0]
        return None

    @property
    def can_go_back(self) -> bool:
        return len(self._made) > 1

    def forward(self, steps: int = 1, run: JobControl | None = None) -> TrainingStep:
        """Make the next steps and return the last. Raises UserError if no window contains
        two words, and Cancelled; the steps made so far remain.
        """
        run = run or JobControl()
        with self._lock:
            for done in range(steps):
                run.check()
                step, following = self._step(self._next, self._numbered + 1, run)
                self._tables.put_changes(step.changes)
                self._made.append((step, self._next))
                self._numbered += 1
                self.losses = (*self.losses[-(_MEMORY - 1) :], step.loss / step.terms)
                self._next = following
                run.advance((done + 1) / steps)
            return step

    def back(self) -> TrainingStep | None:
        """Undo the last step; return the one before it, or None at the first remembered step."""
        with self._lock:
            if len(self._made) < 2:
                return None
            step, self._next = self._made.pop()
            self._tables.take_back(step.changes)
            self._numbered -= 1
            self.losses = self.losses[:-1]
            return self._made[-1][0]

    def go_to(self, place: int, run: JobControl | None = None) -> TrainingStep:
        """Make the step at or after a place, counted from 0, with the current vectors."""
        with self._lock:
            self._next = (min(max(place, 0), self.place_count - 1), self._next[1])
        return self.forward(1, run)

    def go_to_word(self, word: str, run: JobControl | None = None) -> TrainingStep:
        """Make a step at the next position of a word. Raises UserError for a word that no step
        uses.
        """
        row = self.vocabulary.index.get(word)
        if row is None:
            raise UserError(
                tr("“{word}” isn’t in the vocabulary of this training.", word=word),
                tr(
                    "Choose another word of the corpus, or lower {min_count}.",
                    min_count=quoted_param("min_count"),
                ),
            )
        place, at = None, self.current.position if self.current is not None else -1
        # Subsampling may drop the next places of a frequent word, so try several.
        for _ in range(50):
            place = self._place_of(row, at)
            if place is None or self._is_at(row, place, run or JobControl()):
                break
            at = place
        if place is None:
            raise UserError(
                tr("No training step uses “{word}”.", word=word), tr("Choose another word.")
            )
        return self.go_to(place, run)

    def _is_at(self, row: int, place: int, run: JobControl) -> bool:
        """Whether a step at a position belongs to the word itself."""
        return True


class TextStepper(Stepper):
    """Windows, one after another in the order of the text."""

    place_unit = tr("token")

    def __init__(
        self,
        corpus: Corpus,
        vocabulary: Vocabulary,
        settings: StepSettings,
        params: StreamParams,
        tables: StepTables,
    ) -> None:
        super().__init__(vocabulary, tables, settings.rate or params.learning_rate)
        self._algorithm = settings.algorithm
        self.term = tr("pair")
        if isinstance(params, WindowParams):
            self.term = tr("centre")
        self._corpus = corpus
        self._params = params
        self._reader = StepReader(corpus, vocabulary, params, settings.seed)
        self._noise: NoiseDraws | None = None
        if steppable_algorithms()[settings.algorithm].second == NODES:
            self._tree = huffman_tree(vocabulary.counts)
        elif isinstance(params, NoiseParams):
            self._noise = NoiseDraws(
                vocabulary.counts, params.negative, params.ns_exponent, settings.seed
            )

    @property
    def place_count(self) -> int:
        return self._corpus.tokens

    def _step(
        self, place: tuple[int, int], number: int, run: JobControl
    ) -> tuple[TrainingStep, tuple[int, int]]:
        window, passes = self._reader.next_window(*place, run)
        centre = window.tokens[window.centre].row
        draws: tuple[float, ...] = ()
        if self._noise is not None:
            noise, draws = self._noise.at(window.position, passes)
            outputs = [Output(CONTEXTS, centre, 1), *(Output(CONTEXTS, row, 0) for row in noise)]
        else:
            nodes, codes = self._tree.path(centre)
            outputs = [
                Output(NODES, *step)
                for step in zip(nodes.tolist(), (1 - codes).tolist(), strict=True)
            ]
        inputs = [window.tokens[at].row for at in window.inside]
        scale, share = joint_weights(self._params, len(inputs))
        joined = (scale, share) if isinstance(self._params, WindowParams) else None
        updates = decide_updates(self._tables, inputs, outputs, self.rate, joined)
        step = TrainingStep(
            self._algorithm,
            number,
            self.rate,
            updates.loss,
            updates.changes,
            updates.pairs,
            len(outputs),
            draws,
            window,
            updates.hidden,
            scale,
            share,
        )
        return step, (window.position + 1, passes)

    def _place_of(self, row: int, after: int) -> int | None:
        return self._reader.next_place_of(row, after)

    def _is_at(self, row: int, place: int, run: JobControl) -> bool:
        window, _ = self._reader.next_window(place, self._next[1], run)
        return window.position == place


class CellStepper(Stepper):
    """GloVe's cells, in an order that scatters them: cell number i is a·i + b modulo their
    number.
    """

    term = tr("cell")
    place_unit = tr("cell")

    def __init__(
        self,
        vocabulary: Vocabulary,
        counts: sp.csr_matrix,
        settings: StepSettings,
        params: FactorParams,
        tables: StepTables,
    ) -> None:
        super().__init__(vocabulary, tables, settings.rate or params.learning_rate)
        self._algorithm = settings.algorithm
        self._counts = counts
        weights = TargetSettings.of(params.to_dict())
        self._weighting = Weighting(weights.x_max, weights.alpha)
        cells = int(counts.nnz)
        self._stride = max(1, round(_GOLDEN * cells))
        while math.gcd(self._stride, cells) > 1:
            self._stride += 1
        self._offset = settings.seed * 7919 % cells

    @property
    def place_count(self) -> int:
        return int(self._counts.nnz)

    def _step(
        self, place: tuple[int, int], number: int, run: JobControl
    ) -> tuple[TrainingStep, tuple[int, int]]:
        at = place[0] % self.place_count
        entry = (self._offset + at * self._stride) % self.place_count
        word = int(np.searchsorted(self._counts.indptr, entry, side="right")) - 1
        context, count = int(self._counts.indices[entry]), float(self._counts.data[entry])
        visited = VisitedCell(at, self.place_count, word, context, count)
        cell, changes, loss = fit_cell(self._tables, visited, self._weighting, self.rate)
        return TrainingStep(self._algorithm, number, self.rate, loss, changes, cell=cell), (
            (at + 1) % self.place_count,
            place[1],
        )

    def _place_of(self, row: int, after: int) -> int | None:
        first, last = (int(edge) for edge in self._counts.indptr[row : row + 2])
        if first == last:
            return None
        # Invert the order to find the place of an entry.
        inverse = pow(self._stride, -1, self.place_count) if self.place_count > 1 else 0
        places = sorted(
            (entry - self._offset) * inverse % self.place_count for entry in range(first, last)
        )
        return next((place for place in places if place > after), places[0])


def open_stepper(
    corpus: Corpus, settings: StepSettings, embeddings: Embeddings | None, run: JobControl
) -> Stepper:
    """A stepper that starts from ``embeddings``, or from fresh vectors, before its first step.

    Raises UserError (empty vocabulary, vectors that do not fit) and Cancelled.
    """
    kind = steppable_algorithms()[settings.algorithm]
    params = settings.params_in_force(embeddings)
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    run.check()
    if embeddings is not None:
        tables = tables_of(embeddings, vocabulary, kind.second)
    else:
        tables = fresh_tables(
            vocabulary, int(getattr(params, "dim", 0)), settings.seed, kind.second
        )
    if isinstance(params, StreamParams):
        return TextStepper(corpus, vocabulary, settings, params, tables)
    assert isinstance(params, FactorParams)
    symmetric = bool(getattr(params, "symmetric", True))
    counts = cooccurrence(
        corpus,
        vocabulary,
        params.window,
        params.window_weighting,
        symmetric,
        params.threads,
        run,
    )
    if not symmetric:
        counts = counts.T.tocsr()
    if counts.nnz == 0:
        raise UserError(
            tr("No words of this corpus co-occur."),
            tr("Lower {min_count} or choose a larger window.", min_count=quoted_param("min_count")),
        )
    return CellStepper(vocabulary, counts, settings, params, tables)
