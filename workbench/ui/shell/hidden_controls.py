"""Hiding the controls of a presented panel: its figure, tables and typed words stay."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.panel import SHOWN_WORDS
from workbench.ui.base.theme import SPACE_4
from workbench.ui.widgets.inputs.form import Form

_CONTROLS = (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QTabBar,
)
# Widgets inside these belong to them.
_WHOLES = (QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QTabBar, Form)


class _Place(NamedTuple):
    """A hidden widget, with its minimum and maximum height and its size."""

    widget: QWidget
    least: int
    most: int
    size: QSize


class HiddenControls:
    """Controls of a panel that are made flat, so that its figure gets the place of rows without
    anything else. The keyboard still reaches them.
    """

    def __init__(self) -> None:
        self._hidden: list[_Place] = []

    @property
    def any(self) -> bool:
        return bool(self._hidden)

    def hide(self, panel: QWidget, focus_by_keys: bool) -> None:
        """Hide the controls of a panel and their captions. With ``focus_by_keys``, the focused
        control stays.
        """
        self.show()
        controls = controls_of(panel)
        if focus_by_keys:
            focused = QApplication.focusWidget()
            controls = [
                control
                for control in controls
                if focused is None or not (control is focused or control.isAncestorOf(focused))
            ]
        for widget in _with_frames(controls + _captions(panel, controls), panel):
            place = _Place(widget, widget.minimumHeight(), widget.maximumHeight(), widget.size())
            self._hidden.append(place)
        for widget, *_ in self._hidden:
            widget.setMinimumHeight(0)
            widget.setMaximumHeight(0)

    def show(self) -> None:
        """Show the controls again."""
        for widget, least, most, size in self._hidden:
            if isValid(widget):
                widget.setMaximumHeight(most)
                widget.setMinimumHeight(least)
                # No layout would restore the size of a control that lies over a figure.
                widget.resize(size)
        self._hidden = []


def controls_of(panel: QWidget) -> list[QWidget]:
    """The visible controls of a panel, except forms of parameters, and fields and buttons whose
    words are content (``SHOWN_WORDS``).
    """
    return [
        widget
        for widget in panel.findChildren(QWidget)
        if isinstance(widget, _CONTROLS)
        and widget.isVisible()
        and not isinstance(widget, QScrollBar)
        and not _shows_words(widget)
        and not _is_part(widget, panel)
    ]


def _shows_words(widget: QWidget) -> bool:
    return bool(
        widget.property(SHOWN_WORDS)
        and isinstance(widget, (QLineEdit, QAbstractButton))
        and widget.text()
    )


def _is_part(widget: QWidget, panel: QWidget) -> bool:
    """Whether a widget is part of another control: the field of a choice, an editor in a table."""
    parent = widget.parentWidget()
    while parent is not None and parent is not panel:
        if isinstance(parent, _WHOLES):
            return True
        parent = parent.parentWidget()
    return False


def _with_frames(widgets: list[QWidget], panel: QWidget) -> list[QWidget]:
    """The widgets, and the frames around only such widgets."""
    hidden = dict.fromkeys(widgets)
    frames = [widget.parentWidget() for widget in widgets]
    while frames:
        frame = frames.pop()
        if frame is None or frame is panel or frame in hidden:
            continue
        children = frame.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if all(child in hidden for child in children if child.isVisible()):
            hidden[frame] = None
            frames.append(frame.parentWidget())
    return list(hidden)


def _captions(panel: QWidget, controls: list[QWidget]) -> list[QWidget]:
    """Labels directly before a control."""
    boxes = [_box(control, panel) for control in controls]
    captions: list[QWidget] = []
    for label in panel.findChildren(QLabel):
        if not label.isVisible() or isinstance(label, ElidedLabel):
            continue
        place = _box(label, panel)
        end = place.left() + min(place.width(), label.sizeHint().width())
        middle = place.center().y()
        if any(
            box.top() <= middle <= box.bottom() and 0 <= box.left() - end <= SPACE_4
            for box in boxes
        ):
            captions.append(label)
    return captions


def _box(widget: QWidget, panel: QWidget) -> QRect:
    return QRect(widget.mapTo(panel, QPoint(0, 0)), widget.size())
