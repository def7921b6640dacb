"""The named controls of a panel: what they contain, and how a person changes them."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QSlider,
    QSpinBox,
    QTabBar,
    QWidget,
)

from workbench.ui.widgets.inputs.word_field import WordField

Content = str | int | float | bool | None


def controls_of(panel: QWidget, key: str) -> Iterator[tuple[str, QWidget]]:
    """The controls with a choice or a text by their object names, in the order of their creation.
    Parts of other widgets, and controls for a moment only, are left out.
    """
    for widget in panel.findChildren(QWidget):
        name = widget.objectName()
        if not name.startswith(f"{key}.") or has_mark(widget, "passing"):
            continue
        owner = widget.parent()
        if isinstance(owner, (QAbstractSpinBox, QComboBox, QAbstractItemView, QTabBar)):
            continue
        if isinstance(widget, (QLineEdit, QPlainTextEdit, QAbstractSpinBox)):
            if not widget.isReadOnly():
                yield name, widget
        elif isinstance(widget, QAbstractButton):
            if widget.isCheckable():
                yield name, widget
        elif isinstance(widget, (QComboBox, QTabBar)) or (
            isinstance(widget, QAbstractSlider)
            and not isinstance(widget, (QScrollBar, QAbstractItemView))
        ):
            yield name, widget


def has_mark(widget: QWidget, name: str) -> bool:
    """Whether a widget, or one that contains it, has this property."""
    at: QWidget | None = widget
    while at is not None and not at.property(name):
        at = at.parentWidget()
    return at is not None


def content_of(widget: QWidget) -> Content:
    """What a control contains."""
    if isinstance(widget, QComboBox):
        data = widget.currentData()
        if isinstance(data, (str, int, float)) and not widget.isEditable():
            return data
        return widget.currentText()
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText()
    if isinstance(widget, QLineEdit):
        return widget.text()
    if isinstance(widget, QDoubleSpinBox):
        return round(widget.value(), widget.decimals())
    if isinstance(widget, (QSpinBox, QAbstractSlider)):
        return widget.value()
    if isinstance(widget, QTabBar):
        return widget.currentIndex()
    assert isinstance(widget, QAbstractButton)
    return widget.isChecked()


def other_content(widget: QWidget) -> Content:
    """A content that the control accepts, other than its current one; None if there is none."""
    content = content_of(widget)
    if isinstance(widget, QComboBox):
        model, enabled = widget.model(), Qt.ItemFlag.ItemIsEnabled
        rows = [
            widget.itemText(at) if widget.itemData(at) is None else widget.itemData(at)
            for at in range(widget.count())
            if model.flags(model.index(at, 0)) & enabled
        ]
        return next((row for row in rows if row != content and isinstance(row, (str, int))), None)
    if isinstance(widget, (QSpinBox, QDoubleSpinBox, QSlider)):
        step = widget.singleStep()
        there = widget.value() + (step if widget.value() < widget.maximum() else -step)
        return there if widget.minimum() <= there <= widget.maximum() else None
    if isinstance(widget, QTabBar):
        return (widget.currentIndex() + 1) % widget.count() if widget.count() > 1 else None
    if isinstance(widget, (QLineEdit, QPlainTextEdit)):
        return "1, 3" if ".grid.param." in widget.objectName() else "dog"
    return not content if isinstance(content, bool) else None


def change(widget: QWidget, content: Content) -> None:
    """Choose or type another content, and leave the control."""
    if isinstance(widget, QComboBox):
        at = max(widget.findData(content), widget.findText(str(content)))
        widget.setCurrentIndex(at)
        widget.activated.emit(at)
    elif isinstance(widget, QPlainTextEdit):
        widget.setPlainText(str(content))
    elif isinstance(widget, QLineEdit):
        widget.setText(str(content))
        # A word field would offer completions.
        if not isinstance(widget, WordField):
            widget.textEdited.emit(str(content))
            widget.returnPressed.emit()
        widget.editingFinished.emit()
    elif isinstance(widget, QAbstractButton):
        if widget.isChecked() != content:
            widget.click()
    elif isinstance(widget, QTabBar):
        assert isinstance(content, int)
        widget.setCurrentIndex(content)
    elif isinstance(widget, (QSpinBox, QDoubleSpinBox, QAbstractSlider)):
        assert isinstance(content, (int, float))
        widget.setValue(content)  # type: ignore[arg-type]
