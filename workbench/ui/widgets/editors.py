"""Editors of one value each, which leave the wheel alone until they have the focus."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox

_INT_LIMIT = 2**31 - 1
_DIGITS = 12
# The style sheet cannot pad the field inside a spin box.
_INDENT = 5


class IntBox(QSpinBox):
    """Whole numbers, grouped by commas while not edited. Values outside the admitted range can be typed:
    the form says what is wrong with them instead of changing them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setRange(-_INT_LIMIT, _INT_LIMIT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(True)
        self.setGroupSeparatorShown(True)
        self.lineEdit().setTextMargins(_INDENT, 0, 0, 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def stepBy(self, steps: int) -> None:
        """Steps of one, of ten above a hundred, of a hundred above a thousand, and so on."""
        size = max(abs(self.value()), 1)
        self.setSingleStep(10 ** max(int(math.log10(size)) - 1, 0))
        super().stepBy(steps)


class FloatBox(QDoubleSpinBox):
    """Numbers shown with no more digits than they have: 0.75, 1e-3, 0.025. Steps are of the last shown digit."""

    def __init__(self) -> None:
        super().__init__()
        self.setRange(-1e12, 1e12)
        self.setDecimals(_DIGITS)
        self.lineEdit().setTextMargins(_INDENT, 0, 0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(True)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def stepBy(self, steps: int) -> None:
        size = abs(self.value())
        power = math.floor(math.log10(size)) if size else -1
        # From 1e-3 one step down is 9e-4: the digit below a leading 1 is what changes.
        if size and steps < 0 and math.isclose(size, 10.0**power):
            power -= 1
        self.setSingleStep(10.0**power)
        super().stepBy(steps)

    def textFromValue(self, value: float) -> str:
        return plain_float(value)

    def valueFromText(self, text: str) -> float:
        try:
            value = float(text.strip().replace("\u2212", "-"))
        except ValueError:
            return self.value()
        return value if math.isfinite(value) else self.value()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        try:
            float(text.strip().replace("\u2212", "-"))
        except ValueError:
            partial = not text.strip() or set(text.strip()) <= set("0123456789+-\u2212.eE")
            return (QValidator.State.Intermediate if partial else QValidator.State.Invalid), text, position
        return QValidator.State.Acceptable, text, position


class ChoiceBox(QComboBox):
    """A combo box that the wheel does not change in passing, and that may be narrower than its texts."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def plain_float(value: float) -> str:
    """0.75, 0.025, 1e-3, 5e-05 → "5e-5"; no trailing zeros."""
    if value and abs(value) < 0.01:
        mantissa, exponent = f"{value:.{_DIGITS}e}".split("e")
        return f"{float(mantissa):.10g}e{int(exponent)}"
    return f"{value:.10g}"
