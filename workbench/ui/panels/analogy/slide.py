"""An analogy in large letters, for a presentation, and the signs of its question."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from workbench.ui.panels.analogy.answers import AnalogyResult
from workbench.ui.plain_text import PlainLabel
from workbench.ui.scaling import set_text_role
from workbench.ui.text import MINUS
from workbench.ui.theme import SPACE_4, TYPE_TITLE
from workbench.ui.widgets.tables.score_list import shown_score

# Sizes of the question and of the further answers in pixels, and the number of answers.
_LARGE, _MEDIUM, _MOST = 2 * TYPE_TITLE, TYPE_TITLE, 5


class AnalogySlide(QWidget):
    """The question with its best answer, and the next answers below."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.question, self.others = PlainLabel(), PlainLabel()
        column = QVBoxLayout(self)
        column.setSpacing(SPACE_4)
        column.addStretch(1)
        for local, label in (("question", self.question), ("others", self.others)):
            label.setObjectName(f"{key}.slide.{local}")
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addStretch(1)
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
    sign = PlainLabel(text)
    sign.setProperty("role", "title")
    sign.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
    return sign
