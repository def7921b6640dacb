"""The preferences: pages on the left, their settings on the right, and a search. The dialog is not
modal.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QWidget,
)

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.scaling import SPACE_2, SPACE_3, set_opening_size
from workbench.ui.preferences.page import PAGES, PreferencesPage
from workbench.ui.shell.panel_window import PanelWindow

_KEY = Qt.ItemDataRole.UserRole


class PreferencesDialog(QDialog):
    """Dialog whose changes take effect immediately, without confirmation. Esc closes it, Ctrl+F
    searches.
    """

    def __init__(self, window: PanelWindow) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setObjectName("preferences")
        self.setWindowTitle(tr("Preferences"))
        self.field = QLineEdit()
        self.field.setObjectName("preferences.search")
        self.field.setAccessibleName(tr("Search the preferences"))
        self.field.setPlaceholderText(tr("Search settings"))
        self.field.setClearButtonEnabled(True)
        self.field.addAction(
            window.context.theme.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        self.field.textChanged.connect(self._search)
        self.list = kit.with_role(QListWidget(), "pages", "preferences.pages")
        self.list.setAccessibleName(tr("Pages"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        kit.set_scaled_size(self.list, width=170)
        self.pages: dict[str, PreferencesPage] = {}
        self._stack = QStackedWidget()
        for kind in PAGES:
            page = kind(window)
            self.pages[kind.key] = page
            item = QListWidgetItem(kind.title)
            item.setData(_KEY, kind.key)
            self.list.addItem(item)
            scroll = kit.ScrollFrame(page)
            scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            page.setAutoFillBackground(False)
            self._stack.addWidget(scroll)
        self._none = kit.empty_label(name="preferences.none")
        self._stack.addWidget(self._none)
        self.list.currentRowChanged.connect(self._show_page)
        self._arrange()
        self.list.setCurrentRow(0)

    def _arrange(self) -> None:
        kit.set_scaled_size(self.field, most_width=170)
        line = kit.with_role(QFrame(), "hairline")
        line.setFixedWidth(1)
        parts = (kit.column(self.field, kit.stretch(self.list)), line, kit.stretch(self._stack))
        margins = (SPACE_3, SPACE_3, SPACE_2, SPACE_3)
        kit.fill(self, kit.row(*parts, gap=SPACE_3, margins=margins))
        set_opening_size(self, 860, 580)

    @property
    def page(self) -> PreferencesPage:
        """The current page."""
        return list(self.pages.values())[max(self.list.currentRow(), 0)]

    def show_page(self, key: str) -> None:
        """Show a page by its key; "" keeps the current one."""
        if key in self.pages:
            self.field.clear()
            self.list.setCurrentRow(list(self.pages).index(key))
        focus: QWidget = self.field if not key else self.page.focusWidget() or self.list
        focus.setFocus()

    def _show_page(self, row: int) -> None:
        if row >= 0:
            self._stack.setCurrentIndex(row)
            self.page.refresh()

    def _search(self, typed: str) -> None:
        found = [page.search(typed) for page in self.pages.values()]
        for row, number in enumerate(found):
            self.list.item(row).setHidden(not number)
        if not any(found):
            self._none.setText(tr("No settings match “{words}”.", words=typed.strip()))
            self._stack.setCurrentWidget(self._none)
        elif not found[max(self.list.currentRow(), 0)]:
            self.list.setCurrentRow(next(row for row, number in enumerate(found) if number))
        else:
            self._stack.setCurrentIndex(self.list.currentRow())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.field.setFocus()
        elif event.key() == Qt.Key.Key_Escape and self.field.hasFocus() and self.field.text():
            self.field.clear()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Return belongs to the widget with the focus: the dialog has no default button.
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """Close the dialog. Qt calls this method for Esc and for the window's close button."""
        for page in self.pages.values():
            page.release()
        super().done(result)
