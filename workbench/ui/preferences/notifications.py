"""Preferences page: notifications when long tasks end."""

from __future__ import annotations

from PySide6.QtWidgets import QSystemTrayIcon

from workbench.core.language import tr
from workbench.ui.preferences.page import PreferencesPage
from workbench.ui.shell.messages.notifications import LONG, NOTICES


class NotificationsPage(PreferencesPage):
    key = "notifications"
    title = tr("Notifications")
    order = 20

    def build(self) -> None:
        here = QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()
        if here:
            text = tr(
                "Notify me when a task longer than {seconds:.0f} s finishes and I’m in "
                "another window.",
                seconds=LONG,
            )
        else:
            text = tr(
                "Highlight the taskbar entry when a task longer than {seconds:.0f} s "
                "finishes and I’m in another window.",
                seconds=LONG,
            )
        self.setting(NOTICES, text)
        self.button(
            tr("Try it"),
            tr("Show a sample notification in this window."),
            "notices.try",
            tr("Show a notification"),
            self._try,
        )
        self.end()

    def _try(self) -> None:
        self.window_of.toasts.show_toast(
            tr("SGNS 1 has finished training"),
            tr("It took 2 min 5 s. This is just an example."),
            tr("Show"),
            self.window_of.bring_to_front,
        )
