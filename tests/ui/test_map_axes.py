"""Word axes on the map: typed anchors, cosines as positions, what is wrong told."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.map_fakes import choose_view, record, settled, show, shown_panel, vectors

from workbench.analysis.projection.word_axes import WordAxis
from workbench.session.session import Session
from workbench.ui.panel import PanelContext
from workbench.ui.panels.map.layout import AXES, PCA
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.widgets.map.backdrop import AxesBackdrop


@pytest.fixture
def panel(
    context: PanelContext, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as made:
        yield made


def _type(panel: MapPanel, field: str, text: str, qtbot: QtBot) -> None:
    edit = panel.axes.fields[field]
    edit.setFocus()
    edit.selectAll()
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
    assert panel.axes.words() == ["man", "woman", "poor", "rich"]
    unit = np.asarray(model.unit, dtype=float)
    across = unit[6] - unit[5]
    np.testing.assert_allclose(
        panel.view.positions[:, 0], unit @ across / np.linalg.norm(across), atol=1e-5
    )
    assert panel.footer.caption.whole.startswith("Word axes · 120 words · cosine of the axes")
    # The anchors stand at the edges, and no label covers them.
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
    # Several at once fill the fields that follow.
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
    assert another.axes.words() == ["word20", "word21", "word22", "word23"]
    another.release()


def test_a_word_that_the_model_lacks_is_told(
    panel: MapPanel, session: Session, qtbot: QtBot
) -> None:
    show(session, record(1))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    _type(panel, "top", "stranger", qtbot)
    qtbot.waitUntil(settled(panel, PCA))
    assert panel.footer.notice.whole.startswith("“stranger” is not in the vocabulary")
    assert panel.axes.fields["top"].property("invalid") == "true"
    _type(panel, "top", "man", qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    assert panel.footer.notice.whole == ""


def test_two_anchors_that_are_one_are_told(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    show(session, record(1))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    _type(panel, "right", "man", qtbot)
    qtbot.waitUntil(lambda: "point the same way" in panel.footer.notice.whole)


def test_other_views_have_no_axes(panel: MapPanel, session: Session, qtbot: QtBot) -> None:
    show(session, record(1))
    choose_view(panel, AXES, qtbot)
    qtbot.waitUntil(settled(panel, AXES))
    choose_view(panel, PCA, qtbot)
    qtbot.waitUntil(settled(panel, PCA))
    assert not panel.axes.isVisible()
    assert panel.view._backdrop is None
