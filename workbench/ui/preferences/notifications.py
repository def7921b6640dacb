"""Preferences page: notifications when long work ends."""

from __future__ import annotations

from PySide6.QtWidgets import QSystemTrayIcon

from workbench.core.language import tr
from workbench.ui.preferences.page import PreferencesPage
from workbench.ui.shell.notifications import LONG, NOTICES


class NotificationsPage(PreferencesPage):
    key = "notifications"
    title = tr("Notifications")
    order = 20

    def build(self) -> None:
        here = QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()
        if here:
            told = tr(
                "Whatever took more than {seconds:.0f} s, a training, reading, a map or an "
                "export, is told by a "
                "notification of the system and in the window, but only while you look at "
                "something else.",
                seconds=LONG,
            )
        else:
            told = tr(
                "Whatever took more than {seconds:.0f} s, a training, reading, a map or an "
                "export, is told by the mark "
                "that asks for attention and in the window, but only while you look at something "
                "else.",
                seconds=LONG,
            )
        self.setting(NOTICES, told)
        self.button(
            tr("Try it"),
            tr("Show what a notice looks like in this window."),
            "notices.try",
            tr("Show a notice"),
            self._try,
        )
        self.end()

    def _try(self) -> None:
        self.window_of.toasts.show_toast(
            tr("SGNS 1 is trained"),
            tr("It took 2 min 5 s. This is only an example."),
            tr("Show"),
            self.window_of.bring_to_front,
        )
