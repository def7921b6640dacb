"""The training that panels show while it runs, in place of the active run."""

from __future__ import annotations

from collections.abc import Callable

from workbench.core.events import Signal
from workbench.session.runs.active_run import ActiveRun
from workbench.session.runs.run_record import RunRecord


class Watched:
    """Panels follow a training only if no other run is active, or if the user asked for it: a grid
    or a long training must not take the active run’s pictures away.

    changed : the user chose to watch a training, or to go back to the active run
    """

    def __init__(self, active: ActiveRun, current: Callable[[], RunRecord | None]) -> None:
        self.changed = Signal[()]()
        self._active = active
        self._current = current
        self._chosen: RunRecord | None = None
        # The choice ends when another run becomes active.
        self._active_then: RunRecord | None = None

    @property
    def run(self) -> RunRecord | None:
        """The training that panels show, None while they show the active run."""
        training, active = self._current(), self._active.run
        if training is None or active is None or active is training:
            return training
        chosen = self._chosen
        if chosen is None or active is not self._active_then:
            return None
        # The trainings of a group follow each other.
        together = bool(training.group) and training.group == chosen.group
        return training if training is chosen or together else None

    def watch(self, training: RunRecord | None) -> None:
        """Show a training in all panels that can follow one; None: the active run again."""
        self._chosen, self._active_then = training, self._active.run
        self.changed.emit()
