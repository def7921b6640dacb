"""The button and the field that find settings in the form."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton

from workbench.core.language import tr
from workbench.ui.base.panel import Panel
from workbench.ui.widgets.inputs.form import Form


class SettingFinder(QToolButton):
    """The button; the panel places ``field``. Esc leaves the field, Return goes to the first
    match.
    """

    def __init__(self, panel: Panel, form: Form) -> None:
        super().__init__()
        self._form = form
        panel.named(
            self,
            "finding",
            tr("Find a setting"),
            tr("Find a setting by its name, symbol or effect"),
        )
        self.setProperty("role", "quiet")
        self.setCheckable(True)
        self.setProperty("passing", True)
        self.toggled.connect(self._show_field)
        self.field = panel.named(
            QLineEdit(), "find", tr("Find a setting"), tr("By name, symbol or effect")
        )
        self.field.setPlaceholderText(tr("Find a setting"))
        self.field.setProperty("passing", True)
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(form.show_matching)
        self.field.installEventFilter(self)
        self.field.hide()

    def begin(self) -> None:
        """Focus the field."""
        self.setChecked(True)
        self.field.setFocus()

    def _show_field(self, shown: bool) -> None:
        self.field.setVisible(shown)
        if shown:
            self.field.setFocus()
        else:
            self.field.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            key, pressed = event.key(), event.type() == QEvent.Type.KeyPress
            if key == Qt.Key.Key_Escape:
                event.accept()
                if pressed:
                    self.setChecked(False)
                    self._form.setFocus()
                return True
            if pressed and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._form.focus_first_shown()
                return True
        return super().eventFilter(watched, event)
