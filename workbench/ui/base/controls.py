"""Labels and buttons, each made in one expression; ``boxes`` places them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from workbench.ui.base.boxes import Margins, set_margins
from workbench.ui.base.plain_text import PlainLabel, menu_text
from workbench.ui.base.theme import Theme

W = TypeVar("W", bound=QWidget)
# What a button calls when it is pressed: a function, a method, or another signal.
Slot = Callable[..., object] | SignalInstance


def with_role(widget: W, role: str, name: str = "") -> W:
    """Give a widget its role in the style sheet, such as "small", "muted" or "quiet", and an object
    name; returns the widget.
    """
    if role:
        widget.setProperty("role", role)
    if name:
        widget.setObjectName(name)
    return widget


def label(
    text: str = "",
    *,
    role: str = "",
    name: str = "",
    wrap: bool = False,
    selectable: bool = False,
    margins: Margins = None,
    buddy: QWidget | None = None,
) -> PlainLabel:
    """Plain text.

    name : object name; wrap : on several lines; selectable : by the mouse, to be copied
    margins : around the text; buddy : the control that it names
    """
    text_label = with_role(PlainLabel(text), role, name)
    text_label.setWordWrap(wrap)
    set_margins(text_label, margins)
    if selectable:
        text_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if buddy is not None:
        text_label.setBuddy(buddy)
    return text_label


def empty_label(text: str = "", *, name: str = "") -> PlainLabel:
    """Sentence in place of missing content."""
    sentence = label(text, role="muted", name=name, wrap=True)
    sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return sentence


def button(
    text: str = "",
    *,
    role: str = "",
    name: str = "",
    checkable: bool = False,
    pressed: Slot | None = None,
) -> QPushButton:
    """A button with a text. pressed : called when it is clicked, or pressed by keys"""
    push_button = with_role(QPushButton(menu_text(text)), role, name)
    push_button.setCheckable(checkable)
    if pressed is not None:
        push_button.clicked.connect(pressed)
    return push_button


class IconButton(QToolButton):
    """A button that shows an icon only, in a colour of the palette; it follows the theme."""

    def __init__(self, theme: Theme, icon: str, colour: str = "text", *, role: str = "") -> None:
        super().__init__()
        self._theme, self._icon, self._colour = theme, icon, colour
        with_role(self, role)
        self.update_icon()
        theme.changed.connect(self.update_icon)

    def show_icon(self, icon: str) -> None:
        """Show another icon."""
        self._icon = icon
        self.update_icon()

    def update_icon(self) -> None:
        self.setIcon(self._theme.icon(self._icon, self._colour))


def icon_button(
    theme: Theme,
    icon: str,
    colour: str = "text",
    *,
    role: str = "",
    pressed: Slot | None = None,
) -> IconButton:
    """A button with an icon of ``resources/icons``."""
    tool_button = IconButton(theme, icon, colour, role=role)
    if pressed is not None:
        tool_button.clicked.connect(pressed)
    return tool_button


def text_button(
    text: str,
    *,
    role: str = "",
    name: str = "",
    checkable: bool = False,
    pressed: Slot | None = None,
) -> QToolButton:
    """A narrow button with a short text or a sign, such as “⇄”."""
    tool_button = with_role(QToolButton(), role, name)
    tool_button.setText(text)
    tool_button.setCheckable(checkable)
    if pressed is not None:
        tool_button.clicked.connect(pressed)
    return tool_button
