"""The upper levels of a Huffman tree: every node a box as wide as its share of the tokens."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from workbench.analysis.theory.tree_view import TreeBox, TreeView
from workbench.core.language import tr
from workbench.ui.plain_text import safe_tip
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.text import count, short_number
from workbench.ui.theme import SPACE_3, TYPE_LARGE, Palette, Theme, body_font
from workbench.ui.widgets.charts.paint_kit import CENTRE, draw_text, small_font

_LEAST_ROW, _GAP = 24.0, 2.0
# Narrower boxes of leaves, and of nodes, say nothing.
_LEAF, _NODE = 16.0, 38.0
_WIDE, _ROW, _ABOVE = 960, 40, 48
_STEP_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_DEPTH_KEYS = {Qt.Key.Key_Minus: -1, Qt.Key.Key_Plus: 1}


def box_of(box: TreeBox, area: QRectF, levels: int) -> QRectF:
    """The rectangle of a box within an area."""
    height = area.height() / (levels + 1)
    left, right = area.left() + area.width() * box.left, area.left() + area.width() * box.right
    return QRectF(left, area.top() + box.level * height, max(right - left - 1, 0.5), height - _GAP)


def box_text(box: TreeBox) -> str:
    """Description of a box."""
    name = tr("“{word}”", word=box.word)
    if box.node >= 0:
        name = tr("Node {node}, “{word}” and others", node=box.node, word=box.word)
    branch = ""
    if box.branch >= 0:
        branch = tr(", branch {branch}", branch=box.branch)
    return tr("{name}{branch}: {tokens} tokens", name=name, branch=branch, tokens=count(box.tokens))


def paint_tree(painter: QPainter, view: TreeView, area: QRectF, palette: Palette) -> None:
    """Draw leaves filled, nodes in outline, the path to the word in the accent colour."""
    levels = max(box.level for box in view.boxes)
    for box in view.boxes:
        place = box_of(box, area, levels)
        if place.width() < 1:
            continue
        leaf = box.node < 0
        line, fill, colour = _box_colours(leaf, box.chosen, palette)
        painter.setPen(QPen(QColor(line), 1))
        painter.setBrush(QColor(fill))
        painter.drawRect(place)
        text, least = f"{box.word} …", scaled_length(_NODE)
        if leaf:
            text, least = box.word, scaled_length(_LEAF)
        if place.width() > least:
            draw_text(painter, place.adjusted(2, 0, -2, 0), text, small_font(), colour, CENTRE)


def _box_colours(leaf: bool, on_path: bool, palette: Palette) -> tuple[str, str, str]:
    """Colours of a box: line, fill and text."""
    if on_path and leaf:
        return palette.accent, palette.accent, palette.on_accent
    if on_path:
        return palette.accent, palette.accent_soft, palette.text
    if leaf:
        return palette.line, palette.raised, palette.text
    return palette.line, palette.surface, palette.muted


class TreePicture(QWidget):
    """``picked`` tells the word of a leaf that was clicked, ``entered`` a node; Up and Down ask for
    another ``begin`` on the way, + and − for more or fewer levels (``deeper`` +1 or −1).
    """

    picked = Signal(str)
    entered = Signal(int)
    moved = Signal(int)
    deeper = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.view: TreeView | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.update)

    def put(self, view: TreeView | None) -> None:
        self.view = view
        if view is not None:
            levels = max(box.level for box in view.boxes)
            set_scaled_size(self, least_height=round(_LEAST_ROW * (levels + 1)))
            description = tr(
                "The way to {word}: {value}; {number} nodes shown",
                word=view.word,
                value=view.code or tr("the root"),
                number=len(view.boxes),
            )
            self.setAccessibleDescription(description)
        self.update()

    def place(self, number: int) -> QRectF:
        """The rectangle of a box of the view."""
        assert self.view is not None
        levels = max(box.level for box in self.view.boxes)
        return box_of(self.view.boxes[number], QRectF(self.rect()), levels)

    def _box_at(self, point: QPointF) -> TreeBox | None:
        if self.view is None:
            return None
        found = (n for n in range(len(self.view.boxes)) if self.place(n).contains(point))
        number = next(found, None)
        if number is None:
            return None
        return self.view.boxes[number]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        box = self._box_at(event.position())
        if box is None:
            return
        if box.node < 0:
            self.picked.emit(box.word)
        else:
            self.entered.emit(box.node)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            box = self._box_at(QPointF(event.pos()))
            tip = ""
            if box is not None:
                tip = box_text(box)
            QToolTip.showText(event.globalPos(), safe_tip(tip), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEP_KEYS:
            self.moved.emit(_STEP_KEYS[key])
        elif key in _DEPTH_KEYS:
            self.deeper.emit(_DEPTH_KEYS[key])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self._theme.palette
        if self.view is not None:
            paint_tree(painter, self.view, QRectF(self.rect()).adjusted(1, 1, -1, -1), palette)
        if self.hasFocus():
            painter.setPen(QPen(QColor(palette.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


def saved_size(view: TreeView) -> QSize:
    """Of the picture as it is saved, in device-independent pixels."""
    return QSize(
        _WIDE,
        scaled_length(_ABOVE)
        + scaled_length(_ROW) * (1 + max(box.level for box in view.boxes))
        + 8,
    )


def paint_saved(painter: QPainter, view: TreeView, palette: Palette) -> None:
    """The picture under its title, on the palette's surface."""
    size = saved_size(view)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(palette.surface))
    title = tr(
        "{word}: {code}, {tokens} tokens below the topmost node",
        word=view.word,
        code=view.code,
        tokens=short_number(view.boxes[0].tokens),
    )
    area = QRectF(SPACE_3, SPACE_3, _WIDE - 2 * SPACE_3, 24)
    draw_text(painter, area, title, body_font(TYPE_LARGE, bold=True), palette.text)
    boxes = QRectF(
        SPACE_3,
        scaled_length(_ABOVE),
        _WIDE - 2 * SPACE_3,
        size.height() - scaled_length(_ABOVE) - 8,
    )
    paint_tree(painter, view, boxes, palette)
