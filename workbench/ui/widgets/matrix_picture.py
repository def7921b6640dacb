"""The cells of a matrix as images, one pixel a cell, and smaller ones of it for whoever looks from afar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from workbench.analysis.matrix import MatrixResult
from workbench.core.errors import UserError
from workbench.ui.theme import Palette
from workbench.ui.widgets.matrix_scale import Scale, scales

_ROWS_AT_A_TIME = 256
_SMALLEST = 128
_UNSEEN, _UNKNOWN = 256, 257


@dataclass(frozen=True, eq=False)
class Picture:
    """levels : images of the cells, each half as large as the one before; what was never seen is transparent,
        so that the hatching under it is seen, and mixed where a pixel holds several cells
    unseen, unknown : whether there are pairs never seen, and words without numbers
    """

    scale: Scale
    levels: tuple[QImage, ...]
    unseen: bool
    unknown: bool

    def draw(self, painter: QPainter, whole: QRectF, seen: QRectF) -> None:
        """Draw the part ``seen`` of the cells, which all together lie on ``whole``."""
        rows, columns = self.levels[0].height(), self.levels[0].width()
        ratio = painter.device().devicePixelRatioF()
        across, down = whole.width() * ratio / columns, whole.height() * ratio / rows
        level = 0
        while level + 1 < len(self.levels) and max(across, down) * 2 ** (level + 1) <= 1.0:
            level += 1
        image = self.levels[level]
        source = QRectF(
            (seen.left() - whole.left()) / whole.width() * image.width(),
            (seen.top() - whole.top()) / whole.height() * image.height(),
            seen.width() / whole.width() * image.width(),
            seen.height() / whole.height() * image.height(),
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, min(across, down) < 1)
        painter.drawImage(seen, image, source)


def pictures(panes: Sequence[MatrixResult | UserError], shared: bool, palette: Palette) -> list[Picture | None]:
    """Of every pane its picture, None where there are no numbers. For a worker: four of 2,000 × 2,000 take 0.5 s."""
    results = [pane for pane in panes if isinstance(pane, MatrixResult)]
    made = iter([_picture(one, scale, palette) for one, scale in zip(results, scales(results, shared), strict=True)])
    return [next(made) if isinstance(pane, MatrixResult) else None for pane in panes]


def _picture(result: MatrixResult, scale: Scale, palette: Palette) -> Picture:
    rows, columns = result.values.shape
    known = result.rows_known, result.columns_known
    colours = _table(scale, palette)
    pixels = np.empty((rows, columns), dtype=np.uint32)
    unseen = False
    for begin in range(0, rows, _ROWS_AT_A_TIME):
        part = slice(begin, begin + _ROWS_AT_A_TIME)
        share = scale.share(result.values[part])
        seen = np.isfinite(share)
        places = (np.clip(np.where(seen, share, 0.0), 0.0, 1.0) * 255).round().astype(np.intp)
        places[~seen] = _UNSEEN
        places[~known[0][part]] = _UNKNOWN
        places[:, ~known[1]] = _UNKNOWN
        unseen = unseen or bool((places == _UNSEEN).any())
        pixels[part] = colours[places]
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32_Premultiplied).copy()
    levels = [image]
    while min(levels[-1].width(), levels[-1].height()) >= 2 * _SMALLEST:
        last = levels[-1]
        levels.append(
            last.scaled(
                last.width() // 2, last.height() // 2,
                Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation,
            )
        )  # fmt: skip
    return Picture(scale, tuple(levels), unseen, not (known[0].all() and known[1].all()))


def _table(scale: Scale, palette: Palette) -> npt.NDArray[np.uint32]:
    """uint32[258], ARGB: 256 colours, nothing, and the tone of words without numbers."""
    channels = scale.colours(palette).astype(np.uint32)
    opaque = np.uint32(0xFF000000)
    table = np.zeros(258, dtype=np.uint32)
    table[:256] = opaque | (channels[:, 0] << 16) | (channels[:, 1] << 8) | channels[:, 2]
    table[_UNKNOWN] = QColor(palette.raised).rgba()
    return table
