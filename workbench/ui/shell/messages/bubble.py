"""A bubble of text that points at a widget of the window, and a ring around that widget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_2, SPACE_3, SPACE_4, Theme

# Room around the bubble for its arrow and its shadow, between the bubble and its target, and to the
# window's edge.
_MARGIN, _GAP, _EDGE = 12, 2, 4
_RADIUS, _ARROW = 8, 9
_WIDTH = 360
_RING = 3


@dataclass(frozen=True)
class BubbleButton:
    """A button of a bubble. ``role`` is a role of the style sheet: "primary", "quiet", "link" or
    "".
    """

    name: str
    text: str
    act: Callable[[], object]
    role: str = ""


class Ring(QWidget):
    """A line around a widget that mouse events pass through."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("bubble.ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent = QColor(self._theme.palette.accent)
        soft = QColor(accent)
        soft.setAlpha(70)
        room = QRectF(self.rect())
        for colour, width, inset in ((soft, 2.0 * _RING, _RING), (accent, 2.0, _RING)):
            painter.setPen(QPen(colour, width))
            painter.drawRoundedRect(room.adjusted(inset, inset, -inset, -inset), _RADIUS, _RADIUS)


class Bubble(QWidget):
    """Text with buttons that stays beside a widget while the window is resized and laid out again.

    ``keep_place``, called regularly, moves the bubble only if the widget has moved. Left and Right
    move between the buttons; ``left`` is emitted when Esc is pressed in the bubble. All other input
    goes to the window.
    """

    left = Signal()

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._target: QWidget | None = None
        self._at: tuple[object, ...] = ()
        self._side, self._tip = "", QPointF()
        self.setObjectName(name)
        self.ring = Ring(theme)
        self._title = kit.label(role="large", name=f"{name}.title", wrap=True)
        self._text = kit.label(name=f"{name}.text", wrap=True)
        self._count = kit.label(role="small", name=f"{name}.count")
        close = kit.icon_button(theme, "close", "muted", role="quiet", pressed=self.left)
        close.setObjectName(f"{name}.close")
        close.setAccessibleName(tr("Close"))
        close.setToolTip(tr("Close (Esc)"))
        kit.set_scaled_size(close, width=24, height=24, icon=14)
        head = kit.row(kit.stretch(self._title), kit.at_top(close))
        self._foot = kit.row(self._count, kit.stretch())
        outer = _MARGIN + SPACE_3
        margins = (_MARGIN + SPACE_4, outer, outer, outer)
        text = (head, self._text, kit.space(SPACE_2), self._foot)
        kit.fill(self, kit.column(*text, margins=margins))
        self._buttons: list[QPushButton] = []
        theme.changed.connect(self._retheme)
        self._retheme()
        self.hide()

    @property
    def target(self) -> QWidget | None:
        """The widget that the bubble points at."""
        return self._target

    def show_text(
        self, title: str, text: str, choices: Sequence[BubbleButton], count: str = ""
    ) -> None:
        """Show a message; Return presses the last button."""
        self._title.setText(title)
        self._text.setText(text)
        self._count.setText(count)
        self._count.setVisible(bool(count))
        for button in self._buttons:
            self._foot.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = []
        for choice in choices:
            button = kit.button(
                choice.text,
                role=choice.role,
                name=f"{self.objectName()}.{choice.name}",
                pressed=lambda _=False, act=choice.act: act(),
            )
            # Text that is read aloud when the button gets the focus.
            button.setAccessibleName(choice.text)
            button.setAccessibleDescription(f"{title} {text}".strip())
            button.setAutoDefault(True)
            kit.add(self._foot, button)
            # Immediately, as only visible widgets can get the focus.
            button.show()
            self._buttons.append(button)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self._at = ()

    def point_at(self, target: QWidget, focus: bool) -> None:
        """Show the bubble beside a widget, and have it read aloud. With ``focus``, its last button
        gets the focus.
        """
        self._target = target
        host = target.window()
        for part in (self.ring, self):
            if part.parentWidget() is not host:
                part.setParent(host)
        self._at = ()
        self.keep_place()
        for part in (self.ring, self):
            part.show()
            part.raise_()
        # Again, as only visible widgets have the fonts of the style sheet.
        self._at = ()
        self.keep_place()
        if focus and self._buttons:
            self._buttons[-1].setFocus(Qt.FocusReason.PopupFocusReason)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def leave(self) -> None:
        """Hide the bubble and its ring."""
        self._target = None
        for part in (self.ring, self):
            part.hide()
            part.setParent(None)

    def keep_place(self) -> None:
        """Follow the widget that the bubble points at, if it has moved."""
        target = self._target
        if target is None:
            return
        host = target.window()
        seen = seen_part(target, host)
        now = (seen.getRect(), host.size(), self._text.text(), scaled_length(100))
        if now == self._at:
            return
        self._at = now
        around = seen.adjusted(-_RING * 2, -_RING * 2, _RING * 2, _RING * 2) & host.rect()
        self.ring.setGeometry(around)
        # A row of buttons may be wider in another language.
        wanted = max(scaled_length(_WIDTH), self.minimumSizeHint().width())
        width = min(wanted, host.width() - 2 * _EDGE)
        self.setFixedWidth(width)
        self.setFixedHeight(max(self.heightForWidth(width), self.minimumSizeHint().height()))
        self._place(around, host.rect())
        self.update()

    def _place(self, target: QRect, host: QRect) -> None:
        size, middle = self.size(), target.center()
        spots = {
            "right": QPoint(target.right() + _GAP, middle.y() - size.height() // 2),
            "left": QPoint(target.left() - _GAP - size.width(), middle.y() - size.height() // 2),
            "below": QPoint(middle.x() - size.width() // 2, target.bottom() + _GAP),
            "above": QPoint(middle.x() - size.width() // 2, target.top() - _GAP - size.height()),
        }
        order = ("right", "left", "below", "above")
        if target.height() < size.height():
            # Beside a button, it would cover the row that contains the button.
            order = ("below", "above", "right", "left")
        inner = host.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        for side in order:
            spot = spots[side]
            across = side in ("right", "left")
            if across:
                first, last = (spot.x(), spot.x() + size.width())
            else:
                first, last = (spot.y(), spot.y() + size.height())
            if across:
                low, high = (inner.left(), inner.right())
            else:
                low, high = (inner.top(), inner.bottom())
            if low <= first and last <= high:
                self._side = side
                break
        else:
            # A widget that fills the window: place the bubble inside, at the top.
            self._side = ""
            spot = QPoint(middle.x() - size.width() // 2, target.top() + 4 * _GAP)
        spot = _kept_inside(spot, size, inner)
        self.move(spot)
        self._tip = QPointF(middle - spot)

    # -- keys and painting

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = next((i for i, button in enumerate(self._buttons) if button.hasFocus()), -1)
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()), 0)
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif step and focused >= 0:
            self._buttons[(focused + step) % len(self._buttons)].setFocus(
                Qt.FocusReason.TabFocusReason
            )
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = self._shape()
        shadow = QColor(0, 0, 0, 60 if colours.dark else 22)
        for spread in (6.0, 3.5, 1.5):
            painter.setPen(QPen(shadow, spread, j=Qt.PenJoinStyle.RoundJoin))
            painter.drawPath(shape)
        painter.setPen(QPen(QColor(colours.accent), 1.5, j=Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(QColor(colours.surface))
        painter.drawPath(shape)

    def _shape(self) -> QPainterPath:
        """The outline of the rounded box with the arrow that points at the widget."""
        box = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        shape = QPainterPath()
        shape.addRoundedRect(box, _RADIUS, _RADIUS)
        if not self._side:
            return shape
        room = _RADIUS + _ARROW
        x = min(max(self._tip.x(), box.left() + room), box.right() - room)
        y = min(max(self._tip.y(), box.top() + room), box.bottom() - room)
        root, tip = {
            "right": (QPointF(box.left(), y), QPointF(box.left() - _ARROW, y)),
            "left": (QPointF(box.right(), y), QPointF(box.right() + _ARROW, y)),
            "below": (QPointF(x, box.top()), QPointF(x, box.top() - _ARROW)),
            "above": (QPointF(x, box.bottom()), QPointF(x, box.bottom() + _ARROW)),
        }[self._side]
        aside = QPointF(0, _ARROW) if self._side in ("right", "left") else QPointF(_ARROW, 0)
        arrow = QPainterPath(root - aside)
        arrow.lineTo(tip)
        arrow.lineTo(root + aside)
        arrow.closeSubpath()
        return shape.united(arrow)

    def _retheme(self) -> None:
        self._at = ()
        self.update()


def seen_part(widget: QWidget, host: QWidget) -> QRect:
    """The visible part of a widget, in coordinates of its window: a scroll area may clip the
    widget.
    """
    seen = QRect(widget.mapTo(host, QPoint(0, 0)), widget.size())
    parent = widget.parentWidget()
    while parent is not None and parent is not host:
        seen &= QRect(parent.mapTo(host, QPoint(0, 0)), parent.size())
        parent = parent.parentWidget()
    return seen & host.rect()


def _kept_inside(spot: QPoint, size: QSize, room: QRect) -> QPoint:
    x = max(room.left(), min(spot.x(), room.right() - size.width()))
    y = max(room.top(), min(spot.y(), room.bottom() - size.height()))
    return QPoint(x, y)
