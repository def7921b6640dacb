from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.ui.base.panel import PanelContext
from workbench.ui.base.scaling import scaled_length
from workbench.ui.widgets.tables.row_list import ListRow, RowList, RowPainter

ROWS = (
    ListRow("queen", ("12", "3.4"), 1.0, key="queen"),
    ListRow("king", ("7", "−1.0"), -0.5, "a note", "king", "told at length"),
    ListRow("of no use", ("1", "0.2")),
)


def make(
    context: PanelContext, qtbot: QtBot, whole: bool = False
) -> tuple[RowList, dict[str, list[str]]]:
    new_list = RowList(context.theme, "test.rows", "Rows", whole=whole)
    qtbot.addWidget(new_list)
    new_list.put(("word", "times", "PMI"), ROWS)
    new_list.resize(260, 160)
    new_list.show()
    signals: dict[str, list[str]] = {"picked": [], "opened": [], "activated": []}
    new_list.picked.connect(signals["picked"].append)
    new_list.opened.connect(signals["opened"].append)
    new_list.double_clicked.connect(signals["activated"].append)
    return new_list, signals


def place(rows: RowList, row: int) -> QPoint:
    return rows.view.visualRect(rows.view.model().index(row, 0)).center()


def test_clicks_and_keys_tell_the_key_of_a_row(context: PanelContext, qtbot: QtBot) -> None:
    rows, signals = make(context, qtbot)
    view = rows.view
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place(rows, 0))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place(rows, 0))
    # A row without a key can be selected, but emits nothing.
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place(rows, 2))
    assert signals["picked"][:2] == ["queen", "king"]
    assert signals["opened"] == ["king"]
    assert signals["activated"] == ["queen"]
    assert "" not in signals["picked"]


def test_what_a_reader_hears(context: PanelContext, qtbot: QtBot) -> None:
    rows, _ = make(context, qtbot)
    model = rows.view.model()
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "king, a note, 7, −1.0"
    assert model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "told at length"


def test_the_picked_row_stays_when_rows_are_put_anew(context: PanelContext, qtbot: QtBot) -> None:
    rows, signals = make(context, qtbot)
    rows.put(("word", "times", "PMI"), ROWS, "king")
    assert rows.view.currentIndex().row() == 1
    assert signals["picked"] == []


def test_a_whole_list_is_as_tall_as_its_rows_and_leaves_the_wheel_alone(
    context: PanelContext, qtbot: QtBot
) -> None:
    rows, _ = make(context, qtbot, whole=True)
    last = rows.view.visualRect(rows.view.model().index(2, 0))
    assert rows.view.viewport().rect().contains(last)
    up = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, -40),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(rows.view.viewport(), up)
    assert not up.isAccepted()


def test_it_is_painted_in_both_themes(context: PanelContext, qtbot: QtBot) -> None:
    rows, _ = make(context, qtbot)
    images = []
    for choice in ("light", "dark"):
        context.theme.choose(choice)
        images.append(rows.grab().toImage())
    context.theme.choose("light")
    assert images[0] != images[1]


def test_a_text_too_long_for_its_line_goes_on_in_the_next(
    context: PanelContext, qtbot: QtBot
) -> None:
    new_list = RowList(context.theme, "test.lines", "Lines", whole=True, wraps=True)
    qtbot.addWidget(new_list)
    new_list.put(
        (), (ListRow("short", ("1 min",), key="a"), ListRow("a title " * 8, ("2 min",), key="b"))
    )
    new_list.resize(240, 300)
    new_list.show()
    model = new_list.view.model()
    short, tall = (new_list.view.visualRect(model.index(row, 0)).height() for row in range(2))
    assert tall > 1.5 * short
    qtbot.waitUntil(lambda: new_list.view.height() == short + tall + 2)
    new_list.resize(900, 300)
    qtbot.waitUntil(lambda: new_list.view.height() == 2 * short + 2)


def last_ink(image: QImage, above: int, below: int) -> int:
    """The rightmost column with something drawn between two heights."""
    ground, wide = image.pixel(0, above), image.width()
    return max(x for x in range(wide) for y in range(above, below) if image.pixel(x, y) != ground)


def test_headings_stand_above_their_numbers_beside_a_scroll_bar(
    context: PanelContext, qtbot: QtBot
) -> None:
    rows, _ = make(context, qtbot)
    context.theme.dress(rows)
    rows.put(("word", "111"), [ListRow("queen", ("111",), key=f"{at}") for at in range(40)])
    qtbot.waitUntil(lambda: rows.view.verticalScrollBar().isVisible())
    # The first row may have a focus ring around it.
    top, second = (
        rows.view.y(),
        rows.view.y() + rows.view.visualRect(rows.view.model().index(1, 0)).top(),
    )
    image = rows.grab(QRect(0, 0, rows.view.viewport().width(), rows.height())).toImage()
    assert abs(last_ink(image, 0, top) - last_ink(image, second, rows.height())) <= 2


def test_a_wide_list_keeps_numbers_near_their_texts_and_lengthens_the_bars(qtbot: QtBot) -> None:
    painter = RowPainter()
    rows = [ListRow("daughter", (".85",), 0.85), ListRow("wife", (".81",), 0.81, "a note")]
    painter.measure(("", "cosine"), rows)
    near, far = (painter.boxes(QRectF(0, 0, width, 24)) for width in (260, 1200))
    for text, (number,), bar in (near, far):
        assert text.right() <= number.left()
        assert number.right() <= bar.left()
    assert near[2].width() == scaled_length(44)
    assert near[2].right() > 240
    assert far[2].width() == scaled_length(240)
    assert far[1][0].right() < 400
