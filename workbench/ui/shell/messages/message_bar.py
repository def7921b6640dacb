"""Messages that float above the status bar, one at a time."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QClipboard, QGuiApplication, QHideEvent
from PySide6.QtWidgets import QLabel, QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.plain_text import RichLabel, visible_text
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, Theme
from workbench.ui.shell.messages.toast import STAY_MS, FloatingCard

# A long name, such as that of a file in the cache, without a place for a line break; and its parts,
# each of which fits in every card.
_NAME, _PART = re.compile(r"[^\s/]{20,}"), re.compile(r".{10}(?=.)")
_BREAK = "\u200b"


class MessageBar(FloatingCard):
    """Shows one message at a time, the latest. A message stays until it is closed or its button is
    pressed; a mere confirmation disappears by itself.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("activity.message.box")
        self._is_error = False
        self._action: Callable[[], object] | None = None
        self._holds: Callable[[], bool] = lambda: True
        self.details = ""
        self._shown = ""
        self.leaving = QTimer(self)
        self.leaving.setSingleShot(True)
        self.leaving.setInterval(STAY_MS)
        self.leaving.timeout.connect(self._leave)
        self._icon = kit.label()
        self._text = RichLabel()
        self._text.setObjectName("activity.message")
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        QGuiApplication.clipboard().changed.connect(self._clean_copy)
        self._button = kit.button(name="activity.message.action", pressed=self._run_action)
        self._copy = kit.button(
            tr("Copy details"),
            role="quiet",
            name="activity.message.details",
            pressed=lambda: QGuiApplication.clipboard().setText(self.details),
        )
        close = kit.icon_button(theme, "close", "muted", role="quiet", pressed=self.hide)
        close.setObjectName("activity.message.close")
        close.setAccessibleName(tr("Close the message"))
        close.setToolTip(tr("Close the message"))
        message = kit.row(kit.at_top(self._icon), kit.stretch(self._text), kit.at_top(close))
        answers = kit.row(self._button, self._copy, kit.stretch())
        margins = (SPACE_3, SPACE_2, SPACE_2, SPACE_2)
        kit.fill(self, kit.column(message, answers, gap=SPACE_1, margins=margins))
        theme.changed.connect(self._retheme)
        self._retheme()
        self.hide()

    @property
    def text(self) -> str:
        return self._text.accessibleName()

    def show_message(
        self,
        text: str,
        hint: str = "",
        is_error: bool = False,
        button: str = "",
        action: Callable[[], object] | None = None,
        details: str = "",
        holds: Callable[[], bool] = lambda: True,
    ) -> None:
        """Show a message with a hint and optionally a button, for as long as ``holds`` is true."""
        self._is_error = is_error
        self._holds = holds
        self._action = action
        self.details = details
        self._shown = text
        plain = f"{text} {hint}".strip()
        self._text.setAccessibleName(plain)
        rich = _escape_html(text)
        if hint:
            rich = f"<b>{rich}</b> {_escape_html(hint)}"
        # Not by ``RichLabel``, which would make the marks for line breaks visible.
        QLabel.setText(self._text, rich)
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self._copy.setVisible(bool(details))
        self._retheme()
        self.show()
        self.changed.emit()
        if is_error or button or details:
            self.leaving.stop()
        else:
            self.leaving.start()

    def _leave(self) -> None:
        """Disappear, unless the user is reading the message or looking at something else."""
        if self.is_pointed_at or not self.window().isActiveWindow():
            self.leaving.start()
        else:
            self.hide()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.leaving.stop()
        self.changed.emit()

    def retract(self, text: str) -> None:
        """Hide the message with this text, which no longer applies."""
        if self._shown == text:
            self.hide()

    def hide_outdated(self) -> None:
        """Hide a message that no longer applies."""
        if self.isVisible() and not self._holds():
            self.hide()

    def _run_action(self) -> None:
        action = self._action
        self.hide()
        if action is not None:
            action()

    def _clean_copy(self, mode: QClipboard.Mode) -> None:
        """Remove the marks for line breaks from a name copied from a message."""
        selected = self._text.selectedText()
        if _BREAK not in selected:
            # Copies by other programs aren't read: a program that hangs would block the window.
            return
        clipboard = QGuiApplication.clipboard()
        if clipboard.text(mode) == selected:
            clipboard.setText(selected.replace(_BREAK, ""), mode)

    def _retheme(self) -> None:
        if self._is_error:
            kind, role = ("warning", "danger")
        else:
            kind, role = ("info", "muted")
        self._icon.setPixmap(self.theme.icon(kind, role).pixmap(16, 16))


def _escape_html(text: str) -> str:
    """A text as HTML, with invisible marks for line breaks in names but not in words."""
    return html.escape(_NAME.sub(_breakable_name, visible_text(text)), quote=False)


def _breakable_name(found: re.Match[str]) -> str:
    if found[0].strip("“”(),.;:…").isalpha():
        return found[0]
    return _PART.sub(lambda part: part[0] + _BREAK, found[0])
