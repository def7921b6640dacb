"""PySide6 6.12.0 drops a reference to None at every void call on Python 3.11, and finally aborts.

Gaining references does no harm (None is never freed for having too many), so only a drop fails.
"""

from __future__ import annotations

import gc
import sys

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtGui import QPainterPath, QPolygonF
from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on"
)

CALLS = 200
# Ordinary work changes the count by a few; the bug changes it by at least one per call.
SLACK = 50


def test_void_calls_keep_none() -> None:
    polygon = QPolygonF()
    path = QPainterPath()
    gc.collect()
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        polygon.resize(4)
        path.addPolygon(polygon)
    assert sys.getrefcount(None) > before - SLACK


def test_repaints_of_a_plot_keep_none(qtbot: QtBot) -> None:
    plot = pg.PlotWidget()
    qtbot.addWidget(plot)
    curve = plot.plot([0.0, 1.0], [0.0, 1.0])
    plot.show()
    qtbot.waitExposed(plot)
    plot.grab()
    x = np.arange(100.0)
    gc.collect()
    before = sys.getrefcount(None)
    for step in range(CALLS):
        curve.setData(x, np.sin(x + step))
        plot.grab()
    gc.collect()
    assert sys.getrefcount(None) > before - SLACK
