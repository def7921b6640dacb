"""The lines that contain a word: their number, their order, a second word nearby, and their
export.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.errors import UnknownWord, UserError
from workbench.core.language import tr, trn
from workbench.core.table_export import to_csv
from workbench.corpus.concordance import MOST, Concordance, concordance, sort_lines
from workbench.corpus.corpus import Corpus
from workbench.session.session import Session
from workbench.ui.base.boxes import box, column, fill, row, stretch
from workbench.ui.base.controls import button, label, with_role
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import count, plural
from workbench.ui.base.theme import SPACE_1, Theme
from workbench.ui.export.export_actions import Export, ExportButton, csv
from workbench.ui.widgets.inputs.editors import ChoiceBox
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.concordance_view import ConcordanceView

# Number of tokens of a corpus that takes a while to search.
LONG = 40_000_000

_ORDERS = (
    ("text", tr("In text order")),
    ("left", tr("By left context")),
    ("right", tr("By right context")),
)


class ConcordancePane(QWidget):
    """``picked`` carries a word that was clicked in a line. ``owner`` is the key of the panel."""

    picked = Signal(str)

    def __init__(
        self, session: Session, theme: Theme, owner: str, *, width: int = 12, compact: bool = False
    ) -> None:
        super().__init__()
        self._session = session
        self._width, self._compact = width, compact
        self._corpus: Corpus | None = None
        self._word = ""
        self._near = ""
        self._window, self._size = 5, 0
        self._found: Concordance | None = None
        self._finding = ResultJob(session.jobs, f"{owner}.lines")
        self._finding.on_failed(self._search_failed)
        self._title = with_role(ElidedLabel(), "heading", f"{owner}.lines.title")
        self.note = label(
            tr("Click a word to see where it occurs in the text."),
            role="muted",
            name=f"{owner}.lines.note",
            wrap=True,
        )
        # Without lines, the note takes their room; the end of a compact pane may not be visible.
        self.note.setAlignment(
            Qt.AlignmentFlag.AlignTop if compact else Qt.AlignmentFlag.AlignCenter
        )
        self.view = ConcordanceView(theme)
        self.view.setObjectName(f"{owner}.lines")
        self.view.setAccessibleName(tr("Concordance lines of the word"))
        self.view.picked.connect(self.picked.emit)
        self.order = ChoiceBox.of(dict(_ORDERS), letters=12)
        self.order.setObjectName(f"{owner}.lines.order")
        self.order.setAccessibleName(tr("Order of the lines"))
        self.order.setToolTip(tr("Sort by up to four words next to the word, nearest first"))
        self.order.currentIndexChanged.connect(lambda _: self._reorder())
        self.whole = button(
            tr("All lines"),
            role="link",
            name=f"{owner}.lines.whole",
            pressed=lambda: self.look_for(self._word),
        )
        self.whole.setAccessibleName(tr("Show all lines of the word"))
        self.export = ExportButton(self.exports)
        self.export.setObjectName(f"{owner}.lines.export")
        self.export.setAccessibleName(tr("Export the lines"))
        self._choices = box(row(self.order, stretch(), self.export))
        self._bar = box(row(stretch(self._title), self.whole))
        lines = (stretch(self.note), stretch(self.view))
        fill(self, column(self._choices, self._bar, *lines, gap=SPACE_1))
        self._show(None)

    @property
    def busy(self) -> bool:
        return self._finding.busy

    @property
    def corpus(self) -> Corpus | None:
        return self._corpus

    @property
    def occurrences(self) -> Concordance | None:
        return self._found

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Set another corpus; no lines are shown until a word is looked up."""
        self._corpus = corpus
        self.look_for("")

    def look_for(self, word: str, near: str = "", window: int = 5, size: int = 0) -> None:
        """Find the lines of a word; with ``near``, those that contain this word, too, within the
        window (see ``concordance``).
        """
        self._word, self._near, self._window, self._size = word, near, window, size
        corpus = self._corpus
        if corpus is None or not word:
            self._finding.forget()
            self._show(None)
            return
        order, width = str(self.order.currentData()), self._width
        self._start(
            tr("Finding “{word}”", word=word),
            lambda run: concordance(
                corpus, word, order, near=near, window=window, size=size, width=width, run=run
            ),
        )

    def _reorder(self) -> None:
        found, order = self._found, str(self.order.currentData())
        if found is not None and found.order != order:
            self._start(tr("Sorting the lines"), lambda run: sort_lines(found, order, run))

    def _start(self, title: str, work: Callable[..., Concordance]) -> None:
        quiet = self._corpus is None or self._corpus.tokens < LONG
        # Each is a new one: lines are sorted in place of a search.
        self._finding.ask(Request((object(),), title, work, self._show, quiet=quiet))

    def _search_failed(self, error: UserError) -> None:
        self._show(None)
        note = str(error)
        if isinstance(error, UnknownWord):
            note = tr("“{word}” doesn’t occur in this corpus.", word=self._word)
        self.note.setText(note)

    def _show(self, found: Concordance | None) -> None:
        self._found = found
        self.view.put(found or ())
        filled = found is not None and len(found) > 0
        self.view.setVisible(filled)
        self.note.setVisible(not filled)
        self._choices.setVisible(filled and not self._compact)
        self.whole.setVisible(bool(self._near))
        self._bar.setVisible(bool(self._word))
        if found is None:
            title = tr("“{word}”", word=self._word) if self._word else ""
            self._title.put(title)
            self.note.setText(tr("Click a word to see where it occurs in the text."))
            return
        if found.near:
            named = tr("“{word}” near “{near}”", word=found.word, near=found.near)
        else:
            named = tr("“{word}”", word=found.word)
        if found.total == len(found):
            number = plural(found.total, "line")
        else:
            number = trn(
                "{shown} of {number:,} line",
                "{shown} of {number:,} lines",
                found.total,
                shown=count(len(found)),
            )
        if not self._compact:
            number = f"{named} · {number}"
        self._title.put(number)
        if found.total > MOST:
            self._title.setToolTip(
                safe_tip(
                    tr(
                        "{count} of {total} lines, evenly spaced over the corpus",
                        count=count(len(found)),
                        total=count(found.total),
                    )
                )
            )
        note = ""
        if found.near:
            note = tr("{named}: no co-occurrences in this corpus.", named=named)
        self.note.setText(note)

    def exports(self) -> Export | None:
        """The lines as a table, in the order shown."""
        found = self._found
        if found is None or not len(found):
            return None

        def table() -> str:
            rows = ((line.position, line.left, line.word, line.right) for line in found)
            return to_csv(["position", "left", "word", "right"], rows)

        return Export(
            self,
            self._session,
            tr("Lines with {word}", word=found.word),
            f"lines-{found.word}",
            texts=csv(table),
        )
