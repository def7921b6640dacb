"""Everything typed or chosen in a panel is restored with a session file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from controls import Content, change, content_of, controls_of, other_content
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from ui.test_stage import wait_idle

from workbench.models.base import MODELS, preset_params
from workbench.session.corpus.counts_params import adapt_values
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.session_timer import Bridge
from workbench.ui.shell.window import Window
from workbench.ui.widgets.layout.folding_bar import FoldingBar, is_wanted

pytestmark = pytest.mark.usefixtures("starting_positions")


def open_window(session: Session, context: PanelContext) -> Window:
    window = Window(PanelContext(session, Bridge(session), context.theme))
    window.resize(1440, 900)
    window.show()
    return window


@pytest.fixture
def here(session: Session, context: PanelContext, qtbot: QtBot) -> Iterator[Window]:
    """A window with Small World, a model trained on it, and a grid of two runs."""
    window = open_window(session, context)
    session.corpora.open_sample("small-world")
    qtbot.waitUntil(lambda: session.corpora.current is not None)
    kind = MODELS["sgns"]
    values = {**preset_params(kind, "classroom").to_dict(), "epochs": 1, "dim": 8}
    for group in ("", "g1", "g1"):
        values["seed"] = int(values["seed"]) + 1
        params = adapt_values(session.corpora.current, kind, values)
        run = session.training.start(TrainingSpec("sgns", params, group=group))
        qtbot.waitUntil(lambda run=run: run.has_vectors)
    session.selection.select(["king"])
    yield window
    window.close()
    window.session.close()


def pages_of(window: Window, key: str, qtbot: QtBot) -> Iterator[str]:
    """The page in front, as "", then each page of a panel after turning to it."""
    panel = window.docks[key].panel
    pages = [page.key for page in panel.offered_pages()]
    window.raise_panel(key)
    wait_idle(window, qtbot)
    yield ""
    for page in pages:
        panel.show_page(page)
        wait_idle(window, qtbot)
        yield page


def shown_controls(window: Window, key: str, qtbot: QtBot) -> dict[str, Content]:
    """Contents of the controls that a user can reach, page by page."""
    panel = window.docks[key].panel
    return {
        f"{page} {name}": content_of(widget)
        for page in pages_of(window, key, qtbot)
        for name, widget in controls_of(panel, key)
        if widget.isVisible() or is_folded(widget, panel)
    }


def is_folded(widget: QWidget, panel: QWidget) -> bool:
    """Whether a control is in the popup of a row that is too narrow for it."""
    return panel.isVisible() and any(
        widget in bar.folded and is_wanted(widget) for bar in panel.findChildren(FoldingBar)
    )


def test_every_control_is_back(
    here: Window,
    context: PanelContext,
    qtbot: QtBot,
    tmp_path: Path,
    move_home: Callable[[], None],
) -> None:
    # The progress of lessons belongs to the reader, and states of a training aren't in the file.
    keys = [key for key in here.docks if key not in ("lessons", "time")]
    for key in keys:
        changed_names: set[str] = set()
        for _ in pages_of(here, key, qtbot):
            for name, widget in list(controls_of(here.docks[key].panel, key)):
                usable = widget.isVisible() and widget.isEnabled()
                if usable and ".show." not in name and name not in changed_names:
                    changed_names.add(name)
                    other = other_content(widget)
                    if other is not None:
                        change(widget, other)
            wait_idle(here, qtbot)
    before = {key: shown_controls(here, key, qtbot) for key in keys}
    assert sum(map(len, before.values())) > 150
    here.raise_panel("inside")
    here.docks["inside"].close()
    here.layouts.show_workspace("evaluate")
    wait_idle(here, qtbot)
    path = tmp_path / "all.workbench"
    here.save_session(path)
    qtbot.waitUntil(path.exists)
    words = here.session.selection.words
    here.close()

    move_home()
    session = Session()
    there = open_window(session, context)
    session.corpora.open([path])
    qtbot.waitUntil(
        lambda: session.active.embeddings is not None and session.corpora.current is not None
    )
    wait_idle(there, qtbot)
    try:
        assert there.layouts.workspace == "evaluate"
        there.layouts.show_workspace("theory")
        assert there.docks["inside"].isHidden()
        assert session.selection.words == words
        assert {key: shown_controls(there, key, qtbot) for key in keys} == before
    finally:
        there.close()
        session.close()
