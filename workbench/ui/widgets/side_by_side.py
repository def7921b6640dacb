"""Pages in one place, chosen by small buttons above them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from workbench.ui.theme import SPACE_1


class SideBySide(QWidget):
    """One page is seen at a time."""

    def __init__(self, pages: Sequence[tuple[str, QWidget]]) -> None:
        super().__init__()
        self.buttons: list[QPushButton] = []
        self._group = QButtonGroup(self)
        self._stack = QStackedWidget()
        row = QHBoxLayout()
        row.setSpacing(SPACE_1)
        for number, (title, page) in enumerate(pages):
            button = QPushButton(title)
            button.setAccessibleName(f"Show {title.lower()}")
            button.setCheckable(True)
            button.setProperty("role", "quiet")
            self._group.addButton(button, number)
            self.buttons.append(button)
            row.addWidget(button)
            self._stack.addWidget(page)
        row.addStretch()
        self.buttons[0].setChecked(True)
        self._group.idToggled.connect(lambda number, on: self._stack.setCurrentIndex(number) if on else None)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_1)
        layout.addLayout(row)
        layout.addWidget(self._stack, 1)

    def setObjectName(self, name: str) -> None:
        """The buttons take names from it."""
        super().setObjectName(name)
        for button in self.buttons:
            button.setObjectName(f"{name}.{button.text().lower().replace(' ', '_')}")
