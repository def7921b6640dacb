"""A chart whose dots have names, as far as there is room."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import TYPE_SMALL, Palette, body_font
from workbench.ui.plots.chart import ChartSeries, colour_of
from workbench.ui.plots.chart_view import ChartView
from workbench.ui.plots.frame import Frame

_NAME = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class NamedChart(ChartView):
    """Names the dots of all series that have the colour of a run, by their keys."""

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        super().draw(painter, frame, colours)
        painter.setClipping(False)
        painter.setFont(body_font(TYPE_SMALL))
        metrics, taken = QFontMetricsF(painter.font()), list[QRectF]()
        named = [one for one in self.series if one.colour is not None]
        dots = [frame.place(x, y) for one in named for x, y in _points(one)]
        keys = [(key, one) for one in named for key in one.keys]
        for dot, (key, one) in zip(dots, keys, strict=True):
            text = metrics.elidedText(paintable_text(key), Qt.TextElideMode.ElideRight, 120)
            wide, high = metrics.horizontalAdvance(text), scaled_length(14)
            sides = ((7, -high / 2), (-wide - 7, -high / 2), (-wide / 2, -high - 4), (-wide / 2, 5))
            boxes = [QRectF(dot.x() + dx, dot.y() + dy, wide, high) for dx, dy in sides]
            free = [
                box
                for box in boxes
                if frame.area.contains(box)
                and not any(box.intersects(other) for other in taken)
                and not any(box.contains(other) for other in dots)
            ]
            if free:
                taken.append(free[0])
                painter.setPen(QColor(colour_of(one, colours)))
                painter.drawText(free[0], _NAME, text)


def _points(series: ChartSeries) -> list[tuple[float, float]]:
    return list(zip(series.x.tolist(), series.y.tolist(), strict=True))
