"""The map of words: the word under the pointer, and the effects of clicks, drags, the wheel and
keys.
"""

import math
import sys
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import DARK, body_font
from workbench.ui.widgets.map.outlined_text import HaloText
from workbench.ui.widgets.map.overlays import Arrow, Ghost
from workbench.ui.widgets.map.point_map import PointMap
from workbench.ui.widgets.map.point_rasteriser import splat, splat_many, stamp
from workbench.ui.widgets.map.viewport import Viewport, inside_polygon, nearest_towards

CROSS = {"centre": (0, 0), "east": (10, 0), "west": (-10, 0), "north": (0, 6), "south": (0, -6)}


@pytest.fixture
def cross(qtbot: QtBot) -> PointMap:
    """A map of five words, far apart."""
    view = PointMap()
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.set_points(list(CROSS), np.array(list(CROSS.values()), dtype=np.float32))
    view.show()
    qtbot.waitExposed(view)
    return view


def _open_map(qtbot: QtBot) -> PointMap:
    view = PointMap()
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    qtbot.waitExposed(view)
    return view


def _crowd(view: PointMap, count: int = 3000, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    positions = rng.normal(0, 3, (12, 2))[rng.integers(0, 12, count)] + rng.normal(
        0, 0.5, (count, 2)
    )
    view.set_points([f"word{row}" for row in range(count)], positions.astype(np.float32))
    return positions.astype(np.float32)


def _at(view: PointMap, word: str) -> QPoint:
    pixel = view.pixel(word)
    assert pixel is not None
    return pixel.toPoint()


def _wheel(view: PointMap, at: QPoint, delta: int) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(view.mapToGlobal(at)),
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


# -- positions


def test_everything_is_in_the_window_at_first_and_north_is_up(cross: PointMap) -> None:
    places = {word: cross.pixel(word) for word in CROSS}
    for place in places.values():
        assert place is not None
        assert cross.rect().contains(place.toPoint())
    assert places["north"].y() < places["centre"].y() < places["south"].y()
    assert places["west"].x() < places["centre"].x() < places["east"].x()
    # Both directions have the same scale.
    assert (places["east"].x() - places["west"].x()) / 20 == pytest.approx(
        (places["south"].y() - places["north"].y()) / 12, rel=1e-4
    )


def test_the_nearest_word_is_found_as_by_looking_at_all(qtbot: QtBot) -> None:
    view = _open_map(qtbot)
    _crowd(view, 800)
    screen = view.viewport.to_screen(view.positions)
    boxes = [label.box.adjusted(-1, -1, 1, 1) for label in view.labels]
    rng = np.random.default_rng(3)
    number = 0
    for across, down in rng.uniform((0, 0), (500, 400), (300, 2)):
        far = [((x - across) ** 2 + (y - down) ** 2) ** 0.5 for x, y in screen.tolist()]
        best = min(range(len(far)), key=far.__getitem__)
        if any(box.contains(QPointF(across, down)) for box in boxes) or abs(far[best] - 12) < 0.01:
            continue
        number += 1
        assert view.word_at(QPointF(across, down)) == (
            view.words[best] if far[best] <= 12 else None
        )
    assert number > 100


def test_a_label_is_as_good_as_its_point(cross: PointMap) -> None:
    for label in cross.labels:
        assert cross.word_at(label.box.center()) == label.word


def test_zooming_keeps_what_is_under_the_pointer(cross: PointMap) -> None:
    at = QPoint(430, 90)
    for delta in (120, 120, -240, 600, -120):
        before = cross.viewport.to_plane(at.x(), at.y())
        scale = cross.viewport.scale
        _wheel(cross, at, delta)
        assert cross.viewport.to_plane(at.x(), at.y()) == pytest.approx(before, abs=1e-9)
        assert (cross.viewport.scale > scale) == (delta > 0)


def test_a_view_can_be_reckoned_there_and_back() -> None:
    view = Viewport(1.5, -2.0, 37.0, 640, 480)
    points = np.array([(0.3, 0.7), (-4.0, 2.0)], dtype=np.float32)
    for (across, down), point in zip(view.to_screen(points).tolist(), points.tolist(), strict=True):
        assert view.to_plane(across, down) == pytest.approx(point, abs=1e-5)


# -- selecting


def test_clicks_select_add_activate_and_miss(cross: PointMap, qtbot: QtBot) -> None:
    picks: list[tuple[list[str], bool]] = []
    activations: list[str] = []
    cross.selected.connect(lambda words, add: picks.append((words, add)))
    cross.activated.connect(activations.append)
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton, pos=_at(cross, "east"))
    qtbot.mouseClick(
        cross,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.ControlModifier,
        pos=_at(cross, "north"),
    )
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton, pos=QPoint(30, 380))
    assert picks == [(["east"], False), (["north"], True)]
    qtbot.mouseDClick(cross, Qt.MouseButton.LeftButton, pos=_at(cross, "west"))
    assert activations == ["west"]


def test_hovering_tells_the_word_and_its_end(cross: PointMap, qtbot: QtBot) -> None:
    hovers: list[str] = []
    cross.hovered.connect(hovers.append)
    qtbot.mouseMove(cross, _at(cross, "north"))
    qtbot.waitUntil(lambda: hovers == ["north"])
    assert cross.hovered_word == "north"
    qtbot.mouseMove(cross, QPoint(30, 380))
    qtbot.waitUntil(lambda: hovers == ["north", ""])


def test_dragging_pans_and_selects_nothing(cross: PointMap, qtbot: QtBot) -> None:
    picks: list[object] = []
    cross.selected.connect(lambda words, add: picks.append(words))
    before = cross.pixel("centre")
    assert before is not None
    start = _at(cross, "centre")
    QTest.mousePress(cross, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 9):
        QTest.mouseMove(cross, start + QPoint(10 * step, 5 * step))
    QTest.mouseRelease(cross, Qt.MouseButton.LeftButton, pos=start + QPoint(80, 40))
    after = cross.pixel("centre")
    assert after is not None
    assert (after.x() - before.x(), after.y() - before.y()) == pytest.approx((80, 40), abs=1.5)
    assert picks == []


def test_a_panned_map_is_drawn_like_a_new_one(qtbot: QtBot) -> None:
    """The image of the points moves with the view, and shows what enters the window."""
    view = _open_map(qtbot)
    view.motion = False
    _crowd(view)
    view.zoom(6)
    for across, down in ((9, 4), (-30, 21), (60, -70), (-400, 10), (3, 300)):
        view.pan(across, down)
        moved = view.grab().toImage()
        view._points.forget()
        fresh = view.grab().toImage()
        assert (moved.width(), moved.height()) == (fresh.width(), fresh.height())
        one, other = (
            np.frombuffer(image.constBits(), np.uint8).astype(int) for image in (moved, fresh)
        )
        # Points halfway between two pixels may be rounded to either.
        assert (np.abs(one - other) > 8).mean() < 0.02
    positions = view.positions[:, ::-1].copy()
    view.set_positions(positions, animate=False)
    moved = view.grab().toImage()
    view._points.forget()
    assert moved == view.grab().toImage()


def test_what_is_encircled_is_selected(cross: PointMap) -> None:
    picks: list[list[str]] = []
    cross.selected.connect(lambda words, add: picks.append(words))
    shift = Qt.KeyboardModifier.ShiftModifier
    a, b = _at(cross, "north"), _at(cross, "south")
    corners = [a + QPoint(-40, -20), a + QPoint(40, -20), b + QPoint(40, 20), b + QPoint(-40, 20)]
    QTest.mousePress(cross, Qt.MouseButton.LeftButton, shift, corners[0])
    for corner in corners[1:]:
        QTest.mouseMove(cross, corner)
    QTest.mouseRelease(cross, Qt.MouseButton.LeftButton, shift, corners[3])
    assert [set(words) for words in picks] == [{"centre", "north", "south"}]


def test_words_looked_at_before_the_first_showing_are_seen(qtbot: QtBot) -> None:
    """A view without a size yet can't pan or zoom."""
    view = PointMap()
    qtbot.addWidget(view)
    view.set_points(list(CROSS), np.array(list(CROSS.values()), dtype=np.float32))
    for look in (view.reveal, view.centre_on, lambda word: view.go_to([word])):
        look("east")
    view.resize(600, 400)
    view.show()
    qtbot.waitExposed(view)
    assert all(view.rect().contains(_at(view, word)) for word in CROSS)
    assert _at(view, "east").x() - _at(view, "west").x() > 300


def test_a_walk_while_the_view_moves_leaves_it_its_goal(cross: PointMap, qtbot: QtBot) -> None:
    whole = cross.viewport.scale
    cross.zoom(8.0)
    cross.fit()
    assert cross.moving
    cross.set_selection(["centre"])
    qtbot.keyClick(cross, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: not cross.moving)
    assert cross.viewport.scale == pytest.approx(whole)


def test_keys_walk_pan_zoom_and_clear(cross: PointMap, qtbot: QtBot) -> None:
    picks: list[list[str]] = []
    activations: list[str] = []
    cross.selected.connect(lambda words, add: (picks.append(words), cross.set_selection(words)))
    cross.activated.connect(activations.append)
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(cross, Qt.Key.Key_Right, shift)
    assert picks == [["centre"]]
    qtbot.keyClick(cross, Qt.Key.Key_Right, shift)
    qtbot.keyClick(cross, Qt.Key.Key_Right, shift)
    assert picks[1:] == [["east"]]
    qtbot.keyClick(cross, Qt.Key.Key_Return)
    assert activations == ["east"]
    scale = cross.viewport.scale
    qtbot.keyClick(cross, Qt.Key.Key_Plus)
    assert cross.viewport.scale > scale
    qtbot.keyClick(cross, Qt.Key.Key_Minus)
    assert cross.viewport.scale == pytest.approx(scale)
    x = cross.viewport.x
    qtbot.keyClick(cross, Qt.Key.Key_Right)
    assert cross.viewport.x > x
    qtbot.keyClick(cross, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not cross.moving)
    assert cross.viewport.x == pytest.approx(x)
    qtbot.keyClick(cross, Qt.Key.Key_Escape)
    assert picks[-1] == []


def test_it_says_what_it_shows(cross: PointMap) -> None:
    assert cross.accessibleDescription() == "Map of 5 words"
    cross.set_selection(["north", "nowhere"])
    assert cross.accessibleDescription() == "Map of 5 words; 1 selected: north"


# -- labels


def test_labels_do_not_overlap_whatever_is_looked_at(cross: PointMap, qtbot: QtBot) -> None:
    _crowd(cross)
    cross.set_selection([f"word{row}" for row in range(2000, 2012)])
    cross.set_arrows([Arrow("word5", "word900"), Arrow("word77", "word1500")])
    rng = np.random.default_rng(1)
    for step in range(12):
        labels = cross.labels
        assert len(labels) > 5
        for index, label in enumerate(labels):
            assert not any(label.box.intersects(other.box) for other in labels[:index])
        cross.zoom(float(rng.uniform(0.7, 1.8)), QPointF(*rng.uniform(100, 300, 2)))
        cross.pan(*rng.uniform(-60, 60, 2))
        if step == 6:
            cross.fit()
            qtbot.waitUntil(lambda: not cross.moving)


def test_frequent_words_are_written_first_and_more_when_zoomed_in(qtbot: QtBot) -> None:
    view = _open_map(qtbot)
    rng = np.random.default_rng(0)
    view.set_points(
        [f"w{row}" for row in range(4000)], rng.normal(size=(4000, 2)).astype(np.float32)
    )
    first = {label.word for label in view.labels}
    assert "w0" in first
    ranks = [int(word[1:]) for word in first]
    assert np.median(ranks) < 800
    view.zoom(6.0)
    inside = view.viewport.to_screen(view.positions)
    visible = {
        word
        for word, (x, y) in zip(view.words, inside.tolist(), strict=True)
        if 0 <= x < 500 and 0 <= y < 400
    }
    closer = {label.word for label in view.labels}
    assert len(closer & visible) > 1.5 * len(first & visible)


def test_a_clump_of_rare_words_is_named_too(qtbot: QtBot) -> None:
    view = _open_map(qtbot)
    rng = np.random.default_rng(0)
    positions = rng.normal(size=(3000, 2))
    positions[2950:] = rng.normal((9, 0), 0.05, (50, 2))
    view.set_points([f"w{row}" for row in range(3000)], positions.astype(np.float32))
    assert any(int(label.word[1:]) >= 2950 for label in view.labels)


def test_selection_neighbours_and_arrows_are_always_written(cross: PointMap) -> None:
    _crowd(cross)
    cross.set_selection(["word2999"])
    cross.set_links("word2500", [("word2501", 0.9)])
    cross.set_arrows([Arrow("word2600", "word2700")])
    words = {label.word for label in cross.labels}
    assert {"word2999", "word2500", "word2501", "word2600", "word2700"} <= words


# -- motion


def test_points_arrive_where_they_were_sent(cross: PointMap, qtbot: QtBot) -> None:
    target = cross.positions[::-1] * np.float32(3)
    cross.set_positions(target)
    assert cross.moving
    np.testing.assert_array_equal(cross.positions, target)
    qtbot.waitUntil(lambda: not cross.moving)
    np.testing.assert_array_equal(cross.positions, target)
    # The view follows the points.
    for word in CROSS:
        assert cross.rect().contains(_at(cross, word))


def test_a_view_that_was_moved_by_hand_stays(cross: PointMap, qtbot: QtBot) -> None:
    cross.zoom(2.0)
    before = cross.viewport
    cross.set_positions(cross.positions * np.float32(2))
    qtbot.waitUntil(lambda: not cross.moving)
    assert cross.viewport == before


def test_motion_can_be_switched_off(cross: PointMap) -> None:
    cross.motion = False
    cross.set_positions(cross.positions * np.float32(2))
    assert not cross.moving


def test_frames_of_a_motion_take_no_more_than_their_share(cross: PointMap) -> None:
    cross.set_positions(cross.positions * np.float32(2))
    cross._frame_seconds = 0.05
    cross.frame_share = 0.1
    cross._advance()
    assert cross._timer.interval() == 450
    cross.frame_share = 1.0
    cross.set_positions(cross.positions * np.float32(2))
    assert cross._timer.interval() == 15


def test_a_frame_is_timed(cross: PointMap) -> None:
    cross._frame_seconds = -1.0
    cross.grab()
    assert cross._frame_seconds > 0


def test_positions_for_other_words_are_refused(cross: PointMap) -> None:
    with pytest.raises(ValueError, match="5 words"):
        cross.set_positions(np.zeros((4, 2), dtype=np.float32))


def test_a_word_out_of_sight_is_revealed_and_one_in_sight_moves_nothing(
    cross: PointMap, qtbot: QtBot
) -> None:
    before = cross.viewport
    cross.reveal("east")
    assert cross.viewport == before
    cross.zoom(5.0)
    cross.pan(2000, 0)
    cross.reveal("east")
    qtbot.waitUntil(lambda: not cross.moving)
    assert cross.rect().contains(_at(cross, "east"))
    cross.centre_on("west")
    qtbot.waitUntil(lambda: not cross.moving)
    assert abs(_at(cross, "west").x() - 300) <= 1


# -- marks and pictures


def test_arrows_are_drawn_only_between_words_that_are_there(cross: PointMap) -> None:
    cross.set_arrows([Arrow("west", "east"), Arrow("west", "nowhere")])
    assert cross.arrows == (Arrow("west", "east"),)
    cross.set_points(["east", "nowhere", "west"], np.eye(3, 2, dtype=np.float32))
    assert cross.arrows == (Arrow("west", "east"), Arrow("west", "nowhere"))


def _picture(view: PointMap, ratio: float = 1.0) -> QImage:
    image = QImage(view.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    view.draw(painter)
    painter.end()
    return image


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_points_arrows_and_rings_are_where_they_should_be(cross: PointMap, ratio: float) -> None:
    cross.set_colours(DARK)

    def colour(point: QPoint) -> QColor:
        return _picture(cross, ratio).pixelColor(point * ratio)

    ground = QColor(DARK.ground)
    middle = (_at(cross, "centre") + _at(cross, "east")) / 2 + QPoint(0, 0)
    assert colour(_at(cross, "centre")) != ground
    cross.set_arrows([Arrow("west", "east")])
    assert colour(middle) == QColor(DARK.runs[1])
    cross.set_arrows([])
    cross.set_selection(["north"])
    assert colour(_at(cross, "north")) == QColor(DARK.accent)
    cross.set_ghost(Ghost(0.0, 3.0, "a − b + c"))
    assert colour(QPoint(20, 20)) == ground


def test_no_word_joins_the_caption_of_a_place(qtbot: QtBot) -> None:
    view = PointMap()
    qtbot.addWidget(view)
    view.resize(600, 400)
    # A grid of words, so that there is one at every place beside the caption.
    places = np.mgrid[0:30, 0:20].reshape(2, -1).T.astype(np.float32)
    view.set_points([f"w{row}" for row in range(len(places))], places)
    view.show()
    text = "king − man + woman"
    width, height = view._labels.text.size(text, scaled_length(13), False)
    for across in np.arange(12.0, 18.0, 0.25).tolist():
        view.set_ghost(Ghost(across, 10.0, text))
        x, y = view.viewport.to_screen(np.array([[across, 10.0]], dtype=np.float32))[0].tolist()
        caption = QRectF(x - width / 2 - 6, y + 13, width + 12, height)
        assert len(view.labels) > 10
        assert not any(label.box.intersects(caption) for label in view.labels)


def test_splatted_discs_are_round_and_stay_inside() -> None:
    image = np.zeros((40, 50), dtype=np.uint32)
    colours = np.array([0xFF112233, 0xFFFFFFFF], dtype=np.uint32)
    screen = np.array([(25.5, 20.5), (-3.0, 5.0), (49.5, 39.5), (400.0, 10.0)], dtype=np.float32)
    splat(image, screen, np.array([1, 0, 0, 0], dtype=np.uint8), colours, 4.0)
    alpha = (image >> np.uint32(24)).astype(int)
    assert alpha[20, 25] == 255
    assert alpha.sum() / 255 == pytest.approx(np.pi * 16, rel=0.05)
    np.testing.assert_array_equal(alpha[16:25, 21:30], alpha[16:25, 21:30].T)
    # With premultiplied alpha, no colour channel exceeds alpha.
    assert ((image & np.uint32(0xFF)).astype(int) <= alpha).all()


def test_a_disc_never_eats_into_its_neighbour() -> None:
    image = np.zeros((20, 40), dtype=np.uint32)
    splat(
        image,
        np.array([(15.5, 10.5), (19.5, 10.5)], dtype=np.float32),
        np.zeros(2, dtype=np.uint8),
        np.array([0xFF808080], dtype=np.uint32),
        3.0,
    )
    assert ((image[10, 13:22] >> np.uint32(24)) == 255).all()


@pytest.mark.parametrize("radius", [0.9, 3.0])
def test_the_kernel_for_many_points_shows_the_most_opaque_and_of_equals_the_last(
    radius: float,
) -> None:
    random = np.random.default_rng(4)
    screen = random.uniform(-10, 110, size=(1500, 2)).astype(np.float32)
    kinds = random.integers(0, 3, 1500).astype(np.uint8)
    colours = np.array([0xFF112233, 0xFFAA0000, 0xFF00CC44], dtype=np.uint32)
    order = random.permutation(1500)
    image, plain = np.zeros((2, 150, 160), dtype=np.uint32)
    splat_many(image, screen, order, 1.25, 8.0, kinds, colours, radius)
    splat(plain, screen[order] * np.float32(1.25) + np.float32(8), kinds[order], colours, radius)
    np.testing.assert_array_equal(image >> np.uint32(24), plain >> np.uint32(24))
    disc = stamp(round(radius * 4) / 4)
    best: dict[tuple[int, int], tuple[int, int]] = {}
    for turn, row in enumerate(order.tolist()):
        x, y = (math.floor(v * 1.25 + 8) for v in screen[row].tolist())
        if disc.reach <= x < 160 - disc.reach and disc.reach <= y < 150 - disc.reach:
            for down, across, step in zip(disc.down, disc.across, disc.step, strict=True):
                at = (y + down, x + across)
                best[at] = max(best.get(at, (0, 0)), (step, turn))
    full = {at: turn for at, (step, turn) in best.items() if step == max(disc.step)}
    assert len(full) > 800
    for at, turn in full.items():
        assert image[at] == colours[kinds[order[turn]]]


def test_a_large_map_looks_like_a_small_one(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    view = PointMap()
    qtbot.addWidget(view)
    view.resize(300, 200)
    words = [f"w{i}" for i in range(500)]
    view.set_points(
        words,
        random.normal(size=(500, 2)).astype(np.float32),
        sizes=np.linspace(2, 1, 500, dtype="f4"),
    )
    before = _picture(view)
    monkeypatch.setattr("workbench.ui.widgets.map.points.MANY_POINTS", 1)
    monkeypatch.setattr("workbench.ui.widgets.map.points.is_compiled", lambda name: True)
    view._points.forget()
    after = _picture(view)
    pixels = [np.frombuffer(one.constBits(), dtype=np.uint8).astype(int) for one in (before, after)]
    assert (np.abs(pixels[0] - pixels[1]) > 60).mean() < 0.01
    assert pixels[0].std() > 2


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_large_map_is_scaled_while_it_is_zoomed_and_then_drawn_again(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, ratio: float
) -> None:
    monkeypatch.setattr("workbench.ui.widgets.map.camera.MANY_POINTS", 1)
    view = _open_map(qtbot)
    words = ["middle", *(f"far{number}" for number in range(4))]
    corners = [(0, 0), (9, 9), (-9, 9), (9, -9), (-9, -9)]
    view.set_points(words, np.array(corners, dtype=np.float32), sizes=np.full(5, 3, dtype="f4"))
    render, rendered = view._points._render_points, [0]

    def counted(*given: Any) -> QImage:
        rendered[0] += 1
        return render(*given)

    monkeypatch.setattr(view._points, "_render_points", counted)
    _picture(view, ratio)
    for across in (60, 60, -60):
        _wheel(view, QPoint(150, 100), across)
        assert view.hurried
        image = _picture(view, ratio)
        where = view.pixel("middle")
        assert where is not None
        pixel = image.pixelColor((where * ratio).toPoint())
        assert pixel != QColor(view.colours.ground)
    assert rendered == [1]
    qtbot.waitUntil(lambda: not view.hurried)
    rested = _picture(view, ratio)
    # The window itself may have drawn, too.
    assert rendered[0] > 1
    view._points.forget()
    view._labels.forget()
    assert _picture(view, ratio) == rested
    # Far smaller or larger, the picture is drawn again at once.
    for delta in (480, -960):
        _wheel(view, QPoint(150, 100), delta)
        before = rendered[0]
        _picture(view, ratio)
        assert rendered == [before + 1]


def test_a_small_map_is_drawn_again_while_it_is_zoomed(cross: PointMap) -> None:
    _wheel(cross, QPoint(50, 50), 120)
    assert not cross.hurried


def test_polygons_and_directions() -> None:
    square = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], dtype=np.float32)
    points = np.array([(5, 5), (15, 5), (5, -1), (9.9, 0.1)], dtype=np.float32)
    assert inside_polygon(points, square).tolist() == [True, False, False, True]
    screen = np.array([(0, 0), (10, 0), (5, 4), (-5, 0)], dtype=np.float32)
    assert nearest_towards(screen, 0, 1.0, 0.0) == 1
    assert nearest_towards(screen, 0, -1.0, 0.0) == 3
    assert nearest_towards(screen, 0, 0.0, -1.0) == -1


def test_an_empty_map_can_be_handled(qtbot: QtBot) -> None:
    view = PointMap()
    qtbot.addWidget(view)
    view.resize(300, 200)
    _picture(view)
    assert view.labels == ()
    assert view.word_at(QPointF(10, 10)) is None
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    view.zoom(2.0)
    view.fit()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal")
def test_repaints_do_not_use_up_none(cross: PointMap) -> None:
    cross.set_selection(["north"])
    cross.set_arrows([Arrow("west", "east")])
    cross.set_links("centre", [("north", 0.5)])
    cross.set_ghost(Ghost(1.0, 1.0, "there"))
    image = _picture(cross)
    painter = QPainter(image)
    cross.draw(painter)
    before = sys.getrefcount(None)
    for _ in range(200):
        cross.pan(0.5, 0.0)
        cross.draw(painter)
    references = before - sys.getrefcount(None)
    painter.end()
    assert abs(references) < 100


@pytest.mark.parametrize("word", ["WAVE", "AVATAR", "fluffily", "naïve", "слово", "言葉", "w" * 60])
def test_a_word_fits_the_room_kept_for_it(qapp: QApplication, word: str) -> None:
    text = HaloText(body_font())
    width, height = text.size(word, 13, False)
    font = body_font()
    font.setPixelSize(13)
    exact = QFontMetricsF(font).size(0, word)
    # Kerning makes some words narrower than their letters together; a long word is shortened.
    assert width <= 1.2 * exact.width() + 2
    assert len(word) > 28 or width >= exact.width() - 0.5
    assert height >= exact.height() - 2.5


# -- outliers, and arrows between close words


def _with_outliers(view: PointMap, bulk: int = 300) -> np.ndarray:
    """A crowd within 3 units of the origin, and three words far away: two east, one north."""
    rng = np.random.default_rng(5)
    positions = rng.uniform(-3, 3, (bulk + 3, 2))
    positions[-3:] = [(400, 2), (420, -2), (0, 300)]
    words = [f"word{row}" for row in range(bulk)] + ["merry", "carefully", "hard"]
    view.set_points(words, positions.astype(np.float32))
    return positions


@pytest.mark.parametrize("bulk", [60, 300, 5000])
def test_a_few_outliers_do_not_shrink_the_rest(qtbot: QtBot, bulk: int) -> None:
    view = _open_map(qtbot)
    alone = np.random.default_rng(5).uniform(-3, 3, (bulk, 2)).astype(np.float32)
    view.set_points([f"word{row}" for row in range(bulk)], alone)
    before = view.viewport.scale
    _with_outliers(view, bulk)
    view.fit()
    qtbot.waitUntil(lambda: not view.moving)
    assert view.viewport.scale > 0.7 * before


def test_outliers_are_pointed_at_from_the_edge_and_a_click_goes_there(qtbot: QtBot) -> None:
    view = _open_map(qtbot)
    _with_outliers(view)
    east, north = sorted(view.pointers, key=lambda pointer: -pointer.tip.x())
    assert (east.text, north.text) == ("merry +1", "hard")
    assert east.tip.x() > view.width() - 12
    assert north.tip.y() < 12
    window = QRectF(view.rect())
    assert all(window.contains(pointer.box) for pointer in view.pointers)
    for label in view.labels:
        assert not any(label.box.intersects(pointer.box) for pointer in view.pointers)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=east.box.center().toPoint())
    qtbot.waitUntil(lambda: not view.moving)
    assert view.rect().contains(_at(view, "merry"))
    assert view.rect().contains(_at(view, "carefully"))
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not view.moving)
    assert len(view.pointers) == 2
    view.zoom(3.0)
    assert view.pointers == []


def test_a_map_without_outliers_has_no_pointers(cross: PointMap) -> None:
    assert cross.pointers == []


def test_words_in_one_place_have_dots_in_the_colour_of_arrows_but_no_loops(qtbot: QtBot) -> None:
    view = _open_map(qtbot)
    places = {"man": (0, 0), "king": (0.01, 0), "woman": (0, 0), "queen": (0, 0.02), "east": (9, 0)}
    view.set_points(list(places), np.array(list(places.values()), dtype=np.float32))
    view.set_arrows((Arrow("man", "king"), Arrow("woman", "queen")))
    ink = QColor(view.colours.runs[1]).rgb() & 0xFFFFFF
    pixels = view.grab().toImage()
    across, down = _at(view, "man").toTuple()
    away = [
        math.hypot(x - across, y - down)
        for x in range(pixels.width())
        for y in range(pixels.height())
        if pixels.pixel(x, y) & 0xFFFFFF == ink
    ]
    assert len(away) > 8
    assert max(away) < 12
