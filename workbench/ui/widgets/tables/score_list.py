"""Words with their scores as numbers and bars, in rows or in columns."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.text import MINUS, mark_unknown, true_minus, without_zero
from workbench.ui.base.theme import (
    SPACE_1,
    SPACE_2,
    SPACE_4,
    TYPE_BODY,
    TYPE_LARGE,
    TYPE_SMALL,
    Theme,
    body_font,
)
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import paint_bar, paint_ground, paint_text
from workbench.ui.widgets.tables.row_list import ListRow, RowPainter
from workbench.ui.widgets.tables.table_model import PaintedCell, TableColumn

# Height of a column of answers, height of its bar, and room for a number.
_LOW, _BAR, _NUMBER = 32, 4, 30
# From this width on, rows have bars; below it, only if the longest word leaves room.
_BARRED = 240


@mark_unknown
def shown_score(score: float) -> str:
    """0.7134 → ".71", 1 → "1.00", −0.2 → "−.20": two digits, as usual for cosines."""
    text = without_zero(f"{abs(score):.2f}")
    return (MINUS if score < 0 and float(f"{score:.2f}") != 0 else "") + text


class _Scores(DataTable):
    """Words and scores, best first. A click or the arrow keys pick a word, Return opens it."""

    def __init__(self, theme: Theme, rows: int) -> None:
        super().__init__(theme, plain=True, rows=rows)
        self.words: tuple[str, ...] = ()
        self.scores: tuple[float, ...] = ()
        self._rows: tuple[ListRow, ...] = ()

    def set_scores(
        self, words: Sequence[str], scores: Sequence[float], current: str = "", full: float = 1.0
    ) -> None:
        """Show other words, starting with the first or with ``current`` picked, without a signal.

        full : score of a full bar
        """
        if full <= 0:
            full = 1.0
        self.words, self.scores = tuple(words), tuple(scores)
        self._rows = tuple(
            ListRow(
                word,
                (shown_score(score),),
                min(max(score / full, 0.0), 1.0),
                key=word,
                tip=f"{word}: {true_minus(f'{score:.4f}')}",
            )
            for word, score in zip(words, scores, strict=True)
        )
        self._show_rows()
        self.scrollToTop()
        if current in self.words:
            self._mark_word(self.words.index(current))

    def _show_rows(self) -> None:
        """Show ``rows``; defined by subclasses."""
        raise NotImplementedError

    def _mark_word(self, at: int) -> None:
        """Select the row of a word; defined by subclasses."""
        raise NotImplementedError


class ScoreList(_Scores):
    """One word per row: word, number and bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, 26)
        self._painter = RowPainter(barred=_BARRED)
        theme.text_changed.connect(self._measure)

    def _measure(self) -> None:
        self._painter.measure((), self._rows)

    def _show_rows(self) -> None:
        self._measure()
        self.set_columns(self._painter.columns(self._rows))

    def _mark_word(self, at: int) -> None:
        self.pick(at)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), SPACE_4 * 8)


class ScoreFlow(_Scores):
    """One word per column with its number, above a bar; only words that fit completely."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _LOW)
        self._faded = False
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_scaled_size(self, height=_LOW + SPACE_1)
        self.widened.connect(self._trim)
        theme.text_changed.connect(self._trim)

    def fade(self, faded: bool) -> None:
        """Paint bars and words of answers that mean little in muted colours."""
        if faded != self._faded:
            self._faded = faded
            self.viewport().update()

    def _show_rows(self) -> None:
        self.set_columns(
            [
                TableColumn(
                    row.text,
                    [row],
                    text=lambda row: row.text,
                    tips=[row.tip],
                    spoken=[row.spoken].__getitem__,
                    keys=[row.key],
                    paint=self._paint_answer,
                    number=False,
                )
                for row in self._rows
            ]
        )
        self._trim()

    def _mark_word(self, at: int) -> None:
        self.setCurrentIndex(self.table.index(0, at))

    def _trim(self) -> None:
        """Hide columns that would be cut off on the right; the first word always stays."""
        room = self.viewport().width()
        for at, row in enumerate(self._rows):
            wide = QFontMetricsF(self._font(row)).horizontalAdvance(row.text)
            width = math.ceil(wide) + scaled_length(_NUMBER) + 3 * SPACE_2 + 1
            self.setColumnWidth(at, width)
            room -= width
            self.setColumnHidden(at, at > 0 and room < 0)

    def _font(self, row: ListRow) -> QFont:
        if row is self._rows[0]:
            return body_font(TYPE_LARGE, bold=True)
        return body_font(TYPE_BODY)

    def _paint_answer(self, cell: PaintedCell) -> None:
        row: ListRow = cell.value
        colours = cell.theme.palette
        paint_ground(cell, 2)
        inner = cell.area.adjusted(SPACE_2, 1, -SPACE_2, -SPACE_1)
        room = float(scaled_length(_NUMBER))
        line = QRectF(inner.left(), inner.top(), inner.width() - room, inner.height() - _BAR)
        ink, bar = colours.text, None
        if self._faded:
            ink, bar = colours.muted, QColor(colours.point)
        paint_text(cell, line, row.text, self._font(row), ink)
        beside = QRectF(inner.right() - room, line.top(), room, line.height())
        number = body_font(TYPE_SMALL, tabular=True)
        paint_text(cell, beside, row.numbers[0], number, colours.muted)
        paint_bar(
            cell, QRectF(inner.left(), line.bottom(), inner.width(), _BAR), row.bar or 0.0, bar
        )
