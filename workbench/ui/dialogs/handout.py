"""Make a handout of a run: how many words, and where to save the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from workbench.analysis.projection.methods import Projection
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.session.classes.page_lesson import lesson_sections
from workbench.session.export import write_one
from workbench.session.export.export_source import ExportSource
from workbench.session.export.export_sources import of_run
from workbench.session.export.handout import (
    FEWEST_WORDS,
    MOST_WORDS,
    SUFFIX,
    WORDS,
    Handout,
    HandoutOptions,
    expected_size,
    make_handout,
    most_words,
)
from workbench.session.files.file_names import add_suffix, file_stem
from workbench.session.kernel_compiler import compile_sets
from workbench.session.lessons import Lesson, readable_lessons
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.file_dialogs import file_dialog
from workbench.ui.base.plain_text import title_text
from workbench.ui.base.theme import SPACE_3, SPACE_4, set_property
from workbench.ui.dialogs.share import SHARE_FOLDER
from workbench.ui.export.file_jobs import write_in_job
from workbench.ui.widgets.layout.note_label import NoteLabel

W = TypeVar("W", bound=QWidget)

# Counting contexts and comparing products use these kernels.
_KERNELS = ("counts", "floor", "analysis")
_PAGES = tr("Web pages (*.html)")


class HandoutDialog(QDialog):
    """The number of words, what the page will contain, and **Save…**. Not modal. The page is made
    in a job that outlives the dialog.
    """

    def __init__(self, session: Session, record: RunRecord, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("handout.dialog")
        self.setWindowTitle(title_text(tr("Handout of {name}", name=record.name)))
        self._session, self._record = session, record
        self._subject: ExportSource | None = None
        self._lessons: dict[str, Lesson] = {}
        self._key = f"handout.{record.identifier}"
        self.words = _named(
            kit.IntBox.of(FEWEST_WORDS, MOST_WORDS, WORDS, suffix=tr(" words")),
            "words",
            tr("Number of most frequent words on the page"),
        )
        kit.set_scaled_size(self.words, width=136)
        self.lesson = _named(
            kit.ChoiceBox.of({"": tr("No lesson")}, letters=24),
            "lesson",
            tr("Lesson on the page"),
        )
        self.note = _named(NoteLabel(), "note", tr("Contents of the page"))
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Room for the longest note, so that nothing moves when it changes.
        kit.set_scaled_size(self.note, least_height=5 * 16)
        self.save = _named(
            kit.button(tr("Save…"), role="primary", pressed=self._ask),
            "save",
            tr("Choose a file and save the page"),
        )
        self.save.setDefault(True)
        self.cancel = _named(
            kit.button(tr("Cancel"), pressed=self.reject), "cancel", tr("Close without saving")
        )
        self.cancel.setAutoDefault(False)
        self._build()
        self.words.valueChanged.connect(lambda _: self._describe())
        self.lesson.currentIndexChanged.connect(lambda _: self._describe())
        self.finished.connect(lambda _: session.jobs.drop(self._key))
        self._load()

    def _build(self) -> None:
        explained = tr(
            "One page for phones and computers that needs no network: map, neighbours, word walk, "
            "analogies, odd one out, fit and training. Students hand in a lesson from the page."
        )
        words = kit.label(tr("Most frequent"), buddy=self.words)
        lesson = kit.label(tr("Lesson inside"), buddy=self.lesson)
        column = kit.column(
            kit.label(explained, role="muted", wrap=True),
            kit.grid(
                (words, kit.row(self.words, kit.stretch())), (lesson, self.lesson), shares=(0, 1)
            ),
            self.note,
            kit.stretch(),
            kit.row(kit.stretch(), self.cancel, self.save),
            gap=SPACE_3,
            margins=SPACE_4,
        )
        kit.set_scaled_size(kit.fill(self, column), width=420)

    # -- the run's vectors

    def _load(self) -> None:
        self.words.setEnabled(False)
        self.lesson.setEnabled(False)
        self.save.setEnabled(False)
        self._set_message(tr("Loading the vectors…"))
        record, store = self._record, self._session.store
        self._session.jobs.start(
            tr("Loading {name}", name=record.name),
            lambda run: (of_run(record, store), readable_lessons()[0]),
            self._vectors_loaded,
            lambda error: self._set_message(str(error), wrong=True),
            key=self._key,
            quiet=True,
        )

    def _vectors_loaded(self, loaded: tuple[ExportSource, list[Lesson]]) -> None:
        subject, lessons = loaded
        self._lessons = {lesson.key: lesson for lesson in lessons}
        self.lesson.replace_choices(
            [(tr("No lesson"), ""), *((lesson.title, lesson.key) for lesson in lessons)]
        )
        reason = Handout.why_not(subject)
        if reason is not None:
            self._set_message(reason, wrong=True)
            return
        self._subject = subject
        most = min(most_words(subject), len(subject.embeddings))
        self.words.setRange(FEWEST_WORDS, most)
        self.words.setValue(min(WORDS, most))
        self.words.setEnabled(True)
        self.lesson.setEnabled(True)
        self.save.setEnabled(True)
        self._describe()
        self.words.setFocus()

    def _describe(self) -> None:
        if self._subject is None:
            return
        size = expected_size(self.words.value(), self._subject.embeddings.dim)
        sentences = [tr("About {size:.1f} MB.", size=size / 1e6)]
        corpus = self._session.corpora.current
        if corpus is None or corpus.digest != self._record.corpus_digest:
            sentences.append(
                tr(
                    "Contexts and the fit need the text of the run, which is read from its file if "
                    "it is still there."
                )
            )
        if self.lesson.currentData():
            sentences.append(
                tr("The lesson is played first: its runs are trained, and its claims measured.")
            )
        self._set_message(" ".join(sentences))

    def _set_message(self, text: str, *, wrong: bool = False) -> None:
        set_property(self.note, "role", "error" if wrong else "muted")
        self.note.setText(text)

    # -- the file

    def _ask(self) -> None:
        title = tr("Save the handout of {name}", name=self._record.name)
        dialog = file_dialog(self, self._session.settings, SHARE_FOLDER, title, save=True)
        dialog.setObjectName("handout.file")
        dialog.setNameFilter(_PAGES)
        dialog.selectFile(file_stem(self._record.name, "handout") + SUFFIX)
        dialog.fileSelected.connect(lambda name: self.save_as(Path(name)))
        dialog.open()

    def save_as(self, path: Path) -> None:
        """Make the page in a job and close the dialog."""
        subject, corpus = self._subject, self._session.corpora.current
        if subject is None:
            return
        if path.suffix.lower() != SUFFIX:
            path = add_suffix(path, SUFFIX)
        if corpus is not None and corpus.digest != self._record.corpus_digest:
            corpus = None
        lesson = self._lessons.get(str(self.lesson.currentData()))
        options = HandoutOptions(self.words.value(), corpus)
        save_page(self._session, path, subject, options, lesson)
        self.accept()


def save_page(
    session: Session,
    path: Path,
    subject: ExportSource,
    options: HandoutOptions,
    lesson: Lesson | None = None,
) -> None:
    """Make a page, with a lesson inside, and write it, in a job, and report the result."""

    def prepare(projection: type[Projection], run: JobControl) -> None:
        compile_sets(projection.kernels, run)

    def write(run: JobControl) -> list[str]:
        compile_sets(_KERNELS, run)
        more = lesson_sections(lesson, run) if lesson is not None else []
        made = make_handout(subject, replace(options, more=more), run, prepare)
        run.enter(Phase.SAVING, tr("Writing {name}", name=path.name))
        write_one(path, made.html)
        return made.notes

    def report_saved(notes: list[str]) -> None:
        session.message.emit(tr("Saved {name}.", name=path.name), " ".join(notes), False)

    title = tr("Making {name}", name=path.name)
    write_in_job(session, path, write, title=title, saved=report_saved)


def _named(widget: W, local: str, accessible: str) -> W:
    widget.setObjectName(f"handout.{local}")
    widget.setAccessibleName(accessible)
    return widget
