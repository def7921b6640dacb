"""The choice of a relation: a section of a question file or typed pairs, and the number of
candidates.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.analogy.relation_pairs import Pair, parse_pairs, section_pairs
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.file_dialogs import WORD_FILES, ask_open
from workbench.ui.widgets.inputs.evaluation_sets import QUESTION_FILES
from workbench.ui.widgets.inputs.file_choice import known_files, remember_file
from workbench.ui.widgets.layout.result_view import Request, ResultJob

_KEPT = "question_files"
_OWN_TITLE = tr("Your own pairs")
# Choice of typed pairs, which no section can be called.
_OWN = "\n"
# Minimum widths of the section and the file, so that a narrow window needs only one row.
_SQUEEZED = (110, 90)
_FIRST = "family"
RESTRICTIONS = {
    0: tr("All words"),
    10_000: tr("Top 10,000"),
    30_000: tr("Top 30,000"),
    100_000: tr("Top 100,000"),
}


class RelationChoice(QObject):
    """Belongs to the panel ``owner``. ``changed``: a file was read; ``failed``: it couldn't be.

    ``read_questions`` reads the chosen file in a job named ``key`` when the page is first shown.
    """

    changed = Signal()
    failed = Signal(UserError)
    opened = Signal()

    def __init__(self, session: Session, key: str, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._session = session
        self._reading = ResultJob(session.jobs, key)
        self._reading.on_failed(self._reading_failed)
        self._questions: Questions | None = None
        self._path_read: str | None = None
        self.section = kit.ChoiceBox.of({}, letters=8)
        self.file = kit.ChoiceBox.of({}, letters=8)
        self.open = kit.text_button("…", pressed=self._ask_file)
        self.restrict = kit.ChoiceBox.of(RESTRICTIONS)
        # Placed in a row of its own, as it can be long.
        self.typed = QLineEdit()
        self.typed.setPlaceholderText(tr("man king, woman queen, boy prince …"))
        self.typed.hide()
        # Controls for the panel's row, separate so that the row can wrap between them.
        self.controls = (self.section, self.file, self.open, self.restrict)
        for box, least in zip((self.section, self.file), _SQUEEZED, strict=True):
            box.squeezed = least
            kit.set_scaled_size(box, most_width=230)

    @property
    def own(self) -> bool:
        """Whether the user types the pairs."""
        return bool(self.section.currentData() == _OWN)

    def pairs(self) -> tuple[str, tuple[Pair, ...]] | None:
        """Name and pairs of the current choice; None while a file is being read. Raises UserError
        for pairs that aren't typed correctly.
        """
        if not self.section.count():
            return None
        if self.own or self._questions is None:
            return _OWN_TITLE, parse_pairs(self.typed.text())
        section = str(self.section.currentData())
        return section, section_pairs(self._questions, section)

    def offer_files(self) -> None:
        """Offer the current files."""
        offers = question_files(self._session) or {"": tr("No question file")}
        self.file.replace_choices([(name, path) for path, name in offers.items()])

    def open_file(self, path: Path) -> None:
        """Offer a file, now and in later sessions, and choose it."""
        wanted = remember_file(self._session, QUESTION_FILES, path)
        self.offer_files()
        self.file.setCurrentIndex(self.file.findData(wanted))
        self.opened.emit()

    def read_questions(self) -> None:
        """Read the chosen file unless it has been read; then offer its sections."""
        path = str(self.file.currentData() or "")
        if path == self._path_read:
            return
        self._path_read = path
        self._questions = None
        self._reading.forget()
        if not path:
            self._offer_sections()
            return
        self.section.blockSignals(True)
        self.section.clear()
        self.section.blockSignals(False)
        title = tr("Reading {name}", name=Path(path).name)
        work = lambda run: load_questions(path)  # noqa: E731
        self._reading.ask(Request((path,), title, work, self._questions_read, quiet=True))

    def _questions_read(self, questions: Questions) -> None:
        self._questions = questions
        self._offer_sections()

    def _reading_failed(self, error: UserError) -> None:
        self._offer_sections()
        self.failed.emit(error)

    def _offer_sections(self) -> None:
        names: tuple[str, ...] = ()
        if self._questions is not None:
            names = tuple(self._questions.sections)
        offers = [*((name, name) for name in names), (_OWN_TITLE, _OWN)]
        self.section.replace_choices(offers, _FIRST)
        self.show_typed()
        self.changed.emit()

    def show_typed(self) -> None:
        """Show the field for typed pairs if they are chosen."""
        self.typed.setVisible(self.own)

    def _ask_file(self) -> None:
        path = ask_open(
            self._owner,
            self._session.settings,
            WORD_FILES,
            tr("Open question file"),
            tr("Questions (*.txt *.tsv *.csv);;All files (*)"),
        )
        if path is not None:
            self.open_file(path)


def question_files(session: Session) -> dict[str, str]:
    """Names by path: the sample's own file first, then existing files opened before, latest
    first.
    """
    offers = {path: Path(path).name for path in known_files(session, QUESTION_FILES)}
    own, corpus = session.corpora.questions_path, session.corpora.current
    if own is not None and corpus is not None:
        offers = {str(own): tr("{name}’s questions", name=corpus.name), **offers}
    return offers
