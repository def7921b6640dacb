"""AlignedUMAP of the states of a training: its job, with progress and a button that cancels it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from workbench.analysis.history.aligned import AlignedStates, align_states
from workbench.analysis.history.trajectory import TrainingFrame, Turner
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.jobs import Job
from workbench.ui import kit
from workbench.ui.base.panel import Panel

_STEPS = 1000


class TimeAlignment(QWidget):
    """``changed``: a layout is ready; ``given_up``: it was cancelled or isn't possible."""

    changed = Signal()
    given_up = Signal()

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._session = panel.session
        self._key = f"{panel.key}.aligned"
        self._states: AlignedStates | None = None
        self._frames: tuple[TrainingFrame, ...] = ()
        self._job: Job[AlignedStates] | None = None
        self.bar = panel.named(QProgressBar(), "progress", tr("Progress of AlignedUMAP"))
        self.bar.setTextVisible(False)
        kit.set_scaled_size(self.bar, width=90)
        self.stop = panel.named(
            kit.icon_button(panel.theme, "stop", "muted", role="quiet", pressed=self._cancel),
            "stop",
            tr("Cancel AlignedUMAP"),
            tr("Cancel AlignedUMAP and show the plane again"),
        )
        kit.set_scaled_size(self.stop, icon=14)
        kit.fill(self, kit.row(self.bar, self.stop))
        self.hide()

    @property
    def busy(self) -> bool:
        return self._session.jobs.busy(self._key)

    def states(self, frames: tuple[TrainingFrame, ...]) -> AlignedStates | None:
        """The layout of these states, if it is ready."""
        if self._states is None or self._states.frames is not frames:
            return None
        return self._states

    def ask(self, frames: tuple[TrainingFrame, ...]) -> None:
        """Lay out these states, unless that is done or in progress."""
        if self.states(frames) is not None or (self.busy and frames is self._frames):
            return
        self._frames = frames

        def work(run: JobControl) -> AlignedStates:
            return align_states(frames, Turner(), run)

        self._job = self._session.jobs.start(
            tr("Laying out the snapshots by AlignedUMAP"),
            work,
            self._take,
            self._fail,
            key=self._key,
            cancelled=self._give_up,
        )
        self.tick()

    def drop(self) -> None:
        """Cancel the layout without a message."""
        self._session.jobs.drop(self._key)
        self._job = None
        self.hide()

    def tick(self) -> None:
        """Show the progress."""
        if self._job is None or not self.busy:
            self.hide()
            return
        self.show()
        progress = self._job.run.progress
        most = 0 if progress.fraction is None else _STEPS
        if self.bar.maximum() != most:
            self.bar.setRange(0, most)
        if progress.fraction is not None:
            self.bar.setValue(round(progress.fraction * _STEPS))

    @property
    def note(self) -> str:
        """What is being done."""
        if self._job is None:
            return ""
        return self._job.run.progress.note or tr("Starting umap-learn")

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.run.cancel()

    def _take(self, states: AlignedStates) -> None:
        self._job = None
        self._states = states
        self.tick()
        self.changed.emit()

    def _fail(self, error: UserError) -> None:
        self._session.message.emit(error.message, error.hint, True)
        self._give_up()

    def _give_up(self) -> None:
        self._job = None
        self.tick()
        self.given_up.emit()
