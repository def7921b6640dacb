"""Dialog that makes a corpus from a picture: draw or open one, then write the text and open it."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from workbench.analysis.matrix.picture import corpus_picture_size
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr, trn
from workbench.corpus.pictures.picture import (
    FINE,
    PictureParams,
    face,
    grey_square,
    picture_corpus,
    sharp_face,
)
from workbench.session.corpus.picture_reading import read_picture
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.file_dialogs import CORPORA, file_dialog
from workbench.ui.base.scaling import SPACE_4, set_opening_size
from workbench.ui.base.theme import Theme, set_property
from workbench.ui.dialogs.picture_grid import PictureGrid
from workbench.ui.widgets.inputs.form import Form
from workbench.ui.widgets.layout.note_label import NoteLabel

_IMAGE, _TEXT = "picture.image", "picture.text"
_BRUSHES = (1, 2, 3, 5, 9)


W = TypeVar("W", bound=QWidget)


def _named(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"picture.{local}")
    widget.setAccessibleName(accessible)
    return widget


class PictureDialog(QDialog):
    """A grid to draw on, the options of the text, and a note on progress or problems."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setObjectName("picture")
        self.setWindowTitle(tr("Corpus from a picture"))
        self._session = session
        params = PictureParams()
        self.grid = _named(
            PictureGrid(theme, face(params.size), sharp_face(FINE)), "grid", tr("Picture")
        )
        self.options = Form("picture", theme)
        self.options.set_kind(PictureParams, params.to_dict(), {})
        self.open_image = _named(kit.button(tr("Open an image…")), "open", tr("Open an image"))
        self.erase = _named(
            kit.button(tr("Erase"), checkable=True), "erase", tr("Erase instead of drawing")
        )
        brushes = {
            cells: trn("Brush: {number} cell", "Brush: {number} cells", cells) for cells in _BRUSHES
        }
        self.brush = _named(kit.ChoiceBox.of(brushes), "brush", tr("Width of the brush"))
        self.clear = _named(kit.button(tr("Clear")), "clear", tr("Clear the picture"))
        self.invert = _named(kit.button(tr("Invert")), "invert", tr("Invert the picture"))
        self.undo = _named(kit.button(tr("Undo")), "undo", tr("Undo the last step"))
        self.write = _named(
            kit.button(tr("Write text…"), role="primary"),
            "write",
            tr("Write the text and open it"),
        )
        self.cancel = _named(kit.button(tr("Cancel")), "cancel", tr("Close without writing a text"))
        self.note = kit.with_role(NoteLabel(), "error", "picture.note")
        self._lay_out()
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        tools = (self.open_image, self.brush, self.erase, self.clear, self.invert, self.undo)
        middle = kit.row(kit.stretch(self.grid), kit.at_top(self.options), gap=None)
        below = kit.row(kit.stretch(self.note), self.cancel, self.write, gap=None)
        above = kit.row(*tools, kit.stretch(), gap=None)
        kit.fill(self, kit.column(above, kit.stretch(middle), below, margins=SPACE_4))
        set_opening_size(self, 720, 520)

    def _connect(self) -> None:
        self.open_image.clicked.connect(self._ask_image)
        self.erase.toggled.connect(self._choose_erasing)
        self.brush.activated.connect(self._choose_brush)
        self.clear.clicked.connect(self.grid.clear)
        self.invert.clicked.connect(self.grid.invert)
        self.undo.clicked.connect(self.grid.undo)
        self.write.clicked.connect(self._ask_text)
        self.cancel.clicked.connect(self.reject)
        self.grid.changed.connect(self._refresh)
        self.options.changed.connect(self._options_edited)
        self.finished.connect(lambda _: self._drop_jobs())

    def _drop_jobs(self) -> None:
        for key in (_IMAGE, _TEXT):
            self._session.jobs.drop(key)

    def params(self) -> PictureParams | None:
        """The options; None while one of them is invalid."""
        found = self.options.params()
        if isinstance(found, PictureParams):
            return found
        return None

    def _choose_erasing(self, on: bool) -> None:
        self.grid.erases = on

    def _choose_brush(self, _: int) -> None:
        self.grid.brush = int(self.brush.currentData())

    def _options_edited(self) -> None:
        params = self.params()
        if params is not None:
            self.grid.set_size(params.size)
        self._refresh()

    def _refresh(self) -> None:
        self.undo.setEnabled(self.grid.can_undo)
        self.write.setEnabled(self.params() is not None)
        self.note.setText("")

    def _show_problem(self, error: UserError) -> None:
        self._tell(f"{error.message} {error.hint}", "error")

    def _tell(self, text: str, role: str) -> None:
        set_property(self.note, "role", role)
        self.note.setText(text)

    # -- images

    def _ask_image(self) -> None:
        dialog = file_dialog(self, self._session.settings, CORPORA, tr("Open an image"))
        dialog.fileSelected.connect(lambda path: self.read_image(Path(path)))
        dialog.open()

    def read_image(self, path: Path) -> None:
        """Show an image, read in a job."""

        def work(run: JobControl) -> Doubles:
            return grey_square(read_picture(path, run), FINE, path.name)

        title = tr("Opening {name}", name=path.name)
        self._tell(f"{title} …", "muted")
        self._session.jobs.start(
            title,
            work,
            self.grid.put_image,
            self._show_problem,
            key=_IMAGE,
            cancelled=self._refresh,
        )

    # -- text

    def _ask_text(self) -> None:
        title = tr("Write the text of the picture")
        dialog = file_dialog(self, self._session.settings, CORPORA, title, save=True)
        dialog.setDefaultSuffix("txt")
        dialog.setNameFilter(tr("Text (*.txt)"))
        dialog.selectFile("picture.txt")
        dialog.fileSelected.connect(lambda path: self.write_text(Path(path)))
        dialog.open()

    def write_text(self, path: Path) -> None:
        """Write the text and its PMI in a job, then open the text."""
        params = self.params()
        if params is None:
            return
        session, grey = self._session, self.grid.grey.copy()
        self.write.setEnabled(False)

        def work(run: JobControl) -> Path:
            picture_corpus(grey, params, tr("The picture")).write(path, run)
            return path

        title = tr("Writing {name}", name=path.name)
        self._tell(f"{title} …", "muted")
        session.jobs.start(
            title,
            work,
            self._open_text,
            self._writing_failed,
            key=_TEXT,
            cancelled=self._refresh,
        )

    def _open_text(self, path: Path) -> None:
        session = self._session
        session.corpora.open([path])
        if session.corpora.opening is not None:
            _Shown(session)
        self.accept()

    def _writing_failed(self, error: UserError) -> None:
        self._refresh()
        self._show_problem(error)


class _Shown:
    """Shows the picture once its text is open."""

    def __init__(self, session: Session) -> None:
        self._session = session
        session.corpora.changed.connect(self._corpus_changed)

    def _corpus_changed(self) -> None:
        corpora = self._session.corpora
        if corpora.opening is not None:
            return
        corpora.changed.disconnect(self._corpus_changed)
        if corpus_picture_size(corpora.current):
            self._session.requests.picture.emit()
