"""Names on the map: every island has one, and no name seems to belong to another island."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.analysis.projection.density import density, find_regions
from workbench.core.arrays import Singles
from workbench.ui.widgets.map.colour_scheme import Shading
from workbench.ui.widgets.map.overlays import Arrow
from workbench.ui.widgets.map.point_map import PointMap
from workbench.ui.widgets.map.regions import (
    RegionLabel,
    RegionLayer,
    RegionShading,
    _name_places,
)


def shown_map(qtbot: QtBot, positions: Singles) -> PointMap:
    view = PointMap()
    view.motion = False
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    view.set_points([f"word{row}" for row in range(len(positions))], positions)
    return view


def planted_islands(seed: int) -> tuple[Singles, np.ndarray]:
    """A crowd of frequent words and islands of rarer ones around it, with each word’s island."""
    random = np.random.default_rng(seed)
    parts, numbers = [random.normal(0, 1.0, (600, 2))], [np.zeros(600, dtype=int)]
    for island in range(1, 19):
        angle = island * 2 * np.pi / 18
        size = int(random.choice([3, 5, 12, 40]))
        middle = np.array([9 * np.cos(angle), 6 * np.sin(angle)])
        parts.append(middle + random.normal(0, 0.04, (size, 2)))
        numbers.append(np.full(size, island))
    return np.concatenate(parts).astype(np.float32), np.concatenate(numbers)


def region_shading(positions: Singles, names: list[str] | None = None) -> RegionShading:
    grid = density(positions)
    regions = find_regions(positions, grid, 40)
    labels = []
    for region in range(regions.number):
        rows = np.flatnonzero(regions.labels == region)
        words = tuple(f"word{row}" for row in rows.tolist())
        name = ", ".join(words[:2])
        if names is not None:
            name = names[region % len(names)]
        labels.append(RegionLabel(name, "", words))
    layer = RegionLayer(grid, regions, positions, labels)
    kinds = np.append(layer.colours, 6).astype(np.uint8)[regions.labels]
    order = np.arange(len(positions), dtype=np.int64)
    return RegionShading(kinds, "Regions", [""] * len(positions), layer, order, order)


@pytest.mark.parametrize("seed", range(3))
def test_every_island_has_a_label(qtbot: QtBot, seed: int) -> None:
    positions, islands = planted_islands(seed)
    view = shown_map(qtbot, positions)
    rows = {int(label.word[4:]) for label in view.labels}
    assert {int(islands[row]) for row in rows} == set(range(19))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["ship", "a name much longer than its island"])
def test_every_region_has_its_name_or_a_word(qtbot: QtBot, seed: int, name: str) -> None:
    positions, _ = planted_islands(seed)
    view = shown_map(qtbot, positions)
    shading = region_shading(positions, [name])
    view.set_shading(shading)
    layer = shading.layer
    assert layer is not None
    named_regions = {number for number, _ in view._name_boxes(layer)}
    rows = [int(label.word[4:]) for label in view.labels]
    words = {int(layer.regions.labels[row]) for row in rows}
    assert set(range(layer.regions.number)) <= named_regions | words


def test_names_of_regions_keep_off_each_other_and_their_neighbours(qtbot: QtBot) -> None:
    positions, _ = planted_islands(1)
    view = shown_map(qtbot, positions)
    shading = region_shading(positions, ["a long name of a region"])
    view.set_shading(shading)
    layer = shading.layer
    assert layer is not None
    boxes = view._name_boxes(layer)
    assert len(boxes) > 8
    for index, (_, box) in enumerate(boxes):
        assert not any(box.intersects(other) for _, other in boxes[:index])
    regions, places = zip(*boxes, strict=True)
    assert max(layer._foreign_shares(regions, places, view.viewport)) < 0.3
    # The shares computed for all boxes at once equal those for each box alone.
    alone = [layer._foreign_shares([region], [box], view.viewport)[0] for region, box in boxes]
    assert layer._foreign_shares(regions, places, view.viewport) == alone
    assert layer._foreign_shares([], [], view.viewport) == []


def test_a_name_beside_its_words_keeps_off_their_dots(qtbot: QtBot) -> None:
    positions, _ = planted_islands(0)
    view = shown_map(qtbot, positions)
    extent = QRectF(280, 250, 40, 40)
    window = QRectF(0, 0, 900, 600)
    boxes = _name_places(extent.center(), extent, 120.0, 16.0, window)
    beside = [box for box in boxes if box.left() > extent.right() or box.right() < extent.left()]
    assert len(beside) == 2
    # Dots of the outermost words extend beyond the extent by about their own size.
    for box in beside:
        room = max(box.left() - extent.right(), extent.left() - box.right())
        assert room > 2 * view.radius()


def test_the_ends_of_arrows_are_named_whatever_region_they_are_in(qtbot: QtBot) -> None:
    positions, _ = planted_islands(0)
    # Four words at nearly the same position, in the middle of the crowd.
    positions[[10, 20, 30, 40]] = [[0, 0], [0.02, 0], [0, 0.02], [0.02, 0.02]]
    view = shown_map(qtbot, positions)
    shading = region_shading(positions)
    view.set_shading(shading)
    view.set_arrows([Arrow("word10", "word20"), Arrow("word30", "word40")])
    boxes = {label.word: label.box for label in view.labels}
    ends = {"word10", "word20", "word30", "word40"}
    assert ends <= set(boxes)
    assert shading.layer is not None
    for _, name in view._name_boxes(shading.layer):
        assert not any(name.intersects(boxes[word]) for word in ends)


def test_a_line_leads_to_a_word_that_stands_away_from_its_dot(qtbot: QtBot) -> None:
    positions, _ = planted_islands(0)
    middle = np.random.default_rng(0).normal(0, 0.02, (12, 2))
    positions[100:112] = middle
    view = shown_map(qtbot, positions)
    words = [f"word{row}" for row in range(100, 112)]
    view.set_selection(words)
    labels = view._placed_labels()
    screen = view._on_screen()
    corner = screen[labels.rows] + labels.offset
    inside = np.clip(screen[labels.rows], corner, corner + labels.size)
    away = np.hypot(*(inside - screen[labels.rows]).T)
    assert labels.led[away > view.radius() + 14].all()
    assert labels.led.any()
    for start, end in labels.leaders(screen).tolist():
        assert start in screen[labels.rows].tolist()
        assert any(label.box.contains(*end) for label in view.labels)
    # A single word needs no line.
    view.set_selection([])
    view.set_points(["alone"], np.zeros((1, 2), dtype=np.float32))
    assert not view._placed_labels().led.any()


def test_function_words_are_written_last_whatever_the_colours_mean(
    qapp: QApplication, qtbot: QtBot
) -> None:
    positions = np.random.default_rng(0).normal(size=(2000, 2)).astype(np.float32)
    view = shown_map(qtbot, positions)
    # The most frequent 50 are function words: they come after all others.
    size = len(positions)
    order = np.arange(size, dtype=np.int64)
    order[:50] += size
    shading = region_shading(positions)
    regions = RegionShading(shading.kinds, "Regions", shading.texts, None, order, order)
    before = {int(label.word[4:]) for label in view.labels}
    assert len([row for row in before if row < 50]) > 5
    view.set_shading(regions)
    for _ in range(2):
        rows = {int(label.word[4:]) for label in view.labels}
        assert len(rows) > 20
        assert len([row for row in rows if row < 50]) < 3
        view.set_shading(Shading(np.zeros(size, dtype=np.uint8), "Frequency"))
