"""The scroll area around the body of a panel."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.ui.widgets.layout.scroll_frame import ScrollFrame


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
        holder = QWidget()
        filled = _Filled(holder)
        filled.setContentsMargins(0, 0, 0, 0)
        filled.addWidget(body)
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
        layout = self._body.layout()
        if layout is None or not layout.hasHeightForWidth():
            return 0
        return layout.totalMinimumHeightForWidth(width)
