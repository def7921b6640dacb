"""The map as a picture or a table."""

from __future__ import annotations

import csv
from pathlib import Path

from PySide6.QtGui import QImage, QPainter

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.ui.widgets.map_canvas import MapCanvas
from workbench.ui.widgets.map_layouts import Layout


def save_map(path: Path, view: MapCanvas, layout: Layout) -> None:
    """Write the positions (.csv) or the picture as it is seen, at twice the usual resolution (PNG).

    Raises UserError where the place cannot be written.
    """
    with replacing(path) as part:
        if path.suffix.lower() == ".csv":
            _write_positions(part, layout)
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


def _write_positions(path: Path, layout: Layout) -> None:
    counts = layout.request.embeddings.counts
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["word", "x", "y"] + (["count"] if counts is not None else []))
        for row, (word, (x, y)) in enumerate(zip(layout.words, layout.positions.tolist(), strict=True)):
            table.writerow([word, f"{x:.6g}", f"{y:.6g}"] + ([int(counts[row])] if counts is not None else []))
