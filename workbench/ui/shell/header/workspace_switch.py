"""Switch between workspaces, in the header of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.shell.workspaces import WORKSPACES


class WorkspaceSwitch(QWidget):
    """One button for each workspace, one of them pressed. Emits ``chosen(key)`` on a click."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("window.workspaces")
        self.setAccessibleName(tr("Workspaces"))
        self.setProperty("role", "segments")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.buttons: dict[str, QToolButton] = {}
        for number, workspace in enumerate(WORKSPACES, 1):
            button = kit.text_button(
                workspace.title,
                role="segment",
                name=f"window.workspace.{workspace.key}",
                checkable=True,
                pressed=lambda _=False, key=workspace.key: self.chosen.emit(key),
            )
            button.setAccessibleName(tr("Workspace {title}", title=workspace.title))
            button.setToolTip(
                safe_tip(tr("{purpose}  Ctrl+{number}", purpose=workspace.purpose, number=number))
            )
            self._group.addButton(button)
            self.buttons[workspace.key] = button
        kit.fill(self, kit.row(*self.buttons.values(), gap=0, margins=2))

    def set_current(self, key: str) -> None:
        self.buttons[key].setChecked(True)
