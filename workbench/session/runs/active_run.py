"""Active run of the session and the loading of its vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord, State
from workbench.vectors.embeddings import Embeddings

if TYPE_CHECKING:
    from workbench.session.session import Session

_SHOW = "session.show"
# By the digest of a corpus the identifier of the run that was looked at last.
_LAST, _MOST = "runs.looked_at", 200


class ActiveRunController:
    """A part of the session. ``active_run`` is the run that all panels show."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.active_run: RunRecord | None = None

    def show(self, record: RunRecord | None) -> None:
        if record is self.active_run and (record is None or record.embeddings is not None):
            return
        session = self._session
        self.active_run = record
        self._remember(record)
        if record is not None:
            session.room.looked_at(record)
        session.room.give(session.runs, record)
        if record is not None and record.embeddings is None and record.stored:
            session.jobs.start(
                tr("Loading {name}", name=record.name),
                lambda run: session.store.vectors(record.identifier),
                lambda embeddings: self._vectors_loaded(record, embeddings),
                lambda error: self._loading_failed(record, error),
                key=_SHOW,
                quiet=True,
            )
        session.shown_changed.emit()

    def last(self, digest: str) -> RunRecord | None:
        """Of the runs of a corpus the one looked at last, else the newest that can be looked at."""
        here = [
            record
            for record in self._session.runs
            if record.has_vectors and record.corpus_digest == digest
        ]
        wanted = self._remembered_runs().get(digest)
        return next(
            (record for record in here if record.identifier == wanted),
            here[-1] if here and digest else None,
        )

    def _remember(self, record: RunRecord | None) -> None:
        if record is None or not record.stored or not record.corpus_digest:
            return
        others = {
            digest: run
            for digest, run in self._remembered_runs().items()
            if digest != record.corpus_digest
        }
        latest = {record.corpus_digest: record.identifier, **others}
        self._session.settings.set(_LAST, dict(list(latest.items())[:_MOST]))

    def _remembered_runs(self) -> dict[str, str]:
        kept = self._session.settings.get(_LAST, {})
        if isinstance(kept, dict):
            return kept
        return {}

    def _vectors_loaded(self, record: RunRecord, embeddings: Embeddings) -> None:
        record.embeddings = embeddings
        if self.active_run is record:
            self._session.shown_changed.emit()

    def _loading_failed(self, record: RunRecord, error: UserError) -> None:
        record.state = State.FAILED
        record.error = error
        record.stored = False
        self._session.runs_changed.emit()
        if self.active_run is record:
            self._session.shown_changed.emit()
        self._session.say(error)
