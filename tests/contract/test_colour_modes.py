"""Contract of every colour mode of the map (see workbench/ui/panels/map/colours/base.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from ui.map_fakes import WORDS, record, settled, show, shown_panel

from workbench.core.job_control import JobControl
from workbench.core.registry import Registry
from workbench.session.session import Session
from workbench.ui.base.action import submenu
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.map.colours import COLOUR_MODES, ColourMode
from workbench.ui.panels.map.colours.file_mode import FileColours
from workbench.ui.panels.map.layout import UMAP, MapLayout
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.panels.map.state import MapState
from workbench.ui.widgets.map.colour_scheme import Graded, Shading, graded_shading

each = pytest.mark.parametrize("kind", list(COLOUR_MODES), ids=lambda kind: kind.key)


@pytest.fixture
def panel(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[MapPanel]:
    with shown_panel(context, monkeypatch, qtbot) as new_panel:
        show(session, record(1))
        qtbot.waitUntil(settled(new_panel, UMAP))
        yield new_panel


def offered(menu: QMenu) -> list[QAction]:
    """The entries of a menu and its submenus."""
    below = [sub for action in menu.actions() if (sub := submenu(action)) is not None]
    return [*menu.actions(), *(action for sub in below for action in offered(sub))]


def choose(panel: MapPanel, key: str, folder: Path, qtbot: QtBot) -> None:
    """Choose a mode by the first entry of the menu that belongs to it, or by its file."""
    mode = panel.colours.modes[key]
    if isinstance(mode, FileColours):
        words = (
            "man\t40\nwoman\t20\nword0\t30\n" if key == "column" else ": a\nman woman poor rich\n"
        )
        (folder / "words.txt").write_text(words, encoding="utf-8")
        mode.open(folder / "words.txt")
    else:
        panel.colours.menu.aboutToShow.emit()
        names = f"map.colour.{key}", f"map.colour.{key}:"
        entry = next(
            one for one in offered(panel.colours.menu) if one.objectName().startswith(names)
        )
        entry.trigger()
    qtbot.waitUntil(lambda: panel.idle)


@each
def test_the_menu_offers_it(kind: type[ColourMode], panel: MapPanel) -> None:
    assert kind.title
    panel.colours.menu.aboutToShow.emit()
    names = [action.objectName() for action in offered(panel.colours.menu)]
    texts = [action.text() for action in panel.colours.menu.actions()]
    assert (kind.entry or kind.title) in texts
    assert issubclass(kind, FileColours) or any(
        name.partition(":")[0] == f"map.colour.{kind.key}" for name in names
    )


@each
def test_it_colours_every_word_and_is_part_of_the_state(
    kind: type[ColourMode], panel: MapPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    choose(panel, kind.key, tmp_path, qtbot)
    assert panel.colours.mode is panel.colours.modes[kind.key]
    assert len(panel.view.shading.kinds) == WORDS
    assert panel.view_state.colour.partition(":")[0] == kind.key
    assert panel.bar.colour.text() == ("Colour" if kind.is_plain else kind.title)
    shading = panel.view.shading
    # The same state in another panel colours in the same way, and the default is the way back.
    kept = panel.view_state
    panel.view_state = MapState().replace(method=kept.method)
    qtbot.waitUntil(lambda: panel.idle)
    assert panel.colours.choice == MapState().colour
    panel.view_state = kept
    qtbot.waitUntil(lambda: panel.idle)
    np.testing.assert_array_equal(panel.view.shading.kinds, shading.kinds)


@each
def test_leaving_it_drops_its_jobs(
    kind: type[ColourMode], panel: MapPanel, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    choose(panel, kind.key, tmp_path, qtbot)
    panel.colours.choose("plain")
    assert not panel.colours.busy
    assert not panel.view.shading.meaningful


@pytest.mark.parametrize("choice", ["", "nonsense", "nonsense:3"])
def test_an_unknown_choice_is_the_default(panel: MapPanel, choice: str, qtbot: QtBot) -> None:
    panel.view_state = panel.view_state.replace(colour=choice)
    qtbot.waitUntil(lambda: panel.idle)
    assert panel.colours.choice == MapState().colour


class RankColours(ColourMode):
    """Rank of each word."""

    key = "rank"
    title = "Rank of the word"
    order = 5

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        number = len(layout.words)
        texts = [str(rank) for rank in range(number)]
        return lambda run: graded_shading("Rank", np.linspace(1, 0, number), "n", "1", texts)


def test_a_mode_needs_no_more_than_its_class(
    context: PanelContext, session: Session, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    known = {kind.key: kind for kind in COLOUR_MODES}
    assert isinstance(COLOUR_MODES, Registry)
    monkeypatch.setitem(COLOUR_MODES.__dict__, "_classes", {"rank": RankColours, **known})
    with shown_panel(context, monkeypatch, qtbot) as panel:
        show(session, record(1))
        qtbot.waitUntil(settled(panel, UMAP))
        panel.colours.menu.aboutToShow.emit()
        entry = offered(panel.colours.menu)[0]
        assert entry.text() == "Rank of the word"
        entry.trigger()
        qtbot.waitUntil(lambda: panel.idle)
        shading = panel.view.shading
        assert isinstance(shading, Graded)
        assert shading.title == "Rank"
