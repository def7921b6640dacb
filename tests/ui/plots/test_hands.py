"""The same mouse actions and keys work in every figure with axes: wheel, drag, keys and menus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from workbench.analysis.theory.factors import Factors
from workbench.analysis.theory.pair_view import PairView
from workbench.ui.base.action import action_key
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.theme import Theme
from workbench.ui.export.figure_export import save_figure
from workbench.ui.panels.corpus.word_curves import WordCurves, WordCurvesView
from workbench.ui.panels.inside.tree_picture import TreePicture
from workbench.ui.panels.loss.plot import Axes, LossCurve, LossPlot
from workbench.ui.panels.pair.figure import PairFigure
from workbench.ui.panels.relations.offsets_view import OffsetsView
from workbench.ui.panels.theory.density_view import DensityView
from workbench.ui.panels.theory.factors_view import FactorsView
from workbench.ui.panels.time.painting import Reel, TimeStrip
from workbench.ui.panels.time.timeline_data import TrainingAxis
from workbench.ui.panels.time.timeline_view import TimeStrips
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.plots.chart_view import ChartView
from workbench.ui.plots.view import FigureView

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier


def chart(theme: Theme) -> FigureView:
    view = ChartView(theme)
    x = np.arange(1.0, 40.0)
    texts = [f"point {n}" for n in range(len(x))]
    keys = [str(n) for n in range(len(x))]
    series = ChartSeries(x, np.sqrt(x), "root", line=True, texts=texts, keys=keys)
    view.set_chart(Chart("n", "√n", (series,)))
    return view


def word_curves(theme: Theme) -> FigureView:
    view = WordCurvesView(theme)
    ranks = np.arange(1.0, 101.0)
    counts = 1000.0 / ranks
    series = (ChartSeries(ranks, counts, "the corpus", line=True, dots=False),)
    ends = (1.0, 100.0), (1.0, 1000.0)
    axes = Chart("rank", "count", series, True, True, x_range=ends[0], y_range=ends[1])
    words = [f"w{n}" for n in range(len(ranks))]
    view.set_figure(WordCurves(axes, words, ranks, counts, words.__getitem__, (0, 9)))
    return view


def loss(theme: Theme) -> FigureView:
    plot = LossPlot(theme)
    x = np.linspace(0.1, 10.0, 400)
    curves = (LossCurve("Run 1", "#2463EB", x, 3.0 + 1.0 / x), LossCurve("Run 2", "#A00000", x, x))
    plot.log_chosen.connect(lambda axis, on: choose(axis, on))

    def choose(axis: str, on: bool) -> None:
        plot.show_curves(curves, replace(plot.axes, **{f"log_{axis}": on}), 0.0)

    plot.show_curves(curves, Axes("epochs"), 0.0)
    return plot


def density(theme: Theme) -> FigureView:
    view = DensityView(theme)
    values = np.linspace(-1.0, 1.0, 20)
    none = np.zeros(20, dtype=np.int64)
    fit = SimpleNamespace(
        pairs=400,
        weighted=SimpleNamespace(r2=0.5, slope=1.0),
        low=-2.0,
        high=2.0,
        histogram=np.arange(400).reshape(20, 20),
        unseen=none + 3,
        words=("a", "b"),
        targets=values,
        scores=values,
        rows=none,
        columns=none + 1,
    )
    view.set_look(SimpleNamespace(fit=fit, own=None, pair=None), ("target", "score"))
    return view


def pair(theme: Theme) -> FigureView:
    view = PairFigure(theme)
    view.set_pair(PairView("king", "saw", 5.0, 40.0, 0.02, 2, 0.7, (3, 4), None), ((0.5, 0.2),))
    return view


def offsets(theme: Theme) -> FigureView:
    view = OffsetsView(theme)
    ends = [(np.cos(angle), np.sin(angle)) for angle in np.linspace(0.0, 5.5, 9)]
    pairs = [SimpleNamespace(a=f"a{x:.1f}", b=f"b{x:.1f}", place=(x, y), cosine=x) for x, y in ends]
    words = tuple((pair.a, pair.b) for pair in pairs)
    view.put(SimpleNamespace(offsets=pairs, pairs=words, mean_place=(0.5, 0.6), explained=0.5))
    return view


def tree(theme: Theme) -> FigureView:
    view = TreePicture(theme)
    boxes = [
        SimpleNamespace(
            node=2 - level,
            level=level,
            left=at / 2**level,
            right=(at + 1) / 2**level,
            word=f"w{at}",
            tokens=64 >> level,
            chosen=at == 0,
            branch=at % 2,
        )
        for level in range(4)
        for at in range(2**level)
    ]
    view.put(SimpleNamespace(boxes=boxes, word="w0", code="000"))
    return view


def strips(theme: Theme) -> FigureView:
    view = TimeStrips(theme)
    states = np.array([0.0, 0.01, 0.1, 0.4, 0.7, 1.0])
    ticks = ((0.0, "0"), (0.5, "half"), (1.0, "1"))
    values = (("0.5", "nats"),) * len(states)
    strip = TimeStrip("Loss", states, 1.0 - states, 1.0 - states, values, ticks=ticks)
    axis = partial(TrainingAxis(0.0, 5.0, 0).ticks, True)
    view.put(Reel((strip, strip), tuple(states.tolist()), axis, "epochs"), 0)
    return view


def matrices(theme: Theme) -> FigureView:
    view = FactorsView(theme)
    words = tuple(f"w{n}" for n in range(30))
    vectors = np.sin(np.arange(240.0)).reshape(30, 8)
    product = vectors @ vectors.T
    view.set_factors(Factors(words, vectors, vectors, product, product, product), ("M", "target"))
    return view


FIGURES = {
    "chart": chart,
    "word curves": word_curves,
    "loss": loss,
    "density": density,
    "pair": pair,
    "offsets": offsets,
    "tree": tree,
    "strips": strips,
    "matrices": matrices,
}
Ranges = list[list[float]]


@pytest.fixture
def theme(context: PanelContext) -> Theme:
    return context.theme


@pytest.fixture(params=FIGURES)
def figure(request: pytest.FixtureRequest, theme: Theme, qtbot: QtBot) -> FigureView:
    return open_figure(FIGURES[request.param], theme, qtbot)


def open_figure(make: Callable[[Theme], FigureView], theme: Theme, qtbot: QtBot) -> FigureView:
    view = make(theme)
    qtbot.addWidget(view)
    view.resize(800, 420)
    view.show()
    qtbot.waitExposed(view)
    view.grab()
    return view


def ranges(figure: FigureView) -> Ranges:
    return [list(ends) for ends in figure.pane.viewRange()]


def span(figure: FigureView) -> list[float]:
    return [high - low for low, high in ranges(figure)]


def middle(figure: FigureView) -> QPoint:
    return figure.frame.area.center().toPoint()


def wheel(figure: FigureView, at: QPoint, clicks: int = 1) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(figure.viewport().mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * clicks),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(figure.viewport(), event)


def drag(
    figure: FigureView, start: QPoint, end: QPoint, modifier: Qt.KeyboardModifier = NONE
) -> None:
    """Press, move, release: mouse moves by the test library don't hold a button down."""
    kind, none = QEvent.Type, Qt.MouseButton.NoButton
    steps = [(kind.MouseButtonPress, start, LEFT, LEFT)]
    steps += [(kind.MouseMove, start + (end - start) * part, none, LEFT) for part in (0.5, 1.0)]
    steps += [(kind.MouseButtonRelease, end, LEFT, none)]
    port = figure.viewport()
    for what, place, button, buttons in steps:
        where = QPointF(port.mapToGlobal(place))
        event = QMouseEvent(what, QPointF(place), where, button, buttons, modifier)
        QApplication.sendEvent(port, event)
        # pyqtgraph skips moves that follow each other too quickly.
        QTest.qWait(15)


def test_the_wheel_zooms_at_the_pointer(figure: FigureView) -> None:
    at = middle(figure) + QPoint(60, 20)
    before, value = span(figure), figure.frame.values_at(QPointF(at))
    wheel(figure, at)
    after = span(figure)
    assert after[0] < before[0]
    if not figure.pane.locked:
        assert figure.frame.values_at(QPointF(at)) == pytest.approx(value, rel=0.02, abs=0.02)
    wheel(figure, at, -1)
    assert span(figure) == pytest.approx(before)


def test_over_an_axis_the_wheel_zooms_that_axis(figure: FigureView) -> None:
    area = figure.frame.area
    for number, axis in enumerate((figure.pane.bottom, figure.pane.left)):
        if axis is None or figure.pane.locked:
            continue
        before = ranges(figure)
        place = QPoint(round(area.left()) - 8, round(area.center().y()))
        if number == 0:
            place = QPoint(round(area.center().x()), round(area.bottom()) + 8)
        wheel(figure, place)
        after = ranges(figure)
        assert after[number] != before[number]
        assert after[1 - number] == before[1 - number]
        figure.fit()


def test_a_drag_pans(figure: FigureView) -> None:
    figure.zoom(0.5)
    before = ranges(figure)
    drag(figure, middle(figure), middle(figure) + QPoint(50, 30))
    after = ranges(figure)
    assert after[0][0] < before[0][0]
    assert span(figure)[0] == pytest.approx(before[0][1] - before[0][0])
    assert figure.is_zoomed


def test_a_drag_with_shift_zooms_into_a_box(figure: FigureView) -> None:
    before = span(figure)
    size = figure.frame.area.size().toSize()
    start = middle(figure) - QPoint(size.width() // 6, size.height() // 6)
    drag(figure, start, start + QPoint(size.width() // 3, size.height() // 3), SHIFT)
    after = span(figure)
    assert after[0] < 0.5 * before[0]
    assert figure.is_zoomed


def test_double_click_and_keys_show_everything(figure: FigureView, qtbot: QtBot) -> None:
    whole = ranges(figure)
    for again in ("click", Qt.Key.Key_Home, Qt.Key.Key_0):
        figure.zoom(0.3)
        assert ranges(figure) != whole
        if isinstance(again, Qt.Key):
            qtbot.keyClick(figure, again)
        else:
            qtbot.mouseDClick(figure.viewport(), LEFT, pos=middle(figure))
            qtbot.mouseRelease(figure.viewport(), LEFT, pos=middle(figure))
        assert np.ravel(ranges(figure)) == pytest.approx(np.ravel(whole))
        assert not figure.is_zoomed


def test_keys_zoom_and_pan(figure: FigureView, qtbot: QtBot) -> None:
    if isinstance(figure, TreePicture):
        # In a tree, these keys show more or fewer levels.
        return
    before = span(figure)
    qtbot.keyClick(figure, Qt.Key.Key_Plus)
    closer = span(figure)
    assert closer[0] < before[0]
    low = ranges(figure)[0][0]
    qtbot.keyClick(figure, Qt.Key.Key_Right, CTRL)
    assert ranges(figure)[0][0] > low
    qtbot.keyClick(figure, Qt.Key.Key_Minus)
    assert span(figure)[0] > closer[0]


def menu_of(figure: FigureView) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        found.extend((action_key(action), action.isEnabled()) for action in menu.actions())
        menu.close()

    QTimer.singleShot(0, figure, look)
    at = middle(figure)
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, at, figure.viewport().mapToGlobal(at), NONE
    )
    QApplication.sendEvent(figure.viewport(), event)
    return [one for one in found if one[0]]


def test_the_menu_has_its_entries(figure: FigureView) -> None:
    entries = dict(menu_of(figure))
    assert {"figure.fit", "figure.log_x", "figure.log_y", "figure.copy"} <= entries.keys()
    assert entries["figure.log_x"] == figure.can_log("x")
    figure.copy_picture()
    assert not QGuiApplication.clipboard().image().isNull()


def test_files_hold_what_is_in_view(figure: FigureView, tmp_path: Path) -> None:
    texts = []
    for name in ("whole", "part"):
        path = tmp_path / f"{name}.svg"
        save_figure(path, figure.file_size, figure.save_picture)
        text = path.read_text("utf-8")
        # Lines and letters are vector graphics, not an image of the scene.
        assert text.count("<text") > 5
        assert ("<image" in text) == isinstance(figure, (DensityView, FactorsView))
        texts.append(text)
        figure.zoom(0.5)
    assert texts[0] != texts[1]


def test_a_file_is_the_same_whatever_the_size_of_the_panel(
    figure: FigureView, tmp_path: Path
) -> None:
    drawings = set()
    for width, height in ((520, 400), (900, 640), (430, 700)):
        figure.resize(width, height)
        QApplication.processEvents()
        path = tmp_path / "figure.svg"
        save_figure(path, figure.file_size, figure.save_picture)
        drawings.add(path.read_bytes())
    assert len(drawings) == 1


def test_a_logarithmic_axis_keeps_the_data(figure: FigureView) -> None:
    value = figure.frame.values_at(figure.frame.area.topRight())
    for axis in ("x", "y"):
        if not figure.can_log(axis):
            continue
        before = figure.is_log(axis)
        figure.choose_log(axis, not before)
        assert figure.is_log(axis) != before
        extent = figure.extent(figure.pane)
        assert extent is not None
        assert figure.pane.shows(extent)
        figure.choose_log(axis, before)
    assert figure.frame.values_at(figure.frame.area.topRight()) == pytest.approx(value)


def test_a_zoom_stays_for_data_of_one_kind(theme: Theme, qtbot: QtBot) -> None:
    """The zoom survives new data with the same titles, and is reset by data with other titles."""
    figure = open_figure(chart, theme, qtbot)
    assert isinstance(figure, ChartView)
    assert figure.chart is not None
    figure.zoom(0.5)
    zoomed_ranges = ranges(figure)
    figure.set_chart(figure.chart)
    assert ranges(figure) == zoomed_ranges
    figure.set_chart(Chart("other", "√n", figure.chart.series))
    assert ranges(figure) != zoomed_ranges
    assert not figure.is_zoomed


def test_figures_with_one_x_axis_move_together(theme: Theme, qtbot: QtBot) -> None:
    one, other = open_figure(chart, theme, qtbot), open_figure(chart, theme, qtbot)
    other.follow_x(one)
    wheel(one, middle(one))
    assert ranges(other)[0] == pytest.approx(ranges(one)[0])
    assert ranges(other)[1] != pytest.approx(ranges(one)[1])
    qtbot.keyClick(other, Qt.Key.Key_Home)
    assert not one.is_zoomed
    assert ranges(one)[0] == pytest.approx(ranges(other)[0])
