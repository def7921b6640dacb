"""Corpora of the session: opening, reopening and the corpus that is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.folders import resources
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.catalogue.entry import CatalogueEntry
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.text_sample import Columns
from workbench.corpus.samples import SAMPLES, first_sample
from workbench.counts.counts_corpus import CountedCorpus
from workbench.session.corpus import opening
from workbench.session.corpus.belonging import text_of
from workbench.session.corpus.known_vectors import VectorChoice
from workbench.session.corpus.opening import (
    OPEN_CORPUS,
    MissingText,
    Opened,
    RememberedCorpus,
)
from workbench.session.corpus.readings import Readings
from workbench.session.corpus.recent_files import add_recent
from workbench.session.files.session_archive import is_session
from workbench.session.jobs import Job, Jobs
from workbench.session.messages import Messages
from workbench.session.runs.active_run import ActiveRun
from workbench.session.runs.names import free_colour
from workbench.session.runs.provenance import summarise
from workbench.session.runs.run_library import RunLibrary
from workbench.session.runs.run_record import RunRecord, State, new_identifier, now
from workbench.session.selection.undo import Undo
from workbench.session.settings.settings_file import Settings
from workbench.vectors.embeddings import Embeddings

FIRST_SAMPLE = "small-world"
_OPEN = "session.open"


class CorpusController:
    """Opens corpora in jobs, in the session's thread.

    current : the open corpus, or counts in place of a corpus; None without one
    source : how to open it again (``Opened.to_json``)
    opening : the job that opens files now; error : why the last one failed
    pending_table : the table to open once a column is chosen
    readings : how each text is read
    changed : another corpus is open, or opening started, ended or failed
    text_missed : the text of a corpus isn’t where it was; the user may locate it
    session_file_chosen : a session file was chosen, not a corpus
    """

    def __init__(
        self,
        settings: Settings,
        jobs: Jobs,
        undo: Undo,
        message: Messages,
        runs: RunLibrary,
        active: ActiveRun,
    ) -> None:
        self.changed = Signal[()]()
        self.text_missed = Signal[MissingText]()
        self.session_file_chosen = Signal[Path]()
        self.current: Corpus | None = None
        self.source: Mapping[str, Any] = {}
        self.opening: Job[Opened] | None = None
        self.restoring: Job[Opened] | None = None  # opened at the start, not by the user
        self.error: UserError | None = None
        self.pending_table: Columns | None = None
        self.readings = Readings(settings)
        self._asking: tuple[tuple[str, ...], CorpusOptions] = ((), CorpusOptions())
        self._settings = settings
        self._jobs = jobs
        self._undo = undo
        self._message = message
        self._runs = runs
        self._active = active
        runs.removed.connect(self._run_removed)

    @property
    def text(self) -> Corpus | None:
        """The open corpus with its text; None if only counts are open."""
        if isinstance(self.current, CountedCorpus):
            return None
        return self.current

    @property
    def counts(self) -> CountedCorpus | None:
        """The counts that are open in place of a corpus, None for a text."""
        if isinstance(self.current, CountedCorpus):
            return self.current
        return None

    @property
    def digest(self) -> str:
        """The digest of the open corpus, "" if none is open."""
        if self.current is None:
            return ""
        return self.current.digest

    def open(
        self, paths: Sequence[str | Path], options: CorpusOptions | None = None, ask: bool = False
    ) -> None:
        """Open files or folders: vector files become runs, the rest one corpus; or one session
        file, or one folder of counts, which then replaces the corpus. Without ``options``, the
        files are read with the options of the last time, or else with the defaults. The last active
        run of the corpus becomes active.

        If no such file exists, a path may be the key of a bundled corpus. With ``ask``, a table of
        several columns becomes ``pending_table`` and is read by ``choose_column``. Outcome:
        ``changed`` and runs of the library, or a message with an error and ``error``.
        """
        wanted = [str(path) for path in paths]
        if not wanted:
            return
        if len(wanted) == 1 and is_session(Path(wanted[0])):
            self.session_file_chosen.emit(Path(wanted[0]))
            return
        first = Path(wanted[0]).name
        if len(wanted) > 1:
            title = tr("Opening {name} and {number} more", name=first, number=len(wanted) - 1)
        else:
            title = tr("Opening {name}", name=first)
        # Each text has its own options: those of the previous text don’t apply.
        absolute_paths = tuple(opening.absolute_path(path) for path in wanted)
        chosen = options
        if options is None:
            chosen = self.readings.of(absolute_paths)
            # The question offers every column again.
            if chosen is not None and ask:
                chosen = chosen.replace(column="")
        self._open(
            title,
            lambda run: opening.open_files(wanted, chosen, run, ask),
            chosen_for=absolute_paths if chosen is not None else (),
        )
        self._asking = (tuple(wanted), chosen or CorpusOptions())

    def choose_column(self, column: str) -> None:
        """Read ``pending_table`` by the name of a column; "" cancels."""
        paths, options = self._asking
        self.pending_table = None
        if column:
            self.open(paths, options.replace(column=column))
        else:
            self.changed.emit()

    def open_sample(self, key: str, options: CorpusOptions | None = None) -> None:
        """Open a bundled corpus by its key in SAMPLES, without ``options`` with the defaults."""
        self._open(
            tr("Opening the bundled corpus"), lambda run: opening.open_bundled(key, run, options)
        )

    def open_known_vectors(self, entry: CatalogueEntry, choice: VectorChoice | None = None) -> None:
        """Open known vectors as a run; download them if they aren't here. Without ``choice``, as
        they were kept last.
        """
        self._open(
            tr("Opening {name}", name=entry.title),
            lambda run: opening.open_known_vectors(entry, choice, run),
        )

    def reopen(self, wanted: RememberedCorpus, keep_shown: bool = False) -> None:
        """Open a corpus again as it was. Outcome: as for ``open``, or ``text_missed``.

        With ``keep_shown`` the active run stays, even if it was trained on another text.
        """
        if wanted.sample:
            title = tr("Opening the bundled corpus")
        else:
            title = tr(
                "Opening {name}", name=wanted.name or Path(wanted.counts or wanted.paths[0]).name
            )
        self._open(title, lambda run: opening.reopen(wanted, run), keep_shown)

    def open_text_of(self, record: RunRecord) -> None:
        """Open the text that a run was trained on, with the same reading options; the run becomes
        the active one.
        """
        wanted = text_of(record)
        if wanted is None:
            self._message.report(
                UserError(
                    tr(
                        "Couldn’t find the corpus of “{name}”: its location is unknown.",
                        name=record.name,
                    ),
                    tr("Open the files of the corpus."),
                )
            )
            return
        if record.has_vectors:
            self._active.show(record)
        self.reopen(wanted)

    def restore(self) -> bool:
        """Reopen the last corpus, or else open the first sample. Return whether a corpus was
        remembered.
        """
        last = opening.parse_remembered(self._settings[OPEN_CORPUS])
        if last is None or (last.missing and not last.digest):
            self.open_sample(first_sample())
            self.restoring = self.opening
            return False
        self.reopen(last)
        self.restoring = self.opening
        # Its vectors load while the text opens; if the text has changed, its own run is shown then.
        self._active.show(self._active.last_for(last.digest))
        return True

    @property
    def questions_path(self) -> Path | None:
        """The question file that belongs to the open corpus, if it is a sample."""
        if self.current is None:
            return None
        key = str(self.current.metadata.get("sample", ""))
        paths = self.source.get("paths") or ()
        if (
            not key
            and paths
            and all(Path(path).parent == resources() / "lessons" for path in paths)
        ):
            # Bundled lesson material uses Small World's words, and is measured by its questions.
            key = FIRST_SAMPLE
        if key in SAMPLES:
            return SAMPLES[key].questions
        return None

    # -- outcome of opening

    def _open(
        self,
        title: str,
        work: Callable[[JobControl], Opened],
        keep_shown: bool = False,
        chosen_for: tuple[str, ...] = (),
    ) -> None:
        if self._jobs.closed:
            return
        self.error = None
        self.pending_table = None
        recorded = self._undo.recording
        self.opening = self._jobs.start(
            title,
            work,
            lambda opened: self._opening_finished(opened, recorded, keep_shown, chosen_for),
            self._opening_failed,
            key=_OPEN,
            cancelled=self._opening_cancelled,
        )
        self.changed.emit()

    def _opening_finished(
        self, opened: Opened, recorded: bool, keep_shown: bool, chosen_for: tuple[str, ...]
    ) -> None:
        self.opening = None
        self.pending_table = opened.columns
        if opened.corpus is not None:
            before, self.current = self.source, opened.corpus
            self.source = opened.to_json()
            self._settings[OPEN_CORPUS] = self.source
            if recorded and before and before != self.source:
                name, there, back = opened.corpus.name, self.source, before
                self._undo.push(
                    tr("opening of “{name}”", name=name),
                    lambda: self._go_back_to(back),
                    lambda: self._go_back_to(there),
                )
        if opened.paths:
            add_recent(self._settings, opened.paths)
            # Where the user didn’t choose options, the text decides again the next time how it is
            # read.
            if (
                chosen_for
                and opened.corpus is not None
                and not isinstance(opened.corpus, CountedCorpus)
            ):
                # Vectors may have been beside them, and public ones are requested by their key.
                for paths in {opened.corpus_paths, opened.paths, chosen_for} - {()}:
                    self.readings.keep(paths, opened.corpus.options)
        last = None
        for name, embeddings in opened.vectors:
            last = self.add_vectors(name, embeddings)
        self.changed.emit()
        shown = self._active.run
        if opened.corpus is not None and not keep_shown and last is None:
            digest = opened.corpus.digest
            if shown is None or shown.corpus_digest != digest:
                self._active.show(self._active.last_for(digest))
        if opened.note:
            self._message.emit(opened.note, "", False)
        if last is not None:
            self._runs.changed.emit()
            self._active.show(last)

    def _go_back_to(self, source: Mapping[str, Any]) -> None:
        wanted = opening.parse_remembered(source)
        if wanted is not None:
            self.reopen(wanted)

    def _opening_failed(self, error: UserError) -> None:
        self.opening = None
        self.error = error
        self.changed.emit()
        if isinstance(error, MissingText):
            self.text_missed.emit(error)
        else:
            self._message.report(error)

    def _opening_cancelled(self) -> None:
        self.opening = None
        self.changed.emit()

    def add_vectors(self, name: str, embeddings: Embeddings) -> RunRecord:
        """Add the vectors of a file to the list of runs."""
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
            colour=free_colour(self._runs),
            state=State.DONE,
            embeddings=embeddings,
            summary=summarise(embeddings),
        )
        self._runs.append(record)
        return record

    def _run_removed(self, record: RunRecord) -> None:
        """Activate another run of the open corpus when the active run was deleted."""
        if self._active.run is not record:
            return
        self._active.run = None
        self._active.show(self._active.last_for(self.digest))
        if self._active.run is None:
            self._active.changed.emit()
