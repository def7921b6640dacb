"""Base class of panels, and their context. A panel is a package in ``workbench/ui/panels``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeGuard, TypeVar

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QStackedLayout,
    QWidget,
)

from workbench.core.events import Arguments
from workbench.core.events import Signal as Event
from workbench.core.language import tr
from workbench.session.corpus.counts_params import trainable_names
from workbench.session.runs.groups import has_runs_of
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.bound_state import BoundState, StateHost
from workbench.ui.base.boxes import add, column, fill, stretch
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.notice import Notice, NoticeText
from workbench.ui.base.origin_mark import OriginMark
from workbench.ui.base.panel_frame import PanelFrame
from workbench.ui.base.panel_kind import PANELS, PanelKind, PanelPage
from workbench.ui.base.panel_states import PanelStates
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.base.scaling import text_factor
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.theme import Theme
from workbench.ui.shell.window_manager import Desk

W = TypeVar("W", bound=QWidget)
_WIDEST_MINIMUM = QSize(600, 240)
# Property of a field or a button whose words a presentation shows: they are content.
SHOWN_WORDS = "shown_words"


@dataclass(frozen=True)
class PanelContext:
    """Services for a panel: the session, the timer, the theme. Panels never see each other.

    Each window has a context of its own; further windows get the first window's desk.
    """

    session: Session
    bridge: Bridge
    theme: Theme
    shared: Desk | None = None

    @cached_property
    def desk(self) -> Desk:
        """Objects that all windows share: those of the first window, or new ones."""
        return self.shared or Desk(self.session, self.theme, PANELS)


class Panel(PanelKind, StateHost, QWidget):
    """A view on the session.

    Subclasses derive from their declaration, too. They build their widgets into ``self.body`` and
    call ``show_body``, ``show_empty``, ``show_busy`` or ``show_error``: the states that every panel
    has.
    """

    # Emitted when the panel should come to the front, for example because an action opened it.
    raise_requested = Signal()

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"panel.{self.key}")
        self.setAccessibleName(self.title)
        self.context = context
        self.session = context.session
        self.theme = context.theme
        self.bound = BoundState(self.state_kind, self.session, self.state_changed)
        self._followed: list[tuple[Event[*tuple[Any, ...]], Callable[..., Any]]] = []
        self._ticking: list[Callable[[], None]] = []
        self._wishes: dict[str, QAction] = {}
        # The text of ``show_untrained``, while it is shown.
        self._untrained: tuple[str, ...] | None = None
        self.body = QWidget()
        self._frame = PanelFrame(self.body)
        self._notice = Notice(self.key)
        self.origin = OriginMark(self.key, self.session, self.theme)
        self._pages = QStackedLayout()
        self._column = column(self.origin, stretch(self._pages), gap=0)
        fill(self, self._column)
        # Not before: a stack without a parent shows its page as a window.
        add(self._pages, self._frame, self._notice)
        self.states = PanelStates(self.key, self.bound)
        for name, method in self.requests.items():
            self.follow(getattr(self.session.requests, name), partial(self._carry_out, method))
        self.on_tick(self._update_origin)
        self.on_tick(self.states.tick)

    def _carry_out(self, method: str, *arguments: object) -> None:
        """Carry out a request of another panel, if this is the window in which it was made."""
        if self.context.desk.is_front(self.context):
            getattr(self, method)(*arguments)

    def drawn_runs(self) -> Sequence[RunRecord]:
        """The runs drawn; a line above names those not trained on the open text. Called at every
        tick; a panel that draws other runs than the active one, or draws no runs, overrides it.
        """
        if self.session.active.run is None:
            return ()
        return (self.session.active.run,)

    def place_origin(self, title: QBoxLayout | None, at: int = 0) -> None:
        """State where the model is from: in the title of a dock, or else above the content."""
        (self._column if title is None else title).insertWidget(
            at, self.origin, 0 if title is None else 1
        )
        self.origin.lie_in_title(title is not None)

    def _update_origin(self) -> None:
        if self.isVisible():
            # Of the panels side by side, only the one in the centre says that a text is unknown.
            unknown = self.area == "centre"
            self.origin.show_runs(self.drawn_runs(), self.shows_rebuilt, unknown)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_origin()

    def minimumSizeHint(self) -> QSize:
        """Minimum size that leaves room for neighbouring panels: a panel smaller than its content
        scrolls.
        """
        # The larger the text, the sooner it scrolls: the screen does not grow with it.
        return self.body.minimumSizeHint().boundedTo(_WIDEST_MINIMUM / max(text_factor(), 1.0))

    def named(self, widget: W, local: str, accessible: str, tip: str = "") -> W:
        """Give a widget its stable object name ``panel.widget``, accessible name and tooltip."""
        widget.setObjectName(f"{self.key}.{local}")
        widget.setAccessibleName(accessible)
        if tip:
            widget.setToolTip(safe_tip(tip))
        return widget

    def follow(self, event: Event[*Arguments], slot: Callable[[*Arguments], Any]) -> None:
        """Call ``slot`` on an event of the session until the panel is released."""
        event.connect(slot)
        self._followed.append((event, slot))

    def take_focus(self) -> None:
        """Move the focus to the panel's main control and show it; do nothing if the panel already
        has the focus.
        """
        focused = QApplication.focusWidget()
        # Qt counts a widget among its own ancestors.
        if focused not in (None, self) and self.isAncestorOf(focused):
            return
        reason = Qt.FocusReason.ShortcutFocusReason
        self.setFocus(reason)
        first: QWidget | None = None
        if self.entry:
            first = self.findChild(QWidget, f"{self.key}.{self.entry}")
        if first is None or not first.isVisible():
            first = self._first_control()
        if first is not None:
            first.setFocus(reason)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus as Qt does, but keep it in the panel if the focused control was hidden or
        disabled.
        """
        before = self.window().focusWidget()
        moved = super().focusNextPrevChild(forward)
        if (
            self._holds(before)
            and self.isVisible()
            and not (before.isVisible() and before.isEnabled())
        ):
            self._bring_back()
        return moved

    def _holds(self, widget: QWidget | None) -> TypeGuard[QWidget]:
        return widget is not None and (widget is self or self.isAncestorOf(widget))

    def _bring_back(self) -> None:
        """Return the focus to the panel if Qt has moved it elsewhere or to an invisible widget."""
        now = self.window().focusWidget()
        if now is self or not self._holds(now) or not now.isVisible():
            self.take_focus()

    def _turn_to(self, page: QWidget) -> None:
        """Switch to the body or the notice."""
        before = self.window().focusWidget()
        self._pages.setCurrentWidget(page)
        if self._holds(before) and self.isVisible():
            self._bring_back()

    def offered_pages(self) -> Sequence[PanelPage]:
        """The pages that the panel can show now."""
        return self.fixed_pages or ()

    def show_page(self, key: str) -> None:
        """Show one of ``offered_pages``."""

    def set_presented(self, on: bool) -> None:
        """Called when a presentation shows the panel as a slide, and when it ends."""

    def exporters(self) -> Sequence[Exporter]:
        """What the panel can save now, the most important first."""
        return ()

    def _first_control(self) -> QWidget | None:
        """The first control of the panel that Tab reaches, in the order in which they were
        added.
        """
        # Not by nextInFocusChain(): PySide6 treats the widget that it returns as a child of the
        # one before, and as deleted when that one is.
        for widget in self.findChildren(QWidget):
            by_tab = self.isAncestorOf(widget) and bool(
                widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            )
            if by_tab and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None:
                group = widget.group() if isinstance(widget, QAbstractButton) else None
                # Of buttons that choose a page, the chosen one, which Tab would reach, too.
                return (group.checkedButton() if group is not None else None) or widget
        return None

    def on_tick(self, slot: Callable[[], None]) -> None:
        """Call ``slot`` some 30 times a second until the panel is released."""
        self.context.bridge.tick.connect(slot)
        self._ticking.append(slot)

    def release(self) -> None:
        """Disconnect from the session and from the panel's own jobs, and start no more. The window
        calls it before it closes.
        """
        self.states.save_typed()
        for timer in self.findChildren(QTimer):
            timer.stop()
        for event, slot in self._followed:
            event.disconnect(slot)
        self._followed.clear()
        for tick in self._ticking:
            self.context.bridge.tick.disconnect(tick)
        self._ticking.clear()
        self.session.undo.forget(self)
        self.session.jobs.drop_all(self.key)

    @property
    def idle(self) -> bool:
        """Whether nothing is being computed for this panel (screenshots wait for it)."""
        return not self.session.jobs.busy(self.key)

    def saved_results(self) -> dict[str, Any]:
        """Results in a session file that would take long to compute again: JSON and numpy arrays of
        numbers.
        """
        return {}

    def restore_results(self, kept: Mapping[str, Any]) -> None:
        """Restore ``saved_results``; the settings already come from the file. ``kept`` may contain
        any values of these types.
        """

    def session_state(self) -> dict[str, Any]:
        """What a session file contains of the panel: its results and its states."""
        return {**self.saved_results(), **self.states.to_json()}

    def restore_session_state(self, kept: Mapping[str, Any]) -> None:
        """Restore the ``session_state`` of a session file that was opened."""
        self.restore_results(kept)
        self.states.restore(kept)

    def window_action(self, key: str, text: str) -> QAction:
        """A button of an empty panel, less prominent than others, that runs the window's action
        with this key.
        """
        if key not in self._wishes:
            self._wishes[key] = action = QAction(menu_text(text), self)
            action.setProperty("quiet", True)
            action.triggered.connect(lambda: self.context.bridge.action_requested.emit(key))
        return self._wishes[key]

    def first_step(self) -> QAction:
        """The button for the first step to a model: to open a text, or to train on the open one."""
        if self.session.corpora.current is None:
            return self.window_action("file.open", tr("Open files…"))
        return self.window_action("train.start", tr("Train"))

    def lacks_text(self) -> bool:
        """Whether only counts are open where the text itself is needed; if so, show a message."""
        counted = self.session.corpora.counts
        if counted is None:
            return False
        self.show_empty(
            tr("Only counts are open"),
            tr(
                "{name} contains counts only. This panel needs the original text: open it.",
                name=counted.name,
            ),
            self.window_action("file.open", tr("Open files…")),
        )
        return True

    def show_untrained(self, title: str, then: str) -> None:
        """Show that there is no model yet: the first thing to do, with its button, and ``then`` the
        result.
        """
        if self._untrained is None:
            for event in (self.session.corpora.changed, self.session.runs.changed):
                self.follow(event, self._show_untrained_notice)
        self._untrained = (title, then)
        self._show_untrained_notice()

    def show_no_vectors(self, record: RunRecord | None, title: str, then: str) -> bool:
        """Show that the vectors of a run are being loaded or, if it has none, what to do for a
        model (``show_untrained``). Returns whether they are being loaded.
        """
        loading = record is not None and record.stored and record.error is None
        if loading:
            self.show_busy(tr("Loading the vectors…"))
        else:
            self.show_untrained(title, then)
        return loading

    def _show_untrained_notice(self) -> None:
        if not self._untrained:
            return
        title, then = self._untrained
        session = self.session
        action = None
        if session.training.current is not None:
            first = tr("Wait until {name} is trained.", name=session.training.current.name)
        elif session.corpora.opening is not None:
            first = tr("The text is loading. Press Train when it is open.")
        elif session.corpora.current is None:
            first, action = tr("First open a text and train a model on it."), self.first_step()
        else:
            first = tr("Press Train.")
            if has_runs_of(session.corpora.current, session.runs):
                first = tr("Choose a run at the top of the window, or train another.")
            elif session.corpora.counts is not None:
                first = tr("Train {algorithms} from the open counts.", algorithms=trainable_names())
            action = self.first_step()
        self._show_notice(title, f"{first} {then}", action)

    def show_body(self) -> None:
        self._clear_untrained()
        self._turn_to(self._frame)

    def show_empty(self, title: str, hint: str, action: QAction | None = None) -> None:
        """Show an instruction, with a button for ``action``."""
        self._clear_untrained()
        self._show_notice(title, hint, action)

    def _show_notice(self, title: str, hint: str, action: QAction | None) -> None:
        self._put_notice(NoticeText(title, hint, action))

    def _put_notice(self, notice: NoticeText) -> None:
        self._notice.put(notice)
        self._turn_to(self._notice)

    def _clear_untrained(self) -> None:
        if self._untrained:
            self._untrained = ()

    def show_busy(
        self,
        title: str,
        hint: str = "",
        fraction: float | None = None,
        cancel: QAction | None = None,
    ) -> None:
        """Show the current work, its progress, and a way to stop it."""
        self._clear_untrained()
        self._put_notice(NoticeText(title, hint, cancel, fraction, busy=True))

    def show_error(self, message: str, hint: str, action: QAction | None = None) -> None:
        """Show a problem and its solution."""
        self._clear_untrained()
        self._put_notice(NoticeText(message, hint, action, is_error=True))

    @property
    def state(self) -> str:
        """ "body", "empty", "busy" or "error"."""
        if self._pages.currentWidget() is self._frame:
            return "body"
        return self._notice.kind

    @property
    def lack(self) -> str:
        """What is missing: the title of the notice, "" while the body is shown."""
        return "" if self.state == "body" else self._notice.title
