"""Data by name: known texts, vectors and test sets, with their licence and size, to download and
open.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QPushButton, QWidget

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.catalogue import DATA, CatalogueEntry, Kind
from workbench.session.corpus.known_vectors import VectorChoice, kept_choice
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.scaling import SPACE_3, SPACE_4, set_opening_size
from workbench.ui.base.theme import Theme, set_property
from workbench.ui.dialogs.open import about_entry
from workbench.ui.widgets.inputs.evaluation_sets import PAIR_FILES, QUESTION_FILES
from workbench.ui.widgets.inputs.file_choice import remember_file
from workbench.ui.widgets.layout.note_label import NoteLabel

W = TypeVar("W", bound=QWidget)

_JOB = "known_data"
_KINDS = {
    Kind.TEXT: tr("Texts"),
    Kind.VECTORS: tr("Vectors"),
    Kind.ANALOGIES: tr("Analogies"),
    Kind.SIMILARITY: tr("Word pairs with scores"),
}
_MOST_WORDS = 10_000_000


class KnownDataDialog(QDialog):
    """A list of everything that is known by name; what the chosen entry contains, its licence and
    how it is checked; and for vectors, how many words are kept, and how exactly.

    The dialog isn’t modal.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setObjectName("known_data")
        self.setWindowTitle(tr("Known data"))
        self._session = session
        self._shown: list[CatalogueEntry] = []
        self._key = ""
        self.kind = _named(
            kit.ChoiceBox.of({"": tr("Everything"), **_KINDS}), "kind", tr("Kind of data")
        )
        self.search = _named(QLineEdit(), "search", tr("Search"))
        self.search.setPlaceholderText(tr("Search by name or language code"))
        self.list = _named(kit.DataTable(theme), "list", tr("Known data"))
        self.list.say_empty(tr("No results."))
        self.about = _named(kit.label(wrap=True), "about", tr("About the chosen data"))
        self.words = _named(
            kit.IntBox.of(0, _MOST_WORDS, 0), "words", tr("Number of words to keep")
        )
        self.words.setSpecialValueText(tr("all"))
        self.words.setSingleStep(50_000)
        self.words_label = kit.label(tr("Words"), buddy=self.words)
        self.half = _named(QCheckBox(tr("Half precision")), "half", tr("Half precision"))
        self.half.setToolTip(tr("Half the disk space; cosines change by less than 0.001."))
        self.note = _named(NoteLabel(), "note", tr("Progress"))
        self.cancel = _named(kit.button(tr("Close")), "cancel", tr("Close"))
        self.get = _named(
            kit.button(tr("Download and open"), role="primary"), "get", tr("Download and open")
        )
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self._lay_out()
        self.kind.currentIndexChanged.connect(lambda _: self._fill())
        self.search.textChanged.connect(lambda _: self._fill())
        self.list.picked.connect(self._choose)
        self.list.opened.connect(self._choose_and_open)
        self.cancel.clicked.connect(self.reject)
        self.get.clicked.connect(self._open)
        self._fill()

    def _lay_out(self) -> None:
        above = kit.row(self.kind, kit.stretch(self.search))
        options = kit.row(
            self.words_label, self.words, self.half, kit.stretch(self.note), self.cancel, self.get
        )
        parts = (above, kit.stretch(self.list), self.about, options)
        kit.fill(self, kit.column(*parts, gap=SPACE_3, margins=SPACE_4))
        set_opening_size(self, 760, 560)

    # -- list

    def _fill(self) -> None:
        kind, wanted = self.kind.currentData(), self.search.text().strip().casefold()
        self._shown = [
            entry
            for entry in DATA.values()
            if kind in ("", entry.kind)
            and (wanted in f"{entry.title} {entry.key}".casefold() or wanted == entry.language)
        ]
        keys = [entry.key for entry in self._shown]
        column = kit.TableColumn
        self.list.set_columns(
            (
                column(tr("Name"), [one.title for one in self._shown], stretch=True, keys=keys),
                column(tr("Language"), [one.language for one in self._shown], keys=keys, spare=1),
                column(
                    tr("Size"),
                    [one.bytes for one in self._shown],
                    texts=[one.size_text if one.bytes else "–" for one in self._shown],
                    keys=keys,
                ),
                column(tr("Licence"), [one.licence for one in self._shown], keys=keys),
                column(
                    tr("Downloaded"),
                    [tr("yes") if _is_here(one) else "" for one in self._shown],
                    keys=keys,
                    spare=2,
                ),
            ),
            groups=[_KINDS[one.kind] for one in self._shown],
        )
        if self._key not in keys:
            self._key = keys[0] if keys else ""
        self._choose(self._key)
        if self._key:
            self.list.selectRow(keys.index(self._key))

    def _choose(self, key: object) -> None:
        self._key = str(key)
        entry = DATA.get(self._key)
        vectors = entry is not None and entry.kind == Kind.VECTORS
        for widget in (self.words_label, self.words, self.half):
            widget.setVisible(vectors)
        self.get.setEnabled(entry is not None)
        self.about.setText("" if entry is None else about_entry(entry))
        if entry is not None and _is_here(entry):
            self.get.setText(tr("Open"))
        else:
            self.get.setText(tr("Download and open"))
        kept = kept_choice(entry) if entry is not None and vectors else None
        if kept is not None:
            self.words.setValue(kept.words)
            self.half.setChecked(kept.half)
        self._tell("", "muted")

    def _choose_and_open(self, key: object) -> None:
        self._choose(key)
        self._open()

    # -- opening

    def _open(self) -> None:
        entry = DATA.get(self._key)
        if entry is None:
            return
        session = self._session
        if entry.kind == Kind.TEXT:
            session.corpora.open([entry.key])
            self.accept()
        elif entry.kind == Kind.VECTORS:
            choice = VectorChoice(self.words.value(), self.half.isChecked())
            session.corpora.open_known_vectors(entry, choice)
            self.accept()
        else:
            self._fetch_set(entry)

    def _fetch_set(self, entry: CatalogueEntry) -> None:
        def work(run: JobControl) -> Path:
            from workbench.corpus.catalogue.unpack import unpacked_set

            return unpacked_set(entry, run)

        title = tr("Downloading {title}", title=entry.title)
        self._tell(f"{title}…", "muted")
        self.get.setEnabled(False)
        self._session.jobs.start(
            title,
            work,
            lambda path: self._offer_set(entry, path),
            self._show_problem,
            key=_JOB,
            cancelled=lambda: self._choose(self._key),
        )

    def _offer_set(self, entry: CatalogueEntry, path: Path) -> None:
        setting = QUESTION_FILES if entry.kind == Kind.ANALOGIES else PAIR_FILES
        remember_file(self._session, setting, path)
        self._session.message.emit(
            tr("{title} is in the lists of the panel Evaluate.", title=entry.title), "", False
        )
        self.accept()

    def _show_problem(self, error: UserError) -> None:
        self._choose(self._key)
        self._tell(f"{error.message} {error.hint}", "error")

    def _tell(self, text: str, role: str) -> None:
        set_property(self.note, "role", role)
        self.note.setText(text)


def _is_here(entry: CatalogueEntry) -> bool:
    return entry.here or (entry.kind == Kind.VECTORS and kept_choice(entry) is not None)


def _named(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"known_data.{local}")
    widget.setAccessibleName(accessible)
    return widget
