"""The colour scale below a matrix, and what hatching and the other tone mean."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from workbench.core.language import tr
from workbench.ui.measures import scaled
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, TYPE_SMALL, Palette, body_font
from workbench.ui.widgets.matrix_frame import Frame
from workbench.ui.widgets.matrix_hatching import paint_hatching
from workbench.ui.widgets.matrix_picture import Picture
from workbench.ui.widgets.matrix_scale import Scale, number

_TICKS_FROM = 24.0
_NEVER, _UNKNOWN = tr("unseen"), tr("unknown word")
_SWATCH, _LEAST_BAR, _LONGEST_BAR = 18.0, 40.0, 260.0


def paint_bar(painter: QPainter, frame: Frame, pane: int, picture: Picture, palette: Palette) -> None:
    """The colours with their values and unit, and what hatching and the other tone mean."""
    plot = frame.plots[pane]
    top = frame.seen(pane).bottom() + frame.strip + 2
    painter.setFont(body_font(TYPE_SMALL, tabular=True))
    metrics = QFontMetricsF(painter.font())
    ends = _ends(picture.scale) if frame.bar < scaled(_TICKS_FROM) else ("", "")
    beside = [metrics.horizontalAdvance(text) + SPACE_1 if text else 0.0 for text in ends]
    name = {tr("no unit"): "", "nats": tr("nats")}.get(picture.scale.unit, picture.scale.unit)
    marks = [text for wanted, text in ((picture.unseen, _NEVER), (picture.unknown, _UNKNOWN)) if wanted]
    # Where there is no room for all, the unit goes first: the line below the matrices tells it, too.
    after, room, unit, legends = 0.0, 0.0, name, marks
    for unit, legends in ((name, marks), ("", marks), (name, marks[:1]), ("", marks[:1]), (name, [])):
        after = metrics.horizontalAdvance(unit) + SPACE_2 if unit else 0.0
        taken = sum(metrics.horizontalAdvance(text) + scaled(_SWATCH) + SPACE_3 for text in legends)
        room = plot.width() - after - taken - sum(beside)
        if room >= scaled(_LEAST_BAR):
            break
    bar = QRectF(plot.left() + beside[0], top, min(room, scaled(_LONGEST_BAR)), 10)
    if bar.width() < 10:
        return
    table = picture.scale.colours(palette)
    colours = QImage(np.ascontiguousarray(table).tobytes(), 256, 1, 768, QImage.Format.Format_RGB888).copy()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(bar, colours)
    painter.setPen(QColor(palette.muted))
    left, flags = bar.right() + SPACE_2 + beside[1], Qt.AlignmentFlag.AlignVCenter
    if unit:
        painter.drawText(QRectF(left, top - 3, after, scaled(16)), flags, unit)
        left += after
    for text in legends:
        left += SPACE_2
        _paint_swatch(painter, QRectF(left, top - 1, 12, 12), text, palette)
        left += scaled(_SWATCH)
        wide = metrics.horizontalAdvance(text) + 2
        painter.setPen(QColor(palette.muted))
        painter.drawText(QRectF(left, top - 3, wide, scaled(16)), flags, text)
        left += wide
    if any(ends):
        painter.drawText(QRectF(plot.left(), top - 3, beside[0], scaled(16)), flags, ends[0])
        painter.drawText(QRectF(bar.right() + SPACE_1, top - 3, beside[1] + 2, scaled(16)), flags, ends[1])
    else:
        _paint_ticks(painter, bar, picture.scale, palette)


def _ends(scale: Scale) -> tuple[str, str]:
    """What the first and the last colour stand for."""
    low, high = number(scale.low, 2), number(scale.high, 2)
    if scale.clipped:
        return (f"≤ {low}" if scale.centre0 else low), f"≥ {high}"
    return low, high


def _paint_swatch(painter: QPainter, box: QRectF, text: str, palette: Palette) -> None:
    painter.save()
    painter.setClipRect(box)
    if text == _NEVER:
        paint_hatching(painter, box, box.topLeft(), palette)
    else:
        painter.fillRect(box, QColor(palette.raised))
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(palette.line), 1))
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


def _paint_ticks(painter: QPainter, strip_: QRectF, scale: Scale, palette: Palette) -> None:
    metrics = QFontMetricsF(painter.font())
    ticks = scale.ticks(max(3, min(8, int(strip_.width() / 34))))
    if scale.clipped:
        low, high = _ends(scale)
        ticks = [tick for tick in ticks if 0.15 < tick[0] < 0.85 or tick[0] == 0]
        ticks.append((1.0, high))
        if scale.centre0:
            ticks.insert(0, (0.0, low))
    last = -math.inf
    for share, text in ticks:
        x = strip_.left() + share * strip_.width()
        wide = metrics.horizontalAdvance(text)
        left = min(max(x - wide / 2, strip_.left()), max(strip_.right() - wide, strip_.left()))
        painter.fillRect(QRectF(x - 0.5, strip_.bottom(), 1, 3), QColor(palette.muted))
        if left < last + 4:
            continue
        last = left + wide
        painter.drawText(QRectF(left, strip_.bottom() + 2, wide + 1, scaled(16)), Qt.AlignmentFlag.AlignVCenter, text)
