"""No layout reacts to itself for ever: whatever the size, every widget is soon at rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, toy_model
from ui.windows import shown_panel

from workbench import ui
from workbench.session.session import Session
from workbench.ui.base.notice import Notice, NoticeText
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.base.scroll_frame import ScrollFrame

# Number of times that a widget may be resized, or asked to lay itself out, after one change of the
# size around it.
MOST = 24


class Unrest(QObject):
    """Counts the events by which layouts react to each other, for each widget; swallows them above
    ``MOST``, which ends a loop.
    """

    def __init__(self) -> None:
        super().__init__()
        self.counted: Counter[QObject] = Counter()
        self.restless: set[str] = set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            return False
        self.counted[watched] += 1
        if self.counted[watched] <= MOST:
            return False
        self.restless.add(f"{type(watched).__name__} {watched.objectName()}")
        return True


@contextmanager
def unrest() -> Iterator[Unrest]:
    counting = Unrest()
    QApplication.instance().installEventFilter(counting)
    try:
        yield counting
    finally:
        QApplication.instance().removeEventFilter(counting)


def settle() -> None:
    """Handle what layouts have asked for, and what they ask for then."""
    for _ in range(3):
        QApplication.processEvents()


SIZES = [
    *(QSize(width, height) for height in range(120, 901, 130) for width in range(120, 901, 130)),
    *(QSize(*size) for size in ((235, 155), (400, 249), (327, 784), (800, 800))),
]


def restless(widget: QWidget, sizes: Sequence[QSize] = SIZES) -> list[str]:
    """Resize a widget; the sizes at which something in it doesn't come to rest."""
    found = []
    with unrest() as counting:
        for size in sizes:
            counting.counted.clear()
            counting.restless.clear()
            widget.resize(size)
            settle()
            if counting.restless:
                found.append(f"{size.width()} × {size.height()}: {counting.restless}")
    return found


@pytest.mark.parametrize("key", PANELS.keys())
def test_a_panel_comes_to_rest_at_every_size(
    key: str, context: PanelContext, session: Session, qtbot: QtBot
) -> None:
    context.theme.choose_text_size(150)
    with shown_panel(key, context, qtbot) as panel:
        assert restless(panel) == []
        open_corpus(session, toy_corpus())
        look_at(session, toy_model())
        session.selection.select(["queen"])
        for page in [page.key for page in panel.offered_pages()] or [""]:
            if page:
                panel.show_page(page)
            qtbot.waitUntil(lambda: panel.idle)
            assert restless(panel) == [], page


class Contrary(QWidget):
    """Content that needs another height as soon as it has the one that it needed."""

    def __init__(self, tall: Callable[[int, int], bool]) -> None:
        super().__init__()
        self._tall = tall

    def minimumSizeHint(self) -> QSize:
        return QSize(50, 400 if self._tall(self.width(), self.height()) else 100)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()


@pytest.mark.parametrize(
    "tall",
    [
        lambda width, height: width >= 300,
        lambda width, height: height < 350,
        lambda width, height: (width + height) % 2,
    ],
    ids=["wide", "low", "odd"],
)
def test_content_that_contradicts_itself_comes_to_rest(
    tall: Callable[[int, int], bool], qtbot: QtBot
) -> None:
    frame = ScrollFrame(Contrary(tall))
    qtbot.addWidget(frame)
    frame.show()
    sizes = [QSize(width, height) for width in range(120, 901, 60) for height in (90, 250, 390)]
    assert restless(frame, [*sizes, QSize(300, 200), QSize(305, 300), QSize(301, 350)]) == []


class Silent(QWidget):
    """Content whose minimum changes without a word to its layout."""

    least = QSize(400, 50)

    def minimumSizeHint(self) -> QSize:
        return self.least


def test_content_that_needed_more_room_gives_it_back(qtbot: QtBot) -> None:
    """Content whose minimum had changed before the frame came to rest."""
    content = Silent()
    frame = ScrollFrame(content)
    qtbot.addWidget(frame)
    frame.resize(200, 100)
    frame.show()
    assert content.width() == 400
    content.least = QSize(150, 50)
    qtbot.waitUntil(lambda: not frame._rest.isActive())
    content.updateGeometry()
    settle()
    assert content.size() == QSize(200, 100)


def test_a_notice_in_a_frame_comes_to_rest_at_every_size(qtbot: QtBot) -> None:
    notice = Notice("test")
    notice.put(
        NoticeText(
            "No grid yet",
            "Train several runs that differ in one or two settings: their scores are then compared "
            "here, each with its own colour. Choose the settings beside this text.",
            action=QAction("Train the grid", notice),
        )
    )
    frame = ScrollFrame(notice)
    qtbot.addWidget(frame)
    frame.show()
    sizes = [QSize(width, height) for width in range(120, 901, 37) for height in range(100, 400, 9)]
    assert restless(frame, sizes) == []


def test_a_frame_fills_its_area_and_scrolls_only_if_it_must(qtbot: QtBot) -> None:
    content = QWidget()
    content.setMinimumSize(200, 300)
    frame = ScrollFrame(content)
    qtbot.addWidget(frame)
    frame.show()
    for size, across, down in (
        (QSize(400, 500), False, False),
        (QSize(400, 200), False, True),
        (QSize(150, 500), True, False),
        (QSize(150, 200), True, True),
        # A bar in one direction leaves too little room in the other.
        (QSize(201, 299), True, True),
        (QSize(200, 300), False, False),
    ):
        frame.resize(size)
        settle()
        seen = (frame.horizontalScrollBar().isVisible(), frame.verticalScrollBar().isVisible())
        assert seen == (across, down), size
        assert content.size() == frame.viewport().size().expandedTo(QSize(200, 300))
    content.setMinimumSize(200, 350)
    qtbot.waitUntil(lambda: frame.verticalScrollBar().maximum() > 0)
    content.setMinimumSize(200, 100)
    qtbot.waitUntil(lambda: content.size() == QSize(200, 300))
    assert not frame.verticalScrollBar().isVisible()


def test_every_resizable_scroll_area_is_a_frame() -> None:
    """Qt's own would follow content that contradicts itself for ever."""
    folder = Path(ui.__file__).parent
    users = [
        path.name
        for path in folder.rglob("*.py")
        if re.search(r"setWidgetResizable\(|QScrollArea\(|\(QScrollArea", path.read_text("utf-8"))
    ]
    assert users == ["scroll_frame.py"]
