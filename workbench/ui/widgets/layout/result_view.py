"""A result that is computed in a job, and what is shown in its place meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.jobs import Job
from workbench.ui.base.panel import Notice, Panel
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import without_full_stop
from workbench.ui.widgets.layout.page_stack import PageStack

T = TypeVar("T")
# Seconds for which the earlier content stays, so that it doesn't flicker when a job is short.
PATIENCE = 0.3


@dataclass(frozen=True)
class Request(Generic[T]):
    """What to compute, and how to show it.

    key : everything that the result depends on; an equal key means an equal result. Objects, such
    as corpora and vectors, are equal if they are the same one; numbers and texts by their value.
    title : title of the job in the list of activities
    work : computes the result in a thread; may raise UserError
    show : shows the result, in the window's thread
    doing : what is being done, for the title of the notice
    note_below : whether the job's note is below that title, or takes its place
    patience : seconds until the notice replaces the earlier content
    quiet : whether the job is left out of the list of activities
    hidden : whether the job starts even if the view isn't visible
    """

    key: tuple[object, ...]
    title: str
    work: Callable[[JobControl], T]
    show: Callable[[T], None]
    doing: str
    note_below: bool = True
    patience: float = PATIENCE
    quiet: bool = False
    hidden: bool = False


class ResultSurface:
    """A place that shows a result, or a notice in its place: the progress of the job that computes
    it, a failure, or what is missing.

    ``ask`` starts the job as soon as the place is visible. A request with the key of the one that
    is waiting, computed or shown changes nothing; any other drops the earlier job.

    job_key : key of the jobs, that of the panel or one below it
    """

    def __init__(self, panel: Panel, job_key: str) -> None:
        self._jobs = panel.session.jobs
        self._job_key = job_key
        self._request: Request[Any] | None = None
        self._job: Job[Any] | None = None
        # What to do once the place is visible.
        self._pending: Callable[[], None] | None = None
        self._began = 0.0
        self._drawn: tuple[float | None, str] | None = None
        self._clear: Callable[[], None] = _nothing
        self._failed: Callable[[UserError], UserError | None] = _unchanged
        self._cancelled: Callable[[], None] = self._show_cancelled
        self._cancelled_text = (tr("The computation was cancelled"), "")
        self._cancel = QAction(menu_text(tr("Cancel")), panel)
        self._cancel.triggered.connect(self.cancel)
        self._again = QAction(menu_text(tr("Compute again")), panel)
        panel.on_tick(self.follow_job)

    # -- the place

    def is_seen(self) -> bool:
        """Whether the place is visible."""
        raise NotImplementedError

    def show_content(self) -> None:
        """Show the place for results, without a notice."""
        raise NotImplementedError

    def show_notice(
        self,
        title: str,
        hint: str,
        *,
        action: QAction | None = None,
        fraction: float | None = None,
        busy: bool = False,
        is_error: bool = False,
    ) -> None:
        """Show a notice in place of the content."""
        raise NotImplementedError

    # -- how a panel differs

    def on_clear(self, slot: Callable[[], None]) -> None:
        """Call ``slot`` before a message takes the place of the content: it belongs to an older
        request.
        """
        self._clear = slot

    def on_failed(self, slot: Callable[[UserError], UserError | None]) -> None:
        """Call ``slot`` with the error of a job; it returns the error to show, or None if it has
        shown something else or asked for something else.
        """
        self._failed = slot

    def on_cancelled(self, slot: Callable[[], None]) -> None:
        """Call ``slot`` when a job was cancelled, instead of showing a message."""
        self._cancelled = slot

    def offer_again(
        self, slot: Callable[[], None], button: str = "", title: str = "", hint: str = ""
    ) -> None:
        """After a job was cancelled, show a message with a button that calls ``slot``, which asks
        again. Empty texts are the usual ones.
        """
        if button:
            self._again.setText(menu_text(button))
        if title:
            self._cancelled_text = (title, hint)
        self._again.triggered.connect(slot)

    # -- requests

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._job is not None

    def ask(self, request: Request[T]) -> None:
        """Compute and show this instead of anything else, once the place is visible."""
        if self._request is not None and _is_same(self._request.key, request.key):
            return
        self.forget()
        self._request = request
        if request.hidden or self.is_seen():
            self._start(request)
        else:
            self._pending = lambda: self._start(request)

    def when_seen(self, ask: Callable[[], None]) -> None:
        """Drop the job and the request, and call ``ask`` once the place is visible: for requests
        that take time to put together.
        """
        self.forget()
        self._pending = ask
        self.start_if_seen()

    def start_if_seen(self) -> None:
        """Start what waits for the place to be visible."""
        pending = self._pending
        if pending is not None and self.is_seen():
            self._pending = None
            pending()

    def forget(self) -> None:
        """Drop the job and the request; what is shown stays."""
        self._jobs.drop(self._job_key)
        self._job = None
        self._request = None
        self._pending = None

    def cancel(self) -> None:
        """Drop the job, and show that it was cancelled."""
        self.forget()
        self._cancelled()

    def _start(self, request: Request[Any]) -> None:
        self._began = time.monotonic()
        self._drawn = None
        self._job = self._jobs.start(
            request.title,
            request.work,
            lambda result: self._finish(request, result),
            self._fail,
            key=self._job_key,
            quiet=request.quiet,
            # The list of activities can cancel it, too.
            cancelled=self.cancel,
        )
        if request.patience <= 0.0:
            self._draw_progress(request, self._job)

    def _finish(self, request: Request[T], result: T) -> None:
        self._job = None
        self.show_content()
        request.show(result)

    def _fail(self, error: UserError) -> None:
        self._job = None
        self._request = None
        shown = self._failed(error)
        if shown is not None:
            self.show_error(shown)

    # -- what is shown

    def show_message(
        self, title: str, hint: str, action: QAction | None = None, *, busy: bool = False
    ) -> None:
        """Show what is missing, or what is being waited for, and drop the request."""
        self.forget()
        self._clear()
        self.show_notice(title, hint, action=action, busy=busy)

    def show_error(self, error: UserError) -> None:
        """Show a problem and its solution, and drop the request."""
        self.forget()
        self._clear()
        self.show_notice(error.message, error.hint, is_error=True)

    def follow_job(self) -> None:
        """Called at every tick: show the progress of a job that takes longer than its patience."""
        request, job = self._request, self._job
        if request is None or job is None or not self.is_seen():
            return
        if time.monotonic() - self._began >= request.patience:
            self._draw_progress(request, job)

    def _draw_progress(self, request: Request[Any], job: Job[Any]) -> None:
        progress = job.run.progress
        if self._drawn == (progress.fraction, progress.note):
            return
        self._drawn = (progress.fraction, progress.note)
        title, hint = request.doing, progress.note
        if not request.note_below:
            title, hint = f"{without_full_stop(progress.note) or request.doing} …", ""
        self.show_notice(title, hint, fraction=progress.fraction, busy=True, action=self._cancel)

    def _show_cancelled(self) -> None:
        self.show_message(*self._cancelled_text, self._again)


class ResultView(ResultSurface, PageStack):
    """Two pages: the content of a panel or of one of its pages, and the notice in its place.

    name : object name of the notice
    """

    def __init__(self, panel: Panel, job_key: str, name: str, content: QWidget) -> None:
        self.content = content
        self.notice = Notice(name)
        PageStack.__init__(self, content, self.notice)
        ResultSurface.__init__(self, panel, job_key)

    def is_seen(self) -> bool:
        return self.isVisible()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.start_if_seen()

    @property
    def lack(self) -> str:
        """What the notice in place of the content says; "" while the content is shown."""
        return self.notice.title if self.currentWidget() is self.notice else ""

    def show_content(self) -> None:
        self.setCurrentWidget(self.content)

    def show_notice(
        self,
        title: str,
        hint: str,
        *,
        action: QAction | None = None,
        fraction: float | None = None,
        busy: bool = False,
        is_error: bool = False,
    ) -> None:
        self.notice.set_content(
            title, hint, action=action, fraction=fraction, busy=busy, is_error=is_error
        )
        self.setCurrentWidget(self.notice)


def _is_same(key: object, other: object) -> bool:
    """Whether two keys, or parts of them, mean the same: arrays can’t be compared at once."""
    if isinstance(key, tuple) and isinstance(other, tuple):
        return len(key) == len(other) and all(map(_is_same, key, other))
    if isinstance(key, (str, int, float)) and type(key) is type(other):
        return key == other
    return key is other


def _nothing() -> None:
    pass


def _unchanged(error: UserError) -> UserError:
    return error
