"""Dialog after a bug: one sentence, and a report to copy."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.settings.settings_file import Settings
from workbench.ui import kit
from workbench.ui.base.file_dialogs import EXPORTS, ask_save
from workbench.ui.base.scaling import fit_to_screen, scaled_length
from workbench.ui.base.theme import SPACE_3, Theme
from workbench.ui.dialogs.text import TextDialog, copy
from workbench.ui.widgets.layout.note_label import NoteLabel

_NAME = "workbench-report.txt"
_ICON = 20
# Usual and minimum height of the report; the minimum is for screens without enough room.
_USUAL, _LEAST = 260, 90
_SENDS = tr(
    "Nothing is sent. The report lists versions, sizes and steps, but none of your texts, "
    "words or folders."
)


class DefectDialog(TextDialog):
    """Not modal. ``report`` returns the text to show, copy and save; ``quit`` closes the window."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        settings: Settings,
        title: str,
        report: Callable[[], str],
        leave: Callable[[], object] | None,
    ) -> None:
        super().__init__(parent, "defect", tr("Something went wrong"), (560, 0))
        self._report, self._settings = report, settings
        heading = kit.label(title, role="large", wrap=True)
        self._heading = self.named(heading, "title", tr("Error"))
        self._said = self.named(NoteLabel(), "said", tr("Explanation"))
        often = kit.label(role="muted", wrap=True)
        self._often = self.named(often, "often", tr("Number of occurrences"))
        self._often.hide()
        icon = kit.label(name="defect.sign")
        # As high as the heading's first line, which it is beside.
        icon.setPixmap(
            theme.icon("warning", "danger").pixmap(
                QSize(scaled_length(_ICON), scaled_length(_ICON))
            )
        )
        words = kit.column(self._heading, self._said, self._often)
        head = kit.row(kit.at_top(icon), kit.stretch(words), gap=SPACE_3)
        self.details = self.text_box("report", tr("Report"))
        self.details.setMinimumHeight(scaled_length(_LEAST))
        self._note = kit.label(_SENDS, role="small", wrap=True)
        for widget in (self.details, self._note):
            widget.hide()
        kit.add(self.column, head, kit.stretch(self.details), self._note)
        self._fold = self.button("details", tr("Details"), self._toggle, tr("Show the report"))
        self._fold.setCheckable(True)
        self.button("copy", tr("Copy report"), lambda: copy(self._report()))
        self.button("save", tr("Save report…"), self._save)
        kit.add(self.buttons, kit.stretch())
        if leave is not None:
            self.button("quit", tr("Quit"), leave, tr("Close the window. Finished work is saved."))
        on = self.button(
            "go_on",
            tr("Continue") if leave is not None else tr("Close"),
            self.close,
            role="primary",
        )
        on.setDefault(True)
        on.setFocus()

    def set_message(self, said: str) -> None:
        """Set the sentence on the consequences for the user."""
        self._said.setText(said)
        self._fit_height()

    def count(self, times: int, kinds: int) -> None:
        """Show how many errors occurred, and of how many kinds."""
        parts = []
        if kinds > 1:
            parts.append(tr("{kinds} different errors occurred.", kinds=kinds))
        if times > kinds:
            parts.append(tr("This happened {times} times.", times=times))
        text = " ".join(parts)
        if text != self._often.text():
            self._often.setText(text)
            self._often.setVisible(bool(text))
            self._fit_height()

    def _toggle(self) -> None:
        folded = not self._fold.isChecked()
        if not folded:
            self.details.setPlainText(self._report())
        self.details.setHidden(folded)
        self._note.setHidden(folded)
        self._fit_height()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_height()

    def _fit_height(self) -> None:
        """Set the height that the text needs at this width."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            width = max(self.width(), layout.minimumSize().width())
            height = max(layout.totalMinimumHeightForWidth(width), layout.minimumSize().height())
            height += 0 if self.details.isHidden() else scaled_length(_USUAL - _LEAST)
            self.resize(fit_to_screen(self, QSize(width, height)))

    def _save(self) -> None:
        title, kind = tr("Save the report"), tr("Text (*.txt)")
        path, _ = ask_save(self, self._settings, EXPORTS, title, _NAME, kind)
        if path is None:
            return
        try:
            with replacing(path) as part:
                part.write_text(self._report(), encoding="utf-8", errors="replace")
        except UserError as error:
            self.set_message(str(error))
