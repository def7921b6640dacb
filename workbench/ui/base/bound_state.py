"""The state of a panel or a page, bound to its controls: either shows every change of the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QWidget,
)

from workbench.core.setting import encode
from workbench.session.session import Session
from workbench.ui.base.panel_state import PanelState

S = TypeVar("S", bound=PanelState)
W = TypeVar("W", bound=QWidget)
# Seconds without a letter after which typed settings are written, and the most seconds that a
# letter waits for that.
_QUIET, _LONGEST_WAIT = 0.3, 3.0


def _nothing(value: Any) -> None:
    pass


@dataclass(frozen=True)
class Binding:
    """Controls that show a field.

    read : the value that they show; None while they show none
    show : shows a value; one that they can't show yet changes nothing
    want : tells the controls the value, to be shown once they can
    """

    controls: tuple[QWidget, ...]
    read: Callable[[], Any]
    show: Callable[[Any], None]
    want: Callable[[Any], None] = _nothing

    @property
    def focused(self) -> bool:
        """Whether a person uses one of the controls."""
        focused = QApplication.focusWidget()
        return focused is not None and any(
            control is focused or control.isAncestorOf(focused) for control in self.controls
        )


class BoundState(Generic[S]):
    """A state and its controls.

    ``changed`` gets the states before and after each change. While the text or the run of an opened
    session file is loading, the state stays as restored: only a control that has the focus, which a
    person uses, changes it; the others then show it again.
    """

    def __init__(self, kind: type[S], session: Session, changed: Callable[[S, S], None]) -> None:
        self._session = session
        self._changed = changed
        self.bindings: dict[str, Binding] = {}
        self._showing = False
        # Fields that are shown again when texts and runs are loaded.
        self._awaiting: set[str] = set()
        self.kind = kind
        self.value = kind().with_settings(session.settings)
        # Settings of typed fields to be written, and the times of the first and the last letter.
        self._typed: dict[str, Any] = {}
        self._typed_since = self._typed_at = 0.0

    # -- binding

    def bind(
        self,
        control: W,
        name: str,
        values: Sequence[Any] = (),
        by: Sequence[SignalInstance] | None = None,
    ) -> W:
        """Bind a control to a field, and show its value.

        values : of the tabs of a QTabBar; by : the signals of a person's changes, if not those of
        every control of its kind; none of a control whose content the panel itself takes over
        """
        binding, changes = _binding_of(control, values)
        self._add(name, binding, changes if by is None else by)
        return control

    def bind_buttons(self, buttons: Mapping[Any, QAbstractButton], name: str) -> None:
        """Bind the buttons of an exclusive group, by the value that each stands for."""

        def read() -> Any:
            checked = (value for value, button in buttons.items() if button.isChecked())
            return next(checked, None)

        def show(value: Any) -> None:
            if value in buttons:
                buttons[value].setChecked(True)

        binding = Binding(tuple(buttons.values()), read, show)
        self._add(name, binding, [button.toggled for button in buttons.values()])

    def bind_to(
        self,
        name: str,
        controls: QWidget | Sequence[QWidget],
        read: Callable[[], Any],
        show: Callable[[Any], None],
        *changes: SignalInstance,
    ) -> None:
        """Bind a control of another kind, or several that show a field together."""
        parts = (controls,) if isinstance(controls, QWidget) else tuple(controls)
        self._add(name, Binding(parts, read, show), changes)

    def _add(self, name: str, binding: Binding, changes: Sequence[SignalInstance]) -> None:
        assert name in self.kind.fields(), name
        self.bindings[name] = binding
        for control in binding.controls:
            control.setProperty("bound", True)
        binding.want(getattr(self.value, name))
        with self.showing():
            binding.show(getattr(self.value, name))
        for signal in changes:
            signal.connect(lambda *_: self.take(name))

    def take(self, *names: str) -> bool:
        """Take over the values that the controls of these fields show now; returns whether they
        have changed.
        """
        if self._showing:
            return False
        before, taken = self.value, {}
        for name in names:
            binding = self.bindings[name]
            if name not in self._awaiting or binding.focused:
                self._awaiting.discard(name)
                taken[name] = binding.read()
        known = {name: value for name, value in taken.items() if value is not None}
        self.put(replace(self.value, **known))
        return self.value != before

    # -- changes

    @contextmanager
    def showing(self) -> Iterator[None]:
        """Inside, controls can get other values or ranges, which don't change the state."""
        before, self._showing = self._showing, True
        try:
            yield
        finally:
            self._showing = before

    def change(self, value: S) -> None:
        """Set the state as ``put`` does, except the fields that texts and runs are loading for."""
        self.put(replace(value, **{name: getattr(self.value, name) for name in self._awaiting}))

    def put(self, value: S) -> None:
        """Set the state: the controls show it, and settings keep it."""
        before = self.value
        if value == before:
            return
        self.value = value
        fields = self.kind.fields()
        changed = [name for name in fields if getattr(value, name) != getattr(before, name)]
        for field in (fields[name] for name in changed):
            after = getattr(value, field.name)
            if field.setting is None:
                continue
            if field.typed:
                self._typed_at = time.monotonic()
                if not self._typed:
                    self._typed_since = self._typed_at
                self._typed[field.setting.key] = encode(after)
            else:
                self._session.settings[field.setting] = after
        self._show(changed)
        if not self._showing:
            self._changed(before, value)

    def restore(self, values: Mapping[str, Any]) -> None:
        """Set the fields that a session file contains as JSON, and those that settings keep; texts
        and runs may still be loading.
        """
        self._typed.clear()
        self._awaiting = set(self.kind.fields())
        self.put(self.value.with_settings(self._session.settings).with_json(values))

    def restore_fields(self, values: Mapping[str, Any]) -> None:
        """Set some fields, and those that settings keep, although texts and runs may be loading."""
        self._awaiting = set(values)
        self.put(replace(self.value.with_settings(self._session.settings), **values))

    def save_typed(self) -> None:
        """Write the settings of fields that were typed into."""
        if self._typed:
            self._session.settings.put(self._typed)
            self._typed = {}

    def tick(self) -> None:
        now = time.monotonic()
        waited = now - self._typed_at >= _QUIET or now - self._typed_since >= _LONGEST_WAIT
        if self._typed and waited:
            self.save_typed()
        if self._awaiting and not _is_loading(self._session):
            if self._show(self._awaiting):
                self._changed(self.value, self.value)
            self._awaiting = set()

    def take_over(self, *fields: str) -> None:
        """Let the program change some fields although texts and runs are still loading."""
        if not self._showing:
            self._awaiting.difference_update(fields)

    def _show(self, fields: Collection[str]) -> bool:
        """Show some fields; returns whether a control showed something else before."""
        different = self._show_once(fields)
        if different:
            # A control may have changed others.
            self._show_once(self.bindings)
        return different

    def _show_once(self, fields: Collection[str]) -> bool:
        different = False
        with self.showing():
            for name in fields:
                binding, value = self.bindings.get(name), getattr(self.value, name)
                if binding is None:
                    continue
                binding.want(value)
                if binding.read() != value:
                    binding.show(value)
                    different = True
        return different

    # -- by object name

    def field_of(self, name: str) -> str | None:
        """The field that the control with this object name shows."""
        for field, binding in self.bindings.items():
            if any(control.objectName() == name for control in binding.controls):
                return field
        return None


class StateHost:
    """A panel or a page with a state of its own. Subclasses declare its class and what follows from
    a change.
    """

    state_kind: ClassVar[type[PanelState]] = PanelState
    bound: BoundState[Any]

    @property
    def view_state(self) -> Any:
        """The state: everything that a person has chosen and typed here."""
        return self.bound.value

    @view_state.setter
    def view_state(self, state: Any) -> None:
        self.bound.change(state)

    def bind(
        self,
        control: W,
        field: str,
        values: Sequence[Any] = (),
        by: Sequence[SignalInstance] | None = None,
    ) -> W:
        """Bind a control to a field of the state (``BoundState.bind``); returns the control."""
        return self.bound.bind(control, field, values, by)

    def bind_controls(self, **controls: QWidget) -> None:
        """Bind a control to each of several fields."""
        for field, control in controls.items():
            self.bound.bind(control, field)

    def state_changed(self, before: Any, after: Any) -> None:
        """Called after each change of the state: the place to ask for what it needs."""


def _is_loading(session: Session) -> bool:
    shown = session.active.run
    return session.corpora.opening is not None or (
        shown is not None and shown.embeddings is None and shown.stored and shown.error is None
    )


def _binding_of(
    control: QWidget, values: Sequence[Any]
) -> tuple[Binding, tuple[SignalInstance, ...]]:
    """How a control shows a field, and the signals of its changes."""
    if isinstance(control, QTabBar):
        return _tabs(control, values)
    if isinstance(control, QComboBox):
        return _box(control)
    if isinstance(control, QLineEdit):
        # Return first: slots of a panel find the new state.
        changes = control.returnPressed, control.editingFinished
        return _simple(control, control.text, control.setText), changes
    if isinstance(control, QPlainTextEdit):
        text = _simple(control, control.toPlainText, control.setPlainText)
        return text, (control.textChanged,)
    if isinstance(control, QDoubleSpinBox):
        # Steps of 0.01 would give 0.060000000000000005.
        def read() -> float:
            return round(control.value(), control.decimals())

        return _simple(control, read, control.setValue), (control.valueChanged,)
    if isinstance(control, (QSpinBox, QAbstractSlider)):
        return _simple(control, control.value, control.setValue), (control.valueChanged,)
    if isinstance(control, QAbstractButton) and control.isCheckable():
        return _simple(control, control.isChecked, control.setChecked), (control.toggled,)
    raise TypeError(f"a {type(control).__name__} can’t be bound to a field")


def _simple(control: QWidget, read: Callable[[], Any], show: Callable[[Any], object]) -> Binding:
    def show_value(value: Any) -> None:
        show(value)

    return Binding((control,), read, show_value)


def _tabs(tabs: QTabBar, values: Sequence[Any]) -> tuple[Binding, tuple[SignalInstance, ...]]:
    def read() -> Any:
        at = tabs.currentIndex()
        return values[at] if 0 <= at < len(values) else None

    def show(value: Any) -> None:
        if value in values[: tabs.count()]:
            tabs.setCurrentIndex(values.index(value))

    return Binding((tabs,), read, show), (tabs.currentChanged,)


def _box(box: QComboBox) -> tuple[Binding, tuple[SignalInstance, ...]]:
    def read() -> Any:
        if box.isEditable():
            return box.currentText()
        data = box.currentData()
        return data if data is not None or box.currentIndex() < 0 else box.currentText()

    def want(value: Any) -> None:
        # The choices offered later may contain it.
        if hasattr(box, "wanted"):
            box.wanted = value

    def show(value: Any) -> None:
        at = box.findData(value)
        if at < 0 and isinstance(value, str):
            at = box.findText(value)
        if at >= 0:
            box.setCurrentIndex(at)
        elif box.isEditable():
            box.setEditText(str(value))

    changes = box.currentTextChanged if box.isEditable() else box.currentIndexChanged
    return Binding((box,), read, show, want), (changes,)
