"""Editors of one value each, which ignore the wheel unless they have the focus."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from PySide6.QtCore import QEvent, QLocale, QObject, QSize, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPaintEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
)

from workbench.core.language import MINUS, choice_text, digits, tr
from workbench.ui.base.plain_text import paintable_text, safe_tip
from workbench.ui.base.scaling import SPACE_1, scaled_length
from workbench.ui.base.text import mark_unknown

_INT_LIMIT, _FLOAT_LIMIT = 2**31 - 1, 1e12
_DIGITS = 12
# The style sheet cannot pad the field inside a spin box.
INDENT = 5
# Minimum width of a choice where room is short.
_NARROWEST = 76
# Minimum width of a choice, in average letters.
_LETTERS = 6
# Rows of a list of choices that are visible without scrolling.
_SHOWN_CHOICES = 20
# Width of a choice beyond its text, and the maximum width for which it reserves room.
_AROUND_CHOICE, _LONG_CHOICE = 40, 190
# Role in which Qt's model of a combo box keeps the flags of an entry.
_FLAGS_ROLE = int(Qt.ItemDataRole.UserRole) - 1


_ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)


def _commas(text: str) -> str:
    """The number with commas as group separators, which Qt reads, whatever the language."""
    return text.replace(digits(","), ",")


def _fractional(text: str) -> bool:
    """Whether the text is a number that isn't whole; a comma groups digits unless it is the decimal
    separator.
    """
    return bool(re.fullmatch(r"\s*[-+]?\d*[.,]\d*\s*", text)) and (
        "." in text or digits(",") != ","
    )


def _real(text: str) -> float:
    """Parse a typed number: a comma is the decimal separator unless it can only group digits.
    Raises ValueError.

    If there are both a comma and a point, the last one is the decimal separator; a separator that
    occurs twice groups digits.
    """
    text = _BLANKS.sub("", text.strip().replace(MINUS, "-"))
    grouped = _GROUPED.fullmatch(text)
    if grouped is not None:
        mark, last = grouped["mark"], grouped["last"]
        if last or text.count(mark) > 1 or (mark == "," and digits(",") == ","):
            return float(text.replace(mark, "").replace(",", "."))
    return float(text.replace(",", "."))


# Numbers such as 1,204.5 and 1.204,5, and spaces that group digits.
_GROUPED = re.compile(
    r"[-+]?[1-9]\d{0,2}(?P<mark>[.,])\d{3}(?:(?P=mark)\d{3})*(?P<last>(?!(?P=mark))[.,]\d*)?"
)
_BLANKS = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f](?=\d)")


def _bare(box: QSpinBox | QDoubleSpinBox, text: str) -> str:
    """The text of a box without prefix and suffix."""
    bare = text.strip().removeprefix(box.prefix().strip())
    return bare.removesuffix(box.suffix().strip()).strip()


class IntBox(QSpinBox):
    """Whole numbers, grouped by commas or as in the language of the window. In a form, values
    outside the valid range stay, and the form reports the error. Elsewhere, the box has its own
    range: values beyond it are clipped, with a tooltip that says so.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setRange(-_INT_LIMIT, _INT_LIMIT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(True)
        self.setGroupSeparatorShown(True)
        # Independent of the system's number format: ``digits`` starts from this one.
        self.setLocale(_ENGLISH)
        self.lineEdit().setTextMargins(INDENT, 0, 0, 0)

    @classmethod
    def of(
        cls,
        low: int,
        high: int,
        value: int,
        *,
        prefix: str = "",
        suffix: str = "",
        tracking: bool = False,
    ) -> Self:
        """A box for low ≤ value ≤ high.

        prefix : text before the number; suffix : unit behind it; tracking : whether each typed
        digit changes the value, and not only the finished number
        """
        box = cls()
        box.setRange(low, high)
        box.setValue(value)
        box.setPrefix(prefix)
        box.setSuffix(suffix)
        box.setKeyboardTracking(tracking)
        return box

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def textFromValue(self, value: int) -> str:
        return digits(super().textFromValue(value))

    def valueFromText(self, text: str) -> int:
        return super().valueFromText(_commas(text))

    @property
    def fraction(self) -> str:
        """The typed text while it isn't a whole number, or "". When the box is left, the whole part
        stays.
        """
        text = _bare(self, self.lineEdit().text())
        if _fractional(text):
            return text
        return ""

    def fixup(self, text: str) -> str:
        """Replace a number out of range by the nearest bound, and drop the decimals of a fraction:
        dropping only the point would multiply it.
        """
        beyond = self._beyond(text)
        if beyond is not None:
            low, high = self.textFromValue(self.minimum()), self.textFromValue(self.maximum())
            where = self.mapToGlobal(self.rect().bottomLeft())
            QToolTip.showText(
                where, safe_tip(tr("Enter a value from {low} to {high}.", low=low, high=high)), self
            )
            return self.textFromValue(self.minimum() if beyond < self.minimum() else self.maximum())
        bare = _bare(self, text)
        if _fractional(bare):
            return re.split("[.,]", bare)[0]
        return str(super().fixup(text) or text)

    def _beyond(self, text: str) -> int | None:
        """The typed number if it is whole and out of range."""
        bare = _commas(_bare(self, text)).replace(",", "").replace(MINUS, "-")
        if (self.minimum(), self.maximum()) == (-_INT_LIMIT, _INT_LIMIT) or not re.fullmatch(
            r"-?\d{1,30}", bare
        ):
            return None
        number = int(bare)
        if self.minimum() <= number <= self.maximum():
            return None
        return number

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        if _fractional(_bare(self, text)):
            return QValidator.State.Intermediate, text, place
        if self._beyond(text) is not None:
            return QValidator.State.Intermediate, text, place
        state, _, place = super().validate(_commas(text), place)
        return state, text, place

    def stepBy(self, steps: int) -> None:
        """Steps of one, of ten above a hundred, of a hundred above a thousand, and so on."""
        size = max(abs(self.value()), 1)
        self.setSingleStep(10 ** max(int(math.log10(size)) - 1, 0))
        super().stepBy(steps)


class FloatBox(QDoubleSpinBox):
    """Numbers without superfluous digits: 0.75, 1e-3, 0.025. Steps change the last digit shown.

    If the box has its own range, values beyond it are clipped, with a tooltip that says so.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setRange(-_FLOAT_LIMIT, _FLOAT_LIMIT)
        self.setDecimals(_DIGITS)
        self.lineEdit().setTextMargins(INDENT, 0, 0, 0)
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
        # One step down from 1e-3 is 9e-4: below a leading 1, the next digit changes.
        if size and steps < 0 and math.isclose(size, 10.0**power):
            power -= 1
        self.setSingleStep(10.0**power)
        super().stepBy(steps)

    def textFromValue(self, value: float) -> str:
        return plain_float(value)

    def valueFromText(self, text: str) -> float:
        if text == self.specialValueText() != "":
            return self.minimum()
        try:
            value = _real(_bare(self, text))
        except ValueError:
            return self.value()
        if math.isfinite(value):
            return value
        return self.value()

    def fixup(self, text: str) -> str:
        """Replace a number out of range by the nearest bound. Qt would first remove the group
        separator of the system's language, which may be the decimal separator here.
        """
        try:
            value = _real(_bare(self, text))
        except ValueError:
            return text
        if not math.isfinite(value):
            return text
        low, high = self.textFromValue(self.minimum()), self.textFromValue(self.maximum())
        where = self.mapToGlobal(self.rect().bottomLeft())
        QToolTip.showText(
            where, safe_tip(tr("Enter a value from {low} to {high}.", low=low, high=high)), self
        )
        if value < self.minimum():
            return low
        return high

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        bare = _bare(self, text)
        if text == self.specialValueText() != "":
            return QValidator.State.Acceptable, text, position
        try:
            value = _real(bare)
        except ValueError:
            partial = set(bare) <= set("0123456789+-\u2212.,eE \u00a0\u2009\u202f")
            if partial:
                return QValidator.State.Intermediate, text, position
            return QValidator.State.Invalid, text, position
        if self.minimum() <= value <= self.maximum():
            return QValidator.State.Acceptable, text, position
        return QValidator.State.Intermediate, text, position


def _widest_popup(box: QComboBox) -> int:
    """The width of the screen that a list of choices may take."""
    return box.screen().availableGeometry().width() * 3 // 4


def set_choice_enabled(box: QComboBox, row: int, enabled: bool) -> None:
    """Set whether an entry can be chosen, or only read."""
    # ``QStandardItem`` could crash: PySide6 6.8 keeps that object after Qt has removed the entry,
    # and takes whatever is at its address later, such as an event, for the item.
    flags = Qt.ItemFlag.NoItemFlags
    if enabled:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    box.setItemData(row, flags.value, _FLAGS_ROLE)


class ChoiceBox(QComboBox):
    """A combo box that ignores the wheel without the focus, and elides text that doesn't fit; the
    tooltip then contains the complete text.

    squeezed : minimum width to which a bar may narrow the box if all controls then fit in one row,
    in pixels at a text size of 100%; 0: the choice always stays readable
    """

    def __init__(self) -> None:
        super().__init__()
        self.squeezed = 0
        # The value of the bound state, to be chosen once it is offered.
        self.wanted: object = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_LETTERS)
        self.setMaxVisibleItems(_SHOWN_CHOICES)
        # Its readable width changes.
        self.currentIndexChanged.connect(lambda _: self.updateGeometry())
        # Its preferred width changes with its choices, even if these are replaced while signals of
        # the box are blocked.
        for others in (
            self.model().rowsInserted,
            self.model().rowsRemoved,
            self.model().modelReset,
        ):
            others.connect(self.updateGeometry)

    @classmethod
    def of(
        cls,
        options: Mapping[Any, str],
        chosen: object = None,
        *,
        tips: Sequence[str] = (),
        letters: int = _LETTERS,
    ) -> Self:
        """A box with the text of each value, of which ``chosen`` or else the first is current.

        tips : tooltip of each entry; letters : minimum width, in average letters
        """
        box = cls()
        for value, text in options.items():
            box.addItem(text, value)
        for at, tip in enumerate(tips):
            box.setItemData(at, safe_tip(tip), Qt.ItemDataRole.ToolTipRole)
        box.setMinimumContentsLength(letters)
        box.setCurrentIndex(max(box.findData(chosen), 0))
        return box

    def replace_choices(self, choices: Sequence[tuple[str, object]], first: object = None) -> bool:
        """Replace the choices, each with a text and its data, without a signal. The current choice
        stays if it is among them, found by its text or else by its data; otherwise, that with the
        data ``first`` is chosen, or else the first. ``wanted`` comes before all. Returns whether
        other choices were offered before.
        """
        rows = range(self.count())
        if list(choices) == [(self.itemText(row), self.itemData(row)) for row in rows]:
            return False
        current = (self.currentText(), self.currentData())
        offered = [data if data is not None else text for text, data in choices]
        self.blockSignals(True)
        self.clear()
        for text, data in choices:
            self.addItem(text, data)
        if self.wanted is not None and self.wanted in offered:
            row = offered.index(self.wanted)
        elif current in choices:
            row = choices.index(current)
        else:
            known = self.findText(current[0]), self.findData(current[1]), self.findData(first)
            row = next((at for at in known if at > 0), 0)
        self.setCurrentIndex(row)
        self.blockSignals(False)
        return True

    def readable_width(self) -> int:
        """Width at which the current choice isn't elided, unless it is very long."""
        return self._width_of(self.currentText())

    def _width_of(self, text: str) -> int:
        # The first entry may be a heading.
        if self.count() == 0 or self.itemIcon(self.count() - 1).isNull():
            icon = 0
        else:
            icon = self.iconSize().width() + SPACE_1
        wide = self.fontMetrics().horizontalAdvance(text) + icon
        return min(wide, scaled_length(_LONG_CHOICE)) + scaled_length(_AROUND_CHOICE)

    def sizeHint(self) -> QSize:
        """Room for the longest choice, unless that is very long."""
        hint = super().sizeHint()
        wanted = max((self._width_of(self.itemText(at)) for at in range(self.count())), default=0)
        return hint.expandedTo(QSize(wanted, hint.height()))

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().boundedTo(QSize(scaled_length(_NARROWEST), 1000))

    def showPopup(self) -> None:
        """Make the list as wide as its longest entry, and mark the current choice: after Escape, Qt
        would still mark the entry that the keys reached.
        """
        view = self.view()
        view.setCurrentIndex(
            self.model().index(self.currentIndex(), self.modelColumn(), self.rootModelIndex())
        )
        frame = 2 * scaled_length(8) + 2
        bar = 0
        if self.count() > self.maxVisibleItems():
            bar = view.verticalScrollBar().sizeHint().width()
        view.setMinimumWidth(min(view.sizeHintForColumn(0) + frame + bar, _widest_popup(self)))
        # Installed last, so that it runs before the filter with which Qt chooses.
        view.viewport().installEventFilter(self)
        super().showPopup()
        self._make_popup_whole()

    def _make_popup_whole(self) -> None:
        """Give the list the whole height of the screen if there isn't enough room for its rows
        above or below the box.
        """
        view = self.view()
        popup, rows = view.window(), min(self.count(), self.maxVisibleItems())
        missing = sum(map(view.sizeHintForRow, range(rows))) - view.viewport().height()
        room = popup.screen().availableGeometry()
        if missing > 0:
            popup.resize(popup.width(), min(popup.height() + missing, room.height()))
        popup.move(popup.x(), min(popup.y(), room.bottom() + 1 - popup.height()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ignore a click on a disabled entry: Qt would choose the entry before it."""
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            index = self.view().indexAt(event.position().toPoint())
            if index.isValid() and not index.flags() & Qt.ItemFlag.ItemIsEnabled:
                return True
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            option = QStyleOptionComboBox()
            self.initStyleOption(option)
            if self._elided_text(option) != option.currentText:
                tip = "\n".join(filter(None, (option.currentText, self.toolTip())))
                QToolTip.showText(event.globalPos(), safe_tip(tip), self)
                return True
        return super().event(event)

    def _elided_text(self, option: QStyleOptionComboBox) -> str:
        """The current choice, as far as it fits."""
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = (
            self.style()
            .subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
            .width()
        )
        icon = 0 if option.currentIcon.isNull() else option.iconSize.width() + SPACE_1
        return self.fontMetrics().elidedText(
            paintable_text(option.currentText), Qt.TextElideMode.ElideRight, room - icon
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box with elided text, unlike Qt with a style sheet."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self._elided_text(option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class ValueBox(ChoiceBox):
    """A choice among the values of a hyperparameter, with their texts in the current language."""

    def __init__(self, values: Iterable[str]) -> None:
        super().__init__()
        for value in values:
            self.addItem(choice_text(value), value)

    @property
    def value(self) -> str:
        return str(self.currentData())

    def put(self, value: str) -> None:
        """Choose a value; an unknown value changes nothing."""
        at = self.findData(value)
        if at >= 0:
            self.setCurrentIndex(at)


@mark_unknown
def plain_float(value: float) -> str:
    """0.75, 0.025, 1e-3, 5e-05 → "5e-5"; no trailing zeros."""
    if value and abs(value) < 0.01:
        mantissa, exponent = f"{value:.{_DIGITS}e}".split("e")
        return f"{digits(f'{float(mantissa):.10g}')}e{int(exponent)}"
    return digits(f"{value:.10g}")
