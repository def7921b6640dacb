"""The layout of the Train panel: settings, cost, buttons and runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from workbench.core.language import tr
from workbench.ui.plain_text import PlainLabel
from workbench.ui.scaling import set_scaled_size
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.inputs.form import MARK_WIDTH

if TYPE_CHECKING:
    from workbench.ui.panels.train.panel import TrainPanel


def arrange(panel: TrainPanel) -> QScrollArea:
    """Fill the body of the panel; the area of the settings, which gives way to those of a run to be
    trained on.
    """
    scroll = _settings(panel)
    whole = QVBoxLayout(panel.body)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.setSpacing(0)
    whole.addWidget(scroll, 5)
    whole.addWidget(panel.further, 5)
    whole.addLayout(_foot(panel))
    whole.addWidget(_hairline())
    whole.addLayout(_runs(panel), 3)
    set_scaled_size(panel, least_width=260)
    return scroll


def _settings(panel: TrainPanel) -> QScrollArea:
    settings = QWidget()
    column = QVBoxLayout(settings)
    column.setContentsMargins(0, SPACE_1, 0, SPACE_2)
    column.setSpacing(SPACE_1)
    head = QVBoxLayout()
    head.setContentsMargins(MARK_WIDTH, 0, SPACE_3, 0)
    head.setSpacing(SPACE_2)
    head.addWidget(panel.algorithm)
    head.addWidget(panel.summary)
    column.addLayout(head)
    column.addSpacing(SPACE_1)
    preset_row = QHBoxLayout()
    caption = PlainLabel(tr("Preset"))
    caption.setBuddy(panel.preset)
    preset_row.addWidget(caption)
    preset_row.addSpacing(SPACE_3)
    preset_row.addWidget(panel.preset, 1)
    preset_row.addWidget(panel.finding)
    head.addLayout(preset_row)
    head.addWidget(panel.finder)
    column.addSpacing(SPACE_2)
    column.addWidget(panel.form)
    column.addStretch()
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(settings)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.viewport().setAutoFillBackground(False)
    settings.setAutoFillBackground(False)
    return scroll


def _foot(panel: TrainPanel) -> QVBoxLayout:
    foot = QVBoxLayout()
    foot.setContentsMargins(MARK_WIDTH, SPACE_2, SPACE_3, SPACE_3)
    foot.setSpacing(SPACE_2)
    foot.addLayout(panel.cost)
    buttons = QHBoxLayout()
    buttons.setSpacing(SPACE_2)
    buttons.addWidget(panel.start, 1)
    buttons.addWidget(panel.pause)
    buttons.addWidget(panel.stop)
    foot.addLayout(buttons)
    return foot


def _runs(panel: TrainPanel) -> QVBoxLayout:
    runs = QVBoxLayout()
    runs.setContentsMargins(SPACE_2, SPACE_3, SPACE_2, SPACE_2)
    runs.setSpacing(SPACE_1)
    heading = _heading(tr("Runs"))
    for label in (heading, panel.no_runs):
        label.setIndent(MARK_WIDTH - SPACE_2)
    runs.addWidget(heading)
    runs.addWidget(panel.no_runs)
    runs.addWidget(panel.runs, 1)
    runs.addStretch()
    return runs


def _heading(text: str) -> QLabel:
    label = PlainLabel(text.upper())
    label.setProperty("role", "heading")
    label.setAccessibleName(text)
    return label


def _hairline() -> QFrame:
    line = QFrame()
    set_scaled_size(line, height=1)
    set_property(line, "role", "hairline")
    line.setContentsMargins(SPACE_4, 0, SPACE_4, 0)
    return line
