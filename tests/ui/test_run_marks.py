"""Marks that tell runs apart, also those beyond the number of colours."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from workbench.ui.base.colours import DARK, LIGHT
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.run_marks import run_colour, run_icon
from workbench.ui.base.theme import Palette
from workbench.ui.plots.chart import ChartSeries, cycle_of, draw_series
from workbench.ui.plots.frame import Frame
from workbench.ui.plots.painting import LegendEntry, draw_legend
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.table_model import TableColumn


def painted(paint: Callable[[QPainter], None]) -> QImage:
    image = QImage(160, 60, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_no_two_of_32_runs_have_the_same_mark(palette: Palette) -> None:
    images = [run_icon(index, palette).pixmap(12, 12).toImage() for index in range(32)]
    assert [pair for pair in combinations(range(32), 2) if images[pair[0]] == images[pair[1]]] == []


def test_the_colours_come_again_after_the_last() -> None:
    assert run_colour(8, LIGHT) == run_colour(0, LIGHT)
    assert run_colour(7, LIGHT) != run_colour(0, LIGHT)


@pytest.mark.parametrize("line", [True, False], ids=["line", "dots"])
def test_a_chart_tells_the_ninth_run_from_the_first(line: bool) -> None:
    x = np.arange(4.0)

    def curve(colour: int) -> QImage:
        series = ChartSeries(x, x * x, "a run", colour, line=line)
        frame = Frame(QRectF(0, 0, 160, 60), QRectF(0, 0, 160, 60), (0.0, 3.0), (0.0, 9.0))
        return painted(lambda painter: draw_series(painter, series, frame, LIGHT))

    def legend(colour: int) -> QImage:
        series = ChartSeries(x, x, "a run", colour, line=line)
        entry = LegendEntry("a run", run_colour(colour, LIGHT), cycle=cycle_of(series, LIGHT))
        return painted(lambda painter: draw_legend(painter, [entry], QRectF(0, 0, 160, 20), LIGHT))

    for draw in (curve, legend):
        assert draw(0) == draw(0)
        assert draw(0) != draw(8)
        assert draw(8) != draw(16)


def test_a_table_tells_the_ninth_run_from_the_first(context: PanelContext, qtbot: QtBot) -> None:
    def row(colour: int) -> QImage:
        table = DataTable(context.theme)
        qtbot.addWidget(table)
        table.set_columns([TableColumn("Run", ["a run"], dots=[colour])])
        table.resize(200, 80)
        return table.grab().toImage()

    assert row(0) == row(0)
    assert row(0) != row(8)
