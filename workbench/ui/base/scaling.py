"""Type, spacing, and lengths that scale with the text size.

Lengths are device-independent pixels at a text size of 100%. ``set_scaled_size`` and
``set_text_role`` apply them to a widget and are repeated when the text size changes; painting code
uses ``scaled_length``. Figures are drawn in their own units, in which text has its size of 100%:
``on_widget`` scales the whole figure on the screen, files contain it unscaled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, TypeVar

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QPainter
from PySide6.QtWidgets import QAbstractButton, QHeaderView, QWidget

SPACE_1, SPACE_2, SPACE_3, SPACE_4, SPACE_5 = 4, 8, 12, 16, 24
TYPE_SMALL, TYPE_BODY, TYPE_LARGE, TYPE_TITLE = 12, 13, 15, 20

# Choices, in percent.
TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)

N = TypeVar("N", int, float)
W = TypeVar("W", bound=QWidget)
_SIZES, _LETTERS, _OPENED = "measures.sizes", "measures.letters", "measures.opened"
# Used if the system's fixed-width font isn't one: by name, free fonts first.
_FIXED_FAMILIES = (
    "monospace",
    "DejaVu Sans Mono",
    "Noto Sans Mono",
    "Liberation Mono",
    "Noto Mono",
    "Ubuntu Mono",
    "Cousine",
    "Adwaita Mono",
    "Hack",
    "FreeMono",
    "Nimbus Mono PS",
    "Menlo",
    "Monaco",
    "Consolas",
    "Courier New",
    "Courier",
)
# Frame that a window manager may put around a window.
_FRAME = QSize(16, 48)
_factor = 1.0


def text_factor() -> float:
    """The current text size relative to the default; 1 inside ``figure_units``."""
    return _factor


def set_text_factor(factor: float) -> None:
    """Set the text size for all later calls. Only the theme calls this."""
    global _factor
    _factor = factor


def scaled_length(pixels: N) -> N:
    """A length scaled with the text size; an int stays an int."""
    if isinstance(pixels, int):
        return round(pixels * _factor)
    return pixels * _factor


@contextmanager
def figure_units() -> Iterator[None]:
    """Make ``scaled_length`` and ``body_font`` use a text size of 100% in the block."""
    before = _factor
    set_text_factor(1.0)
    try:
        yield
    finally:
        set_text_factor(before)


@contextmanager
def on_widget(widget: QWidget) -> Iterator[tuple[QPainter, QRectF]]:
    """A painter for a figure on a widget, scaled with the text size, and the room of the figure in
    its own units.
    """
    painter = QPainter(widget)
    painter.scale(_factor, _factor)
    room = in_figure(widget)
    try:
        with figure_units():
            yield painter, room
    finally:
        painter.end()


def in_figure(widget: QWidget) -> QRectF:
    """The room of a widget in the units of its figure."""
    return QRectF(0, 0, widget.width() / _factor, widget.height() / _factor)


def to_figure(point: QPointF) -> QPointF:
    """A point of a widget in the units of its figure."""
    return point / _factor


def body_font(
    size: int = TYPE_BODY, *, bold: bool = False, tabular: bool = False, fixed: bool = False
) -> QFont:
    """The system's font at a size of the type scale; ``tabular`` requests digits of equal width,
    ``fixed`` a fixed-width font.

    Without a font of truly fixed width, ``fixed`` returns the one that the system proposes.
    """
    if fixed:
        font = _fixed_font()
    else:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(scaled_length(size))
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    if tabular:
        # PySide6 6.8 declares this constructor of a tag but rejects its argument: there, digits
        # keep their widths.
        with suppress(TypeError):
            font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _fixed_font() -> QFont:
    """Choose the fixed-width font by measuring: what fonts report is wrong both ways (Noto Sans
    Mono reports that it isn't fixed).
    """
    proposed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if _equally_wide(proposed):
        return proposed
    family = _fixed_family(proposed.family())
    if family:
        proposed.setFamilies([family])
    return proposed


@cache
def _fixed_family(proposed: str) -> str:
    """A family with fixed width to replace the proposed one; "" if there is none."""
    known = set(QFontDatabase.families())
    said = [family for family in sorted(known) if QFontDatabase.isFixedPitch(family)]
    named = [family for family in _FIXED_FAMILIES if family == "monospace" or family in known]
    return next((family for family in (*named, *said) if _equally_wide(QFont(family))), "")


def _equally_wide(font: QFont) -> bool:
    """Whether narrow letters, wide letters and digits have the same width."""
    measured = QFont(font)
    measured.setPixelSize(20)
    metrics = QFontMetricsF(measured)
    widths = [metrics.horizontalAdvance(letter) for letter in "iWM0."]
    return max(widths) - min(widths) < 0.1


def set_text_role(
    widget: W,
    size: int = TYPE_BODY,
    *,
    bold: bool = False,
    tabular: bool = False,
    fixed: bool = False,
) -> W:
    """Give a widget a font of the type scale that follows the text size."""
    widget.setProperty(_LETTERS, [size, bold, tabular, fixed])
    widget.setFont(body_font(size, bold=bold, tabular=tabular, fixed=fixed))
    return widget


def set_scaled_size(widget: W, **lengths: int) -> W:
    """Give a widget lengths that follow the text size.

    lengths : ``width``, ``height`` (fixed), ``least_width``, ``least_height``, ``most_width``,
    ``most_height``, ``icon`` (of a button, square), ``rows`` (sections of a header)
    """
    widget.setProperty(_SIZES, {**(widget.property(_SIZES) or {}), **lengths})
    for name, pixels in lengths.items():
        _set_length(widget, name, scaled_length(pixels))
    return widget


def set_opening_size(window: W, width: int, height: int) -> W:
    """Set the initial size of a window, which scales with the text size, even if that changes
    later; no larger than its screen.
    """
    window.setProperty(_OPENED, _factor)
    window.resize(fit_to_screen(window, QSize(scaled_length(width), scaled_length(height))))
    return window


def fit_to_screen(window: QWidget, size: QSize) -> QSize:
    """A size, limited to the room on the screen of the window."""
    return size.boundedTo(window.screen().availableSize() - _FRAME)


def _set_length(widget: QWidget, name: str, pixels: int) -> None:
    if name == "icon":
        assert isinstance(widget, QAbstractButton)
        widget.setIconSize(QSize(pixels, pixels))
    elif name == "rows":
        assert isinstance(widget, QHeaderView)
        widget.setDefaultSectionSize(pixels)
    else:
        {
            "width": widget.setFixedWidth,
            "height": widget.setFixedHeight,
            "least_width": widget.setMinimumWidth,
            "least_height": widget.setMinimumHeight,
            "most_width": widget.setMaximumWidth,
            "most_height": widget.setMaximumHeight,
        }[name](pixels)


def update_scaled_sizes(widgets: Iterable[QWidget]) -> None:
    """Apply ``set_text_role``, ``set_scaled_size`` and ``set_opening_size`` again."""
    for widget in widgets:
        letters: Any = widget.property(_LETTERS)
        if letters:
            size, bold, tabular, fixed = letters
            widget.setFont(body_font(size, bold=bold, tabular=tabular, fixed=fixed))
        sizes: Any = widget.property(_SIZES)
        for name, pixels in (sizes or {}).items():
            _set_length(widget, name, scaled_length(int(pixels)))
        opened: Any = widget.property(_OPENED)
        if opened and opened != _factor:
            widget.setProperty(_OPENED, _factor)
            widget.resize(fit_to_screen(widget, widget.size() * (_factor / opened)))
