"""Whether one is told when long work has ended, and how."""

from __future__ import annotations

from PySide6.QtWidgets import QSystemTrayIcon

from workbench.ui.notices import LONG, SETTING
from workbench.ui.preferences.page import Page


class NotificationsPage(Page):
    key = "notifications"
    title = "Notifications"
    order = 20

    def build(self) -> None:
        here = QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()
        how = "by a notification of the system" if here else "by the mark that asks for attention"
        self._on = self.tick(
            "Tell when long work has ended",
            f"Whatever took more than {LONG:.0f} s, a training, reading, a map or an export, is told {how} and in the "
            "window, but only while you look at something else.",
            "notices",
            lambda on: self.session.settings.set(SETTING, on),
        )
        self.button(
            "Try it", "Show what a notice looks like in this window.", "notices.try", "Show a notice", self._try
        )
        self.end()
        self.refresh()

    def _try(self) -> None:
        self.window_of.toasts.say(
            "SGNS 1 is trained", "It took 2 min 5 s. This is only an example.", "Show", self.window_of.bring_to_front
        )

    def refresh(self) -> None:
        self._on.setChecked(self.session.settings.get(SETTING, True) is not False)
