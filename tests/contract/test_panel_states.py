"""What a person chooses in a panel is its state: one value, which session files contain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contract.test_origin import run_of
from controls import Content, change, content_of, controls_of, has_mark, other_content
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus
from ui.windows import shown_panel

from workbench.core.setting import encode
from workbench.session.session import Session
from workbench.ui.base.bound_state import BoundState
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    """A session with the real algorithms, a text, and two runs of it."""
    new_session = Session()
    corpus = new_session.corpora.current = small_corpus()
    new_session.corpora.changed.emit()
    for name in ("One", "Two"):
        run_of(new_session, corpus, name, {"paths": ["/texts/own.txt"]})
    new_session.active.show(new_session.runs[0])
    yield new_session
    new_session.close()


def rest(panel: Panel, qtbot: QtBot) -> None:
    panel.context.bridge.tick.emit()
    qtbot.waitUntil(lambda: panel.idle and not panel.session.jobs.active)
    panel.context.bridge.tick.emit()


def states_of(panel: Panel) -> dict[str, BoundState[Any]]:
    return {page: bound for page, bound in panel.states.pages.items() if bound.kind.fields()}


def json_of(panel: Panel) -> dict[str, Any]:
    return json.loads(json.dumps(panel.session_state()["states"]))


def pages_of(panel: Panel, qtbot: QtBot) -> Iterator[str]:
    """The page in front, as "", then each page after turning to it."""
    rest(panel, qtbot)
    yield ""
    for page in panel.offered_pages():
        panel.show_page(page.key)
        rest(panel, qtbot)
        yield page.key


def reachable(panel: Panel) -> Iterator[tuple[str, QWidget]]:
    # A form may just have been built again.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    for name, control in list(controls_of(panel, panel.key)):
        if control.isVisible() and control.isEnabled():
            yield name, control


def change_all(panel: Panel, changed: set[str]) -> None:
    """Change every control that can be reached, also those that appear meanwhile."""
    while True:
        # Not those that choose the page in front.
        left = (one for one in reachable(panel) if one[0] not in changed and ".show." not in one[0])
        name, control = next(left, ("", None))
        if control is None:
            return
        changed.add(name)
        other = other_content(control)
        if other is not None:
            change(control, other)


def contents(panel: Panel, qtbot: QtBot) -> dict[str, Content]:
    """What the controls of each page contain."""
    return {
        f"{page} {name}": content_of(control)
        for page in pages_of(panel, qtbot)
        for name, control in reachable(panel)
    }


@pytest.mark.parametrize("key", sorted(PANELS.keys()))
def test_every_control_belongs_to_a_state(key: str, context: PanelContext, qtbot: QtBot) -> None:
    with shown_panel(key, context, qtbot) as panel:
        for _ in pages_of(panel, qtbot):
            controls = controls_of(panel, key)
            assert [name for name, control in controls if not has_mark(control, "bound")] == []


@pytest.mark.parametrize("key", sorted(PANELS.keys()))
def test_every_control_survives_a_session_file(
    key: str, context: PanelContext, qtbot: QtBot
) -> None:
    """What was chosen is in the state, the file keeps it, and the next panel shows it."""
    with shown_panel(key, context, qtbot) as panel:
        changed: set[str] = set()
        for _ in pages_of(panel, qtbot):
            change_all(panel, changed)
            rest(panel, qtbot)
        before = contents(panel, qtbot)
        saved = json_of(panel)
        shown = {page: bound.value for page, bound in states_of(panel).items()}
        # Settings travel beside the state, and outlive the panel.
        kept, words = encode(context.session.settings.all()), context.session.selection.words
    context.session.settings.put(kept)
    with shown_panel(key, context, qtbot) as panel:
        context.session.selection.select(words)
        panel.restore_session_state({"states": saved})
        assert json_of(panel) == saved
        assert {page: bound.value for page, bound in states_of(panel).items()} == shown
        assert contents(panel, qtbot) == before


@pytest.mark.parametrize("key", sorted(PANELS.keys()))
def test_a_damaged_state_gives_defaults(key: str, context: PanelContext, qtbot: QtBot) -> None:
    with shown_panel(key, context, qtbot) as panel:
        kinds = {page: bound.kind for page, bound in states_of(panel).items()}
        for nonsense in (None, 5, [], {"": 1}, {page: [] for page in kinds}):
            panel.restore_session_state({"states": nonsense})
        damaged = {page: dict.fromkeys(kind.fields(), object()) for page, kind in kinds.items()}
        panel.restore_session_state({"states": damaged})
        for page, bound in states_of(panel).items():
            default = kinds[page]().with_settings(context.session.settings)
            assert bound.value == default
