"""Queued trainings of an earlier process: kept while they wait, offered at the next start."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.language import tr, trn
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.corpus.opening import parse_remembered
from workbench.session.recovery.queue_files import Waited, WaitedFiles
from workbench.session.runs.names import unused_name
from workbench.session.training.from_counts import counts_behind
from workbench.session.training.job import TrainingRequest

if TYPE_CHECKING:
    from workbench.session.session import Session

# Seconds between two writings: a grid of short trainings would write all the time.
_BETWEEN = 1.0


@dataclass(frozen=True)
class Left:
    """Trainings on one corpus that one process has left, in the order of its queue."""

    path: Path
    entries: tuple[Waited, ...]

    @property
    def corpus_name(self) -> str:
        return self.entries[0].corpus_name

    @property
    def corpus_digest(self) -> str:
        return self.entries[0].corpus_digest


class Waiting:
    """Of a session; belongs to its thread. ``changed()`` is emitted when what is offered is other
    than before.

    left : what is offered, the oldest first
    problems : what was damaged
    """

    def __init__(self, session: Session) -> None:
        self.changed = Signal()
        self._session = session
        self._files = WaitedFiles(session.store.folder)
        self._requests: list[TrainingRequest] = []
        self._written: list[Waited] = []
        self._at = 0.0
        # What is trained once its corpus is open.
        self._wanted: Left | None = None
        self._discarded: list[Left] = []
        found, self.problems = self._files.find_abandoned()
        self.left = [
            left
            for path, entries in found.items()
            for left in _by_corpus(path, self._without_resumed(path, entries))
        ]
        session.corpus_changed.connect(self._corpus_changed)

    # -- what this session has in its queue

    def add(self, requests: Sequence[TrainingRequest]) -> None:
        """They wait from now on."""
        self._requests += requests

    def tick(self, *, now: bool = False) -> None:
        """Keep what has not ended, in its order; ``now`` also if something was kept just before."""
        if not self._requests and not self._written:
            return
        if not now and time.monotonic() - self._at < _BETWEEN:
            return
        self._requests = [
            request
            for request in self._requests
            if not (request.record.state.over or request.record.discarded)
        ]
        order = {id(record): at for at, record in enumerate(self._session.queue.waiting)}
        # What is under way comes first: it is offered if no state of it is found.
        entries = [
            Waited.of(each)
            for each in sorted(self._requests, key=lambda each: order.get(id(each.record), -1))
        ]
        if entries != self._written:
            self._files.keep(entries)
            self._written, self._at = entries, time.monotonic()

    def close(self) -> None:
        """The session has ended: what waited when ``tick`` was last called is for the next."""
        self._files.close()

    # -- what others have left

    def train(self, left: Left) -> None:
        """Put them into the queue, on their corpus, which is opened where another one is."""
        session = self._session
        source = left.entries[0].source
        try:
            if session.corpus is not None and session.corpus.digest == left.corpus_digest:
                self._enqueue(left, session.corpus)
                return
            counted = counts_behind(source)
            if counted is not None:
                self._enqueue(left, counted)
                return
        except UserError as error:
            self._report_error(error)
            return
        wanted = parse_remembered({**source, "digest": left.corpus_digest})
        if wanted is None:
            self._report_error(
                UserError(
                    tr(
                        "Where {corpus} lies, on which they waited to be trained, is not known.",
                        corpus=left.corpus_name,
                    ),
                    tr("Open it, then choose Train again."),
                )
            )
            return
        self._wanted = left
        session.reopen(wanted)

    def discard(self, left: Left) -> bool:
        """Forget them, and say whether that went well; ``undiscard`` brings the last ones back."""
        try:
            self._files.take(left.path, left.entries)
        except UserError as error:
            self._report_error(error)
            return False
        self._discarded.append(left)
        self._drop(left)
        return True

    def undiscard(self) -> None:
        if not self._discarded:
            return
        left = self._discarded.pop()
        try:
            self._files.put_back(left.path, left.entries)
        except UserError as error:
            self._report_error(error)
            return
        self.left.append(left)
        self.changed.emit()

    def _enqueue(self, left: Left, corpus: Corpus) -> None:
        taken = self._files.take(left.path, left.entries)
        self._drop(left)
        problems: list[UserError] = []
        requests: list[TrainingRequest] = []
        for entry in taken:
            try:
                requests.append(self._request(entry, corpus))
            except UserError as error:
                problems.append(error)
        if requests:
            self._session.trainings.enqueue(requests)
            # They are in no other file any more.
            self.tick(now=True)
        if not taken:
            self._report_error(
                UserError(
                    tr("These trainings are no longer there."),
                    tr("Another window may have taken them meanwhile."),
                )
            )
        elif problems:
            told = trn(
                "{number:,} training cannot be made again: {message}",
                "{number:,} trainings cannot be made again: {message}",
                len(problems),
                message=problems[0].message,
            )
            self._report_error(UserError(told, problems[0].hint))

    def _request(self, entry: Waited, corpus: Corpus) -> TrainingRequest:
        """Raises UserError where its algorithm, its settings or the run it goes on from are not
        there any more.
        """
        session = self._session
        kind = MODELS[entry.algorithm]
        params = kind.params_type.from_mapping(entry.parameters)
        parent = None
        if entry.parent:
            parent = next((run for run in session.runs if run.identifier == entry.parent), None)
            if parent is None:
                raise UserError(
                    tr(
                        "The run that “{name}” was to go on from is no longer there.",
                        name=entry.name,
                    ),
                    tr("Train it from the beginning."),
                )
            session.parent_of(parent).check(corpus)
        return session.trainings.request(
            kind,
            params,
            unused_name(entry.name, session.runs),
            corpus,
            entry.source,
            show=entry.show,
            parent=parent,
            origin=entry.origin,
            group=entry.group,
        )

    def _corpus_changed(self) -> None:
        session = self._session
        if self._wanted is None or session.opening is not None:
            return
        left, self._wanted = self._wanted, None
        corpus = session.corpus
        if session.open_error is not None or corpus is None:
            return
        if corpus.digest != left.corpus_digest:
            self._report_error(
                UserError(
                    tr(
                        "{corpus} is not the text any more on which they waited to be trained.",
                        corpus=corpus.name,
                    ),
                    tr("Nothing was trained; they are still offered."),
                )
            )
            return
        try:
            self._enqueue(left, corpus)
        except UserError as error:
            self._report_error(error)

    def _without_resumed(self, path: Path, entries: Sequence[Waited]) -> list[Waited]:
        """Without those of which more was kept: states, which are offered, or the run itself. They
        are taken out of the file, or would be offered once the states are discarded.
        """
        session = self._session
        begun = {entry.identifier for entry in session.interrupted.entries}
        more = [
            each
            for each in entries
            if each.identifier in begun or session.store.holds(each.identifier)
        ]
        if more:
            with suppress(UserError):
                self._files.take(path, more)
        return [entry for entry in entries if entry not in more]

    def _drop(self, left: Left) -> None:
        self.left = [other for other in self.left if other is not left]
        self.changed.emit()

    def _report_error(self, error: UserError) -> None:
        self._session.message.emit(error.message, error.hint, True)


def _by_corpus(path: Path, entries: Sequence[Waited]) -> list[Left]:
    corpora: dict[str, list[Waited]] = {}
    for entry in entries:
        corpora.setdefault(entry.corpus_digest, []).append(entry)
    return [Left(path, tuple(found)) for found in corpora.values()]
