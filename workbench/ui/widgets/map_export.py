"""The map as a picture or a table."""

from __future__ import annotations

import csv
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.session.session import Session
from workbench.ui.widgets.map_canvas import MapCanvas
from workbench.ui.widgets.map_layouts import Layout

# Pixels of the screen and points of a page to the inch.
_DOTS, _POINTS = 96, 72
FORMATS = {
    ".png": ("PNG image", "Export the map as PNG…"),
    ".svg": ("SVG drawing", "Export the map as SVG…"),
    ".pdf": ("PDF document", "Export the map as PDF…"),
    ".tsv": ("TSV table", "Export positions as TSV…"),
    ".csv": ("CSV table", "Export positions as CSV…"),
}


def ask_and_save(parent: QWidget, session: Session, view: MapCanvas, layout: Layout | None, suffix: str) -> None:
    """Ask for a place and save the map there; says how it went."""
    name, _ = QFileDialog.getSaveFileName(parent, "Export the map", f"map{suffix}", f"{FORMATS[suffix][0]} (*{suffix})")
    if not name or layout is None:
        return
    path = Path(name)
    path = path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)
    try:
        save_map(path, view, layout)
    except UserError as error:
        session.message.emit(error.message, error.hint, True)
    else:
        session.message.emit(f"Saved {path.name}.", "", False)


def save_map(path: Path, view: MapCanvas, layout: Layout) -> None:
    """Write the positions (.csv, .tsv) or the picture as it is seen: .svg and .pdf as shapes and text, else PNG
    at twice the usual resolution.

    Raises UserError where the place cannot be written.
    """
    suffix = path.suffix.lower()
    with replacing(path) as part:
        if suffix in (".csv", ".tsv"):
            _write_positions(part, view, layout, "," if suffix == ".csv" else "\t")
        elif suffix == ".svg":
            _write_svg(part, view)
        elif suffix == ".pdf":
            _write_pdf(part, view)
        elif not picture(view).save(str(part), "PNG"):  # type: ignore[call-overload]
            raise UserError(f"{path} cannot be written.", "Choose another place.")


def picture(view: MapCanvas) -> QImage:
    """What the view shows, for a screen of at least two device pixels per pixel."""
    ratio = max(2.0, view.devicePixelRatioF())
    image = QImage(view.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    view.draw(painter)
    painter.end()
    return image


def _write_svg(path: Path, view: MapCanvas) -> None:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(view.size())
    generator.setViewBox(QRectF(view.rect()))
    generator.setResolution(_DOTS)
    generator.setTitle("Map of words")
    _paint(QPainter(generator), view)


def _write_pdf(path: Path, view: MapCanvas) -> None:
    writer = QPdfWriter(str(path))
    writer.setResolution(_DOTS)
    size = QSizeF(view.size()) * (_POINTS / _DOTS)
    page = QPageSize(size, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.setTitle("Map of words")
    _paint(QPainter(writer), view)


def _paint(painter: QPainter, view: MapCanvas) -> None:
    if not painter.isActive():
        raise UserError("The picture cannot be written.", "Choose another place.")
    painter.setClipRect(view.rect())
    view.draw(painter, vector=True)
    painter.end()


def _write_positions(path: Path, view: MapCanvas, layout: Layout, separator: str) -> None:
    """Word, x, y (and z), for two models also where a word goes; count; and what the colours mean."""
    request, pair = layout.request, layout.pair
    axes = ["x", "y", "z"][: layout.positions.shape[1]]
    columns: list[tuple[str, list[object]]] = [("word", list(layout.words))]
    columns += [(name, _numbers(layout.positions[:, place].tolist())) for place, name in enumerate(axes)]
    if pair is not None:
        columns += [(f"{name} after", _numbers(pair.after[:, place].tolist())) for place, name in enumerate(axes)]
        where = ("both", "only before", "only after")
        columns.append(("in", [where[presence] for presence in pair.presence.tolist()]))
    counts = request.embeddings.counts
    if counts is not None:
        index = request.embeddings.index
        columns.append(("count", [int(counts[index[word]]) if word in index else "" for word in layout.words]))
    shading = view.shading
    if len(shading.texts) == len(layout.words):
        columns.append((shading.title, list(shading.texts)))
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter=separator)
        table.writerow([name for name, _ in columns])
        table.writerows(zip(*(values for _, values in columns), strict=True))


def _numbers(values: list[float]) -> list[object]:
    return [f"{value:.6g}" for value in values]
