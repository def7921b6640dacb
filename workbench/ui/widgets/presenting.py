"""What lies over a presentation: the strip to walk by, and a disc around the pointer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from workbench.core.language import tr
from workbench.ui.measures import sized
from workbench.ui.plain_text import PlainLabel, safe_tip
from workbench.ui.theme import SPACE_1, SPACE_2, Theme

_HALO = 44


class Strip(QWidget):
    """Where one is, how to go on, what to choose: shown while the mouse moves."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._theme = theme
        self.setObjectName("present.strip")
        self.setAccessibleName(tr("Presentation"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.back = self._button("back", tr("Panel before"), tr("Left, Page up"))
        self.on = self._button("on", tr("Next panel"), tr("Right, Page down"))
        self.label = PlainLabel()
        self.label.setObjectName("present.panel")
        self.pointer = self._button("pointer", tr("Highlight the pointer"), "P")
        self.pointer.setCheckable(True)
        self.menu = QMenu(self)
        self.choose = QPushButton(tr("Panels"))
        self.choose.setObjectName("present.choose")
        self.choose.setAccessibleName(tr("Choose the panels to walk through"))
        self.choose.setMenu(self.menu)
        self.end = QPushButton(tr("End (Esc)"))
        self.end.setObjectName("present.end")
        for button in (self.choose, self.end):
            button.setProperty("role", "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_2, SPACE_1, SPACE_2, SPACE_1)
        row.setSpacing(SPACE_2)
        for widget in (self.back, self.label, self.on, self.pointer, self.choose, self.end):
            row.addWidget(widget)
        theme.changed.connect(self._retheme)
        self._retheme()
        self.hide()

    def tell(self, title: str, place: str) -> None:
        self.label.setText(f"{title}  ·  {place}" if place else title)
        self.label.setAccessibleName(tr("Presenting {title} {place}", title=title, place=place).strip())

    def _button(self, local: str, text: str, keys: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"present.{local}")
        button.setAccessibleName(text)
        button.setToolTip(safe_tip(f"{text} ({keys})"))
        button.setProperty("role", "quiet")
        return sized(button, width=30, height=28, icon=16)

    def _retheme(self) -> None:
        colours = self._theme.palette
        self.setStyleSheet(
            f"Strip {{ background: {colours.raised}; border: 1px solid {colours.line}; border-radius: 8px; }}"
        )
        for button, name in ((self.back, "chevron-left"), (self.on, "chevron-right"), (self.pointer, "pointer")):
            button.setIcon(self._theme.icon(name))


class Halo(QWidget):
    """A soft disc around the pointer."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._theme = theme
        self.setObjectName("present.halo")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(QSize(_HALO * 2, _HALO * 2))
        self.hide()

    def centre(self, at: QPoint) -> None:
        self.move(at - self.rect().center())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(self._theme.palette.warning)
        painter.setPen(colour)
        colour.setAlpha(70)
        painter.setBrush(colour)
        painter.drawEllipse(self.rect().adjusted(2, 2, -2, -2))
