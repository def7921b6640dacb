"""The heatmap with pointer, wheel and keys; its colours, its scale and its table."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QImage,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from ui.toy import until

from workbench.analysis.matrix.board import Board
from workbench.analysis.matrix.values import MatrixResult
from workbench.core.errors import UserError
from workbench.ui.base.action import action_key
from workbench.ui.base.colours import DARK, LIGHT, Palette
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.scaling import set_text_factor
from workbench.ui.export.figure_export import save_figure
from workbench.ui.panels.matrix import painting
from workbench.ui.panels.matrix.axis_labels import NAME_SIZES, label_margins, labelled_lines
from workbench.ui.panels.matrix.export import write_long, write_wide
from workbench.ui.panels.matrix.find_bar import MatchCursor, matching_places
from workbench.ui.panels.matrix.grid_geometry import HEAD, GridFrame
from workbench.ui.panels.matrix.image import make_images
from workbench.ui.panels.matrix.view import MatrixView
from workbench.ui.plots.colour_scale import (
    Scale,
    diverging_colours,
    number,
    scales,
    sequential_colours,
)

LEFT = Qt.MouseButton.LeftButton
NAN = math.nan


def result(
    values: object, *, kind: str = "pmi", centre0: bool = True, words: tuple[str, ...] = ()
) -> MatrixResult:
    array = np.array(values, dtype=float)
    rows, columns = array.shape
    names = words or tuple(f"word{place}" for place in range(max(rows, columns)))
    counts = np.where(np.isnan(array), np.nan, 7.0)
    known_words = np.ones(rows, dtype=bool), np.ones(columns, dtype=bool)
    sums = np.arange(10.0, 10 + rows), np.arange(20.0, 20 + columns)
    return MatrixResult(
        kind,
        names[:rows],
        names[:columns],
        array,
        counts,
        "PMI",
        centre0,
        *known_words,
        "PMI",
        "nats",
        *sums,
    )


def board_of(*panes: MatrixResult | UserError) -> Board:
    first = next(pane for pane in panes if isinstance(pane, MatrixResult))
    return Board(first.words, first.columns, panes)


def put(view: MatrixView, *panes: MatrixResult | UserError, shared: bool = False) -> None:
    view.set_board(board_of(*panes), make_images(panes, shared, view._theme.palette))


def picture(view: MatrixView) -> QImage:
    """The widget as it is painted, pixel for pixel."""
    view.repaint()
    return view.grab().toImage()


@pytest.fixture
def view(context: PanelContext, qtbot: QtBot) -> MatrixView:
    new_view = MatrixView(context.theme)
    qtbot.addWidget(new_view)
    new_view.resize(500, 420)
    put(new_view, result([[2.0, -1.0, NAN], [0.0, 1.0, 0.5], [NAN, 0.5, -2.0]]))
    new_view.show()
    qtbot.waitExposed(new_view)
    return new_view


def at(view: MatrixView, row: int, column: int) -> QPoint:
    return view.cell_rect(row, column).center().toPoint()


def test_no_lines_cover_a_picture(view: MatrixView) -> None:
    board = view.board
    assert board is not None
    cell = view.cell_rect(1, 1)
    edge = QPoint(int(cell.right()) - 1, int(cell.center().y()))

    def colours() -> tuple[str, str]:
        image = picture(view)
        inside = cell.center().toPoint()
        return image.pixelColor(edge).name(), image.pixelColor(inside).name()

    between, inside = colours()
    assert between != inside
    images = make_images(board.panes, False, view._theme.palette)
    view.set_board(dataclasses.replace(board, picture=True), images)
    assert len(set(colours())) == 1


def drag(
    view: MatrixView,
    start: QPoint,
    end: QPoint,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Press, move twice, release: mouse moves by the test library don't hold a button down."""
    kind, none = QEvent.Type, Qt.MouseButton.NoButton
    halfway = (start + end) / 2
    for what, place, button, buttons in (
        (kind.MouseButtonPress, start, LEFT, LEFT),
        (kind.MouseMove, halfway, none, LEFT),
        (kind.MouseMove, end, none, LEFT),
        (kind.MouseButtonRelease, end, LEFT, none),
    ):
        where = QPointF(place)
        event = QMouseEvent(
            what,
            where,
            QPointF(view.mapToGlobal(place)),
            button,
            buttons,
            modifier,
        )
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


def test_cells_have_the_colours_of_their_values(view: MatrixView, context: PanelContext) -> None:
    image = picture(view)
    low, middle, high = (QColor(name).getRgb()[:3] for name in context.theme.palette.diverging)
    assert image.pixelColor(at(view, 0, 0)).getRgb()[:3] == high
    assert image.pixelColor(at(view, 2, 2)).getRgb()[:3] == low
    assert image.pixelColor(at(view, 1, 0)).getRgb()[:3] == middle


def test_a_pair_never_seen_is_hatched(view: MatrixView, context: PanelContext) -> None:
    image = picture(view)
    area = view.cell_rect(0, 2).toRect().adjusted(3, 3, -3, -3)
    inks = {
        image.pixelColor(x, area.center().y()).name().upper()
        for x in range(area.left(), area.right())
    }
    assert context.theme.palette.unobserved in inks
    assert len(inks) > 1
    table = {
        QColor(*(int(channel) for channel in row)).name().upper()
        for row in diverging_colours(context.theme.palette)
    }
    assert not inks & table


def test_the_pointer_reads_a_cell_and_leaving_forgets_it(view: MatrixView, qtbot: QtBot) -> None:
    cells: list[tuple[int, int]] = []
    view.hovered.connect(lambda row, column: cells.append((row, column)))
    qtbot.mouseMove(view, at(view, 0, 1))
    until(qtbot, lambda: view.cell == (0, 1))
    assert view.describe(view.cell) == "word0 · word1   PMI: −1 nats   #(w,c) 7   #(w) 10   #(c) 21"
    assert view.describe((0, 2)) == "word0 · word2   PMI: unobserved   #(w,c) 0   #(w) 10   #(c) 22"
    assert "word0 · word1" in view.accessibleDescription()
    qtbot.mouseMove(view, QPoint(2, 2))
    until(qtbot, lambda: view.cell is None)
    assert cells == [(0, 1), (-1, -1)]


def test_a_click_picks_and_a_drag_does_not(view: MatrixView, qtbot: QtBot) -> None:
    pairs: list[tuple[str, str]] = []
    view.picked.connect(lambda word, other: pairs.append((word, other)))
    qtbot.mouseClick(view, LEFT, pos=at(view, 1, 2))
    assert pairs == [("word1", "word2")]
    put(view, result(np.ones((30, 30))))
    view.zoom(4.0)
    before = view.cell_rect(15, 15).center()
    drag(view, before.toPoint(), before.toPoint() - QPoint(16, 12))
    assert before - view.cell_rect(15, 15).center() == QPointF(16, 12)
    assert len(pairs) == 1
    drag(view, before.toPoint(), before.toPoint() + QPoint(5000, 5000))
    assert view.cell_rect(0, 0).left() > 0


def test_the_wheel_zooms_at_the_pointer(view: MatrixView, qtbot: QtBot) -> None:
    put(view, result(np.arange(3600.0).reshape(60, 60)))
    before = view.cell_rect(30, 20)
    place = before.center().toPoint()
    wheel(view, place, 960)
    after = view.cell_rect(30, 20)
    assert after.width() > 2 * before.width()
    assert view.cell == (30, 20)
    wheel(view, place, -4000)
    assert view.cell_rect(30, 20) == before


def test_keys_walk_zoom_and_fit(view: MatrixView, qtbot: QtBot) -> None:
    put(view, result(np.arange(900.0).reshape(30, 30)))
    fitted_cell = view.cell_rect(0, 0)
    view.setFocus()
    for key in (
        Qt.Key.Key_Down,
        Qt.Key.Key_Down,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Up,
        Qt.Key.Key_Left,
    ):
        qtbot.keyClick(view, key)
    assert view.cell == (0, 0)
    for _ in range(8):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.cell_rect(0, 0).height() > 2 * fitted_cell.height()
    for _ in range(29):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.cell == (0, 29)
    assert view.rect().contains(at(view, 0, 29))
    with qtbot.waitSignal(view.picked) as signal:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert signal.args == ["word0", "word29"]
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.cell_rect(0, 0) == fitted_cell


def test_the_hands_of_every_figure(view: MatrixView, qtbot: QtBot) -> None:
    put(view, result(np.arange(900.0).reshape(30, 30)))
    fitted_cell = view.cell_rect(0, 0)
    view.setFocus()
    drag(view, at(view, 10, 10), at(view, 20, 20), Qt.KeyboardModifier.ShiftModifier)
    close = view.cell_rect(15, 15)
    assert close.height() > 2 * fitted_cell.height()
    assert abs(close.center().y() - view.frame.plots[0].center().y()) < 2 * close.height()
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert view.cell_rect(15, 15).left() < close.left()
    qtbot.mouseDClick(view, LEFT, pos=view.frame.plots[0].center().toPoint())
    assert view.cell_rect(0, 0) == fitted_cell
    view.zoom(2.0)
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert view.cell_rect(0, 0) == fitted_cell
    names: list[str] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        names.extend(action_key(action) for action in menu.actions())
        menu.close()

    QTimer.singleShot(0, view, look)
    place = QPoint(100, 100)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view, QContextMenuEvent(reason, place, view.mapToGlobal(place)))
    assert {"figure.fit", "figure.copy"} <= set(names)
    view.copy_picture()
    assert not QGuiApplication.clipboard().image().isNull()


def test_the_same_words_keep_the_view_and_other_words_do_not(view: MatrixView) -> None:
    view.zoom(2.0)
    zoomed_cell = view.cell_rect(0, 0)
    put(view, result(np.ones((3, 3))))
    assert view.cell_rect(0, 0) == zoomed_cell
    put(view, result(np.ones((3, 3)), words=("a", "b", "c")))
    assert view.cell_rect(0, 0) != zoomed_cell
    view.set_board(None)
    assert view.board is None
    assert view.accessibleDescription() == ""


def test_cells_keep_to_whole_pixels(view: MatrixView) -> None:
    put(view, result(np.ones((17, 23))))
    for row, column in ((0, 0), (5, 7), (16, 22)):
        cell = view.cell_rect(row, column)
        assert [cell.left() % 1, cell.top() % 1, cell.width() % 1, cell.height() % 1] == [
            0,
            0,
            0,
            0,
        ]


def test_a_diverging_scale_has_zero_in_its_middle() -> None:
    scale = Scale([result([[3.1, -0.4]])])
    assert scale.share(np.array([0.0, 3.1, -3.1])).tolist() == [0.5, 1.0, 0.0]
    assert [text for _, text in scale.ticks()] == ["−3", "−2", "−1", "0", "1", "2", "3"]
    assert np.isnan(scale.share(np.array([NAN]))).all()


def test_counts_have_a_logarithmic_scale_from_zero() -> None:
    scale = Scale([result([[20_000.0, 0.0, 3.0]], kind="count", centre0=False)])
    assert scale.share(np.array([0.0, 20_000.0])).tolist() == [0.0, 1.0]
    assert [text for _, text in scale.ticks()] == ["0", "1", "10", "100", "1,000", "10,000"]


@pytest.mark.parametrize("values", [[[NAN, NAN]], [[0.0, 0.0]]])
@pytest.mark.parametrize(("kind", "centre0"), [("pmi", True), ("ppmi", False), ("count", False)])
def test_a_matrix_of_nothing_still_has_a_scale(
    values: list[list[float]], kind: str, centre0: bool
) -> None:
    ticks = Scale([result(values, kind=kind, centre0=centre0)]).ticks()
    assert "0" in [text for _, text in ticks]
    assert all(0 <= share <= 1 for share, _ in ticks)


def test_viridis_grows_lighter() -> None:
    luminance = sequential_colours().astype(float) @ [0.299, 0.587, 0.114]
    assert (np.diff(luminance) > -1.5).all()
    assert luminance[-1] - luminance[0] > 150


def test_names_that_would_touch_are_left_out_but_never_the_one_looked_at() -> None:
    assert labelled_lines(range(4), 20.0, ()) == [0, 1, 2, 3]
    assert labelled_lines(range(4), 9.0, ()) == [0, 1, 2, 3]
    assert labelled_lines(range(10), 5.0, ()) == [0, 2, 4, 6, 8]
    assert labelled_lines(range(10), 5.0, (3,)) == [0, 3, 6, 8]
    assert labelled_lines(range(7, 14), 5.0, (20,)) == [8, 10, 12]


@pytest.mark.parametrize(
    ("value", "text"),
    [(12345.6, "12,346"), (-2500.0, "−2,500"), (0.12345, "0.123"), (-0.0, "0"), (999.0, "999")],
)
def test_numbers_have_no_more_digits_than_mean_something(value: float, text: str) -> None:
    assert number(value) == text


def test_the_table_is_safe_for_spreadsheets(tmp_path: Path) -> None:
    words = ("=1+1", "-x", "plain", 'a"b,c', "@x")
    write_wide(tmp_path / "wide.csv", result([[1.5, NAN, -2.0, 0.0, 1e-7]] * 5, words=words))
    rows = list(csv.reader(io.StringIO((tmp_path / "wide.csv").read_text("utf-8"))))
    assert rows[0] == ["", "'=1+1", "'-x", "plain", 'a"b,c', "'@x"]
    assert rows[1] == ["'=1+1", "1.5", "", "-2.0", "0.0", "1e-07"]
    assert len(rows) == 6


def test_a_long_table_has_a_line_for_every_pair_and_a_column_for_every_view(tmp_path: Path) -> None:
    one, two = result([[1.0, NAN]]), result([[2.5, -3.0]])
    board = board_of(one, UserError("no", "way"), two)
    write_long(tmp_path / "long.csv", board, ["A", "B", "C"])
    rows = list(csv.reader(io.StringIO((tmp_path / "long.csv").read_text("utf-8"))))
    assert rows == [
        ["word", "context", "A", "C", "#(w,c)"],
        ["word0", "word0", "1.0", "2.5", "7.0"],
        ["word0", "word1", "", "-3.0", ""],
    ]


# -- several side by side


@pytest.mark.parametrize("number_of", [2, 3, 4])
def test_panes_are_of_one_size_and_apart_and_show_the_same_cells(
    view: MatrixView, number_of: int
) -> None:
    put(view, *[result(np.ones((40, 40)))] * number_of)
    plots = view.frame.plots
    assert len(plots) == number_of
    assert len({(plot.width(), plot.height()) for plot in plots}) == 1
    assert all(view.rect().contains(plot.toRect()) for plot in plots)
    assert not any(a.intersects(b) for at, a in enumerate(plots) for b in plots[at + 1 :])
    view.zoom(3.0)
    plots = view.frame.plots
    for pane in range(1, number_of):
        shift = view.cell_rect(7, 9, pane).topLeft() - view.cell_rect(7, 9).topLeft()
        assert shift == plots[pane].topLeft() - plots[0].topLeft()


def test_the_pointer_over_one_pane_points_in_all(view: MatrixView, qtbot: QtBot) -> None:
    first, second = result([[2.0, -1.0], [0.5, 1.0]]), result([[-2.0, 0.25], [NAN, 3.0]])
    put(view, first, second)
    still = picture(view)
    other = view.cell_rect(0, 1, 1).center().toPoint()
    qtbot.mouseMove(view, other)
    until(qtbot, lambda: view.cell == (0, 1))
    assert (
        view.describe(view.cell)
        == "word0 · word1   PMI: −1 nats   PMI: 0.25 nats   #(w,c) 7   #(w) 10   #(c) 21"
    )
    ringed_image = picture(view)
    for pane in (0, 1):
        ring = view.cell_rect(0, 1, pane).toRect()
        assert ringed_image.copy(ring) != still.copy(ring)
    with qtbot.waitSignal(view.picked) as signal:
        qtbot.mouseClick(view, LEFT, pos=other)
    assert signal.args == ["word0", "word1"]


def test_counts_that_differ_stand_behind_each_value(view: MatrixView) -> None:
    one = result([[2.0, -1.0]])
    two = dataclasses.replace(
        result([[0.5, 1.0]]), title="x*", counts=np.array([[3.0, 4.5]]), row_sums=None
    )
    put(view, one, two)
    assert view.describe((0, 1)) == (
        "word0 · word1   PMI: −1 nats (#(w,c) 7, #(w) 10, #(c) 21)   x*: 1 nats (#(w,c) 4.5, #(c) "
        "21)"
    )


def test_a_pane_without_numbers_says_why_and_the_other_is_drawn(view: MatrixView) -> None:
    put(view, UserError("No contexts.", "Train one."), result([[2.0, -1.0]]))
    image = picture(view)
    plot = view.frame.plots[0].toRect()
    inks = {
        image.pixelColor(x, y).name()
        for x in range(plot.left(), plot.right(), 2)
        for y in range(plot.top(), plot.bottom())
    }
    assert len(inks) > 3
    assert image.pixelColor(view.cell_rect(0, 0, 1).center().toPoint()).getRgb()[:3] == (
        178,
        24,
        43,
    )


def test_a_scale_is_shared_by_views_of_one_unit_only() -> None:
    small, large = result([[1.0, -1.0]]), result([[4.0, 2.0]])
    counts = result([[9.0, 3.0]], kind="count", centre0=False)
    own = scales([small, large, counts], False)
    assert [scale.high for scale in own] == [1.0, 4.0, 9.0]
    one = scales([small, large, counts], True)
    assert [scale.high for scale in one] == [4.0, 4.0, 9.0]
    assert [scale.low for scale in one] == [-4.0, -4.0, 0.0]


def test_a_few_odd_values_do_not_take_the_colours_from_the_others() -> None:
    values = np.random.default_rng(1).normal(size=(100, 100))
    values[3, 4] = 500.0
    scale = Scale([result(values)])
    assert scale.clipped
    assert 2 < scale.high < 5
    assert not Scale([result(values[10:12])]).clipped


@pytest.mark.parametrize("width", range(120, 420, 12))
def test_both_ends_of_a_clipped_scale_are_labelled(width: int, qtbot: QtBot) -> None:
    class Recorder(QPainter):
        def drawText(self, area: QRectF, flags: int, text: str) -> None:
            texts.append(text)

    texts: list[str] = []
    values = np.random.default_rng(1).normal(size=(100, 100))
    values[3, 4] = 500.0
    scale = Scale([result(values)])
    page = QImage(500, 60, QImage.Format.Format_ARGB32)
    painter = Recorder(page)
    painting._paint_ticks(painter, QRectF(0, 0, width, 12), scale, LIGHT)
    painter.end()
    assert {text[0] for text in texts} >= {"≤", "≥"}, texts


def test_unknown_words_have_a_tone_of_their_own(view: MatrixView, context: PanelContext) -> None:
    plain = result([[1.0, 2.0], [NAN, NAN]])
    unknown = dataclasses.replace(plain, rows_known=np.array([True, False]))
    put(view, unknown)
    area = view.cell_rect(1, 0).toRect().adjusted(3, 3, -3, -3)
    inks = {
        picture(view).pixelColor(x, area.center().y()).name().upper()
        for x in range(area.left(), area.right(), 3)
    }
    assert inks == {context.theme.palette.raised}
    assert view.describe((1, 0)) == "word1 · word0   PMI: unknown word"


def test_from_afar_cells_are_mixed_and_not_dropped(view: MatrixView) -> None:
    """High and low columns that alternate, of 1,000 × 1,000 cells, are drawn as their average."""
    values = np.ones((1000, 1000))
    values[:, ::2] = -1.0
    put(view, result(values))
    image = picture(view)
    plot = view.frame.visible_rect(0).toRect().adjusted(4, 4, -4, -4)
    some = [image.pixelColor(plot.left() + at, plot.center().y()) for at in range(0, 60, 7)]
    low, _, high = (QColor(name) for name in view._theme.palette.diverging)
    for colour in some:
        assert abs(colour.red() - (low.red() + high.red()) / 2) < 25


def test_what_a_search_finds_is_marked_and_brought_into_sight(view: MatrixView) -> None:
    put(view, result(np.ones((300, 300))))
    view.mark_lines((250,), ())
    view.go_to(250, None)
    assert view.cell == (250, 0)
    row = view.cell_rect(250, 0)
    assert row.height() >= 14
    assert view.frame.plots[0].top() <= row.top() <= row.bottom() <= view.frame.plots[0].bottom()
    accent = QColor(view._theme.palette.accent).name()
    edge = picture(view).pixelColor(int(view.frame.plots[0].center().x()) + 60, int(row.top()))
    assert edge.name() == accent


def test_matches_are_the_word_itself_then_what_begins_so_then_what_holds_it() -> None:
    words = ("kingdom", "walking", "king", "King")
    assert matching_places(words, "king") == [2, 3, 0]
    assert matching_places(words, "alk") == [1]
    assert matching_places(words, "zebra") == []
    finder = MatchCursor()
    finder.search_words(words, "king")
    assert [finder.next_place(1) for _ in range(4)] == [2, 3, 0, 2]
    assert finder.next_place(-1) == 0
    finder.search_words(words, "")
    assert finder.next_place(1) is None


def _save_svg(view: MatrixView, path: Path) -> bytes:
    pictures = view.pictures
    save_figure(
        path,
        view.paper_frame()[0],
        lambda painter: view.save_picture(painter, pictures, ["PMI"]),
    )
    return path.read_bytes()


def test_a_figure_is_the_same_whatever_the_size_of_the_panel(
    view: MatrixView, tmp_path: Path
) -> None:
    put(view, result(np.ones((30, 40))))
    drawings = set()
    for width, height in ((1300, 400), (500, 900)):
        view.resize(width, height)
        drawings.add(_save_svg(view, tmp_path / "whole.svg"))
    assert len(drawings) == 1
    size, frame = view.paper_frame()
    assert size.width() == 720
    whole = frame.visible_rect(0)
    assert whole.width() / 40 == pytest.approx(whole.height() / 30, rel=0.02)


def test_a_drawing_shows_the_part_that_is_seen(view: MatrixView, tmp_path: Path) -> None:
    values = np.where(np.arange(40) % 2, 1.0, -1.0)[None].repeat(40, axis=0)
    put(view, result(values))
    view.zoom(4.0)
    _save_svg(view, tmp_path / "part.svg")
    size, frame = view.paper_frame()
    image = QImage(size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    QSvgRenderer(str(tmp_path / "part.svg")).render(painter)
    painter.end()
    low, _, high = (QColor(name).getRgb()[:3] for name in view._theme.palette.diverging)
    row = view.frame.visible_rows()[1]
    columns = view.frame.visible_columns()[:-1]
    assert 4 < len(columns) < 40
    for column in columns:
        place = frame.cell_rect(row, column).center().toPoint()
        assert image.pixelColor(place).getRgb()[:3] == pytest.approx((low, high)[column % 2], abs=3)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_0_and_unobserved_pairs_have_clearly_different_colours(palette: Palette) -> None:
    zero, unobserved = (
        QColor(colour).lightnessF() for colour in (palette.diverging[1], palette.unobserved)
    )
    assert abs(zero - unobserved) > 0.1


def test_cells_are_square_in_a_wide_and_in_a_high_panel(view: MatrixView) -> None:
    for width, height in ((1300, 400), (500, 900)):
        view.resize(width, height)
        assert view.frame.cell.width() == view.frame.cell.height()


def test_small_cells_have_small_names_and_the_room_that_these_leave(view: MatrixView) -> None:
    names = tuple(f"grandmother {number}" for number in range(60))
    cells = np.ones((60, 60))
    put(view, result(cells, words=names))
    frame = view.frame
    small = label_margins(names, names, NAME_SIZES[0])
    large = label_margins(names, names, NAME_SIZES[-1])
    assert frame.cell.height() < 8
    assert frame.margins == small < large
    assert frame.plots[0].top() == pytest.approx(HEAD + small[1])
    # Large cells have large names; the cell under the pointer stays in place.
    place = view.cell_rect(30, 30).center()
    view.zoom(4.0, place)
    assert frame.margins == large
    assert frame.cell_at(place) == (0, 30, 30)
    view.fit()
    assert frame.margins == small


def test_a_view_that_is_low_for_its_text_leaves_the_numbers_to_the_panel(
    qapp: QApplication,
) -> None:
    frame, size = GridFrame(), QSizeF(900, 460)
    frame.set_cells(25, 25, (60.0, 60.0, 20.0))
    frame.arrange_panes(size, 2, 1.0)
    assert frame.strip > 0
    try:
        set_text_factor(1.5)
        frame.arrange_panes(size, 2, 1.0)
        assert frame.strip == 0
    finally:
        set_text_factor(1.0)
