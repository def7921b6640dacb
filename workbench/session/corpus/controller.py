"""Part of the session that opens corpora."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.paths import resources
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.text_sample import Columns
from workbench.corpus.samples import SAMPLES
from workbench.counts.counts_corpus import CountedCorpus
from workbench.session.corpus import opening
from workbench.session.corpus.opening import MissingText, Opened, RememberedCorpus
from workbench.session.files.session_archive import is_session
from workbench.session.jobs import Job
from workbench.session.readings import Readings
from workbench.session.runs.names import free_colour
from workbench.session.runs.run_record import RunRecord, State, new_identifier, now
from workbench.session.training.job import summarise
from workbench.vectors.embeddings import Embeddings

if TYPE_CHECKING:
    from workbench.session.session import Session

FIRST_SAMPLE = "small-world"
_OPEN = "session.open"


class CorpusController:
    """Belongs to the session's thread. Outcomes are told by the session's signals.

    corpus : what is open; source : how it is opened again (``Opened.to_json``)
    job : the opening that is under way; error : why the last one failed
    asked : the table to be opened, of which a column must be chosen first
    """

    def __init__(self, session: Session) -> None:
        self.corpus: Corpus | None = None
        self.source: Mapping[str, Any] = {}
        self.job: Job[Opened] | None = None
        self.error: UserError | None = None
        self.pending_table: Columns | None = None
        self.readings = Readings(session.settings)
        self._asking: tuple[tuple[str, ...], CorpusOptions] = ((), CorpusOptions())
        self._session = session

    def open(self, paths: Sequence[str | Path], options: CorpusOptions | None, ask: bool) -> None:
        wanted = [str(path) for path in paths]
        if not wanted:
            return
        if len(wanted) == 1 and is_session(Path(wanted[0])):
            self._session.files.open(Path(wanted[0]))
            return
        first = Path(wanted[0]).name
        if len(wanted) > 1:
            title = tr("Opening {name} and {number} more", name=first, number=len(wanted) - 1)
        else:
            title = tr("Opening {name}", name=first)
        # Each text by its own choices: those of the one before are none of its business.
        asked = tuple(opening.absolute_path(path) for path in wanted)
        chosen = options
        if options is None:
            chosen = self.readings.of(asked)
            # The question offers every column again.
            if chosen is not None and ask:
                chosen = chosen.replace(column="")
        self._open(
            title,
            lambda run: opening.open_files(wanted, chosen, run, ask),
            chosen_for=asked if chosen is not None else (),
        )
        self._asking = (tuple(wanted), chosen or CorpusOptions())

    def answer(self, column: str) -> None:
        paths, options = self._asking
        self.pending_table = None
        if column:
            self.open(paths, options.replace(column=column), False)
        else:
            self._session.corpus_changed.emit()

    def open_sample(self, key: str, options: CorpusOptions | None = None) -> None:
        self._open(
            tr("Opening the bundled corpus"), lambda run: opening.open_bundled(key, run, options)
        )

    def reopen(self, wanted: RememberedCorpus, keep_shown: bool = False) -> None:
        if wanted.sample:
            title = tr("Opening the bundled corpus")
        else:
            title = tr(
                "Opening {name}", name=wanted.name or Path(wanted.counts or wanted.paths[0]).name
            )
        self._open(title, lambda run: opening.reopen(wanted, run), keep_shown)

    def restore(self) -> bool:
        last = opening.parse_remembered(self._session.settings.get("corpus"))
        if last is None or (last.missing and not last.digest):
            self._session.open_sample(FIRST_SAMPLE)
            return False
        self._session.reopen(last)
        # Its vectors are read while the text is opened; another one that comes of it shows its own.
        self._session.show(self._session.last_looked_at(last.digest))
        return True

    @property
    def questions_path(self) -> Path | None:
        if self.corpus is None:
            return None
        key = str(self.corpus.metadata.get("sample", ""))
        paths = self._session.source.get("paths") or ()
        if (
            not key
            and paths
            and all(Path(path).parent == resources() / "lessons" for path in paths)
        ):
            # What lessons bring along is made of Small World's words, and measured by its
            # questions.
            key = FIRST_SAMPLE
        if key in SAMPLES:
            return SAMPLES[key].questions
        return None

    # -- what comes of it

    def _open(
        self,
        title: str,
        work: Callable[[JobControl], Opened],
        keep_shown: bool = False,
        chosen_for: tuple[str, ...] = (),
    ) -> None:
        session = self._session
        if session.closed:
            return
        self.error = None
        self.pending_table = None
        recorded = session.undo.recording
        self.job = session.jobs.start(
            title,
            work,
            lambda opened: self._opening_finished(opened, recorded, keep_shown, chosen_for),
            self._opening_failed,
            key=_OPEN,
            cancelled=self._opening_cancelled,
        )
        session.corpus_changed.emit()

    def _opening_finished(
        self, opened: Opened, recorded: bool, keep_shown: bool, chosen_for: tuple[str, ...]
    ) -> None:
        session = self._session
        self.job = None
        self.pending_table = opened.columns
        if opened.corpus is not None:
            before, self.corpus = self.source, opened.corpus
            self.source = opened.to_json()
            session.settings.set("corpus", self.source)
            if recorded and before and before != self.source:
                name, there, back = opened.corpus.name, self.source, before
                session.undo.push(
                    tr("opening of “{name}”", name=name),
                    lambda: self._go_back_to(back),
                    lambda: self._go_back_to(there),
                )
        if opened.paths:
            session.settings.add_recent(list(opened.paths))
            # Where nobody chose anything, the text says the next time, too, how it is best read.
            if (
                chosen_for
                and opened.corpus is not None
                and not isinstance(opened.corpus, CountedCorpus)
            ):
                # Vectors may have lain beside them, and public ones are asked for by their key.
                for paths in {opened.corpus_paths, opened.paths, chosen_for} - {()}:
                    self.readings.keep(paths, opened.corpus.options)
        last = None
        for name, embeddings in opened.vectors:
            last = self.add_vectors(name, embeddings)
        session.corpus_changed.emit()
        shown = session.active_run
        if opened.corpus is not None and not keep_shown and last is None:
            digest = opened.corpus.digest
            if shown is None or shown.corpus_digest != digest:
                session.show(session.last_looked_at(digest))
        if opened.note:
            session.message.emit(opened.note, "", False)
        if last is not None:
            session.runs_changed.emit()
            session.show(last)

    def _go_back_to(self, source: Mapping[str, Any]) -> None:
        wanted = opening.parse_remembered(source)
        if wanted is not None:
            self._session.reopen(wanted)

    def _opening_failed(self, error: UserError) -> None:
        self.job = None
        self.error = error
        self._session.corpus_changed.emit()
        if isinstance(error, MissingText):
            self._session.text_missed.emit(error)
        else:
            self._session.say(error)

    def _opening_cancelled(self) -> None:
        self.job = None
        self._session.corpus_changed.emit()

    def add_vectors(self, name: str, embeddings: Embeddings) -> RunRecord:
        """Vectors of a file as a run of the list."""
        corpus = embeddings.metadata.get("corpus")
        if isinstance(corpus, Mapping):
            known = corpus
        else:
            known = {}
        record = RunRecord(
            identifier=new_identifier(),
            name=name,
            algorithm="",
            parameters={},
            corpus_name=str(known.get("name", "")),
            corpus_digest=str(known.get("digest", "")),
            created=now(),
            colour=free_colour(self._session.runs),
            state=State.DONE,
            embeddings=embeddings,
            summary=summarise(embeddings),
        )
        self._session.runs.append(record)
        return record
