"""Dialog for the size and caption of a figure before it is saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QPlainTextEdit,
    QWidget,
)

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.session.settings.session_settings import FIGURE_PAGE
from workbench.ui.base.boxes import across, fill, grid, row, stretch
from workbench.ui.base.controls import button, label
from workbench.ui.base.scaling import SPACE_2, SPACE_4, set_scaled_size
from workbench.ui.base.theme import set_property
from workbench.ui.export.figure_export import (
    FIGURES,
    NARROWEST,
    RESOLUTIONS,
    WIDEST,
    WIDTHS,
    PageSetup,
    ask_path,
    page_size,
)
from workbench.ui.widgets.inputs.editors import ChoiceBox, FloatBox
from workbench.ui.widgets.layout.note_label import NoteLabel

W = TypeVar("W", bound=QWidget)
# Called once with the error that kept a figure from being saved, or with None.
SaveReport = Callable[[UserError | None], None]
Save = Callable[[Path, PageSetup, SaveReport], None]
_OWN = tr("Custom width")


class FigureDialog(QDialog):
    """Asks for width, height, dots per inch and caption, then for a path; ``save`` is called with
    all of them.

    The dialog closes once the figure is saved; if that fails, it stays open with its values and
    shows the reason.
    """

    def __init__(
        self,
        parent: QWidget,
        session: Session,
        title: str,
        stem: str,
        size: QSize,
        text: str,
        save: Save,
        kind: str = ".png",
    ) -> None:
        super().__init__(parent)
        self._session, self._title, self._stem, self._size, self._save = (
            session,
            title,
            stem,
            size,
            save,
        )
        self._is_over = False
        self._kinds = {kind: FIGURES[kind], **FIGURES}
        self.setWindowTitle(tr("Save figure"))
        self.setObjectName("figure")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        presets: dict[float | None, str] = {
            width: tr("{name}, {width:g} mm", name=name, width=width)
            for name, width in WIDTHS.items()
        }
        self.preset = _named(ChoiceBox.of({**presets, None: _OWN}), "preset", tr("Column width"))
        self.width_box = _named(FloatBox(), "width", tr("Width in millimetres"))
        self.height_box = _named(FloatBox(), "height", tr("Height in millimetres, 0 = as needed"))
        resolutions = {dots: tr("{dots} dpi", dots=dots) for dots in RESOLUTIONS}
        self.dpi = _named(ChoiceBox.of(resolutions), "dpi", tr("PNG resolution in dots per inch"))
        for box in (self.width_box, self.height_box):
            box.setDecimals(1)
            box.setSuffix(" mm")
        self.width_box.setRange(NARROWEST, WIDEST)
        self.height_box.setRange(0.0, WIDEST)
        self.height_box.setSpecialValueText(tr("as needed"))
        self.captioned = _named(
            QCheckBox(tr("Add caption")), "captioned", tr("Add a caption below the figure")
        )
        self.caption = _named(QPlainTextEdit(text), "caption", tr("Caption"))
        self.note = _named(NoteLabel(), "note", tr("Size of the figure"))
        self.save = _named(button(tr("Save as…"), role="primary"), "save", tr("Save as"))
        self.save.setDefault(True)
        self.cancel = _named(button(tr("Cancel")), "cancel", tr("Cancel"))
        self._lay_out()
        self._recall()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        rows = grid(
            (label(tr("&Width"), buddy=self.preset), self.preset, self.width_box),
            (label(tr("&Height"), buddy=self.height_box), self.height_box),
            (label("&PNG", buddy=self.dpi), self.dpi),
            (across(self.captioned, 3),),
            (across(stretch(self.caption), 3),),
            (across(self.note, 3),),
            (across(row(stretch(), self.cancel, self.save), 3),),
            gap=SPACE_4,
            row_gap=SPACE_2,
            margins=SPACE_4,
        )
        fill(self, rows)
        self.caption.setTabChangesFocus(True)
        set_scaled_size(self.caption, least_height=88)
        set_scaled_size(self, least_width=440)

    def _recall(self) -> None:
        page = self._session.settings[FIGURE_PAGE]
        width = min(max(page["width"], NARROWEST), WIDEST)
        self.width_box.setValue(width)
        self.preset.setCurrentIndex(
            max(self.preset.findData(width), 0) if width in WIDTHS.values() else len(WIDTHS)
        )
        dpi = page["dpi"] if page["dpi"] in RESOLUTIONS else FIGURE_PAGE.default["dpi"]
        self.dpi.setCurrentIndex(self.dpi.findData(dpi))
        self.captioned.setChecked(page["captioned"])

    def _connect(self) -> None:
        self.preset.activated.connect(self._preset_chosen)
        self.width_box.valueChanged.connect(self._width_typed)
        for changed in (
            self.height_box.valueChanged,
            self.dpi.currentIndexChanged,
            self.captioned.toggled,
        ):
            changed.connect(lambda _: self._refresh())
        self.caption.textChanged.connect(self._refresh)
        self.save.clicked.connect(self._ask)
        self.cancel.clicked.connect(self.reject)

    def _preset_chosen(self) -> None:
        width = self.preset.currentData()
        if width is None:
            self.width_box.setFocus()
            self.width_box.selectAll()
        else:
            self.width_box.setValue(float(width))

    def _width_typed(self, width: float) -> None:
        at = self.preset.findData(width) if width in WIDTHS.values() else len(WIDTHS)
        self.preset.setCurrentIndex(at)
        self._refresh()

    @property
    def page(self) -> PageSetup:
        """The current choice."""
        text = self.caption.toPlainText().strip() if self.captioned.isChecked() else ""
        return PageSetup(
            self.width_box.value(),
            self.height_box.value() or None,
            int(self.dpi.currentData()),
            text,
        )

    def _refresh(self) -> None:
        page = self.page
        self.caption.setEnabled(self.captioned.isChecked())
        try:
            width, height = page_size(self._size, page)
        except UserError as error:
            self._set_message(str(error), wrong=True)
            self.save.setEnabled(False)
            return
        dots = (page.dpi or 0) / 25.4
        pixels = tr(
            "{width:,} × {height:,} pixels", width=round(width * dots), height=round(height * dots)
        )
        self._set_message(
            tr(
                "{width:.1f} × {height:.1f} mm; a PNG has {pixels}. SVG and PDF store "
                "words as text.",
                width=width,
                height=height,
                pixels=pixels,
            )
        )
        self.save.setEnabled(True)

    def _ask(self) -> None:
        path = ask_path(self, self._session.settings, self._title, self._stem, self._kinds)
        if path is None:
            return
        page = self.page
        kept = {"width": page.width, "dpi": page.dpi, "captioned": self.captioned.isChecked()}
        self._session.settings[FIGURE_PAGE] = kept
        # Proposed for the next figure.
        suffix = path.suffix.lower()
        self._stem, self._kinds = str(path.with_suffix("")), {suffix: FIGURES[suffix], **FIGURES}
        self.save.setEnabled(False)
        self._set_message(tr("Writing…"))
        self._save(path, page, self._settings_from_form)

    def _settings_from_form(self, error: UserError | None) -> None:
        """Handle the result of saving, perhaps long after the dialog was closed."""
        if self._is_over:
            if error is not None:
                self._session.message.report(error)
        elif error is None:
            self.accept()
        else:
            self._set_message(str(error), wrong=True)
            self.save.setEnabled(True)

    def _set_message(self, text: str, *, wrong: bool = False) -> None:
        set_property(self.note, "role", "error" if wrong else "muted")
        self.note.setText(text)

    def done(self, result: int) -> None:
        """Close the dialog. Qt calls this method for Esc and for the window's close button."""
        self._is_over = True
        super().done(result)


def ask_figure(
    parent: QWidget,
    session: Session,
    title: str,
    stem: str,
    size: QSize,
    text: str,
    save: Save,
    kind: str = ".png",
) -> FigureDialog:
    """Ask for page and path of a figure; ``kind`` is the proposed suffix. Returns the open dialog,
    which is modal to its window.
    """
    dialog = FigureDialog(parent, session, title, stem, size, text, save, kind)
    dialog.open()
    return dialog


def _named(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"figure.{local}")
    widget.setAccessibleName(accessible)
    return widget
