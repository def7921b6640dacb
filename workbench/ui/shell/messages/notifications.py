"""Desktop notifications when a long task ends while no window is active."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon

from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.session.jobs import Job
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.plain_text import plain_text
from workbench.ui.base.text import duration

NOTICES = Setting("notices", bool, True, label=tr("Notify when long tasks finish"))
# Minimum duration of a long task, in seconds.
LONG = 20.0


class _Work(NamedTuple):
    job: Job[Any]
    since: float
    record: RunRecord | None


class NotifiedWindow(QMainWindow):
    """A window that can show a notification. ``context`` is that of its panels."""

    context: Any

    def bring_to_front(self) -> None:
        self.show()
        self.raise_()
        self.activateWindow()

    def notify(self, title: str, text: str, panel: str) -> None:
        """Show a notification that leads to a panel, and request attention."""
        raise NotImplementedError


class Notices:
    """Watches the session's jobs, including trainings. Only while none of the windows is active, it
    notifies by the system's tray if there is one, by requesting attention, and by a toast in the
    first window.

    Jobs are checked whenever they change; by then, jobs that end in the pump are known.
    """

    def __init__(
        self,
        windows: Sequence[NotifiedWindow],
        panels: Container[str],
        session: Session,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._windows = windows
        self._panels = panels
        self._session = session
        self._clock = clock
        self._began: dict[int, _Work] = {}
        self._tray: QSystemTrayIcon | None = None
        session.jobs.changed.connect(self._check_jobs)

    def release(self) -> None:
        self._session.jobs.changed.disconnect(self._check_jobs)
        if self._tray is not None:
            self._tray.hide()
            self._tray = None

    @property
    def is_enabled(self) -> bool:
        return self._session.settings[NOTICES]

    # -- ended jobs

    def _check_jobs(self) -> None:
        active = {id(job): job for job in self._session.jobs.active}
        ended = [work for key, work in self._began.items() if key not in active]
        self._began = {
            key: self._began.get(key) or self._watch_job(job) for key, job in active.items()
        }
        for work in ended:
            seconds = self._clock() - work.since
            # Quiet jobs of panels, too, as a map of many words takes long. Other quiet jobs are
            # internal to the session.
            unasked = work.job.quiet and _panel_of(work.job) not in self._panels
            unasked = unasked or work.job is self._session.corpora.restoring
            if seconds >= LONG and not (
                unasked or work.job.superseded or work.job.run.is_cancelled
            ):
                self._work_ended(work, seconds)

    def _watch_job(self, job: Job[Any]) -> _Work:
        record = next((record for record in self._session.runs if record.run is job.run), None)
        return _Work(job, self._clock(), record)

    def _work_ended(self, work: _Work, seconds: float) -> None:
        took = tr("It took {seconds}.", seconds=duration(seconds))
        error = work.job.error
        if work.record is not None:
            name, error = work.record.name, work.record.error or error
            loss = work.record.final_loss
            tells = took if loss is None else tr("{took} Loss: {loss:.4g}.", took=took, loss=loss)
            panel = "train" if error is not None else "map"
            done = tr("{name} has finished training", name=name)
        else:
            name, tells, panel = work.job.title, took, _panel_of(work.job)
            done = tr("{name}: done", name=name)
        if error is not None:
            self._notify(f"{name}: {error.message}", error.hint, panel)
        else:
            self._notify(done, tells, panel)

    # -- notifications

    def _notify(self, title: str, text: str, panel: str) -> None:
        windows = self._windows
        if not self.is_enabled or not windows or any(window.isActiveWindow() for window in windows):
            return
        windows[0].notify(title, text, panel)
        tray = self._icon()
        if tray is not None:
            tray.show()
            tray.showMessage(plain_text(title), plain_text(text), QApplication.windowIcon())

    def _show_first(self) -> None:
        for window in self._windows[:1]:
            window.bring_to_front()

    def _icon(self) -> QSystemTrayIcon | None:
        """The system’s own notifications, if available."""
        if (
            self._tray is None
            and QSystemTrayIcon.isSystemTrayAvailable()
            and QSystemTrayIcon.supportsMessages()
        ):
            self._tray = QSystemTrayIcon(QApplication.windowIcon())
            self._tray.messageClicked.connect(self._show_first)
        return self._tray


def _panel_of(job: Job[Any]) -> str:
    """The first part of the job's key, which is the key of the panel that started it, if one
    did.
    """
    return job.key.partition(".")[0]
