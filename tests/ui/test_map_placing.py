"""Words placed on a finished map: by PCA itself, by UMAP with umap-learn replaced by a fast
function.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from scipy.stats import ortho_group
from ui.map_fakes import choose_view, record, settled, show, shown_panel, vectors

from workbench.analysis.groups.trail import Trail
from workbench.analysis.projection.methods import base
from workbench.analysis.projection.umap import UmapParams
from workbench.core.job_control import JobControl
from workbench.core.processes import child_task
from workbench.session.requests import TaughtPlace
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map.export import save_map
from workbench.ui.panels.map.layout import PCA, PCA_3D, UMAP
from workbench.ui.panels.map.panel import MapPanel
from workbench.vectors.embeddings import Embeddings

LIMIT = 500
MORE = 620


def mean_of_neighbours(
    unit: np.ndarray, positions: np.ndarray, new: np.ndarray, params: UmapParams, run: JobControl
) -> np.ndarray:
    """Replacement for umap-learn: the mean position of the three nearest words."""
    near = np.argsort(-(new @ unit.T), axis=1)[:, :3]
    return np.asarray(positions[near].mean(axis=1), dtype=np.float32)


@pytest.fixture
def panel(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    monkeypatch.setattr(base, "place_words", mean_of_neighbours)
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        show(session, record(1, vectors(1, MORE)))
        new_panel.bar.choose_limit(LIMIT)
        qtbot.waitUntil(lambda: len(new_panel.view.words) == LIMIT and new_panel.idle)
        yield new_panel


def place(panel: MapPanel, words: str, qtbot: QtBot) -> None:
    panel._place.trigger()
    field = panel.ui.placing.field
    assert field.isVisible()
    qtbot.waitUntil(field.hasFocus)
    field.clear()
    qtbot.keyClicks(field, words)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.idle)


def by_view(panel: MapPanel, key: str, qtbot: QtBot) -> None:
    choose_view(panel, key, qtbot)
    qtbot.waitUntil(settled(panel, key))


def group(panel: MapPanel, word: str) -> int:
    """The cluster whose middle is nearest to a word on the screen."""
    pixel = panel.view.pixel(word)
    assert pixel is not None
    middles = []
    for number in range(4):
        pixels = [panel.view.pixel(word) for word in panel.view.words[number::4]]
        middles.append(np.mean([at.toTuple() for at in pixels if at is not None], axis=0))
    return int(np.linalg.norm(np.array(middles) - pixel.toTuple(), axis=1).argmin())


@pytest.mark.parametrize("method", [UMAP, PCA])
def test_a_word_beyond_those_shown_is_placed_near_its_neighbours(
    panel: MapPanel, session: Session, method: str, qtbot: QtBot
) -> None:
    by_view(panel, method, qtbot)
    view = panel.view
    panel._place.trigger()  # the row makes the map lower
    qtbot.waitUntil(lambda: panel.ui.placing.field.hasFocus() and panel.idle)
    before, words, viewport = view.positions.copy(), list(view.words), view.viewport
    place(panel, "word601 word602", qtbot)
    assert view.placed_words == ("word601", "word602")
    assert (group(panel, "word601"), group(panel, "word602")) == (1, 2)
    # Nothing else moves.
    np.testing.assert_array_equal(view.positions, before)
    assert list(view.words) == words
    assert view.viewport == viewport
    # A second word leaves the first where it is.
    first = view.placed_positions.copy()
    place(panel, "word603", qtbot)
    np.testing.assert_array_equal(view.placed_positions[:2], first)
    assert view.placed_words == ("word601", "word602", "word603")
    assert panel.ui.placing.field.text() == ""


def test_placed_words_are_pointed_at_selected_and_named(
    panel: MapPanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(panel, "word601", qtbot)
    view = panel.view
    pixel = view.pixel("word601")
    assert pixel is not None
    qtbot.mouseMove(view, pixel.toPoint())
    assert view.hovered_word == "word601"
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, *_: tips.append(text))
    where = pixel.toPoint()
    help_event = QHelpEvent(QEvent.Type.ToolTip, where, view.mapToGlobal(where))
    QApplication.sendEvent(view, help_event)
    assert "placed on the finished map" in tips[0]
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=where)
    assert session.selection.words == ("word601",)
    assert "rank" not in panel.footer.notice.whole
    assert "placed: word601" in view.accessibleDescription()
    # From there with the keyboard to another word and back.
    view.setFocus()
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
        session.selection.select(["word601"])
        qtbot.keyClick(view, key, Qt.KeyboardModifier.ShiftModifier)
        if session.selection.words != ("word601",):
            break
    assert session.selection.words[0] in view.words


def test_placed_words_stay_with_the_view_and_go_with_the_layout(
    panel: MapPanel, qtbot: QtBot
) -> None:
    place(panel, "word601", qtbot)
    view = panel.view
    places = view.placed_positions.copy()
    view.zoom(2.0, QPointF(100, 100))
    view.pan(30, 10)
    np.testing.assert_array_equal(view.placed_positions, places)
    across, down = view.viewport.to_screen(places)[0].tolist()
    pixel = view.pixel("word601")
    assert pixel is not None
    assert pixel.toTuple() == pytest.approx((across, down))
    by_view(panel, PCA, qtbot)
    assert view.placed_words == ()
    assert not panel.ui.placing.clear.isEnabled()


def test_placed_words_are_cleared(panel: MapPanel, qtbot: QtBot) -> None:
    place(panel, "word601", qtbot)
    bar = panel.ui.placing
    qtbot.mouseClick(bar.clear, Qt.MouseButton.LeftButton)
    assert panel.view.placed_words == ()
    assert not bar.clear.isEnabled()
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_what_cannot_be_placed_is_a_sentence(panel: MapPanel, qtbot: QtBot) -> None:
    place(panel, "word601 nowhere", qtbot)
    assert panel.view.placed_words == ()
    assert "“nowhere” isn’t in the vocabulary" in panel.footer.notice.whole
    assert panel.ui.placing.field.text() == "word601 nowhere"
    place(panel, "word1", qtbot)
    assert panel.footer.notice.whole == "These words are on the map already"
    by_view(panel, PCA_3D, qtbot)
    place(panel, "word601", qtbot)
    assert "in two dimensions" in panel.footer.notice.whole


def test_unseen_words_come_from_n_grams(
    panel: MapPanel, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """The n-grams of the unseen word are the whole vector of word2, so it joins that group."""
    plain = vectors(2, 120)
    table = np.zeros((64, plain.dim), dtype=np.float32)
    table[:] = plain.vectors[2]
    model = replace(
        plain,
        ngram_vectors=table,
        word_rows=np.asarray(plain.vectors),
        metadata={"subwords": {"min_n": 3, "max_n": 4, "buckets": 64}},
    )
    other = record(2, model)
    session.runs.append(other)
    session.active.show(other)
    qtbot.waitUntil(lambda: len(panel.view.words) == 120 and panel.idle)
    before = panel.view.positions.copy()
    place(panel, "unseenword", qtbot)
    assert panel.view.placed_words == ("unseenword",)
    assert group(panel, "unseenword") == 2
    np.testing.assert_array_equal(panel.view.positions, before)


def test_files_mark_placed_words(panel: MapPanel, tmp_path: Path, qtbot: QtBot) -> None:
    layout = panel._layout
    assert layout is not None
    save_map(tmp_path / "before.csv", panel.view, layout)
    place(panel, "word601", qtbot)
    save_map(tmp_path / "after.csv", panel.view, layout)
    with (tmp_path / "before.csv").open(encoding="utf-8", newline="") as file:
        before = list(csv.DictReader(file))
    with (tmp_path / "after.csv").open(encoding="utf-8", newline="") as file:
        after = list(csv.DictReader(file))
    assert "placed" not in before[0]
    assert [{**row, "placed": ""} for row in before] == after[:-1]
    assert (after[-1]["word"], after[-1]["placed"]) == ("word601", "yes")
    x, y = panel.view.placed_positions[0].tolist()
    assert (float(after[-1]["x"]), float(after[-1]["y"])) == pytest.approx((x, y), rel=1e-4)
    save_map(tmp_path / "after.npz", panel.view, layout)
    with np.load(tmp_path / "after.npz") as arrays:
        assert arrays["placed"].tolist() == [False] * LIMIT + [True]
        np.testing.assert_array_equal(arrays["positions"][-1:], panel.view.placed_positions)
    save_map(tmp_path / "after.svg", panel.view, layout)
    drawing = (tmp_path / "after.svg").read_text("utf-8")
    assert "word601" in drawing
    assert "placed: 1 word" in drawing


def test_a_session_file_brings_placed_words_back(panel: MapPanel, qtbot: QtBot) -> None:
    place(panel, "word601", qtbot)
    places, kept = panel.view.placed_positions.copy(), panel.saved_results()
    panel.view.clear_placed()
    panel.restore_results(kept)
    qtbot.waitUntil(lambda: panel.idle and panel.view.placed_words == ("word601",))
    np.testing.assert_array_equal(panel.view.placed_positions, places)
    panel.view.clear_placed()
    for damaged in ({"words": 3}, {"words": [3]}, "word601", {"words": ["word601"], "run": "x"}):
        panel.restore_results({**kept, "placed": damaged})
        qtbot.waitUntil(lambda: panel.idle)
        assert panel.view.placed_words == ()


def test_placing_is_cancelled(
    panel: MapPanel, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    def endless(*given: object) -> np.ndarray:
        run = given[-1]
        assert isinstance(run, JobControl)
        while True:
            run.check()

    monkeypatch.setattr(base, "place_words", endless)
    panel._place.trigger()
    bar = panel.ui.placing
    qtbot.keyClicks(bar.field, "word601")
    qtbot.mouseClick(bar.place, Qt.MouseButton.LeftButton)
    assert bar.place.text() == "Cancel"
    assert panel.footer.progress.isVisible()
    qtbot.mouseClick(bar.place, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.idle)
    assert bar.place.text() == "Place"
    assert panel.view.placed_words == ()
    assert not panel.footer.progress.isVisible()


def test_umap_learn_loads_while_words_are_typed(
    panel: MapPanel, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(child_task, "prepare", loaded.append)
    choose_view(panel, PCA, qtbot)
    panel._place.trigger()
    assert loaded == []
    choose_view(panel, UMAP, qtbot)
    panel._place.trigger()
    assert loaded == ["workbench.analysis.projection.umap_learn_task"]


def turned(plain: Embeddings) -> Embeddings:
    """A model whose words have the given vectors, rotated."""
    turn = ortho_group.rvs(plain.dim, random_state=7)
    return replace(plain, vectors=np.asarray(plain.vectors @ turn, dtype=np.float32))


def add_other(panel: MapPanel, model: Embeddings) -> RunRecord:
    other = record(2, model)
    other.name = "Other"
    panel.session.runs.append(other)
    panel.session.runs.changed.emit()
    return other


def choose_source(panel: MapPanel, text: str, qtbot: QtBot) -> None:
    source = panel.ui.placing.source
    qtbot.waitUntil(source.isVisible)
    source.setFocus()
    wanted = source.findText(text)
    assert wanted >= 0, [source.itemText(row) for row in range(source.count())]
    while source.currentIndex() != wanted:
        down = source.currentIndex() < wanted
        qtbot.keyClick(source, Qt.Key.Key_Down if down else Qt.Key.Key_Up)


def test_words_of_another_run_land_where_they_belong(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    panel._place.trigger()
    assert not panel.ui.placing.source.isVisible()
    add_other(panel, turned(vectors(1, MORE)))
    before = panel.view.positions.copy()
    choose_source(panel, "from Other", qtbot)
    place(panel, "word601 word2", qtbot)
    view = panel.view
    assert view.placed_words == ("word601 (Other)", "word2 (Other)")
    assert (group(panel, "word601 (Other)"), group(panel, "word2 (Other)")) == (1, 2)
    np.testing.assert_array_equal(view.positions, before)
    assert panel.footer.notice.whole.startswith("Aligned by 620 shared words. In a test, 100%")
    # The same vectors without a rotation have the same places.
    places = view.placed_positions.copy()
    choose_source(panel, "from this model", qtbot)
    place(panel, "word601", qtbot)
    np.testing.assert_allclose(view.placed_positions[2], places[0], atol=1e-3)
    # A click selects the word itself.
    pixel = view.pixel("word2 (Other)")
    assert pixel is not None
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=pixel.toPoint())
    assert session.selection.words == ("word2",)
    choose_source(panel, "from Other", qtbot)
    place(panel, "word2", qtbot)
    assert panel.footer.notice.whole == "These words are on the map already"


def test_words_of_a_foreign_run_are_refused(panel: MapPanel, qtbot: QtBot) -> None:
    foreign = turned(vectors(1, MORE))
    names = [f"{'word' if row < 50 else 'mot'}{row}" for row in range(MORE)]
    add_other(panel, replace(foreign, words=names))
    panel._place.trigger()
    choose_source(panel, "from Other", qtbot)
    place(panel, "mot601", qtbot)
    assert panel.view.placed_words == ()
    assert "they share 46 words, but at least 100 are needed" in panel.footer.notice.whole


def test_a_session_file_brings_words_of_another_run_back(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    other = add_other(panel, turned(vectors(1, MORE)))
    place(panel, "word601", qtbot)
    choose_source(panel, "from Other", qtbot)
    place(panel, "word602 word603", qtbot)
    names = ("word601", "word602 (Other)", "word603 (Other)")
    places, kept = panel.view.placed_positions.copy(), panel.saved_results()
    panel.view.clear_placed()
    panel.restore_results(kept)
    qtbot.waitUntil(lambda: panel.idle and panel.view.placed_words == names)
    np.testing.assert_allclose(panel.view.placed_positions, places, atol=1e-3)
    panel.view.clear_placed()
    kept["placed"]["others"].append("damaged")
    session.runs.delete(other)
    panel.restore_results(kept)
    qtbot.waitUntil(lambda: panel.idle and panel.view.placed_words == names[:1])
    assert "the run no longer exists" in panel.footer.notice.whole


def test_a_trail_is_placed_once_the_map_is_finished_and_replaces_the_last(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    by_view(panel, PCA, qtbot)
    shown = panel._layout
    assert shown is not None
    embeddings = shown.request.embeddings
    unit = embeddings.vectors[[3, 7, 11]].astype(np.float32)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    place(panel, str(embeddings.words[MORE - 1]), qtbot)
    word = embeddings.words[3]
    session.requests.trail.emit(Trail(word, ("1800", "1801", "1802"), unit, embeddings, 0.9))
    qtbot.waitUntil(lambda: len(panel.view.placed_words) == 4)
    names = [f"{word} ({year})" for year in (1800, 1801, 1802)]
    assert list(panel.view.placed_words[1:]) == names
    assert panel.view.joined == (1, 4)
    # By PCA, a word of the map lands on its own place.
    rows = [panel.view.words.index(embeddings.words[row]) for row in (3, 7, 11)]
    assert np.allclose(panel.view.placed_positions[1:], shown.positions[rows], atol=1e-3)
    assert panel.view.meant_words[1:] == (word,) * 3
    # A trail isn't a word that a session file could place again.
    assert panel.placing.saved_words()["words"] == [embeddings.words[MORE - 1]]
    session.requests.trail.emit(Trail(word, ("1900",), unit[:1], embeddings, 0.9))
    qtbot.waitUntil(lambda: len(panel.view.placed_words) == 2)
    assert panel.view.placed_words[1] == f"{word} (1900)"
    other = vectors(5, MORE)
    session.requests.trail.emit(Trail(word, ("1900",), unit[:1], other, 0.9))
    assert len(panel.view.placed_words) == 2


@pytest.mark.parametrize("method", [UMAP, PCA])
def test_a_taught_word_moves_alone_and_goes_when_it_is_forgotten(
    panel: MapPanel, session: Session, method: str, qtbot: QtBot
) -> None:
    by_view(panel, method, qtbot)
    place(panel, "word601", qtbot)
    view, model = panel.view, session.active.trained
    assert model is not None
    run = session.active.run
    assert run is not None
    before, words, first = view.positions.copy(), list(view.words), view.placed_positions.copy()

    def teach(word: str) -> None:
        vectors = np.repeat(model.unit[[model.index[word]]], 4, axis=0)
        place_asked = TaughtPlace(run.identifier, "blicket", "blicket", vectors)
        session.requests.taught.emit(place_asked)
        qtbot.waitUntil(lambda: panel.idle)

    for word, number in (("word602", 2), ("word603", 3)):
        teach(word)
        assert view.placed_words == ("word601", "blicket")
        assert group(panel, "blicket") == number
        assert view.cloud.shape == (3, 2)
    np.testing.assert_array_equal(view.positions, before)
    np.testing.assert_array_equal(view.placed_positions[:1], first)
    assert list(view.words) == words
    # Session files contain no word that no model has.
    assert panel.placing.saved_words()["words"] == ["word601"]
    image = view.grab().toImage()
    session.requests.taught.emit(None)
    qtbot.waitUntil(lambda: panel.idle)
    assert view.placed_words == ("word601",)
    assert not len(view.cloud)
    assert view.grab().toImage() != image


def test_a_taught_word_comes_back_with_another_layout_of_its_model(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    by_view(panel, PCA, qtbot)
    run, model = session.active.run, session.active.trained
    assert run is not None
    assert model is not None
    taught = TaughtPlace(run.identifier, "blicket", "blicket", model.unit[:3])
    session.requests.taught.emit(taught)
    qtbot.waitUntil(lambda: panel.idle and panel.view.placed_words == ("blicket",))
    by_view(panel, UMAP, qtbot)
    qtbot.waitUntil(lambda: panel.idle and panel.view.placed_words == ("blicket",))
    # A map in three dimensions takes no words.
    by_view(panel, PCA_3D, qtbot)
    qtbot.waitUntil(lambda: panel.idle)
    assert panel.view.placed_words == ()
    other = TaughtPlace("another run", "blicket", "blicket", model.unit[:3])
    by_view(panel, PCA, qtbot)
    session.requests.taught.emit(other)
    qtbot.waitUntil(lambda: panel.idle)
    assert panel.view.placed_words == ()


def test_a_taught_word_glides_alone_to_its_new_place(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    by_view(panel, PCA, qtbot)
    view, model, run = panel.view, session.active.trained, session.active.run
    assert model is not None
    assert run is not None
    view.motion = True
    before = view.positions.copy()

    def teach(word: str) -> None:
        vectors = np.repeat(model.unit[[model.index[word]]], 4, axis=0)
        session.requests.taught.emit(TaughtPlace(run.identifier, "blicket", "blicket", vectors))

    teach("word602")
    qtbot.waitUntil(lambda: panel.idle and view.placed_words == ("blicket",))
    first = view.placed_positions[0].copy()
    start = view.pixel("blicket")
    assert start is not None
    assert not view.moving
    # A word whose place is far from there.
    far = int(np.argmax(np.linalg.norm(view.positions - first, axis=1)))
    teach(view.words[far])
    qtbot.waitUntil(lambda: not np.array_equal(view.placed_positions[0], first))
    end = view._view.to_screen(view.placed_positions)[0]
    whole = np.hypot(end[0] - start.x(), end[1] - start.y())
    shares, points = [], []

    def look() -> bool:
        at = view.pixel("blicket")
        assert at is not None
        shares.append(np.hypot(at.x() - start.x(), at.y() - start.y()) / whole)
        points.append(np.array_equal(view.positions, before))
        return not view.moving

    assert view.moving
    assert not panel.idle
    look()
    qtbot.waitUntil(look)
    assert shares[0] < 0.9
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1, abs=1e-3)
    assert all(points)
    # Without motion, the word is there at once.
    view.motion = False
    teach("word602")
    qtbot.waitUntil(lambda: np.allclose(view.placed_positions[0], first))
    assert not view.moving
