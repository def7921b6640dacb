"""Maps of many points in motion: what is left out meanwhile, and what is there at rest."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot
from ui.test_map_names import planted_islands, region_level

from workbench.analysis.projection.density import density
from workbench.analysis.projection.name_places import NameRoom, NameSpot
from workbench.core.arrays import Singles
from workbench.ui.widgets.map.islands import WordGroups
from workbench.ui.widgets.map.point_map import PointMap
from workbench.ui.widgets.map.regions import RegionLayer, RegionShading

_TWICE = "workbench.ui.widgets.map.points._MOVING"


@pytest.fixture
def large(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> PointMap:
    """A map of islands that counts as one of many points."""
    monkeypatch.setattr("workbench.ui.widgets.map.camera.MANY_POINTS", 1)
    view = PointMap()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    qtbot.waitExposed(view)
    positions, _ = planted_islands(0)
    view.set_points([f"word{row}" for row in range(len(positions))], positions)
    view.grab()
    return view


def picture(view: PointMap) -> QImage:
    return view.grab().toImage()


def inked(view: PointMap) -> int:
    """The number of pixels of the last image of the points that aren't empty."""
    drawn = view._points._drawn
    assert drawn is not None
    pixels = np.frombuffer(drawn.image.constBits(), dtype=np.uint32)
    return int(np.count_nonzero(pixels))


def assert_apart(view: PointMap) -> None:
    labels = [label.box.adjusted(4, 4, -4, -4) for label in view.labels]
    assert len(labels) > 3
    for index, box in enumerate(labels):
        assert not any(box.intersects(other) for other in labels[:index])


def test_a_glide_draws_some_points_and_its_end_all(
    large: PointMap, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = large.positions
    whole = inked(large)
    monkeypatch.setattr(_TWICE, len(positions) // 4)
    large.glide_to(np.ascontiguousarray(positions[:, ::-1]))
    # From the first frame on, which may be drawn before the first step.
    assert large.hurried
    large._clock.restart()
    large._advance()
    before = {label.word for label in large.labels}
    picture(large)
    assert 0.1 * whole < inked(large) < 0.6 * whole
    assert_apart(large)
    assert {label.word for label in large.labels} <= before
    qtbot.waitUntil(lambda: not (large.moving or large.hurried))
    picture(large)
    assert inked(large) > 0.7 * whole
    assert_apart(large)
    rows = [int(label.word[4:]) for label in large.labels]
    islands = planted_islands(0)[1]
    assert {int(islands[row]) for row in rows} == set(range(19))


def test_the_positions_of_a_glide_are_on_straight_lines(large: PointMap, qtbot: QtBot) -> None:
    start = large.positions
    end = np.ascontiguousarray(start[::-1])
    large.set_positions(end)
    seen: list[Singles] = []
    advance = large._view_moved

    def follow() -> None:
        if large.moving:
            seen.append(large._positions.copy())
        advance()

    large._view_moved = follow  # type: ignore[method-assign]
    for elapsed in (20, 80, 150):
        large._clock = _Clock(elapsed)  # type: ignore[assignment]
        large._advance()
    for elapsed, positions in zip((20, 80, 150), seen, strict=True):
        share = elapsed / large._lasts
        eased = share * share * (3 - 2 * share)
        np.testing.assert_allclose(positions, (1 - eased) * start + eased * end, atol=1e-4)
    large._clock = _Clock(10_000)  # type: ignore[assignment]
    large._advance()
    assert large._positions is end


class _Clock:
    def __init__(self, milliseconds: int) -> None:
        self._milliseconds = milliseconds

    def elapsed(self) -> int:
        return self._milliseconds


def layered(view: PointMap) -> RegionLayer:
    """The map with regions in two levels."""
    positions, islands = planted_islands(0)
    levels = [
        region_level(positions, islands // 3, ["coarse"]),
        region_level(positions, islands, ["a fine name"]),
    ]
    layer = RegionLayer(density(positions), levels, positions)
    order = np.arange(len(positions), dtype=np.int64)
    shading = RegionShading(layer.kinds, "Regions", [""] * len(positions), layer, order, order)
    view.set_shading(shading)
    return layer


def test_names_move_with_their_regions_while_many_points_are_zoomed(
    large: PointMap, qtbot: QtBot
) -> None:
    layer = layered(large)
    before = large._names(layer)
    assert len(before.spots) > 4
    places = layer.levels[before.number].regions.places.astype(np.float32)
    at = large.viewport.to_screen(places)
    for factor in (0.9, 0.6, 0.5):
        large.zoom(factor)
        assert large.hurried
        picture(large)
        names = large._names(layer)
        assert names.number == before.number
        assert 0 < len(names.spots) <= len(before.spots)
        moved = large.viewport.to_screen(places) - at
        known = {spot.region: spot.box for spot in before.spots}
        boxes = []
        for spot in names.spots:
            left, top, right, bottom = spot.box
            shift = moved[spot.region].tolist() * 2
            assert [left, top, right, bottom] == pytest.approx(
                [side + step for side, step in zip(known[spot.region], shift, strict=True)],
                abs=0.01,
            )
            for other in boxes:
                assert (
                    left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
                )
            boxes.append(spot.box)
        # No word is over a name.
        for label in large.labels:
            word = label.box.adjusted(4, 4, -4, -4)
            x, y, to_x, to_y = word.getCoords()
            for left, top, right, bottom in boxes:
                assert x >= right or to_x <= left or y >= bottom or to_y <= top
    assert len(names.spots) < len(before.spots)
    qtbot.waitUntil(lambda: not large.hurried)
    rested = large._names(layer).spots
    large._regions = None
    fresh = layered(large)
    assert [spot.region for spot in rested] == [spot.region for spot in large._names(fresh).spots]


def test_a_panned_map_keeps_its_names_and_gets_new_ones(large: PointMap, qtbot: QtBot) -> None:
    layer = layered(large)
    large.zoom(1.7)
    qtbot.waitUntil(lambda: not large.hurried)
    before = {spot.region: spot.box for spot in large._names(layer).spots}
    large.pan(260.0, 0.0)
    after = {spot.region: spot.box for spot in large._names(layer).spots}
    stay = set(before) & set(after)
    assert stay
    assert set(after) - set(before)
    for region in stay:
        old, new = before[region], after[region]
        if old.right + 260 <= large.width():
            assert new.left == pytest.approx(old.left + 260, abs=0.01)


def test_lines_of_names_do_not_cross(qtbot: QtBot) -> None:
    random = np.random.default_rng(3)
    dots = random.uniform(0, 500, (800, 2)).astype(np.float32)
    room = NameRoom((500.0, 400.0), dots, 3.0)
    spots: list[NameSpot] = []
    for region in range(60):
        pixel = (float(random.uniform(100, 300)), float(random.uniform(100, 250)))
        spot = room.place(region, pixel, (70.0, 16.0), np.zeros(800, dtype=bool))
        if spot is not None:
            spots.append(spot)
    lines = [
        QLineF(QPointF(*spot.line[:2]), QPointF(*spot.line[2:]))
        for spot in spots
        if spot.line is not None
    ]
    assert len(lines) > 10
    bounded = QLineF.IntersectionType.BoundedIntersection
    for index, line in enumerate(lines):
        for other in lines[:index]:
            assert line.intersects(other)[0] != bounded
    for spot in spots:
        left, top, right, bottom = spot.box
        for other in spots:
            if other is spot or other.line is None:
                continue
            x, y, to_x, to_y = other.line
            for share in np.linspace(0, 1, 80).tolist():
                at = x + share * (to_x - x), y + share * (to_y - y)
                assert not (left < at[0] < right and top < at[1] < bottom)


@pytest.mark.parametrize("seed", range(4))
def test_groups_without_a_label_are_found_as_by_looking_at_each(seed: int) -> None:
    random = np.random.default_rng(seed)
    size = 400
    groups = random.integers(-1, 40, size)
    visible, named = random.random(size) < 0.7, random.random(size) < 0.02
    order = random.permutation(size)
    labelled = random.choice(size, 15, replace=False)
    found: dict[int, Any] = {}
    for group in range(40):
        members = [row for row in range(size) if groups[row] == group]
        shown = [row for row in members if visible[row]]
        has = any(named[row] or row in labelled for row in members)
        if len(shown) >= 3 and not has:
            found[group] = sorted(shown, key=lambda row: order[row])
    lacking = WordGroups(groups, visible, named, order).without_label(labelled, 100)
    assert len(lacking) == len(found) > 5
    assert [len(rows) for rows in lacking] == sorted(map(len, found.values()), reverse=True)
    for rows in lacking:
        assert rows.tolist() == found[int(groups[rows[0]])]
    assert len(WordGroups(groups, visible, named, order).without_label(labelled, 3)) == 3
