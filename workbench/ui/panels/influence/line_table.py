"""The lines or files of a text by their push, with check boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from workbench.analysis.influence.line_influence import Influence, PairChange
from workbench.core.arrays import Ints
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.ui.base.text import count, true_minus
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.table_model import TableColumn

# Rows shown; pairs named in a row, and below the table.
_MOST, _NAMED, _LISTED = 200, 3, 30
# Width in pixels of a number with its box.
_NUMBER = 100


@dataclass(frozen=True, eq=False)
class RankedLine:
    """A row: its number in the text, its push, its words or its name, and the pairs it changes.

    excerpt : the text from shortly before the first word of the quantity on
    decimals : of pushes
    """

    line: int
    push: float
    text: str
    excerpt: str
    pairs: tuple[PairChange, ...]
    decimals: int

    def format_push(self, push: float) -> str:
        """The push of this line or of one of its pairs."""
        return true_minus(f"{push:+.{self.decimals}f}")


def ranked_lines(found: Influence, corpus: Corpus, by_file: bool) -> tuple[RankedLine, ...]:
    """The lines that push most, of either sign."""
    rows = []
    for at in found.order[:_MOST].tolist():
        line = int(found.lines[at])
        text = PurePath(corpus.files[line].path).name if by_file else found.text(line)
        excerpt = text if by_file else found.excerpt(line)
        pairs = found.pairs(line)[:_LISTED]
        push = float(found.pushes[at])
        rows.append(RankedLine(line, push, text, excerpt, pairs, found.decimals))
    return tuple(rows)


class LineTable(DataTable):
    """Space, a click on the box, or a double click ticks a line. Lines beyond those shown can be
    ticked, too.
    """

    ticked_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.rows: tuple[RankedLine, ...] = ()
        self._ticked: set[int] = set()
        self.table.toggled.connect(self.toggle_row)
        self.double_clicked.connect(self.toggle_row)

    @property
    def ticked(self) -> Ints:
        """int64[n], the numbers of the ticked lines, ascending."""
        return np.array(sorted(self._ticked), dtype=np.int64)

    def put(self, rows: Sequence[RankedLine], by_file: bool) -> None:
        """Show other lines, none of them ticked."""
        self.rows, self._ticked = tuple(rows), set()
        lines = [row.line for row in rows]

        def spoken(at: int) -> str:
            if lines[at] in self._ticked:
                return tr("line {number}, ticked", number=count(lines[at] + 1))
            return tr("line {number}", number=count(lines[at] + 1))

        name, head = tr("line"), tr("text")
        if by_file:
            name, head = tr("file"), tr("name")
        self.set_columns(
            [
                TableColumn(
                    name,
                    [line + 1 for line in lines],
                    text=count,
                    spoken=spoken,
                    checked=lambda at: lines[at] in self._ticked,
                    width=_NUMBER,
                ),
                TableColumn(
                    tr("push"),
                    [row.push for row in rows],
                    tr("How much lower the number would be without it"),
                    texts=[row.format_push(row.push) for row in rows],
                    places=np.array([-abs(row.push) for row in rows]),
                ),
                TableColumn(
                    tr("pairs"),
                    [_name_pairs(row.pairs) for row in rows],
                    tr("The pairs whose counts it changes, those that push most first"),
                    tips=[_describe_pairs(row) for row in rows],
                    width=200,
                    spare=1,
                ),
                TableColumn(
                    head,
                    [row.excerpt for row in rows],
                    tips=[row.text for row in rows],
                    stretch=True,
                ),
            ]
        )

    def tick(self, lines: Sequence[int]) -> None:
        """Tick these lines and no others."""
        self._ticked = set(lines)
        self.viewport().update()
        self.ticked_changed.emit()

    def toggle_row(self, row: int) -> None:
        self._ticked ^= {self.rows[row].line}
        self.table.repaint_row(row)
        self.ticked_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.current_row >= 0:
            self.toggle_row(self.current_row)
        else:
            super().keyPressEvent(event)


def _name_pairs(pairs: Sequence[PairChange]) -> str:
    return ", ".join(f"{one.word} {one.context}" for one in pairs[:_NAMED])


def _describe_pairs(row: RankedLine) -> str:
    return "\n".join(
        tr(
            "{word} {context}: count {count}, push {push}",
            word=one.word,
            context=one.context,
            count=true_minus(f"{one.count:.2f}"),
            push="–" if one.push != one.push else row.format_push(one.push),
        )
        for one in row.pairs[:12]
    )
