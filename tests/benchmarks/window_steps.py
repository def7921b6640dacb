"""Steps of a benchmark in the real window, each made when the window is ready for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.theme import Theme
from workbench.ui.shell.application import make_application
from workbench.ui.shell.gc_control import collected_here
from workbench.ui.shell.window import Window


class OpenWindow:
    """The real window, which saves nothing of itself and begins to open a corpus."""

    def __init__(self, corpus: str, height: int = 860) -> None:
        self.application = make_application()
        self.session = Session()
        theme = Theme(self.application, "light")
        context = PanelContext(self.session, Bridge(self.session), theme)
        self.window = Window(context, remembering=False)
        self.window.resize(1440, height)
        self.window.show()
        self.session.corpora.open([corpus])
        self.panels: dict[str, Any] = {key: dock.panel for key, dock in self.window.docks.items()}

    def has_corpus(self) -> bool:
        corpora = self.session.corpora
        return corpora.current is not None and corpora.opening is None

    def run(self) -> None:
        """Run until the window is closed, then close the session."""
        with collected_here(lambda: self.session.training.current is not None):
            self.application.exec()
        self.session.close()


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
