"""Choosing words: the lasso, showing only these words and all again, and named sets."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.map_fakes import around, drag, pick, record, settled, show, shown_panel, vectors

from workbench.session.session import Session
from workbench.session.settings.settings_file import Settings
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map.layout import UMAP
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.panels.map.word_sets import WordSet, load_sets
from workbench.ui.widgets.map.point_map import PointMap


@pytest.fixture
def panel(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        show(session, record(1, vectors()))
        qtbot.waitUntil(settled(new_panel, UMAP))
        yield new_panel


def _cluster(panel: MapPanel, group: int = 1) -> list[str]:
    return [word for row, word in enumerate(panel.view.words) if row % 4 == group]


def _name(panel: MapPanel, text: str, qtbot: QtBot) -> None:
    popover = panel.sets.popover
    assert popover.isVisible()
    popover.field.selectAll()
    qtbot.keyClicks(popover.field, text)
    qtbot.keyClick(popover.field, Qt.Key.Key_Return)
    assert not popover.isVisible()


def test_the_lasso_is_taken_by_button_and_left_by_key(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    qtbot.mouseClick(panel.bar.lasso, Qt.MouseButton.LeftButton)
    assert panel.view.lassoing
    words = _cluster(panel)
    drag(panel.view, around(panel.view, words))
    assert set(words) <= set(session.selection.words)
    # The most frequent word has the focus.
    assert session.selection.focus == words[0]
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_L)
    assert not panel.view.lassoing
    assert not panel.bar.lasso.isChecked()
    x = panel.view.viewport.x
    drag(panel.view, around(panel.view, words)[:2])
    assert panel.view.viewport.x != x  # a drag pans again


def test_a_lasso_with_ctrl_adds(panel: MapPanel, session: Session) -> None:
    session.selection.select(["word0"])
    shift, ctrl = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
    drag(panel.view, around(panel.view, _cluster(panel)), shift | ctrl)
    assert "word0" in session.selection.words
    assert len(session.selection.words) > 20


def test_only_the_selected_words_are_laid_out_and_back(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    words = _cluster(panel)
    whole = panel.view.positions
    session.selection.select(words)
    # The link under the map offers to show only these words.
    assert panel.footer.link.text() == "Show only these"
    qtbot.mouseClick(panel.footer.link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: list(panel.view.words) == words and settled(panel, UMAP)())
    assert panel.isolation.isVisible()
    assert panel.isolation.label.whole == "Layout of only 30 words"
    assert panel.footer.caption.whole == "Run 1 · UMAP · 30 of 120 words"
    assert session.selection.words == (words[-1],)
    session.selection.select(["word0"])
    assert panel.footer.notice.whole == "“word0” isn’t among the displayed words"
    qtbot.mouseClick(panel.isolation.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(panel.view.words) == 120 and settled(panel, UMAP)())
    assert not panel.isolation.isVisible()
    np.testing.assert_array_equal(panel.view.positions, whole)


def test_one_word_is_not_a_map(panel: MapPanel, session: Session) -> None:
    session.selection.select(["word0"])
    panel.sets.isolate_selection()
    assert panel.sets.isolated is None
    assert "at least two" in panel.footer.notice.whole


def test_sets_are_kept_renamed_deleted_and_brought_back(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    session.selection.select(["man", "woman", "poor"])
    pick(panel.sets.menu, "map.sets.keep")
    _name(panel, "people", qtbot)
    assert load_sets(Settings()) == [WordSet("people", ("man", "woman", "poor"))]
    session.selection.select([])
    pick(panel.sets.menu, "map.sets.people.select")
    assert session.selection.words == ("man", "woman", "poor")
    pick(panel.sets.menu, "map.sets.people.rename")
    _name(panel, "some people", qtbot)
    assert [word_set.name for word_set in load_sets(Settings())] == ["some people"]
    pick(panel.sets.menu, "map.sets.some people.isolate")
    qtbot.waitUntil(lambda: len(panel.view.words) == 3 and panel.idle)
    assert panel.isolation.label.whole == "Layout of only 3 words of “some people”"
    pick(panel.sets.menu, "map.sets.back")
    pick(panel.sets.menu, "map.sets.some people.delete")
    assert load_sets(Settings()) == []
    pick(panel.sets.menu, "map.sets.undelete")
    assert [word_set.name for word_set in load_sets(Settings())] == ["some people"]


def test_a_name_that_is_taken_is_told(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    panel.sets.save_set("a", ("man", "woman"))
    panel.sets.save_set("b", ("poor", "rich"))
    pick(panel.sets.menu, "map.sets.b.rename")
    _name(panel, "a", qtbot)
    assert panel.footer.notice.whole == "A set “a” already exists"
    assert [word_set.name for word_set in panel.sets.sets] == ["a", "b"]


def test_another_model_shows_the_words_that_it_knows(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    session.selection.select(["word0", "word1", "word2", "word100", "word101"])
    panel.sets.isolate_selection()
    qtbot.waitUntil(lambda: len(panel.view.words) == 5 and panel.idle)
    other = record(2, vectors(2, words=50))
    session.runs.append(other)
    session.active.show(other)
    qtbot.waitUntil(lambda: list(panel.view.words) == ["word0", "word1", "word2"] and panel.idle)
    assert panel.isolation.label.whole == "Layout of only 3 of 5 words"


def test_damaged_sets_are_passed_over(home: object) -> None:
    settings = Settings()
    entries = [
        {"name": "good", "words": ["a"]},
        {"name": 3, "words": []},
        {"name": "numbers", "words": [1]},
        "x",
        {"name": "", "words": []},
    ]
    settings.put({"map.sets": entries})
    assert load_sets(settings) == [WordSet("good", ("a",))]
    settings.put({"map.sets": "nothing"})
    assert load_sets(settings) == []


def test_hundreds_of_rings_look_as_a_few_do(qtbot: QtBot) -> None:
    view = PointMap()
    qtbot.addWidget(view)
    view.resize(400, 300)
    rows = np.arange(200)
    view.set_points(
        [f"w{row}" for row in rows], np.stack([rows % 20, rows // 20], axis=1).astype(np.float32)
    )
    at = view.pixel("w0").toPoint()
    samples = []
    for words in (["w0"], list(view.words)):
        view.set_selection(words)
        image = view.grab().toImage()
        samples.append([image.pixelColor(at.x() + step, at.y()).blue() for step in range(0, 8, 2)])
    few, many = np.array(samples)
    # The dot and the background beyond its ring look the same.
    np.testing.assert_allclose(many[[0, 3]], few[[0, 3]], atol=40)
