"""Active run of the session and the loading of its vectors."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.analysis.history.trajectory import TrainingFrame
from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.language import tr
from workbench.core.setting import Setting, mapping_of
from workbench.session.jobs import Jobs
from workbench.session.messages import Messages
from workbench.session.runs.lesson_notes import is_of_lesson
from workbench.session.runs.run_library import RunLibrary
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.runs.vector_cache import Room
from workbench.session.settings.settings_file import Settings
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.modes import keep_modes, kept_modes, missing_modes

_SHOW = "session.show"
_REBUILD = "session.modes"
_MOST = 200
# Identifier of the run that was active last, by the digest of its corpus.
LAST_RUNS = Setting[Mapping[str, str]]("runs.looked_at", mapping_of(str), {})


class ActiveRun:
    """The run that all panels show.

    run : the run, None without one
    modes : number of modes of W·Cᵀ that its vectors are rebuilt from, 0 for the trained vectors
    changed : another run is active, its vectors are loaded, or they are rebuilt
    """

    def __init__(
        self, runs: RunLibrary, store: Store, jobs: Jobs, settings: Settings, message: Messages
    ) -> None:
        self.run: RunRecord | None = None
        self.modes = 0
        self._rebuilt: Embeddings | None = None
        self.changed = Signal[()]()
        self.room = Room()
        self._runs = runs
        self._store = store
        self._jobs = jobs
        self._settings = settings
        self._message = message
        runs.added.connect(self.show)

    @property
    def trained(self) -> Embeddings | None:
        """The trained vectors of the active run, None without one or while they are loaded."""
        if self.run is not None:
            return self.run.embeddings
        return None

    @property
    def embeddings(self) -> Embeddings | None:
        """The vectors that panels show: the trained ones, or those rebuilt from the first modes."""
        return self._rebuilt or self.trained

    @property
    def kept_modes(self) -> tuple[int, int] | None:
        """(r, d) of rebuilt vectors, None while panels show the trained ones."""
        if self._rebuilt is None:
            return None
        return kept_modes(self._rebuilt)

    def keep_modes(self, number: int) -> None:
        """Rebuild the vectors that panels show from the first ``number`` modes of W·Cᵀ, in a
        worker; 0, or all modes: show the trained ones. The run itself isn’t changed.
        """
        record, trained = self.run, self.trained
        self._jobs.drop(_REBUILD)
        if record is None or trained is None or not 0 < number < trained.inputs.shape[1]:
            self._set_rebuilt(None, 0)
            return
        problem = missing_modes(trained)
        if problem is not None:
            self._message.report(problem)
            return

        def show_rebuilt(rebuilt: Embeddings) -> None:
            if self.run is record and self.trained is trained:
                self._set_rebuilt(rebuilt, number)

        self._jobs.start(
            tr("Rebuilding the vectors of {name}", name=record.name),
            lambda run: keep_modes(trained, number, run),
            show_rebuilt,
            self._message.report,
            key=_REBUILD,
            quiet=True,
        )

    def _set_rebuilt(self, rebuilt: Embeddings | None, number: int) -> None:
        if rebuilt is self._rebuilt:
            return
        self._rebuilt, self.modes = rebuilt, number
        self.changed.emit()

    def show(self, record: RunRecord | None, remember: bool = True) -> None:
        """Make a run the active one; its vectors load in the background if needed. Without
        ``remember``, ``last_for`` returns the same run as before: a lesson shows its runs so.
        """
        if record is self.run and (record is None or record.embeddings is not None):
            return
        self._jobs.drop(_REBUILD)
        self.run, self._rebuilt, self.modes = record, None, 0
        if remember:
            self._remember(record)
        if record is not None:
            self.room.looked_at(record)
        self.room.give(self._runs, record)
        if (
            record is not None
            and record.stored
            and (record.embeddings is None or record.history.unread)
        ):
            here = record.embeddings
            self._jobs.start(
                tr("Loading {name}", name=record.name),
                lambda run: self._load(record.identifier, here),
                lambda found: self._vectors_loaded(record, *found),
                lambda error: self._loading_failed(record, error),
                key=_SHOW,
                quiet=True,
            )
        self.changed.emit()

    def last_for(self, digest: str) -> RunRecord | None:
        """The last active run of a corpus, else the newest one with vectors that doesn't belong to
        a lesson; None without any.
        """
        here = [
            record for record in self._runs if record.has_vectors and record.corpus_digest == digest
        ]
        wanted = self._settings[LAST_RUNS].get(digest)
        for record in here:
            if record.identifier == wanted:
                return record
        own = [record for record in here if digest and not is_of_lesson(record.note)]
        if own:
            return own[-1]
        return None

    def _remember(self, record: RunRecord | None) -> None:
        if record is None or not record.stored or not record.corpus_digest:
            return
        known = self._settings[LAST_RUNS]
        others = {digest: run for digest, run in known.items() if digest != record.corpus_digest}
        latest = {record.corpus_digest: record.identifier, **others}
        self._settings[LAST_RUNS] = dict(list(latest.items())[:_MOST])

    def _load(
        self, identifier: str, here: Embeddings | None
    ) -> tuple[Embeddings, tuple[TrainingFrame, ...]]:
        """In a job: the vectors and the saved states of a run. Raises UserError."""
        embeddings = here or self._store.vectors(identifier)
        return embeddings, self._store.snapshots(identifier, embeddings)

    def _vectors_loaded(
        self, record: RunRecord, embeddings: Embeddings, frames: tuple[TrainingFrame, ...]
    ) -> None:
        loaded, record.embeddings = record.embeddings is None, embeddings
        record.history.restore(frames)
        self._runs.trim_histories(record)
        if self.run is record and loaded:
            self.changed.emit()

    def _loading_failed(self, record: RunRecord, error: UserError) -> None:
        record.state = State.FAILED
        record.error = error
        record.stored = False
        self._runs.changed.emit()
        if self.run is record:
            self.changed.emit()
        self._message.report(error)
