"""Words that place widgets: an expression of ``column``, ``row`` and ``split`` is the widget tree
as it stands on the screen.

    export_row = row(self.fact, stretch(), export)
    fill(self.body, column(export_row, stretch(split(self.table, self.chart)), self.about))

Lengths are pixels, usually ``SPACE_1`` to ``SPACE_5``. By default, a box has no margins
and a gap of ``SPACE_2``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from workbench.ui.base.scaling import SPACE_2

_Align = Qt.AlignmentFlag
_NO_ALIGNMENT = Qt.AlignmentFlag(0)

# Margins of a box: of all sides; across and down; or left, top, right and bottom. None: those of
# the style.
Margins = int | tuple[int, int] | tuple[int, int, int, int] | None


@dataclass(frozen=True)
class Placed:
    """A part of a box, and how it is placed.

    content : None for empty room
    share : share of the room that is left over; 0: as much room as preferred
    alignment : the side at which the part stays in its room, instead of filling it
    pixels : size of empty room
    span : columns of a grid
    """

    content: QWidget | QLayout | None = None
    share: int = 0
    alignment: Qt.AlignmentFlag = _NO_ALIGNMENT
    pixels: int = 0
    span: int = 1


Part = QWidget | QLayout | Placed


@runtime_checkable
class Line(Protocol):
    """A layout of one line, such as ``Bar``, that isn't one of Qt's boxes."""

    def addWidget(self, widget: QWidget, stretch: int = 0) -> None: ...

    def addStretch(self, stretch: int = 1) -> None: ...


B = TypeVar("B", bound=QBoxLayout)
S = TypeVar("S", bound=QSplitter)
W = TypeVar("W", bound=QWidget)


def _as_placed(part: Part) -> Placed:
    return part if isinstance(part, Placed) else Placed(part)


def stretch(part: Part | None = None, share: int | None = None) -> Placed:
    """Give a part its share of the remaining room, by default 1. Without a part, leave this share
    of it empty, by default what no part takes.
    """
    if part is None:
        return Placed(share=share or 0)
    return replace(_as_placed(part), share=1 if share is None else share)


def space(pixels: int) -> Placed:
    """Empty room of a fixed size, besides the gaps."""
    return Placed(pixels=pixels)


def aligned(part: Part, alignment: Qt.AlignmentFlag) -> Placed:
    """Keep a part at its preferred size, at this side of its room."""
    return replace(_as_placed(part), alignment=alignment)


def at_top(part: Part) -> Placed:
    return aligned(part, _Align.AlignTop)


def at_left(part: Part) -> Placed:
    return aligned(part, _Align.AlignLeft)


def at_right(part: Part) -> Placed:
    return aligned(part, _Align.AlignRight)


def centred(part: Part) -> Placed:
    """In a column, keep a part in the middle."""
    return aligned(part, _Align.AlignHCenter)


def centred_down(part: Part) -> Placed:
    """In a row, keep a part in the middle."""
    return aligned(part, _Align.AlignVCenter)


def across(part: Part, columns: int) -> Placed:
    """In a grid, let a part take several columns."""
    return replace(_as_placed(part), span=columns)


def column(*parts: Part, gap: int | None = SPACE_2, margins: Margins = 0) -> QVBoxLayout:
    """The parts from top to bottom. gap : None for that of the style"""
    return arrange(QVBoxLayout(), *parts, gap=gap, margins=margins)


def row(*parts: Part, gap: int | None = SPACE_2, margins: Margins = 0) -> QHBoxLayout:
    """The parts from left to right. gap : None for that of the style"""
    return arrange(QHBoxLayout(), *parts, gap=gap, margins=margins)


def arrange(layout: B, *parts: Part, gap: int | None = SPACE_2, margins: Margins = 0) -> B:
    """Put parts into a row or column of a class of its own; returns it."""
    if gap is not None:
        layout.setSpacing(gap)
    set_margins(layout, margins)
    add(layout, *parts)
    return layout


def grid(
    *rows: Sequence[Part | None],
    gap: int | None = SPACE_2,
    row_gap: int | None = None,
    margins: Margins = 0,
    shares: Sequence[int] = (),
) -> QGridLayout:
    """Rows of cells, aligned in columns; None leaves a cell empty, and ``stretch`` gives the row of
    a cell its share of the height that is left over.

    row_gap : by default, as ``gap``; shares : of each column in the room that is left over
    """
    layout = QGridLayout()
    set_margins(layout, margins)
    if gap is not None:
        layout.setHorizontalSpacing(gap)
        layout.setVerticalSpacing(gap if row_gap is None else row_gap)
    for down, cells in enumerate(rows):
        along = 0
        for cell in cells:
            placed = Placed() if cell is None else _as_placed(cell)
            if isinstance(placed.content, QWidget):
                layout.addWidget(placed.content, down, along, 1, placed.span, placed.alignment)
            elif placed.content is not None:
                layout.addLayout(placed.content, down, along, 1, placed.span, placed.alignment)
            if placed.share:
                layout.setRowStretch(down, placed.share)
            along += placed.span
    for along, share in enumerate(shares):
        layout.setColumnStretch(along, share)
    return layout


def add(line: QLayout, *parts: Part) -> None:
    """Add parts at the end of a row, a column, a bar, or another layout of widgets."""
    for part in map(_as_placed, parts):
        if isinstance(line, QBoxLayout):
            _add_to_box(line, part)
        elif isinstance(part.content, QWidget) and isinstance(line, Line):
            line.addWidget(part.content, part.share)
        elif isinstance(part.content, QWidget) and not part.share:
            line.addWidget(part.content)
        elif part.content is None and not part.pixels and isinstance(line, Line):
            line.addStretch(max(part.share, 1))
        else:
            raise TypeError(f"{type(line).__name__} can’t hold this part")


def _add_to_box(box: QBoxLayout, part: Placed) -> None:
    if isinstance(part.content, QWidget):
        box.addWidget(part.content, part.share, part.alignment)
    elif part.content is not None:
        box.addLayout(part.content, part.share)
        if part.alignment:
            box.setAlignment(part.content, part.alignment)
    elif part.pixels:
        box.addSpacing(part.pixels)
    else:
        box.addStretch(part.share)


def set_margins(target: QLayout | QWidget, margins: Margins) -> None:
    """Set the margins of a layout, or those around the content of a widget."""
    if margins is None:
        return
    if isinstance(margins, int):
        margins = (margins, margins)
    if len(margins) == 2:
        margins = margins * 2
    target.setContentsMargins(*margins)


def fill(widget: W, part: Part) -> W:
    """Fill a widget, which must be empty, with a part; returns the widget."""
    placed = _as_placed(part)
    if isinstance(placed.content, QLayout):
        widget.setLayout(placed.content)
    else:
        widget.setLayout(column(placed))
    return widget


def box(part: Part) -> QWidget:
    """A widget that holds a part: something to hide, to name, or to scroll."""
    return fill(QWidget(), part)


def split(
    *parts: QWidget | QLayout,
    shares: Sequence[int] = (),
    sizes: Sequence[int] = (),
    vertical: bool = False,
) -> QSplitter:
    """The parts side by side, or one above the other, with a line between them that the user moves.

    shares : of each part in the room by which the whole grows; sizes : first sizes, in pixels
    """
    splitter = QSplitter(Qt.Orientation.Vertical if vertical else Qt.Orientation.Horizontal)
    return split_into(splitter, *parts, shares=shares, sizes=sizes)


def split_into(
    splitter: S,
    *parts: QWidget | QLayout,
    shares: Sequence[int] = (),
    sizes: Sequence[int] = (),
) -> S:
    """Put the parts into a splitter, such as a ``TurningSplitter``, as ``split`` does."""
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part if isinstance(part, QWidget) else box(part))
    for at, share in enumerate(shares):
        splitter.setStretchFactor(at, share)
    if sizes:
        splitter.setSizes(list(sizes))
    return splitter
