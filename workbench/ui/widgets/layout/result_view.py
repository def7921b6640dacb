"""A result that is computed in a job, and what is shown in its place meanwhile."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Generic, TypeVar

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.core.errors import PassingError, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.jobs import Job, Jobs
from workbench.ui.base.notice import Notice, NoticeText
from workbench.ui.base.panel import Panel
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import without_full_stop
from workbench.ui.widgets.layout.page_stack import PageStack

T = TypeVar("T")
# Seconds for which the earlier content stays, so that it doesn't flicker when a job is short.
PATIENCE = 0.3
_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Request(Generic[T]):
    """What to compute, and how to show it.

    key : everything that the result depends on; an equal key means an equal result. Numbers, texts
    and frozen records are compared by value; other objects, such as corpora and vectors, are equal
    if they are the same one.
    title : title of the job in the list of activities
    work : computes the result in a thread; may raise UserError
    show : shows the result, in the window's thread
    doing : what is being done, for the title of the notice
    note_below : whether the job's note is below that title, or takes its place
    patience : seconds until the notice replaces the earlier content
    quiet : whether the job is left out of the list of activities
    hidden : whether the job starts even if the view isn't visible
    failed : answers an error of this request, in place of the slot of ``on_failed``
    """

    key: tuple[object, ...]
    title: str
    work: Callable[[JobControl], T]
    show: Callable[[T], None]
    doing: str = ""
    note_below: bool = True
    patience: float = PATIENCE
    quiet: bool = False
    hidden: bool = False
    failed: Callable[[UserError], UserError | None] | None = None


class ResultJob:
    """Asks for results of one kind, and computes one at a time.

    ``ask`` starts the job at once, or as soon as the place of the results is visible. A request
    with the key of the one that is waiting, computed or shown changes nothing; any other drops the
    earlier job. What is shown stays until the result arrives; a failure is ignored unless
    ``on_failed`` answers it.

    job_key : key of the panel or one below it; that of the jobs is below it, because another view
    of the session has the same panels
    seen : whether the place of the results is visible; None: it always is. Call ``start_if_seen``
    when it becomes visible.
    """

    def __init__(self, jobs: Jobs, job_key: str, seen: Callable[[], bool] | None = None) -> None:
        self._jobs = jobs
        self._job_key = f"{job_key}.{next(_NUMBERS)}"
        self._seen = seen
        self._request: Request[Any] | None = None
        self._job: Job[Any] | None = None
        # What to do once the place is visible.
        self._pending: Callable[[], None] | None = None
        self._failed: Callable[[UserError], UserError | None] = _unchanged
        self._cancelled: Callable[[], None] = _nothing

    def is_seen(self) -> bool:
        """Whether the place of the results is visible."""
        return self._seen is None or self._seen()

    def on_failed(self, slot: Callable[[UserError], UserError | None]) -> None:
        """Call ``slot`` with the error of a job; it returns the error to show, or None if it has
        shown something else or asked for something else.
        """
        self._failed = slot

    def on_cancelled(self, slot: Callable[[], None]) -> None:
        """Call ``slot`` when a job was cancelled."""
        self._cancelled = slot

    @property
    def busy(self) -> bool:
        """Whether a job is running; none is that a panel dropped with all of its own."""
        return self._job is not None and not self._job.superseded

    @property
    def running(self) -> JobControl | None:
        """The running job, for its progress and what it published; None without a job."""
        return self._job.run if self._job is not None and self.busy else None

    def ask(self, request: Request[T]) -> bool:
        """Compute and show this instead of anything else, once the place is visible. Returns
        whether it's another request than the last one.
        """
        lost = self._job is not None and not self.busy
        if not lost and self._request is not None and _is_same(self._request.key, request.key):
            return False
        self.forget()
        self._request = request
        if request.hidden or self.is_seen():
            self._start(request)
        else:
            self._pending = lambda: self._start(request)
        return True

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
        """Drop the job, as the user asked for it. The same request doesn't start it again, unless
        it is forgotten.
        """
        request = self._request
        self.forget()
        self._request = request
        self._cancelled()

    def relabel(self, key: tuple[object, ...]) -> None:
        """Take the result that is shown for that of another key, too, such as that of the same
        words after empty fields were filled.
        """
        if self._request is not None:
            self._request = replace(self._request, key=key)

    def _start(self, request: Request[Any]) -> None:
        self._job = self._jobs.start(
            request.title,
            request.work,
            lambda result: self._finish(request, result),
            lambda error: self._fail(request, error),
            key=self._job_key,
            quiet=request.quiet,
            # The list of activities can cancel it, too.
            cancelled=self.cancel,
        )

    def _finish(self, request: Request[T], result: T) -> None:
        self._job = None
        # Now only its key counts: what it was computed from may be large.
        if self._request is request:
            self._request = replace(request, work=_nothing, show=_nothing, failed=None)
        request.show(result)

    def _fail(self, request: Request[Any], error: UserError) -> None:
        self._job = None
        self._request = None
        shown = (request.failed or self._failed)(error)
        if shown is not None:
            self.show_error(shown)

    def show_error(self, error: UserError) -> None:
        """Show a problem and its solution, where there is a place for it."""


class ResultSurface(ResultJob):
    """A place that shows a result, or a notice in its place: the progress of the job that computes
    it, a failure, or what is missing.
    """

    def __init__(self, panel: Panel, job_key: str) -> None:
        super().__init__(panel.session.jobs, job_key)
        self._began = 0.0
        self._drawn: tuple[float | None, str] | None = None
        self._clear: Callable[[], None] = _nothing
        # The request that failed, which can be asked for again.
        self._retried: Request[Any] | None = None
        self._cancelled = lambda: self.show_cancelled(*self._cancelled_text, self._again)
        self._cancelled_text = (tr("The computation was cancelled"), "")
        self._cancel = QAction(menu_text(tr("Cancel")), panel)
        self._cancel.triggered.connect(self.cancel)
        self._again = QAction(menu_text(tr("Compute again")), panel)
        self._again.triggered.connect(self._ask_again)
        panel.on_tick(self.follow_job)

    # -- the place

    def is_seen(self) -> bool:
        raise NotImplementedError

    def show_content(self) -> None:
        """Show the place for results, without a notice."""
        raise NotImplementedError

    def show_notice(self, notice: NoticeText) -> None:
        """Show a notice in place of the content."""
        raise NotImplementedError

    # -- how a panel differs

    def on_clear(self, slot: Callable[[], None]) -> None:
        """Call ``slot`` before a message takes the place of the content: it belongs to an older
        request.
        """
        self._clear = slot

    def describe_cancelled(self, title: str, hint: str, button: str) -> None:
        """Say this after a job was cancelled, with this text on the button that computes it
        again, which also follows a failure that may pass.
        """
        self._cancelled_text = (title, hint)
        self._again.setText(menu_text(button))

    def _ask_again(self) -> None:
        request = self._request or self._retried
        if request is not None:
            self.forget()
            self.ask(request)

    def forget(self) -> None:
        super().forget()
        self._retried = None

    def _fail(self, request: Request[Any], error: UserError) -> None:
        self._retried = request
        super()._fail(request, error)

    def _start(self, request: Request[Any]) -> None:
        self._began = time.monotonic()
        self._drawn = None
        super()._start(request)
        if request.patience <= 0.0:
            self.follow_job()

    def _finish(self, request: Request[T], result: T) -> None:
        self.show_content()
        super()._finish(request, result)

    # -- what is shown

    def show_message(
        self, title: str, hint: str, action: QAction | None = None, *, busy: bool = False
    ) -> None:
        """Show what is missing, or what is being waited for, and drop the request."""
        self.forget()
        self._clear()
        self.show_notice(NoticeText(title, hint, action, busy=busy))

    def show_error(self, error: UserError) -> None:
        """Show a problem and its solution, and drop the request. After a failed job whose problem
        may pass, a button computes it again.
        """
        retried = self._retried if isinstance(error, PassingError) else None
        self.forget()
        self._clear()
        self._retried = retried
        again = None if retried is None else self._again
        self.show_notice(NoticeText(error.message, error.hint, again, is_error=True))

    def follow_job(self) -> None:
        """Called at every tick: show the progress of a job that takes longer than its patience."""
        request, job = self._request, self._job
        if request is None or job is None:
            return
        if request.patience > 0.0 and not self.is_seen():
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
        self.show_notice(NoticeText(title, hint, self._cancel, progress.fraction, busy=True))

    def show_cancelled(self, title: str, hint: str, action: QAction | None = None) -> None:
        """Show that the job was cancelled; the same request doesn't start it again."""
        self._clear()
        self.show_notice(NoticeText(title, hint, action))


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

    def show_notice(self, notice: NoticeText) -> None:
        self.notice.put(notice)
        self.setCurrentWidget(self.notice)


def _is_same(key: object, other: object) -> bool:
    """Whether two keys, or parts of them, mean the same: arrays can’t be compared at once."""
    if key is other or type(key) is not type(other):
        return key is other
    if isinstance(key, tuple) and isinstance(other, tuple):
        return len(key) == len(other) and all(map(_is_same, key, other))
    if isinstance(key, (str, int, float)):
        return key == other
    frozen = type(key).__eq__ is not object.__eq__ and type(key).__hash__ is not None
    if is_dataclass(key) and frozen:
        names = [field.name for field in fields(key)]
        return all(_is_same(getattr(key, name), getattr(other, name)) for name in names)
    return False


def _nothing(*_: object) -> Any:
    pass


def _unchanged(error: UserError) -> UserError:
    return error
