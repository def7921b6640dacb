"""The declared actions of one window as QActions with their keys; each runs or says why it
can't.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.ui.base.action import Action, ChoiceEntry, Choices, Declared, Target, set_action_key
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.commands.field_keys import FieldKeys
from workbench.ui.commands.registry import Known
from workbench.ui.commands.run_targets import RunTarget, runs_in_hand
from workbench.ui.shell.panel_window import PanelWindow


class Commands(QObject):
    """Commands of a window; ``run`` is the only way to run one."""

    def __init__(self, window: PanelWindow) -> None:
        super().__init__(window)
        self._window = window
        self.desk = window.context.desk
        self.shortcuts = self.desk.shortcuts
        self._qt_actions: dict[str, QAction] = {}
        # The last message that an action isn't available.
        self._refusal = ""
        for key, known in self.shortcuts.actions.items():
            if isinstance(known.action, Action):
                self._qt_actions[key] = self._make(known, known.action)
        self._fields = FieldKeys(window, self._window_keys)
        self._put_keys()
        self.shortcuts.changed.connect(self._put_keys)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    def release(self) -> None:
        self.shortcuts.changed.disconnect(self._put_keys)

    def retract_refusal(self) -> None:
        """Hide the message that an action isn't available: its reason may no longer hold."""
        if self._refusal:
            self._window.session.message.retracted.emit(self._refusal)
            self._refusal = ""

    # -- queries

    @property
    def actions(self) -> Sequence[Known]:
        return tuple(self.shortcuts.actions.values())

    def declaration(self, key: str) -> Declared:
        return self.shortcuts.actions[key].action

    def qaction(self, key: str) -> QAction:
        """The QAction of an action, the same for menus, buttons and keys."""
        return self._qt_actions[key]

    def why_not(self, key: str) -> str:
        """The reason why an action isn't available now, or ""."""
        action = self.declaration(key)
        if isinstance(action, Action):
            return action.why_not(self.target(key))
        return ""

    def text(self, key: str) -> str:
        """The current text of an action."""
        action = self.declaration(key)
        if isinstance(action, Action) and action.label is not None:
            return action.label(self.target(key))
        return action.text

    def entries(self, key: str) -> Sequence[ChoiceEntry]:
        """The current entries of a declaration of choices."""
        action = self.declaration(key)
        if isinstance(action, Choices):
            return action.entries(self.target(key))
        return ()

    def target(self, key: str) -> Target:
        """The target of an action."""
        known = self.shortcuts.actions[key]
        if known.panel is not None:
            return self._window.docks[known.panel.key].panel
        if known.subject == "run":
            return RunTarget(self._window, self._window.context, runs_in_hand(self._window))
        return self._window

    # -- running actions

    def run(self, key: str) -> None:
        """Run an action, or report why it isn't available."""
        action = self.declaration(key)
        assert isinstance(action, Action)
        known, reason = self.shortcuts.actions[key], self.why_not(key)
        if reason:
            self._refusal = tr("“{text}” isn’t available right now.", text=action.text.rstrip("…"))
            self._window.session.message.emit(self._refusal, reason, False)
            return
        self.desk.uses.note(key)
        what = partial(action.run, self.target(key))
        if known.panel is not None and action.raises:
            self._do_in(known.panel.key, what)
        else:
            self._do(what)

    def choose(self, key: str, entry: ChoiceEntry) -> None:
        """Run an entry of choices."""
        choices, known = self.declaration(key), self.shortcuts.actions[key]
        if entry.why_not:
            self._window.session.message.emit(
                tr("“{text}” isn’t available right now.", text=entry.text), entry.why_not, False
            )
            return
        self.desk.uses.note(f"{key}:{entry.key}")
        if known.panel is not None and isinstance(choices, Choices) and choices.raises:
            self._do_in(known.panel.key, entry.run)
        else:
            self._do(entry.run)

    def _do_in(self, panel: str, what: Callable[[], object]) -> None:
        """Run it with its panel in front. The focus stays where it is unless the panel covers
        it.
        """
        focused = QApplication.focusWidget()
        self._window.show_panel(panel)
        self._do(what)
        if focused is None or not focused.isVisible():
            self._window.docks[panel].panel.take_focus()

    def _do(self, what: Callable[[], object]) -> None:
        try:
            what()
        except UserError as error:
            self._window.session.message.report(error)

    # -- the QActions

    def _make(self, known: Known, action: Action) -> QAction:
        qt_action = QAction(menu_text(action.text), self._window)
        qt_action.setObjectName(f"action.{action.key}")
        qt_action.setToolTip(safe_tip(action.description))
        qt_action.setStatusTip(safe_tip(action.description))
        set_action_key(qt_action, action.key)
        if action.checked is not None:
            qt_action.setCheckable(True)
        if action.icon:
            qt_action.setIcon(self._window.context.theme.icon(action.icon, "text"))
            qt_action.setIconVisibleInMenu(False)
        qt_action.triggered.connect(lambda _=False, key=action.key: self.run(key))
        if known.subject != "run":
            # Shortcuts of actions on runs belong to the lists of runs, which set them themselves.
            if known.panel is not None and action.local:
                qt_action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                self._window.docks[known.panel.key].addAction(qt_action)
            else:
                self._window.addAction(qt_action)
        return qt_action

    def refresh(self, key: str) -> None:
        """Update text, tick and availability; called when a menu opens."""
        action, qt_action = self.declaration(key), self._qt_actions[key]
        assert isinstance(action, Action)
        if self.sleeps(key):
            reason = ""
        else:
            reason = self.why_not(key)
            text = menu_text(self.text(key))
            if qt_action.text() != text:
                qt_action.setText(text)
            if action.checked is not None:
                qt_action.setChecked(action.checked(self.target(key)))
        qt_action.setEnabled(not reason)
        qt_action.setToolTip(safe_tip(f"{action.description} {reason}".strip()))

    def wake(self, key: str) -> None:
        """Enable the keys of an action again, whatever its menu showed: if pressed, they at least
        report why the action isn't available.
        """
        self._qt_actions[key].setEnabled(True)

    def sleeps(self, key: str) -> bool:
        """Whether the action belongs to a panel that hasn't been created, and needn't be just to
        show its menu.
        """
        panel = self.shortcuts.actions[key].panel
        return panel is not None and not self._window.docks[panel.key].is_made

    # -- keys

    def _put_keys(self) -> None:
        every = self.shortcuts.all()
        for key, qt_action in self._qt_actions.items():
            if self.shortcuts.scope(key) == "run":
                # Shown in menus only.
                qt_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            qt_action.setShortcuts([QKeySequence(keys) for keys in every[key]])
        self._yielded: list[str] = []
        self._own_keys = {
            QKeySequence(keys).toString()
            for key, held in every.items()
            if self.shortcuts.scope(key) == "window"
            for keys in held
        }
        self._focus_changed(None, QApplication.focusWidget())

    def _window_keys(self) -> set[str]:
        return self._own_keys

    def _focus_changed(self, _: QWidget | None, now: QWidget | None) -> None:
        """Let the keys of the focused panel take precedence over the window's: Qt would ignore both
        of two equal shortcuts.
        """
        here = self._window.panel_of(now) if now is not None else ""
        self._fields.watch(now)
        every = self.shortcuts.all()
        own = {
            keys
            for key, held in every.items()
            if here and self.shortcuts.scope(key) == here
            for keys in held
        }
        yielding = [
            key
            for key, held in every.items()
            if self.shortcuts.scope(key) == "window" and own.intersection(held)
        ]
        if yielding != self._yielded:
            for key in {*yielding, *self._yielded}:
                keys = [each for each in every[key] if key not in yielding or each not in own]
                self._qt_actions[key].setShortcuts([QKeySequence(each) for each in keys])
            self._yielded = yielding
