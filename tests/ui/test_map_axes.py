"""Word axes on the map: typed anchors, cosines as positions, error messages."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.map_fakes import choose_view, pick, record, settled, show, shown_panel, vectors

from workbench.analysis.projection.word_axes import WordAxis, axis_cosines
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.theme import DARK, LIGHT
from workbench.ui.panels.map.export import save_map
from workbench.ui.panels.map.layout import AXES, PCA, UMAP
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.widgets.map.backdrop import AxesBackdrop
from workbench.ui.widgets.map.colour_scheme import (
    DIVERGING_STEPS,
    Diverging,
    diverging_shading,
    unknown_colour,
)
from workbench.ui.widgets.map.regions import RegionShading


@pytest.fixture
def panel(
    context: PanelContext, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        yield new_panel


def _type(panel: MapPanel, field: str, text: str, qtbot: QtBot) -> None:
    edit = {**panel.axes.fields, **panel.axes.pairs}[field]
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def test_known_anchors_are_offered_and_positions_are_cosines(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    model = vectors()
    show(session, record(1, model))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    assert panel.axes.isVisible()
    assert panel.axes.words() == ("man", "woman", "poor", "rich")
    unit = np.asarray(model.unit, dtype=float)
    across = unit[6] - unit[5]
    np.testing.assert_allclose(
        panel.view.positions[:, 0], unit @ across / np.linalg.norm(across), atol=1e-5
    )
    assert panel.footer.caption.whole.startswith(
        "Run 1 · Word axes · 120 words · cosine of the axes"
    )
    # The anchors are at the edges, and labels don't cover them.
    backdrop = panel.view._backdrop
    assert isinstance(backdrop, AxesBackdrop)
    boxes = backdrop.boxes(panel.view.viewport, panel.view._labels.text)
    assert not any(label.box.intersects(box) for label in panel.view.labels for box in boxes)


def test_other_anchors_are_typed_and_remembered(
    panel: MapPanel, context: PanelContext, session: Session, qtbot: QtBot
) -> None:
    show(session, record(1))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    _type(panel, "left", "word20", qtbot)
    qtbot.waitUntil(
        lambda: panel._layout.request.axes[0] == WordAxis("word20", "woman") and panel.idle
    )
    # Several words typed at once fill the fields that follow.
    _type(panel, "right", "word21 word22 word23", qtbot)
    qtbot.waitUntil(
        lambda: (
            panel._layout.request.axes
            == (WordAxis("word20", "word21"), WordAxis("word22", "word23"))
            and panel.idle
        )
    )
    another = MapPanel(context)
    qtbot.addWidget(another)
    assert another.axes.words() == ("word20", "word21", "word22", "word23")
    another.release()


def test_a_word_that_the_model_lacks_is_told(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    show(session, record(1))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    _type(panel, "top", "stranger", qtbot)
    qtbot.waitUntil(lambda: panel._layout.request.axes[1] is None and panel.idle)
    assert panel.footer.notice.whole.startswith("“stranger” is not in the vocabulary")
    assert panel.axes.fields["top"].property("invalid") == "true"
    _type(panel, "top", "man", qtbot)
    qtbot.waitUntil(lambda: panel._layout.request.axes[1] is not None and panel.idle)
    assert panel.footer.notice.whole == ""
    # With no known axis at all, PCA is drawn in place of it.
    _type(panel, "top", "stranger", qtbot)
    _type(panel, "right", "stranger", qtbot)
    qtbot.waitUntil(settled(panel, PCA))


@pytest.mark.parametrize("column", [0, 1])
def test_one_axis_is_enough_and_the_other_direction_is_frequency(
    panel: MapPanel, session: Session, qtbot: QtBot, column: int
) -> None:
    model = vectors()
    show(session, record(1, model))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    other = ("bottom", "top") if column == 0 else ("left", "right")
    for field in other:
        _type(panel, field, "", qtbot)
    axis = WordAxis("man", "woman") if column == 0 else WordAxis("poor", "rich")
    axes = (axis, None) if column == 0 else (None, axis)
    qtbot.waitUntil(lambda: panel._layout.request.axes == axes and panel.idle)
    assert panel._layout.method == AXES
    np.testing.assert_allclose(
        panel.view.positions[:, column], axis_cosines(model, axis), atol=1e-5
    )
    # More frequent words are further up, or further to the right.
    counts = np.log(np.asarray(model.counts, dtype=float))
    beside = panel.view.positions[:, 1 - column].astype(float)
    assert np.corrcoef(counts, beside)[0, 1] == pytest.approx(1, abs=1e-4)
    direction = "height" if column == 0 else "width"
    caption = panel.footer.caption.whole
    assert caption.endswith(f"Word axes · 120 words · {direction}: frequency")
    assert panel.footer.notice.whole == ""
    # The colour is that of the drawn axis, and labels cover neither ends nor scale.
    assert _diverging(panel).title == f"Cosine with {axis.low} → {axis.high}"
    backdrop = panel.view._backdrop
    assert isinstance(backdrop, AxesBackdrop)
    text = panel.view._labels.text
    boxes = backdrop.boxes(panel.view.viewport, text)
    assert not any(label.box.intersects(box) for label in panel.view.labels for box in boxes)
    ends = [label for label, _, _ in backdrop._ends(panel.view.viewport, text)]
    assert sum("more frequent" in end for end in ends) == 1
    assert len(ends) == 3


def test_two_anchors_that_are_one_are_told(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    show(session, record(1))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    _type(panel, "right", "man", qtbot)
    qtbot.waitUntil(lambda: "have the same direction" in panel.footer.notice.whole)


def test_other_views_have_no_axes(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    show(session, record(1))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    choose_view(panel, PCA, qtbot)
    qtbot.waitUntil(settled(panel, PCA))
    assert not panel.axes.isVisible()
    assert panel.view._backdrop is None


def _diverging(panel: MapPanel) -> Diverging:
    shading = panel.view.shading
    assert isinstance(shading, Diverging)
    return shading


def test_more_pairs_are_typed_and_their_mean_is_the_axis(
    panel: MapPanel, context: PanelContext, session: Session, qtbot: QtBot
) -> None:
    model = vectors()
    show(session, record(1, model))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    _type(panel, "across", "word20/word21, stranger word22; word23 word24 word25", qtbot)
    axis = WordAxis("man", "woman", (("word20", "word21"), ("word23", "word24")))
    qtbot.waitUntil(lambda: panel._layout.request.axes[0] == axis and panel.idle)
    assert panel.axes.pairs["across"].text() == (
        "word20/word21, stranger/word22, word23/word24, word25"
    )
    assert panel.axes.pairs["across"].property("invalid") == "true"
    unit = np.asarray(model.unit, dtype=float)
    mean = unit[6] - unit[5] + unit[21] - unit[20] + unit[24] - unit[23]
    np.testing.assert_allclose(
        panel.view.positions[:, 0], unit @ mean / np.linalg.norm(mean), atol=1e-5
    )
    assert panel.footer.notice.whole == (
        "Across: 3 of 4 pairs, unknown: stranger, without a partner: word25"
    )
    _type(panel, "across", "word20 word21", qtbot)
    qtbot.waitUntil(lambda: panel.footer.notice.whole == "" and panel.idle)
    another = MapPanel(context)
    qtbot.addWidget(another)
    assert another.axes.pair_texts() == ("word20/word21", "")
    another.release()


def test_an_axis_lives_on_while_one_of_its_pairs_is_known(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    show(session, record(1))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    _type(panel, "up", "word20/word21", qtbot)
    _type(panel, "top", "stranger", qtbot)
    qtbot.waitUntil(
        lambda: panel._layout.request.axes[1] == WordAxis("word20", "word21") and panel.idle
    )
    assert panel.footer.notice.whole == "Up: 1 of 2 pairs, unknown: stranger"


def test_the_view_of_axes_has_a_diverging_scale_of_its_own(
    panel: MapPanel, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    model = vectors()
    show(session, record(1, model))
    qtbot.waitUntil(settled(panel, UMAP))
    qtbot.waitUntil(lambda: isinstance(panel.view.shading, RegionShading))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    shading = _diverging(panel)
    assert panel.bar.colour.text() == "Word axis"
    values = axis_cosines(model, WordAxis("man", "woman"))
    middle = (DIVERGING_STEPS - 1) // 2
    assert np.all(np.sign(shading.kinds.astype(int) - middle) * np.sign(values) >= 0)
    assert shading.kinds[5] < 4
    assert shading.kinds[6] > DIVERGING_STEPS - 5
    assert shading.title == "Cosine with man → woman"
    assert shading.low == shading.high.replace("0", "−0", 1)
    assert shading.middle == "0"
    pick(panel.colours.menu, "map.colour.axis:up")
    up = axis_cosines(model, WordAxis("poor", "rich"))
    qtbot.waitUntil(lambda: panel.view.shading.texts[0] == f"{up[0]:.4f}" and panel.idle)
    assert panel._layout is not None
    save_map(tmp_path / "map.tsv", panel.view, panel._layout)
    with open(tmp_path / "map.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    assert rows[0][-1] == "Cosine with poor → rich"
    assert [row[-1] for row in rows[1:]] == [f"{value:.4f}" for value in up.tolist()]
    # The other view keeps its own colours.
    choose_view(panel, UMAP, qtbot)
    qtbot.waitUntil(settled(panel, UMAP))
    qtbot.waitUntil(lambda: isinstance(panel.view.shading, RegionShading))
    assert panel.bar.colour.text() == "Regions"


def test_any_map_is_coloured_by_an_axis(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    model = vectors()
    show(session, record(1, model))
    qtbot.waitUntil(settled(panel, UMAP))
    assert not panel.axes.isVisible()
    pick(panel.colours.menu, "map.colour.axis:across")
    qtbot.waitUntil(lambda: isinstance(panel.view.shading, Diverging) and panel.idle)
    assert panel.axes.isVisible()
    _type(panel, "across", "word20 word21 stranger word22", qtbot)
    axis = WordAxis("man", "woman", (("word20", "word21"),))
    first = f"{axis_cosines(model, axis)[0]:.4f}"
    qtbot.waitUntil(lambda: panel.view.shading.texts[0] == first and panel.idle)
    assert panel.footer.notice.whole == "Across: 2 of 3 pairs, unknown: stranger"
    pick(panel.colours.menu, "map.colour.regions")
    qtbot.waitUntil(lambda: isinstance(panel.view.shading, RegionShading) and panel.idle)
    assert not panel.axes.isVisible()
    assert panel.footer.notice.whole == ""


def test_zero_is_the_middle_of_a_diverging_scale() -> None:
    values = np.array([-0.2, 0.0, 0.4, np.nan])
    shading = diverging_shading("t", values, ["", "", "", ""])
    middle = (DIVERGING_STEPS - 1) // 2
    low, zero, high, none = shading.kinds.tolist()
    assert zero == middle
    assert middle - low == pytest.approx((high - middle) / 2, abs=0.5)
    assert none == DIVERGING_STEPS
    assert shading.unknown == 1
    for palette in (LIGHT, DARK):
        scale = shading.scale(palette)
        first, centre, last = scale[0], scale[middle], scale[-1]
        assert first.blue() > first.red()
        assert last.red() > last.blue()
        assert centre.hsvSaturationF() < 0.2
        assert shading.shades(palette)[-1] == unknown_colour(palette).rgba()


def test_a_restored_method_is_drawn(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    """After a lesson or a session file, the box, the line below the map and the picture agree."""
    show(session, record(1))
    qtbot.waitUntil(settled(panel, UMAP))
    before = panel.session_state()
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    assert not panel.parameters.isVisible()
    panel.restore_session_state(before)
    panel.context.bridge.tick.emit()
    qtbot.waitUntil(settled(panel, UMAP))
    assert panel.method.currentData() == UMAP
    assert "UMAP · 120 words" in panel.footer.caption.whole
    assert panel.parameters.isVisible()
    assert panel.view._backdrop is None
    # The words that were only offered count as not chosen.
    assert not panel.axes._chosen
