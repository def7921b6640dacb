"""Language, theme, size of text, motion, tooltips."""

from __future__ import annotations

from functools import partial

from workbench.core.language import ENGLISH, SETTING, languages, tr
from workbench.ui.action import ChoiceEntry
from workbench.ui.preferences.page import PreferencesPage
from workbench.ui.tooltips import TOOLTIPS, show_tooltips
from workbench.ui.widgets.inputs.editors import ChoiceBox


class AppearancePage(PreferencesPage):
    """The same choices as in the menu View."""

    key = "appearance"
    title = tr("Appearance")
    order = 10

    def build(self) -> None:
        self._boxes: dict[str, ChoiceBox] = {}
        names = [("", tr("As the system")), (ENGLISH, "English"), *languages().items()]
        self._language = self.choice(
            tr("Language"),
            tr("What the workbench speaks. It changes when the workbench is started again."),
            "language",
            names,
            self._speak,
        )
        for key, name, told in (
            ("view.theme", tr("Theme"), tr("The colours of every window.")),
            (
                "look.text_size",
                tr("Text size"),
                tr("How large text is, and with it controls and rows."),
            ),
            (
                "look.motion",
                tr("Motion"),
                tr("Whether points move when a map changes, or stand at once where they belong."),
            ),
        ):
            options = [(entry.key, entry.text) for entry in self._entries(key)]
            local = key.partition(".")[2]
            self._boxes[key] = self.choice(name, told, local, options, partial(self._choose, key))
        self._tips = self.tick(
            tr("Tooltips"),
            tr(
                "Explain a control when the pointer rests on it; the manual has the same sentences."
            ),
            "tooltips",
            self._tooltips,
        )
        self.end()
        self.context.theme.changed.connect(self.refresh)
        self.refresh()

    def _entries(self, key: str) -> list[ChoiceEntry]:
        return list(self.window_of.commands.entries(key))

    def _choose(self, key: str, value: str) -> None:
        entry = next(entry for entry in self._entries(key) if entry.key == value)
        self.window_of.commands.choose(key, entry)

    def _speak(self, language: str) -> None:
        self.session.settings.set(SETTING, language)

    def _tooltips(self, on: bool) -> None:
        self.session.settings.set(TOOLTIPS, on)
        show_tooltips(on)

    def refresh(self) -> None:
        chosen = self.session.settings.get(SETTING, "")
        self._language.setCurrentIndex(
            max(self._language.findData(chosen if isinstance(chosen, str) else ""), 0)
        )
        for key, box in self._boxes.items():
            chosen = next((entry.key for entry in self._entries(key) if entry.checked), "")
            box.setCurrentIndex(box.findData(chosen))
        self._tips.setChecked(self.session.settings.get(TOOLTIPS, True) is not False)
