"""Figures and tables as files: PNG at twice the usual resolution, SVG and PDF as vectors, CSV."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.core.atomic import replacing
from workbench.core.errors import UserError

Draw = Callable[[QPainter], None]

FIGURES = {".png": "PNG image (*.png)", ".svg": "SVG drawing (*.svg)", ".pdf": "PDF document (*.pdf)"}
TABLE = {".csv": "CSV table (*.csv)"}

_RATIO = 2.0
_POINTS = 72
# Positions in a PDF are whole dots: so many to the point keep lines and letters where they belong.
_DOTS = 10


def ask_path(parent: QWidget, title: str, stem: str, kinds: dict[str, str]) -> Path | None:
    """Where to save, by the system's dialog; the kind chosen supplies a suffix that was not typed."""
    first = next(iter(kinds))
    name, chosen = QFileDialog.getSaveFileName(parent, title, f"{stem}{first}", ";;".join(kinds.values()))
    if not name:
        return None
    path = Path(name)
    if path.suffix.lower() in kinds:
        return path
    suffix = next((suffix for suffix, kind in kinds.items() if kind == chosen), first)
    return path.with_name(path.name + suffix)


def save_figure(path: Path, size: QSize, draw: Draw, title: str = "") -> None:
    """Write what ``draw`` paints on ``size`` device-independent pixels; the suffix (.png, .svg, .pdf) tells how.

    A pixel becomes a point in a PDF. Raises UserError for another suffix and where the place cannot be
    written.
    """
    suffix = path.suffix.lower()
    if suffix not in FIGURES:
        raise UserError(f"There is no figure of the kind “{suffix}”.", f"Choose one of: {', '.join(FIGURES)}.")
    with replacing(path) as part:
        {".png": _save_png, ".svg": _save_svg, ".pdf": _save_pdf}[suffix](part, size, draw, title)
        if not part.stat().st_size:
            raise UserError(f"{path} cannot be written.", "Choose another place.")


def save_text(path: Path, text: str) -> None:
    """Write a table. Raises UserError where the place cannot be written."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="")


def figure_image(size: QSize, draw: Draw) -> QImage:
    """What ``draw`` paints on ``size`` device-independent pixels, at twice as many pixels each way."""
    image = QImage(size * _RATIO, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_RATIO)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw(painter)
    painter.end()
    return image


def _save_png(path: Path, size: QSize, draw: Draw, title: str) -> None:
    image = figure_image(size, draw)
    if title:
        image.setText("Title", title)
    image.save(str(path), "PNG")  # type: ignore[call-overload]


def _save_svg(path: Path, size: QSize, draw: Draw, title: str) -> None:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    draw(painter)
    painter.end()


def _save_pdf(path: Path, size: QSize, draw: Draw, title: str) -> None:
    writer = QPdfWriter(str(path))
    writer.setTitle(title)
    writer.setResolution(_POINTS * _DOTS)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setPageSize(QPageSize(QSizeF(size), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    painter = QPainter(writer)
    painter.scale(_DOTS, _DOTS)
    draw(painter)
    painter.end()
