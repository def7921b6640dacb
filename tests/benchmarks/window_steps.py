"""Steps of a benchmark in the real window, each made when the window is ready for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


def follow_steps(steps: Iterator[Callable[[], bool]], window: QWidget) -> QTimer:
    """Make the next step as soon as the condition that the one before yielded is true; close the
    window after the last. Runs until the returned timer is released.
    """
    condition = next(steps)
    often = QTimer()
    often.setInterval(1)

    def tick() -> None:
        nonlocal condition
        if condition():
            try:
                condition = next(steps)
            except StopIteration:
                often.stop()
                window.close()

    often.timeout.connect(tick)
    often.start()
    return often


class Painted(QObject):
    """Watches until a widget is painted after a condition became true."""

    def __init__(self, widget: QWidget, condition: Callable[[], bool]) -> None:
        super().__init__(widget)
        self._condition = condition
        self._done = False
        widget.installEventFilter(self)

    def is_done(self) -> bool:
        return self._done

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._done:
            self._done = self._condition()
        return False
