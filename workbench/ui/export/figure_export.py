"""Figures and tables as files: PNG, SVG and PDF with a size in millimetres and a caption; CSV."""

from __future__ import annotations

import hashlib
import math
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF, QUuid
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFontInfo,
    QImage,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextDocument,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text.visible import visible_lines
from workbench.session.files.file_names import add_suffix
from workbench.session.settings.settings_file import Settings
from workbench.ui.base.colours import LIGHT
from workbench.ui.base.file_dialogs import EXPORTS, ask_save
from workbench.ui.base.scaling import SPACE_2, TYPE_SMALL, body_font, figure_units

Draw = Callable[[QPainter], None]

FIGURES = {
    ".png": tr("PNG image (*.png)"),
    ".svg": tr("SVG drawing (*.svg)"),
    ".pdf": tr("PDF document (*.pdf)"),
}
TABLE = {".csv": tr("CSV table (*.csv)")}

_INCH, _POINT = 25.4, 25.4 / 72
# Positions in a PDF are rounded to dots: this number per millimetre keeps lines and letters in
# place.
_DOTS = 100
# Default width of a drawing on paper: one pixel is one point, at two pixels of a PNG.
_PNG_RATIO = 2.0
WIDTHS = {tr("One column"): 84.0, tr("One and a half"): 129.0, tr("Two columns"): 174.0}
RESOLUTIONS = (96, 150, 300, 600)
NARROWEST, WIDEST = 20.0, 600.0
_MOST_PIXELS = 20_000
# Placeholder for the identifier of a PDF until its content is known.
_NO_ID = "5eedf1ed-0000-4000-8000-000000000000"
# Time of creation, as Qt writes it into the header and the metadata of a PDF.
_DATES = re.compile(rb"/(?:Creation|Mod)Date \([^)]*\)| xmp:\w+Date=\"[^\"]*\"")


@dataclass(frozen=True)
class PageSetup:
    """Size, resolution and caption of a figure on paper.

    width, height : in millimetres; None for one point per pixel, and for the height of the drawing
    with its caption. A drawing keeps its proportions, and is centred on a larger page.
    dpi : resolution of a PNG; None for twice the drawing's own pixels
    caption : plain text below the drawing, "" for none
    """

    width: float | None = None
    height: float | None = None
    dpi: int | None = None
    caption: str = ""


@dataclass(frozen=True)
class _Sheet:
    """The layout of a page. ``width`` and ``height`` in millimetres; ``scale`` is millimetres per
    unit of the drawing, whose upper left corner is at ``left`` and 0; the caption begins at
    ``below`` and is ``text`` units wide.
    """

    width: float
    height: float
    scale: float
    left: float
    below: float
    text: float


def ask_path(
    parent: QWidget, settings: Settings, title: str, stem: str, kinds: dict[str, str]
) -> Path | None:
    """Ask for a path in the system's dialog; the chosen kind supplies the suffix if none was
    typed.
    """
    first = next(iter(kinds))
    filters = ";;".join(kinds.values())
    path, chosen = ask_save(parent, settings, EXPORTS, title, f"{stem}{first}", filters)
    if path is None:
        return None
    if path.suffix.lower() in kinds:
        return path
    suffix = next((suffix for suffix, kind in kinds.items() if kind == chosen), first)
    return add_suffix(path, suffix)


def save_figure(
    path: Path, size: QSize, draw: Draw, title: str = "", page: PageSetup | None = None
) -> None:
    """Write the figure that ``draw`` paints on ``size`` units; the suffix is .png, .svg or .pdf.

    Raises UserError for another suffix, an invalid page size, or if the file couldn’t be written.
    """
    suffix = path.suffix.lower()
    if suffix not in FIGURES:
        raise UserError(
            tr("Unknown figure format “{suffix}”.", suffix=suffix),
            tr("Choose one of: {join}.", join=", ".join(FIGURES)),
        )
    page = page or PageSetup()
    with figure_units():
        sheet = _sheet(size, page)
        with replacing(path) as part:
            # Completed in memory before it is written: Qt doesn't report that the disk is full.
            part.write_bytes(
                {".png": _png, ".svg": _svg, ".pdf": _pdf}[suffix](size, draw, title, page, sheet)
            )


def page_size(size: QSize, page: PageSetup) -> tuple[float, float]:
    """Width and height in millimetres of a drawing on a page."""
    with figure_units():
        sheet = _sheet(size, page)
    return sheet.width, sheet.height


def save_text(path: Path, text: str) -> None:
    """Write a table. Raises UserError if the file can't be written."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="")


def figure_image(size: QSize, draw: Draw) -> QImage:
    """Image of what ``draw`` paints on ``size`` units, with two pixels per unit."""
    with figure_units():
        page = PageSetup()
        return _image(size, draw, page, _sheet(size, page))


def _sheet(size: QSize, page: PageSetup) -> _Sheet:
    """Lay out the page. Raises UserError if the drawing or the page is too small."""
    for length in (page.width, page.height):
        if length is not None and not (
            math.isfinite(length) and NARROWEST / 2 <= length <= 2 * WIDEST
        ):
            raise UserError(
                tr("A figure can’t be {length:g} mm wide or high.", length=length),
                tr("Choose {NARROWEST:g} to {WIDEST:g} mm.", NARROWEST=NARROWEST, WIDEST=WIDEST),
            )
    wide, tall = max(size.width(), 1), max(size.height(), 1)
    width = wide * _POINT
    if page.width is not None:
        width = page.width
    scale = width / wide
    caption = _caption(page.caption, wide).size().height() + SPACE_2 if page.caption else 0.0
    height = (tall + caption) * scale
    if page.height is not None:
        height = page.height
    # On a page that is too low for the drawing, the height determines the scale.
    scale = min(scale, height / (tall + caption))
    left = (width / scale - wide) / 2
    return _Sheet(width, height, scale, left, float(tall), float(wide))


def _caption(text: str, width: float) -> QTextDocument:
    document = QTextDocument()
    document.setDocumentMargin(SPACE_2)
    document.setDefaultFont(body_font(TYPE_SMALL))
    document.setPlainText(text)
    document.setTextWidth(width)
    return document


def _paint(painter: QPainter, size: QSize, draw: Draw, page: PageSetup, sheet: _Sheet) -> None:
    """Paint the whole page, in units of the drawing."""
    painter.translate(sheet.left, 0)
    painter.save()
    draw(painter)
    painter.restore()
    if page.caption:
        painter.setClipping(False)
        painter.translate(0, sheet.below)
        # A document takes its colour from the window's palette, not from the pen.
        look = QAbstractTextDocumentLayout.PaintContext()
        colours = look.palette
        colours.setColor(QPalette.ColorRole.Text, QColor(LIGHT.text))
        look.palette = colours
        document = _caption(page.caption, sheet.text)
        document.documentLayout().draw(painter, look)


def _on_paper(painter: QPainter, page: PageSetup, sheet: _Sheet) -> None:
    """Paint white around the drawing; a drawing without a page keeps a transparent ground."""
    if page.caption or sheet.left > 0:
        area = QRectF(0, 0, sheet.width / sheet.scale, sheet.height / sheet.scale)
        painter.fillRect(area, QColor(LIGHT.surface))


def _image(size: QSize, draw: Draw, page: PageSetup, sheet: _Sheet) -> QImage:
    dots = page.dpi / _INCH if page.dpi is not None else _PNG_RATIO / _POINT
    wide, tall = max(round(sheet.width * dots), 1), max(round(sheet.height * dots), 1)
    if max(wide, tall) > _MOST_PIXELS:
        raise UserError(
            tr("An image of {wide:,} × {tall:,} pixels is too large.", wide=wide, tall=tall),
            tr("Choose a lower resolution."),
        )
    image = QImage(wide, tall, QImage.Format.Format_ARGB32_Premultiplied)
    # Text, and words drawn as pixmaps, take their resolution from the ratio.
    ratio = sheet.scale * dots
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _on_paper(painter, page, sheet)
    _paint(painter, size, draw, page, sheet)
    painter.end()
    image.setDotsPerMeterX(round(dots * 1000))
    image.setDotsPerMeterY(round(dots * 1000))
    return image


def _png(size: QSize, draw: Draw, title: str, page: PageSetup, sheet: _Sheet) -> bytes:
    image = _image(size, draw, page, sheet)
    for name, text in (("Title", title), ("Description", page.caption)):
        if text:
            image.setText(name, text)
    memory = QBuffer()
    memory.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(memory, "PNG")  # type: ignore[call-overload]
    return bytes(memory.data().data())


def _svg(size: QSize, draw: Draw, title: str, page: PageSetup, sheet: _Sheet) -> bytes:
    generator = QSvgGenerator()
    memory = QBuffer()
    generator.setOutputDevice(memory)
    # Qt writes width and height in millimetres, from the size in dots and the dots per inch.
    generator.setResolution(round(_INCH * _DOTS))
    generator.setSize(QSize(round(sheet.width * _DOTS), round(sheet.height * _DOTS)))
    generator.setViewBox(QRectF(0, 0, sheet.width / sheet.scale, sheet.height / sheet.scale))
    generator.setTitle(title)
    generator.setDescription(page.caption)
    painter = QPainter(generator)
    _on_paper(painter, page, sheet)
    _paint(painter, size, draw, page, sheet)
    painter.end()
    # The system's font may have an alias that only this system knows.
    family = body_font().family()
    known = f"{QFontInfo(body_font()).family()}, {family}, sans-serif".replace('"', "'")
    # Qt writes words unchanged, but XML doesn't allow control characters.
    drawing = visible_lines(bytes(memory.data().data()).decode("utf-8", "replace"))
    return drawing.replace(f'font-family="{family}"', f'font-family="{known}"').encode()


def _pdf(size: QSize, draw: Draw, title: str, page: PageSetup, sheet: _Sheet) -> bytes:
    memory = QBuffer()
    memory.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(memory)
    writer.setTitle(title)
    writer.setDocumentId(QUuid(_NO_ID))
    writer.setResolution(round(_INCH * _DOTS))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    # Qt only supports pages of whole points: a larger page is cropped to its size afterwards.
    exact = [length / _POINT for length in (sheet.width, sheet.height)]
    paper = QSizeF(*(math.ceil(points - 1e-6) for points in exact))
    writer.setPageSize(
        QPageSize(paper, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    )
    painter = QPainter(writer)
    dots = round(_INCH * _DOTS) / _INCH * sheet.scale
    painter.scale(dots, dots)
    _on_paper(painter, page, sheet)
    _paint(painter, size, draw, page, sheet)
    painter.end()
    return _identified(_cut(bytes(memory.data().data()), exact[0], exact[1], paper.height()))


def _identified(text: bytes) -> bytes:
    """Give a PDF an identifier derived from its content, and remove the time of writing, so that
    the same figure is always the same file.
    """
    # Offsets are written at the end of the file: replacements keep the length.
    text = _DATES.sub(lambda found: b" " * len(found.group()), text)
    content = hashlib.sha256(text).digest()[:16]
    placeholder, identifier = _NO_ID.encode(), str(uuid.UUID(bytes=content, version=5)).encode()
    text = text.replace(placeholder, identifier)
    return text.replace(placeholder.hex().encode(), identifier.hex().encode())


def _cut(text: bytes, width: float, height: float, whole: float) -> bytes:
    """Give the page of a PDF a size in fractions of points: measured from the upper edge, where
    drawings start.
    """
    found = re.search(rb"/MediaBox \[[^\]]*\]", text)
    if found is None or (abs(height - whole) < 1e-6 and abs(width - round(width)) < 1e-6):
        return text
    box = f"/MediaBox [0 {whole - height:.4f} {width:.4f} {whole:.0f}"
    # Padded to the same length, because offsets of everything that follows are written at the end.
    room = found.end() - found.start() - 1
    return text[: found.start()] + box.encode().ljust(room) + text[found.end() - 1 :]
