"""Windows and single panels for tests: shown, and closed at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.shell.window import Window


@contextmanager
def shown_window(context: PanelContext, qtbot: QtBot) -> Iterator[Window]:
    """A window that remembers nothing, closed at the end with all other windows of its desk."""
    new_window = Window(context, remembering=False)
    new_window.show()
    qtbot.waitExposed(new_window)
    yield new_window
    for window in {new_window, *context.desk.windows}:
        # A window closed while another was open has been deleted.
        if isValid(window):
            window.close()
            window.deleteLater()


@contextmanager
def several_windows(context: PanelContext, qtbot: QtBot) -> Iterator[Callable[..., Window]]:
    """A function that opens windows, all of which are closed at the end."""
    windows: list[Window] = []

    def open_window(remembering: bool = True, size: QSize | None = None) -> Window:
        window = Window(context, remembering=remembering)
        qtbot.addWidget(window)
        windows.append(window)
        if size is not None:
            window.resize(size)
        window.show()
        qtbot.waitExposed(window)
        return window

    yield open_window
    for window in {*windows, *context.desk.windows}:
        if isValid(window):
            window.close()


@contextmanager
def shown_panel(key: str, context: PanelContext, qtbot: QtBot) -> Iterator[Panel]:
    """A panel without a window."""
    new_panel = PANELS[key].panel_class()(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(700, 500)
    new_panel.show()
    yield new_panel
    new_panel.release()
