"""Images of a matrix, one pixel per cell, with smaller levels for zooming out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from workbench.analysis.matrix.values import MatrixResult
from workbench.core.errors import UserError
from workbench.ui.base.theme import Palette
from workbench.ui.plots.colour_scale import Scale, scales

_ROWS_AT_A_TIME = 256
_SMALLEST = 128
_UNSEEN, _UNKNOWN = 256, 257


@dataclass(frozen=True, eq=False)
class MatrixImage:
    """levels : images of the cells, each half as large as the one before; unobserved pairs are
    transparent, to show the hatching below, and blended if a pixel contains several cells
    pixels : uint32[r, c] for each level, the memory of its image
    unseen, unknown : whether there are unobserved pairs, and words without values
    """

    scale: Scale
    levels: tuple[QImage, ...]
    pixels: tuple[npt.NDArray[np.uint32], ...]
    unseen: bool
    unknown: bool

    def draw_cells(self, painter: QPainter, whole: QRectF, seen: QRectF) -> None:
        """Draw the visible part ``seen`` of the cells, whose whole area is ``whole``."""
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


def make_images(
    panes: Sequence[MatrixResult | UserError], shared: bool, palette: Palette
) -> list[MatrixImage | None]:
    """Image of every pane, None without values. For a worker: four of 2,000 × 2,000 take 0.5 s."""
    results = [pane for pane in panes if isinstance(pane, MatrixResult)]
    images = iter(
        [
            _make_image(one, scale, palette)
            for one, scale in zip(results, scales(results, shared), strict=True)
        ]
    )
    return [next(images) if isinstance(pane, MatrixResult) else None for pane in panes]


def _make_image(result: MatrixResult, scale: Scale, palette: Palette) -> MatrixImage:
    rows, columns = result.values.shape
    known = result.rows_known, result.columns_known
    colours = _colour_table(scale, palette)
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
    levels = [pixels]
    while min(levels[-1].shape) >= 2 * _SMALLEST:
        levels.append(_halve_pixels(levels[-1]))
    return MatrixImage(
        scale,
        tuple(map(_wrap_pixels, levels)),
        tuple(levels),
        unseen,
        not (known[0].all() and known[1].all()),
    )


def _halve_pixels(pixels: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Means of 2 × 2 pixels, without an odd last row or column: unlike Qt, numpy doesn't block
    other threads.
    """
    rows, columns = (length // 2 * 2 for length in pixels.shape)
    found = np.empty((rows // 2, columns // 2), dtype=np.uint32)
    for begin in range(0, rows, 2 * _ROWS_AT_A_TIME):
        part = pixels[begin : min(begin + 2 * _ROWS_AT_A_TIME, rows), :columns]
        halved = np.zeros((len(part) // 2, columns // 2), dtype=np.uint32)
        for shift in (0, 8, 16, 24):
            channel = (part >> np.uint32(shift)) & np.uint32(255)
            sums = (
                channel[0::2, 0::2]
                + channel[1::2, 0::2]
                + channel[0::2, 1::2]
                + channel[1::2, 1::2]
            )
            halved |= (sums + np.uint32(2)) // np.uint32(4) << np.uint32(shift)
        found[begin // 2 : begin // 2 + len(halved)] = halved
    return found


def _wrap_pixels(pixels: npt.NDArray[np.uint32]) -> QImage:
    """Wrap pixels as an image without a copy; the pixels must stay alive."""
    rows, columns = pixels.shape
    return QImage(
        pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32_Premultiplied
    )


def _colour_table(scale: Scale, palette: Palette) -> npt.NDArray[np.uint32]:
    """uint32[258], ARGB: 256 colours, transparent, and the colour of words without values."""
    channels = scale.colours(palette).astype(np.uint32)
    opaque = np.uint32(0xFF000000)
    table = np.zeros(258, dtype=np.uint32)
    table[:256] = opaque | (channels[:, 0] << 16) | (channels[:, 1] << 8) | channels[:, 2]
    table[_UNKNOWN] = QColor(palette.raised).rgba()
    return table
