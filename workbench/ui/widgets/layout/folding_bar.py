"""A row of controls that never becomes two: those without room move into a popup."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLayoutItem, QToolButton, QWidget

from workbench.core.language import tr
from workbench.ui.base.boxes import column, fill
from workbench.ui.base.controls import text_button
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import SPACE_1, SPACE_2, SPACE_3
from workbench.ui.widgets.layout.wrapping_bar import Bar, item_width


class FoldingBar(Bar):
    """A Bar in one row. Widgets added with ``folds`` move, the last one first, into a popup that
    ``more`` opens; the row wraps only if those that stay don't fit either.
    """

    def __init__(self, name: str) -> None:
        """name : object name of ``more``"""
        super().__init__()
        self.more = text_button("⋯", role="quiet", name=name)
        self.more.setAccessibleName(tr("More controls"))
        self.more.setToolTip(safe_tip(tr("Controls without room here")))
        self.more.hide()
        self.popup = _Popup(self.more)
        self.more.clicked.connect(self.popup.open_below)
        # All widgets that can fold, in order, and their widths in the row.
        self._folding: list[QWidget] = []
        self._widths: dict[QWidget, int] = {}
        self._places: dict[QWidget, int] = {}
        self._folded: list[QWidget] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._move)

    def add_folding(self, widget: QWidget) -> None:
        """Add a widget that moves into the popup if there is too little room."""
        self._folding.append(widget)
        self._places[widget] = self.count()
        self.addWidget(widget)

    def add_more(self) -> None:
        """Add the button that opens the popup, after the last widget that folds."""
        self.addWidget(self.more)

    @property
    def folded(self) -> list[QWidget]:
        """The widgets in the popup."""
        return list(self._folded)

    def minimumSize(self) -> QSize:
        return super().minimumSize()

    def setGeometry(self, area: QRect) -> None:
        if self._wanted_folded(area.width()) != self._folded and not self._soon.isActive():
            # Not during the layout, which would be asked for again.
            self._soon.start(0)
        super().setGeometry(area)

    def _wanted_folded(self, width: int) -> list[QWidget]:
        """The widgets that don't fit in a row of this width."""
        used, number = 0, 0
        for item, stretch in self._visible_items():
            widget = item.widget()
            if widget is None or widget is self.more:
                continue
            if widget in self._places:
                self._widths[widget] = item_width(item, stretch, squeezing=True)
            used += item_width(item, stretch, squeezing=True)
            number += 1
        for widget in self._folded:
            if is_wanted(widget):
                used += self._widths.get(widget, widget.sizeHint().width())
                number += 1
        used += self._gap * max(number - 1, 0)
        folded: list[QWidget] = []
        room = width
        for widget in reversed(self._folding):
            if used <= room:
                break
            if widget in self._folded or not widget.isHidden():
                if not folded:
                    room -= self.more.sizeHint().width() + self._gap
                folded.insert(0, widget)
                if is_wanted(widget):
                    used -= self._widths.get(widget, 0) + self._gap
        return folded

    def _move(self) -> None:
        """Move widgets between the row and the popup."""
        wanted = self._wanted_folded(self.geometry().width())
        if wanted == self._folded:
            return
        for widget in self._folded:
            if widget not in wanted:
                self.popup.column.removeWidget(widget)
                place = self._places[widget] - sum(
                    self._places[other] < self._places[widget] for other in wanted
                )
                self.insertWidget(place, widget)
        for widget in wanted:
            if widget not in self._folded:
                self.removeWidget(widget)
        self._folded = wanted
        for at, widget in enumerate(wanted):
            self.popup.column.insertWidget(at, widget)
        self.more.setVisible(bool(wanted))
        self.popup.hide()
        self.invalidate()

    def _rows(self, width: int) -> list[list[tuple[QLayoutItem, int, int]]]:
        if self._wanted_folded(width) != self._folded:
            # Until the widgets have moved, the row keeps its height.
            return self._break_rows(1 << 20, squeezing=True)
        return super()._rows(width)


def is_wanted(widget: QWidget) -> bool:
    """Whether a widget in the popup was not hidden by its owner."""
    return not (
        widget.isHidden() and widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
    )


class _Popup(QFrame):
    """The widgets without room, in a column."""

    def __init__(self, button: QToolButton) -> None:
        super().__init__(button, Qt.WindowType.Popup)
        self._button = button
        self.setProperty("role", "popup")
        self.setAccessibleName(button.accessibleName())
        self.column = column(margins=(SPACE_3, SPACE_2))
        fill(self, self.column)

    def open_below(self) -> None:
        self.adjustSize()
        corner = self._button.mapToGlobal(
            QPoint(self._button.width() - self.width(), self._button.height() + SPACE_1)
        )
        screen = self._button.screen().availableGeometry()
        corner.setX(max(corner.x(), screen.left()))
        corner.setY(min(corner.y(), screen.bottom() - self.height()))
        self.move(corner)
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.focusNextChild()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self._button.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().keyPressEvent(event)
