"""The page in the middle of a panel that says what to do."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from workbench.ui.base.notice import Notice, NoticeText
from workbench.ui.widgets.layout.page_stack import PageStack


def test_it_asks_for_the_height_of_its_words(qtbot: QtBot) -> None:
    notice, stack = Notice("test"), PageStack()
    qtbot.addWidget(stack)
    stack.addWidget(notice)
    notice.put(
        NoticeText(
            "How much of the run is chance?",
            "Train with other seeds to see which neighbours stay and how much their ranks vary. "
            * 3,
            action=QAction("Train 4 more", notice),
        )
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


def test_no_word_is_cut_in_a_low_strip(qtbot: QtBot) -> None:
    notice = Notice("test")
    qtbot.addWidget(notice)
    notice.put(
        NoticeText(
            "king − man + woman = ?",
            "The text is loading. Press Train when it is open. Then enter three words. Answers are "
            "sorted best first.",
        )
    )
    notice.show()
    title, hint = [one for one in notice.findChildren(QLabel) if one.isVisible()]

    def uncut(low: bool) -> bool:
        beside = hint.x() > title.geometry().right()
        return beside == low and all(
            label.height() >= label.heightForWidth(label.width())
            and notice.rect().contains(label.geometry())
            for label in (title, hint)
        )

    for width, height in ((1440, 48), (600, 400), (900, 48)):
        notice.resize(width, height)
        qtbot.waitUntil(lambda low=height < 100: uncut(low))
