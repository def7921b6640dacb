"""A session file restores everything that can be set in a panel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from contract.test_origin import run_of
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QSpinBox,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus
from ui.windows import shown_panel

from workbench.core.paths import settings_folder
from workbench.session.session import Session
from workbench.session.settings.session_settings import session_settings
from workbench.ui.base.kept_inputs import Kept, inputs, put_value, value_of
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.theme import Theme


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    """A session with the real algorithms, a text, and two runs of it."""
    new_session = Session()
    _fill(new_session)
    yield new_session
    new_session.close()


def _fill(session: Session) -> None:
    corpus = session.corpora.current = small_corpus()
    session.corpora.changed.emit()
    for number, name in enumerate(("One", "Two")):
        record = run_of(session, corpus, name, {"paths": ["/texts/own.txt"]})
        # Identifiers must be the same in every session, as if the runs came from the store.
        record.identifier = f"20260101-00000{number}"
    session.active.show(session.runs[0])


def _other(widget: QWidget) -> Kept:
    """A value that the control accepts, other than its current value."""
    value = value_of(widget)
    if isinstance(widget, QComboBox):
        rows = [widget.itemData(row) for row in range(widget.count())]
        rows = [widget.itemText(at) if row is None else row for at, row in enumerate(rows)]
        return next((row for row in rows if row != value and isinstance(row, (str, int))), None)
    if isinstance(widget, (QSpinBox, QDoubleSpinBox, QSlider)):
        here = widget.value()
        there = (
            here + widget.singleStep() if here < widget.maximum() else here - widget.singleStep()
        )
        return there if widget.minimum() <= there <= widget.maximum() else None
    if isinstance(widget, QTabBar):
        return (widget.currentIndex() + 1) % widget.count() if widget.count() > 1 else None
    if isinstance(widget, (QLineEdit, QPlainTextEdit)):
        return "1, 3" if ".grid.param." in widget.objectName() else "dog"
    return not value if isinstance(value, bool) else None


def _contents(panel: Panel) -> dict[str, Kept]:
    return {name: value_of(widget) for name, widget in inputs(panel, panel.key)}


def _rest(panel: Panel, qtbot: QtBot) -> None:
    panel.context.bridge.tick.emit()
    qtbot.waitUntil(lambda: panel.idle)
    panel.context.bridge.tick.emit()


@pytest.mark.parametrize("key", sorted(PANELS.keys()))
def test_every_control_is_back(key: str, context: PanelContext, qtbot: QtBot) -> None:
    with shown_panel(key, context, qtbot) as panel:
        _rest(panel, qtbot)
        new_values: dict[str, Kept] = {}
        for name, widget in list(inputs(panel, panel.key)):
            other = _other(widget) if widget.isEnabled() else None
            if other is not None:
                put_value(widget, other)
                new_values[name] = other
        _rest(panel, qtbot)
        before = _contents(panel)
        state, words = panel.session_state(), context.session.selection.words
        # Values are kept unless a control that was set later changed them.
        stable = {name for name, value in new_values.items() if before.get(name) == value}
        settings = session_settings(context.session.settings.all())
    # On another person’s computer the settings file doesn’t exist.
    (settings_folder() / "settings.json").unlink(missing_ok=True)
    again = Session()
    try:
        _fill(again)
        bridge = Bridge(again)
        theme = Theme(context.theme._application, "light")
        with shown_panel(key, PanelContext(again, bridge, theme), qtbot) as panel:
            _rest(panel, qtbot)
            # The session file contains settings and the selected words separately.
            again.settings.put(settings)
            again.selection.select(words)
            panel.restore_session_state(state)
            qtbot.waitUntil(
                lambda: all(_contents(panel).get(name) == before[name] for name in before),
                timeout=5000,
            )
        bridge.stop()
    finally:
        again.close()
    # In a group of exclusive buttons only the last one stays checked; ratios propose words of their
    # own when they are first shown.
    missing = {
        name for name in new_values if name not in stable and not name.startswith("weights.ratios.")
    }
    assert all(new_values[name] is True for name in missing), missing


def test_what_a_lesson_puts_into_a_control_stays(context: PanelContext, qtbot: QtBot) -> None:
    """The lesson’s value stays even if another value was still to be restored."""
    with shown_panel("map", context, qtbot) as panel:
        _rest(panel, qtbot)
        method = panel.findChild(QComboBox, "map.method")
        assert method is not None
        before, other = value_of(method), _other(method)
        panel.inputs.put({"map.method": other})
        assert panel.inputs.take_over("map.method") == other
        _rest(panel, qtbot)
        assert value_of(method) == before
        assert panel.inputs.take_over("map.method") == before
