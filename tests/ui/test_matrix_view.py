"""The heatmap by pointer, wheel and keys; its colours, its scale and its table."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui.toy import until

from workbench.analysis.matrix import MatrixResult
from workbench.ui.panel import Context
from workbench.ui.widgets.matrix_export import to_csv
from workbench.ui.widgets.matrix_scale import Scale, diverging_colours, number, sequential_colours
from workbench.ui.widgets.matrix_view import MatrixView, _named

LEFT = Qt.MouseButton.LeftButton
NAN = math.nan


def result(values: object, *, kind: str = "pmi", centre0: bool = True, words: tuple[str, ...] = ()) -> MatrixResult:
    array = np.array(values, dtype=float)
    rows, columns = array.shape
    names = words or tuple(f"word{place}" for place in range(max(rows, columns)))
    counts = np.where(np.isnan(array), np.nan, 7.0)
    return MatrixResult(kind, names[:rows], names[:columns], array, counts, "PMI", centre0)


@pytest.fixture
def view(context: Context, qtbot: QtBot) -> MatrixView:
    made = MatrixView(context.theme)
    qtbot.addWidget(made)
    made.resize(500, 420)
    made.set_result(result([[2.0, -1.0, NAN], [0.0, 1.0, 0.5], [NAN, 0.5, -2.0]]))
    made.show()
    qtbot.waitExposed(made)
    return made


def at(view: MatrixView, row: int, column: int) -> QPoint:
    return view.cell_rect(row, column).center().toPoint()


def drag(view: MatrixView, start: QPoint, end: QPoint) -> None:
    """Press, move in two steps, release; the test library's own moves hold no button."""
    kind, none = QEvent.Type, Qt.MouseButton.NoButton
    halfway = (start + end) / 2
    for what, place, button, held in (
        (kind.MouseButtonPress, start, LEFT, LEFT),
        (kind.MouseMove, halfway, none, LEFT),
        (kind.MouseMove, end, none, LEFT),
        (kind.MouseButtonRelease, end, LEFT, none),
    ):
        where = QPointF(place)
        event = QMouseEvent(what, where, QPointF(view.mapToGlobal(place)), button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(view, event)


def wheel(view: MatrixView, place: QPoint, turn: int) -> None:
    where = QPointF(place)
    event = QWheelEvent(
        where,
        QPointF(view.mapToGlobal(place)),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_cells_have_the_colours_of_their_values(view: MatrixView, context: Context) -> None:
    picture = view.picture(1.0)
    low, middle, high = (QColor(name).getRgb()[:3] for name in context.theme.palette.diverging)
    assert picture.pixelColor(at(view, 0, 0)).getRgb()[:3] == high
    assert picture.pixelColor(at(view, 2, 2)).getRgb()[:3] == low
    assert picture.pixelColor(at(view, 1, 0)).getRgb()[:3] == middle


def test_a_pair_never_seen_is_hatched(view: MatrixView, context: Context) -> None:
    picture = view.picture(1.0)
    area = view.cell_rect(0, 2).toRect().adjusted(3, 3, -3, -3)
    inks = {picture.pixelColor(x, area.center().y()).name().upper() for x in range(area.left(), area.right())}
    assert context.theme.palette.unobserved in inks
    assert len(inks) > 1
    table = {
        QColor(*(int(channel) for channel in row)).name().upper() for row in diverging_colours(context.theme.palette)
    }
    assert not inks & table


def test_another_theme_has_other_colours(view: MatrixView, context: Context) -> None:
    before = view.picture(1.0).pixelColor(at(view, 1, 0)).name()
    context.theme.choose("dark")
    after = view.picture(1.0).pixelColor(at(view, 1, 0)).name()
    context.theme.choose("light")
    assert before != after


def test_the_pointer_reads_a_cell_and_leaving_forgets_it(view: MatrixView, qtbot: QtBot) -> None:
    heard: list[tuple[int, int]] = []
    view.hovered.connect(lambda row, column: heard.append((row, column)))
    qtbot.mouseMove(view, at(view, 0, 1))
    until(qtbot, lambda: view.cell == (0, 1))
    assert view.describe(view.cell) == "word0 · word1: −1   #(w, c) 7"
    assert view.describe((0, 2)) == "word0 · word2: never seen together"
    assert "word0 · word1" in view.accessibleDescription()
    qtbot.mouseMove(view, QPoint(2, 2))
    until(qtbot, lambda: view.cell is None)
    assert heard == [(0, 1), (-1, -1)]


def test_a_click_picks_and_a_drag_does_not(view: MatrixView, qtbot: QtBot) -> None:
    heard: list[tuple[str, str]] = []
    view.picked.connect(lambda word, other: heard.append((word, other)))
    qtbot.mouseClick(view, LEFT, pos=at(view, 1, 2))
    assert heard == [("word1", "word2")]
    view.set_result(result(np.ones((30, 30))))
    view.zoom(3.0)
    before = view.cell_rect(15, 15).center()
    drag(view, before.toPoint(), before.toPoint() - QPoint(16, 12))
    assert before - view.cell_rect(15, 15).center() == QPointF(16, 12)
    assert len(heard) == 1
    drag(view, before.toPoint(), before.toPoint() + QPoint(5000, 5000))
    assert view.cell_rect(0, 0).left() > 0


def test_the_wheel_zooms_at_the_pointer(view: MatrixView, qtbot: QtBot) -> None:
    view.set_result(result(np.arange(3600.0).reshape(60, 60)))
    before = view.cell_rect(30, 20)
    place = before.center().toPoint()
    wheel(view, place, 960)
    after = view.cell_rect(30, 20)
    assert after.width() > 2 * before.width()
    assert view.cell == (30, 20)
    wheel(view, place, -4000)
    assert view.cell_rect(30, 20) == before


def test_keys_walk_zoom_and_fit(view: MatrixView, qtbot: QtBot) -> None:
    view.set_result(result(np.arange(900.0).reshape(30, 30)))
    fitted = view.cell_rect(0, 0)
    view.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Left):
        qtbot.keyClick(view, key)
    assert view.cell == (0, 0)
    for _ in range(8):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.cell_rect(0, 0).height() > 2 * fitted.height()
    for _ in range(29):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.cell == (0, 29)
    assert view.rect().contains(at(view, 0, 29))
    with qtbot.waitSignal(view.picked) as picked:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert picked.args == ["word0", "word29"]
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.cell_rect(0, 0) == fitted


def test_the_same_words_keep_the_view_and_other_words_do_not(view: MatrixView) -> None:
    view.zoom(2.0)
    zoomed = view.cell_rect(0, 0)
    view.set_result(result(np.ones((3, 3))))
    assert view.cell_rect(0, 0) == zoomed
    view.set_result(result(np.ones((3, 3)), words=("a", "b", "c")))
    assert view.cell_rect(0, 0) != zoomed
    view.set_result(None)
    assert view.result is None
    assert view.accessibleDescription() == ""


def test_cells_keep_to_whole_pixels(view: MatrixView) -> None:
    view.set_result(result(np.ones((17, 23))))
    for row, column in ((0, 0), (5, 7), (16, 22)):
        cell = view.cell_rect(row, column)
        assert [cell.left() % 1, cell.top() % 1, cell.width() % 1, cell.height() % 1] == [0, 0, 0, 0]


def test_a_diverging_scale_has_zero_in_its_middle() -> None:
    scale = Scale(result([[3.1, -0.4]]))
    assert scale.share(np.array([0.0, 3.1, -3.1])).tolist() == [0.5, 1.0, 0.0]
    assert [text for _, text in scale.ticks()] == ["−3", "−2", "−1", "0", "1", "2", "3"]
    assert np.isnan(scale.share(np.array([NAN]))).all()


def test_counts_have_a_logarithmic_scale_from_zero() -> None:
    scale = Scale(result([[20_000.0, 0.0, 3.0]], kind="count", centre0=False))
    assert scale.share(np.array([0.0, 20_000.0])).tolist() == [0.0, 1.0]
    assert [text for _, text in scale.ticks()] == ["0", "1", "10", "100", "1,000", "10,000"]


@pytest.mark.parametrize("values", [[[NAN, NAN]], [[0.0, 0.0]]])
@pytest.mark.parametrize(("kind", "centre0"), [("pmi", True), ("ppmi", False), ("count", False)])
def test_a_matrix_of_nothing_still_has_a_scale(values: list[list[float]], kind: str, centre0: bool) -> None:
    ticks = Scale(result(values, kind=kind, centre0=centre0)).ticks()
    assert "0" in [text for _, text in ticks]
    assert all(0 <= share <= 1 for share, _ in ticks)


def test_viridis_grows_lighter() -> None:
    luminance = sequential_colours().astype(float) @ [0.299, 0.587, 0.114]
    assert (np.diff(luminance) > -1.5).all()
    assert luminance[-1] - luminance[0] > 150


def test_names_that_would_touch_are_left_out_but_never_the_one_looked_at() -> None:
    assert _named(4, 20.0, -1) == [0, 1, 2, 3]
    assert _named(10, 5.0, -1) == [0, 3, 6, 9]
    assert _named(10, 5.0, 4) == [0, 4, 9]


@pytest.mark.parametrize(
    ("value", "text"), [(12345.6, "12,346"), (-2500.0, "−2,500"), (0.12345, "0.123"), (-0.0, "0"), (999.0, "999")]
)
def test_numbers_have_no_more_digits_than_mean_something(value: float, text: str) -> None:
    assert number(value) == text


def test_the_table_is_safe_for_spreadsheets() -> None:
    words = ("=1+1", "-x", "plain", 'a"b,c', "@x")
    table = to_csv(result([[1.5, NAN, -2.0, 0.0, 1e-7]] * 5, words=words))
    rows = list(csv.reader(io.StringIO(table)))
    assert rows[0] == ["", "'=1+1", "'-x", "plain", 'a"b,c', "'@x"]
    assert rows[1] == ["'=1+1", "1.5", "", "-2.0", "0.0", "1e-07"]
