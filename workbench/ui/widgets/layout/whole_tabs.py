"""A tab bar that shows names completely or not at all, if it is too narrow for all of them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

_LINE = 2


class WholeTabs(QObject):
    """Covers the tabs that the bar's arrows or border cut off. The current tab stays visible."""

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self.covers = (QWidget(bar), QWidget(bar))
        for cover in self.covers:
            cover.setAutoFillBackground(True)
            cover.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            cover.hide()
        bar.installEventFilter(self)

    @classmethod
    def on(cls, bar: QTabBar) -> bool:
        """Apply this to a tab bar; returns whether the bar is new."""
        if bar.findChild(cls, options=Qt.FindChildOption.FindDirectChildrenOnly) is not None:
            return False
        cls(bar)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The bar scrolls without a signal, but never without a paint event.
        if event.type() == QEvent.Type.Paint:
            self._cover()
        return False

    def _cover(self) -> None:
        bar = self._bar
        arrows = [
            one
            for one in bar.findChildren(
                QToolButton, options=Qt.FindChildOption.FindDirectChildrenOnly
            )
            if one.isVisible()
        ]
        # The style determines their position.
        middle = bar.width() / 2
        begin = max((one.geometry().right() + 1 for one in arrows if one.x() < middle), default=0)
        end = min((one.x() for one in arrows if one.x() >= middle), default=bar.width())
        left = right = QRect()
        for at in range(bar.count()):
            place = bar.tabRect(at)
            if at == bar.currentIndex() or not bar.isTabVisible(at):
                continue
            if place.left() < begin <= place.right():
                left = place.adjusted(begin - place.left(), 0, 0, 0)
            elif place.left() < end <= place.right():
                right = QRect(place.left(), place.top(), end - place.left(), place.height())
        for cover, cut in zip(self.covers, (left, right), strict=True):
            # Keep the line below the tabs visible.
            place = cut.adjusted(0, 0, 0, -_LINE)
            if cover.geometry() != place and not place.isEmpty():
                cover.setGeometry(place)
                # Below the arrows.
                for one in arrows:
                    cover.stackUnder(one)
            if cover.isHidden() != place.isEmpty():
                cover.setVisible(not place.isEmpty())
