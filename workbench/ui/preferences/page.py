"""Base of the Preferences pages: rows with a name, a sentence and a control; and their search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.events import Signal
from workbench.core.registry import Registry
from workbench.core.setting import Setting
from workbench.ui.base.plain_text import PlainLabel, menu_text
from workbench.ui.base.scaling import SPACE_1, SPACE_3, SPACE_4, set_scaled_size
from workbench.ui.base.theme import set_property
from workbench.ui.shell.panel_window import PanelWindow
from workbench.ui.widgets.inputs.editors import ChoiceBox, IntBox


@dataclass(frozen=True)
class SettingRow:
    """A setting; the search looks into its ``words``."""

    widget: QWidget
    words: str

    def fits(self, typed: str) -> bool:
        """Whether the row contains every typed word."""
        lower = self.words.casefold()
        return all(word in lower for word in typed.casefold().split())


class PreferencesPage(QWidget):
    """A page of the preferences. Subclasses declare ``key``, ``title`` and ``order``, and add rows
    in ``build``.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    order: ClassVar[int] = 100

    def __init__(self, window: PanelWindow) -> None:
        super().__init__()
        self.window_of = window
        self.context = window.context
        self.session = window.session
        self.setObjectName(f"preferences.{self.key}")
        self.setAccessibleName(self.title)
        self.rows: list[SettingRow] = []
        self._followed: list[tuple[Signal[Any], Callable[[Any], None]]] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_4)
        self._column.setSpacing(SPACE_4)
        self.build()

    def build(self) -> None:
        """Add the rows."""

    def end(self) -> None:
        """Add a stretch that takes the remaining room."""
        self._column.addStretch()

    def refresh(self) -> None:
        """Show the current state when the page becomes visible."""

    def release(self) -> None:
        """Disconnect from changes when the dialog closes."""
        for signal, show in self._followed:
            signal.disconnect(show)

    def search(self, typed: str) -> int:
        """Show only the rows that contain the typed words; returns their number."""
        fits = [row.fits(f"{typed}") for row in self.rows]
        for row, shown in zip(self.rows, fits, strict=True):
            row.widget.setVisible(shown)
        return sum(fits)

    # -- rows

    def row(
        self,
        name: str,
        label: str,
        control: QWidget | None = None,
        words: str = "",
        below: QWidget | None = None,
    ) -> QWidget:
        """Add a setting: its name, a sentence below it, and its control on the right or ``below``
        the sentence.
        """
        holder, title, sentence = QWidget(), PlainLabel(name), PlainLabel(label)
        sentence.setWordWrap(True)
        set_property(sentence, "role", "small")
        texts = QVBoxLayout()
        texts.setSpacing(SPACE_1)
        texts.addWidget(title)
        texts.addWidget(sentence)
        if below is not None:
            texts.addWidget(below)
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SPACE_4)
        line.addLayout(texts, 1)
        if control is not None:
            control.setAccessibleName(name)
            control.setAccessibleDescription(label)
            title.setBuddy(control)
            line.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)
        self._column.addWidget(holder)
        self.rows.append(SettingRow(holder, f"{self.title} {name} {label} {words}"))
        return holder

    def whole(self, widget: QWidget, words: str) -> None:
        """Add a widget over the whole width that takes the remaining room."""
        self._column.addWidget(widget, 1)
        self.rows.append(SettingRow(widget, f"{self.title} {words}"))

    def setting(self, setting: Setting[Any], hint: str = "", below: QWidget | None = None) -> None:
        """Add the control for a setting: a list of choices, a check box, a number or a line of
        text; ``below`` is placed below its hint. The control follows changes made elsewhere.
        Raises TypeError for a structured value, which needs a control of its own.
        """
        settings = self.session.settings
        control: QWidget
        if setting.choices:
            control = _choice_box(setting, partial(settings.__setitem__, setting))
        elif setting.scalar is bool:
            control = _check_box(partial(settings.__setitem__, setting))
        elif setting.scalar is int:
            control = _number_box(setting, partial(settings.__setitem__, setting))
        elif setting.scalar is str:
            control = _text_line(partial(settings.__setitem__, setting))
        else:
            raise TypeError(f"no control for the structured setting {setting.key}")
        control.setObjectName(f"preferences.{setting.key}")
        words = " ".join(option.text for option in setting.choices.values())
        self.row(setting.label, hint or setting.hint, control, words, below)
        show = partial(_show_value, control)
        self._follow(setting, show)

    def _follow(self, setting: Setting[Any], show: Callable[[Any], None]) -> None:
        """Call ``show`` with the value of a setting, now and whenever it changes."""
        signal = self.session.settings.changes(setting)
        show(self.session.settings[setting])
        signal.connect(show)
        self._followed.append((signal, show))

    def button(
        self, name: str, label: str, local: str, text: str, pressed: Callable[[], object]
    ) -> QPushButton:
        """Add a row with a button that performs an action; returns the button."""
        push_button = QPushButton(menu_text(text))
        push_button.setObjectName(f"preferences.{local}")
        push_button.clicked.connect(lambda _=False: pressed())
        self.row(name, label, push_button, text)
        push_button.setAccessibleName(f"{name}: {text}")
        return push_button


def _choice_box(setting: Setting[Any], choose: Callable[[Any], None]) -> ChoiceBox:
    box = ChoiceBox()
    set_scaled_size(box, least_width=160)
    for value, option in setting.choices.items():
        box.addItem(option.text, value)
    box.activated.connect(lambda _: choose(box.currentData()))
    return box


def _check_box(choose: Callable[[Any], None]) -> QCheckBox:
    box = QCheckBox()
    set_property(box, "role", "bare")
    box.clicked.connect(lambda on: choose(bool(on)))
    return box


def _number_box(setting: Setting[Any], choose: Callable[[Any], None]) -> IntBox:
    box = IntBox()
    if setting.low is not None:
        box.setMinimum(int(setting.low))
    if setting.high is not None:
        box.setMaximum(int(setting.high))
    box.valueChanged.connect(choose)
    return box


def _text_line(choose: Callable[[Any], None]) -> QLineEdit:
    line = QLineEdit()
    line.editingFinished.connect(lambda: choose(line.text()))
    return line


def _show_value(control: QWidget, value: Any) -> None:
    if isinstance(control, ChoiceBox):
        control.setCurrentIndex(control.findData(value))
    elif isinstance(control, QCheckBox):
        control.setChecked(value)
    elif isinstance(control, IntBox):
        control.setValue(value)
    elif isinstance(control, QLineEdit):
        control.setText(value)


PAGES: Registry[PreferencesPage] = Registry(
    "workbench.ui.preferences", PreferencesPage, "page of the preferences"
)
