"""The layout of the Train panel: settings, cost, buttons and runs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QVBoxLayout, QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.scroll_frame import ScrollFrame
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from workbench.ui.panels.train.setting_finder import SettingFinder
from workbench.ui.widgets.inputs.form import MARK_WIDTH


def arrange_settings(
    algorithm: QWidget,
    summary: QWidget,
    preset: QWidget,
    finding: SettingFinder,
    carried: QWidget,
    form: QWidget,
) -> ScrollFrame:
    """The area of the settings, replaced by the form for continuing a run."""
    caption = kit.label(tr("Preset"), buddy=preset)
    preset_row = kit.row(caption, kit.space(SPACE_3), kit.stretch(preset), finding)
    head = kit.column(
        algorithm, summary, preset_row, finding.field, carried, margins=(MARK_WIDTH, 0, SPACE_3, 0)
    )
    # The gap below the head is larger than those in it.
    below_head = kit.space(SPACE_1), kit.space(SPACE_2)
    settings = kit.box(
        kit.column(
            head,
            *below_head,
            form,
            kit.stretch(),
            gap=SPACE_1,
            margins=(0, SPACE_1, 0, SPACE_2),
        )
    )
    scroll = kit.scroll(settings)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.viewport().setAutoFillBackground(False)
    settings.setAutoFillBackground(False)
    return scroll


def arrange_foot(cost: QLayout, start: QWidget, pause: QWidget, stop: QWidget) -> QVBoxLayout:
    """The cost, and the buttons that start, pause and stop."""
    buttons = kit.row(kit.stretch(start), pause, stop)
    return kit.column(cost, buttons, margins=(MARK_WIDTH, SPACE_2, SPACE_3, SPACE_3))


def arrange_runs(no_runs: QLabel, list_view: QWidget) -> QVBoxLayout:
    """The list of runs below a line and a heading."""
    heading = _heading(tr("Runs"))
    for label in (heading, no_runs):
        label.setIndent(MARK_WIDTH - SPACE_2)
    return kit.column(
        heading,
        no_runs,
        kit.stretch(list_view),
        kit.stretch(),
        gap=SPACE_1,
        margins=(SPACE_2, SPACE_3, SPACE_2, SPACE_2),
    )


def _heading(text: str) -> QLabel:
    label = kit.label(text.upper(), role="heading")
    label.setAccessibleName(text)
    return label


def hairline() -> QFrame:
    line = kit.set_scaled_size(kit.with_role(QFrame(), "hairline"), height=1)
    kit.set_margins(line, (SPACE_4, 0))
    return line
