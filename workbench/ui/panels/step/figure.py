"""The figure of a training step: its parts one below another, for the window and for files."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from workbench.analysis.step.step import TrainingStep
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_3, SPACE_4, TYPE_LARGE, TYPE_SMALL, Palette, body_font
from workbench.ui.panels.step.cell_painting import CellPart
from workbench.ui.panels.step.formula import formula
from workbench.ui.panels.step.grid import LEGEND, GridPart
from workbench.ui.panels.step.text_line import LinePart
from workbench.ui.panels.step.vector_strips import FormulaPart, NumbersPart, StripsPart
from workbench.ui.plots.paint_kit import (
    RIGHT,
    FigurePart,
    Hit,
    draw_text,
    small_font,
    stack_parts,
)

_HEADING = 24.0
_WIDE = 960
_ABOVE = 44


class StepFigure:
    """Layout of a step for a width; ``pair`` and ``vector`` are the chosen ones."""

    def __init__(self, step: TrainingStep, pair: int, vector: int, width: float) -> None:
        self.step = step
        self.parts: list[FigurePart] = []
        if step.window is not None:
            self.parts.append(LinePart(step.window, width))
        if step.pairs:
            self.parts.append(GridPart(step, pair, width))
        if step.cell is not None:
            self.parts.append(CellPart(step.cell, width))
        self.parts.append(FormulaPart(formula(step, pair), width))
        self.parts.append(StripsPart(step, vector, width))
        self.parts.append(NumbersPart(step, vector, width))
        self.width = width
        self.tops, self.height = stack_parts(self.parts, SPACE_4, scaled_length(_HEADING))

    def at(self, point: QPointF) -> Hit | None:
        """The token, pair or vector under a point."""
        for part, top in zip(self.parts, self.tops, strict=True):
            if top <= point.y() < top + part.height:
                return part.at(point - QPointF(0, top))
        return None

    def place(self, kind: str, number: int) -> QRectF | None:
        """The rectangle of a token, a pair or a vector."""
        for part, top in zip(self.parts, self.tops, strict=True):
            found = part.place(kind, number)
            if found is not None:
                return found.translated(0, top)
        return None

    def paint(self, painter: QPainter, palette: Palette) -> None:
        font = body_font(TYPE_SMALL, bold=True)
        for part, top in zip(self.parts, self.tops, strict=True):
            area = QRectF(0, top - scaled_length(_HEADING), self.width, scaled_length(_HEADING) - 4)
            draw_text(painter, area, part.title, font, palette.muted)
            if isinstance(part, GridPart):
                beside = QFontMetricsF(font).horizontalAdvance(part.title) + SPACE_4
                draw_text(
                    painter,
                    area.adjusted(beside, 0, 0, 0),
                    LEGEND,
                    small_font(),
                    palette.muted,
                    RIGHT,
                )
            painter.save()
            painter.translate(0, top)
            part.paint(painter, palette)
            painter.restore()


def figure_of(step: TrainingStep, pair: int, vector: int) -> StepFigure:
    """The figure in the layout for files."""
    return StepFigure(step, pair, vector, _WIDE - 2.0 * SPACE_4)


def saved_size(figure: StepFigure) -> QSize:
    """Size of the saved figure, in device-independent pixels."""
    return QSize(_WIDE, round(figure.height) + scaled_length(_ABOVE) + SPACE_4)


def paint_saved(painter: QPainter, figure: StepFigure, title: str, palette: Palette) -> None:
    """Paint the figure with a title, on the palette's surface."""
    size = saved_size(figure)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(palette.surface))
    painter.translate(SPACE_4, SPACE_3)
    area = QRectF(0, 0, figure.width, scaled_length(24))
    draw_text(
        painter,
        area,
        tr("{title}: step {step}", title=title, step=count(figure.step.number)),
        body_font(TYPE_LARGE, bold=True),
        palette.text,
    )
    painter.translate(0, scaled_length(_ABOVE) - SPACE_3)
    figure.paint(painter, palette)
