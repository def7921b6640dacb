"""Pages in one place: only the visible page affects the size."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui import panels
from workbench.ui.widgets.layout.page_stack import PageStack


def test_only_the_page_that_is_seen_asks_for_room(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    stack = PageStack()
    QVBoxLayout(host).addWidget(stack)
    for height in (40, 400):
        page = QWidget()
        page.setMinimumSize(50, height)
        stack.addWidget(page)
    low = host.minimumSizeHint().height()
    stack.setCurrentIndex(1)
    assert host.minimumSizeHint().height() == low + 360
    stack.setCurrentIndex(0)
    assert host.minimumSizeHint().height() == low


def test_panels_stack_their_pages_with_it() -> None:
    """Hidden pages take part in no layout: after a change of the text size, Qt's own stack would
    keep the width that they needed before.
    """
    others = [
        path.name
        for path in Path(panels.__file__).parent.rglob("*.py")
        if "QStackedWidget" in path.read_text(encoding="utf-8")
    ]
    assert others == []
