"""Handing in: the predictions, measurements and answers of a lesson in a file for the teacher."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from workbench.core.language import tr
from workbench.session.classes.hand_in import (
    EXIT,
    OPEN,
    HandIn,
    hand_in,
    question_text,
    write_hand_in,
)
from workbench.session.files.file_names import file_stem
from workbench.session.lessons import markdown
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.report import StepResults
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.file_dialogs import EXPORTS, file_dialog
from workbench.ui.base.plain_text import title_text
from workbench.ui.base.scaling import SPACE_3, SPACE_4, set_opening_size
from workbench.ui.export.file_jobs import write_in_job

W = TypeVar("W", bound=QWidget)

_LINES = 72


class HandInDialog(QDialog):
    """A name if the student wants, for each question the prediction and the answer after the
    result, and the open and the exit question.

    The dialog isn’t modal, so that the student can look at the panels.

    draft : what was written before, which is shown again
    """

    def __init__(
        self,
        session: Session,
        lesson: Lesson,
        results: Sequence[StepResults],
        parent: QWidget,
        draft: HandIn | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("hand_in")
        self.setWindowTitle(title_text(tr("Hand in {title}", title=lesson.title)))
        self._session, self._lesson, self._results = session, lesson, tuple(results)
        self.name = _named(QLineEdit(), "name", tr("Your name"))
        self.name.setPlaceholderText(tr("Your name, or nothing"))
        self.after: dict[int, kit.ChoiceBox] = {}
        self.texts: dict[str, QPlainTextEdit] = {}
        self.cancel = _named(kit.button(tr("Cancel"), pressed=self.reject), "cancel", tr("Cancel"))
        self.save = _named(
            kit.button(tr("Save…"), role="primary", pressed=self._ask),
            "save",
            tr("Save the file to hand in"),
        )
        hint = kit.label(
            tr(
                "Answer again, now that you have seen the results. The file keeps your predictions."
            ),
            role="muted",
            wrap=True,
        )
        parts = (hint, *self._questions(), *self._texts())
        page = kit.column(*parts, kit.stretch(share=1), gap=SPACE_3, margins=(0, 0, SPACE_3, 0))
        foot = kit.row(kit.stretch(), self.cancel, self.save)
        whole = (self.name, kit.stretch(kit.scroll(kit.box(page))), foot)
        kit.fill(self, kit.column(*whole, gap=SPACE_3, margins=SPACE_4))
        set_opening_size(self, 620, 560)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        if draft is not None:
            self._restore(draft)

    def _restore(self, draft: HandIn) -> None:
        self.name.setText(draft.name)
        for one in draft.answers:
            if one.step in self.after:
                box = self.after[one.step]
                box.setCurrentIndex(max(box.findData(one.after), 0))
        for key, text in draft.texts.items():
            if key in self.texts:
                self.texts[key].setPlainText(text)

    def _questions(self) -> list[QWidget]:
        found: list[QWidget] = []
        chosen = {each.step: each.chosen for each in self._results}
        for at, step in enumerate(self._lesson.steps):
            if step.question is None:
                continue
            texts = [markdown.inline_plain(one.text, {}) for one in step.question.choices]
            predicted = chosen.get(at)
            title = f"{at + 1}. {question_text(step)}"
            if predicted is not None:
                title = tr("{title} (predicted: {answer})", title=title, answer=texts[predicted])
            options: dict[int | None, str] = {None: tr("No answer")}
            options.update(enumerate(texts))
            box = _named(
                kit.ChoiceBox.of(options),
                f"after.{at + 1}",
                tr("Answer to step {number}", number=at + 1),
            )
            self.after[at] = box
            found += [kit.label(title, wrap=True), box]
        return found

    def _texts(self) -> list[QWidget]:
        found: list[QWidget] = []
        for key, question, title in (
            (OPEN, self._lesson.open_question, tr("Open question")),
            (EXIT, self._lesson.exit_question, tr("Exit question")),
        ):
            if not question:
                continue
            field = _named(QPlainTextEdit(), f"text.{key}", title)
            kit.set_scaled_size(field, height=_LINES)
            field.setTabChangesFocus(True)
            self.texts[key] = field
            asked = f"{title}: {markdown.inline_plain(question, {})}"
            found += [kit.label(asked, wrap=True), field]
        return found

    def content(self) -> HandIn:
        """What is handed in now."""
        after = {
            at: int(box.currentData())
            for at, box in self.after.items()
            if box.currentData() is not None
        }
        texts = {key: field.toPlainText() for key, field in self.texts.items()}
        return hand_in(self._lesson, self._results, self.name.text(), after, texts)

    def _ask(self) -> None:
        dialog = file_dialog(
            self, self._session.settings, EXPORTS, tr("Save the file to hand in"), save=True
        )
        dialog.setNameFilters([tr("Files to hand in (*.json)")])
        dialog.setDefaultSuffix("json")
        who = self.name.text().strip()
        dialog.selectFile(
            f"{file_stem(f'{self._lesson.key} {who}'.strip(), self._lesson.key)}.json"
        )
        dialog.fileSelected.connect(lambda path: self.save_to(Path(path)))
        dialog.open()

    def save_to(self, path: Path) -> None:
        """Write the file in a job, and report the result as a message."""
        content = self.content()
        write = lambda run: write_hand_in(content, path)  # noqa: E731
        write_in_job(self._session, path, write, key="hand_in", quiet=True)
        self.accept()


def _named(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"hand_in.{local}")
    widget.setAccessibleName(accessible)
    return widget
