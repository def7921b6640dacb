"""Preferences page: language, theme, text size, motion and tooltips."""

from __future__ import annotations

from workbench.core.language import (
    ENGLISH,
    LANGUAGE_KEY,
    language,
    languages,
    next_language,
    tr,
)
from workbench.core.setting import Option, Setting
from workbench.ui import kit
from workbench.ui.base.theme import MOTION, TEXT_SIZE, THEME
from workbench.ui.base.tooltips import TOOLTIPS
from workbench.ui.preferences.page import PreferencesPage

# ``core/language.py`` reads it itself, before anything else is read.
LANGUAGE = Setting(
    LANGUAGE_KEY,
    str,
    "",
    choices={
        "": Option(tr("System default")),
        ENGLISH: Option("English"),
        **{key: Option(name) for key, name in languages().items()},
    },
    label=tr("Language"),
    hint=tr("Display language. Restart to apply."),
)


class AppearancePage(PreferencesPage):
    """The choices of the View menu, the language, and tooltips."""

    key = "appearance"
    title = tr("Appearance")
    order = 10

    def build(self) -> None:
        # The settings are saved before they are followed, so the next language is known.
        self.restart = kit.button(
            tr("Restart now"), name="preferences.restart", pressed=self.context.desk.restart
        )
        self.restart.setToolTip(tr("Save the session, close all windows and start again"))
        row = kit.box(kit.row(self.restart, kit.stretch()))
        self.setting(LANGUAGE, below=row)
        self._follow(LANGUAGE, lambda _: row.setVisible(next_language() != language()))
        for setting in (THEME, TEXT_SIZE, MOTION, TOOLTIPS):
            self.setting(setting)
        self.end()
