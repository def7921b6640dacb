"""Switch that disables tooltips."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from workbench.core.language import tr
from workbench.core.setting import Setting

TOOLTIPS = Setting(
    "tooltips",
    bool,
    True,
    label=tr("Tooltips"),
    hint=tr("Explain a control when you point at it. The guide contains the same texts."),
)
_NAME = "tooltips.none"


class _NoTooltips(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.ToolTip


def show_tooltips(on: bool) -> None:
    """Enable or disable tooltips. While they are enabled, no events are filtered."""
    application = QApplication.instance()
    if application is None:
        return
    found = application.findChild(_NoTooltips, _NAME)
    if on and found is not None:
        application.removeEventFilter(found)
        found.setParent(None)
        found.deleteLater()
    elif not on and found is None:
        none = _NoTooltips(application)
        none.setObjectName(_NAME)
        application.installEventFilter(none)
