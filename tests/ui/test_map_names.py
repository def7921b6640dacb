"""Names on the map: every island has one, and no name seems to belong to another island."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.analysis.projection.density import density
from workbench.analysis.projection.name_places import NameSpot
from workbench.analysis.projection.regions import regions_of
from workbench.core.arrays import Singles
from workbench.ui.widgets.map.colour_scheme import Shading
from workbench.ui.widgets.map.overlays import Arrow
from workbench.ui.widgets.map.point_map import PointMap
from workbench.ui.widgets.map.regions import (
    RegionLabel,
    RegionLayer,
    RegionLevel,
    RegionShading,
    rectangle,
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


def region_level(positions: Singles, groups: np.ndarray, names: list[str]) -> RegionLevel:
    labels = groups.astype(np.int32)
    (regions,) = regions_of((labels, labels, labels), positions)
    words = [
        tuple(f"word{row}" for row in np.flatnonzero(regions.labels == region).tolist())
        for region in range(regions.number)
    ]
    named = [
        RegionLabel(names[number % len(names)] if names else ", ".join(some[:2]), "", some)
        for number, some in enumerate(words)
    ]
    return RegionLevel(regions, tuple(named))


def region_shading(
    positions: Singles, groups: np.ndarray, names: list[str] | None = None
) -> RegionShading:
    level = region_level(positions, groups, names or [])
    layer = RegionLayer(density(positions), [level], positions)
    order = np.arange(len(positions), dtype=np.int64)
    return RegionShading(layer.kinds, "Regions", [""] * len(positions), layer, order, order)


def spots_of(view: PointMap) -> list[NameSpot]:
    shading = view.shading
    assert isinstance(shading, RegionShading)
    assert shading.layer is not None
    return view._names(shading.layer).spots


@pytest.mark.parametrize("seed", range(3))
def test_every_island_has_a_label(qtbot: QtBot, seed: int) -> None:
    positions, islands = planted_islands(seed)
    view = shown_map(qtbot, positions)
    rows = {int(label.word[4:]) for label in view.labels}
    assert {int(islands[row]) for row in rows} == set(range(19))


# Letters of many widths, and marks that have none.
_SCRIPTS = [
    "ship, sail, sea",
    "корабль, море",
    "红楼梦, 宝玉, 黛玉",
    "物語の女君達",
    "كتاب، مدرسة",
    "नमस्ते, पुस्तक",
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*_SCRIPTS, "long name of a small island"])
def test_names_are_apart_from_one_another_and_from_words(
    qtbot: QtBot, seed: int, name: str
) -> None:
    positions, islands = planted_islands(seed)
    view = shown_map(qtbot, positions)
    view.set_shading(region_shading(positions, islands, [name]))
    spots = spots_of(view)
    layer = view.shading.layer
    # Islands of three words have neither a region nor a name.
    number = layer.levels[0].regions.number
    assert number >= 10
    assert len(spots) >= (number if name in _SCRIPTS else 0.7 * number)
    boxes = [rectangle(spot.box) for spot in spots]
    size = view._labels.text.size(name, 14, True)
    metrics = QFontMetricsF(view._labels.text._metrics(14, True)[0])
    assert metrics.horizontalAdvance(name) <= size[0] + 1
    for index, box in enumerate(boxes):
        assert (box.width(), box.height()) == pytest.approx(size, abs=0.01)
        assert QRectF(view.rect()).contains(box)
        assert not any(box.intersects(other) for other in boxes[:index])
        for label in view.labels:
            assert not box.intersects(label.box.adjusted(4, 4, -4, -4))


def test_a_line_leads_to_a_name_away_from_its_region(qtbot: QtBot) -> None:
    positions, islands = planted_islands(0)
    view = shown_map(qtbot, positions)
    # Wide in any font, so that not all names have room at their regions.
    view.set_shading(region_shading(positions, islands, ["m" * 20]))
    layer = view.shading.layer
    places = view.viewport.to_screen(layer.levels[0].regions.places.astype(np.float32))
    spots = spots_of(view)
    lined = [spot for spot in spots if spot.line is not None]
    assert lined
    for spot in spots:
        x, y = places[spot.region].tolist()
        box = spot.box
        apart = np.hypot(max(box.left - x, x - box.right, 0), max(box.top - y, y - box.bottom, 0))
        assert (spot.line is None) == (apart <= 5)
    for spot in lined:
        x, y, to_x, to_y = spot.line
        assert (x, y) == pytest.approx(places[spot.region].tolist(), abs=0.01)
        assert rectangle(spot.box).adjusted(-1, -1, 1, 1).contains(to_x, to_y)
        # The line meets neither a word nor another name.
        along = [(x + s * (to_x - x), y + s * (to_y - y)) for s in np.linspace(0, 1, 60).tolist()]
        others = [rectangle(other.box) for other in spots if other is not spot]
        words = [label.box.adjusted(4, 4, -4, -4) for label in view.labels]
        for box in [*others, *words]:
            assert not any(box.contains(*point) for point in along)


def test_names_move_with_a_panned_map_and_are_placed_again_later(qtbot: QtBot) -> None:
    positions, islands = planted_islands(1)
    view = shown_map(qtbot, positions)
    view.set_shading(region_shading(positions, islands))
    before = spots_of(view)
    view.pan(30.0, -20.0)
    moved = spots_of(view)
    for old, new in zip(before, moved, strict=True):
        assert new.region == old.region
        assert new.box == pytest.approx(
            [old.box[0] + 30, old.box[1] - 20, old.box[2] + 30, old.box[3] - 20], abs=0.01
        )
        assert (new.line is None) == (old.line is None)
    view.pan(150.0, 0.0)
    for spot in spots_of(view):
        assert QRectF(view.rect()).contains(rectangle(spot.box))
    # Names keep off words that are selected meanwhile.
    view.fit()
    spots_of(view)
    hidden = [f"word{row}" for row in range(600, 620)]
    view.set_selection(hidden)
    avoided = view._labels.first_boxes(view._bare_picture())
    assert avoided
    for spot in spots_of(view):
        assert not any(rectangle(spot.box).intersects(box) for box in avoided)


def test_zooming_shows_finer_regions(qtbot: QtBot) -> None:
    random = np.random.default_rng(0)
    centres = np.array([[x, y] for x in range(8) for y in range(8)], dtype=float)
    group = np.tile(np.arange(64), 30)
    positions = (centres[group] + random.normal(0, 0.2, (64 * 30, 2))).astype(np.float32)
    levels = [
        region_level(positions, group // 8, ["coarse"]),
        region_level(positions, group // 2, ["middle"]),
        region_level(positions, group, ["fine"]),
    ]
    layer = RegionLayer(density(positions), levels, positions, 1)
    order = np.arange(len(positions), dtype=np.int64)
    view = shown_map(qtbot, positions)
    view.resize(480, 400)
    view.set_shading(RegionShading(layer.kinds, "Regions", [""] * 1920, layer, order, order))
    seen = []
    for _ in range(4):
        name = view._names(layer).spots[0].region
        seen.append(layer.level_in(view.viewport).labels[name].name)
        view.grab()
        view.zoom(2.0)
    assert seen == ["coarse", "middle", "fine", "fine"]
    view.fit()
    assert layer.level_in(view.viewport) is levels[0]
    # The colours don't depend on the zoom.
    assert len(set(layer.kinds.tolist())) > 8


def test_the_ends_of_arrows_are_named_whatever_region_they_are_in(qtbot: QtBot) -> None:
    positions, islands = planted_islands(0)
    # Four words at nearly the same position, in the middle of the crowd.
    positions[[10, 20, 30, 40]] = [[0, 0], [0.02, 0], [0, 0.02], [0.02, 0.02]]
    view = shown_map(qtbot, positions)
    shading = region_shading(positions, islands)
    view.set_shading(shading)
    view.set_arrows([Arrow("word10", "word20"), Arrow("word30", "word40")])
    boxes = {label.word: label.box for label in view.labels}
    ends = {"word10", "word20", "word30", "word40"}
    assert ends <= set(boxes)
    assert shading.layer is not None
    for spot in view._names(shading.layer).spots:
        assert not any(rectangle(spot.box).intersects(boxes[word]) for word in ends)


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
    shading = region_shading(positions, positions[:, 0] > 0)
    regions = RegionShading(shading.kinds, "Regions", shading.texts, None, order, order)
    before = {int(label.word[4:]) for label in view.labels}
    assert len([row for row in before if row < 50]) > 5
    view.set_shading(regions)
    for _ in range(2):
        rows = {int(label.word[4:]) for label in view.labels}
        assert len(rows) > 20
        assert len([row for row in rows if row < 50]) < 3
        view.set_shading(Shading(np.zeros(size, dtype=np.uint8), "Frequency"))
