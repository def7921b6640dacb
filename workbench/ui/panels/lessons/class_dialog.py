"""What a class handed in: answers before and after the results as bars, values that differ, texts
side by side, and files that don’t count.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton, QWidget

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr, trn
from workbench.session.classes.collect import ClassResult, LessonResult, collect, grade_book, tables
from workbench.session.lessons.lesson import Lesson
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.file_dialogs import EXPORTS, file_dialog
from workbench.ui.base.plain_text import title_text
from workbench.ui.base.scaling import SPACE_3, SPACE_4, set_opening_size
from workbench.ui.base.theme import Theme, set_property
from workbench.ui.export.file_jobs import write_text_in_job
from workbench.ui.widgets.layout.note_label import NoteLabel
from workbench.ui.widgets.layout.result_view import Request, ResultJob

W = TypeVar("W", bound=QWidget)

# Height of a text in full.
_LINES = 72
_FILES = "files"
_VIEWS = {
    "questions": tr("Questions"),
    "measurements": tr("Values that differ"),
    "texts": tr("Answers in words"),
    _FILES: tr("Files to check"),
}


class ClassDialog(QDialog):
    """A choice of the lesson and of what is shown, a table, and the table for a grade book.

    The dialog isn’t modal.
    """

    def __init__(
        self,
        session: Session,
        theme: Theme,
        folder: Path,
        lessons: Sequence[Lesson],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("class")
        self.setWindowTitle(title_text(tr("Class: {name}", name=folder.name)))
        self._session, self._folder = session, folder
        self.results: ClassResult | None = None
        self.lesson = _named(kit.ChoiceBox.of({}, letters=24), "lesson", tr("Lesson"))
        self.view = _named(kit.ChoiceBox.of(_VIEWS), "view", tr("What is shown"))
        self.table = _named(
            kit.DataTable(theme, sortable=False), "table", tr("Results of the class")
        )
        self.detail = _named(QPlainTextEdit(), "detail", tr("The chosen row in full"))
        self.detail.setReadOnly(True)
        self.detail.setTabChangesFocus(True)
        self.detail.setPlaceholderText(tr("Choose a row to read it in full."))
        kit.set_scaled_size(self.detail, height=_LINES)
        self.detail.setVisible(False)
        self.note = _named(NoteLabel(), "note", tr("Progress"))
        self.close_button = _named(
            kit.button(tr("Close"), pressed=self.reject), "close", tr("Close")
        )
        self.save = _named(
            kit.button(tr("Save CSV…"), role="primary", pressed=self._ask_csv),
            "save",
            tr("Save a table for a grade book"),
        )
        self.save.setEnabled(False)
        above = kit.row(kit.stretch(self.lesson), self.view)
        foot = kit.row(kit.stretch(self.note), self.close_button, self.save)
        parts = (above, kit.stretch(self.table), self.detail, foot)
        kit.fill(self, kit.column(*parts, gap=SPACE_3, margins=SPACE_4))
        set_opening_size(self, 760, 560)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self.lesson.currentIndexChanged.connect(lambda _: self._show())
        self.view.currentIndexChanged.connect(lambda _: self._show())
        self.table.picked.connect(self._show_detail)
        reading = ResultJob(session.jobs, "class")
        reading.on_failed(self._show_problem)
        reading.on_cancelled(lambda: self._tell(tr("Reading was cancelled."), "muted"))
        self.finished.connect(lambda _: reading.forget())
        self._tell(tr("Reading the files…"), "muted")

        def work(run: JobControl) -> ClassResult:
            run.enter(Phase.READING)
            return collect(folder, lessons, run)

        reading.ask(Request((folder,), tr("Reading {name}", name=folder.name), work, self._put))

    def _put(self, result: ClassResult) -> None:
        self.results = result
        for at, one in enumerate(result.lessons):
            number = len(one.handed)
            self.lesson.addItem(
                trn("{title}: {number} file", "{title}: {number} files", number, title=one.title),
                at,
            )
        self.save.setEnabled(True)
        text, number = "", len(result.left_out) + len(result.repeated)
        if number:
            text = trn("{number} file to check.", "{number} files to check.", number)
        self._tell(text, "muted")
        self._show()

    def _show_problem(self, error: UserError) -> None:
        self._tell(f"{error.message} {error.hint}", "error")

    @property
    def shown_lesson(self) -> LessonResult | None:
        """The results that are shown."""
        at = self.lesson.currentData()
        if self.results is None or at is None:
            return None
        return self.results.lessons[int(at)]

    def _show(self) -> None:
        one, view = self.shown_lesson, self.view.currentData()
        if one is None or self.results is None:
            return
        column = kit.TableColumn
        self.detail.clear()
        self.detail.setVisible(view in ("measurements", "texts"))
        self.table.say_empty(tr("Nothing to show."))
        if view == _FILES:
            files = [*self.results.left_out, *self.results.repeated]
            counts = [False] * len(self.results.left_out) + [True] * len(self.results.repeated)
            columns = [
                column(tr("File"), [each.file for each in files]),
                column(tr("Counted"), [tr("yes") if one else tr("no") for one in counts]),
                column(tr("Reason"), [each.why for each in files], stretch=True),
            ]
            self.table.set_columns(columns)
            return
        head, rows = tables(one)[view]
        columns = [
            column(
                name,
                [row[at] for row in rows],
                stretch=at == len(head) - 1,
                keys=range(len(rows)),
            )
            for at, name in enumerate(head)
        ]
        groups: Sequence[str] = ()
        if view == "questions":
            groups = [str(row[0]) for row in rows]
            most = max((max(int(str(row[2])), int(str(row[3]))) for row in rows), default=0)
            columns = [
                column(head[1], [row[1] for row in rows], stretch=True),
                *(
                    self._bars(name, [int(str(row[at])) for row in rows], most)
                    for at, name in ((2, head[2]), (3, head[3]))
                ),
            ]
        elif view == "texts":
            columns = [columns[1], columns[2]]
            groups = [str(row[0]) for row in rows]
        self.table.set_columns(columns, groups=groups)

    def _show_detail(self, at: object) -> None:
        """Show the row with this number in full."""
        one, view = self.shown_lesson, str(self.view.currentData())
        if one is None or view == _FILES or not isinstance(at, int):
            return
        head, rows = tables(one)[view]
        lines = [f"{name}: {value}" for name, value in zip(head, rows[at], strict=True)]
        self.detail.setPlainText("\n".join(lines))

    def _bars(self, name: str, counts: Sequence[int], most: int) -> kit.TableColumn:
        shares = [count / max(most, 1) for count in counts]
        return kit.TableColumn(
            name, shares, texts=[str(count) for count in counts], bar=True, width=150
        )

    def _ask_csv(self) -> None:
        dialog = file_dialog(self, self._session.settings, EXPORTS, tr("Save CSV"), save=True)
        dialog.setNameFilters([tr("CSV tables (*.csv)")])
        dialog.setDefaultSuffix("csv")
        dialog.selectFile("class.csv")
        dialog.fileSelected.connect(lambda path: self.save_csv(Path(path)))
        dialog.open()

    def save_csv(self, path: Path) -> None:
        """Write the table for a grade book in a job, and report the result as a message."""
        if self.results is None:
            return
        write_text_in_job(self._session, path, grade_book(self.results), "class.csv")

    def _tell(self, text: str, role: str) -> None:
        set_property(self.note, "role", role)
        self.note.setText(text)


def _named(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"class.{local}")
    widget.setAccessibleName(accessible)
    return widget
