"""Before and after: words move between two models, or fade if one lacks them, by slider and by
Play.
"""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.map_fakes import choose_view, record, settled, show, shown_panel, vectors

from workbench.analysis.projection.before_after import BOTH, ONLY_AFTER, ONLY_BEFORE
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map import export
from workbench.ui.panels.map.layout import PAIR, PCA, UMAP
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.widgets.map.colour_scheme import REGION_HUES


@pytest.fixture
def panel(
    context: PanelContext, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        yield new_panel


@pytest.fixture
def pair(panel: MapPanel, session: Session, qtbot: QtBot) -> MapPanel:
    """A map of two models: the second lacks the first ten words and has ten others."""
    show(session, record(1, vectors(1)), record(2, vectors(2, first=10)))
    choose_view(panel, PAIR, qtbot)
    qtbot.waitUntil(settled(panel, PAIR))
    return panel


def test_words_move_with_the_slider(pair: MapPanel, qtbot: QtBot) -> None:
    layout = pair._layout.pair
    assert layout is not None
    assert pair.compare.isVisible()
    np.testing.assert_array_equal(pair.view.positions, layout.before)
    slider = pair.compare.slider
    slider.setFocus()
    for _ in range(5):
        qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    assert pair.compare.share == pytest.approx(0.5)
    np.testing.assert_allclose(pair.view.positions, (layout.before + layout.after) / 2, atol=1e-5)
    qtbot.keyClick(slider, Qt.Key.Key_End)
    np.testing.assert_allclose(pair.view.positions, layout.after, atol=1e-5)
    assert pair.footer.caption.whole.startswith("Run 1 → Run 2 · Before/after · UMAP · ")
    assert re.fullmatch(
        r"trustworthiness \.\d\d → \.\d\d · continuity \.\d\d → \.\d\d",
        pair.footer.quality.whole,
    )
    assert "The first number is that of the first model." in pair.footer.quality.toolTip()


def test_words_of_one_model_fade(pair: MapPanel, qtbot: QtBot) -> None:
    layout = pair._layout.pair
    assert layout is not None
    assert {BOTH, ONLY_BEFORE, ONLY_AFTER} == set(layout.presence.tolist())
    faded_points = pair.view._points.faded_points
    np.testing.assert_array_equal(faded_points, layout.presence == ONLY_AFTER)
    only_after = layout.words[int(np.flatnonzero(layout.presence == ONLY_AFTER)[0])]
    assert only_after not in {label.word for label in pair.view.labels}
    assert pair.view.word_at(pair.view.rect().center().toPointF()) != only_after
    pair.compare.slider.setFocus()
    qtbot.keyClick(pair.compare.slider, Qt.Key.Key_End)
    np.testing.assert_array_equal(pair.view._points.faded_points, layout.presence == ONLY_BEFORE)


def test_words_keep_the_colours_of_the_first_models_map(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    show(session, record(1, vectors(1)), record(2, vectors(2, first=10)))
    choose_view(panel, UMAP, qtbot)
    qtbot.waitUntil(settled(panel, UMAP))
    kinds = dict(zip(panel.view.words, panel.view.shading.kinds.tolist(), strict=True))
    assert len(set(kinds.values())) > 1
    choose_view(panel, PAIR, qtbot)
    qtbot.waitUntil(settled(panel, PAIR))
    drawn = zip(panel.view.words, panel.view.shading.kinds.tolist(), strict=True)
    assert all(kind == kinds.get(word, REGION_HUES) for word, kind in drawn)
    assert panel.view._regions is None
    choose_view(panel, UMAP, qtbot)
    qtbot.waitUntil(settled(panel, UMAP))
    assert panel.view.shading.kinds.tolist() == list(kinds.values())


def test_play_goes_to_the_end_and_back(pair: MapPanel, qtbot: QtBot) -> None:
    qtbot.mouseClick(pair.compare.play, Qt.MouseButton.LeftButton)
    assert pair.compare.playing
    qtbot.waitUntil(lambda: not pair.compare.playing)
    assert pair.compare.share == 1.0
    qtbot.mouseClick(pair.compare.play, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pair.compare.share < 1.0)
    qtbot.mouseClick(pair.compare.play, Qt.MouseButton.LeftButton)
    assert not pair.compare.playing


def test_both_can_be_laid_out_by_pca(pair: MapPanel, qtbot: QtBot) -> None:
    before = pair.view.positions
    pair.compare.method.setFocus()
    qtbot.keyClick(pair.compare.method, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: settled(pair, PAIR)() and pair._layout.request.other[2] == "pair-pca")
    np.testing.assert_allclose(pair.view.positions, before[:, ::-1], atol=1e-4)
    assert "Before/after · PCA · " in pair.footer.caption.whole


def test_the_caption_of_a_saved_map_names_both_runs(
    pair: MapPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    captions = []
    monkeypatch.setattr(export, "ask_figure", lambda *given: captions.append(given[5]))
    pair.save_map(".png")
    (text,) = captions
    assert text.startswith("Map of words, Before/after · UMAP. ")
    assert "Run 1: " in text
    assert "Run 2: " in text


def test_leaving_shows_the_first_model_whole(pair: MapPanel, qtbot: QtBot) -> None:
    choose_view(pair, PCA, qtbot)
    qtbot.waitUntil(settled(pair, PCA))
    assert not pair.compare.isVisible()
    assert pair.view._points.faded_points is None
    assert len(pair.view.words) == 120


def test_without_a_second_model_it_says_so(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    show(session, record(1))
    choose_view(panel, PAIR, qtbot)
    qtbot.waitUntil(settled(panel, PCA))
    assert panel.footer.notice.whole == "Train or open a second model for the comparison"
    assert not panel.compare.other.isEnabled()
    # The method of the comparison isn't that of the map shown instead.
    assert panel.compare.isVisible()
    assert not panel.compare.method.isVisible()
    second = record(2)
    session.runs.append(second)
    session.runs.changed.emit()
    assert panel.compare.other.currentText() == "Run 2"
    assert panel.compare.method.isVisible()
    qtbot.waitUntil(settled(panel, PAIR))


def test_models_without_shared_words_are_told(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    show(session, record(1), record(2, vectors(2, words=40, first=500)))
    session.runs[1].embeddings.__dict__.pop("index", None)
    choose_view(panel, PAIR, qtbot)
    qtbot.waitUntil(lambda: panel.idle)
    # man, woman, poor and rich are in both.
    assert panel._layout.method == PAIR
    assert "4 words in both" in panel.footer.caption.whole
