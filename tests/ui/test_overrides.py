"""Exceptions in methods that Qt calls: before Python 3.12, each of these ended the process with a
segmentation fault.
"""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsObject,
    QGraphicsScene,
    QGraphicsView,
    QLabel,
    QListView,
    QStyleOptionGraphicsItem,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from workbench.ui.shell.slot_guard import guard


def no_number() -> None:
    int("x")


def uneven() -> None:
    list(zip((), (1,), strict=True))


def by_nothing() -> None:
    print(1 / len(()))


def use_deleted() -> None:
    label = QLabel()
    delete(label)
    label.text()


class Hint(QLabel):
    def sizeHint(self) -> QSize:
        self.fails()
        return super().sizeHint()

    fails: Callable[[], None] = staticmethod(no_number)


class Painting:
    """Mixin with a method that Qt calls; it isn't a class of Qt itself."""

    fails: Callable[[], None] = staticmethod(no_number)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.fails()


class PaintingWidget(Painting, QWidget):
    pass


class Model(QAbstractListModel):
    fails: Callable[[], None] = staticmethod(no_number)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 1

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            self.fails()
        return None


class Item(QGraphicsObject):
    fails: Callable[[], None] = staticmethod(no_number)

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, 1, 1)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        self.fails()


def hint(fails: Callable[[], None]) -> QWidget:
    label = Hint("x")
    label.fails = fails
    label.adjustSize()
    return label


def mixin(fails: Callable[[], None]) -> QWidget:
    widget = PaintingWidget()
    widget.fails = fails
    return widget


def list_view(fails: Callable[[], None]) -> QWidget:
    view = QListView()
    model = Model(view)
    model.fails = fails
    view.setModel(model)
    return view


def graphics_view(fails: Callable[[], None]) -> QWidget:
    scene = QGraphicsScene()
    view = QGraphicsView(scene)
    scene.setParent(view)
    item = Item()
    item.fails = fails
    scene.addItem(item)
    return view


# PySide6 warns about the None that a failed method returns instead of a value.
@pytest.mark.filterwarnings("ignore:.*nvalid return value:RuntimeWarning")
@pytest.mark.parametrize("make_widget", [hint, mixin, list_view, graphics_view])
@pytest.mark.parametrize(
    ("fails", "kind"),
    [
        (no_number, ValueError),
        (uneven, ValueError),
        (by_nothing, ZeroDivisionError),
        (use_deleted, RuntimeError),
    ],
)
def test_it_is_told_and_the_program_goes_on(
    qtbot: QtBot,
    make_widget: Callable[[Callable[[], None]], QWidget],
    fails: Callable[[], None],
    kind: type[Exception],
) -> None:
    with qtbot.capture_exceptions() as exceptions:
        widget = make_widget(fails)
        qtbot.addWidget(widget)
        widget.resize(80, 60)
        for _ in range(3):
            widget.grab()
    assert exceptions
    assert {one[0] for one in exceptions} == {kind}


class Halfway(QWidget):
    """A widget that fails while it paints on itself and on a picture."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.aside(painter)

    def aside(self, above: QPainter) -> None:
        picture = QPixmap(8, 8)
        painter = QPainter(picture)
        painter.drawPoint(0, 0)
        no_number()


def test_no_painter_is_left_open_by_who_keeps_the_exception(qtbot: QtBot) -> None:
    with qtbot.capture_exceptions() as exceptions:
        widget = Halfway()
        qtbot.addWidget(widget)
        widget.resize(80, 60)
        widget.show()
        qtbot.waitUntil(lambda: bool(exceptions))
        widget.repaint()
        widget.grab()
        widget.close()
    # Qt doesn't warn, either: a warning fails a test.
    assert len(exceptions) > 1


def test_what_qt_paints_with_is_left_to_it(qtbot: QtBot) -> None:
    """After an item fails, the painter still works for the items that follow."""
    active_states: list[bool] = []

    class Later(Item):
        def paint(
            self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
        ) -> None:
            active_states.append(painter.isActive())

    scene = QGraphicsScene()
    view = QGraphicsView(scene)
    qtbot.addWidget(view)
    scene.setParent(view)
    scene.addItem(Item())
    scene.addItem(Later())
    with qtbot.capture_exceptions() as exceptions:
        view.grab()
    assert exceptions
    assert active_states
    assert all(active_states)


def test_what_is_guarded_is_what_overrides() -> None:
    class Plain(QGraphicsItem):
        def paint(
            self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
        ) -> None:
            """Written."""

        def own(self) -> None:
            pass

    before = vars(Plain)["own"]
    guard(Plain)
    method = vars(Plain)["paint"]
    assert method.is_guarded
    assert method.__doc__ == "Written."
    assert vars(Plain)["own"] is before
    guard(Plain)
    assert vars(Plain)["paint"] is method
    # Methods of pyqtgraph are guarded, too, including those from its mixins.
    assert pg.AxisItem.paint.is_guarded
    assert pg.GraphicsView.paintEvent.is_guarded
