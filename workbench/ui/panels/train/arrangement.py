"""The layout of the Train panel: settings, cost, buttons and runs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QVBoxLayout,
    QWidget,
)

from workbench.core.language import tr
from workbench.ui.base.plain_text import PlainLabel
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.inputs.form import MARK_WIDTH
from workbench.ui.widgets.layout.scroll_frame import ScrollFrame


def arrange_settings(
    algorithm: QWidget,
    summary: QWidget,
    preset: QWidget,
    finding: QWidget,
    finder: QWidget,
    carried: QWidget,
    form: QWidget,
) -> ScrollFrame:
    """The area of the settings, replaced by the form for continuing a run."""
    settings = QWidget()
    column = QVBoxLayout(settings)
    column.setContentsMargins(0, SPACE_1, 0, SPACE_2)
    column.setSpacing(SPACE_1)
    head = QVBoxLayout()
    head.setContentsMargins(MARK_WIDTH, 0, SPACE_3, 0)
    head.setSpacing(SPACE_2)
    head.addWidget(algorithm)
    head.addWidget(summary)
    column.addLayout(head)
    column.addSpacing(SPACE_1)
    preset_row = QHBoxLayout()
    caption = PlainLabel(tr("Preset"))
    caption.setBuddy(preset)
    preset_row.addWidget(caption)
    preset_row.addSpacing(SPACE_3)
    preset_row.addWidget(preset, 1)
    preset_row.addWidget(finding)
    head.addLayout(preset_row)
    head.addWidget(finder)
    head.addWidget(carried)
    column.addSpacing(SPACE_2)
    column.addWidget(form)
    column.addStretch()
    scroll = ScrollFrame()
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(settings)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.viewport().setAutoFillBackground(False)
    settings.setAutoFillBackground(False)
    return scroll


def arrange_foot(cost: QLayout, start: QWidget, pause: QWidget, stop: QWidget) -> QVBoxLayout:
    """The cost, and the buttons that start, pause and stop."""
    foot = QVBoxLayout()
    foot.setContentsMargins(MARK_WIDTH, SPACE_2, SPACE_3, SPACE_3)
    foot.setSpacing(SPACE_2)
    foot.addLayout(cost)
    buttons = QHBoxLayout()
    buttons.setSpacing(SPACE_2)
    buttons.addWidget(start, 1)
    buttons.addWidget(pause)
    buttons.addWidget(stop)
    foot.addLayout(buttons)
    return foot


def arrange_runs(no_runs: QLabel, list_view: QWidget) -> QVBoxLayout:
    """The list of runs below a line and a heading."""
    runs = QVBoxLayout()
    runs.setContentsMargins(SPACE_2, SPACE_3, SPACE_2, SPACE_2)
    runs.setSpacing(SPACE_1)
    heading = _heading(tr("Runs"))
    for label in (heading, no_runs):
        label.setIndent(MARK_WIDTH - SPACE_2)
    runs.addWidget(heading)
    runs.addWidget(no_runs)
    runs.addWidget(list_view, 1)
    runs.addStretch()
    return runs


def _heading(text: str) -> QLabel:
    label = PlainLabel(text.upper())
    label.setProperty("role", "heading")
    label.setAccessibleName(text)
    return label


def hairline() -> QFrame:
    line = QFrame()
    set_scaled_size(line, height=1)
    set_property(line, "role", "hairline")
    line.setContentsMargins(SPACE_4, 0, SPACE_4, 0)
    return line
