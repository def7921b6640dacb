"""A short tour of the window: bubbles that point at real widgets; it can be left at any time.

Its stops are in ``resources/tour.toml``. The tour is offered and never starts by itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from workbench.core.errors import UserError
from workbench.core.folders import resources
from workbench.core.language import localised_path, tr
from workbench.ui.base.panel import PanelContext
from workbench.ui.shell.messages.bubble import Bubble, BubbleButton


@dataclass(frozen=True)
class Stop:
    """One stop of the tour; see ``resources/tour.toml`` for what the fields mean."""

    panel: str
    widgets: tuple[str, ...]
    title: str
    text: str


@cache
def stops() -> tuple[Stop, ...]:
    """The stops in their order. Raises UserError if the file isn't valid."""
    path = localised_path(resources() / "tour.toml")
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))["stop"]
        found = tuple(
            Stop(
                str(entry["panel"]),
                tuple(map(str, entry["widgets"])),
                entry["title"],
                entry["text"],
            )
            for entry in read
        )
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise UserError(
            tr("Couldn’t read the tour ({error}).", error=error),
            tr("Reinstall Embedding Workbench."),
        ) from error
    return found


class Tour(QObject):
    """Goes through the stops whose widgets are visible. ``raise_panel`` brings a panel to the front
    by its key.

    Esc, its buttons or a click elsewhere end the tour; a click on the target has its usual effect,
    and continues the tour.
    """

    def __init__(
        self, window: QMainWindow, context: PanelContext, raise_panel: Callable[[str], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._raise = raise_panel
        self._at = -1
        self._before: QWidget | None = None
        self.bubble = Bubble("tour", context.theme)
        self.bubble.left.connect(self.end)

    @property
    def running(self) -> bool:
        return self._at >= 0

    def start(self) -> None:
        """Start at the first stop."""
        if self.running:
            self.end()
        self._before = QApplication.focusWidget()
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self._context.bridge.tick.connect(self._follow)
        self._show_stop(0, 1)

    def end(self) -> None:
        """End the tour; the focus returns to its previous widget, or if that is hidden, to the last
        panel.
        """
        if not self.running:
            return
        last = stops()[self._at].panel
        self._at = -1
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(self)
        self._context.bridge.tick.disconnect(self._follow)
        self.bubble.leave()
        before, self._before = self._before, None
        try:
            if before is not None and before.isVisible():
                before.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        except RuntimeError:
            # The focused widget no longer exists.
            pass
        if last:
            self._raise(last)

    def release(self) -> None:
        """End the tour when the window closes."""
        self.end()
        self.bubble.ring.deleteLater()
        self.bubble.deleteLater()

    def next(self) -> None:
        self._show_stop(self._at + 1, 1)

    def back(self) -> None:
        self._show_stop(self._at - 1, -1)

    def _show_stop(self, to: int, step: int) -> None:
        """Show a stop, or the next one in this direction whose widget is visible; beyond the last
        one, the tour ends.
        """
        every = stops()
        while 0 <= to < len(every):
            stop = every[to]
            if stop.panel:
                self._raise(stop.panel)
            target = self._find_target(stop)
            if target is not None:
                self._show(to, stop, target)
                return
            to += step
        self.end()

    def _find_target(self, stop: Stop) -> QWidget | None:
        for name in stop.widgets:
            for host in (self._window, *QApplication.topLevelWidgets()):
                widget = host.findChild(QWidget, name)
                if widget is not None and widget.isVisible():
                    return widget
        return None

    def _show(self, to: int, stop: Stop, target: QWidget) -> None:
        self._at = to
        last = to == len(stops()) - 1
        choices = [BubbleButton("back", tr("Back"), self.back)] if to else []
        choices.append(
            BubbleButton(
                "next",
                tr("Done") if last else tr("Next"),
                self.end if last else self.next,
                "primary",
            )
        )
        self.bubble.show_text(
            stop.title,
            stop.text,
            choices,
            tr("{place} of {number} · Esc to leave", place=to + 1, number=len(stops())),
        )
        self.bubble.point_at(target, focus=True)

    def _follow(self) -> None:
        target = self.bubble.target
        if target is not None and target.isVisible():
            self.bubble.keep_place()
            return
        # The target is hidden, like the Train button during a training: point at its panel instead.
        stop = stops()[self._at]
        found = self._find_target(stop)
        if found is None:
            self.end()
        else:
            self.bubble.point_at(found, focus=False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            if isinstance(event, QMouseEvent) and isinstance(watched, QWidget):
                self._button_pressed(event.globalPosition().toPoint(), watched)
        elif kind == QEvent.Type.ShortcutOverride:
            if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
                # Otherwise the window would handle the event.
                event.accept()
                return True
        elif (
            kind == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            self.end()
            return True
        return False

    def _button_pressed(self, at: QPoint, watched: QWidget) -> None:
        bubble, target = self.bubble, self.bubble.target
        if watched is bubble or bubble.isAncestorOf(watched):
            return
        if target is not None and target.rect().contains(target.mapFromGlobal(at)):
            return
        self.end()
