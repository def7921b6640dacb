"""Base of the Preferences pages: rows with a name, a sentence and a control; and their search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QPushButton,
    QWidget,
)

from workbench.core.events import Signal
from workbench.core.registry import Registry
from workbench.core.setting import Setting
from workbench.ui import kit
from workbench.ui.base.scaling import SPACE_1, SPACE_3, SPACE_4
from workbench.ui.shell.panel_window import PanelWindow
from workbench.ui.widgets.inputs.editors import IntBox


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
        self._column = kit.column(gap=SPACE_4, margins=(SPACE_4, SPACE_3, SPACE_4, SPACE_4))
        kit.fill(self, self._column)
        self.build()

    def build(self) -> None:
        """Add the rows."""

    def end(self) -> None:
        """Add a stretch that takes the remaining room."""
        kit.add(self._column, kit.stretch())

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
        title, sentence = kit.label(name, buddy=control), kit.label(label, role="small", wrap=True)
        parts = (title, sentence) if below is None else (title, sentence, below)
        line = kit.row(kit.stretch(kit.column(*parts, gap=SPACE_1)), gap=SPACE_4)
        if control is not None:
            control.setAccessibleName(name)
            control.setAccessibleDescription(label)
            kit.add(line, kit.at_top(control))
        holder = kit.box(line)
        kit.add(self._column, holder)
        self.rows.append(SettingRow(holder, f"{self.title} {name} {label} {words}"))
        return holder

    def whole(self, widget: QWidget, words: str) -> None:
        """Add a widget over the whole width that takes the remaining room."""
        kit.add(self._column, kit.stretch(widget))
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
        push_button = kit.button(text, name=f"preferences.{local}", pressed=lambda: pressed())
        self.row(name, label, push_button, text)
        push_button.setAccessibleName(f"{name}: {text}")
        return push_button


def _choice_box(setting: Setting[Any], choose: Callable[[Any], None]) -> kit.ChoiceBox:
    texts = {value: option.text for value, option in setting.choices.items()}
    box = kit.set_scaled_size(kit.ChoiceBox.of(texts), least_width=160)
    box.activated.connect(lambda _: choose(box.currentData()))
    return box


def _check_box(choose: Callable[[Any], None]) -> QCheckBox:
    box = kit.with_role(QCheckBox(), "bare")
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
    if isinstance(control, kit.ChoiceBox):
        control.setCurrentIndex(control.findData(value))
    elif isinstance(control, QCheckBox):
        control.setChecked(value)
    elif isinstance(control, IntBox):
        control.setValue(value)
    elif isinstance(control, QLineEdit):
        control.setText(value)


PAGES: Registry[PreferencesPage] = Registry(
    "workbench.ui.preferences", PreferencesPage, "page of the preferences", group="preferences"
)
