"""The page in the middle of a panel that says what to do."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from workbench.ui.panel import Notice


def test_where_it_is_low_its_words_are_scrolled_and_not_cut(qtbot: QtBot) -> None:
    notice, area = Notice("test"), QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(notice)
    action = QAction("Train 4 more", notice)
    notice.set_content(
        "How much of the run is chance?",
        "The same training with other seeds shows which neighbours stay and how far their ranks stray. " * 3,
        action=action,
    )
    area.resize(260, 80)
    area.show()
    qtbot.waitUntil(lambda: notice.height() > area.viewport().height())
    labels = [one for one in notice.findChildren(QLabel) if one.isVisible()]
    qtbot.waitUntil(lambda: all(one.height() >= one.heightForWidth(one.width()) for one in labels))
