"""The page in the middle of a panel that says what to do."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from workbench.ui.panel import Notice
from workbench.ui.widgets.layout.page_stack import PageStack


def test_it_asks_for_the_height_of_its_words(qtbot: QtBot) -> None:
    notice, stack = Notice("test"), PageStack()
    qtbot.addWidget(stack)
    stack.addWidget(notice)
    notice.set_content(
        "How much of the run is chance?",
        "Train with other seeds to see which neighbours stay and how much their ranks vary. " * 3,
        action=QAction("Train 4 more", notice),
    )
    for width in (260, 520):
        stack.resize(width, 400)
        stack.show()
        qtbot.waitUntil(lambda width=width: notice.width() == width)
        labels = [one for one in notice.findChildren(QLabel) if one.isVisible()]
        assert len(labels) == 2
        assert stack.minimumSizeHint().height() > sum(
            one.heightForWidth(one.width()) for one in labels
        )
