"""Widgets of the word walk: a word to go to, and the thermometer."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from workbench.analysis.walk.word_walk import COLD, THERE, heat
from workbench.ui import kit
from workbench.ui.base.panel import SHOWN_WORDS
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.scaling import scaled_length, set_text_role
from workbench.ui.base.theme import TYPE_TITLE, Theme

_LEAST_WIDTH, _HEIGHT, _THICK = 90, 46, 12


class WordButton(QPushButton):
    """A word that can be chosen, in large letters; a word without room ends in “…”. It stays while
    a panel is presented, because it is the content.
    """

    def __init__(self) -> None:
        super().__init__()
        self.word = ""
        self.setProperty(SHOWN_WORDS, True)
        set_text_role(self, TYPE_TITLE)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        kit.set_scaled_size(self, least_width=_LEAST_WIDTH, height=_HEIGHT)

    def put(self, word: str) -> None:
        self.word = word
        self.setAccessibleName(word)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - scaled_length(28)
        mode = Qt.TextElideMode.ElideRight
        self.setText(menu_text(self.fontMetrics().elidedText(self.word, mode, room)))


class Thermometer(QWidget):
    """A bar from cold to hot: full at the target, empty at the farthest word. Its colour shows
    hot, warm or cold, like the word beside it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.share = 0.0
        self._heat = COLD
        kit.set_scaled_size(self, height=_THICK)
        theme.changed.connect(self.update)

    def put(self, rank: int, size: int) -> None:
        """rank : place of the word by cosine with the target, 0 for the target"""
        self.share = 1.0 - math.log1p(rank) / math.log1p(size)
        self._heat = heat(rank, size)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.palette
        cold, _, hot = colours.diverging
        heats = {THERE: hot, "hot": hot, "warm": colours.warning}
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        round_ = self.height() / 2
        whole = QRectF(self.rect())
        painter.setBrush(QColor(colours.line))
        painter.drawRoundedRect(whole, round_, round_)
        filled = QRectF(whole)
        filled.setWidth(max(whole.width() * self.share, whole.height()))
        painter.setBrush(QColor(heats.get(self._heat, cold)))
        painter.drawRoundedRect(filled, round_, round_)
