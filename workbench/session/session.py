"""What is open, trained and selected: the only meeting point of the panels.

A session belongs to one thread (the window's, or a script's). Its methods return at once; long
work goes to :class:`~workbench.session.jobs.Jobs`, and ``pump`` (called by the window's timer)
delivers results and emits signals in the owner's thread.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.analysis.projection import UmapWorker
from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.paths import unwritable
from workbench.core.run import Phase
from workbench.corpus.columns import Columns
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.samples import SAMPLES
from workbench.models.base import MODELS, Model, ModelParams
from workbench.models.results import VectorParams
from workbench.session import derived, opening
from workbench.session.continuing import Parent, name_of, parent_of
from workbench.session.derived import Derived
from workbench.session.filing import Filing
from workbench.session.grid import Grids
from workbench.session.history import History, RecordedRun, give_room
from workbench.session.jobs import Job, Jobs
from workbench.session.marking import Marking
from workbench.session.naming import free_colour, numbered, unused
from workbench.session.opening import MissingText, Opened, Remembered
from workbench.session.packing import is_session
from workbench.session.queue import Queue, failure
from workbench.session.records import RunRecord, State, new_identifier, now
from workbench.session.requests import Request, Trained, summarise, train_and_keep
from workbench.session.resuming import Resuming
from workbench.session.room import Room
from workbench.session.settings import Settings
from workbench.session.store import Store
from workbench.session.training import not_trained
from workbench.session.undo import Change, Undo
from workbench.session.warming import Warmer
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.results import Choice

FIRST_SAMPLE = "small-world"

# Runs deleted in this sitting that can be brought back, and those of them that lie in memory alone.
_DELETED, _DELETED_IN_MEMORY = 200, 8

_OPEN = "session.open"
_SHOW = "session.show"


@dataclasses.dataclass(frozen=True)
class AnalogyShown:
    """The analogy answered last: a − b + c = answer, by a method of ``analysis.analogy``.

    ``exclude``: the three words are left out of the answers; ``restrict``: candidates are so many
    first words, 0 for all.
    """

    a: str
    b: str
    c: str
    answer: str
    method: str = "3cosadd"
    exclude: bool = True
    restrict: int = 0


class Session:
    """Corpora, runs, selection, jobs and signals.

    Signals, all emitted in the owner's thread:

    - ``corpus_changed()``: another corpus is open, or opening began, ended or failed
    - ``runs_changed()``: the list of runs, or the state or phase of one, changed
    - ``run_finished(record)``: a training came to its end, whatever it was
    - ``shown_changed()``: another model is looked at, or its vectors arrived
    - ``selection_changed()``: other words are selected
    - ``analogy_changed()``: another analogy was answered, or none is shown any more
    - ``analogy_asked(a, b, c)``: somebody wants a − b + c answered; the analogy bar does it
    - ``train_on_asked(record)``: somebody wants a run to be trained on; the train panel asks how much longer
    - ``lines_asked(word, near)``: somebody wants to see the lines of the text that hold a word (and, in its
      window, a second one, or ""); the corpus panel does it
    - ``compare_asked(records)``: somebody wants finished runs side by side; two go to the compare panel, more to the
      leaderboard
    - ``settings_asked(record)``: somebody wants the settings of a run in the form
    - ``plan_asked(record)``, ``grid_asked(group)``: somebody wants to plan a grid that begins with the settings of a
      run, or to see what came of a grid
    - ``word_activated(word)``: a word was double-clicked; the analogy takes it into its next field
    - ``message(text, hint, is_error)``: something to say in passing
    - ``restored(panels)``: a session file was opened; settings are its own now, and ``panels`` holds what each panel
      kept in it, by its key
    - ``text_missed(error)``: the text of a corpus is not where it was (a MissingText): somebody may locate it
    """

    def __init__(self) -> None:
        self.settings = Settings()
        self.jobs = Jobs()
        self.store = Store()
        self.umap = UmapWorker()
        self.room = Room()
        # Whoever changes state tells it the ways back and forth.
        self.undo = Undo()
        self.corpus_changed = Signal()
        self.runs_changed = Signal()
        self.run_finished = Signal()
        self.shown_changed = Signal()
        self.selection_changed = Signal()
        self.analogy_changed = Signal()
        self.analogy_asked = Signal()
        self.train_on_asked = Signal()
        self.lines_asked = Signal()
        self.compare_asked = Signal()
        self.settings_asked = Signal()
        self.plan_asked = Signal()
        self.grid_asked = Signal()
        self.word_activated = Signal()
        self.message = Signal()
        self.restored = Signal()
        self.text_missed = Signal()
        self.corpus: Corpus | None = None
        # How the open corpus is opened again (``Opened.to_json``).
        self.source: Mapping[str, Any] = {}
        self.opening: Job[Opened] | None = None
        self.open_error: UserError | None = None
        # The table to be opened, of which a column must be chosen first.
        self.asked: Columns | None = None
        self._asking: tuple[tuple[str, ...], CorpusOptions] = ((), CorpusOptions())
        self.shown: RunRecord | None = None
        self.selection: tuple[str, ...] = ()
        self.analogy: AnalogyShown | None = None
        # The same, or one of words that have no place on a map because no row of the vectors is theirs.
        self.answered: AnalogyShown | None = None
        self.runs, damaged = self.store.load()
        self.interrupted = Resuming(self)
        self.files = Filing(self)
        # Said once, and not again of every run.
        self._unkept = unwritable()
        told = [*damaged, *self.interrupted.problems, *([self._unkept] if self._unkept is not None else [])]
        # Nobody listens yet: told at the first pump.
        self._untold = [(problem.message, problem.hint, True) for problem in told]
        self.queue = Queue(self)
        self.marking = Marking(self)
        self.grids = Grids(self)
        self._deleted: list[RunRecord] = []
        self._deletions: dict[str, Change] = {}
        self._phase: Phase | None = None
        self._warmer = Warmer()
        self._warming = False
        self._closed = False

    # -- corpus

    def open(self, paths: Sequence[str | Path], options: CorpusOptions | None = None, ask: bool = False) -> None:
        """Open files or folders: vector files become runs, the rest one corpus; or one session file.

        The key of a bundled corpus is taken where no such file exists. With ``ask``, a table of several columns is
        not read but becomes ``asked``, until ``answer``. Outcome: corpus_changed, runs_changed, or message with an
        error and ``open_error``.
        """
        wanted = [str(path) for path in paths]
        if not wanted:
            return
        if len(wanted) == 1 and is_session(Path(wanted[0])):
            self.files.open(Path(wanted[0]))
            return
        title = f"Opening {Path(wanted[0]).name}" + (f" and {len(wanted) - 1} more" if len(wanted) > 1 else "")
        self._open(title, lambda run: opening.open_files(wanted, options, run, ask))
        self._asking = (tuple(wanted), options or CorpusOptions())

    def answer(self, column: str) -> None:
        """Read the table that was ``asked`` about, by the name of a column; "" leaves it."""
        paths, options = self._asking
        self.asked = None
        if column:
            self.open(paths, options.replace(column=column))
        else:
            self.corpus_changed.emit()

    def open_sample(self, key: str, options: CorpusOptions | None = None) -> None:
        """Open a bundled corpus by its key in SAMPLES."""
        self._open("Opening the bundled corpus", lambda run: opening.open_bundled(key, run, options))

    def restore(self) -> bool:
        """Open again what was open last, or else the first sample. Whether something was remembered."""
        last = opening.sought(self.settings.get("corpus"))
        if last is None or (last.missing and not last.digest):
            self.open_sample(FIRST_SAMPLE)
            return False
        self.reopen(last)
        return True

    def reopen(self, wanted: Remembered) -> None:
        """Open a corpus as it was open before. Outcome as of ``open``, or text_missed."""
        if wanted.sample:
            self.open_sample(wanted.sample, wanted.options)
            return
        name = wanted.name or Path(wanted.paths[0]).name
        self._open(f"Opening {name}", lambda run: opening.reopen(wanted, run))

    @property
    def questions_path(self) -> Path | None:
        """The question file that belongs to the open corpus, if it is a sample."""
        key = str(self.corpus.metadata.get("sample", "")) if self.corpus is not None else ""
        return SAMPLES[key].questions if key in SAMPLES else None

    def _open(self, title: str, work: Any) -> None:
        if self._closed:
            return
        self.open_error = None
        self.asked = None
        recorded = self.undo.recording
        self.opening = self.jobs.start(
            title, work, lambda opened: self._opened(opened, recorded), self._open_failed,
            key=_OPEN, cancelled=self._open_cancelled,
        )  # fmt: skip
        self.corpus_changed.emit()

    def _opened(self, opened: Opened, recorded: bool) -> None:
        self.opening = None
        self.asked = opened.columns
        if opened.corpus is not None:
            before, self.corpus = self.source, opened.corpus
            self.source = opened.to_json()
            self.settings.set("corpus", self.source)
            if recorded and before and before != self.source:
                name, there, back = opened.corpus.name, self.source, before
                self.undo.push(f"opening of “{name}”", lambda: self._go_back_to(back), lambda: self._go_back_to(there))
        if opened.paths:
            chosen = opened.corpus.options.chosen() if opened.corpus is not None else {}
            self.settings.add_recent(list(opened.paths), chosen)
        last = None
        for name, embeddings in opened.vectors:
            last = self._add_vectors(name, embeddings)
        self.corpus_changed.emit()
        if opened.note:
            self.message.emit(opened.note, "", False)
        if last is not None:
            self.runs_changed.emit()
            self.show(last)

    def _go_back_to(self, source: Mapping[str, Any]) -> None:
        wanted = opening.sought(source)
        if wanted is not None:
            self.reopen(wanted)

    def _open_failed(self, error: UserError) -> None:
        self.opening = None
        self.open_error = error
        self.corpus_changed.emit()
        if isinstance(error, MissingText):
            self.text_missed.emit(error)
        else:
            self._say(error)

    def _open_cancelled(self) -> None:
        self.opening = None
        self.corpus_changed.emit()

    def _add_vectors(self, name: str, embeddings: Embeddings) -> RunRecord:
        corpus = embeddings.metadata.get("corpus")
        known = corpus if isinstance(corpus, Mapping) else {}
        record = RunRecord(
            identifier=new_identifier(),
            name=name,
            algorithm="",
            parameters={},
            corpus_name=str(known.get("name", "")),
            corpus_digest=str(known.get("digest", "")),
            created=now(),
            colour=free_colour(self.runs),
            state=State.DONE,
            embeddings=embeddings,
            summary=summarise(embeddings),
        )
        self.runs.append(record)
        return record

    # -- training

    def train(
        self, algorithm: str, params: ModelParams, *, name: str = "", show: bool = True, anyway: bool = False
    ) -> RunRecord:
        """Queue a training on the open corpus; one trains at a time. Raises UserError without one.

        ``name`` is given where a free one will not do; ``show`` false leaves what is looked at when it is done;
        ``anyway`` begins it even if memory does not seem to suffice.
        """
        kind = MODELS[algorithm]
        if self.corpus is None:
            raise not_trained(kind.title)
        return self._queue_training(kind, params, name or numbered(kind.short, self.runs), show, anyway=anyway)

    def train_all(self, algorithm: str, wanted: Sequence[tuple[str, ModelParams]], group: str) -> list[RunRecord]:
        """Queue trainings on the open corpus that belong together, by name. Raises UserError without a corpus."""
        kind = MODELS[algorithm]
        if self.corpus is None:
            raise not_trained(kind.title)
        requests = [self._request(kind, params, name, show=False, group=group) for name, params in wanted]
        self._enqueue(*requests)
        return [request.record for request in requests]

    def _queue_training(
        self,
        kind: type[Model],
        params: ModelParams,
        name: str,
        show: bool,
        parent: RunRecord | None = None,
        origin: Mapping[str, Any] | None = None,
        anyway: bool = False,
    ) -> RunRecord:
        request = self._request(kind, params, name, show, parent, origin, anyway)
        self._enqueue(request)
        return request.record

    def _request(
        self,
        kind: type[Model],
        params: ModelParams,
        name: str,
        show: bool,
        parent: RunRecord | None = None,
        origin: Mapping[str, Any] | None = None,
        anyway: bool = False,
        group: str = "",
    ) -> Request:
        """A training on the open corpus, in the list of runs as one that waits."""
        assert self.corpus is not None
        history = History(params.choice() if isinstance(params, VectorParams) else None)
        record = RunRecord(
            identifier=new_identifier(),
            name=name,
            algorithm=kind.key,
            parameters=params.to_dict(),
            corpus_name=self.corpus.name,
            corpus_digest=self.corpus.digest,
            created=now(),
            colour=free_colour(self.runs),
            run=RecordedRun(history),
            group=group,
            history=history,
            # Where its loss begins is asked for while it trains.
            summary={} if origin is None else {"continued": origin},
        )
        self.runs.append(record)
        return Request(record, self.corpus, params, show, parent, origin, self.source, anyway)

    def _enqueue(self, *requests: Request) -> None:
        self.queue.add(*requests)
        self.begin_next()
        self.runs_changed.emit()

    def train_on(self, record: RunRecord, passes: int, learning_rate: float | None = None) -> RunRecord:
        """Queue a new run that goes on from another for ``passes`` more, beginning with this learning rate
        (None: the one that a longer training would have by then).

        Raises UserError: another corpus is open, or the run cannot be gone on with.
        """
        parent = self.parent_of(record)
        if self.corpus is None:
            raise not_trained(parent.kind.title)
        parent.check(self.corpus)
        params = parent.further(passes, learning_rate)
        name = unused(name_of(record.name, passes), self.runs)
        return self._queue_training(parent.kind, params, name, True, record, parent.origin)

    def parent_of(self, record: RunRecord) -> Parent:
        """What a continuation of a run would go on with. Raises UserError where it cannot be gone on with."""
        if not record.has_vectors:
            raise UserError(f"“{record.name}” has no vectors to go on with.", "Train it again.")
        known = dict(record.summary)
        if record.algorithm:
            # A run made of another one asks for what was made.
            known["parameters"] = record.parameters
        return parent_of(known, record.trace, name=record.name, identifier=record.identifier)

    def pause(self, record: RunRecord) -> None:
        if record.state is State.TRAINING and record.run is not None:
            record.run.pause()
            record.state = State.PAUSED
            self.runs_changed.emit()

    def resume(self, record: RunRecord) -> None:
        if record.state is State.PAUSED and record.run is not None:
            record.run.resume()
            record.state = State.TRAINING
            self.runs_changed.emit()

    def stop(self, record: RunRecord) -> None:
        """End a training now and keep what it has (a waiting or counting one is cancelled)."""
        if record.run is None or record.state.over:
            return
        iterative = record.algorithm in MODELS and bool(MODELS[record.algorithm].loss_label)
        begun = record.run.progress.phase in (Phase.TRAINING, Phase.SAVING)
        if not (iterative and begun):
            self.cancel(record)
            return
        record.run.stop()
        self.resume(record)

    def cancel(self, record: RunRecord) -> None:
        """End a training and throw away what it has."""
        if record.run is None or record.state.over:
            return
        record.discarded = True
        record.run.cancel()
        if record.state is State.WAITING:
            self.queue.drop(record)
            self._end(record, State.CANCELLED)

    @property
    def training(self) -> RunRecord | None:
        """The record that trains (or is paused) now, without those paused for one that was started before its turn."""
        under_way = (r for r in reversed(self.runs) if r.state in (State.TRAINING, State.PAUSED))
        return next((record for record in under_way if not self.queue.is_aside(record)), None)

    def begin_next(self) -> None:
        """Begin what waits first, unless something trains or the queue is paused."""
        if self._closed or self.training is not None:
            return
        request = self.queue.take()
        if request is not None:
            self.begin(request)

    def begin(self, request: Request) -> None:
        """Begin a training now; the queue calls it."""
        record = request.record
        record.state = State.TRAINING
        self._warmer.interrupt()
        self.jobs.start(
            f"Training {record.name}",
            lambda run: train_and_keep(request, self.store, run),
            lambda trained: self._trained(record, trained, request.show),
            lambda error: self._end(record, State.FAILED, error),
            run=record.run,
            cancelled=lambda: self._end(record, State.CANCELLED),
        )

    def _trained(self, record: RunRecord, trained: Trained, show: bool) -> None:
        record.embeddings = trained.embeddings
        record.summary = trained.summary
        record.stored = trained.not_saved is None
        if trained.not_saved is not None:
            self._say_unsaved(trained.not_saved)
        elif record.marks != trained.marks:
            self.marking.keep(record)
        self._end(record, trained.state, trained.problem)
        if record not in self.runs and record.stored:
            # Deleted when it was too late to cancel it.
            self._trash(record)
            record.embeddings = None
        # Whoever looks at something newer meanwhile is not interrupted.
        newer = self.shown is None or (show and self.shown.identifier < record.identifier)
        if record in self.runs and newer:
            self.show(record)
        elif record.group and record.stored:
            # The vectors of a hundred runs that nobody looks at would fill the memory.
            record.embeddings = None

    def _end(self, record: RunRecord, state: State, error: UserError | None = None) -> None:
        record.saved_trace = record.trace
        record.run = None
        give_room([other.history for other in (*self._deleted, *self.runs)])
        record.state = state
        record.error = error
        self.queue.drop(record)
        if error is not None and state is State.FAILED:
            error = failure(record, error, self.queue)
        self.begin_next()
        self.runs_changed.emit()
        self.run_finished.emit(record)
        if error is not None:
            self._say(error)
        if state is State.FAILED:
            # Its last good state may be there to go on from.
            self.interrupted.refresh()

    # -- other vectors of a run

    def make_vectors(self, parent: RunRecord, choice: Choice) -> None:
        """Make a new run of a finished one: what ``choice`` says of its vectors. It is saved and shown.

        Outcome: runs_changed and shown_changed, or message with an error.
        """
        name, colour = unused(derived.name_of(parent, choice), self.runs), free_colour(self.runs)
        self.jobs.start(
            f"Making {name}",
            lambda run: derived.make_and_keep(parent, choice, name, colour, self.store, run),
            self._derived,
            self._say,
        )

    def _derived(self, found: Derived) -> None:
        if found.not_saved is not None:
            self._say_unsaved(found.not_saved)
        self.add(found.record)

    def add(self, record: RunRecord) -> None:
        """Take a finished run into the list, and show it."""
        self.runs.append(record)
        self.runs_changed.emit()
        self.show(record)

    # -- looking

    @property
    def embeddings(self) -> Embeddings | None:
        """The vectors of the run that is looked at, None without one or while they are loaded."""
        return self.shown.embeddings if self.shown is not None else None

    def show(self, record: RunRecord | None) -> None:
        """Make a run the one that panels look at; its vectors load in the background if needed."""
        if record is self.shown and (record is None or record.embeddings is not None):
            return
        self.shown = record
        if record is not None:
            self.room.looked_at(record)
        self.room.give(self.runs, record)
        if record is not None and record.embeddings is None and record.stored:
            self.jobs.start(
                f"Loading {record.name}",
                lambda run: self.store.vectors(record.identifier),
                lambda embeddings: self._loaded(record, embeddings),
                lambda error: self._not_loaded(record, error),
                key=_SHOW,
                quiet=True,
            )
        self.shown_changed.emit()

    def select(self, words: Sequence[str], add: bool = False) -> None:
        """Select words (replacing, or adding to, the selection). The last one is in focus."""
        wanted = list(dict.fromkeys(words))
        if add:
            wanted = [word for word in self.selection if word not in set(wanted)] + wanted
        if tuple(wanted) != self.selection:
            before, self.selection = self.selection, tuple(wanted)
            what = "clearing of the selection" if not wanted else f"selection of {len(wanted)} words"
            what = f"selection of “{wanted[0]}”" if len(wanted) == 1 else what
            self.undo.push(what, lambda: self.select(before), lambda: self.select(wanted))
            self.selection_changed.emit()

    @property
    def focus(self) -> str | None:
        """The word picked last."""
        return self.selection[-1] if self.selection else None

    def show_analogy(self, analogy: AnalogyShown | None, *, unseen: bool = False) -> None:
        """Say which analogy was answered last, for the views that draw it; None takes it back.

        ``unseen``: not all of its words are in the vocabulary, so it is ``answered`` but not ``analogy``.
        """
        drawn = None if unseen else analogy
        if (drawn, analogy) != (self.analogy, self.answered):
            self.analogy, self.answered = drawn, analogy
            self.analogy_changed.emit()

    def keep(self, record: RunRecord, embeddings: Embeddings) -> None:
        """Keep vectors that a job read from the store beside what is shown, so that nobody reads them again."""
        if record.embeddings is None:
            record.embeddings = embeddings

    def _loaded(self, record: RunRecord, embeddings: Embeddings) -> None:
        record.embeddings = embeddings
        if self.shown is record:
            self.shown_changed.emit()

    def _not_loaded(self, record: RunRecord, error: UserError) -> None:
        record.state = State.FAILED
        record.error = error
        record.stored = False
        self.runs_changed.emit()
        if self.shown is record:
            self.shown_changed.emit()
        self._say(error)

    # -- housekeeping

    def rename(self, record: RunRecord, name: str) -> None:
        """Give a run another name; an empty one changes nothing."""
        name = " ".join(name.split())
        if not name or name == record.name:
            return
        before, record.name = record.name, name
        self.undo.push(
            f"rename of run “{before}”", lambda: self.rename(record, before), lambda: self.rename(record, name)
        )
        self.marking.keep(record)
        self.runs_changed.emit()

    def delete(self, record: RunRecord) -> None:
        """Move a run to the store's trash, from where ``undelete`` brings it back.

        One that trains is cancelled first.
        """
        if record not in self.runs:
            return
        # What another window has deleted goes from the list of this one, too.
        if record.stored and self.store.holds(record.identifier) and not self._trash(record):
            return
        self.cancel(record)
        self.runs.remove(record)
        self._deleted.append(record)
        if self.undo.recording:
            self._deletions[record.identifier] = self.undo.push(
                f"deletion of run “{record.name}”", lambda: self.undelete(record), lambda: self.delete(record)
            )
        if self.shown is record:
            self.shown = None
            self.show(next((other for other in reversed(self.runs) if other.has_vectors), None))
            if self.shown is None:
                self.shown_changed.emit()
        if record.stored:
            # Brought back, it is read again.
            record.embeddings = None
        self._forget_deleted()
        self.runs_changed.emit()

    def _forget_deleted(self) -> None:
        """Let go of what was deleted long ago: for good in this sitting, while the trash of the store keeps it."""
        in_memory = [record for record in self._deleted if record.embeddings is not None]
        gone = (*self._deleted[:-_DELETED], *in_memory[:-_DELETED_IN_MEMORY])
        self._deleted = [record for record in self._deleted if record not in gone]
        for record in gone:
            record.history.thin(0)
            if record.identifier in self._deletions:
                self.undo.drop(self._deletions.pop(record.identifier))

    def undelete(self, record: RunRecord | None = None) -> None:
        """Bring back a run deleted in this sitting, or without a name the one deleted last."""
        if not self._deleted or (record is not None and record not in self._deleted):
            return
        record = record or self._deleted[-1]
        self._deleted.remove(record)
        if self.undo.recording and record.identifier in self._deletions:
            self.undo.drop(self._deletions.pop(record.identifier))
        if record.stored:
            try:
                self.store.undelete(record.identifier)
            except UserError as error:
                self._say(error)
                return
        self.runs.append(record)
        self.runs.sort(key=lambda other: other.identifier)
        self.runs_changed.emit()

    @property
    def can_undelete(self) -> bool:
        return bool(self._deleted)

    def warm(self) -> None:
        """Begin compiling kernels and warming UMAP in child processes of low priority."""
        self._warming = True

    def pump(self) -> None:
        """Deliver results of jobs and notice changes of state. Called some 30 times a second."""
        if self._closed:
            return
        self.jobs.pump()
        untold, self._untold = self._untold, []
        for text, hint, is_error in untold:
            self.message.emit(text, hint, is_error)
        training = self.training
        phase = training.run.progress.phase if training is not None and training.run is not None else None
        if phase is not self._phase:
            self._phase = phase
            if phase is not None:
                self.runs_changed.emit()
        if self._warming and training is None and self.opening is None:
            self._warm_on()

    def close(self) -> None:
        """Cancel, join, save; no thread and no process remains."""
        if self._closed:
            return
        self._closed = True
        self.queue.clear()
        self._warmer.interrupt()
        # Whatever waits for the map is woken by its end.
        self.umap.close()
        self.jobs.close()

    def _warm_on(self) -> None:
        self._warmer.poll()
        if self._warmer.finished:
            self._warming = False
            self.umap.warm()

    def _trash(self, record: RunRecord) -> bool:
        try:
            self.store.delete(record.identifier)
        except UserError as error:
            self._say(error)
            return False
        return True

    def _say_unsaved(self, error: UserError) -> None:
        if self._unkept is None:
            self._say(error)

    def _say(self, error: UserError) -> None:
        self.message.emit(error.message, error.hint, True)
