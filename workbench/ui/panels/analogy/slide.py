"""An analogy in large letters, for a presentation, and the signs of its question."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui import kit
from workbench.ui.base.plain_text import PlainLabel
from workbench.ui.base.scaling import set_text_role
from workbench.ui.base.text import MINUS
from workbench.ui.base.theme import TYPE_TITLE
from workbench.ui.panels.analogy.answers import AnalogyResult
from workbench.ui.widgets.tables.score_list import shown_score

# Sizes of the question and of the further answers in pixels, and the number of answers.
_LARGE, _MEDIUM, _MOST = 2 * TYPE_TITLE, TYPE_TITLE, 5


class AnalogySlide(QWidget):
    """The question with its best answer, and the next answers below."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.question = kit.label(name=f"{key}.slide.question", wrap=True)
        self.others = kit.label(name=f"{key}.slide.others", wrap=True)
        for label in (self.question, self.others):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        text = (kit.stretch(share=1), self.question, self.others, kit.stretch(share=1))
        kit.fill(self, kit.column(*text, gap=kit.SPACE_4, margins=None))
        set_text_role(self.question, _LARGE, bold=True)
        set_text_role(self.others, _MEDIUM)
        self.hide()

    def put(self, found: AnalogyResult) -> None:
        """Show a question that has answers."""
        (a, b, c), (best, *others) = found.query, found.answers[:_MOST]
        self.question.setText(f"{a} {MINUS} {b} + {c} = {best.word}")
        self.others.setText(
            " · ".join(f"{each.word} {shown_score(each.score)}" for each in (best, *others))
        )


def sign_label(text: str) -> PlainLabel:
    """A sign of the question."""
    sign = kit.label(text, role="title")
    sign.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
    return sign
