"""A map panel on made-up models, with UMAP replaced by a fast, predictable function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from workbench.analysis.projection import before_after, layout_cache
from workbench.analysis.projection.methods import umap as umap_method
from workbench.analysis.projection.umap import UmapParams
from workbench.core.job_control import JobControl
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.ui.base.action import submenu
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map.colours.file_mode import FileColours
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.widgets.map.point_map import PointMap
from workbench.vectors.embeddings import Embeddings

WORDS = 120
CLUSTERS = 4


def vectors(seed: int = 0, words: int = WORDS, first: int = 0) -> Embeddings:
    """Words word{first}, … in four clear clusters by number modulo four, with man, woman, poor and
    rich among them.
    """
    rng = np.random.default_rng(seed)
    numbers = np.arange(first, first + words)
    centres = np.random.default_rng(99).normal(0, 1, (CLUSTERS, 10))
    table = centres[numbers % CLUSTERS] + rng.normal(0, 0.15, (words, 10))
    names = [f"word{number}" for number in numbers]
    for row, name in zip((5, 6, 7, 8), ("man", "woman", "poor", "rich"), strict=True):
        names[row] = name
    counts = (1e5 / np.arange(1, words + 1)).astype(np.int64)
    return Embeddings(names, table.astype(np.float32), counts)


def record(
    number: int, embeddings: Embeddings | None = None, state: State = State.DONE
) -> RunRecord:
    """A run with these vectors, or those of :func:`vectors`; without any while it trains."""
    return RunRecord(
        identifier=f"2026-{number}",
        name=f"Run {number}",
        algorithm="",
        parameters={},
        corpus_name="corpus",
        corpus_digest="d",
        created="",
        state=state,
        run=None if state.over else JobControl(),
        embeddings=embeddings or (vectors(number) if state.over else None),
    )


def show(session: Session, *records: RunRecord) -> None:
    """Add runs and make the first one active."""
    session.runs.records.extend(records)
    session.runs.changed.emit()
    session.active.show(records[0])


def mirror(
    unit: object, params: UmapParams, run: JobControl, start: np.ndarray, dims: int = 2
) -> np.ndarray:
    """Replacement for UMAP: the initial layout with its axes swapped."""
    return np.ascontiguousarray(start[:, ::-1])


@contextmanager
def shown_panel(
    context: PanelContext, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    monkeypatch.setattr(umap_method, "umap", mirror)
    # No layout is cached for the next test.
    monkeypatch.setattr(layout_cache, "_MOST_WORDS", 0)
    monkeypatch.setattr(before_after, "umap", mirror)
    new_panel = MapPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 640)
    new_panel.show()
    qtbot.waitExposed(new_panel)
    yield new_panel
    new_panel.release()


def choose_view(panel: MapPanel, key: str, qtbot: QtBot) -> None:
    """Choose an entry of the list of views with the keyboard."""
    combo = panel.method
    combo.setFocus()
    down = combo.findData(key) > combo.currentIndex()
    while combo.currentData() != key:
        qtbot.keyClick(combo, Qt.Key.Key_Down if down else Qt.Key.Key_Up)


def settled(panel: MapPanel, method: str) -> Callable[[], bool]:
    return lambda: panel._layout is not None and panel._layout.method == method and panel.idle


def open_colour_file(panel: MapPanel, key: str, path: Path) -> None:
    """Colour the map by a file of this colour mode."""
    mode = panel.colours.modes[key]
    assert isinstance(mode, FileColours)
    mode.open(path)


def pick(menu: QMenu, name: str) -> QAction:
    """Trigger an entry of a menu or its submenus; the entry must be enabled."""
    menu.aboutToShow.emit()
    found = [action for action in _entries(menu) if action.objectName() == name]
    assert found, [action.objectName() for action in _entries(menu)]
    assert found[0].isEnabled()
    found[0].trigger()
    return found[0]


def _entries(menu: QMenu) -> list[QAction]:
    under = [sub for action in menu.actions() if (sub := submenu(action)) is not None]
    return [*menu.actions(), *(action for sub in under for action in _entries(sub))]


def drag(
    view: PointMap,
    path: list[QPoint],
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    QTest.mousePress(view, Qt.MouseButton.LeftButton, modifiers, path[0])
    for at in path[1:]:
        QTest.mouseMove(view, at)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, modifiers, path[-1])


def around(view: PointMap, words: list[str], margin: int = 6) -> list[QPoint]:
    """Points along a box around words, for a lasso."""
    places = [pixel.toPoint() for word in words if (pixel := view.pixel(word)) is not None]
    left, right = min(p.x() for p in places) - margin, max(p.x() for p in places) + margin
    top, bottom = min(p.y() for p in places) - margin, max(p.y() for p in places) + margin
    return [
        QPoint(left, top),
        QPoint(right, top),
        QPoint(right, bottom),
        QPoint(left, bottom),
        QPoint(left, top + 1),
    ]
