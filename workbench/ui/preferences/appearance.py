"""Preferences page: language, theme, text size, motion and tooltips."""

from __future__ import annotations

from workbench.core.language import ENGLISH, LANGUAGE_KEY, languages, tr
from workbench.core.setting import Option, Setting
from workbench.ui.preferences.page import PreferencesPage
from workbench.ui.theme import MOTION, TEXT_SIZE, THEME
from workbench.ui.tooltips import TOOLTIPS

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
        for setting in (LANGUAGE, THEME, TEXT_SIZE, MOTION, TOOLTIPS):
            self.setting(setting)
        self.end()
