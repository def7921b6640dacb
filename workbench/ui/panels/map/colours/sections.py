"""Sections of analogy questions as a colour mode."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.projection.word_groups import WordGroups, by_row, groups_of_questions
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.ui.panels.map.colours.base import ColourMenu
from workbench.ui.panels.map.colours.file_mode import FileColours
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.map.colour_scheme import Shading, categories

# File whose sections colour the map.
MAP_QUESTIONS = Setting("map.questions", str, "")


class SectionColours(FileColours[Questions]):
    """The detail is a section, whose words are coloured by their position in a question; without
    it, each word has the colour of the first section that contains it.
    """

    key = "section"
    title = tr("Sections")
    entry = tr("Question section")
    order = 60
    setting = MAP_QUESTIONS

    def read(self, path: Path) -> Questions:
        return load_questions(path)

    @property
    def known_path(self) -> Path | None:
        return super().known_path or self.session.corpora.questions_path

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        questions = self.content
        if questions is None:
            self.open_known()
            return None
        return lambda run: _shade(layout, questions, detail)

    def groups(self, detail: str) -> WordGroups | None:
        return None if self.content is None else groups_of_questions(self.content, detail)

    def fill_menu(self, menu: ColourMenu) -> None:
        below = menu.below(self.entry)
        below.offer(tr("All sections"), self.key, self._choose_all)
        if self.content is not None:
            below.menu.addSeparator()
            for name in self.content.sections:
                below.offer(name, f"{self.key}:{name}")
        below.menu.addSeparator()
        below.add(tr("Choose a question file…"), "map.colour.questions", self._ask_questions)

    def _choose_all(self) -> None:
        if self.content is None and self.known_path is None:
            self._ask_questions()
        else:
            self.host.choose(self.key)

    def _ask_questions(self) -> None:
        path = self.host.ask_file(tr("Open question file"), tr("Text (*.txt);;All files (*)"))
        if path is not None:
            self.open(path)


def _shade(layout: MapLayout, questions: Questions, section: str) -> Shading:
    groups = groups_of_questions(questions, section)
    found = by_row(layout.request.embeddings, groups.labels)
    labels = [found.get(word, "") for word in layout.words]
    title = tr("Sections of {name}", name=questions.name)
    if section:
        title = tr("Section “{section}”", section=section)
    return categories(title, labels, groups.order if section else ())
