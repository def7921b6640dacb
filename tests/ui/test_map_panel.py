"""The map panel: from a model to a layout that moves, with the selection and analogy of the
session.
"""

import csv
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from ui.map_fakes import record

from workbench.analysis.analogy.mutual import is_mutual
from workbench.analysis.analogy.solver import solve
from workbench.analysis.projection import layout_cache
from workbench.analysis.projection.methods import umap as umap_method
from workbench.analysis.projection.umap import UmapParams
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map.colours import regions as region_colours
from workbench.ui.panels.map.export import save_map
from workbench.ui.panels.map.layout import PCA, PLANE, UMAP, MapLayout
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.panels.map.regions import LayoutRegions
from workbench.ui.widgets.map.overlays import Arrow
from workbench.ui.widgets.map.paper import PAPER
from workbench.ui.widgets.map.regions import RegionShading
from workbench.vectors.embeddings import Embeddings

WORDS = 700
ROYAL = ("king", "man", "woman", "queen")


def _vectors(seed: int = 0) -> Embeddings:
    """Clusters, with king − man + woman near queen, all four among the 300 most frequent words."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(0, 1, (8, 12))[rng.integers(0, 8, WORDS)] + rng.normal(0, 0.4, (WORDS, 12))
    words = [f"word{row}" for row in range(WORDS)]
    for row, word in zip((40, 90, 160, 230), ROYAL, strict=True):
        words[row] = word
    vectors[230] = vectors[40] - vectors[90] + vectors[160] + rng.normal(0, 0.05, 12)
    counts = (1e6 / np.arange(1, WORDS + 1)).astype(np.int64)
    return Embeddings(words, vectors.astype(np.float32), counts)


def _show(session: Session, record: RunRecord) -> None:
    if record not in session.runs:
        session.runs.append(record)
    session.active.show(record)
    session.runs.changed.emit()


class FakeUmap:
    """Replacement for UMAP that moves the points to a known place once ``finish`` is set."""

    def __init__(self) -> None:
        self.requests: list[UmapParams] = []
        self.finish = True
        self.error: UserError | None = None

    def __call__(
        self,
        unit: object,
        params: UmapParams,
        run: JobControl,
        start: np.ndarray,
        dims: int = 2,
    ) -> np.ndarray:
        self.requests.append(params)
        run.publish("positions", start * np.float32(2))
        if self.error is not None:
            raise self.error
        while not self.finish:
            run.advance(0.25, "Computing the map, epoch 50 of 200")
            run.check()
        return np.ascontiguousarray(start[:, ::-1])


@pytest.fixture
def umap(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeUmap]:
    fake = FakeUmap()
    monkeypatch.setattr(umap_method, "umap", fake)
    # No layout is cached for the next test.
    monkeypatch.setattr(layout_cache, "_MOST_WORDS", 0)
    yield fake
    fake.finish = True


@pytest.fixture
def panel(context: PanelContext, umap: FakeUmap, qtbot: QtBot) -> Iterator[MapPanel]:
    new_panel = MapPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 560)
    new_panel.show()
    qtbot.waitExposed(new_panel)
    yield new_panel
    new_panel.release()


def _choose(panel: MapPanel, box: str, data: object, qtbot: QtBot) -> None:
    """Choose an entry of a box with the keyboard."""
    combo = getattr(panel, box)
    combo.setFocus()
    step = 1 if combo.findData(data) > combo.currentIndex() else -1
    while combo.currentData() != data:
        qtbot.keyClick(combo, Qt.Key.Key_Down if step > 0 else Qt.Key.Key_Up)


def _settled(panel: MapPanel, method: str) -> Callable[[], bool]:
    return lambda: panel._layout is not None and panel._layout.method == method and panel.idle


def test_without_a_model_it_says_what_to_do(panel: MapPanel) -> None:
    assert panel.state == "empty"
    assert panel.view.objectName() == "map.view"
    assert panel.idle


def test_pca_comes_first_and_umap_follows_by_itself(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    umap.finish = False
    methods: list[str] = []
    panel.layouts.arrived.connect(lambda layout: methods.append(layout.method))
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(lambda: methods[:2] == [PCA, UMAP])
    assert panel.state == "body"
    qtbot.waitUntil(lambda: panel.footer.notice.whole == "Computing the map, epoch 50 of 200")
    assert panel.stop.isVisible()
    umap.finish = True
    qtbot.waitUntil(_settled(panel, UMAP))
    assert not panel.stop.isVisible()
    assert umap.requests[0].limit == WORDS
    assert panel.footer.caption.whole == "Run 1 · UMAP · 700 words"
    start = panel.layouts._kept[panel._layout.request.key(PCA)].positions
    np.testing.assert_array_equal(panel.view.positions, start[:, ::-1])


def test_stopping_leaves_the_points_where_they_are(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    umap.finish = False
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(
        lambda: panel._layout is not None and panel._layout.method == UMAP and not panel.view.moving
    )
    before = panel.view.positions
    qtbot.mouseClick(panel.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.idle)
    np.testing.assert_array_equal(panel.view.positions, before)
    assert not panel.stop.isVisible()


def test_a_layout_is_computed_once(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    first, second = record(1, _vectors(1)), record(2, _vectors(2))
    for each in (first, second, first):
        _show(session, each)
        qtbot.waitUntil(_settled(panel, UMAP))
    assert len(umap.requests) == 2
    _choose(panel, "method", PCA, qtbot)
    qtbot.waitUntil(_settled(panel, PCA))
    _choose(panel, "method", UMAP, qtbot)
    qtbot.waitUntil(_settled(panel, UMAP))
    assert len(umap.requests) == 2


def test_umap_waits_for_a_training_to_end(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    training = record(9, state=State.TRAINING)
    session.runs.append(training)
    session.runs.changed.emit()
    # The user chooses another model meanwhile.
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(lambda: panel._layout is not None and panel.layouts.postponed)
    assert panel._layout.method == PCA
    assert "waits" in panel.footer.notice.whole
    assert umap.requests == []
    training.state, training.run = State.CANCELLED, None
    session.runs.changed.emit()
    qtbot.waitUntil(_settled(panel, UMAP))


def test_umap_need_not_wait_for_a_training(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    training = record(9, state=State.TRAINING)
    session.runs.append(training)
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(lambda: panel.footer.link.text() == "Lay out now")
    qtbot.mouseClick(panel.footer.link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(_settled(panel, UMAP))
    training.state, training.run = State.CANCELLED, None


def test_a_learning_run_is_followed(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    training = record(9, state=State.TRAINING)
    session.runs.append(training)
    session.runs.changed.emit()
    assert panel.state == "busy"
    run = training.run
    assert run is not None
    run.enter(Phase.TRAINING)
    qtbot.waitUntil(run.take_snapshot_request)
    first = _vectors(1)
    run.publish("embeddings", first)
    qtbot.waitUntil(lambda: panel.state == "body" and panel.idle)
    assert panel.footer.caption.whole.startswith("Run 9 · PCA during training · 700 words")
    before = panel.view.positions
    # The same vectors rotated: the map doesn't rotate with them.
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(12, 12)))[0].astype(np.float32)
    second = Embeddings(first.words, first.vectors @ turn, first.counts)
    run.publish("embeddings", second)
    qtbot.waitUntil(lambda: panel.seen.embeddings is second and panel.idle)
    np.testing.assert_allclose(panel.view.positions, before, atol=1e-3)
    training.state, training.run, training.embeddings = State.DONE, None, second
    session.active.show(training)
    session.runs.changed.emit()
    qtbot.waitUntil(_settled(panel, UMAP))


def test_a_training_beside_the_active_run_is_watched_only_on_request(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    mine = record(1, _vectors())
    _show(session, mine)
    qtbot.waitUntil(_settled(panel, UMAP))
    training = record(9, state=State.TRAINING)
    session.runs.append(training)
    session.runs.changed.emit()
    run = training.run
    assert run is not None
    run.enter(Phase.TRAINING)
    run.publish("embeddings", _vectors(1))
    link = panel.findChild(QPushButton, "map.watch")
    assert link is not None
    assert link.isVisible()
    assert link.text() == "Watch Run 9"
    # Another number of words is laid out of the active run, not of the training.
    _choose(panel, "method", PCA, qtbot)
    qtbot.waitUntil(_settled(panel, PCA))
    assert panel.footer.caption.whole.startswith("Run 1 · PCA · 700 words")
    assert isinstance(panel.view.shading, RegionShading)  # coloured beside the training
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.footer.caption.whole.startswith("Run 9 · PCA during training"))
    assert link.text() == "Show Run 1"
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.footer.caption.whole.startswith("Run 1 · PCA · 700 words"))
    # Another active run ends the watching, too.
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    _show(session, record(2, _vectors(2)))
    qtbot.waitUntil(lambda: panel.footer.caption.whole.startswith("Run 2 · PCA · 700 words"))
    training.state, training.run = State.CANCELLED, None
    session.runs.changed.emit()
    assert not link.isVisible()


def test_no_colours_of_the_first_layout_lie_on_the_next(
    panel: MapPanel,
    session: Session,
    umap: FakeUmap,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Regions of the first layout, found late, would be elsewhere than the points of the next."""
    found, gate = region_colours._find_and_shade, threading.Event()
    begun: list[str] = []

    def late(layout: MapLayout, *rest: Any) -> tuple[LayoutRegions, RegionShading]:
        begun.append(layout.method)
        gate.wait(10)
        return found(layout, *rest)

    monkeypatch.setattr(region_colours, "_find_and_shade", late)
    umap.finish = False
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(lambda: panel._layout is not None and panel._layout.method == UMAP)
    gate.set()
    qtbot.waitUntil(lambda: not session.jobs.busy("map.colour"))
    assert not isinstance(panel.view.shading, RegionShading)
    umap.finish = True
    qtbot.waitUntil(lambda: isinstance(panel.view.shading, RegionShading))
    layer = panel.view.shading.layer
    assert begun[-1] == UMAP
    assert layer is not None


def test_the_number_of_words_is_kept_to(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    _choose(panel, "limit", 500, qtbot)
    qtbot.waitUntil(lambda: len(panel.view.words) == 500 and panel.idle)
    assert list(panel.view.words) == list(_vectors().words[:500])
    assert umap.requests[-1].limit == 500
    assert panel.footer.caption.whole == "Run 1 · UMAP · 500 of 700 words"
    session.selection.select(["word600"])
    assert panel.footer.notice.whole == "“word600” has rank 601"
    assert panel.footer.link.text() == "Show 1,000 words"
    qtbot.mouseClick(panel.footer.link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.view.shows("word600") and panel.idle)
    assert panel.bar.chosen_limit == 1000
    assert panel.footer.notice.whole == ""


def test_umap_runs_again_with_other_settings(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    qtbot.mouseClick(panel.parameters, Qt.MouseButton.LeftButton)
    popover = panel.bar.popover
    assert popover.isVisible()
    popover.form.fields["n_neighbors"].put(1)
    qtbot.mouseClick(popover.run, Qt.MouseButton.LeftButton)
    assert popover.isVisible()  # one neighbour is too few; the popover says so and stays open
    popover.form.fields["n_neighbors"].put(8)
    popover.form.fields["seed"].put(7)
    qtbot.mouseClick(popover.run, Qt.MouseButton.LeftButton)
    assert not popover.isVisible()
    qtbot.waitUntil(lambda: len(umap.requests) == 2 and panel.idle)
    assert (umap.requests[1].n_neighbors, umap.requests[1].seed) == (8, 7)


def test_one_setting_of_umap_can_be_put_without_opening_them(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    before = umap.requests[-1]
    # Lessons set the field and press the button like this.
    popover = panel.bar.popover
    popover.form.fields["seed"].put(7)
    popover.run.click()
    qtbot.waitUntil(lambda: len(umap.requests) == 2 and panel.idle)
    assert umap.requests[1] == before.replace(seed=7)


def test_clicks_meet_the_session(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    words: list[str] = []
    session.requests.analogy_word.connect(words.append)
    panel.view.centre_on("king")
    panel.view.zoom(30.0)
    qtbot.waitUntil(lambda: not panel.view.moving)
    panel.view.zoom(30.0)
    at = panel.view.pixel("king").toPoint()
    qtbot.mouseClick(panel.view, Qt.MouseButton.LeftButton, pos=at)
    assert session.selection.words == ("king",)
    assert panel.view.selection == ("king",)
    qtbot.mouseDClick(panel.view, Qt.MouseButton.LeftButton, pos=at)
    assert words == ["king"]
    # Lines link the word to its true neighbours, in all dimensions.
    qtbot.waitUntil(lambda: panel.view.links[0] == "king")
    unit = _vectors().unit
    cosines = unit @ unit[40]
    best = np.argsort(-cosines)[1:9]
    assert [word for word, _ in panel.view.links[1]] == [_vectors().words[row] for row in best]
    qtbot.keyClick(panel.view, Qt.Key.Key_Escape)
    assert session.selection.words == ()


def test_search_goes_to_a_word(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    panel.search.setFocus()
    qtbot.keyClicks(panel.search, "queen")
    qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    assert session.selection.words == ("queen",)
    qtbot.waitUntil(lambda: not panel.view.moving)
    middle = panel.view.pixel("queen") - panel.view.rect().center().toPointF()
    assert middle.manhattanLength() < 3
    qtbot.mouseClick(panel.fit, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not panel.view.moving)
    assert panel.view.rect().contains(panel.view.pixel("word0").toPoint())


def test_search_for_several_words_tells_the_unknown(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    panel.search.setFocus()
    qtbot.keyClicks(panel.search, "queen zebra king")
    qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    assert session.selection.words == ("queen", "king")
    assert "“zebra”" in panel.footer.notice.whole


def test_an_analogy_is_drawn_and_has_a_plane(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    session.selection.show_analogy(AnalogyShown(*ROYAL))
    assert panel.view.arrows == (Arrow("man", "king"), Arrow("woman", "queen"))
    # The analogy is shown in its plane at once.
    qtbot.waitUntil(_settled(panel, PLANE))
    place = {word: panel.view.pixel(word) for word in ROYAL}
    first, second = place["king"] - place["man"], place["queen"] - place["woman"]
    assert first.x() * second.y() == pytest.approx(first.y() * second.x(), abs=0.3 * first.x() ** 2)
    assert panel.view.ghost is not None
    assert panel.view.ghost.text == "king − man + woman"
    assert all(panel.view.rect().contains(pixel.toPoint()) for pixel in place.values())
    # While another analogy is typed, the words stay where they are.
    session.selection.show_analogy(None)
    qtbot.waitUntil(_settled(panel, PLANE))
    assert panel.view.arrows == ()
    assert panel.view.ghost is None
    # A model that lacks the words has no such plane.
    others = [f"other{row}" for row in range(WORDS)]
    _show(session, record(2, Embeddings(others, _vectors(2).vectors)))
    qtbot.waitUntil(_settled(panel, UMAP))
    assert not panel.bar.plane_allowed


def test_an_analogy_that_is_answered_badly_stays_on_the_map(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    model = _vectors()
    _show(session, record(1, model))
    qtbot.waitUntil(_settled(panel, UMAP))
    # The nearest words of the first one, which lead elsewhere, and a word that isn't shown.
    poor = next(
        AnalogyShown("word7", "word8", "word9", word)
        for word in (answer.word for answer in solve(model, "word7", "word8", "word9"))
        if not is_mutual(model, "word7", "word8", "word9", word)
    )
    assert is_mutual(model, *ROYAL)
    for analogy in (poor, AnalogyShown("king", "man", "woman", "word690")):
        session.selection.show_analogy(analogy)
        qtbot.waitUntil(_settled(panel, UMAP))
        assert panel.bar.plane_allowed
    _choose(panel, "limit", 500, qtbot)
    session.selection.show_analogy(AnalogyShown(*ROYAL))
    qtbot.waitUntil(_settled(panel, PLANE))
    # The plane that shows a good answer does not stay for a bad one, unless a person chooses it.
    session.selection.show_analogy(poor)
    qtbot.waitUntil(_settled(panel, UMAP))
    session.selection.show_analogy(AnalogyShown(*ROYAL))
    qtbot.waitUntil(_settled(panel, PLANE))
    panel.bar.method.showPopup()
    qtbot.keyClick(panel.bar.method.view(), Qt.Key.Key_Return)
    session.selection.show_analogy(poor)
    qtbot.waitUntil(_settled(panel, PLANE))


def test_the_view_glides_between_plane_and_map(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    session.selection.show_analogy(AnalogyShown(*ROYAL))
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, PLANE))
    # The map has been laid out meanwhile; the plane uses its colours.
    layout = panel.layouts.map_of(panel._layout.request)
    assert layout is not None
    assert panel.view.shading.title == "Regions"
    assert panel.view._regions is None
    hues = panel.view.shading.kinds.tolist()
    view, before = panel.view, panel.view.pixel("word50")
    qtbot.keyClick(view, Qt.Key.Key_P)
    # The motion starts where the words are on screen, even if the layouts have different units.
    assert panel._layout.method == UMAP
    assert view.moving
    start = view.pixel("word50")
    assert abs(start.x() - before.x()) + abs(start.y() - before.y()) < 5
    qtbot.waitUntil(_settled(panel, UMAP))
    assert view.arrows == (Arrow("man", "king"), Arrow("woman", "queen"))
    assert view.shading.kinds.tolist() == hues
    assert view._regions is not None
    assert panel.footer.notice.whole == "UMAP distorts directions"
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_P)
    qtbot.waitUntil(_settled(panel, PLANE))
    assert panel.bar.chosen_method == PLANE
    _choose(panel, "method", UMAP, qtbot)
    qtbot.waitUntil(_settled(panel, UMAP))
    # After a switch to the map, the next run is shown on the map, too.
    _show(session, record(2, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))


def test_one_word_is_marked_while_the_layouts_change(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    view = panel.view
    for method in (PCA, UMAP):
        before = {word: view.pixel(word) for word in view.words}
        panel.choices.choose_method(method)
        panel._choices_changed()
        qtbot.waitUntil(lambda: view.moving)
        assert panel._layout is not None
        assert panel._layout.method == method
        guide = view._marks.guide
        start = view.pixel(guide)
        assert abs(start.x() - before[guide].x()) + abs(start.y() - before[guide].y()) < 60
        assert guide in {label.word for label in view.labels}
        # Nothing of one layout is drawn on the way to another.
        assert view._resting_regions() is None
        assert view.selection == ()
        qtbot.waitUntil(_settled(panel, method))
        assert view._marks.guide == ""
        assert view._resting_regions() is not None
    # A selected word is marked anyway.
    session.selection.select(["word3"])
    panel.choices.choose_method(PCA)
    panel._choices_changed()
    qtbot.waitUntil(lambda: view.moving)
    assert view._marks.guide == ""
    qtbot.waitUntil(_settled(panel, PCA))


def test_the_plane_of_the_first_model_is_walked_by_keys(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    """The layout arrives before the view has a size."""
    session.selection.show_analogy(AnalogyShown(*ROYAL))
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, PLANE))
    view, shift = panel.view, Qt.KeyboardModifier.ShiftModifier
    qtbot.waitUntil(lambda: view.width() > 600)
    spread = view.pixel("king") - view.pixel("woman")
    assert max(abs(spread.x()), abs(spread.y())) > 100
    # All four words are visible at another size, too.
    panel.resize(700, 420)
    qtbot.waitUntil(lambda: view.width() <= 700)
    assert all(view.rect().contains(view.pixel(word).toPoint()) for word in ROYAL)
    view.setFocus()
    session.selection.select(["king"])
    for key, ahead in ((Qt.Key.Key_Left, (-1, 0)), (Qt.Key.Key_Down, (0, 1))):
        start = session.selection.focus
        qtbot.keyClick(view, key, shift)
        step = view.pixel(session.selection.focus) - view.pixel(start)
        assert step.x() * ahead[0] + step.y() * ahead[1] > 0
    # At the edge, a message says that there is no word in this direction.
    places = view.viewport.to_screen(view.positions)
    leftmost = view.words[int(places[:, 0].argmin())]
    session.selection.select([leftmost])
    qtbot.waitUntil(lambda: not view.moving)
    qtbot.keyClick(view, Qt.Key.Key_Left, shift)
    assert session.selection.focus == leftmost
    assert panel.footer.notice.whole == f"No word in this direction from “{leftmost}”"


def test_without_motion_the_plane_is_there_at_once(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    session.selection.show_analogy(AnalogyShown(*ROYAL))
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, PLANE))
    panel.view.motion = False
    _choose(panel, "method", UMAP, qtbot)
    assert panel._layout.method == UMAP
    assert not panel.view.moving
    assert panel.view.positions.tolist() == panel._layout.positions.tolist()


def test_a_failure_of_umap_is_told_and_the_map_stays(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot
) -> None:
    umap.error = UserError("UMAP failed: no luck.", "Try other settings.")
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(
        lambda: panel.footer.notice.whole == "UMAP failed: no luck. Try other settings."
    )
    assert panel.state == "body"
    assert panel.footer.notice.property("role") == "error"


def test_what_is_exported_is_what_is_seen(
    panel: MapPanel, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    save_map(tmp_path / "map.npz", panel.view, panel._layout)
    with np.load(tmp_path / "map.npz", allow_pickle=False) as arrays:
        assert arrays["words"].tolist() == list(panel._layout.words)
        np.testing.assert_array_equal(arrays["positions"], panel._layout.positions)
    save_map(tmp_path / "map.csv", panel.view, panel._layout)
    with (tmp_path / "map.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["word"] for row in rows] == list(panel.view.words)
    assert float(rows[5]["x"]) == pytest.approx(float(panel.view.positions[5, 0]), rel=1e-5)
    assert int(rows[0]["count"]) == 1_000_000
    save_map(tmp_path / "map.png", panel.view, panel._layout)
    image = QImage(str(tmp_path / "map.png"))
    assert image.size() == 2 * PAPER
    assert image.pixelColor(2, image.height() - 3) == QColor("white")


def test_space_pauses_and_resumes(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    training = record(9, state=State.TRAINING)
    session.runs.append(training)
    session.runs.changed.emit()
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Space)
    assert training.state is State.PAUSED
    qtbot.keyClick(panel.view, Qt.Key.Key_Space)
    assert training.state is State.TRAINING


def test_choices_are_remembered(
    panel: MapPanel, context: PanelContext, session: Session, qtbot: QtBot
) -> None:
    _choose(panel, "method", PCA, qtbot)
    _choose(panel, "limit", 5000, qtbot)
    another = MapPanel(context)
    qtbot.addWidget(another)
    assert another.bar.chosen_method == PCA
    assert another.bar.chosen_limit == 5000
    another.release()


def test_a_model_that_is_deleted_leaves_an_empty_map(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    only = record(1, _vectors())
    _show(session, only)
    qtbot.waitUntil(_settled(panel, UMAP))
    session.runs.delete(only)
    assert panel.state == "empty"


def test_a_model_of_one_word_is_counted_as_one(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    one = Embeddings(("alone",), np.ones((1, 3), np.float32), None)
    _show(session, record(1, one))
    qtbot.waitUntil(lambda: "1 word ·" in f"{panel.footer.caption.whole} ·")


def test_another_layout_is_seen_whole_however_close_one_looked_at_the_last(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(_settled(panel, UMAP))
    panel.view.fit_words(("king", "queen"))
    qtbot.waitUntil(lambda: not panel.view.moving)
    assert not _all_seen(panel)
    _choose(panel, "method", PCA, qtbot)
    qtbot.waitUntil(_settled(panel, PCA))
    qtbot.waitUntil(lambda: not panel.view.moving)
    assert _all_seen(panel)


def _all_seen(panel: MapPanel) -> bool:
    """Whether all points are inside the visible map."""
    places = panel.view.viewport.to_screen(panel.view.positions).tolist()
    return all(0 <= x <= panel.view.width() and 0 <= y <= panel.view.height() for x, y in places)


def test_quality_is_judged_once_the_points_rest(
    panel: MapPanel, session: Session, umap: FakeUmap, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    methods: list[str] = []
    judge = panel.quality.measure_layout
    monkeypatch.setattr(
        panel.quality,
        "measure_layout",
        lambda layout: (methods.append(layout.method), judge(layout)),
    )
    umap.finish = False
    _show(session, record(1, _vectors()))
    qtbot.waitUntil(lambda: panel._layout is not None and panel._layout.method == UMAP)
    assert panel.layouts.progress is not None
    assert UMAP not in methods
    umap.finish = True
    qtbot.waitUntil(lambda: UMAP in methods)


def test_no_neighbours_are_linked_while_a_run_learns(
    panel: MapPanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The links would belong to an earlier state of the training."""
    models: list[object] = []
    use = panel.links.set_embeddings
    monkeypatch.setattr(
        panel.links,
        "set_embeddings",
        lambda embeddings: (models.append(embeddings), use(embeddings)),
    )
    training = record(9, state=State.TRAINING)
    session.runs.append(training)
    session.runs.changed.emit()
    run = training.run
    assert run is not None
    run.enter(Phase.TRAINING)
    qtbot.waitUntil(run.take_snapshot_request)
    run.publish("embeddings", _vectors(1))
    qtbot.waitUntil(lambda: panel.state == "body" and panel.idle)
    assert models
    assert set(models) == {None}
    training.state, training.run, training.embeddings = State.DONE, None, _vectors(1)
    session.active.show(training)
    session.runs.changed.emit()
    qtbot.waitUntil(_settled(panel, UMAP))
    assert models[-1] is training.embeddings
