"""The answers of an analogy with the contribution of each term to their scores, as bars."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.analysis.analogy.decomposition import Anatomy
from workbench.core.language import tr
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.theme import Theme
from workbench.ui.panels.relations.decomposition_painting import (
    HEADER,
    NUMBER,
    ROW,
    WORD,
    ValueSpan,
    describe,
    legend,
    paint_header,
    paint_row,
    score_formula,
)
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import paint_ground
from workbench.ui.widgets.tables.table_model import PaintedCell, TableColumn


class AnatomyBars(DataTable):
    """The answers as rows of bars, best first.

    ``described`` carries the numbers of the row under the pointer or picked, or "".
    """

    described = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, plain=True, rows=ROW)
        self.anatomy: Anatomy | None = None
        self.span = ValueSpan(0.0, 1.0)
        self.words: tuple[str, ...] = ()
        set_scaled_size(self, least_width=WORD + NUMBER + 120)
        self.pointed.connect(self._describe_word)
        self.selectionModel().currentChanged.connect(lambda *_: self._describe_word(None))

    def put(self, anatomy: Anatomy | None) -> None:
        self.anatomy, self.words = anatomy, ()
        columns = []
        if anatomy is not None:
            candidates = anatomy.candidates
            self.span = ValueSpan.of(candidates)
            self.words = tuple(one.word for one in candidates)
            columns = [
                TableColumn(
                    "",
                    self.words,
                    tips=lambda row: describe(anatomy, candidates[row]),
                    spoken=lambda row: describe(anatomy, candidates[row]),
                    keys=self.words,
                    paint=self._paint_answer,
                    number=False,
                )
            ]
        self.set_columns(columns)
        self.scrollToTop()
        self.described.emit("")

    def _paint_answer(self, cell: PaintedCell) -> None:
        paint_ground(cell, 0)
        if self.anatomy is not None:
            colours = cell.theme.palette
            paint_row(cell.painter, cell.area, self.anatomy, cell.row, self.span, colours)

    def _describe_word(self, word: object) -> None:
        """Report the numbers of a word, or with None those of the current one."""
        row = self.words.index(str(word)) if word in self.words else self.current_row
        text = safe_tip(self.table.columns[0].cell_tip(row)) if row >= 0 else ""
        self.described.emit(text)


class AnatomyHeader(QWidget):
    """The legend and the axis above the bars."""

    def __init__(self, theme: Theme, bars: AnatomyBars) -> None:
        super().__init__()
        self._theme = theme
        self._bars = bars
        set_scaled_size(self, height=HEADER)
        bars.table.modelReset.connect(self._refresh)
        bars.widened.connect(self.update)
        theme.changed.connect(self.update)

    def _refresh(self) -> None:
        anatomy = self._bars.anatomy
        accessible = tip = ""
        if anatomy is not None:
            accessible, tip = (
                tr("Bars: {legend}", legend=", ".join(legend(anatomy))),
                score_formula(anatomy),
            )
        self.setAccessibleName(accessible)
        self.setToolTip(safe_tip(tip))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        anatomy = self._bars.anatomy
        if anatomy is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = float(self._bars.viewport().width())
        paint_header(painter, width, anatomy, self._bars.span, self._theme.palette)
        painter.end()
