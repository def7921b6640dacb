"""The 3-D map: rotated by dragging and keys, with near words larger and named; its export."""

import csv
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui.map_fakes import choose_view, drag, pick, record, settled, show, shown_panel

from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map.export import save_map
from workbench.ui.panels.map.layout import PCA, PCA_3D, UMAP_3D
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.widgets.map.paper import PAPER
from workbench.ui.widgets.map.projection_3d import Space


@pytest.fixture
def panel(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        show(session, record(1))
        choose_view(new_panel, PCA_3D, qtbot)
        qtbot.waitUntil(settled(new_panel, PCA_3D))
        yield new_panel


def test_a_drag_turns_and_ctrl_drag_pans(panel: MapPanel) -> None:
    view = panel.view
    assert view.solid
    before, viewport = view.rotation.copy(), view.viewport
    start = view.rect().center()
    drag(view, [start, start + QPoint(30, 0), start + QPoint(90, 20)])
    assert not np.allclose(view.rotation, before)
    np.testing.assert_allclose(view.rotation @ view.rotation.T, np.eye(3), atol=1e-9)
    assert view.viewport == viewport
    drag(
        view,
        [start, start + QPoint(30, 0), start + QPoint(90, 20)],
        Qt.KeyboardModifier.ControlModifier,
    )
    assert view.viewport.x != viewport.x


def test_keys_turn_and_zero_looks_as_at_first(panel: MapPanel, qtbot: QtBot) -> None:
    view = panel.view
    view.setFocus()
    first = view.rotation.copy()
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Right):
        qtbot.keyClick(view, key)
    assert not np.allclose(view.rotation, first)
    qtbot.keyClick(view, Qt.Key.Key_0)
    np.testing.assert_allclose(view.rotation, first)


def test_what_is_near_is_drawn_larger_and_what_is_far_is_not_named(panel: MapPanel) -> None:
    view = panel.view
    view.pixel("word0")
    depth = view._space.depth(view.positions)
    assert depth is not None
    rows = {word: row for row, word in enumerate(view.words)}
    assert view.labels
    assert all(depth[rows[label.word]] <= 0.56 for label in view.labels)
    sizes = [
        (size, float(depth[group].mean())) for size, group in view._points._groups() if len(group)
    ]
    # Points are drawn from back to front, in increasing size.
    assert [size for size, _ in sizes] == sorted(size for size, _ in sizes)
    assert [far for _, far in sizes] == sorted((far for _, far in sizes), reverse=True)


def test_turning_keeps_distances_and_moves_the_far_side_the_other_way() -> None:
    points = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 2], [-1, -1, -2]], dtype=np.float32)
    space = Space()
    space.measure(points)
    before = space.depth(points)
    space.turn(np.pi, 0.0)
    after = space.depth(points)
    assert before is not None
    assert after is not None
    middle = (points - points.mean(axis=0)) @ space.rotation.T
    np.testing.assert_allclose(
        np.linalg.norm(middle, axis=1), np.linalg.norm(points - points.mean(axis=0), axis=1), 1e-5
    )
    np.testing.assert_allclose(before + after, 1.0, atol=0.5)
    flat = np.array([[1, 2]], dtype=np.float32)
    assert space.flat(flat) is flat
    assert space.depth(flat) is None


def test_umap_in_three_dimensions(panel: MapPanel, qtbot: QtBot) -> None:
    choose_view(panel, UMAP_3D, qtbot)
    qtbot.waitUntil(settled(panel, UMAP_3D))
    assert panel.view.positions.shape == (120, 3)
    assert panel.parameters.isVisible()
    assert panel.footer.quality.whole


@pytest.mark.parametrize("suffix", [".tsv", ".csv"])
def test_positions_are_exported_with_depth_and_colour(
    panel: MapPanel, tmp_path: Path, suffix: str, qtbot: QtBot
) -> None:
    pick(panel.colours.menu, "map.colour.clusters:4")
    qtbot.waitUntil(lambda: panel.idle and panel.view.shading.meaningful)
    save_map(tmp_path / f"map{suffix}", panel.view, panel._layout)
    with (tmp_path / f"map{suffix}").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t" if suffix == ".tsv" else ","))
    assert [row["word"] for row in rows] == list(panel.view.words)
    assert float(rows[7]["z"]) == pytest.approx(float(panel.view.positions[7, 2]), rel=1e-5)
    assert [row[panel.view.shading.title] for row in rows] == list(panel.view.shading.texts)


def test_pictures_are_written_in_every_format(
    panel: MapPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    choose_view(panel, PCA, qtbot)
    qtbot.waitUntil(settled(panel, PCA))
    for suffix in (".png", ".svg", ".pdf"):
        save_map(tmp_path / f"map{suffix}", panel.view, panel._layout)
    assert QImage(str(tmp_path / "map.png")).size() == 2 * PAPER
    assert (tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")
    root = ElementTree.parse(tmp_path / "map.svg").getroot()
    texts = {(text.text or "").strip() for text in root.iter("{http://www.w3.org/2000/svg}text")}
    # Words are saved as text.
    assert len(texts & set(panel.view.words)) > 10


def test_a_solid_map_turns_by_itself_until_it_is_touched(panel: MapPanel, qtbot: QtBot) -> None:
    view = panel.view
    assert view.solid
    view.motion = True
    first = view.rotation.copy()
    QTest.keyClick(view, Qt.Key.Key_T)
    assert view.turns_slowly
    qtbot.waitUntil(lambda: not np.allclose(view.rotation, first, atol=0.05))
    # About the vertical axis of the screen: what points up keeps pointing up.
    np.testing.assert_allclose(view.rotation[1], first[1], atol=1e-9)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert not view.turns_slowly
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    QTest.keyClick(view, Qt.Key.Key_T)
    QTest.keyClick(view, Qt.Key.Key_T)
    assert not view.turns_slowly
    # A map that is left, or has no third dimension, doesn't turn.
    view.turn_slowly(True)
    choose_view(panel, PCA, qtbot)
    qtbot.waitUntil(settled(panel, PCA))
    qtbot.waitUntil(lambda: not view.turns_slowly)
    QTest.keyClick(view, Qt.Key.Key_T)
    assert not view.turns_slowly
    view.motion = False
    view.turn_slowly(True)
    assert not view.turns_slowly
