"""The scroll area around the body of a panel."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QLayout,
    QLayoutItem,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)

from workbench.ui.base.boxes import arrange, box, stretch
from workbench.ui.base.scroll_frame import ScrollFrame


class _Filled(QVBoxLayout):
    """Leaves wrapping to the content: a scroll area would use the height that it prefers instead of
    the one that it needs.
    """

    def hasHeightForWidth(self) -> bool:
        return False


class PanelFrame(ScrollFrame):
    """Frame as large as its panel."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        self._body = body
        # A body that has a maximum height stays at the top, wherever the dock ends.
        holder = box(arrange(_Filled(), stretch(body), stretch(), gap=0))
        self.setWidget(holder)
        holder.setAutoFillBackground(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        """Preferred size of the content; Qt's own would be limited to a few lines of text."""
        return self._body.sizeHint()

    def _least_size(self) -> QSize:
        least = super()._least_size()
        width = max(self.viewport().width(), least.width())
        return least.expandedTo(QSize(0, self._height_at(width)))

    def _height_at(self, width: int) -> int:
        """Minimum height with that of wrapped lines, which Qt leaves out of a minimum size: what is
        below them would be squeezed.
        """
        return least_height(self._body, width)


def least_height(widget: QWidget, width: int) -> int:
    """Minimum height of a widget at a width, in logical pixels.

    Qt’s ``totalMinimumHeightForWidth`` takes the height that widgets in widgets prefer, so that
    what can scroll by itself would never be smaller.
    """
    layout = widget.layout()
    least = QWidgetItem(widget).minimumSize().height()
    if isinstance(layout, QStackedLayout):
        shown = layout.currentWidget()
        return least if shown is None else max(least, least_height(shown, width))
    if layout is not None:
        return max(least, _layout_height(layout, width))
    return max(least, widget.heightForWidth(width)) if widget.hasHeightForWidth() else least


def _layout_height(layout: QLayout, width: int) -> int:
    """The same for what a layout contains."""
    if not isinstance(layout, QBoxLayout) or not layout.hasHeightForWidth():
        return layout.totalMinimumSize().height()
    margins = layout.contentsMargins()
    room = width - margins.left() - margins.right()
    items = (layout.itemAt(at) for at in range(layout.count()))
    shown = [item for item in items if item is not None and not item.isEmpty()]
    upright = layout.direction() in (
        QBoxLayout.Direction.TopToBottom,
        QBoxLayout.Direction.BottomToTop,
    )
    # Beside others, an item has at most the width that it has now.
    heights = [
        _item_height(item, room if upright else item.geometry().width() or room) for item in shown
    ]
    inner = max(heights, default=0)
    if upright:
        inner = sum(heights) + max(len(shown) - 1, 0) * layout.spacing()
    return inner + margins.top() + margins.bottom()


def _item_height(item: QLayoutItem, width: int) -> int:
    content, inner = item.widget(), item.layout()
    if content is not None:
        return least_height(content, width)
    return item.minimumSize().height() if inner is None else _layout_height(inner, width)
