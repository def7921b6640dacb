"""Finds the window's controls by name for lessons, fills them in, presses them and takes
pictures.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QWidget,
)

from workbench.core import language
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.ui.base.panel import Panel
from workbench.ui.widgets.inputs.run_choice import RunsChoice
from workbench.ui.widgets.inputs.word_field import WordField

_ON, _OFF = ("on", "yes", "true"), ("off", "no", "false")
# Figures have twice the pixels of the screen, for print.
_RATIO = 2


def find_widget(near: QWidget, name: str) -> QWidget:
    """A widget by its object name, or a panel by its key, searched first in the window of ``near``.
    Raises UserError.
    """
    hosts: list[QWidget] = []
    parent: QWidget | None = near
    while parent is not None:
        if isinstance(parent, QMainWindow):
            hosts.append(parent)
        parent = parent.parentWidget()
    hosts += QApplication.topLevelWidgets()
    for wanted in (name, f"panel.{name}"):
        for host in hosts:
            if host.objectName() == wanted:
                return host
            child = host.findChild(QWidget, wanted)
            if child is not None:
                return child
    raise UserError(
        tr("Unknown control “{name}”.", name=name),
        tr("The lesson may be for another version of the program."),
    )


def panel_of(widget: QWidget) -> Panel | None:
    """The panel that contains a widget."""
    parent: QWidget | None = widget
    while parent is not None and not isinstance(parent, Panel):
        parent = parent.parentWidget()
    return parent


def fill_in(widget: QWidget, value: str, complete: Callable[[str], str] = str) -> None:
    """Fill in a control as a person would. ``complete`` replaces the labels of runs by their names,
    which may contain the commas that separate the labels. Raises UserError if the control can't
    take the value.
    """
    if isinstance(widget, RunsChoice):
        widget.choose_named(complete(name.strip()) for name in value.split(","))
        return
    value = complete(value)
    if isinstance(widget, QComboBox):
        _choose_item(widget, value)
    elif isinstance(widget, QTabBar):
        texts = [widget.tabText(at) for at in range(widget.count())]
        widget.setCurrentIndex(_item_place(widget, texts, value))
    elif isinstance(widget, (QSpinBox, QAbstractSlider)):
        widget.setValue(round(_parse_number(widget, value)))
    elif isinstance(widget, QDoubleSpinBox):
        widget.setValue(_parse_number(widget, value))
    elif isinstance(widget, QAbstractButton):
        if value.lower() not in (*_ON, *_OFF):
            raise _value_error(widget, value, tr("Choose on or off."))
        if widget.isChecked() != (value.lower() in _ON):
            widget.click()
    elif isinstance(widget, WordField):
        # As if the user had left the field: typing would offer completions.
        widget.setText(value)
        widget.editingFinished.emit()
    elif isinstance(widget, QLineEdit):
        widget.setText(value)
        widget.textEdited.emit(value)
        widget.returnPressed.emit()
        widget.editingFinished.emit()
    elif isinstance(widget, QPlainTextEdit):
        widget.setPlainText(value)
    else:
        raise _value_error(widget, value, tr("This control doesn’t accept a value."))


def press_button(widget: QWidget) -> None:
    """Click a button. Raises UserError if the widget isn't a button, or can't be pressed now."""
    if not isinstance(widget, QAbstractButton) or not widget.isEnabled():
        raise UserError(
            tr(
                "Can’t press “{value}” now.",
                value=widget.accessibleName() or widget.objectName(),
            ),
            tr("Continue by hand."),
        )
    widget.click()


def take_picture(widget: QWidget) -> bytes:
    """Take a picture of the widget as shown; returns the bytes of a PNG."""
    size = widget.size() * _RATIO
    pixmap = QPixmap(size.expandedTo(QSize(1, 1)))
    pixmap.setDevicePixelRatio(_RATIO)
    pixmap.fill(widget.palette().window().color())
    widget.render(pixmap)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    pixmap.save(buffer, "PNG")
    buffer.close()
    return bytes(data.data())


def _choose_item(box: QComboBox, value: str) -> None:
    texts = [box.itemText(at) for at in range(box.count())]
    keys = [str(box.itemData(at)) for at in range(box.count())]
    at = box.findData(value, Qt.ItemDataRole.UserRole)
    if value in keys:
        at = keys.index(value)
    if at < 0:
        at = _item_place(box, texts, value)
    box.setCurrentIndex(at)
    box.activated.emit(box.currentIndex())


def _item_place(widget: QWidget, texts: list[str], value: str) -> int:
    """Index of a text, given in the language of the window or in English."""
    lower = [text.lower() for text in texts]
    if value.lower() not in lower:
        value = language.tr(value)
    if value.lower() in lower:
        return lower.index(value.lower())
    begun = [at for at, text in enumerate(lower) if text.startswith(value.lower())]
    if len(begun) != 1:
        raise _value_error(
            widget,
            value,
            tr("Choose one of: {join}.", join=", ".join(text for text in texts if text)),
        )
    return begun[0]


def _parse_number(widget: QWidget, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise _value_error(widget, value, tr("Enter a number.")) from None


def _value_error(widget: QWidget, value: str, hint: str) -> UserError:
    return UserError(
        tr(
            "Couldn’t set “{control}” to “{wanted}”.",
            control=widget.accessibleName() or widget.objectName(),
            wanted=value,
        ),
        hint,
    )
