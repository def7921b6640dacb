"""Values of a panel's named controls: saved in a session file, restored once the run is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

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
    QSpinBox,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from workbench.core.setting import Setting, encode
from workbench.session.session import Session
from workbench.ui.widgets.inputs.word_field import WordField
from workbench.ui.widgets.inputs.word_search import WordSearch

Kept = str | int | float | bool | list[str] | None
# Number of attempts: some controls can only be filled once something is computed.
_ATTEMPTS = 3
_LONGEST = 100_000
# Number of ticks between attempts while only hidden pages are left.
_RARELY = 15


def inputs(panel: QWidget, key: str) -> Iterator[tuple[str, QWidget]]:
    """The controls with a choice or a text, in the order of their creation, by their object names.

    Controls with the property ``passing``, which show a temporary state and not a choice, and parts
    of other widgets are left out.
    """
    for widget in panel.findChildren(QWidget):
        name = widget.objectName()
        if not name.startswith(f"{key}.") or widget.property("passing"):
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


def value_of(widget: QWidget) -> Kept:
    """The content of one of the ``inputs``."""
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
        # Steps of 0.01 would give 0.060000000000000005.
        return round(widget.value(), widget.decimals())
    if isinstance(widget, (QSpinBox, QAbstractSlider)):
        return widget.value()
    if isinstance(widget, QTabBar):
        return widget.currentIndex()
    if isinstance(widget, QAbstractButton) and widget.isCheckable():
        return widget.isChecked()
    return None


def put_value(widget: QWidget, value: Kept) -> None:
    """Fill in one of the ``inputs`` as if the value were typed or chosen; an impossible value
    changes nothing.
    """
    if isinstance(widget, QComboBox):
        at = widget.findData(value) if not isinstance(value, str) else _row(widget, value)
        if at >= 0:
            widget.setCurrentIndex(at)
            # Choices of a person; programs change the index without it.
            widget.activated.emit(at)
        elif widget.isEditable() and isinstance(value, str):
            widget.setEditText(value)
    elif isinstance(widget, QPlainTextEdit):
        if isinstance(value, str):
            widget.setPlainText(value)
    elif isinstance(widget, QLineEdit):
        if isinstance(value, str):
            widget.setText(value)
            # Searches use the current content, and are not started again.
            if isinstance(widget, WordField) or not isinstance(widget, WordSearch):
                if not isinstance(widget, WordField):
                    # Typing there would offer completions.
                    widget.textEdited.emit(value)
                    widget.returnPressed.emit()
                widget.editingFinished.emit()
    elif isinstance(widget, QAbstractButton):
        _put_button(widget, value)
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    elif isinstance(widget, QDoubleSpinBox):
        widget.setValue(value)
    elif isinstance(widget, (QSpinBox, QAbstractSlider)):
        widget.setValue(round(value))
    elif isinstance(widget, QTabBar) and 0 <= value < widget.count():
        widget.setCurrentIndex(round(value))


def _put_button(button: QAbstractButton, value: Kept) -> None:
    # A button of an exclusive group is only released by pressing another one.
    group = button.group()
    alone = group is None or not group.exclusive()
    if isinstance(value, bool) and button.isChecked() != value and (value or alone):
        button.click()


def _row(box: QComboBox, value: str) -> int:
    at = box.findData(value)
    if at >= 0:
        return at
    return box.findText(value)


class KeptInputs:
    """Restores the results of ``read`` at the ticks after a session file was opened."""

    def __init__(
        self, panel: QWidget, key: str, session: Session, idle: Callable[[], bool]
    ) -> None:
        self._panel = panel
        self._key = key
        self._session = session
        self._idle = idle
        self._wanted: dict[str, Kept] = {}
        self._left: dict[str, int] = {}
        self._at: object = None
        self._settings_stay = False
        # Whether everything is restored except controls on pages not shown yet.
        self._settled = False
        self._ticks = 0

    def read(self) -> dict[str, Kept]:
        """Values by object name, for a session file."""
        return {name: value_of(widget) for name, widget in self._inputs()}

    def _inputs(self) -> list[tuple[str, QWidget]]:
        """The controls that aren't bound to a state."""
        found = inputs(self._panel, self._key)
        return [(name, widget) for name, widget in found if not widget.property("bound")]

    def contents(self) -> dict[str, Kept]:
        """``read``, with the contents still to be restored in place of the present ones."""
        return self.read() | self._wanted

    def put(self, kept: object, *, settings_stay: bool = False) -> None:
        """Start restoring these values; anything that ``read`` would not return is ignored.

        settings_stay : whether the panel's settings stay as they are, because they were restored
        before: a restored content isn't a new choice
        """
        self._settings_stay = settings_stay
        self._wanted = {
            name: value
            for name, value in (kept.items() if isinstance(kept, Mapping) else ())
            if isinstance(name, str) and _is_valid(value)
        }
        self._left = dict.fromkeys(self._wanted, _ATTEMPTS)
        self._at = None
        self._settled = False

    def take_over(self, name: str) -> Kept:
        """The content of a control, or the content still to be restored; called before the control
        is set to another value, which then stays.
        """
        held = self.contents().get(name)
        self._wanted.pop(name, None)
        self._left.pop(name, None)
        return held

    def tick(self) -> None:
        if not self._wanted or self._is_waiting():
            return
        session = self._session
        shown = session.active.run
        loading = (
            shown is not None and shown.embeddings is None and shown.stored and shown.error is None
        )
        if session.corpora.opening is not None or loading:
            return
        # The user's input takes precedence over restored content.
        if self._at is not None and self._at != self._place():
            self._wanted = {}
            return
        words, focused = session.selection.words, self._panel.window().focusWidget()
        pending = self._put_wanted()
        if focused is not None and isValid(focused) and focused.isVisible():
            # Some choices move the focus to the next control.
            focused.setFocus()
        if session.selection.words != words:
            session.selection.select(words)
        self._at = self._place()
        # A panel that isn't visible computes nothing, and may get other values when it is first
        # shown; so may its pages.
        if not pending and self._panel.isVisible() and self._idle():
            self._settled = True
            self._wanted = {
                name: value
                for name, value in self._wanted.items()
                if self._page(name) is not None and not self._is_seen(name)
            }

    def _put_wanted(self) -> bool:
        """Fill in the controls that differ; returns whether there were any."""
        pending = False
        settings = {
            setting.key: encode(self._session.settings[setting])
            for setting in Setting.all()
            if setting.travels and setting.key.startswith(f"{self._key}.")
        }
        for name, widget in self._inputs():
            if name not in self._wanted or value_of(widget) == self._wanted[name]:
                continue
            if not _is_ready(widget, self._wanted[name]):
                continue
            if self._settled and not self._is_seen(name):
                # The same choice as that of a control on a visible page.
                del self._wanted[name]
            elif self._left[name]:
                self._left[name] -= 1
                pending = True
                put_value(widget, self._wanted[name])
        if pending and self._settings_stay:
            self._session.settings.put(settings)
        return pending

    def _is_waiting(self) -> bool:
        """Whether only pages not shown yet are left; they are checked from time to time."""
        if not self._settled or any(map(self._is_seen, self._wanted)):
            return False
        self._ticks += 1
        return self._ticks % _RARELY != 0

    def _page(self, name: str) -> QWidget | None:
        """The page of a control: "evaluate.odd" for "evaluate.odd.section"; None without pages."""
        key, _, local = name.partition(".")
        page, _, rest = local.partition(".")
        if not rest:
            return None
        return self._panel.findChild(QWidget, f"{key}.{page}")

    def _is_seen(self, name: str) -> bool:
        page = self._page(name)
        return page is None or page.isVisible()

    def _place(self) -> object:
        session = self._session
        return session.corpora.current, session.active.run, session.selection.words


def _is_ready(widget: QWidget, value: Kept) -> bool:
    """Whether a control can take a value; some get their choices or range only when their page is
    shown, or from a job.
    """
    if isinstance(widget, QComboBox):
        return widget.isEditable() or widget.count() > 0
    if not isinstance(value, (int, float)):
        return True
    if isinstance(widget, (QSpinBox, QDoubleSpinBox, QAbstractSlider)):
        return widget.minimum() <= value <= widget.maximum()
    return True


def _is_valid(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    if isinstance(value, str):
        return len(value) <= _LONGEST
    return value is None or isinstance(value, (bool, int, float))
