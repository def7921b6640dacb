"""How much text stands behind an analogy: counts below its words, and other questions if there is
too little.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.analysis.analogy.rare_words import Occurrences
from workbench.analysis.analogy.solved import SolvedAnalogy
from workbench.core.errors import quoted_words
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.text import MINUS
from workbench.ui.base.theme import SPACE_2, set_property

# Height in pixels.
GROUND_LINE = 24
MOST_OFFERS = 3


class GroundLine(QWidget):
    """A line below the question: which words are too rare or what to do about an error, and
    analogies that the model solves.

    asked : the words of an offered analogy
    """

    asked = Signal(str, str, str)

    def __init__(self) -> None:
        super().__init__()
        self.text = kit.with_role(kit.ElidedLabel(), "warning", "analogy.few")
        self.links = [
            kit.button(role="link", name=f"analogy.solved.{at}", pressed=partial(self._ask, at))
            for at in range(MOST_OFFERS)
        ]
        for link in self.links:
            link.setAccessibleName(tr("Analogy that this model solves"))
        self._offers: tuple[SolvedAnalogy, ...] = ()
        kit.fill(self, kit.row(kit.stretch(self.text), *self.links))
        set_scaled_size(self, height=GROUND_LINE)
        self.hide()

    def show_few(self, few: Sequence[Occurrences]) -> None:
        """State which words are too rare for their answer to mean much."""
        words = ", ".join(f"{quoted_words([one.word])} ({one.count})" for one in few)
        text = tr("Too few occurrences: {words}", words=words) if few else ""
        self._show_text(text, "\n".join(one.sentence for one in few), "warning")

    def show_advice(self, text: str) -> None:
        """State what to do about an error."""
        self._show_text(text, text, "muted")

    def _show_text(self, text: str, tip: str, role: str) -> None:
        self.text.put(text)
        self.text.setToolTip(safe_tip(tip))
        set_property(self.text, "role", role)
        self._fit_links()

    def offer(self, offers: Sequence[SolvedAnalogy]) -> None:
        """Offer analogies that the model solves."""
        self._offers = tuple(offers)[:MOST_OFFERS]
        for link, one in zip(self.links, self._offers, strict=False):
            question = f"{one.a} {MINUS} {one.b} + {one.c}"
            link.setText(menu_text(question))
            link.setToolTip(
                safe_tip(tr("Ask {question}, which this model solves.", question=question))
            )
            link.setAccessibleName(tr("Solve {question}", question=question))
        self._fit_links()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_links()

    def _fit_links(self) -> None:
        """Show the links that fit beside the text."""
        room = self.width() - self.text.fontMetrics().horizontalAdvance(self.text.whole)
        for at, link in enumerate(self.links):
            room -= link.sizeHint().width() + SPACE_2
            link.setVisible(at < len(self._offers) and (room >= 0 or at == 0))

    def _ask(self, at: int, _: bool = False) -> None:
        if at < len(self._offers):
            one = self._offers[at]
            self.asked.emit(one.a, one.b, one.c)
