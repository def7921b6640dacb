"""AlignedUMAP of the states of a training: its job, with progress and a button that cancels it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from workbench.analysis.history.aligned import AlignedStates, align_states
from workbench.analysis.history.trajectory import TrainingFrame, Turner
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.widgets.layout.result_view import Request, ResultJob

_STEPS = 1000


class TimeAlignment(QWidget):
    """``changed``: a layout is ready; ``given_up``: it was cancelled or isn't possible."""

    changed = Signal()
    given_up = Signal()

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._session = panel.session
        self._laying_out = ResultJob(panel.session.jobs, f"{panel.key}.aligned")
        self._laying_out.on_failed(self._fail)
        self._laying_out.on_cancelled(self._give_up)
        self._states: AlignedStates | None = None
        self.bar = panel.named(QProgressBar(), "progress", tr("Progress of AlignedUMAP"))
        self.bar.setTextVisible(False)
        kit.set_scaled_size(self.bar, width=90)
        self.stop = panel.named(
            kit.icon_button(
                panel.theme, "stop", "muted", role="quiet", pressed=self._laying_out.cancel
            ),
            "stop",
            tr("Cancel AlignedUMAP"),
            tr("Cancel AlignedUMAP and show the plane again"),
        )
        kit.set_scaled_size(self.stop, icon=14)
        kit.fill(self, kit.row(self.bar, self.stop))
        self.hide()

    @property
    def busy(self) -> bool:
        return self._laying_out.busy

    def states(self, frames: tuple[TrainingFrame, ...]) -> AlignedStates | None:
        """The layout of these states, if it is ready."""
        if self._states is None or self._states.frames is not frames:
            return None
        return self._states

    def ask(self, frames: tuple[TrainingFrame, ...]) -> None:
        """Lay out these states, unless that is done or in progress."""
        if self.states(frames) is None:
            title = tr("Laying out the snapshots by AlignedUMAP")
            work = partial(align_states, frames, Turner())
            self._laying_out.ask(Request((frames,), title, work, self._take))
            self.tick()

    def drop(self) -> None:
        """Cancel the layout without a message."""
        self._laying_out.forget()
        self.hide()

    def tick(self) -> None:
        """Show the progress."""
        run = self._laying_out.running
        if run is None:
            self.hide()
            return
        self.show()
        progress = run.progress
        most = 0 if progress.fraction is None else _STEPS
        if self.bar.maximum() != most:
            self.bar.setRange(0, most)
        if progress.fraction is not None:
            self.bar.setValue(round(progress.fraction * _STEPS))

    @property
    def note(self) -> str:
        """What is being done."""
        run = self._laying_out.running
        if run is None:
            return ""
        return run.progress.note or tr("Starting umap-learn")

    def _take(self, states: AlignedStates) -> None:
        self._states = states
        self.tick()
        self.changed.emit()

    def _fail(self, error: UserError) -> None:
        self._session.message.report(error)
        self._give_up()

    def _give_up(self) -> None:
        self.tick()
        self.given_up.emit()
