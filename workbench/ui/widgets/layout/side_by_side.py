"""Pages in one place, chosen by small buttons above."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.core.language import tr
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import title_in_sentence
from workbench.ui.base.theme import SPACE_1
from workbench.ui.widgets.layout.page_stack import PageStack


class PagePair(QWidget):
    """One visible page at a time. ``pages``: the suffix of the button's object name, its text, the
    page.
    """

    def __init__(self, pages: Sequence[tuple[str, str, QWidget]]) -> None:
        super().__init__()
        self._keys = [key for key, _, _ in pages]
        self.buttons: list[QPushButton] = []
        self._group = QButtonGroup(self)
        self._stack = PageStack()
        row = QHBoxLayout()
        row.setSpacing(SPACE_1)
        for number, (_, title, page) in enumerate(pages):
            button = QPushButton(menu_text(title))
            button.setAccessibleName(tr("Show {title}", title=title_in_sentence(title)))
            button.setCheckable(True)
            button.setProperty("role", "quiet")
            self._group.addButton(button, number)
            self.buttons.append(button)
            row.addWidget(button)
            self._stack.addWidget(page)
        row.addStretch()
        self.buttons[0].setChecked(True)
        self._group.idToggled.connect(
            lambda number, on: self._stack.setCurrentIndex(number) if on else None
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_1)
        layout.addLayout(row)
        layout.addWidget(self._stack, 1)

    def setObjectName(self, name: str) -> None:
        """Set the object name, on which the names of the buttons are based."""
        super().setObjectName(name)
        for key, button in zip(self._keys, self.buttons, strict=True):
            button.setObjectName(f"{name}.{key}")
