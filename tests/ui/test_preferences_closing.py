"""Closing the preferences with the frame's button or with Esc always releases the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from workbench.ui.base.panel import PanelContext
from workbench.ui.preferences.dialog import PreferencesDialog
from workbench.ui.shell.window import Window


@pytest.mark.parametrize("by", ["frame", "key"])
def test_the_preferences_close(context: PanelContext, qtbot: QtBot, by: str) -> None:
    window = Window(context, remembering=False)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    for _ in range(2):
        dialog = window.open_preferences()
        qtbot.waitExposed(dialog)
        if by == "frame":
            assert dialog.close()
        else:
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not window.findChildren(PreferencesDialog))
    window.close()
