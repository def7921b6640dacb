"""Dialog for a name, which doesn't block the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.plain_text import title_text
from workbench.ui.base.scaling import SPACE_4
from workbench.ui.widgets.layout.note_label import NoteLabel


class NameDialog(QDialog):
    """A field and two buttons. ``taken(name)`` may raise UserError, whose message is shown under
    the field.
    """

    def __init__(
        self, parent: QWidget, title: str, name: str, taken: Callable[[str], object], what: str
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setObjectName("name")
        self.setWindowTitle(title_text(title))
        self._taken = taken
        self.field = QLineEdit(name)
        self.field.setObjectName("name.field")
        self.field.setAccessibleName(title)
        self.field.selectAll()
        self._problem = kit.with_role(NoteLabel(), "error", "name.problem")
        self._problem.hide()
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.button(QDialogButtonBox.StandardButton.Ok).setProperty("role", "primary")
        for button in buttons.buttons():
            # No other button of the workbench has the style's icons.
            button.setIcon(QIcon())
        buttons.accepted.connect(self._accept_name)
        buttons.rejected.connect(self.reject)
        caption = kit.label(what, buddy=self.field)
        column = kit.column(caption, self.field, self._problem, buttons, margins=SPACE_4)
        kit.set_scaled_size(kit.fill(self, column), least_width=340)

    def _accept_name(self) -> None:
        try:
            self._taken(self.field.text().strip())
        except UserError as error:
            self._problem.setText(f"{error.message} {error.hint}")
            self._problem.show()
            self.field.setFocus()
            return
        self.accept()


def ask_name(
    parent: QWidget, title: str, name: str, taken: Callable[[str], object], what: str = tr("Name")
) -> NameDialog:
    """Let the user type a name, or another line of text that ``what`` describes; ``taken`` is
    called with it.
    """
    dialog = NameDialog(parent.window(), title, name, taken, what)
    dialog.show()
    return dialog
