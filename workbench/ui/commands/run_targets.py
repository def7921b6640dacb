"""Targets of the actions on runs, and the keys of the lists of runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.action import Action, set_action_key
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.plain_text import menu_text, safe_tip

_RUNS = "runs_in_hand"


@dataclass(frozen=True)
class RunTarget:
    """The runs that an action applies to.

    widget : parent of dialogs; if it is a list with ``edit(record)``, runs are renamed in the list
    """

    widget: QWidget
    context: PanelContext
    records: tuple[RunRecord, ...]

    @property
    def session(self) -> Session:
        return self.context.session

    @property
    def one(self) -> RunRecord | None:
        """The run, if there is exactly one."""
        if len(self.records) == 1:
            return self.records[0]
        return None


def runs_in_hand(window: QWidget) -> tuple[RunRecord, ...]:
    """The runs chosen in the list that has the focus, or else the active one.

    A list of runs has a method ``runs_in_hand() -> Sequence[RunRecord]``.
    """
    widget = QApplication.focusWidget()
    while widget is not None:
        find = getattr(widget, _RUNS, None)
        if callable(find):
            return tuple(find())
        widget = widget.parentWidget()
    session: Session | None = getattr(window, "session", None)
    if session is not None and session.active.run is not None:
        return (session.active.run,)
    return ()


class RunKeys(QObject):
    """Gives a list of runs the current shortcuts of the actions on runs."""

    def __init__(
        self, widget: QWidget, context: PanelContext, find: Callable[[], Sequence[RunRecord]]
    ) -> None:
        super().__init__(widget)
        self._widget, self._context, self._find = widget, context, find
        self._qt_actions: dict[str, QAction] = {}
        shortcuts = context.desk.shortcuts
        for key, known in shortcuts.actions.items():
            if known.subject == "run" and isinstance(known.action, Action):
                qt_action = QAction(menu_text(known.action.text), widget)
                qt_action.setToolTip(safe_tip(known.action.description))
                qt_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
                qt_action.triggered.connect(lambda _=False, action=known.action: self._run(action))
                set_action_key(qt_action, key)
                widget.addAction(qt_action)
                self._qt_actions[key] = qt_action
        shortcuts.changed.connect(self._update_keys)
        widget.destroyed.connect(_Leaving(shortcuts.changed.disconnect, self._update_keys))
        self._update_keys()

    def _update_keys(self) -> None:
        every = self._context.desk.shortcuts.all()
        for key, action in self._qt_actions.items():
            action.setShortcuts([QKeySequence(keys) for keys in every[key]])

    def _run(self, action: Action) -> None:
        target = RunTarget(self._widget, self._context, tuple(self._find()))
        reason = action.why_not(target)
        if reason:
            self._context.session.message.emit(
                tr("“{text}” isn’t available right now.", text=action.text.rstrip("…")),
                reason,
                False,
            )
        else:
            self._context.desk.uses.note(action.key)
            action.run(target)


class _Leaving:
    """Calls ``leave(slot)`` when a widget is destroyed, without a reference to the widget."""

    def __init__(
        self, leave: Callable[[Callable[[], None]], None], slot: Callable[[], None]
    ) -> None:
        self._leave, self._slot = leave, slot

    def __call__(self) -> None:
        self._leave(self._slot)
