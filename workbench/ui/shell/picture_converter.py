"""Conversion of pictures and widths of text by Qt, in a process of its own that needs no display.

    python -m workbench.ui.shell.picture_converter DRAWING.svg PICTURE.png
    python -m workbench.ui.shell.picture_converter IMAGE PIXELS.ppm
    python -m workbench.ui.shell.picture_converter TEXTS.json WIDTHS.npy

A drawing is painted with two pixels per unit. Of an image, only the first frame is written, with
white for transparent parts, and with at most 1,024 pixels on its shorter side. Widths of a list of
texts are float64[n] in ems of the font called sans-serif. On failure, prints the reason and exits
with 1.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QImage, QImageReader, QPainter
from PySide6.QtSvg import QSvgRenderer

_RATIO = 2
_SIDE = 1024
# Pixels of an em in which text is measured.
_EM = 100
# Megabytes of a decoded image: 100 million pixels at four bytes.
_MEGABYTES = 400


def main(arguments: Sequence[str]) -> int:
    source, target = arguments
    # Text needs an application.
    application = QGuiApplication(["workbench", "-platform", "offscreen"])
    if target.endswith(".ppm"):
        problem = write_pixels(source, target)
    elif target.endswith(".npy"):
        problem = write_widths(source, target)
    else:
        problem = paint_drawing(source, target)
    application.quit()
    if not problem:
        return 0
    print(problem, file=sys.stderr)
    return 1


def paint_drawing(drawing: str, picture: str) -> str:
    """Paint a drawing into a picture. Returns the reason for a failure, "" for success."""
    renderer = QSvgRenderer(drawing)
    image = QImage(renderer.defaultSize() * _RATIO, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    if image.save(picture, "PNG"):  # type: ignore[call-overload]
        return ""
    return f"{picture} cannot be written."


def write_widths(texts: str, widths: str) -> str:
    """Write the widths of the texts in a JSON file."""
    font = QFont("sans-serif")
    font.setPixelSize(_EM)
    metrics = QFontMetricsF(font)
    found = [metrics.horizontalAdvance(text) / _EM for text in json.loads(Path(texts).read_text())]
    np.save(widths, np.array(found, dtype=np.float64))
    return ""


def write_pixels(source: str, target: str) -> str:
    """Write an image as binary PPM. Returns "large WIDTH HEIGHT", "unknown" for its format or
    "damaged"; "" for success.
    """
    QImageReader.setAllocationLimit(_MEGABYTES)
    reader = QImageReader(source)
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid() and size.width() * size.height() > _MEGABYTES * 250_000:
        return f"large {size.width()} {size.height()}"
    if size.isValid() and bytes(reader.format().data()) in (b"svg", b"svgz", b"jpeg"):
        # These formats are decoded at the wanted size; others are scaled afterwards.
        reader.setScaledSize(_fitting(size, always=bytes(reader.format().data()) != b"jpeg"))
    image = reader.read()
    if image.isNull():
        if reader.error() is QImageReader.ImageReaderError.UnsupportedFormatError:
            return "unknown"
        return "damaged"
    if min(image.width(), image.height()) > _SIDE:
        image = image.scaled(
            _fitting(image.size()),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    canvas = QImage(image.size(), QImage.Format.Format_RGB32)
    canvas.fill(Qt.GlobalColor.white)
    painter = QPainter(canvas)
    painter.drawImage(QRect(0, 0, image.width(), image.height()), image)
    painter.end()
    pixels = canvas.convertToFormat(QImage.Format.Format_RGB888)
    width = pixels.width()
    # Rows are padded to multiples of four bytes.
    padded = np.frombuffer(pixels.constBits(), np.uint8).reshape(pixels.height(), -1)
    head = f"P6 {width} {pixels.height()} 255\n".encode()
    Path(target).write_bytes(head + padded[:, : 3 * width].tobytes())
    return ""


def _fitting(size: QSize, always: bool = False) -> QSize:
    """A size of the same shape with at most 1,024 pixels on its shorter side; ``always``: with
    exactly 1,024 pixels on its longer side.
    """
    side = min(size.width(), size.height())
    if always:
        side = max(size.width(), size.height())
    elif side <= _SIDE:
        return size
    ratio = _SIDE / side
    return QSize(max(round(size.width() * ratio), 1), max(round(size.height() * ratio), 1))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
