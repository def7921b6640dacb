"""The timer that connects the session to Qt: producers write, one timer draws."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.session.session import Session

_INTERVAL_MS = 33
# Milliseconds between deliveries while a person types, and seconds that these last.
_HURRIED_MS, _HURRY_S = 4, 0.5


class Bridge(QObject):
    """Pumps the session some 30 times a second, and then lets visible views read the live state.

    ``tick`` is emitted after every pump. A slot of it must be quick: compare, and draw only what
    changed.
    """

    tick = Signal()
    # The key of a panel to show; emitted by any part of the window.
    wanted = Signal(str)
    # The key of an action of the window to run; emitted by any part of the window.
    action_requested = Signal(str)
    # (sentence, text of a button, action of the button, whether it still has an effect): shown in
    # the status bar until it is read.
    offered = Signal(str, str, object, object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self.pump)
        self._timer.start()
        self._hurried = QTimer(self)
        self._hurried.setInterval(_HURRIED_MS)
        self._hurried.timeout.connect(self._deliver)
        self._calm_at = 0.0

    def hurry(self) -> None:
        """Deliver the results of jobs without waiting for the next pump, for half a second: for
        what follows each letter that is typed.
        """
        self._calm_at = time.monotonic() + _HURRY_S
        self._hurried.start()

    def _deliver(self) -> None:
        self._session.jobs.pump()
        if time.monotonic() >= self._calm_at:
            self._hurried.stop()

    def pump(self) -> None:
        self._session.pump()
        self.tick.emit()

    def offer(
        self,
        sentence: str,
        button: str,
        action: Callable[[], object],
        holds: Callable[[], bool] = lambda: True,
    ) -> None:
        """Show a brief message with a button, such as “Undo”; it disappears once ``holds`` is no
        longer true.
        """
        self.offered.emit(sentence, button, action, holds)

    def stop(self) -> None:
        self._timer.stop()
        self._hurried.stop()
