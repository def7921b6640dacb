"""Status bar: running work and offers, and the messages that float above it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QElapsedTimer, QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from workbench.core import plug_ins
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.logs import LOG
from workbench.session.corpus.counts_params import trainable_names
from workbench.session.corpus.opening import MissingText
from workbench.session.jobs import Job
from workbench.session.kernel_compiler import COMPILING
from workbench.session.runs.groups import has_runs_of
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.text import duration, note_in_sentence, short_number, unit_of
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, Theme
from workbench.ui.dialogs.open import ask_where
from workbench.ui.shell.messages.interrupted_bar import InterruptedBar, WaitingBar
from workbench.ui.shell.messages.message_bar import MessageBar

_PHASES = {
    Phase.WAITING: tr("Waiting"),
    Phase.READING: tr("Reading"),
    Phase.COUNTING: tr("Counting"),
    Phase.COMPILING: COMPILING,
    Phase.TRAINING: tr("Training"),
    Phase.SAVING: tr("Saving"),
}
# Minimum interval, in milliseconds, between changes of the status: numbers that flicker can't be
# read.
_CALM_MS = 200
# Time in milliseconds that work must last before the line appears, and for which the line remains
# after its end: short tasks don't move what the user is looking at.
_LASTING_MS = 600


def sentence_of(run: JobControl, title: str) -> str:
    """Current activity of a run: “Training · epoch 3 of 5 · 3.6 M tokens/s · 4 s left”."""
    progress = run.progress
    parts = [title]
    if run.is_paused:
        parts.append(tr("paused"))
    elif progress.phase in _PHASES and progress.phase is not Phase.WAITING:
        parts.append(note_in_sentence(_PHASES[progress.phase]))
    if progress.note not in ("", title) and progress.phase is not Phase.COMPILING:
        parts.append(note_in_sentence(progress.note))
    if progress.rate and not run.is_paused:
        parts.append(f"{short_number(progress.rate)} {unit_of(progress.unit)}/s")
    if progress.seconds_left is not None and not run.is_paused:
        parts.append(tr("{time} left", time=duration(progress.seconds_left)))
    return " · ".join(parts)


class Activity(QWidget):
    """One line on the running work, with pause and stop, an offer from the recovery journal, or
    the next step while no run is shown.

    ``needed`` is false while it has nothing to say, so that panels can have its place.
    ``message`` floats: the widget that has room for it becomes its parent.
    """

    def __init__(self, session: Session, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self.setObjectName("activity")
        self.setAccessibleName(tr("Activity"))
        self.message = MessageBar(theme, self)
        self.interrupted = InterruptedBar(session, bridge, theme)
        self.waiting = WaitingBar(session, bridge, theme)
        self._text = kit.with_role(kit.ElidedLabel(), "", "activity.text")
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        kit.set_scaled_size(self._progress, width=180)
        self._progress.setObjectName("activity.progress")
        self._progress.setAccessibleName(tr("Progress"))
        self.pause = self._button("pause", tr("Pause"), self._toggle_pause)
        self.stop = self._button("stop", tr("Stop"), self._stop)
        self.jobs = kit.button(role="quiet", name="activity.jobs", pressed=self._open_list)
        self.jobs.setAccessibleName(tr("List running tasks"))
        messages = [kit.stretch(one) for one in (self.interrupted, self.waiting, self._text)]
        work = (self._progress, self.pause, self.stop, self.jobs)
        line = kit.row(*messages, *work, margins=(SPACE_4, 0, SPACE_2, 0))
        kit.fill(self, kit.set_scaled_size(Apart(line), height=36))
        self._list = JobList(self)
        self._open_error = ""
        self._plug_ins_left_out = 0
        self._state: tuple[bool, bool, bool, bool, int] | None = None
        self._since = QElapsedTimer()
        self.needed = True
        self._turning = QElapsedTimer()
        session.message.connect(self.message.show_message)
        session.message.retracted.connect(self.message.retract)
        session.corpora.changed.connect(self._corpus_changed)
        session.corpora.text_missed.connect(self._offer_to_locate)
        bridge.offered.connect(
            lambda text, button, action, holds: self.message.show_message(
                text, "", False, button, action, holds=holds
            )
        )
        bridge.tick.connect(self._tick)
        theme.changed.connect(self._retheme)
        self._retheme()
        self._tick()

    def release(self) -> None:
        """Disconnect from the session."""
        self._session.message.disconnect(self.message.show_message)
        self._session.message.retracted.disconnect(self.message.retract)
        self._session.corpora.changed.disconnect(self._corpus_changed)
        self._session.corpora.text_missed.disconnect(self._offer_to_locate)
        self.interrupted.release()
        self.waiting.release()

    def _offer_to_locate(self, error: MissingText) -> None:
        """Offer to locate the text of a corpus that isn't where it was."""
        locate = partial(ask_where, self.window(), self._session, error.wanted)
        self.message.show_message(error.message, error.hint, True, tr("Locate…"), locate)

    def _corpus_changed(self) -> None:
        """Remember a failed opening, and hide its message as soon as something else is opened."""
        error = self._session.corpora.error
        if error is not None:
            self._open_error = str(error)
        elif self._session.corpora.opening is not None and self.message.text == self._open_error:
            self.message.hide()

    def _button(self, name: str, text: str, slot: Callable[[], None]) -> QToolButton:
        button = kit.text_button("", role="quiet", name=f"activity.{name}", pressed=slot)
        button.setAccessibleName(text)
        button.setToolTip(safe_tip(text))
        return kit.set_scaled_size(button, width=30, height=28, icon=16)

    # -- jobs

    def _jobs(self) -> list[Job[Any]]:
        return [job for job in self._session.jobs.active if not job.quiet and not job.superseded]

    def _record_of(self, job: Job[Any]) -> RunRecord | None:
        return next((record for record in self._session.runs if record.run is job.run), None)

    def _main(self) -> Job[Any] | None:
        """The job that the line describes: the training, or else the latest."""
        jobs = self._jobs()
        training = self._session.training.current
        if training is not None:
            for job in jobs:
                if job.run is training.run:
                    return job
        if jobs:
            return jobs[-1]
        return None

    def _report_plug_ins(self) -> None:
        """Report what was left out of the packages that are installed, as soon as it is known."""
        problems = plug_ins.problems()
        if len(problems) > self._plug_ins_left_out:
            for problem in problems[self._plug_ins_left_out :]:
                LOG.warning("%s", problem)
            self._plug_ins_left_out = len(problems)
            hint = tr("Update or uninstall the package, then restart the program.")
            self.message.show_message(problems[-1], hint, True, details="\n".join(problems))

    def _tick(self) -> None:
        self._report_plug_ins()
        self.message.hide_outdated()
        job = self._main()
        record = None if job is None else self._record_of(job)
        under_way = len(self._jobs()) + sum(
            record.state is State.WAITING for record in self._session.runs
        )
        if self._list.isVisible():
            self._list.refresh(self._rows())
        # Setting buttons and icons lays the window out again, even without a change.
        state = (
            job is not None,
            job is not None and job.run.is_paused,
            record is not None,
            self.interrupted.isHidden() and self.waiting.isHidden(),
            under_way,
        )
        if state != self._state:
            self._state = state
            self._show_state(*state)
            self._since.invalidate()
        self._judge_need(under_way > 0)
        if job is None:
            self._text.put(self._resting())
            return
        if self._since.isValid() and self._since.elapsed() < _CALM_MS:
            return
        self._since.start()
        self._text.put(sentence_of(job.run, job.title if record is None else record.name))
        fraction = job.run.progress.fraction
        most = 0 if fraction is None else 1000
        if self._progress.maximum() != most:
            self._progress.setRange(0, most)
        if fraction is not None:
            self._progress.setValue(round(1000 * fraction))

    def _judge_need(self, works: bool) -> None:
        """Update ``needed`` once its new value has lasted."""
        offers = not (self.interrupted.isHidden() and self.waiting.isHidden())
        if (works or offers or bool(self._resting())) == self.needed:
            self._turning.invalidate()
        elif not self._turning.isValid():
            self._turning.start()
        elif self._turning.elapsed() >= _LASTING_MS:
            self._turning.invalidate()
            self.needed = not self.needed

    def _show_state(
        self, running: bool, paused: bool, training: bool, offerless: bool, under_way: int
    ) -> None:
        self._text.setVisible(running or offerless)
        for widget in (self._progress, self.pause, self.stop):
            widget.setVisible(running)
        self.jobs.setVisible(under_way > 1)
        self.jobs.setText(tr("{number} tasks", number=under_way))
        self.pause.setIcon(self._theme.icon("play" if paused else "pause"))
        self.pause.setToolTip(tr("Resume") if paused else tr("Pause"))
        self.pause.setAccessibleName(self.pause.toolTip())
        self.stop.setToolTip(tr("Stop now and save what was learned") if training else tr("Cancel"))

    def _resting(self) -> str:
        """The next step while nothing runs; "" if a run is shown."""
        session = self._session
        if session.corpora.current is None:
            return tr("Open a text to start")
        if not has_runs_of(session.corpora.current, session.runs) and session.active.run is None:
            if session.corpora.counts is not None:
                return tr(
                    "{name} is ready: train {algorithms}",
                    name=session.corpora.current.name,
                    algorithms=trainable_names(),
                )
            return tr("{name} is ready: press Train", name=session.corpora.current.name)
        shown = session.active.run
        if shown is None or shown.embeddings is None:
            if session.corpora.counts is not None:
                return tr(
                    "Train {algorithms}, or click a run to show it", algorithms=trainable_names()
                )
            return tr("Press Train, or click a run to show it")
        return ""

    def _toggle_pause(self) -> None:
        job = self._main()
        if job is None:
            return
        record = self._record_of(job)
        if record is not None:
            (
                self._session.training.resume
                if record.state is State.PAUSED
                else self._session.training.pause
            )(record)
        elif job.run.is_paused:
            job.run.resume()
        else:
            job.run.pause()

    def _stop(self) -> None:
        job = self._main()
        if job is None:
            return
        record = self._record_of(job)
        if record is not None:
            self._session.training.stop(record)
        else:
            job.run.cancel()

    # -- list

    def _rows(self) -> list[tuple[str, Callable[[], None]]]:
        rows: list[tuple[str, Callable[[], None]]] = []
        for job in self._jobs():
            record = self._record_of(job)
            if record is None:
                rows.append((sentence_of(job.run, job.title), job.run.cancel))
            else:
                rows.append(
                    (
                        sentence_of(job.run, record.name),
                        partial(self._session.training.cancel, record),
                    )
                )
        for record in self._session.runs:
            if record.state is State.WAITING:
                rows.append(
                    (
                        tr("{name} · waiting", name=record.name),
                        partial(self._session.training.cancel, record),
                    )
                )
        return rows

    def _open_list(self) -> None:
        self._list.refresh(self._rows())
        self._list.adjustSize()
        corner = self.jobs.mapToGlobal(QPoint(self.jobs.width(), 0))
        self._list.move(corner - QPoint(self._list.width(), self._list.height() + SPACE_1))
        self._list.show()

    def _retheme(self) -> None:
        self.stop.setIcon(self._theme.icon("stop"))
        # The next tick sets the icon of the other button.
        self._state = None


class JobList(QFrame):
    """A popup with all running jobs, each with a button that cancels it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("activity.list")
        self.setAccessibleName(tr("Running tasks"))
        self.setProperty("role", "popup")
        kit.set_scaled_size(self, least_width=420)
        self._column = kit.column(gap=None, margins=(SPACE_3, SPACE_2))
        kit.fill(self, self._column)
        self._lines: list[tuple[QLabel, QPushButton]] = []
        self._cancels: list[Callable[[], None]] = []

    def refresh(self, rows: list[tuple[str, Callable[[], None]]]) -> None:
        self._cancels = [cancel for _, cancel in rows]
        while len(self._lines) < len(rows):
            self._add_line(len(self._lines))
        for place, (label, button) in enumerate(self._lines):
            used = place < len(rows)
            label.setVisible(used)
            button.setVisible(used)
            if used:
                label.setText(rows[place][0])
        if not rows:
            self.hide()

    def _add_line(self, place: int) -> None:
        label = kit.label()
        button = kit.button(
            tr("Cancel"),
            name=f"activity.cancel.{place}",
            pressed=lambda: self._cancels[place](),
        )
        kit.add(self._column, kit.row(kit.stretch(label), button, gap=None))
        self._lines.append((label, button))


class Apart(QWidget):
    """Keeps a row that changes often in a place of fixed size: otherwise, Qt would lay out the
    whole window for each new text, which takes longer than a frame.
    """

    def __init__(self, row: QLayout) -> None:
        super().__init__()
        self._inner = QWidget(self)
        self._inner.setLayout(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._inner.setGeometry(self.rect())
