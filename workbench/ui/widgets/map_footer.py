"""The line under the map."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QToolButton, QWidget

from workbench.ui.measures import sized
from workbench.ui.plain_text import safe_tip
from workbench.ui.theme import SPACE_1, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.elided import ElidedLabel


class _Yielding(ElidedLabel):
    """Takes the width of its text, and less where there is less."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def put(self, text: str) -> None:
        super().put(text)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.whole) + 4, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class MapFooter(QWidget):
    """One line under the map: what is seen, how far it is true, what is being done, what to beware of."""

    def __init__(self) -> None:
        super().__init__()
        self.caption = ElidedLabel()
        self.quality = _Yielding()
        self.notice = _Yielding()
        for label in (self.caption, self.quality, self.notice):
            label.setProperty("role", "small")
        self.link = QPushButton()
        self.link.setProperty("role", "link")
        self.link.hide()
        self._follow: Callable[[], None] | None = None
        self.link.clicked.connect(self._clicked)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        sized(self.progress, width=120)
        self.stop = QToolButton()
        self.stop.setProperty("role", "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_4, SPACE_1, SPACE_3, SPACE_1)
        row.setSpacing(SPACE_3)
        row.addWidget(self.caption, 1)
        row.addWidget(self.quality)
        row.addWidget(self.notice)
        row.addWidget(self.link)
        row.addWidget(self.progress)
        row.addWidget(self.stop)
        sized(self, height=32)

    def say(self, text: str, role: str = "small") -> None:
        """A notice at the right: "small" for facts, "warning" or "error"."""
        if text != self.notice.whole:
            self.notice.put(text)
        if role != self.notice.property("role"):
            set_property(self.notice, "role", role)

    def judge(self, text: str, tip: str) -> None:
        """The numbers that say how far the map can be trusted."""
        if text != self.quality.whole:
            self.quality.put(text)
            self.quality.setToolTip(safe_tip(tip))

    def offer(self, text: str = "", slot: Callable[[], None] | None = None) -> None:
        """One thing to do about the notice; nothing for none."""
        self._follow = slot
        if text != self.link.text():
            self.link.setText(text)
            self.link.setAccessibleName(text)
        if self.link.isHidden() == bool(text):
            self.link.setVisible(bool(text))

    def _clicked(self) -> None:
        if self._follow is not None:
            self._follow()

    def show_progress(self, fraction: float | None, under_way: bool) -> None:
        if self.progress.isHidden() == under_way:
            self.progress.setVisible(under_way)
            self.stop.setVisible(under_way)
        if under_way:
            most = 0 if fraction is None else 1000
            if self.progress.maximum() != most:
                self.progress.setRange(0, most)
            if fraction is not None:
                self.progress.setValue(round(fraction * 1000))
