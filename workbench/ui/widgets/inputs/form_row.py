"""One row of a form: the name, symbol, editor and unit of a hyperparameter, made from its
declaration.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QCheckBox, QLineEdit, QToolButton, QWidget

from workbench.core.language import choice_text, digits, tr
from workbench.core.param_labels import label
from workbench.core.params import Spec, Value
from workbench.ui.plain_text import PlainLabel, RichLabel, RichText, rich_tip, safe_tip
from workbench.ui.scaling import set_scaled_size, text_factor
from workbench.ui.text import note_in_sentence
from workbench.ui.theme import SPACE_1, Theme, set_property
from workbench.ui.widgets.inputs.editors import FloatBox, IntBox, ValueBox, plain_float
from workbench.ui.widgets.layout.elided import ElidedLabel

_EDITOR_WIDTH = 84
# What a field of numbers has around its digits: arrows, frame and blanks.
_AROUND_NUMBER = 30
# The column of the marks, left of the names; whoever embeds a form may let it stand in the margin.
MARK_WIDTH = 18


def label_of(spec: Spec) -> str:
    """The name of a hyperparameter in words."""
    return label(spec.name)


def shown_value(value: Value, spec: Spec | None = None) -> str:
    """A value as the form shows it; ``spec`` declares what it is a value of."""
    if spec is not None and spec.choices:
        return choice_text(str(value))
    if isinstance(value, bool):
        if value:
            return tr("on")
        return tr("off")
    if isinstance(value, float):
        return plain_float(value)
    if isinstance(value, int):
        return digits(f"{value:,}")
    return value


def tooltip(spec: Spec, *more: str) -> RichText:
    """What it does, what changes when it grows, its range and the source of its default; then
    further lines.
    """
    lines = [spec.doc]
    if spec.grows:
        lines.append(tr("As it grows: {grows}.", grows=spec.grows))
    default = f"{shown_value(spec.default, spec)} {spec.unit}".rstrip()
    admitted = spec.describe_range()
    if spec.choices:
        admitted = tr("one of {choices}", choices=", ".join(map(_both, spec.choices)))
    lines.append(tr("It is {range}; by default {default}.", range=admitted, default=default))
    if spec.source:
        lines.append(tr("Source of the default: {source}.", source=spec.source))
    lines.append(tr("On the command line: {option}", option=spec.option))
    return rich_tip(label_of(spec), *lines, *more, symbol=spec.symbol)


def _both(value: str) -> str:
    """A value of a choice as it is shown, and as it is typed where it is typed."""
    said = choice_text(value)
    if said == value:
        return value
    return f"{said} ({value})"


class ParameterRow:
    """The widgets of one hyperparameter: name, symbol, editor, unit, mark, error."""

    def __init__(
        self, spec: Spec, prefix: str, theme: Theme, name: str, changed: Callable[[], None]
    ) -> None:
        self.spec = spec
        self.baseline: Value = spec.default
        self.changed = changed
        self.shown = True
        tip = tooltip(spec)
        self.label = PlainLabel(name)
        # Clear of its symbol, also where the text is large.
        self.label.setContentsMargins(0, 0, SPACE_1 + 2, 0)
        self.symbol = RichLabel(f"<i>{spec.symbol}</i>" if spec.symbol else "")
        self.symbol.setProperty("role", "muted")
        self.editor = self._make_editor()
        self.editor.setObjectName(f"{prefix}.{spec.name}")
        self.editor.setAccessibleName(name)
        self.editor.setAccessibleDescription(spec.doc)
        self.label.setBuddy(self.editor)
        if isinstance(self.editor, (IntBox, FloatBox)):
            self.editor.installEventFilter(_UNDO)
        # A long unit gives way rather than widening the column; the tooltip of its row has it.
        self.unit = ElidedLabel(spec.unit, tells=False, entire=True)
        self.unit.setProperty("role", "small")
        self.unit.setIndent(SPACE_1 + 2)
        for widget in (self.label, self.symbol, self.editor, self.unit):
            widget.setToolTip(safe_tip(tip))
        self.reset = QToolButton()
        self.reset.setProperty("role", "mark")
        self.reset.setIcon(theme.icon("reset", "accent"))
        set_scaled_size(self.reset, icon=14)
        set_scaled_size(self.reset, width=MARK_WIDTH - 1, height=20)
        self.reset.setObjectName(f"{prefix}.{spec.name}.reset")
        self.reset.setAccessibleName(tr("Put {name} back", name=note_in_sentence(name)))
        self.reset.clicked.connect(lambda: self.put(self.baseline))
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.error = PlainLabel()
        self.error.setProperty("role", "error")
        self.error.setWordWrap(True)
        self.error.setObjectName(f"{prefix}.{spec.name}.error")
        self.error.hide()

    def _make_editor(self) -> QWidget:
        spec = self.spec
        if spec.type is bool:
            box = QCheckBox()
            box.toggled.connect(lambda _: self.changed())
            return box
        if spec.choices:
            choice = ValueBox(spec.choices)
            choice.currentIndexChanged.connect(lambda _: self.changed())
            set_scaled_size(choice, width=_EDITOR_WIDTH + 24)
            return choice
        if spec.type is int and (spec.high is None or spec.high < 2**31):
            number = IntBox()
            number.valueChanged.connect(lambda _: self._number_changed(number))
            number.lineEdit().textEdited.connect(lambda _: self._number_changed(number))
            set_scaled_size(number, width=_EDITOR_WIDTH)
            return number
        if spec.type is float:
            real = FloatBox()
            real.valueChanged.connect(lambda _: self.changed())
            set_scaled_size(real, width=_EDITOR_WIDTH)
            return real
        line = QLineEdit()
        line.textChanged.connect(lambda _: self.changed())
        # As wide as there is room: paths, addresses and lists are long.
        set_scaled_size(line, least_width=_EDITOR_WIDTH)
        return line

    @property
    def text(self) -> bool:
        """Whether anything may be typed."""
        return isinstance(self.editor, QLineEdit)

    def _number_changed(self, box: IntBox) -> None:
        """Room for all of its digits, also of a number that is too large."""
        wanted = (
            math.ceil(box.fontMetrics().horizontalAdvance(box.text()) / text_factor())
            + _AROUND_NUMBER
        )
        set_scaled_size(box, width=max(_EDITOR_WIDTH, wanted))
        self.changed()

    def value(self) -> Value:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            return editor.isChecked()
        if isinstance(editor, ValueBox):
            return editor.value
        if isinstance(editor, IntBox):
            return editor.fraction or editor.value()
        if isinstance(editor, FloatBox):
            return editor.value()
        assert isinstance(editor, QLineEdit)
        return editor.text()

    def put(self, value: Value) -> None:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            editor.setChecked(bool(value))
        elif isinstance(editor, ValueBox):
            editor.put(str(value))
        elif isinstance(editor, IntBox):
            editor.setValue(int(value))
        elif isinstance(editor, FloatBox):
            editor.setValue(float(value))
        elif isinstance(editor, QLineEdit):
            editor.setText(str(value))

    @property
    def off_baseline(self) -> bool:
        try:
            return self.spec.coerce(self.value()) != self.baseline
        except ValueError:
            return True

    def mark(self) -> None:
        self.reset.setVisible(self.off_baseline and self.shown)
        self.reset.setToolTip(
            safe_tip(
                tr("Changed; put back to {value}", value=shown_value(self.baseline, self.spec))
            )
        )

    def fits(self, typed: str) -> bool:
        """Whether every word typed stands in its name, its symbol, what it does or its option."""
        spec = self.spec
        texts = (self.label.text(), spec.name, spec.symbol, spec.doc, spec.grows, spec.option)
        words = " ".join(texts).casefold()
        return all(word in words for word in typed.casefold().split())

    def show(self, shown: bool) -> None:
        """Be in the form, or be left out of it and take no room."""
        self.shown = shown
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(shown)
        self.reset.setSizePolicy(policy)
        for widget in (self.label, self.symbol, self.editor, self.unit):
            # A choice has no unit in the form, and what is in no form would be a window of its own.
            if widget.parent() is not None:
                widget.setVisible(shown)
        self.reset.setVisible(shown and self.off_baseline)
        self.error.setVisible(shown and bool(self.error.text()))

    def complain(self, sentence: str) -> None:
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence) and self.shown)
        set_property(self.editor, "invalid", bool(sentence))


class _UndoPasses(QObject):
    """Leaves undo and redo in a field of numbers to the window: what stands in it is a setting, not
    a text.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        if event.matches(QKeySequence.StandardKey.Undo) or event.matches(
            QKeySequence.StandardKey.Redo
        ):
            event.ignore()
            return True
        return False


_UNDO = _UndoPasses()
