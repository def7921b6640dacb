"""Pages in one place, chosen by small buttons above."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from workbench.core.language import tr
from workbench.ui.base.boxes import column, fill, row, stretch
from workbench.ui.base.controls import button
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
        self._stack = PageStack(*(page for _, _, page in pages))
        for number, (_, title, _) in enumerate(pages):
            page_button = button(title, role="quiet", checkable=True)
            page_button.setAccessibleName(tr("Show {title}", title=title_in_sentence(title)))
            self._group.addButton(page_button, number)
            self.buttons.append(page_button)
        self.buttons[0].setChecked(True)
        self._group.idToggled.connect(
            lambda number, on: self._stack.setCurrentIndex(number) if on else None
        )
        titles = row(*self.buttons, stretch(), gap=SPACE_1)
        fill(self, column(titles, stretch(self._stack), gap=SPACE_1))

    @property
    def by_key(self) -> dict[str, QPushButton]:
        """The buttons by the keys of their pages."""
        return dict(zip(self._keys, self.buttons, strict=True))

    def setObjectName(self, name: str) -> None:
        """Set the object name, on which the names of the buttons are based."""
        super().setObjectName(name)
        for key, page_button in zip(self._keys, self.buttons, strict=True):
            page_button.setObjectName(f"{name}.{key}")
