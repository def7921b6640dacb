"""Part of the session that saves and opens session files."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.language import tr, trn
from workbench.core.setting import Setting
from workbench.session.corpus.controller import CorpusController
from workbench.session.corpus.opening import parse_remembered
from workbench.session.corpus.recent_files import add_recent
from workbench.session.files.session_file import (
    Contents,
    OpenedSession,
    corpora_of,
    open_session,
    save_session,
)
from workbench.session.jobs import Jobs
from workbench.session.messages import Messages
from workbench.session.requests import PanelRequests
from workbench.session.runs.active_run import ActiveRun
from workbench.session.runs.run_library import RunLibrary
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import Store
from workbench.session.selection.words import WordSelection
from workbench.session.settings.session_settings import session_settings
from workbench.session.settings.settings_file import Settings

_KEY = "session.file"


def _failures(value: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(message), str(hint)) for message, hint in value)


# Message and hint of each file that couldn't be written when the window closed: the next window
# reports them.
FAILURES = Setting[tuple[tuple[str, str], ...]]("failed.last", _failures, ())


@dataclass(frozen=True)
class SessionContent:
    """The services whose state is in a session file."""

    runs: RunLibrary
    active: ActiveRun
    selection: WordSelection
    corpora: CorpusController


class SessionFiling:
    """Saves and opens session files. Outcome of both: a message; opening also emits
    ``restored``.

    restored : a session file was opened and its settings are in use; carries the state of each
    panel in the file, by the key of the panel
    """

    def __init__(
        self,
        store: Store,
        jobs: Jobs,
        settings: Settings,
        message: Messages,
        content: SessionContent,
        requests: PanelRequests,
    ) -> None:
        self.restored = Signal[Mapping[str, Any]]()
        self._store = store
        self._jobs = jobs
        self._settings = settings
        self._message = message
        self._runs = content.runs
        self._active = content.active
        self._selection = content.selection
        self._corpora = content.corpora
        self._requests = requests
        content.corpora.session_file_chosen.connect(self.open)

    def contents(self, panels: Mapping[str, Any] | None = None) -> Contents:
        """Contents of a file for the current session."""
        corpus, shown = self._corpora.current, self._active.run
        digest = corpus.digest if corpus is not None else ""
        name = corpus.name if corpus is not None else ""
        analogy = self._selection.answered_analogy
        return Contents(
            corpora=tuple(corpora_of(self._records(), self._corpora.source, digest, name)),
            open=digest,
            shown=shown.identifier if shown is not None else "",
            selection=self._selection.words,
            analogy=None if analogy is None else dataclasses.asdict(analogy),
            settings=session_settings(self._settings.all()),
            panels=panels or {},
        )

    def save(self, path: Path, panels: Mapping[str, Any] | None = None) -> None:
        """Write a session file with every run that has vectors; ``panels`` is the state of the
        panels.
        """
        # The records belong to this thread.
        records = [dataclasses.replace(record) for record in self._records()]
        contents = self.contents(panels)
        self._jobs.start(
            tr("Saving {name}", name=path.name),
            lambda run: save_session(path, self._store, records, contents, run),
            lambda _: self._message.emit(tr("Saved the session in {path}.", path=path), "", False),
            self._message.report,
            # Saving to another file must not cancel this one.
            key=f"{_KEY}.{path}",
            # A user who saves and then closes the window wants the file saved.
            lasts=True,
        )

    def open(self, path: Path) -> None:
        """Load the contents of a session file into this session; existing runs stay."""
        self._jobs.start(
            tr("Opening {name}", name=path.name),
            lambda run: open_session(path, self._store, run),
            self._opening_finished,
            self._message.report,
            key=_KEY,
        )

    def take_failures(self) -> list[UserError]:
        """The errors of writing at the end of the last session; reported once."""
        failures = self._settings[FAILURES]
        if failures:
            self._settings[FAILURES] = ()
        return [
            UserError(tr("When the window last closed: {problem}", problem=message), hint)
            for message, hint in failures
        ]

    def remember_failures(self, errors: Sequence[UserError]) -> None:
        """Keep the errors of files that could not be written when the session ended."""
        if errors:
            self._settings[FAILURES] = tuple((error.message, error.hint) for error in errors)

    # -- outcome of opening

    def _records(self) -> list[RunRecord]:
        return [record for record in self._runs if record.has_vectors]

    def _opening_finished(self, opened: OpenedSession) -> None:
        contents = opened.contents
        add_recent(self._settings, [str(opened.path.absolute())])
        known = {record.identifier for record in self._runs}
        new = [record for record in opened.records if record.identifier not in known]
        new += self._from_store([name for name in opened.here if name not in known])
        self._runs.merge(new)
        self._settings.put(contents.settings)
        self._runs.changed.emit()
        self.restored.emit(contents.panels)
        shown = next((record for record in self._runs if record.identifier == contents.shown), None)
        if shown is not None and shown.has_vectors:
            self._active.show(shown)
        self._selection.select(contents.selection)
        analogy = contents.analogy or {}
        a, b, c = (str(analogy.get(name) or "") for name in ("a", "b", "c"))
        if a and b and c:
            self._requests.analogy.emit(a, b, c)
        self._report_opened(opened)
        self._open_corpus(contents)

    def _from_store(self, identifiers: list[str]) -> list[RunRecord]:
        """Runs that another window has added to the store since this session started."""
        if not identifiers:
            return []
        records, _ = self._store.load()
        return [record for record in records if record.identifier in identifiers]

    def _open_corpus(self, contents: Contents) -> None:
        if self._corpora.current is not None and self._corpora.current.digest == contents.open:
            return
        reference = next(
            (corpus for corpus in contents.corpora if corpus.get("digest") == contents.open), None
        )
        if reference is None:
            return
        wanted = parse_remembered(dict(reference))
        if wanted is not None:
            self._corpora.reopen(wanted, keep_shown=True)
        else:
            name = str(reference.get("name", "")) or contents.open
            self._message.report(
                UserError(
                    tr(
                        "Couldn’t find the corpus “{name}”: the session doesn’t state its "
                        "location.",
                        name=name,
                    ),
                    tr("Open the files of the corpus."),
                )
            )

    def _report_opened(self, opened: OpenedSession) -> None:
        name, number, here = opened.path.name, len(opened.records), len(opened.here)
        if opened.problems:
            first = opened.problems[0]
            text = trn(
                "Opened {name} without one of its runs. {first}",
                "Opened {name} without {number} of its runs. {first}",
                len(opened.problems),
                name=name,
                first=first.message,
            )
            self._message.report(UserError(text, first.hint))
            return
        unsaved = sum(not record.stored for record in opened.records)
        came = trn(
            "Opened {name}: {number} run added.",
            "Opened {name}: {number} runs added.",
            number,
            name=name,
        )
        was = trn(
            "Opened {name}: its run was already open.",
            "Opened {name}: its {number} runs were already open.",
            here,
            name=name,
        )
        others = trn(
            "{number} other run was already open.", "{number} other runs were already open.", here
        )
        if number and here:
            text = f"{came} {others}"
        elif here:
            text = was
        else:
            text = came
        hint = ""
        if unsaved:
            hint = tr(
                "These runs couldn’t be saved in the store and will be lost when you close the "
                "window."
            )
        self._message.emit(
            text if number or here else tr("Opened {name}.", name=name), hint, bool(unsaved)
        )
