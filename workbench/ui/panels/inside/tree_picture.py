"""The upper levels of a Huffman tree: each node is a box as wide as its share of the tokens."""

from __future__ import annotations

from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen

from workbench.analysis.theory.tree_view import TreeBox, TreeView
from workbench.core.language import plural, tr
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.text import short_number
from workbench.ui.base.theme import Palette, Theme
from workbench.ui.plots.frame import Extent, Frame
from workbench.ui.plots.paint_kit import CENTRE, draw_text, small_font
from workbench.ui.plots.pane import Pane
from workbench.ui.plots.view import FigureView

_LEAST_ROW, _GAP = 24.0, 2.0
# Narrower boxes of leaves and of nodes have no text.
_LEAF, _NODE = 16.0, 38.0
_WIDE, _ROW, _ABOVE = 960, 40, 56
_STEP_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_DEPTH_KEYS = {Qt.Key.Key_Minus: -1, Qt.Key.Key_Plus: 1}


def box_of(box: TreeBox, frame: Frame) -> QRectF:
    """The rectangle of a box; level 0 is at the top."""
    corner = frame.place(box.left, -box.level)
    opposite = frame.place(box.right, -box.level - 1)
    width = max(opposite.x() - corner.x() - 1, 0.5)
    return QRectF(corner.x(), corner.y(), width, opposite.y() - corner.y() - _GAP)


def box_text(box: TreeBox) -> str:
    """Description of a box."""
    name = tr("“{word}”", word=box.word)
    if box.node >= 0:
        name = tr("Node {node}, “{word}” and others", node=box.node, word=box.word)
    branch = tr(", branch {branch}", branch=box.branch) if box.branch >= 0 else ""
    return tr(
        "{name}{branch}: {tokens}", name=name, branch=branch, tokens=plural(box.tokens, "token")
    )


def _box_colours(leaf: bool, on_path: bool, palette: Palette) -> tuple[str, str, str]:
    """Colours of a box: line, fill and text."""
    if on_path and leaf:
        return palette.accent, palette.accent, palette.on_accent
    if on_path:
        return palette.accent, palette.accent_soft, palette.text
    if leaf:
        return palette.line, palette.raised, palette.text
    return palette.line, palette.surface, palette.muted


class TreePicture(FigureView):
    """Picture of the tree. ``picked`` carries the word of a clicked leaf, ``entered`` a clicked
    node; Up and Down request another ``begin`` on the path, + and − more or fewer levels
    (``deeper`` +1 or −1).
    """

    picked = Signal(str)
    entered = Signal(int)
    moved = Signal(int)
    deeper = Signal(int)
    view: TreeView | None = None

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, (Pane(left=False, bottom=False, fixed_y=True),))

    def put(self, view: TreeView | None) -> None:
        self.view = view
        kind = None
        if view is not None:
            kind = (view.boxes[0].node, self._levels)
            set_scaled_size(self, least_height=round(_LEAST_ROW * (self._levels + 1)))
            description = tr(
                "Path to {word}: {value}; {number} nodes shown",
                word=view.word,
                value=view.code or tr("the root"),
                number=len(view.boxes),
            )
            self.setAccessibleDescription(description)
            title = tr(
                "{word}: {code}, {tokens} tokens below the top node",
                word=view.word,
                code=view.code,
                tokens=short_number(view.boxes[0].tokens),
            )
            self.headings = (title,)
        self.update_figure(kind)

    @property
    def _boxes(self) -> tuple[TreeBox, ...]:
        return self.view.boxes if self.view is not None else ()

    @property
    def _levels(self) -> int:
        return max((box.level for box in self._boxes), default=0)

    def extent(self, pane: Pane) -> Extent | None:
        if self.view is None:
            return None
        return (0.0, 1.0), (-self._levels - 1.0, 0.0)

    def margins(self) -> QMarginsF:
        return QMarginsF(1, 1, 1, 1)

    @property
    def file_size(self) -> QSize:
        return QSize(_WIDE, scaled_length(_ABOVE) + scaled_length(_ROW) * (self._levels + 1))

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        """Draw filled leaves, outlined nodes, and the path to the word in the accent colour."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        area = frame.area.adjusted(-1, -1, 1, 1)
        painter.setClipRect(area)
        for box in self._boxes:
            place = box_of(box, frame)
            if place.width() < 1 or not place.intersects(area):
                continue
            leaf = box.node < 0
            line, fill, colour = _box_colours(leaf, box.chosen, colours)
            painter.setPen(QPen(QColor(line), 1))
            painter.setBrush(QColor(fill))
            painter.drawRect(place)
            text, least = f"{box.word} …", scaled_length(_NODE)
            if leaf:
                text, least = box.word, scaled_length(_LEAF)
            seen = place.intersected(area)
            if seen.width() > least:
                draw_text(painter, seen.adjusted(2, 0, -2, 0), text, small_font(), colour, CENTRE)

    # -- input

    def place(self, number: int) -> QRectF:
        """The rectangle of a box on the widget."""
        return box_of(self._boxes[number], self.frame)

    def _box_at(self, point: QPointF) -> TreeBox | None:
        frame = self.frame
        found = (box for box in self._boxes if box_of(box, frame).contains(point))
        return next(found, None)

    def point(self, place: QPointF | None) -> None:
        tip = ""
        if place is not None:
            box = self._box_at(place)
            if box is not None:
                tip = box_text(box)
        self.viewport().setToolTip(safe_tip(tip))

    def click(self, place: QPointF) -> None:
        box = self._box_at(place)
        if box is None:
            return
        if box.node < 0:
            self.picked.emit(box.word)
        else:
            self.entered.emit(box.node)

    def walk(self, key: Qt.Key) -> bool:
        if key in _STEP_KEYS:
            self.moved.emit(_STEP_KEYS[key])
        return key in _STEP_KEYS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _DEPTH_KEYS:
            self.deeper.emit(_DEPTH_KEYS[key])
        else:
            super().keyPressEvent(event)
