"""Columns and painting of the neighbours in several models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPixmap

from workbench.analysis.neighbours.side_by_side import (
    ModelNeighbours,
    ModelsSideBySide,
    PlacedNeighbour,
)
from workbench.core.language import digits, tr
from workbench.ui.base.run_marks import run_icon
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_1, TYPE_BODY, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import paint_ground, paint_text
from workbench.ui.widgets.tables.score_list import shown_score
from workbench.ui.widgets.tables.table_model import PaintedCell, TableColumn

UP, DOWN, SAME = "▲", "▼", "="


def rank_change_text(rise: int | None) -> str:
    """3 → "▲3", −12 → "▼12", 1234 → "▲1.2k", 0 → "=", None → "–"."""
    if rise is None:
        return "–"
    size = abs(rise)
    if size < 1000:
        text = str(size)
    elif size < 9950:
        text = f"{digits(f'{size / 1000:.1f}')}k"
    else:
        text = f"{size / 1000:.0f}k"
    if rise == 0:
        return SAME
    return f"{UP if rise > 0 else DOWN}{text}"


class ModelColumnsView(DataTable):
    """One column of neighbours per model; the word ``chosen`` is marked in all of them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, plain=True)
        self.chosen = ""
        self.found: ModelsSideBySide | None = None
        self.setSelectionBehavior(DataTable.SelectionBehavior.SelectItems)
        self.setSelectionMode(DataTable.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.horizontalHeader().show()

    def put(self, found: ModelsSideBySide | None, colours: Sequence[int]) -> None:
        """Show other models, in the colours of their runs."""
        self.found = found
        columns = []
        if found is not None:
            columns = [
                self._column(found, one, colour)
                for one, colour in zip(found.columns, colours, strict=True)
            ]
        self.set_columns(columns)

    def _column(self, found: ModelsSideBySide, column: ModelNeighbours, colour: int) -> TableColumn:
        first = found.columns[0]
        tip = tr("{name}: the others are compared with it", name=column.name)
        if column is not first:
            tip = tr(
                "{name}: {shared} of {number} also in {reference}",
                name=column.name,
                shared=column.shared,
                number=len(column.neighbours),
                reference=first.name,
            )

        def icon() -> QPixmap:
            return run_icon(colour, self._theme.palette).pixmap(12, 12)

        if not column.neighbours and column.problem:
            return TableColumn(
                column.name,
                [column.problem],
                tip,
                tips=[column.problem],
                keys=[None],
                paint=_paint_problem,
                number=False,
                icon=icon,
            )

        def neighbour_tip(row: int) -> str:
            return _neighbour_tip(found, column, row)

        return TableColumn(
            column.name,
            column.neighbours,
            tip,
            text=lambda placed: placed.word,
            tips=neighbour_tip,
            spoken=neighbour_tip,
            keys=[placed.word for placed in column.neighbours],
            paint=partial(self._paint_neighbour, column is first),
            number=False,
            icon=icon,
        )

    def _paint_neighbour(self, first: bool, cell: PaintedCell) -> None:
        """Paint a mark, the word, and its cosine (first column) or its rank change (other
        columns).
        """
        placed: PlacedNeighbour = cell.value
        colours, lists = cell.theme.palette, len(self.table.columns)
        paint_ground(cell, 2, chosen=placed.word == self.chosen)
        area = cell.area.adjusted(SPACE_1, 0, -SPACE_1, 0)
        # A dot: in every list; a ring: in some; no mark: only in this one.
        if placed.models > 1:
            cell.painter.setPen(QColor(colours.accent))
            cell.painter.setBrush(Qt.BrushStyle.NoBrush)
            if placed.models == lists:
                cell.painter.setBrush(QColor(colours.accent))
            cell.painter.drawEllipse(QRectF(area.left() + 1, area.center().y() - 2.5, 5, 5))
        rise, colour = placed.rise(cell.row + 1), colours.muted
        text = rank_change_text(rise)
        if first:
            text = shown_score(placed.cosine)
        elif rise is not None and rise > 0:
            colour = colours.good
        elif rise is not None and rise < 0:
            colour = colours.danger
        number = body_font(TYPE_BODY - 1, tabular=True)
        wide = paint_text(cell, area, text, number, colour, Qt.AlignmentFlag.AlignRight)
        bold = placed.models == lists > 1
        box = area.adjusted(11, 0, -wide - SPACE_1, 0)
        paint_text(cell, box, placed.word, body_font(bold=bold), colours.text)


def _paint_problem(cell: PaintedCell) -> None:
    area = cell.area.adjusted(SPACE_1, 0, -SPACE_1, 0)
    paint_text(cell, area, cell.value, body_font(TYPE_SMALL), cell.theme.palette.muted)


def _neighbour_tip(found: ModelsSideBySide, column: ModelNeighbours, row: int) -> str:
    placed, first = column.neighbours[row], found.columns[0]
    text = tr(
        "{word}: rank {value}, cosine {cosine}",
        word=placed.word,
        value=row + 1,
        cosine=shown_score(placed.cosine),
    )
    if column is not first and placed.before:
        text += tr("; rank {before} in {first}", before=count(placed.before), first=first.name)
    elif column is not first:
        text += tr("; not in {first}", first=first.name)
    return tr(
        "{text}; in {models} of {number} lists",
        text=text,
        models=placed.models,
        number=len(found.columns),
    )
