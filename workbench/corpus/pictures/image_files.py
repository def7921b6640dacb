"""Images that need no library: PGM and PPM, numpy arrays, and tables of numbers.

Qt converts all other formats to PPM (``session/corpus/picture_reading.py``).
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.arrays import Array, Doubles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.text.text_files import DAMAGE, read_bytes, read_text

# Maximum pixels of a picture, and bytes of its file and of a table.
MOST_PIXELS = 100_000_000
_MOST_BYTES = 1_000_000_000
_MOST_TABLE = 100_000_000
# Rec. 709: the share of red, green and blue in brightness.
_BRIGHTNESS = np.array([0.2126, 0.7152, 0.0722])
_TABLES = (".csv", ".tsv", ".txt")
# Width, height and maximum, with comments between them, and one space.
_GAP = rb"(?:\s|#[^\n]*\n)+"
_HEADER = re.compile(rb"P([2356])" + 3 * (_GAP + rb"(\d{1,9})") + rb"(?:[ \t\r\n]|\Z)")
_COMMENT = re.compile(rb"#[^\n]*")


def is_readable(path: Path) -> bool:
    """Whether ``read_image`` reads this file, by its name or first bytes."""
    if path.suffix.lower() in (".npy", *_TABLES):
        return True
    try:
        with path.open("rb") as file:
            head = file.read(2)
    except OSError:
        return False
    return head in (b"P2", b"P3", b"P5", b"P6")


def read_image(path: Path) -> Doubles:
    """Brightness, float64[h, w], row 0 at the top. Raises UserError."""
    suffix = path.suffix.lower()
    if suffix == ".npy":
        values = _read_array(path)
    elif suffix in _TABLES:
        values = _read_table(path)
    else:
        values = read_netpbm(read_bytes(path, _MOST_BYTES), path.name)
    if not np.isfinite(values).all():
        raise UserError(
            tr("{name} contains values that aren’t numbers (NaN or infinity).", name=path.name),
            tr("Replace these values with numbers."),
        )
    return values


def _read_array(path: Path) -> Doubles:
    try:
        found = np.load(io.BytesIO(read_bytes(path, _MOST_BYTES)), allow_pickle=False)
    except DAMAGE as error:
        raise unreadable(path.name, tr("it isn’t a NumPy array, or it is damaged")) from error
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "biuf":
        raise unreadable(path.name, tr("it doesn’t contain an array of numbers"))
    if found.ndim == 3 and found.shape[2] in (1, 3, 4):
        return _brightness(found, path.name)
    if found.ndim != 2 or found.size == 0:
        shape = " × ".join(map(str, found.shape)) or "()"
        raise unreadable(
            path.name, tr("it must be an array of rows and columns, not {shape}", shape=shape)
        )
    return found.astype(np.float64)


def _brightness(pixels: Array, name: str) -> Doubles:
    """float64[h, w] from [h, w, c], c = 1 (grey), 3 (RGB) or 4 (RGB with opacity, on white)."""
    if pixels.size == 0:
        raise unreadable(name, tr("it contains no pixels"))
    values = pixels.astype(np.float64)
    if values.shape[2] == 1:
        return np.asarray(values[:, :, 0])
    white = float(np.iinfo(pixels.dtype).max) if pixels.dtype.kind in "iu" else 1.0
    found = values[:, :, :3] @ _BRIGHTNESS
    if values.shape[2] == 4:
        opacity = np.clip(values[:, :, 3] / white, 0.0, 1.0)
        found = opacity * found + (1.0 - opacity) * white
    return np.asarray(found)


def _read_table(path: Path) -> Doubles:
    text = read_text(path, _MOST_TABLE).strip("\ufeff\n\r")
    rows: list[list[float]] = []
    first, _, _ = text.partition("\n")
    between = next((mark for mark in "\t;," if mark in first), " ")
    lines = csv.reader(text.splitlines(), delimiter=between, skipinitialspace=True)
    try:
        for number, cells in enumerate(lines, 1):
            kept = [cell for cell in cells if cell.strip()]
            if not kept:
                continue
            # Where commas don’t separate numbers, they are decimal points.
            rows.append([float(cell.replace(",", ".")) for cell in kept])
            if len(kept) != len(rows[0]):
                raise unreadable(
                    path.name,
                    tr(
                        "line {number:,} has {many:,} numbers, the first one {first:,}",
                        number=number,
                        many=len(kept),
                        first=len(rows[0]),
                    ),
                )
    except (ValueError, csv.Error) as error:
        reason = tr("line {number:,} contains more than numbers", number=lines.line_num)
        raise unreadable(path.name, reason) from error
    if not rows:
        raise unreadable(path.name, tr("it contains no numbers"))
    return np.array(rows, dtype=np.float64)


def read_netpbm(content: bytes, name: str) -> Doubles:
    """Brightness of a PGM or PPM, as text or binary, of 8 or 16 bits. Raises UserError."""
    header = _HEADER.match(content)
    if header is None:
        raise unreadable(name, tr("it isn’t a PGM or PPM file"))
    kind, width, height, most = (int(part) for part in header.groups())
    if not (width and height and 0 < most < 65536):
        raise unreadable(
            name,
            tr(
                "its header specifies {width:,} × {height:,} pixels up to {most:,}",
                width=width,
                height=height,
                most=most,
            ),
        )
    if width * height > MOST_PIXELS:
        raise too_large(name, width, height)
    channels = 3 if kind in (3, 6) else 1
    needed = width * height * channels
    body = content[header.end() :]
    if kind in (2, 3):
        try:
            values = np.array(_COMMENT.sub(b"", body).split()[:needed], dtype=np.float64)
        except ValueError as error:
            raise unreadable(name, tr("it contains more than numbers")) from error
    else:
        kept: np.dtype[Any] = np.dtype("u1")
        if most > 255:
            kept = np.dtype(">u2")
        values = np.frombuffer(body[: needed * kept.itemsize], dtype="u1")
        whole = len(values) // kept.itemsize * kept.itemsize
        values = values[:whole].view(kept).astype(np.float64)
    if len(values) < needed:
        raise unreadable(name, tr("it is truncated"))
    if channels == 1:
        return values.reshape(height, width)
    return np.asarray(values.reshape(height, width, 3) @ _BRIGHTNESS)


def too_large(name: str, width: int, height: int) -> UserError:
    return UserError(
        tr(
            "{name} is too large: {width:,} × {height:,} pixels, more than {most:,}.",
            name=name,
            width=width,
            height=height,
            most=MOST_PIXELS,
        ),
        tr("Make the picture smaller; 128 × 128 pixels are enough."),
    )


def unreadable(name: str, reason: str) -> UserError:
    return UserError(
        tr("Couldn’t read {name} as a picture: {reason}.", name=name, reason=reason),
        tr("Choose a PNG, JPEG, PGM or PPM, an array (.npy) or a table of numbers (.csv)."),
    )
