"""What a person chooses in a panel is its state: one value, which session files contain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contract.test_kept_inputs import _fill, _other, _rest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from ui.windows import shown_panel

from workbench.core.setting import encode
from workbench.session.session import Session
from workbench.ui.base.bound_state import BoundState
from workbench.ui.base.kept_inputs import Kept, put_value
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    """A session with the real algorithms, a text, and two runs of it."""
    new_session = Session()
    _fill(new_session)
    yield new_session
    new_session.close()


def states_of(panel: Panel) -> dict[str, BoundState[Any]]:
    return {page: bound for page, bound in panel.states.pages.items() if bound.kind.fields()}


def change(widget: QWidget, value: Kept) -> None:
    """Choose or type another value, and leave the control."""
    put_value(widget, value)
    if isinstance(widget, QLineEdit):
        widget.returnPressed.emit()


def json_of(panel: Panel) -> dict[str, Any]:
    return json.loads(json.dumps(panel.session_state()["states"]))


@pytest.mark.parametrize("key", sorted(PANELS.keys()))
def test_a_state_survives_a_session_file(key: str, context: PanelContext, qtbot: QtBot) -> None:
    """Every control changes its field, the file keeps it, and the next panel shows it at once."""
    with shown_panel(key, context, qtbot) as panel:
        _rest(panel, qtbot)
        for page, bound in states_of(panel).items():
            for field, binding in bound.bindings.items():
                for control in binding.controls:
                    other = _other(control) if control.isEnabled() else None
                    if other is None or (other is False and len(binding.controls) > 1):
                        continue
                    change(control, other)
                    assert binding.read() == getattr(bound.value, field), (page, field)
        _rest(panel, qtbot)
        saved = json_of(panel)
        shown = {page: bound.value for page, bound in states_of(panel).items()}
        # Settings travel beside the state, and outlive the panel.
        kept = encode(context.session.settings.all())
    context.session.settings.put(kept)
    with shown_panel(key, context, qtbot) as panel:
        panel.restore_session_state({"states": saved})
        assert json_of(panel) == saved
        assert {page: bound.value for page, bound in states_of(panel).items()} == shown
        _rest(panel, qtbot)
        assert json_of(panel) == saved


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
        panel.restore_session_state({"inputs": 3})
