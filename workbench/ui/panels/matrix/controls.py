"""Controls of the matrix panel: source, number and order of the words."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

from workbench.analysis.matrix.board import MOST_WORDS, ORDERS, BoardRequest, Pane, memory_needed
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import count, memory, plural
from workbench.ui.base.theme import set_property

CONTENT, PICTURE = "content", "picture"
MOST_SAMPLES = 64
SOURCES = {
    "content": tr("Content words"),
    "top": tr("Most frequent"),
    "typed": tr("Typed words"),
    "selection": tr("Selection"),
    "near": tr("Selection + nearest"),
}
_CHOSEN_BY_COUNTS = ("content", "top")
_ORDER_TIPS = {
    "listed": tr(
        "Words as typed or selected, content words in groups, frequent words by frequency"
    ),
    "frequency": tr("Most frequent first"),
    "alphabet": tr("From A to Z"),
    "rows": tr(
        "Similar rows together: average-linkage clusters by the cosine of rows in the "
        "first view (unobserved pairs as 0), with optimal leaf order"
    ),
    "vectors": tr(
        "Similar words together: clusters by the cosine of their vectors, columns by "
        "context vectors"
    ),
}


class MatrixControls:
    """Choice of words, order and k."""

    def __init__(self, panel: Panel) -> None:
        named = panel.named
        self.source = named(
            kit.ChoiceBox.of(SOURCES, letters=13),
            "source",
            tr("Which words"),
            tr("Words in the rows and columns"),
        )
        self.top = named(kit.IntBox.of(2, MOST_WORDS, 25), "top", tr("Number of words"))
        kit.set_scaled_size(self.top, width=80)
        self.words = named(
            QLineEdit(), "words", tr("Words of the matrix"), tr("Words, separated by spaces")
        )
        self.words.setPlaceholderText(tr("king queen man woman …"))
        kit.set_scaled_size(self.words, least_width=140)
        self.order = named(
            kit.ChoiceBox.of(ORDERS, letters=13), "order", tr("Order of rows and columns")
        )
        self.negative = named(
            kit.IntBox.of(1, MOST_SAMPLES, 5, prefix="k = "),
            "negative",
            tr("Negative samples k"),
            tr("SPPMI and x* of SGNS are shifted by log k"),
        )
        kit.set_scaled_size(self.negative, width=80)
        self.source.activated.connect(lambda _: self._focus_words())
        self.words.textEdited.connect(lambda _: set_property(self.words, "invalid", ""))

    def add_to_row(self, row: kit.Bar) -> None:
        kit.add(row, self.source, self.top, kit.stretch(self.words), self.order, self.negative)

    def offer_picture(self, offered: bool) -> bool:
        """Offer the rows and columns of a picture; returns whether the choices have changed."""
        at = self.source.findData(PICTURE)
        if offered == (at >= 0):
            return False
        self.source.blockSignals(True)
        if offered:
            self.source.insertItem(0, tr("Picture"), PICTURE)
        else:
            self.source.removeItem(at)
        self.source.blockSignals(False)
        return True

    @property
    def source_key(self) -> str:
        """Key of the word source."""
        return str(self.source.currentData())

    @property
    def typed_words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.words.text().replace(",", " ").split()))

    def update_visibility(self, kinds: list[str]) -> None:
        """Show the controls that matter for these matrices."""
        for widget, wanted in (
            (self.top, self.source_key in _CHOSEN_BY_COUNTS),
            (self.words, self.source_key == "typed"),
            (self.negative, any(kind in ("sppmi", "xstar") for kind in kinds)),
        ):
            if widget.isHidden() == wanted:
                widget.setVisible(wanted)
        self.order.setToolTip(safe_tip(_ORDER_TIPS[str(self.order.currentData())]))
        number = self.top.value()
        needed = memory(memory_needed(number, number, len(kinds)))
        views = plural(len(kinds), "view")
        self.top.setToolTip(
            safe_tip(
                tr(
                    "How many words: {number} × {number} in {views} take about {needed}",
                    number=count(number),
                    views=views,
                    needed=needed,
                )
            )
        )

    def _focus_words(self) -> None:
        if self.source_key == "typed":
            self.words.setFocus()

    def board_request(
        self,
        panes: tuple[Pane, ...],
        selected: tuple[str, ...],
        extra: tuple[tuple[str, ...], tuple[str, ...]],
    ) -> BoardRequest | None:
        """Request for the matrices; None while words are missing."""
        words = selected
        needs_words = self.source_key not in (*_CHOSEN_BY_COUNTS, PICTURE)
        if not needs_words:
            words = ()
        elif self.source_key == "typed":
            words = self.typed_words
        if not words and needs_words:
            return None
        return BoardRequest(
            panes,
            words,
            self.source_key == "near",
            self.top.value(),
            *extra,
            str(self.order.currentData()),
            self.negative.value(),
            content=self.source_key == CONTENT,
            picture=self.source_key == PICTURE,
        )
